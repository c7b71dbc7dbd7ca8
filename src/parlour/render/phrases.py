"""Actions as English phrases, in the log's wording instead of notation."""

from collections.abc import Sequence

from parlour.cards import CARD_NUMBERS
from parlour.engine.observation import Observation
from parlour.languages.declension import listed
from parlour.render.scene import Layout, Scene
from parlour.render.words import in_signs, the_card


def phrase_of(layout: Layout, observation: Observation, names: Sequence[str], action: str) -> str:
    """Return a legal action of the viewer as a phrase to follow "You": ``"attack slot 2 with the ten of clubs"``.

    Without :attr:`Layout.phrase`, the phrase consists of the tokens that the viewer chooses for the action.
    """
    if layout.phrase:
        return layout.phrase(observation, action)
    return phrase_by_choice(layout.lay_out(observation, names, None), action)


def phrase_by_choice(scene: Scene, action: str) -> str:
    """Describe an action by its button's label and the tokens chosen for it: ``"play the seven of hearts"``."""
    choice = next((choice for choice in scene.choices if choice.do == action), None)
    if choice is None:
        return in_signs(action)
    rows = {row.token: row.label.lower() for area in scene.areas for row in area.rows if row.token}
    things = [
        the_card(token) if token in CARD_NUMBERS else f"the {rows[token]}"
        for token in choice.tokens
        if token in CARD_NUMBERS or token in rows
    ]
    label = f"{choice.label[:1].lower()}{choice.label[1:]}"
    return f"{label} {listed(things)}" if things else label
