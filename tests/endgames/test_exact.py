"""Exact endgames: equilibria of games of known value, the content of endgame trees, and distances of bots."""

import json
from collections import Counter
from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import sparse

from parlour.bots import BuiltinBot, CompiledObservation, find_bot
from parlour.bots.compiled_observation import compiled_observation_of
from parlour.bots.endgame import DEEPEST, LEVEL, solve
from parlour.bots.lookahead import new_lead_model
from parlour.cli import main
from parlour.endgames import action_values, equilibrium, exact
from parlour.endgames.common_knowledge import TooLargeError, common_knowledge_of, reveal_origins
from parlour.endgames.endgame_tree import EndgameTree, InformationSet, TreeLimits, build_tree, endgame_tree_of
from parlour.endgames.exact import Distance, SolvedEndgame, decisions_of, distance_of, position_of, strategy_of
from parlour.engine.chance import new_stream, random_below
from parlour.engine.game import MAX_EVENTS
from parlour.engine.information.determinization import determinize_many, new_table, observed_state
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import (
    CHANCE,
    MAX_ACTIONS,
    MAX_CARDS,
    MAX_SEATS,
    array_of,
    copy_state,
    legal,
    new_states,
    play,
)
from parlour.engine.setup import Setup
from parlour.engine.simulation.playouts import play_games
from parlour.games import find_game
from parlour.inference import share_bound
from parlour.jobs.tasks import Placement

SMALL = TreeLimits(worlds=2000, nodes=6000, sequences=2000)


class Chart:
    """An endgame tree built by hand: each seat's information sets by name, then the ends."""

    def __init__(self) -> None:
        self.game = EndgameTree(1)
        self.names: tuple[dict, dict] = ({}, {})
        self.ends: list[tuple[int, int, float]] = []

    def decide(self, seat: int, name: str, number: int = 2, before: int = 0) -> int:
        """Return the first sequence of an information set with ``number`` actions."""
        if name not in self.names[seat]:
            first = self.game.sequences[seat]
            self.names[seat][name] = first
            self.game.sets[seat].append(InformationSet(None, np.arange(number), before, first))
            self.game.sequences[seat] += number
        return self.names[seat][name]

    def to_tree(self) -> EndgameTree:
        rows, columns, values = zip(*self.ends, strict=True)
        self.game.payoffs = sparse.csr_matrix((values, (rows, columns)), shape=tuple(self.game.sequences))
        return self.game


def one_choice_each(shares: list[list[float]]) -> EndgameTree:
    """Return a tree in which both choose at once: seat 0 a row, seat 1 a column."""
    chart = Chart()
    first, second = chart.decide(0, "row", len(shares)), chart.decide(1, "column", len(shares[0]))
    for row, line in enumerate(shares):
        chart.ends += [(first + row, second + column, share) for column, share in enumerate(line)]
    return chart.to_tree()


def kuhn_poker() -> EndgameTree:
    """Return Kuhn's poker with three cards ("A simplified two-person poker", 1950), −2 to 2 scaled to 0 to 1."""
    chart = Chart()
    for own, other in permutations(range(3), 2):
        first = chart.decide(0, f"{own}")  # to check or to bet
        checked = chart.decide(1, f"{other} after a check")
        bet = chart.decide(1, f"{other} after a bet")  # to fold or to call
        again = chart.decide(0, f"{own} after a check and a bet", before=first)
        sign = 1 if own > other else -1
        ends = [
            (first, checked, sign), (again, checked + 1, -1), (again + 1, checked + 1, 2 * sign),
            (first + 1, bet, 1), (first + 1, bet + 1, 2 * sign),
        ]  # fmt: skip
        chart.ends += [(row, column, (won + 2) / 4 / 6) for row, column, won in ends]
    return chart.to_tree()


class TestChancesOfAPlan:
    @pytest.mark.parametrize(
        ("plan", "chances"),
        [
            ((1.0, 0.25, 0.0, 0.75), (0.25, 0.0, 0.75)),
            ((0.5, 0.1, 0.1, 0.3), (0.2, 0.2, 0.6)),
            ((1.0, -1e-3, 0.25, 0.75), (0.0, 0.25, 0.75)),
            ((0.0, 0.0, 0.0, 0.0), (1 / 3, 1 / 3, 1 / 3)),
            ((0.0, -1e-9, 0.0, -1e-9), (1 / 3, 1 / 3, 1 / 3)),
        ],
    )
    def test_they_are_its_parts_without_rounding_errors_below_0(
        self, plan: tuple[float, ...], chances: tuple[float, ...]
    ) -> None:
        tree: Any = SimpleNamespace(sets=([SimpleNamespace(after=slice(1, 4))], []))
        [found] = equilibrium.chances_by_set(tree, 0, np.array(plan))
        assert found == pytest.approx(chances)


class TestEquilibrium:
    def test_the_value_of_kuhns_poker_is_minus_an_eighteenth_to_the_first_seat(self) -> None:
        assert equilibrium.solve(kuhn_poker()).value == pytest.approx((-1 / 18 + 2) / 4)

    def test_no_seat_gains_by_another_strategy(self) -> None:
        solved = equilibrium.solve(kuhn_poker())
        assert abs(solved.gap) < 1e-9
        assert equilibrium.best_response(kuhn_poker(), 0, solved.plans[1]) == pytest.approx(solved.value)
        assert equilibrium.best_response(kuhn_poker(), 1, solved.plans[0]) == pytest.approx(1 - solved.value)

    def test_an_exploitable_choice_is_mixed(self) -> None:
        solved = equilibrium.solve(one_choice_each([[1, 0], [0, 1]]))
        assert solved.value == pytest.approx(0.5)
        assert solved.plans[0].tolist() == pytest.approx([1, 0.5, 0.5])

    def test_a_best_response_exploits_a_weakness(self) -> None:
        """Against half scissors, half paper: rock wins 1 and 0, scissors 0.5 and 1."""
        game = one_choice_each([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])
        weak = equilibrium.plan_of(game, 1, [np.array([0, 0.5, 0.5])])
        assert equilibrium.best_response(game, 0, weak) == pytest.approx(0.75)


class TestActionValues:
    @pytest.mark.parametrize("seat", [0, 1])
    def test_they_are_shares_of_the_deciding_seat_in_the_worlds_that_it_thinks_possible(
        self, monkeypatch: pytest.MonkeyPatch, seat: int
    ) -> None:
        """Three worlds are equally likely; the seat to act distinguishes the first from the two others."""
        monkeypatch.setattr(action_values, "hide_unknown_in_all", lambda *arguments: None)
        chart, shares = Chart(), {"a": (0.25, 1.0, 0.0), "b": (0.5, 0.75)}
        chart.game.roots = np.array([b"a", b"b", b"b"])
        for name, of_moves in shares.items():
            first = chart.decide(seat, name, len(of_moves))
            for move, share in enumerate(of_moves):
                place = (first + move, 0) if seat == 0 else (0, first + move)
                chart.ends.append((*place, share * chart.game.roots.tolist().count(name.encode()) / 3))
        tree = chart.to_tree()
        for each, root, of_moves in zip(tree.sets[seat], chart.game.roots, shares.values(), strict=False):
            decision = replace(each, observation=root)
            tree.sets[seat][tree.sets[seat].index(each)] = decision
            found = action_values._values(tree, seat, decision)
            assert found == pytest.approx(dict(enumerate(share if seat == 0 else 1 - share for share in of_moves)))


def ends_of(game_id: str, given: dict, number: int):
    """Return the states of a game's decisions, the last first."""
    return [state for _, state in reversed(decisions_of(Setup(find_game(game_id), 2, given), 0, number))]


def find_endgame(game_id: str, given: dict, first: int, limits: TreeLimits, wanted):
    """Return the first state near the end of a game whose endgame satisfies ``wanted``, and that endgame."""
    for number in range(first, first + 60):
        for state in ends_of(game_id, given, number):
            try:
                game = endgame_tree_of(state, limits)
            except TooLargeError:
                break
            if wanted(game):
                return state, game
    raise AssertionError("no such position was found")


def has_hidden_cards(game: EndgameTree) -> bool:
    return game.depends_on_play and game.nodes > 500 and all(game.sets)


KINDS = [("trime-kicker", {}, 7), ("trick-walls", {"rounds": 1}, 10), ("castle-walls", {"turn_limit": 45}, 4)]
"""Game, options, and the number of the game with which the search begins: it has such an end."""


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind[0])
def found_end(request):
    limits = SMALL if request.param[0] == "trime-kicker" else TreeLimits(nodes=60_000)
    return find_endgame(*request.param, limits, has_hidden_cards)


def uniform(game: EndgameTree, seat: int):
    return equilibrium.plan_of(game, seat, [np.full(len(each.moves), 1 / len(each.moves)) for each in game.sets[seat]])


@pytest.mark.slow
class TestEndgameTrees:
    def test_a_tree_without_hidden_cards_has_the_minimax_value(self) -> None:
        """The solver of ends adds 0.002 to a value for each point of the lead; the comparison rounds this away."""

        def open_one(game: EndgameTree) -> bool:
            return game.worlds == 1 and game.nodes > 100 and game.least < game.most

        given = {"long_run": True, "exchange": False, "rounds": 1}
        state, game = find_endgame("trick-walls", given, 0, SMALL, open_one)
        work, levels = new_states(state.dtype, DEEPEST + 1), np.zeros(DEEPEST + 1, LEVEL)
        work[0] = state
        worth = solve(work, levels, 0, np.zeros(MAX_SEATS, np.int64), new_lead_model(), 1_000_000)
        assert equilibrium.solve(game).value == pytest.approx(round(2 * worth) / 2)

    def test_no_strategy_improves_on_its_equilibrium(self, found_end) -> None:
        _, game = found_end
        solved = equilibrium.solve(game)
        assert abs(solved.gap) < 1e-9
        assert game.least <= solved.value <= game.most
        assert game.value_of(0, *solved.plans) + game.value_of(1, *reversed(solved.plans)) == pytest.approx(1)

    def test_random_play_wins_as_often_as_in_playouts(self, found_end) -> None:
        state, game = found_end
        start, origins = reveal_origins(state, int(state.actor), new_stream(0))
        worlds = common_knowledge_of(start, int(state.actor), all_card_slots(start, origins), origins, 20_000)
        shares = np.concatenate([playouts(world, 20_000 // len(worlds.states) + 1) for world in worlds.states])
        exact = game.value_of(0, uniform(game, 0), uniform(game, 1))
        assert abs(shares.mean() - exact) < 4 * shares.std() / np.sqrt(len(shares)) + 1e-9

    def test_cards_that_no_seat_will_see_need_one_layout(self, found_end) -> None:
        """A tree with all orders of every stock has at least as many states, but the same sequences and payoffs."""
        state, game = found_end
        start, origins = reveal_origins(state, int(state.actor), new_stream(0))
        worlds = common_knowledge_of(start, int(state.actor), all_card_slots(start, origins), origins, 20_000)
        whole, _ = build_tree(worlds, TreeLimits(nodes=2_000_000))
        assert whole.worlds >= game.worlds
        assert whole.sequences == game.sequences
        assert abs(whole.payoffs - game.payoffs).max() < 1e-12

    @pytest.mark.parametrize("found_end", KINDS[1:], indirect=True)
    def test_its_states_are_those_of_determinizations(self, found_end) -> None:
        """Each observation of the other seat is equally frequent in both, as far as the seat to act knows."""
        state, _ = found_end
        seat = int(state.actor)
        start, origins = reveal_origins(state, seat, new_stream(0))
        assert not origins, "determinizations do not know the origin of open cards"
        determinizations = new_states(state.dtype, 1000)
        determinize_many(observed_state(start, seat), seat, determinizations, new_table(), new_stream(1))
        worlds = common_knowledge_of(start, seat, set(), origins, 20_000).states
        own = observed_state(start, seat).tobytes()
        listed = frequencies([world for world in worlds if observed_state(world, seat).tobytes() == own], 1 - seat)
        drawn = frequencies(determinizations, 1 - seat)
        assert drawn.keys() <= listed.keys()
        for key, share in listed.items():
            assert abs(drawn.get(key, 0) - share) < 5 * np.sqrt(share / 1000)

    @pytest.mark.parametrize("found_end", [KINDS[0], KINDS[2]], indirect=True)
    def test_information_sets_differ_by_the_whole_history_seen(self, found_end) -> None:
        """Their number equals that of a walk through every line of play."""
        state, game = found_end
        start, origins = reveal_origins(state, int(state.actor), new_stream(0))
        by_history: tuple[set, set] = (set(), set())
        for world in common_knowledge_of(
            start, int(state.actor), all_card_slots(start, origins), origins, 20_000
        ).states:
            walk(world, ((), ()), by_history)
        assert [len(sets) for sets in by_history] == [len(sets) for sets in game.sets]


def all_card_slots(start, origins):
    """Return all card slots of both seats."""
    return {
        spot for spots in common_knowledge_of(start, int(start.actor), set(), origins, 20_000).slots for spot in spots
    }


def playouts(world, number: int):
    """Return seat 0's shares of the first place in ``number`` random playouts from a state."""
    scores, winners, lengths = np.zeros((number, MAX_SEATS), np.int64), *np.zeros((2, number), np.int64)
    room = np.zeros(MAX_ACTIONS, np.int64), np.zeros(MAX_CARDS, np.int64), new_stream(0)
    play_games(array_of(world), new_states(world.dtype, 1), 1, 0, scores, winners, lengths, *room, MAX_EVENTS)
    return np.array([0, 1, 0, 0.5])[winners]


def frequencies(states, seat: int) -> dict[bytes, float]:
    """Return the relative frequency of each observation of a seat."""
    seen = [observed_state(state, seat).tobytes() for state in states]
    return {key: number / len(seen) for key, number in Counter(seen).items()}


def walk(state, seen, found) -> None:
    """Add to ``found`` each decision with several actions, by the whole history that its seat saw and did."""
    seen = tuple((*seen[seat], observed_state(state, seat).tobytes()) for seat in range(2))
    if state.actor < 0:
        return
    seat, actions = int(state.actor), np.zeros(MAX_ACTIONS, np.int64)
    number = int(legal(state, actions))
    if number > 1:
        found[seat].add(seen[seat])
    for action in actions[:number]:
        after = copy_state(state)
        play(after, int(action))
        walk(after, tuple((*seen[other], int(action) if other == seat else -1) for other in range(2)), found)


@pytest.fixture(scope="module")
def position() -> SolvedEndgame:
    each = (position_of(Setup(find_game("trime-kicker"), 2), 0, number, SMALL) for number in range(7, 60))
    return next(position for position in each if position)


@pytest.mark.slow
class TestDistance:
    def test_a_bot_that_plays_the_equilibrium_has_distance_zero(self, position: SolvedEndgame) -> None:
        chances = {}
        for seat, plan in enumerate(position.solved.plans):
            for each in position.game.sets[seat]:
                if plan[each.before] > 0:
                    chances[seat, each.observation.tobytes()] = plan[each.after] / plan[each.before]
        perfect = BuiltinBot(
            "perfect",
            "",
            "",
            lambda observation: -1,
            mix=lambda observation: chances[observation.seat, observation.state.tobytes()],
        )
        found = distance_of(perfect, "trime-kicker", position, 1)
        assert (found.loss, found.exploitability) == pytest.approx((0, 0), abs=1e-9)

    def test_the_distance_grows_from_search_to_rule_of_thumb_to_random(self, position) -> None:
        bots = [find_bot(bot) for bot in ("search:effort=3000", "thumb", "random")]
        search, thumb, random = (distance_of(bot, "trime-kicker", position, 2) for bot in bots)
        assert -1e-9 <= search.loss <= thumb.loss <= random.loss
        assert -1e-9 <= search.exploitability <= thumb.exploitability < random.exploitability

    def test_a_best_response_gains_at_least_as_much_as_the_equilibrium(self, position: SolvedEndgame) -> None:
        for bot in ("thumb", "random", "beginner"):
            found = distance_of(find_bot(bot), "trime-kicker", position, 1)
            assert found.exploitability >= found.loss - 1e-9

    def test_a_strategy_is_the_mean_of_several_searches(self, position: SolvedEndgame) -> None:
        def coin(observation: CompiledObservation) -> int:
            return int(observation.moves[0 if random_below(observation.random, 2) else -1])

        plan = strategy_of(BuiltinBot("coin", "", "", coin), "trime-kicker", position.game, 0, 400, 1)
        first = position.game.sets[0][0]
        assert plan[first.first] == pytest.approx(0.5, abs=0.1)


@pytest.mark.slow
class TestChances:
    @pytest.mark.parametrize(
        "bot", ["beginner", "thumb", "random", "search:effort=300,habit=30,slips=10,temperature=0.1"]
    )
    def test_reported_probabilities_are_those_of_the_choices(self, bot: str) -> None:
        match = Match(Setup(find_game("castle-walls"), 2), steps=COMPILED, observed=False)
        while match.actor == CHANCE:
            match.apply_chance(match.sample_chance(StreamRandomness(new_stream(3))))
        number, looks, player = len(match.moves()), 600, find_bot(bot)
        chances = np.mean(
            [player.chances(compiled_observation_of(match, new_stream(1, at))) for at in range(looks)], axis=0
        )
        chosen = [
            match.moves().index(player.choose(compiled_observation_of(match, new_stream(2, at)))) for at in range(looks)
        ]
        assert chances.sum() == pytest.approx(1)
        assert np.abs(np.bincount(chosen, minlength=number) / looks - chances).max() < 0.1


KUHN = SolvedEndgame(0, 5, kuhn_poker(), equilibrium.solve(kuhn_poker()))


@pytest.fixture
def only_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let only the first two games have a position, that of Kuhn's poker, and every bot the same distance."""
    monkeypatch.setattr(exact, "compile_search", lambda game: None)
    monkeypatch.setattr(exact, "position_of", lambda *arguments: KUHN if arguments[2] < 2 else None)
    monkeypatch.setattr(exact, "distance_of", lambda *arguments: Distance(0.1, 0.2))


class TestStanding:
    @pytest.mark.usefixtures("only_two")
    def test_too_few_positions_print_the_results_found_and_then_the_error(self) -> None:
        result = CliRunner().invoke(
            main, ["exact", "trime-kicker", "thumb", "-n", "3", "--seed", "4", "--cores", "1", "--json"]
        )
        assert result.exit_code == 1
        assert "only 2 of 300 games have an end that is small enough" in result.stderr
        report = json.loads(result.stdout)
        assert len(report["positions"]) == len(report["bots"]["thumb"]["each"]) == 2
        assert (report["seed"], report["wanted"], report["nodes"], report["samples"]) == (4, 3, 200_000, 4)

    @pytest.mark.usefixtures("only_two")
    @pytest.mark.parametrize(("loss", "number"), [(0.009, 0), (0.01, 2)])
    def test_hard_positions_are_those_in_which_the_heuristic_loses_a_hundredth(
        self, monkeypatch: pytest.MonkeyPatch, loss: float, number: int
    ) -> None:
        losses = {"thumb": loss, "random": 0.5}
        monkeypatch.setattr(exact, "distance_of", lambda bot, *arguments: Distance(losses[bot.id], 0.6))
        arguments = ["exact", "trime-kicker", "random", "-n", "2", "--hard", "--cores", "1", "--json"]
        result = CliRunner().invoke(main, arguments)
        found = len(json.loads(result.stdout)["positions"]) if result.stdout else 0
        assert (found, result.exit_code) == (number, 0 if number else 1)
        assert number or "is decided by play, and in which the heuristic errs" in result.stderr

    @pytest.mark.usefixtures("only_two")
    def test_the_table_names_the_options(self) -> None:
        shown = (
            CliRunner()
            .invoke(main, ["exact", "trime-kicker", "thumb", "-n", "2", "-o", "ace=low", "--cores", "1"])
            .stdout
        )
        assert shown.startswith("Trime Kicker, 2 players, ace=low: the ends of 2 of 2 games\n")


@pytest.mark.slow
class TestCommand:
    def run(self, *arguments: str):
        return CliRunner().invoke(main, ["exact", *arguments, "--cores", "1"])

    def test_games_of_more_players_are_refused(self) -> None:
        result = self.run("trick-walls", "thumb")
        assert result.exit_code == 1
        assert "exact values exist for two players, not for 4" in result.output

    def test_the_same_seed_gives_the_same_report(self) -> None:
        arguments = ("trime-kicker", "thumb", "random", "-n", "2", "--nodes", "2000", "--json")
        reports = [json.loads(self.run(*arguments).stdout) for _ in range(2)]
        assert reports[0] == reports[1]
        assert len(reports[0]["positions"]) == len(reports[0]["bots"]["thumb"]["each"]) == 2
        assert reports[0]["bots"]["random"]["exploitability"]["value"] >= 0.01

    def test_the_output_is_a_table(self) -> None:
        shown = self.run("trime-kicker", "thumb", "-n", "2", "--nodes", "2000").stdout.splitlines()
        assert shown[0].startswith("Trime Kicker, 2 players: the ends of 2 of ")
        assert shown[-1].split()[0] == "thumb"


class TestMeans:
    def test_of_few_positions_with_a_loss_have_the_interval_of_few(self) -> None:
        result = exact.ExactResult(exact.ExactWork(Setup(find_game("trime-kicker"), 2), 0, ("thumb",), 1, SMALL))
        losses = [0.1] * 2 + [0.0] * 38
        result.positions = [SimpleNamespace(distances=(Distance(loss, 0.0),)) for loss in losses]  # type: ignore[misc]
        loss, exploitability = result.estimates("thumb")
        assert loss.value == pytest.approx(0.005)
        assert (loss.low, loss.high) == (0.0, pytest.approx(share_bound(2, 40)))
        assert exploitability.high == pytest.approx(share_bound(0, 40))


class TestProgress:
    @pytest.mark.usefixtures("only_two")
    def test_progress_shows_the_games_searched_and_the_nodes_solved(self) -> None:
        standing = exact.ExactResult(exact.ExactWork(Setup(find_game("trime-kicker"), 2), 0, ("thumb",), 1, SMALL))
        lines: list[tuple[int, str]] = []
        with pytest.raises(exact.TooFewError):
            exact.measure(standing, 3, Placement(1), lambda done, words: lines.append((done, words())))
        nodes = KUHN.game.nodes
        assert lines[:2] == [
            (1, f"1 game searched, {nodes:,} nodes solved"),
            (1, f"2 games searched, {2 * nodes:,} nodes solved"),
        ]
        assert lines[2][0] == 0

    @pytest.mark.usefixtures("only_two")
    def test_a_run_stopped_after_one_position_reports_that_position(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def one_and_stop(standing, wanted, where, progress) -> None:
            standing.add(standing.work.open()(0, lambda: False))
            raise KeyboardInterrupt

        monkeypatch.setattr(exact, "measure", one_and_stop)
        result = CliRunner().invoke(main, ["exact", "trime-kicker", "thumb", "--cores", "1"])
        assert result.exit_code == 130
        assert "the ends of 1 of 1 game\n" in result.stdout
        assert "10.00% (one position)" in result.stdout


@pytest.mark.slow
class TestHiddenInformation:
    def test_states_that_differ_only_in_the_origin_of_open_cards_hide_nothing(self) -> None:
        """Two states with the same cards in the same hands differ in the past only."""
        game = next(
            game
            for events, state in decisions_of(Setup(find_game("trime-kicker"), 2), 0, 35)
            if events == 139
            for game in [endgame_tree_of(state, TreeLimits(nodes=2500))]
        )
        assert game.worlds == 2
        assert not game.hidden
        assert not game.depends_on_play
