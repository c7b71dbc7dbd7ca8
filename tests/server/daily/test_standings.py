"""The standings of a daily deal as a list, and the rank of a result."""

import datetime
from itertools import permutations

import pytest

from parlour.server.store.daily import Play, Score
from parlour.server.table.daily.standings import MOST_PLACES, rank_of, standings_of

DAY = datetime.date(2096, 11, 26)


def play(name, points, won=True, against=0):
    """Return a result; tables and keys are in another order than names."""
    turned = "".join(chr(200 - ord(letter)) for letter in name)
    return Play(DAY, "a game", f"key {turned}", f"table {turned}", name, True, Score(won, points, against))


class TestStandings:
    @pytest.mark.parametrize("order", [*permutations([play("Bo", 5), play("Ann", 5), play("Cy", 9)])])
    def test_have_equal_results_by_name_with_one_rank(self, order):
        assert [(each["rank"], each["name"]) for each in standings_of(order, None)] == [
            (1, "Cy"),
            (2, "Ann"),
            (2, "Bo"),
        ]

    def test_have_a_win_before_every_loss_and_then_the_lead(self):
        plays = [play("Ann", 90, won=False), play("Bo", 9, against=8), play("Cy", 5, against=1)]
        assert [each["name"] for each in standings_of(plays, None)] == ["Cy", "Bo", "Ann"]

    def test_have_the_best_places_only_but_ranks_among_all_results(self):
        plays = [play(f"P{number:02}", number) for number in range(MOST_PLACES + 10)]
        own = plays[3]
        found = standings_of(plays, own)
        assert [each["rank"] for each in found] == list(range(1, MOST_PLACES + 1))
        assert found[0]["name"] == plays[-1].name
        assert not any(each["own"] for each in found)
        assert rank_of(own, plays) == len(plays) - 3
