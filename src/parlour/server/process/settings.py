"""The settings of a card room."""

import secrets
from dataclasses import dataclass, field

from parlour.server.http.access.limits import ADDRESS_RATES, Limits
from parlour.server.http.access.shared_counters import SharedCounters


@dataclass(frozen=True)
class Settings:
    """The settings of a card room.

    Attributes:
        host: the address to listen at.
        port: the port; 0 is any free one.
        database: a file or a URL; ``None``: a file in the user's data folder.
        open_browser: whether to open a browser.
        workers: the number of processes.
        names: the host names besides those of this machine.
        limited: whether addresses have rate limits.
        paced: whether bots answer at times that disclose nothing about their hands; otherwise at once.
        limits_factor: multiplier of the default limits.
        behind_proxy: the addresses and networks of trusted proxies.
        metrics_host: the address of the metrics for Prometheus.
        metrics_port: the port of the metrics; 0: none.
        keep_finished: the days after which finished games are removed; ``None``: never.
        log: ``json`` or ``human``.
        warm_up: whether to compile the bots' searches beside the server.
        address: the address of this server itself for programs, without the balancer; empty if there is none.
        drain_seconds: the seconds from the request to end until the server hands its tables to another one.
        server: a random id, shared by the processes of the server.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    database: str | None = None
    open_browser: bool = False
    workers: int = 1
    names: tuple[str, ...] = ()
    limited: bool = True
    paced: bool = True
    limits_factor: float = 1.0
    behind_proxy: tuple[str, ...] = ()
    metrics_host: str = "127.0.0.1"
    metrics_port: int = 0
    keep_finished: int | None = None
    log: str = "json"
    warm_up: bool = True
    address: str = ""
    drain_seconds: float = 5.0
    server: str = field(default_factory=lambda: secrets.token_hex(8))


def make_limits(settings: Settings, counters: SharedCounters | None = None) -> Limits:
    """Return the limits of addresses in all processes that share the counters."""
    return Limits(ADDRESS_RATES if settings.limited else None, counters, settings.limits_factor)
