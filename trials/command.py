"""Command line of a trial, whose servers and folders are removed however the trial ends."""

import signal
import sys
from typing import Any, NoReturn

import click

from parlour.cli.arguments import FiniteRange
from parlour.engine.errors import ParlourError

POSITIVE = FiniteRange(0, min_open=True)
NOT_NEGATIVE = FiniteRange(0)


class TrialCommand(click.Command):
    """Command that ends its servers and removes their folders on Ctrl-C (status 130) and SIGTERM (status 143)."""

    def invoke(self, context: click.Context) -> Any:
        """Run the trial."""
        signal.signal(signal.SIGTERM, _end)  # by default it would leave servers, and PostgreSQL, running
        try:
            return super().invoke(context)
        except KeyboardInterrupt:
            click.echo("\nStopped.", err=True)
            sys.exit(130)
        except ParlourError as error:
            raise click.ClickException(str(error)) from None


def _end(number: int, _: object) -> NoReturn:
    sys.exit(128 + number)
