"""The operation of a card room: its address, its database, and its processes, until it is stopped."""

import asyncio
import errno
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn

import click

from parlour.engine.compile_notice import QUIET
from parlour.engine.errors import ParlourError
from parlour.folders import data_folder
from parlour.server.http.access.proxies import Proxies
from parlour.server.logs import note, set_up_logs
from parlour.server.metrics import serve_metrics, shared_metrics
from parlour.server.process.loop_watch import watch_loop
from parlour.server.process.resources import QUEUE, exit_process, raise_file_limit, schedule_garbage_collection
from parlour.server.process.settings import Settings, read_daily, read_push
from parlour.server.process.workers import run_workers
from parlour.server.store.database import open_database
from parlour.server.store.locks import lock_database


class AddressError(ParlourError):
    """The server cannot listen at this address."""


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises :class:`AddressError`."""
    authority = f"{host}:{port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError):
        raise AddressError(f"there is no address {host!r} to listen at") from None
    if sys.platform != "win32":  # where it would allow two servers on one port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(QUEUE)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise AddressError(
                f"port {port} is in use, perhaps because Parlour is open already at {address_of(host, port)}; "
                "choose another with --port"
            ) from None
        raise AddressError(f"cannot listen at {authority}: {error.strerror}") from None
    return listening


def address_of(host: str, port: int) -> str:
    """Return the URL for a browser on this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"


def default_database() -> Path:
    """Return the default database file. Raises :class:`ParlourError` if this user has no home folder."""
    folder = data_folder()
    if folder is None:
        raise ParlourError("there is no home folder to keep the tables in: name a file with --database FILE")
    return folder / "tables.sqlite"


def serve(settings: Settings) -> NoReturn:
    """Run the card room until it is stopped, which ends the process.

    Raises:
        ParlourError: a setting is not valid, or the address, the port for metrics or the database cannot be used.
    """
    set_up_logs(settings.log)
    os.environ[QUIET] = "1"  # standard error has the log, of the workers too
    Proxies(settings.behind_proxy)  # reports errors before anything is opened
    read_daily(settings)  # the same
    read_push(settings)  # the same
    raise_file_limit()
    with ExitStack() as to_close:
        listening = to_close.enter_context(listen(settings.host, settings.port))
        if settings.workers > 1 and settings.metrics_port:
            to_close.enter_context(shared_metrics())
        location = settings.database or default_database()
        to_close.enter_context(lock_database(location))
        if settings.metrics_port:
            _open_metrics(settings)
        address = address_of(settings.host, listening.getsockname()[1])
        announce = partial(_announce, settings, address)
        if settings.workers == 1:
            _serve_alone(listening, location, settings, announce)
        else:
            database = open_database(location)  # migrated once for all workers
            database.engine.dispose()
            settings = replace(settings, database=str(location))
            run_workers(listening, settings, partial(announce, database.name))
    note("closed")
    click.echo("The room is closed.")
    exit_process()


def _serve_alone(
    listening: socket.socket, location: Path | str, settings: Settings, announce: Callable[[str], None]
) -> None:
    """Serve all tables from this process."""
    from parlour.server.process.warmup import warm_up_searches
    from parlour.server.process.web_server import Server, make_config  # a dispatcher does not need these imports
    from parlour.server.store.store import Store

    with closing(Store(location)) as store, warm_up_searches(settings.warm_up):
        server = Server(make_config(store, settings), partial(announce, store.name), settings.drain_seconds)
        with watch_loop(server.pulse):
            asyncio.run(server.serve([listening]))


def _announce(settings: Settings, address: str, database: str) -> None:
    schedule_garbage_collection()
    note("open", address=address, database=database, workers=settings.workers)
    click.echo(f"The room is open at {address} (Ctrl-C closes it).\nTables are kept in {database}.")
    if settings.open_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _open_metrics(settings: Settings) -> None:
    # a local import: it loads the web application, which few dispatchers need
    from parlour.server.http.access.admission import HostNames

    try:
        serve_metrics(settings.metrics_host, settings.metrics_port, HostNames(settings.names))
    except OSError as error:
        authority = f"{settings.metrics_host}:{settings.metrics_port}"
        raise AddressError(f"metrics cannot be served at {authority}: {error.strerror}") from None
    except UnicodeError:  # of a name with an empty or a long part
        raise AddressError(f"there is no address {settings.metrics_host!r} for metrics") from None
