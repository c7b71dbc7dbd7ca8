"""Actions as phrases in words instead of notation."""

from collections.abc import Sequence

from parlour.cards import CARD_NUMBERS
from parlour.engine.observation import Observation
from parlour.languages import gettext
from parlour.languages.declension import listed
from parlour.render.scene import Layout, Scene
from parlour.render.words import in_signs, the_card, within_sentence


def phrase_of(layout: Layout, observation: Observation, names: Sequence[str], action: str) -> str:
    """Return a legal action of the viewer as an infinitive: ``"attack slot 2 with the ten of clubs"``.

    Without :attr:`Layout.phrase`, the phrase is that of :func:`phrase_by_choice`.
    """
    if layout.phrase:
        return layout.phrase(observation, action)
    return phrase_by_choice(layout.lay_out(observation, names, None), action)


def phrase_by_choice(scene: Scene, do: str) -> str:
    """Describe an action by its button's label and the tokens chosen for it: ``"play the seven of hearts"``."""
    choice = next((choice for choice in scene.choices if choice.do == do), None)
    if choice is None:
        return in_signs(do)
    rows = {row.token: within_sentence(row.label) for area in scene.areas for row in area.rows if row.token}
    things = [
        # Translators: {place} is the label of a pile or place on the table, such as "discard pile"
        the_card(token) if token in CARD_NUMBERS else gettext("the {place}", place=rows[token])
        for token in choice.tokens
        if token in CARD_NUMBERS or token in rows
    ]
    action = within_sentence(choice.label)
    if not things:
        return action
    # Translators: an action, such as "play the seven of hearts"; {action} is the text of its button
    return gettext("{action} {things}", action=action, things=listed(things))
