"""Command line. Each command imports its dependencies when it runs, so that ``parlour --help`` responds at once."""

import sys
from typing import Any

import click

from parlour.cli.author_commands import bench, check, new_game, new_variation, peeking, perft, smoke
from parlour.cli.console import open_closed_streams, replace_unprintable, report_failure
from parlour.cli.contest_commands import ends, exact, foresight, ladder, match, simulate
from parlour.cli.learning_commands import baselines, dataset, exploit, levels, train
from parlour.cli.moderation import ban, bans, clear_talk, close_table, unban
from parlour.cli.people_commands import fit
from parlour.cli.play_commands import games, learn, play, rules
from parlour.cli.puzzle_commands import grade, puzzle, puzzles
from parlour.cli.review_commands import explain, hint, replay, review, verify
from parlour.cli.room_commands import delete_table, export_records, forget, prune
from parlour.cli.serve_command import serve
from parlour.cli.study_commands import remedies, study, tune
from parlour.interrupts import STOPPED, interrupt_on_termination, keep_interrupts
from parlour.version import __version__

SECTIONS = {
    "Play": (games, rules, learn, play, puzzle),
    "Look back": (replay, verify, hint, explain, review, puzzles, grade),
    "Study": (
        study,
        fit,
        tune,
        remedies,
        simulate,
        match,
        ladder,
        exact,
        ends,
        foresight,
        dataset,
        baselines,
        levels,
        train,
        exploit,
    ),
    "Run a room": (serve, export_records, prune, delete_table, forget, close_table, clear_talk, ban, unban, bans),
    "Write a game": (new_game, new_variation, check, perft, smoke, peeking, bench),
}
"""Commands by section, in the order of ``parlour --help``."""


class _Parlour(click.Group):
    """Command group with sections.

    It prints errors of users and of the system as one line (status 1), and exits with 130 on Ctrl-C, 143 on SIGTERM.
    """

    def main(self, *arguments: Any, **named: Any) -> Any:
        open_closed_streams()
        replace_unprintable()
        try:
            with interrupt_on_termination():
                return super().main(*arguments, **named)
        except (OSError, MemoryError) as error:
            report_failure(error)
            sys.exit(1)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(len(command.name or "") for commands in SECTIONS.values() for command in commands)
        for section, commands in SECTIONS.items():
            with formatter.section(section):
                rows = [
                    ((command.name or "").ljust(widest), command.get_short_help_str(limit=72)) for command in commands
                ]
                formatter.write_dl(rows)

    def invoke(self, context: click.Context) -> Any:
        try:
            with keep_interrupts():
                return super().invoke(context)
        except KeyboardInterrupt:
            click.echo("\nStopped.", err=True)
            sys.exit(STOPPED)
        except Exception as error:
            if not _is_parlour_error(error):
                raise
            raise click.ClickException(str(error)) from None


def _is_parlour_error(error: Exception) -> bool:
    errors = sys.modules.get("parlour.engine.errors")  # none was raised if the module is not loaded
    return errors is not None and isinstance(error, errors.ParlourError)


@click.group(cls=_Parlour, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="parlour")
@click.pass_context
def main(context: click.Context) -> None:
    """A card room for unusual card games. Without a command it opens in the browser."""
    if context.invoked_subcommand is None:
        context.invoke(serve, open_browser=True, log="human")


for _commands in SECTIONS.values():
    for _command in _commands:
        main.add_command(_command)
