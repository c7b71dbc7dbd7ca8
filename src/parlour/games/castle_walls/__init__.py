"""Castle Walls: attack with cards on the field until the other player has no life cards left.

Follows the rulebook's clauses CW-1 to CW-27. Deviations: none. What a state consists of stands in ``state.py``, the
rules in ``rules.py``, what players remember of each other's hidden cards in ``memory.py``, who knows what in
``knowledge.py``, notation and what people are told in ``words.py``.
"""

from parlour.engine.game import Game, Option
from parlour.games.castle_walls.knowledge import fits, forget, place, places, remember
from parlour.games.castle_walls.rules import choices, deal, legal, play, score, setup, wanted, whole_deck
from parlour.games.castle_walls.state import STATE
from parlour.games.castle_walls.words import chance_name, facts, lines, name, refusal, zones

OPTIONS = (
    Option(
        "turn_limit",
        range(0, 1_000_001),
        200,
        "CW-27",
        "after so many turns the player with more life cards wins; 0 for no limit",
        {0: "The game goes on until somebody has no life card left, which need never happen."},
    ),
)

GAME = Game(
    id="castle-walls",
    title="Castle Walls",
    prefix="CW",
    summary="A duel: attack with cards on the field until the other player has no life cards left.",
    credit="Castle Walls, by Hindbodes.",
    players=range(2, 3),
    options=OPTIONS,
    dtype=STATE,
    setup=setup,
    whole_deck=whole_deck,
    choices=choices,
    wanted=wanted,
    deal=deal,
    legal=legal,
    play=play,
    score=score,
    places=places,
    place=place,
    fits=fits,
    forget=forget,
    remember=remember,
    zones=zones,
    facts=facts,
    lines=lines,
    name=name,
    chance_name=chance_name,
    refusal=refusal,
)
