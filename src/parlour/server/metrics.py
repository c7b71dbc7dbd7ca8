"""Metrics for Prometheus. No metric concerns a single table, player or card."""

import os
import tempfile
import threading
from collections.abc import Container, Iterator
from contextlib import contextmanager
from typing import Any

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


class Metrics:
    """The metrics of one process, created on first use: the library reads its environment when it is imported.

    An attribute has the name of its metric without the prefix ``parlour_``.
    """

    def __init__(self) -> None:
        from prometheus_client import Counter, Gauge, Histogram

        self.connections = Gauge("parlour_connections", "WebSockets open now", multiprocess_mode="livesum")
        self.tables = Gauge("parlour_tables", "Tables in memory now", multiprocess_mode="livesum")
        self.events = Counter("parlour_events", "Events of games", ["game", "by"])
        self.refusals = Counter("parlour_refusals", "Actions and messages that a table refused")
        self.turned_away = Counter("parlour_turned_away", "Requests and connections that the server refused", ["why"])
        self.client_errors = Counter("parlour_client_errors", "Connections that broke HTTP or the WebSocket protocol")
        unstored = "Actions, names, seats and chat messages that could not be stored"
        self.store_failures = Counter("parlour_store_failures", unstored)
        self.pushes = Counter("parlour_pushes", "Notices to closed pages", ["result"])
        self.tables_moved = Counter("parlour_tables_moved", "Tables that moved to another server", ["how"])
        steps = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
        stored = "From an action to its storage on the disk"
        self.append_seconds = Histogram("parlour_append_seconds", stored, buckets=steps)
        shown = "From an event to its scenes for all seats"
        self.scenes_seconds = Histogram("parlour_scenes_seconds", shown, buckets=steps)


_metrics: Metrics | None = None
_creation_lock = threading.Lock()


def metrics() -> Metrics:
    """Return the metrics of this process."""
    global _metrics
    if _metrics is None:
        with _creation_lock:
            _metrics = _metrics or Metrics()
    return _metrics


@contextmanager
def shared_metrics() -> Iterator[None]:
    """Combine the metrics of this process and those it starts, in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="parlour-metrics-") as folder:
        os.environ[_FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[_FOLDER]


def forget_process(number: int) -> None:
    """Remove the current values of a process that has ended, such as open connections."""
    if _FOLDER in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(number)  # type: ignore[no-untyped-call]


def serve_metrics(host: str, port: int, names: Container[str]) -> Any:
    """Serve the metrics at an address, under these host names. Raises ``OSError``."""
    from prometheus_client import REGISTRY, CollectorRegistry, start_http_server
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = REGISTRY
    if _FOLDER in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    server, _ = start_http_server(port, addr=host, registry=registry)
    server.set_app(_restrict_to(names, server.get_app()))
    return server


def _restrict_to(names: Container[str], answer: Any) -> Any:
    def application(environment: dict[str, Any], start: Any) -> Any:
        if environment.get("HTTP_HOST", "") in names:
            return answer(environment, start)
        start("421 Misdirected Request", [("Content-Type", "text/plain; charset=utf-8")])
        return [b"The card room's metrics are not known by this name (see parlour serve --name).\n"]

    return application
