"""Pictures of the page, kept and compared.

They have no words: words change often, and each machine draws them differently. A picture has a third of the screen's
size. A slight blur before the comparison hides rounded edges, but not a cut card. An image has all sizes of one moment
side by side.
"""

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Page

KEPT = Path(__file__).parent / "pictures"
DIFFERENT = Path(__file__).parents[2] / "build" / "pictures"
TAKE = "PARLOUR_TAKE_PICTURES"
"""The environment variable that renews the reference pictures."""

SMALLER = 3
FAINT = 10
"""Differences of colours, of 255, below which pixels count as equal."""
MOST = 0.002
"""The largest share of different pixels in a picture that counts as equal."""
_GAP = 4

Size = tuple[int, int]

WITHOUT_WORDS = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
        *, ::placeholder {
            color: transparent !important;
            caret-color: transparent !important;
            text-decoration-color: transparent !important;
            text-shadow: none !important;
        }
        svg, svg * { color: gray !important; }
        *, ::before, ::after { animation: none !important; transition: none !important; }
    `);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
WITH_WORDS = "() => { document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1); }"
STAYS = """{
    const later = window.setTimeout;
    window.setTimeout = (what, after, ...rest) => after === 5000 ? 0 : later(what, after, ...rest);
}"""
"""Script of a new page that keeps bubbles from disappearing after five seconds."""
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def resize(page: Page, size: Size, scheme: str = "") -> None:
    """Resize the page, and wait until it is drawn: it hears of its size with the next frame."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    if scheme:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.evaluate(DRAWN)


def take(page: Page) -> Image.Image:
    """Return a picture of the page without its words."""
    page.evaluate(WITHOUT_WORDS)
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    page.evaluate(WITH_WORDS)
    return shot.resize((shot.width // SMALLER, shot.height // SMALLER), Image.Resampling.BOX)


def join_rows(rows: Sequence[Sequence[Image.Image]]) -> Image.Image:
    """Join pictures in rows."""
    places = list(_places([[picture.size for picture in row] for row in rows]))
    sheet = Image.new("RGB", (max(right for *_, right, _ in places), max(bottom for *_, bottom in places)), "#808080")
    for (left, top, _, _), picture in zip(places, chain(*rows), strict=True):
        sheet.paste(picture, (left, top))
    return sheet


def _places(rows: Sequence[Sequence[Size]]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the positions of pictures of these sizes in rows."""
    top = 0
    for row in rows:
        left = 0
        for width, height in row:
            yield left, top, left + width, top + height
            left += width + _GAP
        top += max(height for _, height in row) + _GAP


def difference_image(old: Image.Image, new: Image.Image) -> Image.Image:
    """Return the differences of two pictures in white on black."""
    soft = [picture.filter(ImageFilter.BoxBlur(1)) for picture in (old, new)]
    bands = ImageChops.difference(*soft).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return most.point(lambda value: 255 if value > FAINT else 0)


def share_of_differences(old: Image.Image, new: Image.Image) -> float:
    """Return the share of different pixels; 1 for different sizes."""
    if old.size != new.size:
        return 1.0
    return difference_image(old, new).histogram()[255] / (old.width * old.height)


@dataclass(frozen=True)
class Album:
    """The pictures of one moment: a row in light and one in dark, in several sizes."""

    name: str
    views: Mapping[str, Sequence[Size]]

    @property
    def path(self) -> Path:
        return KEPT / f"{self.name}.webp"

    def keep(self, rows: Sequence[Sequence[Image.Image]]) -> None:
        """Write the reference pictures."""
        KEPT.mkdir(exist_ok=True)
        join_rows(rows).save(self.path, lossless=True, quality=100, method=6)

    def kept(self) -> list[list[Image.Image]]:
        """Return the reference pictures."""
        small = [[(width // SMALLER, height // SMALLER) for width, height in row] for row in self.views.values()]
        with Image.open(self.path) as sheet:
            found = iter([sheet.convert("RGB").crop(place) for place in _places(small)])
        return [[next(found) for _ in row] for row in small]

    def compare(self, rows: Sequence[Sequence[Image.Image]]) -> dict[tuple[str, Size], float]:
        """Return the shares of different pixels above the limit by view; write their pictures to ``build/pictures/``.

        With the variable ``TAKE`` the new pictures become the reference pictures first.
        """
        if os.environ.get(TAKE):
            self.keep(rows)
        assert self.path.exists(), f"there is no picture of {self.name} yet: take it with `make pictures`"
        old = self.kept()
        names = [(scheme, size) for scheme, sizes in self.views.items() for size in sizes]
        shares = map(share_of_differences, chain(*old), chain(*rows))
        found = {name: round(share, 4) for name, share in zip(names, shares, strict=True) if share > MOST}
        if found:
            self._show(old, rows)
        return found

    def _show(self, old: Sequence[Sequence[Image.Image]], new: Sequence[Sequence[Image.Image]]) -> None:
        DIFFERENT.mkdir(parents=True, exist_ok=True)
        where = [list(map(difference_image, *pair)) for pair in zip(old, new, strict=True)]
        for kind, rows in (("old", old), ("new", new), ("difference", where)):
            join_rows(rows).save(DIFFERENT / f"{self.name}-{kind}.png")
