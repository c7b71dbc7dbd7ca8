"""Fast functions of games agree with the plain ones: best action, action index, random action."""

import numpy as np
import pytest

from parlour.authors.heuristic_laws import check_heuristic, check_playout
from parlour.cards import parse_cards, set_of
from parlour.engine.chance import new_stream, random_below
from parlour.engine.match import Match
from parlour.engine.rules import (
    CHANCE,
    LOOKED_UP,
    MAX_ACTIONS,
    MAX_CARDS,
    MAX_SEATS,
    RESULT_AT_RANDOM,
    action_number,
    action_value,
    copy_state,
    heuristic_action,
    heuristic_choice,
    legal,
    play,
    random_action,
    score,
)
from parlour.engine.setup import Setup
from parlour.engine.simulation.playouts import take_chance
from parlour.games import find_game
from parlour.games.three_tricks.rules import LAY, PASS, SWAP
from tests.helpers import play_at_random
from tests.laws.walks import GAMES, some_moments
from tests.laws.walks import seats as seats_of
from tests.sample_size import FACTOR

pytestmark = pytest.mark.slow

every_game = pytest.mark.parametrize("game_id", GAMES)


def decisions(game_id):
    """Yield states at which a seat is to act, for every number of players."""
    for players in GAMES[game_id].players:
        for match in some_moments(Setup(GAMES[game_id], players), players, 60):
            if match.actor in seats_of(match):
                yield match.state


def best_of_all(state, actions, random):
    """Return the index of the best action by valuing each with its random tie-break."""
    worth = [int(action_value(state, action)) * 16 + random_below(random, 16) for action in actions]
    return worth.index(max(worth))


@every_game
class TestShortcuts:
    def test_the_heuristics_choice_is_the_best_of_all_valued_actions(self, game_id):
        actions = np.zeros(MAX_ACTIONS, np.int64)
        for number, state in enumerate(decisions(game_id)):
            listed = actions[: legal(state, actions)]
            ours, theirs = new_stream(number), new_stream(number)
            assert heuristic_choice(state, actions, len(listed), ours) == best_of_all(state, listed, theirs)
            assert ours[0] == theirs[0]

    def test_the_heuristics_action_is_any_of_the_best(self, game_id):
        actions = np.zeros(MAX_ACTIONS, np.int64)
        for number, state in enumerate(decisions(game_id)):
            listed = actions[: legal(state, actions)].tolist()
            values = [int(action_value(state, action)) for action in listed]
            best = {action for action, value in zip(listed, values, strict=True) if value == max(values)}
            random, draws = new_stream(number), 40 if len(best) in (2, 3) else 1
            done = {int(heuristic_action(state, actions, 0, random)) for _ in range(draws)}
            assert done <= best
            assert done == best or draws == 1

    def test_the_heuristics_action_is_one_of_the_best_throughout_games(self, game_id):
        actions = np.zeros(MAX_ACTIONS, np.int64)
        for seed in range(6):
            match, random = Setup(GAMES[game_id], min(GAMES[game_id].players)).start(seed), new_stream(seed)
            for _ in range(100):
                if match.over:
                    break
                listed = actions[: legal(match.state, actions)].tolist()
                values = {action: int(action_value(match.state, action)) for action in listed}
                done = int(heuristic_action(match.state, actions, 0, random))
                assert values[done] == max(values.values())
                at_random = int(random_action(match.state, actions, random))
                match.act(match.game.name(match.state, (done, at_random)[len(match.events) % 2]))

    def test_the_heuristic_depends_on_the_observation_only(self, game_id):
        for players in GAMES[game_id].players:
            for match in some_moments(Setup(GAMES[game_id], players), players, 30):
                assert check_heuristic(match) == ""

    def test_the_choice_among_some_actions_is_the_best_of_them(self, game_id):
        """A tree calls it for the actions that have not been tried."""
        actions = np.zeros(MAX_ACTIONS, np.int64)
        for number, state in enumerate(decisions(game_id)):
            some = actions[: legal(state, actions)][number % 2 :: 2]
            if len(some):
                ours, theirs = new_stream(number), new_stream(number)
                assert heuristic_choice(state, some, len(some), ours) == best_of_all(state, some, theirs)

    def test_a_random_action_is_at_a_random_index_of_the_legal_ones(self, game_id):
        actions, room = np.zeros((2, MAX_ACTIONS), np.int64)
        for number, state in enumerate(decisions(game_id)):
            listed = actions[: legal(state, actions)]
            for draw in range(5):
                ours, theirs = new_stream(number, draw), new_stream(number, draw)
                assert random_action(state, room, ours) == listed[random_below(theirs, len(listed))]
                assert ours[0] == theirs[0]

    def test_a_result_only_game_has_the_same_course(self, game_id):
        """A playout may omit only the memory of seats; course and score stay the same."""
        room, deck = np.zeros(MAX_ACTIONS, np.int64), np.zeros(MAX_CARDS, np.int64)
        for number, state in enumerate(decisions(game_id)):
            watched, result_only, random = copy_state(state), copy_state(state), new_stream(number)
            result_only.result_only = RESULT_AT_RANDOM
            for _ in range(20):
                if watched.actor >= 0:
                    action = random_action(watched, room, random.copy())
                    assert random_action(result_only, room, random) == action
                    play(watched, action)
                    play(result_only, action)
                elif watched.actor == CHANCE:
                    take_chance(watched, deck, random.copy())
                    take_chance(result_only, deck, random)
                assert result_only.actor == watched.actor
            scores = np.zeros((2, MAX_SEATS), np.int64)
            assert score(result_only, scores[0]) == score(watched, scores[1])
            assert scores[0].tolist() == scores[1].tolist()

    def test_a_result_only_game_by_the_heuristic_has_the_same_course(self, game_id):
        """What the heuristic reads must be up to date in a playout, too, also late in a game."""
        game = GAMES[game_id]
        for number in range(30 * FACTOR):
            start = Match(Setup(game, game.players[number % len(game.players)]))
            for match in play_at_random(start, number):
                if len(match.events) >= 40 * (number % 6):
                    break
            assert check_playout(match, 2000) == ""

    def test_a_computed_index_is_that_of_the_actions_name(self, game_id):
        actions = np.zeros(MAX_ACTIONS, np.int64)
        for players in GAMES[game_id].players:
            setup = Setup(GAMES[game_id], players)
            for match in some_moments(setup, players, 60):
                for action in actions[: legal(match.state, actions)] if match.actor >= 0 else ():
                    named = setup.action_numbers[setup.game.name(match.state, action)]
                    assert action_number(match.state, int(action)) in (named, LOOKED_UP)


def test_in_3_tricks_all_indices_but_those_of_third_tricks_are_computed():
    setup = Setup(find_game("three-tricks"), 2)
    codes = {"lay": LAY, "swap": SWAP, "pass": PASS}
    for number, text in enumerate(setup.actions):
        verb, _, cards = text.partition(" ")
        worked_out = action_number(setup.new_state(), codes[verb] | set_of(parse_cards(cards)))
        third_trick = verb == "lay" and len(cards.split()) == 3
        assert worked_out == (LOOKED_UP if third_trick else number)
