"""Searches: decisions by the observation only, exact ends, and mixed strategies."""

from itertools import pairwise

import numpy as np
import pytest

from parlour.bots import compiled_observation_of, find_bot
from parlour.bots import search as search_module
from parlour.bots.endgame import DEEPEST, LEVEL, solve
from parlour.bots.levels import Level, mixed_strategy, search_for
from parlour.bots.lookahead import final_worth, new_lead_model
from parlour.bots.search import FEWEST_TREE_PLAYOUTS, PRIOR_LOSS, Search, fit_lead_model, posterior_values
from parlour.bots.tree import KNOWN_WELL, UNSEEN_ACTION, edge_of
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.information.belief import MOST_EFFORT
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import CHANCE, copy_state, new_states
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game

MOST_PLAYERS = [(game, game.players[-1]) for game in all_games()]


def name(value: object) -> str:
    return value.id if isinstance(value, Game) else str(value)


def decisions(game: Game, players: int, seed: int, given: dict | None = None):
    """Yield a match played by the rule of thumb, at each decision with more than one action."""
    match, random = Match(Setup(game, players, given or {}), steps=COMPILED, observed=False), new_stream(seed)
    thumb = find_bot("thumb")
    while True:
        while match.actor == CHANCE:
            match.apply_chance(match.sample_chance(StreamRandomness(random)))
        if match.over:
            return
        if len(match.moves()) > 1:
            yield match
        match.apply_move(thumb.choose(compiled_observation_of(match, random)))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), MOST_PLAYERS, ids=name)
class TestLegality:
    def test_a_search_plays_a_legal_action(self, game: Game, players: int) -> None:
        bot, random = find_bot("search:effort=500,temperature=0.05"), new_stream(2)
        for number, match in enumerate(decisions(game, players, 3)):
            if number == 25:
                break
            assert bot.choose(compiled_observation_of(match, random)) in match.moves()


class TestUnseenActions:
    """Hidden actions of others are one edge of the tree; visible ones have an edge each."""

    def test_face_down_cards_are_one_edge_to_others_and_many_to_their_player(self) -> None:
        match = next(match for match in decisions(find_game("tricky-tribes"), 4, 1) if match.state.played > 0)
        other = (match.actor + 1) % 4
        assert {edge_of(match.state, action, other) for action in match.moves()} == {UNSEEN_ACTION}
        assert {edge_of(match.state, action, match.actor) for action in match.moves()} == set(match.moves())

    def test_open_cards_have_an_edge_each(self) -> None:
        match = next(match for match in decisions(find_game("trick-walls"), 4, 1))
        other = (match.actor + 1) % 4
        assert {edge_of(match.state, action, other) for action in match.moves()} == set(match.moves())


@pytest.mark.slow
class TestTrees:
    def test_other_seats_use_the_tree_only_after_many_visits(self) -> None:
        match = next(match for match in decisions(find_game("castle-walls"), 2, 1) if len(match.events) > 20)
        search = search_for(compiled_observation_of(match, new_stream(1)))
        nodes = search._grow(60_000, [])
        tried, others = [0], []
        for node in tried:
            child = nodes[node].first
            while child >= 0:
                tried.append(int(child))
                if nodes[child].by != search.seat:
                    others.append(node)
                child = nodes[child].next
        assert others, "the search tries only one action"
        assert all(nodes[node].visits >= KNOWN_WELL for node in others)
        assert any(nodes[node].visits < KNOWN_WELL for node in tried)

    @pytest.mark.parametrize(
        ("playouts", "grown"), [(FEWEST_TREE_PLAYOUTS - 1, False), (FEWEST_TREE_PLAYOUTS + 1, True)]
    )
    def test_a_large_effort_grows_a_tree(self, playouts, grown, monkeypatch: pytest.MonkeyPatch) -> None:
        search, done = new_search(next(decisions(find_game("castle-walls"), 2, 1))), []
        monkeypatch.setattr(search, "grow_tree", lambda effort: done.append(True))
        monkeypatch.setattr(search, "halve", lambda effort: done.append(False))
        search.think(int(playouts * search.cost()), tree=True)
        assert done == [grown]

    @pytest.mark.parametrize("effort", [0, 1])
    def test_a_duel_visits_both_moves_with_any_effort(self, effort: int) -> None:
        """A playout of a whole game takes far more actions."""
        search = new_search(next(decisions(find_game("castle-walls"), 2, 1)))
        values = search.duel(int(search.moves[0]), int(search.moves[1]), effort)
        assert values[2] == 1
        assert all(-1 < value < 2 for value in values[:2])  # a share of first place and a little for the lead

    def test_no_tree_if_only_another_action_than_the_heuristics_keeps_the_turn(self) -> None:
        """In Trime Kicker a seat that draws keeps the turn; one that declines, as the heuristic does, loses it."""
        declining = next(
            match
            for match in decisions(find_game("trime-kicker"), 2, 1)
            if sorted(map(match.notation, match.moves())) == ["decline", "draw"]
        )
        assert not new_search(declining).turn_goes_on()


def brute_force(state, seat: int) -> float:
    """Return an end's value to a seat if every seat plays best for its side, by full enumeration."""
    if state.actor == rules.OVER:
        return float(final_worth(state, seat, np.zeros(rules.MAX_SEATS, np.int64), new_lead_model()))
    actions = np.zeros(rules.MAX_ACTIONS, np.int64)
    results = []
    for action in actions[: rules.legal(state, actions)].tolist():
        after = copy_state(state)
        rules.play(after, action)
        results.append(brute_force(after, seat))
    ours = int(rules.partners(state, seat)) >> int(state.actor) & 1
    return max(results) if ours else min(results)


@pytest.mark.slow
class TestExactEnds:
    def test_values_of_known_positions_are_those_of_best_play(self) -> None:
        """Late in Trime Kicker a player who has seen all other cards knows the opponent's hand."""
        checked = 0
        for seed in range(40):
            ends = [copy_state(m.state) for m in decisions(find_game("trime-kicker"), 2, seed) if is_known_end(m)]
            for state in ends[-2:]:
                seat = int(state.actor)
                match = Match(Setup(find_game("trime-kicker"), 2), steps=COMPILED, observed=False).imagined(state)
                search = search_for(compiled_observation_of(match, new_stream(1)))
                assert search.settle(100_000)
                for action, value in zip(search.moves, search.values, strict=True):
                    after = copy_state(state)
                    rules.play(after, int(action))
                    assert value == pytest.approx(brute_force(after, seat), abs=1e-9)
                checked += 1
            if checked >= 6:
                return
        raise AssertionError("no such end was found")

    def test_a_greater_lead_breaks_ties_between_won_ends(self) -> None:
        """The last tricks of Trick Walls, with all cards open."""
        worths = set()
        for seed in range(4):
            ends = [copy_state(match.state) for match in decisions(find_game("trick-walls"), 4, seed, {"rounds": 1})]
            for state in ends[-4:]:
                states, levels = new_states(state.dtype, DEEPEST + 1), np.zeros(DEEPEST + 1, LEVEL)
                states[0], seat = state, int(state.actor)
                found = solve(states, levels, seat, np.zeros(rules.MAX_SEATS, np.int64), new_lead_model(), 10_000)
                assert found == pytest.approx(brute_force(state, seat), abs=1e-9)
                worths.add(found)
        assert len(worths) > 3

    def test_a_distant_end_is_not_solved(self) -> None:
        match = next(decisions(find_game("trick-walls"), 4, 1))
        assert not search_for(compiled_observation_of(match, new_stream(1))).settle(1000)

    @pytest.mark.parametrize(("players", "settled"), [(2, True), (3, False)])
    def test_ends_of_more_than_two_sides_are_not_solved(
        self, players, settled, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Also with full information near the end."""
        monkeypatch.setattr(search_module, "FEW_UNKNOWN", 52)
        monkeypatch.setattr(Search, "solve", lambda *_: True)
        match = next(decisions(find_game("tricky-tribes"), players, 1))
        assert new_search(match).settle(1) == settled


def new_search(match: Match) -> Search:
    """Return a search without prior results."""
    observation = compiled_observation_of(match, new_stream(1))
    return Search(observation.state, observation.seat, observation.moves, 5, lead_model=(new_lead_model(), 0.0))


def is_known_end(match: Match) -> bool:
    """Return whether the seat to act knows every card and few are left to play."""
    from parlour.engine.information.determinization import hidden_from

    state = match.observed(match.actor)
    left = sum(int(state.hand[seat]).bit_count() for seat in range(2))
    return int(hidden_from(state, match.actor)) == 0 and left <= 5


class TestProspects:
    """The value of a score between rounds is learned from completed matches."""

    def test_a_lead_that_always_wins_has_nearly_full_value(self) -> None:
        leads = np.array([-20.0, -10.0, 10.0, 20.0] * 50)
        constant, slope = fit_lead_model(leads, (leads > 0).astype(float))
        assert 1 / (1 + np.exp(-(constant + slope * 20))) > 0.95
        assert 1 / (1 + np.exp(-(constant - slope * 20))) < 0.05

    @pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
    def test_uninformative_leads_have_the_mean_value(self, share: float) -> None:
        constant, slope = fit_lead_model(np.full(400, 7.0), np.full(400, share))
        assert 1 / (1 + np.exp(-(constant + slope * 7))) == pytest.approx(share, abs=0.02)

    def test_a_lead_has_at_least_the_value_of_no_lead(self) -> None:
        _, slope = fit_lead_model(np.array([-1.0, 1.0] * 100), np.array([1.0, 0.0] * 100))
        assert slope == 0

    def test_every_game_that_it_is_learned_from_has_a_share_of_first_place(self, monkeypatch) -> None:
        """Also where the first games go on after this round, and the next ones end with it."""
        learned_from = []
        fit = lambda leads, shares: learned_from.append(shares) or fit_lead_model(leads, shares)  # noqa: E731
        monkeypatch.setattr(search_module, "fit_lead_model", fit)
        match, random = Match(Setup(find_game("tricky-tribes"), 4), steps=COMPILED), new_stream(1)
        while len(match.events) < 156:
            if match.actor == CHANCE:
                match.apply_chance(match.sample_chance(StreamRandomness(random)))
            else:
                match.apply_move(match.moves()[0])
        observation = compiled_observation_of(match, new_stream(1))
        Search(observation.state, observation.seat, observation.moves, 5, lead_model=64)
        assert len(learned_from[0]) == 64
        assert (learned_from[0] >= 0).all()


class TestPoints:
    """A search for points values the lead at the end of the round, not the probability of winning."""

    @pytest.mark.parametrize("game_id", ["trime-kicker", "trick-walls"])
    def test_values_are_proportional_to_leads(self, game_id: str) -> None:
        match = next(decisions(find_game(game_id), 2, 1))
        observation = compiled_observation_of(match, new_stream(1))
        search = search_for(observation, points=1)
        values, leads = search.try_out(np.arange(2), 30)
        slope = (values.max() - values.min()) / (leads.max() - leads.min())
        assert slope > 0
        assert values == pytest.approx(0.5 + slope * leads)

    def test_a_level_plays_for_points_if_its_setting_says_so(self) -> None:
        match = next(decisions(find_game("trime-kicker"), 2, 1))
        observation = compiled_observation_of(match, new_stream(1))
        wins, points = (Level(effort=2000, points=each).search(observation).values for each in (0, 100))
        assert not np.allclose(wins, points)


class TestMixedStrategy:
    """With hidden cards a predictable choice can be exploited, so the action is drawn at random."""

    def test_actions_of_equal_value_are_equally_likely(self) -> None:
        assert mixed_strategy(np.array([0.5, 0.5, 0.1]), np.ones(3), 0.01)[:2] == pytest.approx([0.5, 0.5])

    def test_an_action_worse_by_the_temperature_is_chosen_a_third_as_often(self) -> None:
        best, worse = mixed_strategy(np.array([0.5, 0.48]), np.ones(2), 0.02)
        assert worse / best == pytest.approx(np.exp(-1))

    def test_rarely_tried_actions_are_never_chosen(self) -> None:
        assert mixed_strategy(np.array([0.9, 0.2]), np.array([0, 1]), 0.02).tolist() == [0, 1]


@pytest.mark.slow
class TestBelief:
    @pytest.fixture
    def late(self) -> Match:
        return next(match for match in decisions(find_game("tricky-tribes"), 4, 1) if match.state.tricks == 4)

    @pytest.mark.parametrize(("percent", "weighed"), [(0, False), (8, True), (60, True)])
    def test_the_setting_is_the_share_of_the_effort_that_weighs_determinizations(self, late, percent, weighed):
        observation = compiled_observation_of(late, new_stream(1))
        without = search_for(observation, 20_000, belief=0).steps
        observation.random[:] = new_stream(1)
        steps = search_for(observation, 20_000, belief=percent / 100).steps - without
        assert steps == pytest.approx(200 * percent, rel=0.25)
        assert bool(steps) == weighed

    def test_without_a_limit_of_the_effort_it_takes_what_is_worth_it(self, late):
        observation = compiled_observation_of(late, new_stream(1))
        without = search_for(observation, belief=0).steps
        observation.random[:] = new_stream(1)
        assert search_for(observation).steps - without == pytest.approx(MOST_EFFORT, rel=0.1)

    def test_the_setting_has_no_effect_on_a_game_without_undo(self):
        match = next(match for match in decisions(find_game("trick-walls"), 4, 1) if match.state.tricks == 4)
        found = []
        for belief in (0, 0.5):
            search = search_for(compiled_observation_of(match, new_stream(1)), 20_000, belief=belief)
            search.halve(2000)
            found.append((search.steps, search.values.tolist()))
        assert found[0] == found[1]


class TestPosterior:
    """The best of many estimates is biased upwards, so gains are shrunk by their uncertainty."""

    def values(self, gain: float, tried: int) -> np.ndarray:
        """Return the estimates of two actions: one with mean 0.5, and one with a constant gain over it."""
        visits, gains = np.full(2, float(tried)), np.array([0.0, gain])
        return posterior_values(visits, 0.5 * tried, tried * gains, tried * gains**2)

    def test_the_heuristics_action_is_not_shrunk(self) -> None:
        assert self.values(0.2, 7)[0] == pytest.approx(0.5)

    def test_a_gain_in_very_many_determinizations_is_not_shrunk(self) -> None:
        assert self.values(0.2, 10_000)[1] == pytest.approx(0.7, abs=1e-3)

    def test_an_action_tried_once_is_estimated_a_little_worse_for_every_gain(self) -> None:
        for gain in (-0.3, 0.0, 0.3):
            assert self.values(gain, 1)[1] == pytest.approx(0.5 - PRIOR_LOSS, abs=0.006)

    def test_shrinkage_falls_with_the_number_of_determinizations(self) -> None:
        found = [self.values(0.2, tried)[1] for tried in (1, 10, 100, 1000)]
        assert found == sorted(found)
        assert 0.5 < found[1] < 0.7


class TestSequentialHalving:
    def test_an_immediate_win_is_found(self) -> None:
        """In 3 Tricks a player who can lay a third trick wins by laying it."""
        game = find_game("three-tricks")
        for seed in range(30):
            for match in decisions(game, 2, seed):
                third = [a for a in match.moves() if match.notation(a).count(" ") == 3 and lays(match, a)]
                if third and match.state.laid[match.actor] == 2:
                    assert Level(effort=3000).choose(compiled_observation_of(match, new_stream(1))) in third
                    return
        raise AssertionError("no such position was found")

    def test_the_better_half_and_the_heuristics_action_stay(self, monkeypatch: pytest.MonkeyPatch) -> None:
        search, tried = new_search(next(decisions(find_game("castle-walls"), 2, 1))), []
        worth = np.roll(np.arange(len(search.moves)), 3)

        def try_out(which, determinizations: int) -> None:
            tried.append(which.tolist())
            search.values[which] = worth[which]

        monkeypatch.setattr(search, "try_out", try_out)
        search.halve(10_000)
        assert tried[-1] == [0, worth[1:].argmax() + 1]
        assert all(set(after) < set(before) for before, after in pairwise(tried))

    def test_an_action_with_a_quarter_of_the_trials_can_be_chosen(self) -> None:
        search = new_search(next(decisions(find_game("castle-walls"), 2, 1)))
        search.visits = np.array([25.0, 100.0, 24.0])
        assert search.reliable().tolist() == [True, True, False]

    @pytest.mark.parametrize(
        ("visits", "values", "eligible"),
        [
            ([10, 10, 10, 10], [0.5, 0.51, 0.49, 0.5], [True, True, False, True]),
            ([10, 10, 10, 1], [0.5, 0.48, 0.49, 0.9], [True, False, False, False]),
            ([1, 10, 10, 10], [0.5, 0.48, 0.49, 0.47], [False, False, True, False]),
            ([1, 10, 10, 10], [0.5, 0.51, 0.49, 0.52], [False, True, False, True]),
            ([0, 10, 10, 10], [0.0, 0.51, 0.49, 0.52], [False, False, False, True]),
            ([0, 10, 10, 10], [0.0, -0.2, -0.1, -0.3], [False, False, True, False]),
        ],
        ids=[
            "no worse than the first",
            "not hardly tried",
            "the best of worse ones",
            "a first one hardly tried",
            "a first one never tried",
            "none but losing ones tried",
        ],
    )
    def test_an_action_estimated_below_the_heuristics_is_not_chosen(self, visits, values, eligible) -> None:
        search = new_search(next(decisions(find_game("castle-walls"), 2, 1)))
        search.visits, search.values = np.array(visits, float), np.array(values)
        assert search.eligible().tolist() == eligible

    @pytest.mark.parametrize("game", ["trick-walls", "tricky-tribes", "castle-walls"])
    def test_the_effort_is_about_the_requested_one_with_the_matches_that_value_scores(self, game: str) -> None:
        match = next(decisions(find_game(game), find_game(game).usual_players, 1))
        search = Level(effort=10_000).search(compiled_observation_of(match, new_stream(1)))
        assert 5_000 < search.steps < 13_000

    def test_little_effort_tries_fewer_actions(self, monkeypatch: pytest.MonkeyPatch) -> None:
        search, tried = new_search(next(decisions(find_game("castle-walls"), 2, 1))), []
        monkeypatch.setattr(search, "try_out", lambda which, determinizations: tried.append(len(which)))
        for playouts in (10, 16 * 7):
            search.halve(int(playouts * search.cost()) + 1)
        assert tried[0] == 4
        assert 7 in tried


def lays(match: Match, action: int) -> bool:
    return match.notation(action).startswith("lay")


class TestSettings:
    @pytest.mark.parametrize("text", ["search:strength=3", "search:effort=9,much", "search:"])
    def test_an_inconsistent_search_is_refused_with_an_alternative(self, text: str) -> None:
        settings = "effort, habit, slips, lapses, memory, temperature, tree, learned, points, belief"
        with pytest.raises(ParlourError, match=f"it has {settings}, as in effort=20000"):
            find_bot(text)

    @pytest.mark.parametrize(
        ("text", "range_"),
        [
            ("effort=much", "effort is a whole number from 0"),
            ("effort=-5", "effort is a whole number from 0 to 1,000,000,000"),
            ("effort=99999999999999999999", "effort is a whole number from 0 to"),
            ("habit=900", "habit is a whole number from 0 to 100"),
            ("tree=9", "tree is a whole number from 0 to 1"),
            ("temperature=nan", "temperature is a number from 0 to 100"),
        ],
    )
    def test_a_number_out_of_range_is_refused_with_the_range(self, text: str, range_: str) -> None:
        with pytest.raises(ParlourError, match=range_):
            find_bot(f"search:{text}")
