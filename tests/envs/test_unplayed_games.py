"""Games that end before the learner's first turn: the environments go on with the next one, in the seat that is due."""

import pytest

from tests.installed_packages import code
from tests.tiny_package import TINY, install

pytestmark = pytest.mark.slow  # starts processes

BRIEF = TINY.replace(
    "state.actor = 1 if state.tiny_shown == 1 else OVER",
    "state.actor = 1 if state.tiny_shown == 1 and state.tiny_card[0] < state.tiny_card[1] else OVER",
).replace(
    "players=range(2, 3)",
    "players=range(2, 3), actions=lambda players, options: [card_name(card) for card in range(52)]",
)
"""The game ends without an action of seat 1 if the card of seat 0 is higher: in half of the games."""
SINGLE = """
from parlour.envs.gymnasium import CardGame


class Outside:
    def choose(self, observation):
        return observation.legal[0]


def count_skipped(fixed, chosen, factored, opponents):
    skipped = 0
    for seed in range(8):
        game = CardGame("tiny", opponents=opponents, seat=fixed, factored=factored)
        for number in range(3):
            first, options = seed if number == 0 else None, None if chosen is None else {"seat": chosen}
            _, info = game.reset(seed=first, options=options)
            inner, seat = game._game, info["seat"]
            due = next(each for each in (chosen, fixed, (inner.seed + inner.number) % 2) if each is not None)
            assert seat == game.seat == due, (seat, game.seat, due)
            assert (inner.seed, inner.over, inner.actor) == (seed, False, seat)
            assert info["action_mask"].any()
            skipped += inner.number > number
    return skipped


for fixed, chosen in ((None, None), (1, None), (None, 1), (0, 1)):
    for factored in (False, True):
        for opponents in ("random", "thumb", Outside()):
            assert count_skipped(fixed, chosen, factored, opponents), (fixed, chosen, factored, opponents)
print("done")
"""
BATCH = """
import numpy as np
from parlour.envs.vector import CardGames
GAMES = 16


def is_any_skipped(fixed, chosen, mode):
    games = CardGames("tiny", GAMES, seat=fixed, autoreset_mode=mode)
    batch, options = games._batch, {} if chosen is None else {"seat": chosen}
    _, infos = games.reset(seed=0, options=options)
    skipped, over = bool((batch.numbers >= GAMES).any()), np.zeros(GAMES, bool)
    for step in range(12):
        due = next(each for each in (chosen, fixed, (batch.seeds + batch.numbers) % 2) if each is not None)
        assert (infos["seat"] == due).all(), step
        waiting = over & (mode != "SameStep")
        assert np.array_equal(infos["action_mask"].any(axis=1), ~waiting), step
        assert np.array_equal(batch.over, waiting), step
        if mode == "Disabled" and over.any():
            _, infos = games.reset(options={"reset_mask": over, **options})
            over = np.zeros(GAMES, bool)
        else:
            _, rewards, over, _, infos = games.step(infos["action_mask"].argmax(axis=1))
            assert set(rewards[over]) <= {-1.0, 1.0}, step
            assert not rewards[~over].any(), step
    return skipped


for fixed, chosen in ((None, None), (1, None), (None, 1), (0, 1)):
    for mode in ("NextStep", "SameStep", "Disabled"):
        assert is_any_skipped(fixed, chosen, mode), (fixed, chosen, mode)
print("done")
"""


@pytest.mark.parametrize("program", [SINGLE, BATCH], ids=["single", "batch"])
def test_a_game_without_a_turn_of_the_learner_is_followed_by_the_next_in_the_seat_that_is_due(site, program):
    (site / "tiny.py").write_text(BRIEF)
    install(site, "tiny", "tiny")
    assert code(site, program, interpreted=True) == "done\n"
