"""A scene as a picture, for videos and notebooks. Requires Pillow."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from parlour.languages import gettext
from parlour.render.scene import Area, CardSeen, Row, Scene

WIDTH, HEIGHT = 960, 720
_FINER = 2
"""Supersampling factor: a larger picture is scaled down, for smooth edges."""

_FELT, _PANEL, _ACTIVE = (43, 96, 74), (33, 76, 59), (240, 196, 92)
_INK, _PALE = (244, 241, 232), (176, 203, 189)
_PAPER, _BACK, _LINE = (252, 251, 247), (52, 79, 122), (28, 40, 36)
_RED, _BLACK = (189, 36, 48), (27, 30, 36)
_SIDES = {"red": (122, 52, 50), "black": (32, 42, 46)}
_SPREAD = {"trick": 1.6, "slot": 0.34, "pile": 0.12, "life": 0.34}
"""Distance between cards by style of row, in card widths; other styles use ``_USUAL_SPREAD``."""
_USUAL_SPREAD, _BACKS_SPREAD, _MOST_BACKS = 0.62, 0.16, 9
_MARGIN, _GAP = 10, 8
_WIDEST, _NARROWEST, _TALL = 84, 14, 1.4
_HEAD, _LABEL, _FOOT = 26, 17, 34

Draw = Any
Colour = tuple[int, int, int]


@dataclass(frozen=True)
class _Block:
    """A row of cards that has no position in the picture yet."""

    label: str
    cards: Sequence[CardSeen]
    backs: int
    spread: float
    captions: bool

    def width(self, card: float) -> float:
        """Return the width of the block for cards of width ``card``."""
        steps = max(0, len(self.cards) - 1) * self.spread + min(self.backs, _MOST_BACKS) * _BACKS_SPREAD
        return max((1 + steps) * card * (1.25 if self.captions else 1), _length(self.label, 12))


def draw_scene(scene: Scene) -> Image.Image:
    """Draw the table: the other players, the middle, the viewer at the bottom; always ``WIDTH`` × ``HEIGHT`` pixels."""
    image = Image.new("RGB", (WIDTH * _FINER, HEIGHT * _FINER), _FELT)
    draw = ImageDraw.Draw(image)
    _text(draw, (_MARGIN, 7), f"{scene.title}: {scene.heading}", 17, _INK, WIDTH - 2 * _MARGIN)
    score = "  ·  ".join(f"{each.label} {each.now}" for each in scene.standings)
    _text(draw, (_MARGIN, HEIGHT - _FOOT + 2), scene.outcome or scene.prompt, 14, _INK, WIDTH - 2 * _MARGIN)
    _text(draw, (_MARGIN, HEIGHT - _FOOT + 18), score, 12, _PALE, WIDTH - 2 * _MARGIN)
    bands = list(_bands(scene))
    card = next(width for width in range(_WIDEST, 0, -2) if width <= _NARROWEST or _height(bands, width) <= _room())
    top = _HEAD + _GAP + max(0.0, _room() - _height(bands, card)) / 2
    for band in bands:
        wide, tall = _cell(band), max(_area_height(area, _cell(band), card) for area in band)
        for number, area in enumerate(band):
            box = (_MARGIN + number * (wide + _GAP), top, wide, tall)
            _draw_area(draw, area, scene.side_word(area.side), box, card)
        top += tall + _GAP
    return image.reduce(_FINER)


def _bands(scene: Scene) -> Iterator[list[Area]]:
    """Yield rows of areas: the other players from the viewer's left, at most three a row; the middle; the viewer."""
    shown = [area for area in scene.areas if area.at is not None or list(_blocks(area))]
    others = [area for area in shown if area.at]
    rows = -(-len(others) // 3)
    for row in range(rows):
        yield others[row * len(others) // rows : (row + 1) * len(others) // rows]
    for place in (None, 0):
        if band := [area for area in shown if area.at == place]:
            yield band


def _cell(band: Sequence[Area]) -> float:
    """Return the width of each area of a band."""
    return (WIDTH - 2 * _MARGIN - (len(band) - 1) * _GAP) / len(band)


def _room() -> float:
    return HEIGHT - _HEAD - _FOOT - 2 * _GAP


def _height(bands: Sequence[Sequence[Area]], card: float) -> float:
    """Return the total height of the bands for cards of width ``card``."""
    tall = [max(_area_height(area, _cell(band), card) for area in band) for band in bands]
    return sum(tall) + _GAP * (len(bands) - 1)


def _area_height(area: Area, wide: float, card: float) -> float:
    lines = list(_lines(area, wide, card))
    captions = sum(any(block.captions for block in line) for line in lines)
    return _HEAD + len(lines) * (_LABEL + _TALL * card + _GAP) + captions * _LABEL


def _blocks(area: Area) -> Iterator[_Block]:
    for row in area.rows:
        if row.style != "last" and (row.cards or row.hidden or row.style == "slot"):
            backs = sum(card.card is None for card in row.cards) + row.hidden
            label = row.label
            if backs > _MOST_BACKS:
                label = gettext("{label} ({number} face down)", label=label, number=backs)
            captions = row.style in ("trick", "slot") and any(map(_caption, row.cards))
            yield _Block(label, row.cards, row.hidden, _spread(row), captions)


def _spread(row: Row) -> float:
    return _SPREAD.get(row.style, _USUAL_SPREAD)


def _caption(seen: CardSeen) -> str:
    """Return a card's caption: the name of the card's player, or the card's mark."""
    return seen.by or seen.mark


def _lines(area: Area, wide: float, card: float) -> Iterator[list[_Block]]:
    """Yield the lines of blocks of an area, each filled as far as the width allows."""
    line: list[_Block] = []
    for block in _blocks(area):
        used = sum(each.width(card) + 2 * _GAP for each in line)
        if line and used + block.width(card) > wide - 2 * _GAP:
            yield line
            line = []
        line.append(block)
    if line:
        yield line


def _draw_area(draw: Draw, area: Area, side: str, box: tuple[float, float, float, float], card: float) -> None:
    left, top, wide, tall = box
    edge = _ACTIVE if area.active else None
    _rounded(draw, (left, top, left + wide, top + tall), 8, _SIDES.get(area.side, _PANEL), edge, 3)
    title = area.title or gettext("Table")
    _text(draw, (left + _GAP, top + 4), title, 15, _INK, wide - 2 * _GAP)
    about = [area.subtitle, side, *area.notes, *([area.turn] if area.active else [])]
    if area.points is not None:
        about.append(gettext("counts {points}", points=area.points))
    at = left + 2 * _GAP + _length(title, 15)
    _text(draw, (at, top + 7), ", ".join(filter(None, about)), 12, _PALE, left + wide - _GAP - at)
    top += _HEAD
    for line in _lines(area, wide, card):
        x = left + _GAP
        for block in line:
            _draw_block(draw, block, (x, top), min(block.width(card), wide - 2 * _GAP), card)
            x += block.width(card) + 2 * _GAP
        top += _LABEL + _TALL * card + _GAP + (_LABEL if any(block.captions for block in line) else 0)


def _draw_block(draw: Draw, block: _Block, place: tuple[float, float], wide: float, card: float) -> None:
    x, y = place[0], place[1] + _LABEL
    _text(draw, place, block.label, 12, _PALE, max(wide, 40))
    if not block.cards and not block.backs:
        _rounded(draw, (x, y, x + card, y + _TALL * card), 0.09 * card, None, _PALE, 1)
    squeezed = min(1.0, wide / block.width(card))
    step = block.spread * card * squeezed * (1.25 if block.captions else 1)
    for seen in block.cards:
        _draw_card(draw, seen, x, y, card)
        if block.captions:
            _text(draw, (x, y + _TALL * card + 2), _caption(seen), 11, _PALE, max(step, 1.25 * card) - 4)
        x += step
    x += 0 if block.backs and not block.cards else (1 - block.spread) * card * squeezed * 0.2
    for _ in range(min(block.backs, _MOST_BACKS)):
        _draw_card(draw, CardSeen(None, face_up=False), x, y, card)
        x += _BACKS_SPREAD * card * squeezed


def _draw_card(draw: Draw, seen: CardSeen, x: float, y: float, card: float) -> None:
    """Draw a card; a face-down card that the viewer remembers is darker."""
    box = (x, y, x + card, y + _TALL * card)
    if seen.card is None:
        _rounded(draw, box, 0.09 * card, _BACK, _PAPER, 1)
        inset = 0.14 * card
        _rounded(draw, (x + inset, y + inset, box[2] - inset, box[3] - inset), 0.05 * card, None, _PALE, 1)
        return
    _rounded(draw, box, 0.09 * card, _PAPER if seen.face_up else _PALE, _LINE, 1)
    rank, suit = seen.card[0], seen.card[1]
    colour = _RED if suit in "HDR" else _BLACK
    name = {"T": "10", "X": "*"}.get(rank, rank)
    _text(draw, (x + 0.08 * card, y + 0.03 * card), name, round(0.38 * card), colour, card)
    _draw_suit(draw, suit, (x + 0.1 * card, y + 0.5 * card, 0.3 * card), colour)
    _draw_suit(draw, suit, (x + 0.42 * card, y + 0.72 * card, 0.5 * card), colour)


def _draw_suit(draw: Draw, suit: str, box: tuple[float, float, float], colour: Colour) -> None:
    """Draw a suit's sign from circles and a polygon in the square ``box``: left, top, size."""
    circles, polygon = _SIGNS[suit]
    left, top, size = (part * _FINER for part in box)
    for x, y, radius in circles:
        at = (left + (x - radius) * size, top + (y - radius) * size)
        draw.ellipse((*at, at[0] + 2 * radius * size, at[1] + 2 * radius * size), fill=colour)
    draw.polygon([(left + x * size, top + y * size) for x, y in polygon], fill=colour)


_STEM = ((0.5, 0.5), (0.68, 1.0), (0.32, 1.0))
_STAR = ((0.5, 0), (0.62, 0.38), (1, 0.38), (0.69, 0.6), (0.81, 1), (0.5, 0.76), (0.19, 1), (0.31, 0.6), (0, 0.38))
_SIGNS: dict[str, tuple[Sequence[tuple[float, float, float]], Sequence[tuple[float, float]]]] = {
    "C": (((0.5, 0.24, 0.22), (0.26, 0.58, 0.22), (0.74, 0.58, 0.22)), _STEM),
    "D": ((), ((0.5, 0), (0.88, 0.5), (0.5, 1), (0.12, 0.5))),
    "H": (((0.28, 0.3, 0.25), (0.72, 0.3, 0.25)), ((0.06, 0.42), (0.5, 0.3), (0.94, 0.42), (0.5, 1))),
    "S": (
        ((0.28, 0.58, 0.23), (0.72, 0.58, 0.23)),
        ((0.5, 0), (0.94, 0.5), (0.5, 0.68), (0.68, 1), (0.32, 1), (0.5, 0.68), (0.06, 0.5)),
    ),
    "B": ((), (*_STAR, (0.38, 0.38))),
    "R": ((), (*_STAR, (0.38, 0.38))),
}


@cache
def _font(size: int) -> Any:
    return ImageFont.load_default(size * _FINER)


def _length(text: str, size: int) -> float:
    return float(_font(size).getlength(text)) / _FINER


def _text(draw: Draw, place: tuple[float, float], text: str, size: int, colour: Colour, room: float) -> None:
    """Draw text, shortened to the width ``room``."""
    shown = text.replace("−", "-")  # the font has no minus sign
    while shown and _length(shown, size) > room:
        shown = shown[:-2].rstrip() + "…" if len(shown) > 2 else ""
    draw.text((place[0] * _FINER, place[1] * _FINER), shown, fill=colour, font=_font(max(size, 1)))


def _rounded(draw: Draw, box: tuple[float, ...], radius: float, fill: Any, edge: Any, width: int) -> None:
    finer = [side * _FINER for side in box]
    draw.rounded_rectangle(finer, radius * _FINER, fill=fill, outline=edge, width=width * _FINER)
