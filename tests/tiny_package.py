"""A minimal game, and the installation of a package that contains one.

Tests of compiled code in general use this game, since it compiles in a few seconds.
"""

from pathlib import Path

TINY = '''"""Tiny: one card each, the higher one wins. With nothing but what a game cannot do without."""

import sys
from typing import Any

import numpy as np

from parlour.cards import card_name
from parlour.engine.compiled import rule
from parlour.engine.game import Game
from parlour.engine.rules import OVER, state_type

STATE = state_type([("tiny_card", np.int64, (2,)), ("tiny_shown", np.int64)])


@rule
def deal(state: Any, deck: Any) -> None:
    for seat in range(2):
        state.tiny_card[seat] = deck[seat]
    state.actor = 0


@rule
def legal(state: Any, actions: Any) -> int:
    actions[0] = state.tiny_card[state.actor]
    return 1


@rule
def play(state: Any, action: int) -> None:
    state.tiny_shown += 1
    state.actor = 1 if state.tiny_shown == 1 else OVER


@rule
def score(state: Any, scores: Any) -> int:
    for seat in range(2):
        scores[seat] = state.tiny_card[seat]
    return 1 if scores[0] > scores[1] else 2


def name(state: Any, action: int) -> str:
    return card_name(action)


GAME = Game.made_of(sys.modules[__name__], id="tiny", players=range(2, 3))
'''
SMALL = TINY.replace("tiny", "small").replace("scores[0] > scores[1]", "scores[0] < scores[1]")
"""Its twin, in which the lower card wins."""


def install(site: Path, game_id: str, module: str) -> None:
    """Write the files that an installer leaves for a package that registers this game."""
    about = site / f"{module}-0.1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 0.1\n")
    (about / "entry_points.txt").write_text(f"[parlour.games]\n{game_id} = {module}\n")
