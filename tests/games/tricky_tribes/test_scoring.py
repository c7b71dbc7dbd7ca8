"""Tricky Tribes, TT-17 to TT-19, TT-26 and TT-27: points, the end of a game, difference, dummies, teams."""

import numpy as np
import pytest

from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.engine.simulation.playouts import run_playouts
from tests.games.tricky_tribes.tables import (
    TRICKY_TRIBES,
    begin,
    cards_at,
    facts,
    resolved,
    table,
    worth,
    wrong_options,
)
from tests.helpers import play_at_random


def rounds_of(players, seed, **options):
    """Play a random game; return the cards that each tribe collected in each round, and the finished match."""
    match, found = begin(players, options), []
    tribes = players + bool(match.options["dummy"])
    for _ in play_at_random(match, seed):
        if match.actor < 0 and facts(match)["round"]:
            found.append([cards_at(match, "collected", tribe) for tribe in range(tribes)])
    return found, match


def sums_by_round(rounds, players):
    """Return the value of each player's cards after each round."""
    return np.cumsum([[worth(cards[player]) for player in range(players)] for cards in rounds], axis=0).tolist()


class TestTT17Points:
    @pytest.mark.parametrize(
        ("trick", "player", "points"),
        [
            ("open 2H, 2C, 3C, 4C", 3, 1),
            ("open TD, 2C, 3C, 4C", 3, 1),
            ("open JD, 2C, 3C, 4C", 3, 2),
            ("open AH, 2C, 3C, 4C", 3, 2),
            ("open 2C, 5C, 3C, 4C", 2, -1),
            ("open TS, 5C, 3C, 4C", 2, -1),
            ("open JS, 5C, 3C, 4C", 2, -2),
            ("open AC, 5C, 3C, 4C", 2, -2),
            ("dark 2D, 5C, TC, KH", 3, 1),
            ("dark QD, 5C, TC, KH", 3, 2),
        ],
    )
    def test_red_cards_count_one_or_two_and_black_cards_minus_one_or_two(self, trick, player, points):
        counted = table([], trick).observation(SPECTATOR).lines
        assert [list(line.points) for line in counted] == [[points if seat == player else 0 for seat in range(4)]]
        assert counted[0].clause == "TT-17"

    def test_points_add_up_over_rounds(self):
        rounds, match = rounds_of(4, 1, rounds=4)
        assert list(match.result.scores) == sums_by_round(rounds, 4)[-1]
        assert len(rounds) == 4

    @pytest.mark.parametrize(("players", "options"), [(2, {}), (3, {}), (4, {"target": 10}), (6, {"jokers": 2})])
    def test_the_game_ends_after_the_round_in_which_a_side_has_the_target(self, players, options):
        for seed in range(3):
            rounds, match = rounds_of(players, seed, **options)
            *before, last = sums_by_round(rounds, players)
            target = options.get("target", 15)
            assert all(max(points) < target for points in before)
            assert max(last) >= target
            assert match.result.scores == tuple(last)

    def test_every_side_that_has_it_wins(self):
        shared = 0
        for seed in range(12):
            _, match = rounds_of(5, seed, target=3)
            scores, winners = match.result.scores, match.result.winners
            assert winners == tuple(seat for seat in range(5) if scores[seat] >= 3)
            shared += len({scores[seat] for seat in winners}) > 1
        assert shared, "winners with different scores"

    @pytest.mark.parametrize(
        ("players", "options", "target"),
        [
            (2, {}, 15),
            (4, {}, 15),
            (6, {"teams": "none"}, 15),
            (4, {"teams": "pairs"}, 30),
            (5, {"teams": "ABABC"}, 30),
            (6, {"teams": "pairs"}, 30),
            (6, {"teams": "trios"}, 50),
            (6, {"teams": "ABACAD"}, 50),
        ],
    )
    def test_the_default_target_depends_on_the_teams(self, players, options, target):
        assert resolved(players, **options)["target"] == target
        match = begin(players, {**options, "target": target})
        assert "target" not in match.setup.chosen

    @pytest.mark.parametrize("target", [1, 7, 1000, 10**9])
    def test_any_target_from_one_up_is_accepted(self, target):
        assert resolved(4, target=target)["target"] == target

    @pytest.mark.parametrize("target", [0, -1, True, "15", 15.0])
    def test_any_other_target_is_refused(self, target):
        assert wrong_options(4, target=target).endswith(" 1 and up (TT-17)")


class TestTT18Rounds:
    @pytest.mark.parametrize("rounds", [1, 3])
    def test_the_game_ends_after_that_number_of_rounds_with_any_points(self, rounds):
        for seed in range(3):
            played, match = rounds_of(4, seed, rounds=rounds, target=1)
            assert len(played) == rounds
            assert match.result.scores == tuple(sums_by_round(played, 4)[-1])

    def test_the_most_points_win_and_ties_share(self):
        shared = 0
        for seed in range(30):
            _, match = rounds_of(3, seed, rounds=1, target=1)
            scores, winners = match.result.scores, match.result.winners
            assert winners == tuple(seat for seat in range(3) if scores[seat] == max(scores))
            shared += len(winners) > 1
        assert shared

    @pytest.mark.parametrize("rounds", [-1, True, "4", 0.5])
    def test_any_other_number_of_rounds_is_refused(self, rounds):
        assert wrong_options(4, rounds=rounds).endswith(" 0 and up (TT-18)")

    def test_the_game_goes_to_the_target_by_default(self):
        assert resolved(4)["rounds"] == 0
        assert facts(begin(4))["target"] == 15
        assert facts(begin(4, {"rounds": 2}))["target"] is None

    def test_a_game_to_the_target_ends_after_a_hundred_rounds_and_the_most_points_win(self):
        """Four players decide 36 + 4 times a round."""
        played = run_playouts(Setup(TRICKY_TRIBES, 4, resolved(4, target=10**6)), 20, threads=1)
        assert played.lengths.tolist() == [100 * 40] * 20
        for scores, winners in zip(played.scores, played.winners, strict=True):
            assert winners == sum(1 << seat for seat in range(4) if scores[seat] == scores.max())

    @pytest.mark.parametrize(
        ("options", "points", "reason"),
        [
            ({}, 15, "the target was reached (TT-17)"),
            ({}, 14, "a hundred rounds were played (TT-18)"),
            ({"rounds": 2}, 15, "all rounds were played (TT-18)"),
        ],
    )
    def test_the_ending_names_its_reason(self, options, points, reason):
        state = Setup(TRICKY_TRIBES, 4, options).new_state()
        state.points[2] = points
        assert TRICKY_TRIBES.ending(state) == reason

    def test_a_chosen_number_of_rounds_may_exceed_a_hundred(self):
        played = run_playouts(Setup(TRICKY_TRIBES, 4, resolved(4, rounds=103)), 1, threads=1)
        assert played.lengths.tolist() == [103 * 40]


class TestTT19Difference:
    @pytest.mark.parametrize(
        ("players", "teams", "side"),
        [(2, "none", [0]), (4, "pairs", [0, 2]), (6, "trios", [0, 2, 4]), (4, "XYXY", [0, 2])],
    )
    def test_scores_are_the_lead_of_one_side_over_the_other(self, players, teams, side):
        rounds, match = rounds_of(players, 2, teams=teams, difference=True, rounds=2)
        points = sums_by_round(rounds, players)[-1]
        lead = sum(points[seat] if seat in side else -points[seat] for seat in range(players))
        assert lead != 0
        assert match.result.scores == tuple(lead if seat in side else -lead for seat in range(players))

    def test_the_target_is_the_lead_that_ends_the_game(self):
        for seed in range(3):
            rounds, match = rounds_of(2, seed, difference=True, target=4)
            leads = [first - second for first, second in sums_by_round(rounds, 2)]
            assert all(abs(lead) < 4 for lead in leads[:-1])
            assert abs(leads[-1]) >= 4
            assert match.result.winners == ((0,) if leads[-1] > 0 else (1,))

    def test_a_lead_of_nought_after_the_last_round_is_a_shared_win(self):
        results = [rounds_of(2, seed, difference=True, rounds=1)[1].result for seed in range(30)]
        level = [result for result in results if result.scores == (0, 0)]
        assert level
        assert all(result.winners == (0, 1) for result in level)
        assert all(len(result.winners) == 1 for result in results if result.scores != (0, 0))

    @pytest.mark.parametrize(
        ("players", "options", "sides"),
        [(3, {}, 3), (4, {}, 4), (5, {"teams": "pairs"}, 3), (6, {"teams": "pairs"}, 3), (4, {"teams": "ABAC"}, 3)],
    )
    def test_the_option_needs_exactly_two_sides(self, players, options, sides):
        assert wrong_options(players, **options, difference=True) == (
            f"difference=true needs exactly two sides, not {sides} (TT-19)"
        )
        assert resolved(players, **options, difference=False)["difference"] is False

    def test_it_is_off_by_default(self):
        assert resolved(2)["difference"] is False


class TestTT26TheDummysCards:
    @pytest.mark.parametrize(("players", "options"), [(2, {}), (3, {"dummy": True})])
    def test_it_collects_like_a_player_and_scores_for_no_side(self, players, options):
        rounds, match = rounds_of(players, 3, rounds=3, **options)
        assert any(cards[players] for cards in rounds)
        assert match.result.scores == tuple(sums_by_round(rounds, players)[-1])
        assert all(line.at < players for line in match.observation(SPECTATOR).lines)

    def test_it_scores_for_no_side_when_scores_are_differences(self):
        rounds, match = rounds_of(2, 5, rounds=2, difference=True)
        first, second = sums_by_round(rounds, 2)[-1]
        assert match.result.scores == (first - second, second - first)


class TestTT27Teams:
    @pytest.mark.parametrize(
        ("players", "teams", "letters"),
        [
            (4, "pairs", "ABAB"),
            (5, "pairs", "ABABC"),
            (6, "pairs", "ABCABC"),
            (6, "trios", "ABABAB"),
            (4, "ABAC", "ABAC"),
            (5, "ZAZAM", "ZAZAM"),
            (6, "ABACAD", "ABACAD"),
        ],
    )
    def test_a_teams_cards_count_together_and_those_of_a_single_player_double(self, players, teams, letters):
        rounds, match = rounds_of(players, 4, teams=teams, rounds=2)
        points = sums_by_round(rounds, players)[-1]
        sides = {letter: [seat for seat in range(players) if letters[seat] == letter] for letter in letters}
        expected = [
            sum(points[mate] for mate in sides[letter]) * (2 if len(sides[letter]) == 1 else 1) for letter in letters
        ]
        assert match.result.scores == tuple(expected)
        assert match.result.winners == tuple(seat for seat in range(players) if expected[seat] == max(expected))

    def test_doubled_scores_count_towards_the_target(self):
        ended_by_the_single = 0
        for seed in range(12):
            rounds, _ = rounds_of(5, seed, teams="pairs", target=10)
            points = [(p[0] + p[2], p[1] + p[3], 2 * p[4]) for p in sums_by_round(rounds, 5)]
            assert all(max(sides) < 10 for sides in points[:-1])
            assert max(points[-1]) >= 10
            ended_by_the_single += max(points[-1][:2]) < 10
        assert ended_by_the_single

    def test_without_teams_no_score_counts_double(self):
        rounds, match = rounds_of(4, 4, rounds=1)
        assert match.result.scores == tuple(sums_by_round(rounds, 4)[-1])

    @pytest.mark.parametrize(
        ("players", "teams", "reason"),
        [
            (2, "pairs", "teams are for four to six players"),
            (3, "ABA", "teams are for four to six players"),
            (4, "trios", "trios are for six players"),
            (5, "trios", "trios are for six players"),
            (4, "ABA", "there must be a letter for each player"),
            (4, "ABABA", "there must be a letter for each player"),
            (4, "AABB", "two neighbours around the ring share a letter"),
            (5, "ABCBA", "two neighbours around the ring share a letter"),
            (4, "ABCD", "no letter stands for two or three players"),
            (6, "ABCDEF", "no letter stands for two or three players"),
        ],
    )
    def test_an_invalid_seating_of_teams_is_refused(self, players, teams, reason):
        assert wrong_options(players, teams=teams) == f"teams={teams} is not for {players} players: {reason} (TT-27)"

    @pytest.mark.parametrize("teams", ["abab", "AB1B", "", "ABÄB", "A BA", "ABAB\n", True, 4, None])
    def test_a_text_other_than_capital_letters_is_refused(self, teams):
        assert "but may be none, pairs, trios, or a capital letter for each player" in wrong_options(4, teams=teams)

    @pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
    def test_none_is_the_default_for_all(self, players):
        assert resolved(players)["teams"] == resolved(players, teams="none")["teams"] == "none"

    def test_a_record_holds_the_text_that_was_chosen(self):
        match = begin(4, {"teams": "XYXY"})
        assert match.setup.chosen == {"teams": "XYXY"}

    def test_the_lines_go_to_the_whole_side(self):
        match = table([], "open 2H, 2C, 3C, 4C", options={"teams": "pairs"})
        assert [list(line.points) for line in match.observation(SPECTATOR).lines] == [[0, 1, 0, 1]]
        match = table([], "open 2H, 2C, 3C, 5C, 4C", players=5, options={"teams": "ABCBC"})
        assert [list(line.points) for line in match.observation(SPECTATOR).lines] == [[0, 1, 0, 1, 0]]
        match = table([], "open 2H, 2C, 3C, 4C, 5C", players=5, options={"teams": "pairs"})
        assert [(list(line.points), line.clause) for line in match.observation(SPECTATOR).lines] == [
            ([0, 0, 0, 0, 2], "TT-27")
        ]
