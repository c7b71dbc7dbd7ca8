"""Omniscient bots: the gain from seeing all cards, and the restrictions on their use."""

import numpy as np
import pytest

from parlour.bots.lookahead import new_lead_model
from parlour.cards import parse_cards, set_of
from parlour.contests.contest import STUDY, Contest
from parlour.contests.omniscient import OmniscientBot, find_player, try_in_true_state
from parlour.engine.chance import new_stream
from parlour.engine.compiled import interpreted
from parlour.engine.errors import ParlourError
from parlour.engine.rules import array_of, new_states
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.games.three_tricks.rules import PASS
from parlour.studies.arguments import bots_of
from parlour.studies.plan import Study
from parlour.studies.words import answer
from tests.contests.traced_deals import traced_deal
from tests.studies.known_games import BY_NAME, better_wins, findings_of

TRICKS = find_game("three-tricks")


class OutsideBot:
    """An external bot that plays the first legal action."""

    def choose(self, observation):
        return observation.legal[0]


class TestLookup:
    def test_a_bot_with_a_search_has_an_omniscient_form(self) -> None:
        assert isinstance(find_player("open:regular"), OmniscientBot)
        assert isinstance(find_player("open:search:effort=900"), OmniscientBot)
        assert not isinstance(find_player("regular"), OmniscientBot)
        assert bots_of("thumb,open:search:effort=80,tree=1") == ("thumb", "open:search:effort=80,tree=1")

    @pytest.mark.parametrize("bot", ["open:thumb", "open:unknown", "open:search:effort=0", "open:"])
    def test_a_bot_without_a_search_has_no_omniscient_form(self, bot: str) -> None:
        with pytest.raises(ParlourError, match="open cards are for bots that look ahead: casual, regular,"):
            find_player(bot)

    def test_they_keep_no_records_and_play_no_outside_bots(self) -> None:
        setup = Setup(TRICKS, 2)
        with pytest.raises(ParlourError, match="not kept event by event"):
            Study((setup,), ("regular", "open:regular"), records=True)
        with pytest.raises(ParlourError, match="against the built-in bots only"):
            Contest(STUDY, setup, ("tests.contests.test_omniscient:OutsideBot", "open:regular"))
        with pytest.raises(ParlourError, match="needs a bot that does not see all cards"):
            Study((setup,), ("open:regular",))


class TestInAStudy:
    findings = findings_of(better_wins, 20, bots=("random", "regular", "open:regular"))

    def test_they_never_play_alone_and_are_not_the_strongest(self) -> None:
        assert self.findings.line_ups == [(0,), (1,), (1, 0), (2, 1)]
        assert {job.seating for job in self.findings.study.jobs(0)} == {(0, 0), (1, 1), (0, 1), (1, 0), (1, 2), (2, 1)}
        assert self.findings.study.strongest == 1

    def test_their_gain_is_the_price_of_secrecy(self) -> None:
        assert self.findings.estimate(0, (2, 1), BY_NAME["skill"]).value == 0.5
        assert "To see all cards is worth +50.0 (" in " ".join(answer(self.findings))


class TestOpenCards:
    def steps_after_passing(self, cards: str) -> int:
        """Return the number of steps in two playouts after seat 1 passes; seat 0 has two tricks and holds ``cards``."""
        _, match = traced_deal()
        state = match.state
        state.hand[0], state.held[0], state.laid[0] = set_of(parse_cards(cards)), 3, 2
        values, leads = np.zeros((2, 2, 1))
        return interpreted(try_in_true_state)(
            array_of(state), new_states(state.dtype, 2), 1, np.array([PASS]), values, leads, new_lead_model(), 1, 0,
            new_stream(0),
        )  # fmt: skip

    def test_they_know_whether_the_other_hand_wins_at_once(self) -> None:
        assert self.steps_after_passing("2D 3D 4D") == 2 * 2
        assert self.steps_after_passing("2D 5D 8D") > 2 * 2
