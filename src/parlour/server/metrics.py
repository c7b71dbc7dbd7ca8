"""What is counted and timed, for Prometheus. No figure tells of one table, one player or one card."""

import os
import tempfile
import threading
from collections.abc import Container, Iterator
from contextlib import contextmanager
from typing import Any

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


class Metrics:
    """The figures of one process. Made when it is first asked for: the library looks at its environment when loaded."""

    def __init__(self) -> None:
        from prometheus_client import Counter, Gauge, Histogram

        self.connections = Gauge("parlour_connections", "WebSockets open now", multiprocess_mode="livesum")
        self.tables = Gauge("parlour_tables", "Tables in memory now", multiprocess_mode="livesum")
        self.events = Counter("parlour_events", "Events that happened", ["game", "by"])
        self.refusals = Counter("parlour_refusals", "Actions and messages refused")
        self.turned_away = Counter("parlour_turned_away", "Requests and connections refused at the door", ["why"])
        self.client_errors = Counter("parlour_client_errors", "Connections that broke HTTP or the WebSocket protocol")
        self.failures = Counter("parlour_store_failures", "Appends that could not be stored")
        self.moved = Counter("parlour_tables_moved", "Tables that went to another server", ["how"])
        steps = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
        self.append = Histogram("parlour_append_seconds", "From an append to its acknowledgement", buckets=steps)
        self.scenes = Histogram("parlour_scenes_seconds", "From an event to its scenes for all seats", buckets=steps)


_metrics: Metrics | None = None
_making = threading.Lock()


def metrics() -> Metrics:
    """The figures of this process."""
    global _metrics
    if _metrics is None:
        with _making:
            _metrics = _metrics or Metrics()
    return _metrics


@contextmanager
def shared_figures() -> Iterator[None]:
    """Let this process and those it starts keep their figures together, in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="parlour-metrics-") as folder:
        os.environ[_FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[_FOLDER]


def forget_process(number: int) -> None:
    """A process that is no more has no open connections."""
    if _FOLDER in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(number)  # type: ignore[no-untyped-call]


def serve_metrics(host: str, port: int, names: Container[str]) -> Any:
    """Answer Prometheus at an address, asked by one of these names. Raises ``OSError``."""
    from prometheus_client import REGISTRY, CollectorRegistry, start_http_server
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = REGISTRY
    if _FOLDER in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    server, _ = start_http_server(port, addr=host, registry=registry)
    server.set_app(_asked_by(names, server.get_app()))
    return server


def _asked_by(names: Container[str], answer: Any) -> Any:
    def application(environment: dict[str, Any], start: Any) -> Any:
        if environment.get("HTTP_HOST", "") in names:
            return answer(environment, start)
        start("421 Misdirected Request", [("Content-Type", "text/plain; charset=utf-8")])
        return [b"The card room's figures are not known by this name (see parlour serve --name).\n"]

    return application
