"""A copy of a match goes its own way."""

import pytest

from parlour.engine.match import Match
from parlour.engine.rules import NOBODY
from parlour.engine.setup import Setup
from parlour.games import all_games
from tests.helpers import play_at_random


def looks(match):
    seen = [match.seen_by(viewer) for viewer in range(NOBODY, match.players)]
    return match.state.tobytes(), list(match.events), seen, match.legal(), match.actor


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_what_happens_in_one_does_not_in_the_other(game):
    match = Match(Setup(game, game.players[0]))
    for _, _ in zip(range(12), play_at_random(match, 3), strict=False):
        before, copied = looks(match), match.copy()
        assert looks(copied) == before
    for _, _ in zip(range(5), play_at_random(match, 4), strict=False):
        assert looks(match) != before
    assert looks(copied) == before
    after = looks(match)
    for _, _ in zip(range(5), play_at_random(copied, 5), strict=False):
        pass
    assert looks(match) == after
