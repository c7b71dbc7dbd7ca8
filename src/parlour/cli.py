"""The commands. Each imports what it needs when it runs, so that ``parlour --help`` is there at once."""

import json
import sys
import time
from typing import Any

import click

from parlour import __version__
from parlour.arguments import game_options, move_time_option, setup_of
from parlour.interrupts import no_interrupt_lost
from parlour.progress import progress_bar
from parlour.studies import exact, foresight, ladder, match, peeking, smoke
from parlour.why import explain, hint, review


class _Parlour(click.Group):
    """Shows what a user can put right as one line, with exit status 1, and ends a Ctrl-C with 130."""

    def invoke(self, context: click.Context) -> Any:
        try:
            with no_interrupt_lost():
                return super().invoke(context)
        except KeyboardInterrupt:
            click.echo("\nStopped.", err=True)
            sys.exit(130)
        except Exception as error:
            if not _is_parlour_error(error):
                raise
            raise click.ClickException(str(error)) from None


def _is_parlour_error(error: Exception) -> bool:
    errors = sys.modules.get("parlour.engine.errors")  # nothing of ours was raised if nobody has loaded it
    return errors is not None and isinstance(error, errors.ParlourError)


@click.group(cls=_Parlour, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="parlour")
@click.pass_context
def main(context: click.Context) -> None:
    """A card room for unusual card games. Without a command it opens in the browser."""
    if context.invoked_subcommand is None:
        context.invoke(serve, open_browser=True, log="human")


@main.command()
def games() -> None:
    """List the games of the room."""
    from parlour.engine.game import players_text
    from parlour.games import all_games

    for game in all_games():
        click.echo(f"{game.id}  ({players_text(game.players)} players)")
        click.echo(f"    {game.summary}")
        click.echo(f"    {game.credit}")


@main.command()
@click.argument("game_id", metavar="GAME")
@click.option("--markdown", is_flag=True, help="As Markdown text, not laid out for the terminal.")
def rules(game_id: str, markdown: bool) -> None:
    """Tell a game's rules, options and credits."""
    from parlour.lab.papers import rules_page

    text = rules_page(game_id)
    if markdown:
        click.echo(text, nl=False)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))


@main.command()
@game_options
@click.option("--seat", type=int, default=0, show_default=True, help="Your seat.")
@click.option("--bots", default="thumb", show_default=True, help="Who plays the other seats: one name, or one a seat.")
@click.option("--name", default="You", help="Your name.")
@click.option("--resume", metavar="FILE", help="Go on with an unfinished game.")
@click.option("--record", "record_file", metavar="FILE", help="Where the game is kept (default: your data folder).")
@click.option("--plain", is_flag=True, help="Words and notation only: no colours, lines or blocks, for screen readers.")
@click.option("--pace", type=float, default=0.4, show_default=True, help="Seconds between the bots' actions.")
@move_time_option
def play(game_id: str, players: int | None, given: tuple[str, ...], **settings: Any) -> None:
    """Play in the terminal against bots."""
    from parlour.terminal import play_in_terminal

    play_in_terminal(setup_of(game_id, players, given), **settings)


@main.command()
@click.argument("game_id", metavar="GAME")
@click.option("--plain", is_flag=True, help="Words and notation only, for screen readers.")
def learn(game_id: str, plain: bool) -> None:
    """Learn a game by playing its guided first hands, in the terminal."""
    from parlour.learning import learn_in_terminal

    learn_in_terminal(game_id, plain)


@main.command()
@game_options
@click.option(
    "--games", "-n", "number", type=click.IntRange(1), default=1000, show_default=True, help="How many games."
)
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="The same seed, the same games."
)
@click.option(
    "--records", "file", metavar="FILE", help="Write every game as a record, one a line; - is standard output."
)
@click.option("--threads", type=click.IntRange(1), default=None, help="Cores to use for a summary (default: all).")
def simulate(
    game_id: str,
    players: int | None,
    given: tuple[str, ...],
    number: int,
    seed: int,
    file: str | None,
    threads: int | None,
) -> None:
    """Play random games, each legal action equally likely."""
    setup = setup_of(game_id, players, given)
    if file is None:
        _simulate_summary(setup, number, seed, threads)
        return
    from parlour.engine.records import STANDARD, RecordWriter
    from parlour.lab.simulate import simulated_records

    with RecordWriter(file) as writer, progress_bar("Games", number) as advance:
        try:
            for record in simulated_records(setup, number, seed):
                writer.write(record)
                advance(1)
        except KeyboardInterrupt:
            click.echo(f"Stopped: {writer.written} of {number} games are in {file}.", err=True)
            sys.exit(130)
    if file != STANDARD:
        click.echo(f"{writer.written} games of {setup.game.title} are in {file}.", err=True)


def _simulate_summary(setup: Any, number: int, seed: int, threads: int | None) -> None:
    from parlour.engine.playouts import run_playouts
    from parlour.lab.simulate import summary_of

    click.echo("Compiling the rules if they are new (some seconds) …", err=True)
    with progress_bar("Games", number) as advance:
        start = time.perf_counter()
        playouts = run_playouts(setup, number, seed, threads, advance)
        summary = summary_of(playouts, time.perf_counter() - start)
    click.echo(json.dumps({**setup.to_json(), "seed": seed, **summary}))


@main.command()
@click.argument("file", metavar="FILE")
@click.option("--trace", "traced", is_flag=True, help="One JSON line a record: all legal actions at every decision.")
@click.option("--interpreted", is_flag=True, help="Run the rules in the interpreter, not compiled.")
def replay(file: str, traced: bool, interpreted: bool) -> None:
    """Replay records and check that they are legal; - reads standard input."""
    from parlour.engine.match import COMPILED, INTERPRETED
    from parlour.engine.records import FEW_RECORDS, read_records, trace
    from parlour.engine.records import replay as replay_record
    from parlour.games import find_game

    number = 0
    with progress_bar("Records", None) as advance:
        for number, (place, record) in enumerate(read_records(file), 1):
            steps = INTERPRETED if interpreted or number <= FEW_RECORDS else COMPILED
            if traced:
                click.echo(json.dumps(trace(record, find_game, place, steps), ensure_ascii=False))
            else:
                match = replay_record(record, find_game, place, steps)
                click.echo(f"{place}: {match.game.title}, {match.players} players, {_ending(match)}")
            advance(1)
    if not traced:
        click.echo(f"{number} records, all legal.", err=True)


@main.command()
@click.argument("file", metavar="RECORD")
@click.option("--commitment", metavar="HASH", help="The commitment that was shown before the game.")
def verify(file: str, commitment: str | None) -> None:
    """Check that the cards of a game were dealt as committed to beforehand; - reads standard input."""
    from parlour.engine.deals import check_deal, given_events
    from parlour.engine.records import read_records
    from parlour.games import find_game

    for place, record in read_records(file):
        match = check_deal(record, find_game, place, commitment)
        given = given_events(record, place)
        drawn = sum(event["by"] == "chance" for event in record["events"][given:])
        click.echo(f"{place}: {match.game.title}, {match.players} players, {_ending(match)}")
        if given:
            click.echo(f"  It was played on from another game: its first {given} events are not checked.")
        click.echo(f"  The secret fits the commitment {record['deal']['commitment']},")
        click.echo(f"  and all {drawn} chance events {'after them ' if given else ''}are what it gives.")


def _ending(match: Any) -> str:
    if match.result is None:
        return f"unfinished after {len(match.events)} events"
    return f"scores {' '.join(map(str, match.result.scores))}, won by {' '.join(map(str, match.result.winners))}"


@main.command()
@game_options
@click.option("--depth", type=click.IntRange(1, 12), default=5, show_default=True, help="How many actions deep.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Which deal.")
def perft(game_id: str, players: int | None, given: tuple[str, ...], depth: int, seed: int) -> None:
    """Count the sequences of actions from a fixed deal: a check of the rules, and of their speed."""
    from parlour.engine.perft import perft as count_sequences

    setup = setup_of(game_id, players, given)
    count_sequences(setup, seed, 1)  # compiles
    start = time.perf_counter()
    counts = count_sequences(setup, seed, depth)
    seconds = time.perf_counter() - start
    for steps, total in enumerate(counts, 1):
        click.echo(f"{steps:3} {total:20,}")
    click.echo(f"{sum(counts) / seconds / 1e6:.1f} million actions a second", err=True)


@main.command()
@click.argument("game_id", metavar="[GAME]", required=False)
@click.option("--players", "-p", type=int, default=None, help="How many players.")
@click.option("--option", "-o", "given", multiple=True, metavar="NAME=VALUE", help="An option.")
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="How long each measurement lasts.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game.")
def bench(game_id: str | None, players: int | None, given: tuple[str, ...], seconds: float, as_json: bool) -> None:
    """Measure how fast random games are played, on one core and on all."""
    from parlour.games import game_ids
    from parlour.lab.bench import bench as measure

    for which in [game_id] if game_id else game_ids():
        setup = setup_of(which, players, given)
        click.echo(f"Measuring {setup.game.title} with {setup.players} players …", err=True)
        result = measure(setup, seconds)
        click.echo(json.dumps(result) if as_json else _bench_text(result))


def _bench_text(result: dict[str, Any]) -> str:
    return "\n".join(
        (
            f"{result['game']}, {result['players']} players",
            f"  {result['actions_per_second'] / 1e6:8.1f} million actions a second on one core by the batch interface",
            f"  {result['games_per_second']:8,} games a second",
            f"  {result['observed_steps_per_second'] / 1e6:8.2f} million a second with what the seat to act observes",
            f"  {result['hand_written']:8.2f} of what a loop written by hand reaches",
            f"  {result['all_cores']:8.2f} times that on {result['cores']} cores",
            f"  {result['guesses_per_second'] / 1e6:8.2f} million guesses a second in mid-game",
            f"  {result['searches_per_second'] / 1e3:8.0f} thousand playouts a second in a search there, "
            f"{result['tree_searches_per_second'] / 1e3:.0f} in a tree",
            f"  {result['compile_seconds']:8.2f} seconds to the first playout with nothing compiled yet (cold)",
            f"  {result['warm_seconds']:8.2f} seconds in a later process (warm); {result['import_seconds']} to import",
        )
    )


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="The port to listen at.")
@click.option(
    "--database",
    metavar="FILE|URL",
    default=None,
    envvar="PARLOUR_DATABASE",
    show_envvar=True,
    help="A file or postgresql://… (default: in your data folder).",
)
@click.option("--open/--no-open", "open_browser", default=False, help="Open the browser.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="How many processes.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="A name by which browsers may ask for the room.")
@click.option("--limits/--no-limits", "limited", default=True, help="Limits to how much one address may ask.")
@click.option("--pace/--no-pace", "paced", default=True, help="Bots take their time; at once, it tells what they hold.")
@click.option(
    "--limits-factor",
    type=click.FloatRange(0.1, 1000),
    default=1.0,
    show_default=True,
    help="Times the usual limits: 5 for a school behind one address.",
)
@click.option("--behind-proxy", is_flag=True, help="Believe a proxy on this machine about who asks (X-Forwarded-For).")
@click.option("--metrics-port", type=click.IntRange(0, 65535), default=0, help="Answer Prometheus here, locally.")
@click.option("--log", type=click.Choice(["json", "human"]), default="json", show_default=True, help="How logs look.")
@click.option("--warm-up/--no-warm-up", default=True, help="Make the bots ready for all games while nobody waits.")
def serve(**settings: Any) -> None:
    """Run the card room for browsers."""
    from parlour.server.run import serve as run_server
    from parlour.server.serving import Settings

    run_server(Settings(**settings))


for command in (hint, explain, review, match, ladder, exact, foresight, smoke, peeking):
    main.add_command(command)


if __name__ == "__main__":
    main()
