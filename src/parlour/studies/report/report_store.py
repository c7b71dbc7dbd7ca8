"""Store of study reports: copies in the user's data folder, which the card room shows to its operator.

A report is about finished games only: games of bots and, with ``--people``, averages over recorded games of people.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.engine.files import write_whole
from parlour.folders import data_folder, make_private

if TYPE_CHECKING:  # the card room only shows reports and must not import the modules that play games
    from parlour.studies.plan import Study

_STYLE = Path(__file__).with_name("report.css")
_ADDRESS = re.compile(r"[a-z0-9-]{1,80}")
_ABOUT = re.compile(r"<title>(?P<title>[^<]*)</title>.*?(?:<p class=\"about\">(?P<about>[^<]*)</p>|</body>)", re.DOTALL)


@dataclass(frozen=True)
class StoredReport:
    """A stored report: its name in URLs, title, subject and time of storage."""

    name: str
    title: str
    about: str
    when: datetime


def store_report(report: Path, study: "Study") -> str | None:
    """Store a copy of a report, replacing an earlier one of the same study.

    Returns:
        the copy's name in URLs, or ``None`` if it could not be stored.
    """
    folder = _folder()
    if folder is None or make_private(folder):
        return None
    identity = {key: value for key, value in study.header().items() if key not in ("code", "version")}
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
    name = f"{study.game.id}-{digest[:8]}"
    try:
        write_whole(folder / f"{name}.html", report.read_text(encoding="utf-8"))
    except OSError:
        return None
    return name


def stored_report(name: str) -> str | None:
    """Return a report's page by its name in URLs, or ``None`` if there is none."""
    folder = _folder()
    if folder is None or not _ADDRESS.fullmatch(name):
        return None
    with suppress(OSError):
        return _text_of(folder / f"{name}.html")
    return None


def _text_of(report: Path) -> str:
    """Return the text of a file, damaged bytes replaced: one damaged report hides no others. Raises ``OSError``."""
    return report.read_text(encoding="utf-8", errors="replace")


def stored_reports_page(address: str) -> str:
    """Return a page that lists the stored reports, the newest first; ``address`` is the prefix of their URLs."""
    rows = "".join(
        f'<li><a href="{address}/{each.name}">{escape(each.title)}</a> '
        f'<span class="note">{each.when:%Y-%m-%d %H:%M}: {escape(each.about)}</span></li>\n'
        for each in sorted(_stored_reports(), key=lambda each: each.when, reverse=True)
    )
    listing = f"<ul>\n{rows}</ul>" if rows else "<p>There are none yet: <code>parlour study GAME --out DIR</code></p>"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Studies · Parlour</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>\n{_STYLE.read_text(encoding='utf-8')}</style></head>\n"
        f"<body><main><h1>Studies</h1>\n{listing}\n</main></body></html>\n"
    )


def _folder() -> Path | None:
    data = data_folder()
    return None if data is None else data / "studies"


def _stored_reports() -> Iterator[StoredReport]:
    folder = _folder()
    for file in folder.glob("*.html") if folder else ():
        with suppress(OSError):
            found = _ABOUT.search(_text_of(file))
            if found and _ADDRESS.fullmatch(file.stem):
                title, about = (unescape(found[key] or "") for key in ("title", "about"))
                yield StoredReport(file.stem, title, about, datetime.fromtimestamp(file.stat().st_mtime))
