"""Searches: nothing but what a seat may know decides; ends are played exactly; chances are what they are called."""

from itertools import pairwise

import numpy as np
import pytest

from parlour.bots import compiled_observation_of, find_bot
from parlour.bots import search as search_module
from parlour.bots.endgame import DEEPEST, LEVEL, solve
from parlour.bots.levels import Level, mixed, search_for
from parlour.bots.lookahead import final_worth
from parlour.bots.search import A_TREE_NEEDS, WORSE, Search, believed_values, fit_lead_model
from parlour.bots.tree import KNOWN_WELL, UNSEEN_ACTION, edge_of
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
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
    """A match played by rule of thumb, at each decision with more than one action."""
    match, random = Match(Setup(game, players, given or {}), steps=COMPILED, watched=False), new_stream(seed)
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
    """What others do unseen is one edge of the tree, whatever it was; what they show is not."""

    def test_face_down_cards_are_one_edge_to_the_others_and_many_to_their_player(self) -> None:
        match = next(match for match in decisions(find_game("tricky-tribes"), 4, 1) if match.state.played > 0)
        other = (match.actor + 1) % 4
        assert {edge_of(match.state, action, other) for action in match.moves()} == {UNSEEN_ACTION}
        assert {edge_of(match.state, action, match.actor) for action in match.moves()} == set(match.moves())

    def test_cards_laid_openly_are_an_edge_each(self) -> None:
        match = next(match for match in decisions(find_game("trick-walls"), 4, 1))
        other = (match.actor + 1) % 4
        assert {edge_of(match.state, action, other) for action in match.moves()} == set(match.moves())


@pytest.mark.slow
class TestTrees:
    def test_what_others_do_is_looked_into_only_after_what_has_been_tried_often(self) -> None:
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

    @pytest.mark.parametrize(("playouts", "grown"), [(A_TREE_NEEDS - 1, False), (A_TREE_NEEDS + 1, True)])
    def test_one_is_grown_with_enough_effort(self, playouts, grown, monkeypatch: pytest.MonkeyPatch) -> None:
        search, done = searching(next(decisions(find_game("castle-walls"), 2, 1))), []
        monkeypatch.setattr(search, "grow_tree", lambda effort: done.append(True))
        monkeypatch.setattr(search, "halve", lambda effort: done.append(False))
        search.think(int(playouts * search.cost()), tree=True)
        assert done == [grown]

    def test_none_is_where_only_another_action_than_the_heuristics_leaves_the_turn_with_the_seat(self) -> None:
        """Trime Kicker: who draws may go on, and who declines, as the rule of thumb does, may not."""
        declining = next(
            match
            for match in decisions(find_game("trime-kicker"), 2, 1)
            if sorted(map(match.notation, match.moves())) == ["decline", "draw"]
        )
        assert not searching(declining).turn_goes_on()


def brute_force(state, seat: int) -> float:
    """What an end is worth to a seat if everyone plays best for the own side, by trying everything."""
    if state.actor == rules.OVER:
        return float(final_worth(state, seat, np.zeros(rules.MAX_SEATS, np.int64), np.zeros(2)))
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
    def test_where_all_is_known_the_values_are_those_of_best_play(self) -> None:
        """Late in Trime Kicker a player who has seen all other cards knows the opponent's hand."""
        checked = 0
        for seed in range(40):
            ends = [copy_state(m.state) for m in decisions(find_game("trime-kicker"), 2, seed) if known_end(m)]
            for state in ends[-2:]:
                seat = int(state.actor)
                match = Match(Setup(find_game("trime-kicker"), 2), steps=COMPILED, watched=False).imagined(state)
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

    def test_of_ends_that_are_won_alike_the_one_with_the_greater_lead_is_better(self) -> None:
        """Trick Walls, the last tricks, with all cards open."""
        worths = set()
        for seed in range(4):
            ends = [copy_state(match.state) for match in decisions(find_game("trick-walls"), 4, seed, {"rounds": 1})]
            for state in ends[-4:]:
                states, levels = new_states(state.dtype, DEEPEST + 1), np.zeros(DEEPEST + 1, LEVEL)
                states[0], seat = state, int(state.actor)
                found = solve(states, levels, seat, np.zeros(rules.MAX_SEATS, np.int64), np.zeros(2), 10_000)
                assert found == pytest.approx(brute_force(state, seat), abs=1e-9)
                worths.add(found)
        assert len(worths) > 3

    def test_an_end_too_far_away_is_left_alone(self) -> None:
        match = next(decisions(find_game("trick-walls"), 4, 1))
        assert not search_for(compiled_observation_of(match, new_stream(1))).settle(1000)

    @pytest.mark.parametrize(("players", "settled"), [(2, True), (3, False)])
    def test_more_than_two_sides_are_left_alone(self, players, settled, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whatever is known, and however near the end is."""
        monkeypatch.setattr(search_module, "FEW_UNKNOWN", 52)
        monkeypatch.setattr(Search, "solve", lambda *_: True)
        match = next(decisions(find_game("tricky-tribes"), players, 1))
        assert searching(match).settle(1) == settled


def searching(match: Match) -> Search:
    """A search that has learned nothing yet."""
    observation = compiled_observation_of(match, new_stream(1))
    return Search(observation.state, observation.seat, observation.moves, 5, lead_model=(np.zeros(2), 0.0))


def known_end(match: Match) -> bool:
    """Whether the seat to act knows every card and few are left to play."""
    from parlour.engine.information.determinization import hidden_from

    state = match.observed(match.actor)
    left = sum(int(state.hand[seat]).bit_count() for seat in range(2))
    return int(hidden_from(state, match.actor)) == 0 and left <= 5


class TestProspects:
    """What a standing between rounds is worth is learned from matches played on."""

    def test_a_lead_that_always_wins_is_worth_nearly_everything(self) -> None:
        leads = np.array([-20.0, -10.0, 10.0, 20.0] * 50)
        constant, slope = fit_lead_model(leads, (leads > 0).astype(float))
        assert 1 / (1 + np.exp(-(constant + slope * 20))) > 0.95
        assert 1 / (1 + np.exp(-(constant - slope * 20))) < 0.05

    @pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
    def test_where_leads_tell_nothing_every_standing_is_worth_the_mean(self, share: float) -> None:
        constant, slope = fit_lead_model(np.full(400, 7.0), np.full(400, share))
        assert 1 / (1 + np.exp(-(constant + slope * 7))) == pytest.approx(share, abs=0.02)

    def test_a_lead_is_never_worth_less_than_none(self) -> None:
        _, slope = fit_lead_model(np.array([-1.0, 1.0] * 100), np.array([1.0, 0.0] * 100))
        assert slope == 0


class TestMixedStrategy:
    """Where cards are hidden a choice that can be foreseen can be exploited: the played action is drawn."""

    def test_actions_of_equal_worth_are_equally_likely(self) -> None:
        assert mixed(np.array([0.5, 0.5, 0.1]), np.ones(3), 0.01)[:2] == pytest.approx([0.5, 0.5])

    def test_an_action_worse_by_the_temperature_is_chosen_a_third_as_often(self) -> None:
        best, worse = mixed(np.array([0.5, 0.48]), np.ones(2), 0.02)
        assert worse / best == pytest.approx(np.exp(-1))

    def test_what_was_hardly_tried_is_never_chosen(self) -> None:
        assert mixed(np.array([0.9, 0.2]), np.array([0, 1]), 0.02).tolist() == [0, 1]


class TestBelief:
    """Of many actions the best looks better than it is, so a gain is believed as far as it is known."""

    def values(self, gain: float, tried: int) -> np.ndarray:
        """What two actions are taken to be worth: one that brings 0.5, and one that gained so much each time."""
        visits, gains = np.full(2, float(tried)), np.array([0.0, gain])
        return believed_values(visits, 0.5 * tried, tried * gains, tried * gains**2)

    def test_the_heuristics_choice_is_worth_what_it_brought(self) -> None:
        assert self.values(0.2, 7)[0] == pytest.approx(0.5)

    def test_what_was_gained_in_very_many_determinizations_is_believed(self) -> None:
        assert self.values(0.2, 10_000)[1] == pytest.approx(0.7, abs=1e-3)

    def test_an_action_tried_once_is_estimated_a_little_worse_for_every_gain(self) -> None:
        for gain in (-0.3, 0.0, 0.3):
            assert self.values(gain, 1)[1] == pytest.approx(0.5 - WORSE, abs=0.006)

    def test_in_between_it_comes_nearer_with_every_determinization(self) -> None:
        found = [self.values(0.2, tried)[1] for tried in (1, 10, 100, 1000)]
        assert found == sorted(found)
        assert 0.5 < found[1] < 0.7


class TestSequentialHalving:
    def test_a_move_that_wins_at_once_is_found(self) -> None:
        """In 3 Tricks a player who can lay a third trick wins by laying it."""
        game = find_game("three-tricks")
        for seed in range(30):
            for match in decisions(game, 2, seed):
                third = [a for a in match.moves() if match.notation(a).count(" ") == 3 and lays(match, a)]
                if third and match.state.laid[match.actor] == 2:
                    assert Level(effort=3000).choose(compiled_observation_of(match, new_stream(1))) in third
                    return
        raise AssertionError("no such position was found")

    def test_the_better_half_is_tried_further_beside_the_choice_of_the_heuristic(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        search, tried = searching(next(decisions(find_game("castle-walls"), 2, 1))), []
        worth = np.roll(np.arange(len(search.moves)), 3)

        def try_out(which, determinizations: int) -> None:
            tried.append(which.tolist())
            search.values[which] = worth[which]

        monkeypatch.setattr(search, "try_out", try_out)
        search.halve(10_000)
        assert tried[-1] == [0, worth[1:].argmax() + 1]
        assert all(set(after) < set(before) for before, after in pairwise(tried[1:]))

    def test_what_was_tried_a_quarter_as_often_as_the_others_is_relied_on(self) -> None:
        search = searching(next(decisions(find_game("castle-walls"), 2, 1)))
        search.visits = np.array([25.0, 100.0, 24.0])
        assert search.reliable().tolist() == [True, True, False]

    @pytest.mark.parametrize(
        ("visits", "values", "eligible"),
        [
            ([10, 10, 10, 10], [0.5, 0.51, 0.49, 0.5], [True, True, False, True]),
            ([10, 10, 10, 1], [0.5, 0.48, 0.49, 0.9], [True, False, False, False]),
            ([1, 10, 10, 10], [0.5, 0.48, 0.49, 0.47], [False, False, True, False]),
            ([1, 10, 10, 10], [0.5, 0.51, 0.49, 0.52], [False, True, False, True]),
        ],
        ids=["no worse than the first", "not hardly tried", "the best of worse ones", "a first one hardly tried"],
    )
    def test_what_seems_worse_than_the_choice_of_the_heuristic_is_not_chosen(self, visits, values, eligible) -> None:
        search = searching(next(decisions(find_game("castle-walls"), 2, 1)))
        search.visits, search.values = np.array(visits, float), np.array(values)
        assert search.eligible().tolist() == eligible

    def test_the_effort_is_about_what_was_asked_for(self) -> None:
        match = next(decisions(find_game("trick-walls"), 4, 1))
        observation = compiled_observation_of(match, new_stream(1))
        search = Search(observation.state, observation.seat, observation.moves, 5)
        before = search.steps
        search.think(50_000)
        assert 25_000 < search.steps - before < 100_000


def lays(match: Match, action: int) -> bool:
    return match.notation(action).startswith("lay")


class TestSettings:
    @pytest.mark.parametrize("text", ["search:strength=3", "search:effort=much", "search:"])
    def test_a_search_that_makes_no_sense_is_refused_with_what_would(self, text: str) -> None:
        with pytest.raises(
            ParlourError, match="it has effort, habit, slips, memory, temperature, tree, as in effort=20000"
        ):
            find_bot(text)

    @pytest.mark.parametrize(
        ("text", "range_"),
        [
            ("effort=-5", "effort is from 0 to 1,000,000,000,000"),
            ("effort=99999999999999999999", "effort is from 0 to"),
            ("habit=900", "habit is from 0 to 100"),
            ("tree=9", "tree is from 0 to 1"),
            ("temperature=nan", "temperature is from 0 to 100"),
        ],
    )
    def test_a_number_out_of_range_is_refused_with_the_range(self, text: str, range_: str) -> None:
        with pytest.raises(ParlourError, match=range_):
            find_bot(f"search:{text}")
