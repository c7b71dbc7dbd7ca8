"""Determinizations weighed by the others' past actions."""

import numpy as np
import pytest

import parlour
from parlour.cards import count
from parlour.engine.chance import new_stream
from parlour.engine.compiled import _implementations
from parlour.engine.information.belief import (
    FIRST_CANDIDATE,
    MOST_EFFORT,
    MOST_UNDONE,
    NO_POOL,
    chance_of_action,
    draw_pool,
    log_likelihood,
)
from parlour.engine.information.determinization import determinize
from parlour.engine.match import Match
from parlour.engine.rules import MAX_ACTIONS, action_value, array_of, copy_state, legal
from parlour.games import all_games

pytestmark = pytest.mark.slow  # compiles
ENOUGH = 20_000


def moments(seed: int) -> list[Match]:
    """Return moments of a round of Tricky Tribes among rules of thumb, from the second trick on."""
    match, found = parlour.make("tricky-tribes", players=4, rounds=1).start(seed=seed), []
    bot = parlour.bot("thumb", seed=seed)
    while not match.over:
        if match.state.tricks and len(match.moves()) > 1:
            found.append(match.copy())
        match.act(bot.choose(match.observation()))
    return found


def pool_of(match: Match, effort: int = ENOUGH) -> tuple[list[int], int]:
    """Return the candidates of a pool, and the number of decisions evaluated."""
    pool, evaluated = draw_pool(array_of(match.observed(match.actor)), match.actor, 7, effort)
    return (pool - FIRST_CANDIDATE).tolist(), evaluated


class TestPolicy:
    def test_probabilities_fall_with_the_rank_by_value_and_add_up_to_1(self):
        actions = np.zeros(MAX_ACTIONS, np.int64)
        for match in moments(3):
            state = match.state
            number = legal(state, actions)
            values = [int(action_value(state, action)) for action in actions[:number]]
            chances = [chance_of_action(state, action, actions, number) for action in actions[:number]]
            if len({*values}) == number:
                assert sum(chances) == pytest.approx(1)
                assert np.argsort(values).tolist() == np.argsort(chances).tolist()
            assert min(chances) > 0.2 / number

    def test_the_likelihood_of_a_round_is_that_of_its_decisions_as_they_were_made(self):
        match = parlour.make("tricky-tribes", players=4, rounds=1, exchange=False).start(seed=3)
        bot, legal_actions, chances = parlour.bot("casual", seed=3), np.zeros(MAX_ACTIONS, np.int64), []
        for _ in range(20):
            move = match.parse_move(bot.choose(match.observation()))
            number = legal(match.state, legal_actions)
            if number > 1:
                chances.append(chance_of_action(match.state, move, legal_actions, number))
            match.apply_move(move)
        logarithm, decisions = log_likelihood(copy_state(match.state), -1, legal_actions)
        assert decisions == len(chances) > 10
        assert logarithm == pytest.approx(np.log(chances).sum())

    def test_the_likelihood_is_that_of_the_others_decisions_only(self):
        match, actions = moments(3)[5], np.zeros(MAX_ACTIONS, np.int64)
        whole, all_decisions = log_likelihood(copy_state(match.state), -1, actions)
        parts = [log_likelihood(copy_state(match.state), seat, actions) for seat in range(4)]
        assert sum(part for part, _ in parts) == pytest.approx(3 * whole)
        assert sum(decisions for _, decisions in parts) == 3 * all_decisions
        assert all_decisions > 0

    def test_an_undo_that_never_ends_is_cut(self, monkeypatch):
        match = moments(3)[5]
        monkeypatch.setitem(_implementations, ("undo", match.game.dtype.names), lambda state: match.moves()[0])
        _, decisions = log_likelihood(copy_state(match.state), -1, np.zeros(MAX_ACTIONS, np.int64))
        assert decisions == MOST_UNDONE


class TestPool:
    def test_true_cards_are_likelier_than_in_uniform_determinizations(self):
        """Rules of thumb show their cards by what they play."""
        found = {"belief": 0, "uniform": 0}
        for match in moments(1) + moments(2):
            true, seat = match.state.hand.tolist(), match.actor
            for by in found:
                hands = match.observation().determinize(60, seed=4, by=by).states["hand"]
                found[by] += sum(
                    int(count(int(hand) & true[other]))
                    for world in hands
                    for other, hand in enumerate(world)
                    if other != seat
                )
        assert found["belief"] > 1.2 * found["uniform"]

    def test_likelier_candidates_are_in_it_more_often(self):
        for match in moments(4)[::8]:
            pool, _ = pool_of(match, 1500)
            seat, actions = match.actor, np.zeros(MAX_ACTIONS, np.int64)
            likelihoods = []
            for candidate in range(max(pool) + 1):
                state = determinize(match.observed(seat), seat, new_stream(7, FIRST_CANDIDATE + candidate))
                likelihoods.append(np.exp(log_likelihood(state, seat, actions)[0]))
            often = np.bincount(pool, minlength=len(likelihoods))
            expected = len(pool) * np.array(likelihoods) / sum(likelihoods)
            assert np.abs(often - expected).max() <= 1.5

    def test_all_of_it_is_drawn_from_evenly(self):
        match = moments(4)[10]
        pool, _ = draw_pool(array_of(match.observed(match.actor)), match.actor, 7, MOST_EFFORT)
        drawn = match.observation().determinize(2000, seed=7, by="belief").states["hand"]
        of_candidates = [
            determinize(match.observed(match.actor), match.actor, new_stream(7, int(candidate))).hand
            for candidate in {*pool.tolist()}
        ]
        assert {hands.tobytes() for hands in drawn} <= {hands.tobytes() for hands in of_candidates}
        most = np.bincount(pool - FIRST_CANDIDATE).max() / len(pool)
        often = np.unique(drawn, axis=0, return_counts=True)[1].max() / len(drawn)
        assert often == pytest.approx(most, rel=0.4)

    def test_two_games_that_the_seat_cannot_tell_apart_have_the_same(self):
        for match in moments(5)[::5]:
            twin = match.copy()
            twin.state.hand[:] = determinize(match.observed(match.actor), match.actor, new_stream(1)).hand
            assert twin.state.hand.tolist() != match.state.hand.tolist()
            assert pool_of(twin) == pool_of(match)

    def test_the_effort_limits_its_cost(self):
        match = moments(3)[20]
        for effort in (500, 2000, 8000):
            pool, evaluated = pool_of(match, effort)
            assert 0.5 * effort < evaluated <= 1.5 * effort
            assert len(pool) > 10

    def test_is_empty_if_it_would_cost_too_much_or_nothing_may_be_spent(self):
        match = moments(3)[20]
        assert [len(pool_of(match, effort)[0]) for effort in (0, 10)] == [0, 0]
        assert pool_of(match, 0)[1] == 0

    def test_is_empty_before_the_others_have_acted(self):
        match = parlour.make("tricky-tribes", players=4, exchange=False).start(seed=1)
        assert pool_of(match) == ([], 0)

    @pytest.mark.parametrize(
        "game", [game for game in all_games() if game.id != "tricky-tribes"], ids=lambda game: game.id
    )
    def test_is_empty_in_games_without_undo(self, game):
        match = parlour.make(game.id).start(seed=1)
        pool, evaluated = draw_pool(array_of(match.observed(match.actor)), match.actor, 7, ENOUGH)
        assert pool is NO_POOL
        assert evaluated == 0
