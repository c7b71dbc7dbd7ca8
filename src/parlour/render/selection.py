"""Reasons why actions, and selections on the table such as a card and a pile, are not legal."""

from collections.abc import Callable, Sequence

from parlour.engine.game import Refusal
from parlour.engine.match import Match
from parlour.engine.observation import Observation
from parlour.languages import gettext
from parlour.render.scene import Layout, Scene

MOST_REASONS = 3
"""Maximum number of reasons against one selection."""


def refusal_of(match: Match, typed: str) -> Refusal | None:
    """Return the reason of the rules why a typed action is not legal; ``None`` for a legal one."""
    text = match.complete_action(typed)
    return None if text in match.moves_by_text() else match.refusal(text)


def reasons_against(
    tokens: Sequence[str],
    scene: Scene,
    observation: Observation,
    layout: Layout,
    refusal: Callable[[str], Refusal | None],
) -> list[Refusal]:
    """Return the reasons why a selection of the seat to act is not legal, at least one.

    Args:
        tokens: the chosen things, in the order of the choice; those that the scene does not show are ignored.
        scene: the table as the seat sees it.
        observation: what the scene shows.
        layout: the layout of the game, which interprets the selection.
        refusal: returns the reason why an action is not legal, ``None`` for a legal action.
    """
    shown = [token for token in tokens if token in scene.tokens]
    actions = layout.interpret(observation, shown) if shown else ()
    refusals = dict.fromkeys(filter(None, map(refusal, actions)))
    if not refusals:
        return [Refusal("", gettext("These do not go together: nothing can be done with them."))]
    return list(refusals)[:MOST_REASONS]
