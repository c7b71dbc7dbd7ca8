"""What the server says of itself: one JSON object a line on standard error, or lines for people.

Nothing a player said, holds or is called is logged, and no key, table's id or address: whoever knows a table's id may
look on.
"""

import asyncio
import json
import logging
import sys
import time
import traceback
from typing import Any

from parlour.engine.errors import CompileError, ParlourError

_FRAMES = 20
"""How many places of a traceback are logged at most."""

log = logging.getLogger("parlour.server")


def note(what: str, level: int = logging.INFO, **fields: Any) -> None:
    """Log what happened, and figures that belong to it."""
    log.log(level, what, extra={"fields": fields})


def note_failure(what: str, error: BaseException) -> None:
    """Log where something failed, without what it spoke of: that may be somebody's cards.

    Of a rule that cannot be compiled it says all: that is the same whoever plays.
    """
    why = {"why": str(error)} if isinstance(error, CompileError) else {}
    note(what, logging.ERROR, error=type(error).__name__, place=_places_of(error, 1)[-1], **why)


def note_unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error that no code of ours has handled: an exception handler for an event loop.

    Of the error its type, place and traceback are logged, without values; of the task its coroutine.
    """
    error, task = context.get("exception"), context.get("task") or context.get("future")
    fields: dict[str, Any] = {}
    if isinstance(task, asyncio.Task):
        fields["task"] = getattr(task.get_coro(), "__qualname__", "unknown")
    if error is not None:
        places = _places_of(error, _FRAMES)
        fields |= {"error": type(error).__name__, "place": places[-1], "traceback": places}
    note(str(context.get("message", "an error was not handled")), logging.ERROR, **fields)


def note_outcome(task: "asyncio.Task[Any]") -> None:
    """Log the failure of a task for which perhaps no caller waits any more: a callback for when it is done.

    A :class:`ParlourError` is an answer to the callers and no failure.
    """
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, ParlourError):
        note_failure("a task failed", error)


def _places_of(error: BaseException, most: int) -> list[str]:
    """The last places of an error's traceback, ``file:line in function``, the innermost last."""
    frames = traceback.extract_tb(error.__traceback__)[-most:]
    return [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames] or ["unknown place"]


def what_of(record: logging.LogRecord) -> str:
    """A record's first line: what libraries say of an error after it may hold somebody's cards."""
    return record.getMessage().partition("\n")[0]


class JsonLines(logging.Formatter):
    """``{"time": …, "level": …, "what": …}`` and the figures."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z"
        fields = getattr(record, "fields", {})
        line = {"time": stamp, "level": record.levelname.lower(), "from": record.name, "what": what_of(record)}
        return json.dumps({**line, **fields}, ensure_ascii=False, default=str)


class HumanLines(logging.Formatter):
    """``12:30:00 error: what (error=…)``."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        fields = " ".join(f"{name}={value}" for name, value in getattr(record, "fields", {}).items())
        stamp = time.strftime("%H:%M:%S", time.localtime(record.created))
        text = f"{stamp} {record.levelname.lower()}: {what_of(record)}"
        return f"{text} ({fields})" if fields else text


def set_up_logs(kind: str) -> None:
    """Log to standard error from now on; of libraries only errors."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(HumanLines() if kind == "human" else JsonLines())
    logging.basicConfig(level=logging.ERROR, handlers=[handler], force=True)
    log.setLevel(logging.INFO)
