"""The commands against abuse: ``close-table``, ``clear-talk``, ``ban``, ``unban``, ``bans``."""

from __future__ import annotations

import time

import click

from parlour.cli.arguments import LONGEST_DURATION, StoredText, database_option, parse_duration, room_command
from parlour.cli.room_commands import note_numbered, open_existing_store

_SECONDS = {"m": 60, "h": 3600, "d": 86400, "w": 7 * 86400, "y": 365 * 86400}
"""Seconds of each unit of a time."""
_FOLLOW = "Running servers follow within two seconds."


@click.command("close-table")
@click.argument("tables", metavar="TABLE...", nargs=-1, required=True, type=StoredText())
@database_option
@room_command
def close_table(tables: tuple[str, ...], database: str | None) -> None:
    """Close tables for all clients, by the ids in their addresses.

    Connections end, the table leaves the lobby, and its address answers that the operator has closed it. Its stored
    game stays until delete-table removes it.
    """
    from parlour.engine.errors import ParlourError
    from parlour.server.store import moderation

    with open_existing_store(database) as store:
        missing = []
        for table_id in tables:
            if store.write(moderation.close_table, table_id):
                click.echo(f"Closed {table_id}.")
            else:
                missing.append(table_id)
        if len(missing) < len(tables):
            click.echo(_FOLLOW)
        if missing:
            raise ParlourError(f"there is no table {', '.join(missing)} in {store.name}")


@click.command("clear-talk")
@click.argument("table_id", metavar="TABLE", type=StoredText())
@click.option("--by", "name", metavar="NAME", type=StoredText(), help="Only messages of this player.")
@click.option("--words", default="", metavar="TEXT", type=StoredText(), help="Only messages with this text in them.")
@database_option
@room_command
def clear_talk(table_id: str, name: str | None, words: str, database: str | None) -> None:
    """Remove chat messages of a table."""
    from parlour.engine.errors import ParlourError
    from parlour.engine.validation import counted
    from parlour.server.store import moderation

    with open_existing_store(database) as store:
        removed = store.write(moderation.clear_talk, table_id, name, words)
        if name is not None:
            note_numbered(store, name, table_id)
        if not removed:
            raise ParlourError(f"no such message was sent at table {table_id} in {store.name}")
        click.echo(f"Removed {counted(removed, 'message')}. {_FOLLOW}")


def _seconds_of(context: click.Context, parameter: click.Parameter, text: str) -> int:
    seconds = parse_duration(text, _SECONDS)
    if seconds is None:
        raise click.BadParameter(f"a time is written 30m, 12h, 7d, 4w or 1y, {LONGEST_DURATION}, not {text!r}")
    return seconds


@click.command()
@click.argument("address")
@click.option(
    "--for",
    "duration",
    metavar="TIME",
    default="1d",
    show_default=True,
    callback=_seconds_of,
    help="Duration of the ban: 30m, 12h, 7d.",
)
@database_option
@room_command
def ban(address: str, duration: int, database: str | None) -> None:
    """Ban an ADDRESS for a time.

    Its requests are refused, and its connections end. An earlier ban that ends later stays. Of an IPv6 address the
    network of its first 64 bits is banned. Behind a proxy that --behind-proxy does not name, all players come from the
    proxy's address.
    """
    from parlour.server.store import moderation

    network = _network_of(address)
    until = int(time.time()) + duration
    with open_existing_store(database) as store:
        until = store.write(moderation.ban, network, until)
        click.echo(f"Banned {network} until {_utc(until)}. {_FOLLOW}")


@click.command()
@click.argument("address")
@database_option
@room_command
def unban(address: str, database: str | None) -> None:
    """Lift the ban of an ADDRESS."""
    from parlour.engine.errors import ParlourError
    from parlour.server.store import moderation

    network = _network_of(address)
    with open_existing_store(database) as store:
        if not store.write(moderation.unban, network):
            raise ParlourError(f"{network} is not banned in {store.name}")
        click.echo(f"Lifted the ban of {network}. {_FOLLOW}")


@click.command()
@database_option
@room_command
def bans(database: str | None) -> None:
    """List the banned addresses with the ends of their bans."""
    from parlour.server.store.moderation import bans_of

    with open_existing_store(database) as store:
        found = store.read(bans_of)
        for address, until in found.items():
            click.echo(f"{address} until {_utc(until)}")
        if not found:
            click.echo(f"No address is banned in {store.name}.", err=True)


def _network_of(address: str) -> str:
    import ipaddress

    from parlour.server.http.access.limits import network_of

    try:
        return network_of(str(ipaddress.ip_address(address.removesuffix("/64"))))
    except ValueError:
        raise click.UsageError(f"an address is written 203.0.113.7 or 2001:db8::7, not {address!r}") from None


def _utc(seconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))
