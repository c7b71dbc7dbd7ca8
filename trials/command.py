"""Command line of a trial, whose servers and folders are removed however the trial ends; and its fatal refusals."""

import asyncio
import signal
import sys
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, NoReturn

import click

from parlour.cli.arguments import FiniteRange
from parlour.engine.errors import ParlourError

POSITIVE = FiniteRange(0, min_open=True)
NOT_NEGATIVE = FiniteRange(0)
_FOR_NOW = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.MISDIRECTED_REQUEST, HTTPStatus.TOO_MANY_REQUESTS)
"""Statuses of refusals that a repetition of the request can overcome."""


class RefusedError(click.ClickException):
    """A server refuses a request of the trial, and would refuse its repetition."""


def check_refusal(path: str, status: int, answer: Any) -> None:
    """Raise :class:`RefusedError` with the server's sentence if it refuses a request for good."""
    if 400 <= status < 500 and status not in _FOR_NOW:
        sentence = answer.get("error") if isinstance(answer, dict) else answer
        raise RefusedError(f"the server refuses {path} with status {status}: {sentence}")


async def wait_for_all(events: Iterable[asyncio.Event], playing: Iterable[asyncio.Task[None]]) -> None:
    """Wait for the event of each endless task. Raises the error of a task that ends."""
    for event, task in zip(events, playing, strict=True):
        waiting = asyncio.create_task(event.wait())
        await asyncio.wait((waiting, task), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        check_tasks((task,))


def check_tasks(playing: Iterable[asyncio.Task[None]]) -> None:
    """Raise the error of an endless task that has ended."""
    for task in playing:
        if task.done():
            task.result()


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
