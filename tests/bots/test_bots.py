"""Bots decide by the observation of their seat only; the rule of thumb beats random play."""

import pytest

from parlour.bots import BOTS, choose_for, compiled_observation_of, find_bot, is_builtin_bot
from parlour.bots.levels import Level, level_from, parse_level
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.information.determinization import determinize
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.setup import Setup
from parlour.games import all_games

QUICK = ("random", "thumb", "beginner")
SEATINGS = [(game, players) for game in all_games() for players in game.players]


def name(value: object) -> str:
    return value.id if isinstance(value, Game) else str(value)


def decisions(game: Game, players: int, seed: int, bot: str):
    """Yield a match in which ``bot`` plays every seat, at each of its first sixty decisions."""
    match, random = Match(Setup(game, players), observed=False), new_stream(seed)
    for _ in range(60):
        while match.actor == rules.CHANCE:
            match.apply_chance(match.sample_chance(StreamRandomness(random)))
        if match.over:
            return
        yield match
        match.act(choose_for(match, find_bot(bot), random))


@pytest.mark.parametrize(("game", "players"), SEATINGS, ids=name)
class TestEveryQuickBot:
    @pytest.mark.parametrize("bot", QUICK)
    def test_it_chooses_a_legal_action(self, game: Game, players: int, bot: str) -> None:
        for match in decisions(game, players, 1, bot):
            assert choose_for(match, BOTS[bot], new_stream(2)) in match.legal()

    @pytest.mark.parametrize("bot", QUICK)
    @pytest.mark.slow
    def test_its_choice_does_not_depend_on_hidden_cards(self, game: Game, players: int, bot: str) -> None:
        """Its choice is the same in a determinization, with the same random stream."""
        for number, match in enumerate(decisions(game, players, 3, bot)):
            chosen = choose_for(match, BOTS[bot], new_stream(number))
            other = match.imagined(determinize(match.observed(match.actor), match.actor, new_stream(number)))
            assert choose_for(other, BOTS[bot], new_stream(number)) == chosen

    def test_the_heuristic_reads_only_what_its_seat_may_know(self, game: Game, players: int) -> None:
        """A search may call the heuristic in a determinization, where all cards are open."""
        for number, match in enumerate(decisions(game, players, 5, "thumb")):
            observation = compiled_observation_of(match, new_stream(number))
            observed = rules.heuristic_choice(
                observation.state, observation.moves, len(observation.moves), new_stream(number)
            )
            assert (
                rules.heuristic_choice(match.state, observation.moves, len(observation.moves), new_stream(number))
                == observed
            )


class TestTheHeuristic:
    @pytest.mark.parametrize("game", all_games(), ids=name)
    def test_ties_for_the_greatest_value_are_broken_at_random(self, game: Game) -> None:
        match = next(match for match in decisions(game, game.players[0], 1, "thumb") if self.differ(match))
        observation = compiled_observation_of(match, new_stream(1))
        values = [rules.action_value(observation.state, action) for action in observation.moves]
        best = {index for index, value in enumerate(values) if value == max(values)}
        chosen = {
            rules.heuristic_choice(observation.state, observation.moves, len(values), new_stream(seed))
            for seed in range(200)
        }
        assert chosen == best

    def differ(self, match: Match) -> bool:
        return len({int(rules.action_value(match.state, action)) for action in match.moves()}) > 1


class TestNames:
    def test_the_error_for_an_unknown_bot_lists_the_bots(self) -> None:
        known = r"beginner, .*random, learned, search, and search:effort=N"
        with pytest.raises(ParlourError, match=rf"there is no bot 'genius'; there are {known}"):
            find_bot("genius")


class TestSearch:
    def test_the_search_for_study_has_the_same_settings_in_every_game(self) -> None:
        assert find_bot("search").searches
        assert is_builtin_bot("search")
        assert level_from("search") == parse_level("effort=15000,temperature=0.01,tree=1,learned=100")
        assert level_from("search:effort=9") == Level(effort=9)
        assert level_from("expert") is None
