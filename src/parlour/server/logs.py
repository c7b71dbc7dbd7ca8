"""What the server says of itself: one JSON object a line on standard error, or lines for people.

Nothing a player said, holds or is called is logged, and no key, table's id or address: whoever knows a table's id may
look on.
"""

import json
import logging
import sys
import time
import traceback
from typing import Any

from parlour.engine.errors import CompileError

log = logging.getLogger("parlour.server")


def note(what: str, level: int = logging.INFO, **fields: Any) -> None:
    """Log what happened, and figures that belong to it."""
    log.log(level, what, extra={"fields": fields})


def note_failure(what: str, error: BaseException) -> None:
    """Log where something failed, without what it spoke of: that may be somebody's cards.

    Of a rule that cannot be compiled it says all: that is the same whoever plays.
    """
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "unknown place"
    why = {"why": str(error)} if isinstance(error, CompileError) else {}
    note(what, logging.ERROR, error=type(error).__name__, place=place, **why)


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
