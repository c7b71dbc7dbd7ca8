"""Only actions that disclosed nothing can be undone. Whether one can is public and discloses nothing itself."""

import random

import pytest

from parlour.authors.disclosures import learned_by
from parlour.authors.laws import choose_setup, viewers
from parlour.cards import CARD_TEXT
from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import observed_plain_state
from parlour.engine.information.disclosure import discloses
from parlour.engine.match import Match
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from tests.game_modules import module_of
from tests.helpers import play_at_random
from tests.laws.walks import GAMES
from tests.server.twins import twin_of


def actions_of(game, seed, number=200):
    """Yield the match before and after each of a seat's actions in random games with all options."""
    rng = random.Random(seed)
    for which in range(4):
        before = Match(choose_setup(game, rng.choice))
        for after in play_at_random(before.copy(), 10 * seed + which):
            if after.events[-1].by >= 0:
                yield before, after
            before = after.copy()
            if len(after.events) == number:
                break


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_an_action_that_can_be_undone_has_disclosed_nothing(game):
    stream, allowed = new_stream(5), set()
    for before, after in actions_of(game, 1):
        if not discloses(before, after):
            text = after.seen_by(SPECTATOR)[-1].do
            allowed.add(CARD_TEXT.sub("CARD", text).split()[0])
            assert not list(learned_by(before, after, stream)), text
    assert getattr(module_of(game, "reference"), "TAKEN_BACK", set()) <= allowed


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_permission_to_undo_is_the_same_for_all_determinizations(game):
    tried = different = 0
    for number, (before, after) in enumerate(actions_of(game, 2, 90)):
        if number % 20:
            continue
        for viewer in viewers(after):
            twin = twin_of(after, viewer, number)
            twin_before = Match(after.setup)
            for event in twin.events[:-1]:
                twin_before.apply_event(event)
            assert discloses(twin_before, twin) == discloses(before, after)
            tried += 1
            different += twin.events != after.events
    assert different > tried // 2


class TestFalseClaims:
    """The claim of a game that an action discloses nothing is checked against common knowledge."""

    def claimed_action(
        self, monkeypatch, game, moment=lambda match: True, word="", asked=lambda before, after, text: True
    ):
        """Return a match before and after an action, in a game that claims that no action discloses anything."""
        monkeypatch.setitem(vars(GAMES[game]), "tells_nothing", asked)
        match = Setup(GAMES[game], 2, {"rounds": 1} if game == "trick-walls" else {}).start(seed=2)
        while not moment(match):
            match.act(match.legal()[0])
        before = match.copy()
        match.act(next(action for action in match.legal() if action.startswith(word)))
        return before, match

    def test_an_action_that_shows_a_card_discloses_it(self, monkeypatch):
        before, after = self.claimed_action(monkeypatch, "trick-walls")
        assert discloses(before, after)

    def test_an_action_that_ends_the_game_discloses_the_result(self, monkeypatch):
        before, after = self.claimed_action(
            monkeypatch, "trick-walls", lambda match: match.state.tricks == 8 and match.state.played == 3
        )
        assert after.over
        assert not int(after.state.public) & ~int(before.state.public), "an open card of a dummy"
        assert discloses(before, after)

    def test_the_game_is_called_with_the_spectators_knowledge(self, monkeypatch):
        asked = []

        def note(before, after, text):
            asked.append(
                (
                    before == observed_plain_state(was.state, SPECTATOR),
                    after == observed_plain_state(now.state, SPECTATOR),
                    text,
                )
            )
            return True

        was, now = self.claimed_action(monkeypatch, "castle-walls", word="down ", asked=note)
        assert not discloses(was, now)
        assert asked == [(True, True, "down ?? 1")]


def test_a_decline_that_calls_the_judge_discloses_something():
    game = GAMES["trime-kicker"]
    answers = {
        (bool(before.state.declines), discloses(before, after))
        for before, after in actions_of(game, 3, 60)
        if after.events[-1].do == "decline" and not after.over
    }
    assert answers == {(False, False), (True, True)}
