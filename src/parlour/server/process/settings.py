"""What is chosen when the card room is opened."""

import secrets
from dataclasses import dataclass, field

from parlour.server.http.limits import ADDRESS_RATES, Limits
from parlour.server.http.shared_counters import Ledger


@dataclass(frozen=True)
class Settings:
    """What is chosen when the card room is opened.

    Attributes:
        host: the address to listen at.
        port: the port; 0 is any.
        database: a file or a URL; ``None`` is a file in the user's data folder.
        open_browser: whether to open it.
        workers: how many processes.
        names: by which the room may be called besides those of this machine.
        limited: whether there are limits to what one address may do.
        paced: whether bots answer at moments that tell nothing of what they hold, or else at once.
        limits_factor: times the usual limits.
        behind_proxy: the addresses and networks of the proxies that are believed about where requests come from.
        metrics_host: the address at which Prometheus may ask.
        metrics_port: the port there; 0 is nowhere.
        keep_finished: after how many days finished games are removed; ``None`` is never.
        log: ``json`` or ``human``.
        warm_up: whether to make the bots' searches ready beside the server.
        address: where programs reach this server itself, past a balancer; empty if nowhere.
        drain_seconds: how long the server goes on after it was asked to end, if another one is there, before it hands
            its tables over.
        server: drawn anew for each server; its processes have it in common.
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


def make_limits(settings: Settings, ledger: Ledger | None = None) -> Limits:
    """To what an address may do in all processes that share the ledger."""
    return Limits(ADDRESS_RATES if settings.limited else None, ledger, settings.limits_factor)
