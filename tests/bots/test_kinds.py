"""Kinds of player: names, preferences, a bad memory, and games that they play."""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pytest

from parlour.bots import find_bot
from parlour.bots.external import KindOfPlayer, find_any_bot
from parlour.bots.kinds import KINDS, NO_SIDE, PREFERENCES, Outcomes, PlayerOfAKind, split_kinds
from parlour.bots.match_play import play
from parlour.bots.protocol import NoAction
from parlour.contests.contest import MATCH, Contest
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.observation import Observation
from parlour.engine.rules import MAX_ACTIONS, action_value, copy_state, legal
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.version import __version__


class TestName:
    def test_a_bot_may_have_a_preference_and_be_forgetful(self) -> None:
        assert split_kinds("expert+greedy+forgetful") == ("expert", ("greedy", "forgetful"))

    def test_a_plus_sign_in_a_command_belongs_to_the_command(self) -> None:
        assert split_kinds("exec:./my+bot --a+b+cautious") == ("exec:./my+bot --a+b", ("cautious",))

    def test_a_search_keeps_its_settings(self) -> None:
        kind = find_any_bot("search:effort=500,tree=1+vindictive")
        assert isinstance(kind, KindOfPlayer)
        assert (kind.bot.id, kind.kinds) == ("search:effort=500,tree=1", ("vindictive",))

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("regular+rash", "there is no kind of player 'rash'; there are cautious, greedy, vindictive, forgetful$"),
            ("regular+rash+greedy", "there is no kind of player 'rash';"),
            ("regular+greedy+rash", "there is no kind of player 'rash';"),
            ("regular+greedy+rash+wild+forgetful", "there is no kind of player 'rash';"),
            ("regular+", "there is no kind of player '';"),
            ("regular+greedy+cautious", "greedy and cautious; a player has one preference"),
            ("regular+greedy+greedy", "greedy twice"),
        ],
    )
    def test_a_wrong_name_is_refused_in_a_sentence(self, name: str, reason: str) -> None:
        with pytest.raises(ParlourError, match=reason):
            find_any_bot(name)

    def test_a_kind_is_refused_where_only_built_in_bots_play(self) -> None:
        with pytest.raises(ParlourError, match="kinds of player play in matches"):
            find_bot("regular+cautious")


class Versioned:
    """A bot from outside with a version of its own."""

    version = "2.5"

    def choose(self, observation: Observation) -> str:
        return observation.legal[0]


class TestVersion:
    def test_a_kind_has_that_of_its_bot_or_else_of_parlour(self) -> None:
        assert find_any_bot("thumb+greedy").version == __version__
        assert find_any_bot(f"{__name__}:Versioned+greedy").version == "2.5"

    def test_the_results_of_a_contest_name_it(self) -> None:
        contest = Contest(MATCH, Setup(find_game("trime-kicker"), 2), ("thumb+forgetful", "thumb"))
        assert contest.header()["outside"] == {"thumb+forgetful": __version__}


class TestRevenge:
    @staticmethod
    def avenged(players: int, *scores: tuple[int, ...], earlier: Sequence[tuple[int, ...]] = ()) -> int:
        """Return the side that seat 1 would hurt at the last of its decisions, at which the seats have these scores.

        ``earlier`` are the scores at its decisions in a game before.
        """
        player, setup = PlayerOfAKind(None, ("vindictive",), new_stream(0)), Setup(find_game("tricky-tribes"), players)
        for game in (earlier, scores):
            player.begin(setup, 1)
            for each in game:
                player._remember(SimpleNamespace(setup=setup, seat=1, standing=SimpleNamespace(scores=each)))
        return player._avenge

    def test_it_is_taken_on_the_side_that_last_gained_most(self) -> None:
        assert self.avenged(3, (0, 0, 0), (1, 0, 4)) == 2
        assert self.avenged(3, (0, 0, 0), (1, 0, 4), (5, 0, 5)) == 0
        assert self.avenged(3, (0, 0, 0), (3, 2, 2)) == 0

    def test_it_lasts_while_no_side_gains(self) -> None:
        assert self.avenged(3, (0, 0, 0), (1, 0, 4), (1, 0, 4), (1, 6, 5)) == 2

    def test_it_is_taken_on_no_side_before_one_has_gained_and_never_on_the_own(self) -> None:
        for scores in (
            [(0, 0, 0)],
            [(4, 0, 0)],
            [(0, 0, 0), (0, 0, 0)],
            [(0, 0, 0), (1, 2, 0)],
            [(3, 0, 0), (1, 0, 0)],
        ):
            assert self.avenged(3, *scores) == NO_SIDE

    def test_it_is_not_taken_for_an_earlier_game(self) -> None:
        assert self.avenged(3, (0, 0, 0), earlier=[(0, 0, 0), (1, 0, 4)]) == NO_SIDE
        assert self.avenged(3, (5, 0, 0), earlier=[(0, 0, 0)]) == NO_SIDE

    def test_of_two_sides_it_is_taken_on_the_other(self) -> None:
        assert self.avenged(2, (0, 0)) == 0


class TestPreference:
    @pytest.fixture
    def outcomes(self) -> Outcomes:
        """Return the outcomes of three actions: one that varies, one that varies less, and one that always loses.

        The third one brings the most points of one's own and leaves the other side the fewest.
        """
        leads = np.array([[10.0, 4.0, -50.0], [-10.0, -5.0, -50.0]])
        return Outcomes(leads, leads + np.array([0, 0, 100]), np.array([[5.0, 9.0, 0.0], [5.0, 9.0, 0.0]]))

    def test_an_action_far_worse_than_the_bots_own_is_never_chosen(self, outcomes: Outcomes) -> None:
        assert outcomes.near(0).tolist() == [True, True, False]

    @pytest.mark.parametrize(
        ("preference", "worth"),
        [("cautious", [-10, -4.5, 0]), ("greedy", [0, -0.5, 50]), ("vindictive", [-5, -9, 0])],
    )
    def test_a_preference_alone_values_what_its_name_says(
        self, outcomes: Outcomes, preference: str, worth: list[float]
    ) -> None:
        found = PREFERENCES[preference](outcomes)
        assert found is not None
        assert found.tolist() == worth

    def test_without_a_side_to_avenge_on_the_vindictive_player_has_no_wish(self) -> None:
        assert PREFERENCES["vindictive"](Outcomes(np.zeros((1, 2)), np.zeros((1, 2)), None)) is None


class Last:
    """A bot that chooses the last legal action."""

    def choose(self, observation: Observation) -> str:
        return observation.legal[-1]


class Careless:
    """A bot that chooses the last legal action, and empties the lists and clears the cards that it was shown."""

    def choose(self, observation: Observation) -> str:
        chosen = observation.legal[-1]
        observation.legal.clear()
        observation.events.clear()
        observation.observed.hand[...] = 0
        return chosen


class TestABotFromOutside:
    def test_changes_nothing_that_its_kind_considers_afterwards(self) -> None:
        observation = Setup(find_game("trime-kicker"), 2).start(3).observation()
        last, careless = (PlayerOfAKind(bot, ("greedy",), new_stream(1)) for bot in (Last(), Careless()))
        assert careless.choose(observation) == last.choose(observation)

    def test_answers_that_are_no_action_are_reported_as_it_gave_them(self) -> None:
        observation, answer = Setup(find_game("trime-kicker"), 2).start(3).observation(), NoAction("nan")
        player = PlayerOfAKind(SimpleNamespace(choose=lambda seen: answer), ("forgetful",), new_stream(1))
        assert player.choose(observation) == answer


class TestABadMemory:
    @staticmethod
    def is_without_effect(observation: Observation) -> bool:
        """Return whether the heuristic values every action alike with and without the cards seen."""
        state = copy_state(observation.observed)
        moves = np.zeros(MAX_ACTIONS, np.int64)
        moves = moves[: legal(state, moves)]
        before = [int(action_value(state, move)) for move in moves]
        state.public = 0
        return before == [int(action_value(state, move)) for move in moves]

    @pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
    def test_it_changes_no_choice_where_the_cards_seen_do_not_matter(self, game: Game) -> None:
        """Actions of equal value are chosen at random by the heuristic, with a memory and without."""
        player, asked = PlayerOfAKind(Last(), ("forgetful",), new_stream(1)), 0
        match = Setup(game, game.usual_players).start(3)
        while not match.over and asked < 40:
            observation = match.observation()
            if len(observation.legal) > 1 and self.is_without_effect(observation):
                assert player.choose(observation) == observation.legal[-1]
                asked += 1
            match.act(observation.legal[7 * len(match.events) % len(observation.legal)])
        assert asked > 5


class TestGame:
    @pytest.mark.parametrize("kind", KINDS)
    def test_the_same_seed_gives_the_same_game(self, kind: str) -> None:
        setup = Setup(find_game("trime-kicker"), 2)
        first, second = (play(setup, [f"thumb+{kind}", "random"], seed=3) for _ in range(2))
        assert first.over
        assert first.record() == second.record()
