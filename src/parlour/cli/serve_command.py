"""Command for operators of a card room: ``serve``."""

import gc
from typing import Any

import click

from parlour.cli.arguments import FiniteRange, age_option, database_option, room_module


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port to listen on.")
@database_option
@click.option("--open/--no-open", "open_browser", default=False, help="Open the browser.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Number of processes.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="Additional host name of the room.")
@click.option("--limits/--no-limits", "limited", default=True, help="Limit the requests from one address.")
@click.option("--pace/--no-pace", "paced", default=True, help="Delay bots' answers, whose timing reveals cards.")
@click.option(
    "--limits-factor",
    type=FiniteRange(0.1, 1000),
    default=1.0,
    show_default=True,
    help="Factor for the limits, e.g. 5 for a school behind one address.",
)
@click.option(
    "--behind-proxy",
    multiple=True,
    is_flag=False,
    flag_value="localhost",
    metavar="[NETWORK]",
    help="Trust X-Forwarded-For from proxies in this network, e.g. 10.1.0.0/16 (default: this machine).",
)
@click.option("--metrics-host", default="127.0.0.1", show_default=True, help="Address for Prometheus metrics.")
@click.option(
    "--metrics-port", type=click.IntRange(0, 65535), default=0, help="Port for Prometheus metrics (default: none)."
)
@age_option("--keep-finished", help="Remove games that ended longer ago than this, e.g. 2y (default: keep all).")
@click.option("--log", type=click.Choice(["json", "human"]), default="json", show_default=True, help="Log format.")
@click.option("--warm-up/--no-warm-up", default=True, help="Compile the bots of all games while the room is idle.")
@click.option(
    "--daily-key",
    metavar="FILE",
    help="File with the key of the daily deals; rooms with equal keys have equal deals (default: a key of its own).",
)
@click.option("--daily-at", default="", metavar="URL", help="Another room, where the daily deals are played instead.")
@click.option(
    "--push-contact",
    default="",
    metavar="E-MAIL",
    help="Send notices to closed pages, with this address for push services (default: no such notices).",
)
@click.option(
    "--push-host", "push_hosts", multiple=True, metavar="HOST", help="Push service besides those of known browsers."
)
@click.option("--address", default="", metavar="URL", help="URL of this server for programs, without the balancer.")
@click.option(
    "--drain-seconds",
    type=FiniteRange(0, 600),
    default=5.0,
    show_default=True,
    help="Seconds of continued service after a request to stop, before other servers take over the tables.",
)
def serve(**settings: Any) -> None:
    """Run the card room for browsers."""
    gc.disable()  # loaded modules are never garbage; the server schedules its own collections once it is open
    try:
        server = room_module("parlour.server.process.run")
        from parlour.server.process.settings import Settings

        server.serve(Settings(**settings))
    finally:
        gc.enable()
