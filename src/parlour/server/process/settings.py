"""The settings of a card room."""

import secrets
from dataclasses import dataclass, field
from pathlib import Path

from parlour.engine.errors import ParlourError
from parlour.server.http.access.limits import ADDRESS_RATES, Limits
from parlour.server.http.access.shared_counters import SharedCounters
from parlour.server.table.daily.settings import HERE, DailySettings, parse_key, parse_room
from parlour.server.table.push.settings import PushSettings, make_push_settings


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
        daily_key: the file with the key of the daily deals; ``None``: a key of the room's own, in its database.
        daily_at: the address of another room where the daily deals are played; empty: they are played here.
        push_contact: the e-mail address of the operator for push services; empty: no notices to closed pages.
        push_hosts: the push services besides those of the known browsers.
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
    daily_key: str | None = None
    daily_at: str = ""
    push_contact: str = ""
    push_hosts: tuple[str, ...] = ()
    server: str = field(default_factory=lambda: secrets.token_hex(8))


def read_daily(settings: Settings) -> DailySettings:
    """Return the settings of the daily deals, with the key in its file.

    Raises:
        ParlourError: there is no such file, it has no key, the address of the other room is not valid, or both
            options are set.
    """
    if settings.daily_at and settings.daily_key is not None:
        raise ParlourError("--daily-at and --daily-key exclude each other: the other room has a key of its own")
    option = f"--daily-at {settings.daily_at}" if settings.daily_at else f"--daily-key {settings.daily_key}"
    try:
        if settings.daily_at:
            return DailySettings(room=parse_room(settings.daily_at))
        if settings.daily_key is not None:
            return DailySettings(parse_key(Path(settings.daily_key).read_text(encoding="ascii", errors="replace")))
    except OSError as error:
        raise ParlourError(f"{option}: {error.strerror}") from None
    except ParlourError as error:
        raise ParlourError(f"{option}: {error}") from None
    return HERE


def read_push(settings: Settings) -> PushSettings:
    """Return the settings of notices to closed pages. Raises :class:`ParlourError`."""
    return make_push_settings(settings.push_contact, settings.push_hosts)


def make_limits(settings: Settings, counters: SharedCounters | None = None) -> Limits:
    """Return the limits of addresses in all processes that share the counters."""
    return Limits(ADDRESS_RATES if settings.limited else None, counters, settings.limits_factor)
