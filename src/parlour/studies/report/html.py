"""HTML components of a report: figures, tables and their cells."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from math import isfinite

from parlour.render.words import with_minus
from parlour.statistics import Estimate
from parlour.studies.labels import numbers_text
from parlour.studies.measures import EDGE, Measure

_WORDS = '<td class="words">'


def section(title: str, content: str) -> str:
    """Return a section whose heading has an anchor for links."""
    return f'<section id="{anchor(title)}"><h2>{escape(title)}</h2>\n{content}</section>\n'


def anchor(title: str) -> str:
    """Return the anchor of a section."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def detail(content: str) -> str:
    """Mark sections as details, which a printed report leaves out."""
    return content.replace('<section id="', '<section class="detail" id="')


def contents(sections: str) -> str:
    """Return the table of contents of a page's sections, as links."""
    found = re.findall(r'<section( class="detail"|) id="([^"]*)"><h2>(.*?)</h2>', sections)
    links = "".join(f'<li{kind}><a href="#{target}">{title}</a></li>' for kind, target, title in found)
    return f'<nav class="contents" aria-label="Contents"><h2>Contents</h2><ol>{links}</ol></nav>\n'


def gallery(title: str, note: str, figures: Sequence[str]) -> str:
    """Return a section of figures."""
    return section(title, f'<p class="note">{escape(note)}</p>\n<div class="pictures">{"".join(figures)}</div>')


def figure(title: str, picture: str, caption: str = "") -> str:
    """Return a picture (SVG) with its title, which is also its accessible name, and an optional caption."""
    labelled = picture.replace("<svg ", f'<svg role="img" aria-label="{escape(title, quote=True)}" ', 1)
    shown_caption = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure><h3>{escape(title)}</h3>{labelled}{shown_caption}</figure>\n"


def table(title: str, note: str, head: Iterable[str], rows: Iterable[Sequence[str]], stacked: bool = False) -> str:
    """Return a table that scrolls horizontally if it is too wide. The first item of a row is its header.

    Consecutive rows with the same header share it in a ``stacked`` table, which shows the cells of a row below each
    other on narrow screens.
    """
    rows, head = list(rows), list(head)
    of_words = [number for number, shown in enumerate(rows[0] if rows else []) if shown.startswith(_WORDS)]
    heads = "".join(
        f'<th scope="col"{" class=words" if number in of_words else ""}>{name}</th>' for number, name in enumerate(head)
    )
    body = _stacked_rows(head, rows) if stacked else _rows(rows)
    return section(
        title,
        f'<p class="note">{note}</p>\n'
        f'<div class="wide{" stacked" if stacked else ""}" tabindex="0" role="region" '
        f'aria-label="{escape(title, quote=True)}">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>\n{body}</tbody></table></div>",
    )


def _rows(rows: Iterable[Sequence[str]]) -> str:
    return "".join(_row(f'<th scope="row">{row[0]}</th>', row) for row in rows)


def _row(header: str, row: Sequence[str]) -> str:
    return f"<tr>{header}{''.join(row[1:])}</tr>\n"


def _stacked_rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows whose cells name their column, and whose header spans all consecutive rows with the same one."""
    found = []
    for header, group in groupby(rows, key=lambda row: row[0]):
        same = [[cell.replace("<td", f'<td data-head="{name}"', 1) for cell, name in zip(row, head, strict=True)]
                for row in group]  # fmt: skip
        found.append(_row(f'<th scope="rowgroup" rowspan="{len(same)}">{header}</th>', same[0]))
        found += [_row("", row) for row in same[1:]]
    return "".join(found)


def td(content: str, kind: str = "") -> str:
    """Return a table cell with this HTML."""
    return f'<td class="{kind}">{content}</td>' if kind else f"<td>{content}</td>"


def cell(measure: Measure, estimate: Estimate, significant: bool = False) -> str:
    """Return a cell with a measure and its interval; ``significant`` if it differs beyond doubt."""
    signed = measure.kind == EDGE
    value, low, high = numbers_text(measure, estimate, signed)
    return td(f"{value}<small>{low} to {high}</small>", "significant" if significant else "")


def percent(share: Estimate) -> str:
    """Return a share in percent, with its interval."""
    return _interval_html(share, 100, 1)


def number(mean: Estimate) -> str:
    """Return a mean with its interval."""
    return _interval_html(mean, 1, 1 if abs(mean.value) >= 10 else 2)


def _interval_html(estimate: Estimate, scale: float, places: int) -> str:
    value, low, high = (
        with_minus(f"{scale * each:.{places}f}") if isfinite(each) else "?"
        for each in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value}<small>{low} to {high}</small>"


def p_value_text(p_value: float) -> str:
    """Return a p-value as HTML: ``"0.0123"``, ``"&lt; 0.0001"``."""
    return "&lt; 0.0001" if p_value < 0.0001 else f"{p_value:.4f}"
