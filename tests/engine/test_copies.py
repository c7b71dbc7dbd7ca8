"""Copies of a match are independent."""

import copy
import pickle

import pytest

from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.steps import INTERPRETED, PLAIN
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.games import all_games
from tests.helpers import play_at_random


def looks(match):
    seen = [match.seen_by(viewer) for viewer in range(SPECTATOR, match.players)]
    return match.state.tobytes(), list(match.events), seen, match.legal(), match.actor


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_an_event_in_one_copy_does_not_change_the_other(game):
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


COPIES = [copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match)), Match.copy]


@pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "pickle", "Match.copy"])
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
class TestEveryWayToCopy:
    @pytest.mark.parametrize("steps", [INTERPRETED, PLAIN], ids=["interpreted", "plain"])
    def test_a_copy_has_the_course_of_a_replay_from_the_seed(self, game, steps, copied):
        def started():
            return Match(Setup(game, game.players[-1]), steps, chance=StreamRandomness(new_stream(7)), recall=True)

        def go_on(match, number):
            for turn in range(number):
                if not match.over:
                    match.act(match.legal()[turn % len(match.legal())])
            return match.record(), [match.information_state(seat) for seat in range(match.players)], display_of(match)

        match, replay = started(), started()
        assert go_on(match, 9) == go_on(replay, 9)
        branch = copied(match)
        go_on(match, 4)
        assert display_of(branch) == display_of(replay)
        assert go_on(branch, 30) == go_on(replay, 30)
        assert branch._steps is steps

    def test_a_match_with_chance_of_the_operating_system_can_be_copied(self, game, copied):
        match = Setup(game, game.players[0]).start()
        assert copied(match).record() == match.record()


def display_of(match):
    return [match.observation(seat).text for seat in range(match.players)]
