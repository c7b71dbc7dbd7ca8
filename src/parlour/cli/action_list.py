"""List of the legal actions in the terminal, numbered by kind, and the action that a typed text selects."""

from collections.abc import Sequence

from rich.text import Text

from parlour.cli.console import unbroken
from parlour.languages import gettext
from parlour.render.scene import Scene
from parlour.render.text import by_number, end_in_numbers
from parlour.render.words import labelled

_MOST_LISTED = 20
"""Maximum number of listed actions of one kind; if there are more, only their number is shown."""


class ActionList:
    """The legal actions of a scene by kind; of a kind with many actions only their count is shown."""

    def __init__(self, actions: Sequence[str], scene: Scene) -> None:
        labels = {choice.do: choice.label for choice in scene.choices}
        self._actions = in_hand_order(actions, scene)
        self._prompt = scene.prompt
        self._own_numbers = end_in_numbers(actions)
        self._kinds: dict[str, list[int]] = {}
        for index, action in enumerate(self._actions):
            self._kinds.setdefault(labels.get(action, ""), []).append(index)

    def action(self, typed: str) -> str:
        """Return the action that a number in the list selects; other text is returned unchanged.

        The number of an action that is only counted selects nothing: a slip of the finger must not play what the
        player has not seen.
        """
        chosen = by_number(typed, self._actions)
        if chosen == typed or self._own_numbers:
            return chosen
        counted = {self._actions[way] for ways in self._kinds.values() if len(ways) > _MOST_LISTED for way in ways}
        return typed if chosen in counted else chosen

    def text(self, width: int) -> Text:
        """Return the prompt and the list as lines of this width."""
        head = Text("  ").append(self._prompt, style="bold").append("  ")
        listed = [head] if len(self._kinds) > 1 else []
        for label, ways in self._kinds.items():
            begin = (Text("    ") if listed else head).append(labelled(label, "") if label else "")
            listed.append(_wrap_entries(begin, self._entries(ways), width))
        return Text("\n").join(listed)

    def _entries(self, ways: list[int]) -> list[Text]:
        if len(ways) > _MOST_LISTED:
            number = gettext("({number} ways; m lists them)", number=len(ways))
            return [Text(f"{self._actions[ways[0]].split()[0]} … ").append(number, "dim")]
        numbers = ["" if self._own_numbers else f"{way + 1} " for way in ways]
        return [
            Text().append(number, "dim").append(self._actions[way]) for number, way in zip(numbers, ways, strict=True)
        ]


def allowed_text(actions: Sequence[str]) -> str:
    """Return the sentence with all legal actions, for :func:`console.hanging`, which splits none of them."""
    # Translators: a list follows, such as "7H, 8H, draw"
    return "  " + gettext("You may: {actions}", actions=", ".join(map(unbroken, actions)))


def in_hand_order(actions: Sequence[str], scene: Scene) -> list[str]:
    """Return the actions of each kind in the order in which the scene shows their cards, and numbers by size."""
    labels = {choice.do: choice.label for choice in scene.choices}
    kinds = {label: number for number, label in enumerate(dict.fromkeys(labels.get(do, "") for do in actions))}
    cards = [card.card for area in scene.areas for row in area.rows for card in row.cards if card.card]
    places = {card: place for place, card in enumerate(cards)}

    def place(action: str) -> list[tuple[int, int, str]]:
        # cards before words: a draw or a pass stands at the end, as do the buttons of the page
        words = action.split()
        numbers = [places.get(word, int(word) if word.isdecimal() else 0) for word in words]
        parts = [(int(word not in places), number, word) for word, number in zip(words, numbers, strict=True)]
        return [(kinds[labels.get(action, "")], 0, ""), *parts]

    return sorted(actions, key=place)


def _wrap_entries(head: Text, entries: Sequence[Text], width: int) -> Text:
    """Return a heading and entries as lines of this width; no entry is split."""
    lines, gap = [head], ""
    for entry in entries:
        if lines[-1].cell_len + len(gap) + entry.cell_len > width:
            lines.append(Text(" " * 6))
            gap = ""
        lines[-1].append(gap).append_text(entry)
        gap = "  "
    return Text("\n").join(lines)
