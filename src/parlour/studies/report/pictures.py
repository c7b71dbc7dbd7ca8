"""Pictures of a report as files for papers: SVG and PNG with black text on a transparent background."""

import re
from html import unescape
from pathlib import Path

from parlour.engine.errors import ParlourError
from parlour.extras import extra

_FIGURE = re.compile(r"<figure><h3>(?P<title>.*?)</h3>(?P<svg><svg .*?</svg>)", re.DOTALL)
_SIZE = re.compile(r'style="width:100%;max-width:(?P<width>[\d.]+)"')
_TIMES = 4.0
"""PNG pixels for each of the page's pixels: 384 dots per inch."""


def pictures_in(page: str) -> dict[str, str]:
    """Return the pictures of a report as standalone SVG, by file name without extension."""
    found = {}
    for number, figure in enumerate(_FIGURE.finditer(page), 1):
        words = re.sub(r"[^a-z0-9]+", "-", unescape(figure["title"]).lower()).strip("-")
        svg = _SIZE.sub(r'width="\g<width>"', figure["svg"], count=1).replace("currentColor", "#000000")
        found[f"{number:02}-{words}"] = svg
    return found


def write_pictures(report: Path) -> list[str]:
    """Write a report's pictures into the folder ``pictures`` beside it; return their paths from the report's folder.

    Raises:
        ParlourError: the folder or a file is not writable.
    """
    converter, folder = extra("vl_convert"), report.with_name("pictures")
    names = []
    try:
        folder.mkdir(exist_ok=True)
        for name, svg in pictures_in(report.read_text(encoding="utf-8")).items():
            (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
            (folder / f"{name}.png").write_bytes(converter.svg_to_png(svg, scale=_TIMES))
            names += [f"pictures/{name}.svg", f"pictures/{name}.png"]
    except OSError as error:
        raise ParlourError(f"{folder}: cannot be written: {error.strerror}") from None
    return names
