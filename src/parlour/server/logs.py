"""The server's log on standard error: one JSON object a line, or lines for people.

The log has no cards, talk, names, keys, addresses or ids of tables (a table's id gives access as a spectator).
"""

import asyncio
import json
import logging
import sys
import time
import traceback
from collections.abc import Iterable
from types import FrameType
from typing import Any

from parlour.engine.errors import CompileError, ParlourError

_FRAMES = 20
"""Maximum number of logged frames of a traceback."""

log = logging.getLogger("parlour.server")
log.addHandler(logging.NullHandler())  # commands have no log: Python would print its warnings without their fields


def note(what: str, level: int = logging.INFO, **fields: Any) -> None:
    """Log an event with fields."""
    log.log(level, what, extra={"fields": fields})


def note_failure(what: str, error: BaseException) -> None:
    """Log the type and the place of an error, without its text, which may contain cards.

    The text of a :class:`CompileError` is logged: it depends on no game in play.
    """
    why = {"why": str(error)} if isinstance(error, CompileError) else {}
    note(what, logging.ERROR, error=type(error).__name__, place=_places_of(error, 1)[-1], **why)


def note_unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an unhandled error of an event loop: its type, place, traceback without values, and task."""
    error, task = context.get("exception"), context.get("task") or context.get("future")
    fields: dict[str, Any] = {}
    if isinstance(task, asyncio.Task):
        fields["task"] = getattr(task.get_coro(), "__qualname__", "unknown")
    if error is not None:
        places = _places_of(error, _FRAMES)
        fields |= {"error": type(error).__name__, "place": places[-1], "traceback": places}
    note(str(context.get("message", "an error was not handled")), logging.ERROR, **fields)


def note_outcome(task: "asyncio.Task[Any]") -> None:
    """Log the failure of a task whose callers may have gone: a callback for finished tasks.

    A :class:`ParlourError` is an answer to the callers and no failure.
    """
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, ParlourError):
        note_failure("a task failed", error)


def _places_of(error: BaseException, most: int) -> list[str]:
    """Return the last places of an error's traceback, ``file:line in function``, the innermost last."""
    return _in_words(traceback.extract_tb(error.__traceback__)[-most:]) or ["unknown place"]


def places_in(frame: FrameType) -> list[str]:
    """Return the last places of a frame of a running thread, the innermost last."""
    return _in_words(traceback.extract_stack(frame)[-_FRAMES:])


def _in_words(frames: Iterable[traceback.FrameSummary]) -> list[str]:
    return [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]


def first_line(record: logging.LogRecord) -> str:
    """Return the first line of a record: later lines of libraries' errors may contain cards."""
    return record.getMessage().partition("\n")[0]


class JsonLines(logging.Formatter):
    """Lines ``{"time": …, "level": …, "what": …}`` with the fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z"
        fields = getattr(record, "fields", {})
        line = {"time": stamp, "level": record.levelname.lower(), "from": record.name, "what": first_line(record)}
        return json.dumps({**line, **fields}, ensure_ascii=False, default=str)


class HumanLines(logging.Formatter):
    """Lines ``12:30:00 error: what (error=…)``."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line."""
        fields = " ".join(f"{name}={value}" for name, value in getattr(record, "fields", {}).items())
        stamp = time.strftime("%H:%M:%S", time.localtime(record.created))
        text = f"{stamp} {record.levelname.lower()}: {first_line(record)}"
        return f"{text} ({fields})" if fields else text


def set_up_logs(kind: str) -> None:
    """Log to standard error; of libraries only errors."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(HumanLines() if kind == "human" else JsonLines())
    logging.basicConfig(level=logging.ERROR, handlers=[handler], force=True)
    log.setLevel(logging.INFO)
