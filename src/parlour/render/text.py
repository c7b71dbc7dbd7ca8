"""A scene as text for terminals and screen readers: in words and notation; colours add no information."""

from collections.abc import Iterable, Sequence

from rich.text import Text

from parlour.languages import gettext, ngettext
from parlour.render.scene import Area, CardSeen, Row, Scene
from parlour.render.words import in_notation, labelled, points_text, with_sign, within_sentence

_SUIT_STYLES = {"C": "bold green", "S": "bold", "H": "bold red", "D": "bold yellow", "B": "bold", "R": "bold red"}
_SIDE_STYLES = {"red": "red", "black": "bold"}
_LABEL_WIDTH = 13
_INDENT = 4
"""Columns before the further lines of a head or the scores."""
_DIGITS = 9
"""Maximum number of digits of a typed number; no list of actions has longer numbers."""
WIDTH = 78
"""Default width of a heading, in columns."""


def by_number(typed: str, actions: Sequence[str]) -> str:
    """Return the action that a typed number selects; other text is returned unchanged.

    If the actions are one word with different numbers (:func:`end_in_numbers`), the typed number is the number in the
    action. Otherwise it is the action's position in the list, from 1.
    """
    if not typed.isdecimal() or len(typed) > _DIGITS:  # "²".isdigit() is true, but int("²") raises
        return typed
    if end_in_numbers(actions):
        return next((action for action in actions if action.split()[-1] == typed), typed)
    return actions[int(typed) - 1] if 1 <= int(typed) <= len(actions) else typed


def end_in_numbers(actions: Sequence[str]) -> bool:
    """Return whether there are several actions of one word with different numbers (``bid 0``, ``bid 1``, …).

    A card on places (``5D on 2``, ``5D on 3``) has more words: its places are no numbers to choose by.
    """
    parted = [action.rpartition(" ") for action in actions]
    heads = {head for head, _, _ in parted}
    one_word = len(heads) == 1 and " " not in heads.pop()
    return len(actions) > 1 and one_word and all(number.isdigit() for _, _, number in parted)


def scene_text(scene: Scene, plain: bool = False, width: int = WIDTH) -> Text:
    """Return the whole table: the heading, every area with its rows, and the scores.

    ``plain`` omits symbols that a screen reader would spell out: lines, blocks and arrows. Otherwise a line extends the
    heading to ``width`` columns, and longer lines are broken between cards or words, with an indent.
    """
    lines = [Text(labelled(scene.title, scene.heading), style="bold")]
    if not plain:
        lines[0] = Text("── ").append_text(lines[0]).append(" ")
        lines[0].append("─" * max(0, width - len(lines[0])), style="dim")
    ordered = sorted(scene.areas, key=lambda area: (area.at is None, -1 if area.at is None else -area.at))
    for area in ordered:
        lines.extend(area_lines(area, scene, plain, None if plain else width))
    lines.append(_hanging(Text(), standings_text(scene).split(" "), " ", None if plain else width, _INDENT))
    return Text("\n").join(lines)


def _hanging(head: Text, parts: Iterable[Text], joint: str, width: int | None, indent: int) -> Text:
    """Return a head and parts with a joint between them, in lines of at most ``width`` columns, all but one indented.

    A part is never broken; ``None`` is a width without a limit.
    """
    lines = [head]
    for number, part in enumerate(parts):
        if number and width is not None and lines[-1].cell_len + len(joint) + part.cell_len > width:
            lines.append(Text(" " * indent))
        elif number:
            lines[-1].append(joint)
        lines[-1].append_text(part)
    return Text("\n").join(lines)


def area_lines(area: Area, scene: Scene, plain: bool = False, width: int | None = None) -> list[Text]:
    """Return an area's lines: its name and notes, then its rows with cards, except those of the style ``last``.

    Lines longer than ``width`` columns are broken.
    """
    rows = [row for row in area.rows if (row.cards or row.hidden) and row.style != "last"]
    if not rows and area.at is None:
        return []
    head = Text("▶ " if area.active and not plain else "  ")
    head.append(area.title or rows[0].label, style=_SIDE_STYLES.get(area.side, "") + " underline")
    notes = [area.subtitle] if area.subtitle else []
    if area.side:
        notes.append(scene.side_word(area.side))
    if area.points is not None:
        points = with_sign(area.points) if area.side else points_text(area.points)
        notes.append(gettext("counts {points}", points=scene.points_for(points, area.points_for)))
    notes.extend(area.notes)
    if area.active:
        notes.append(area.turn)
    words = Text(in_notation(f"  ({', '.join(notes)})") if notes else "", style="dim").split(" ")
    return [
        _hanging(head, words, " ", width, _INDENT),
        *(row_text(row, scene.legal, plain, width) for row in rows),
    ]


def row_text(row: Row, legal: Sequence[str] = (), plain: bool = False, width: int | None = None) -> Text:
    """Return a row: its label, its cards in notation, then the number of its other cards.

    ``legal`` lists the legal actions, if any; a card whose action is not among them is dimmed. A row of more than
    ``width`` columns is broken between cards.
    """
    label = labelled(within_sentence(row.label), "").strip(" ")
    text = Text(f"    {label:{_LABEL_WIDTH - 1}} ", style="dim")
    drawn = [
        card_text(card, row.style, bool(legal) and card.do is not None and card.do not in legal) for card in row.cards
    ]
    hidden = [Text(_hidden_words(row), style="dim")] if row.hidden else []
    if row.style != "wall" or plain or not drawn:
        return _hanging(text, [*drawn, *hidden], "  ", width, _LABEL_WIDTH + 4)
    stones = [Text("▐", style="dim").append_text(card).append("▌", style="dim") for card in drawn]
    last = [Text("  ").append_text(each) for each in hidden]
    return _hanging(text, [*stones, *last], "", width, _LABEL_WIDTH + 4)


def _hidden_words(row: Row) -> str:
    """Return the number of cards that are not shown one by one; a note may name those of a life pile."""
    if not row.cards:
        return ngettext("{number} card", "{number} cards", row.hidden)
    if row.style == "life":
        return ngettext("{number} face-down card", "{number} face-down cards", row.hidden)
    return ngettext("{number} unknown card", "{number} unknown cards", row.hidden)


def card_text(card: CardSeen, style: str = "", dimmed: bool = False) -> Text:
    """Return a card in notation: in a trick with its player and mark, in a slot with ``face down`` or its mark.

    A card that is ``dimmed`` is in parentheses.
    """
    if style == "slot" and not card.face_up:
        known_card = gettext("{card} face down", card=card.card)
        return Text(known_card if card.card else gettext("a face-down card"), style="dim")
    if card.card is None:
        by = f"{card.by} " if card.by and style in ("trick", "last") else ""
        return Text(by).append("??", style="dim")
    text = Text(card.card, style="dim" if dimmed else _SUIT_STYLES[card.card[1]])
    if dimmed:
        text = Text(f"({card.card})", style="dim")
    if style == "slot" and card.mark:
        return text.append(f" {card.mark}", style="dim")
    if style in ("trick", "last"):
        line = Text(f"{card.by} ") if card.by else Text()
        return line.append_text(text).append(f" {card.mark}" if card.mark else "", style="dim")
    return text


def standings_text(scene: Scene) -> Text:
    """Return one line with each score: now, with the cards on the table, and before this round if that differs."""
    score_format = with_sign if any(standing.side for standing in scene.standings) else points_text
    parts = []
    for standing in scene.standings:
        part = Text(standing.label, style=_SIDE_STYLES.get(standing.side, ""))
        part.append(f" {score_format(standing.now)}")
        if standing.now != standing.before:
            before = gettext("({points} before this round)", points=score_format(standing.before))
            part.append(f" {before}", style="dim")
        parts.append(part)
    head = gettext("Score") if scene.counted == "points" else scene.counted
    return Text(f"  {labelled(head, '')}").append_text(Text(" · ").join(parts)) if parts else Text("")


def score_text(scene: Scene) -> Text:
    """Return the lines of the running score, then the line of :func:`standings_text`."""
    titles = {area.id: area.title for area in scene.areas}
    lines = []
    for line in scene.score:
        points = scene.points_for(with_sign(line.points), line.side)
        lines.append(Text(f"  {titles.get(line.area, ''):12} {line.what:34} {points:>8}  {line.clause}"))
    if scene.standings:
        lines.append(standings_text(scene))
    return Text("\n").join(lines) if lines else Text("  ").append(gettext("Nothing is scored yet."))
