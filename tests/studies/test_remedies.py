"""Remedies for an edge: other options, or points, compared on the same deals and checked on fresh deals."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from parlour.contests.contest import Deal, Job
from parlour.contests.game_results import GameResult
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.statistics import Estimate
from parlour.studies.plan import Study
from parlour.studies.remedies import MOST_CHECKED, Remedies, Remedy, _drawn, _Edge, candidates
from tests.studies.known_games import EVEN

TRICK_WALLS = Setup(find_game("trick-walls"), 4, {"rounds": 2})
SIDES = Study((TRICK_WALLS,), ("thumb",)).contests[0].sides
LEAD = 3
"""Mean lead of the first player's side over the other side, in points."""


def result(job: Job, lead: float, first: int) -> GameResult:
    """Return a game in which the first player's side leads by ``lead`` points plus a random number from -6 to 6."""
    chance = int(np.random.default_rng([5, job.deal, first]).integers(-6, 7))
    margin = round(lead) + chance
    with_first = next(side for side in SIDES if first in side)
    scores = tuple(margin if seat in with_first else 0 for seat in range(4))
    winners = tuple(seat for seat in range(4) if scores[seat] == max(scores))
    return GameResult(
        job.seating, scores, winners, (5,) * 4, (0.0,) * 4, statistics=replace(EVEN, first=first, events=21)
    )


def deals_of(study: Study, number: int, even: int | None = None) -> list[Deal]:
    """Return deals; the first player's side has a mean lead of ``LEAD`` points, or of 0 in the variation ``even``."""
    return [
        Deal(
            deal,
            tuple(result(job, 0 if job.variation == even else LEAD, deal % 4) for job in study.jobs(deal)),
        )
        for deal in range(number)
    ]


def even_with(option: str, deals: int = 400, side: int | None = None) -> Remedies:
    """Return remedies with played deals: of all changed options only ``option`` makes the game even."""
    remedies = Remedies(TRICK_WALLS, "thumb", 0, side)
    variation = next(number for number, setup in enumerate(remedies.study.setups) if option in setup.chosen)
    remedies.deals += deals_of(remedies.study, deals, variation)
    check = remedies.plan_check()
    assert check is not None
    variation_in_check = check.setups.index(remedies.study.setups[variation])
    remedies.fresh += deals_of(check, deals, variation_in_check)
    return remedies


@pytest.fixture(scope="module")
def remedies() -> Remedies:
    return even_with("kill_balance")


def remedy_named(remedies: Remedies, text: str) -> Remedy:
    return next(each for each in remedies.ranking() if text in each.text)


class TestCandidates:
    def test_the_first_is_the_setup_itself_and_each_other_changes_one_option(self) -> None:
        first, *others = candidates(TRICK_WALLS)
        assert first == TRICK_WALLS
        assert others
        assert all(len(setup.chosen.items() ^ first.chosen.items()) <= 2 for setup in others)

    def test_the_rules_of_installed_variations_are_among_them(self, monkeypatch: pytest.MonkeyPatch) -> None:
        own = replace(TRICK_WALLS.game, id="open-walls", variation_of="trick-walls")
        other = replace(find_game("castle-walls"), id="my-castle", variation_of="castle-walls")
        monkeypatch.setattr("parlour.studies.remedies.all_games", lambda: [TRICK_WALLS.game, own, other])
        with_rules = [setup for setup in candidates(TRICK_WALLS) if setup.game != TRICK_WALLS.game]
        assert with_rules == [Setup(own, 4, {"rounds": 2})]
        remedies = Remedies(TRICK_WALLS, "thumb", 0)
        remedies.deals += deals_of(remedies.study, 40, remedies.study.setups.index(with_rules[0]))
        best = min(remedies.ranking(), key=lambda each: abs(each.edge.value))
        assert best.text == "rules=open-walls"
        assert best.to_json()["options"] == {"rules": "open-walls", "rounds": 2}

    def test_a_variation_for_other_numbers_of_players_is_left_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        duel = replace(TRICK_WALLS.game, id="duel-walls", variation_of="trick-walls", players=range(2, 3))
        monkeypatch.setattr("parlour.studies.remedies.all_games", lambda: [TRICK_WALLS.game, duel])
        assert {setup.game for setup in candidates(TRICK_WALLS)} == {TRICK_WALLS.game}

    def test_impossible_values_are_left_out(self) -> None:
        assert not any(setup.chosen.get("long_run") for setup in candidates(Setup(TRICK_WALLS.game, 5)))


class TestOptions:
    def test_the_remedy_that_makes_the_game_even_is_the_first(self, remedies: Remedies) -> None:
        best = remedies.ranking()[0]
        assert best.text == "kill_balance=true"
        assert best.fresh is not None
        assert best.fresh.low < 0 < best.fresh.high

    def test_the_edge_of_the_published_game_is_stated(self, remedies: Remedies) -> None:
        assert remedy_named(remedies, "as it is").edge.low > 0.1
        assert "the first player wins +" in remedies.text()

    def test_the_nearest_are_checked_on_deals_of_the_next_seed(self, remedies: Remedies) -> None:
        assert remedies.again is not None
        assert remedies.again.seed == remedies.study.seed + 1
        fresh = [each.setup for each in remedies.ranking() if each.fresh]
        assert {*fresh} == {*remedies.again.setups, None}
        assert len(fresh) == len(remedies.again.setups) + 1, "points change the unchanged games"

    def test_the_unchanged_game_is_not_counted_among_the_nearest(self) -> None:
        remedies = Remedies(TRICK_WALLS, "thumb", 0)
        remedies.deals += deals_of(remedies.study, 40, even=0)
        check = remedies.plan_check()
        assert check is not None
        unchanged, *others = check.setups
        assert unchanged == TRICK_WALLS
        assert len(others) == MOST_CHECKED
        assert unchanged not in others

    def test_a_change_after_which_most_games_are_drawn_is_listed_but_not_checked(self) -> None:
        remedies = Remedies(TRICK_WALLS, "thumb", 0)
        drawn = 1
        remedies.deals += [
            Deal(each.number, tuple(
                replace(game, scores=(0,) * 4, winners=(0, 1, 2, 3)) if job.variation == drawn else game
                for job, game in zip(remedies.study.jobs(each.number), each.games, strict=True)
            ))
            for each in deals_of(remedies.study, 40)
        ]  # fmt: skip
        setup = remedies.study.setups[drawn]
        listed = next(each for each in remedies.ranking() if each.setup == setup)
        assert (listed.draws, listed.edge.value) == (1.0, 0.0)
        check = remedies.plan_check()
        assert check is not None
        assert setup not in check.setups

    def test_the_advice_names_it(self, remedies: Remedies) -> None:
        assert (
            "On fresh deals one remedy is certainly nearer to even than the unchanged game: kill_balance=true. "
            in remedies.text()
        )

    def test_changes_without_an_effect_are_not_nearer_to_even(self, remedies: Remedies) -> None:
        nearer = {each.text for each in remedies.ranking() if each.nearer}
        assert nearer == {"kill_balance=true", f"{LEAD} points for all others at the end"}


class TestComparison:
    @staticmethod
    def runs_with_a_nearer_one(unchanged: float, changed: float) -> int:
        """Return in how many of 100 runs of 400 deals one of four remedies is nearer; arguments are shares of wins."""
        random, found = np.random.default_rng(7), 0
        for _ in range(100):
            before, *after = (
                _Edge((random.random(400) < share).astype(float), 0.5) for share in (unchanged, *[changed] * 4)
            )
            found += any(each.is_nearer_than(before, 4) for each in after)
        return found

    @pytest.mark.parametrize(("unchanged", "changed"), [(0.5, 0.5), (0.6, 0.6), (0.4, 0.4), (0.6, 0.4), (0.4, 0.6)])
    def test_the_luckiest_of_equally_uneven_games_is_hardly_ever_nearer(self, unchanged: float, changed: float) -> None:
        assert self.runs_with_a_nearer_one(unchanged, changed) <= 6

    @pytest.mark.parametrize(("unchanged", "changed"), [(0.7, 0.5), (0.3, 0.5), (0.8, 0.4), (0.2, 0.6)])
    def test_a_more_even_game_is_nearer_whichever_side_it_favours(self, unchanged: float, changed: float) -> None:
        assert self.runs_with_a_nearer_one(unchanged, changed) >= 95
        assert self.runs_with_a_nearer_one(changed, unchanged) == 0

    def test_games_with_another_even_share_are_compared_by_their_edges(self) -> None:
        two, three = _Edge(np.tile([0.5, 0.75, 0.75, 1.0], 50), 0.5), _Edge(np.tile([0.0, 1.0, 0.0], 67)[:200], 1 / 3)
        assert three.is_nearer_than(two, 1)
        assert not two.is_nearer_than(three, 1)

    def test_more_remedies_need_more_deals(self) -> None:
        random = np.random.default_rng(3)
        before, after = (_Edge((random.random(200) < share).astype(float), 0.5) for share in (0.65, 0.5))
        assert after.is_nearer_than(before, 1)
        assert not after.is_nearer_than(before, 1000)


class TestDistance:
    @pytest.mark.parametrize(
        ("edge", "fresh", "distance"),
        [
            (Estimate(0.01, -0.08, 0.1), None, 0.1),
            (Estimate(-0.01, -0.1, 0.08), None, 0.1),
            (Estimate(0.3, 0.2, 0.4), Estimate(0.0, -0.02, 0.02), 0.02),
            (Estimate(0.0, 0.0, 0.0), Estimate(-0.3, -0.4, -0.2), 0.4),
        ],
    )
    def test_a_remedy_is_as_far_from_even_as_the_farther_end_on_fresh_deals(
        self, edge: Estimate, fresh: Estimate | None, distance: float
    ) -> None:
        assert Remedy("slots=4", None, 0, edge, 20.0, 0.0, fresh).distance == distance


class TestPoints:
    def test_the_others_get_about_the_first_players_lead(self, remedies: Remedies) -> None:
        remedy = remedy_named(remedies, "for all others at the end")
        assert abs(remedy.points - LEAD) <= 1
        assert abs(remedy.edge.value) < 0.1

    def test_their_number_is_measured_on_the_unchanged_games_of_the_fresh_deals(self, remedies: Remedies) -> None:
        remedy, unchanged = remedy_named(remedies, "for all others"), remedy_named(remedies, "as it is")
        leads = np.array([deal.games[0].scores[deal.number % 4] for deal in remedies.fresh])
        shares = (1 + np.sign(leads - remedy.points)) / 2
        assert remedy.fresh is not None
        assert unchanged.fresh is not None
        assert remedy.fresh.value == pytest.approx(np.mean(shares) - 0.5)
        assert abs(remedy.fresh.value) < abs(unchanged.fresh.value)

    def test_after_which_most_games_are_drawn_are_not_measured_again(self) -> None:
        def same_lead(study: Study) -> list[Deal]:
            return [
                Deal(number, tuple(lead_of_three(job, number % 4) for job in study.jobs(number))) for number in range(8)
            ]

        def lead_of_three(job: Job, first: int) -> GameResult:
            won = next(side for side in SIDES if first in side)
            scores = tuple(3 if seat in won else 0 for seat in range(4))
            return replace(result(job, 0, first), scores=scores, winners=won)

        remedies = Remedies(TRICK_WALLS, "thumb", 0)
        remedies.deals += same_lead(remedies.study)
        check = remedies.plan_check()
        assert check is not None
        remedies.fresh += same_lead(check)
        points = remedy_named(remedies, "3 points for all others at the end")
        assert (points.draws, points.fresh) == (1.0, None)
        assert remedy_named(remedies, "as it is").fresh is not None

    def test_there_are_none_where_first_place_does_not_follow_from_the_scores(self) -> None:
        remedies = Remedies(TRICK_WALLS, "thumb", 0)
        remedies.deals += [
            Deal(deal.number, tuple(replace(game, winners=(1,)) for game in deal.games))
            for deal in deals_of(remedies.study, 20)
        ]
        assert not any("point" in each.text and each.setup is None for each in remedies.ranking())


class TestSides:
    def test_a_side_has_no_edge_if_each_begins_equally_often(self) -> None:
        remedies = Remedies(TRICK_WALLS, "thumb", 0, side=0)
        remedies.deals += deals_of(remedies.study, 400)
        assert "side 1 wins" in remedies.text()
        assert "side 1 may have no edge" in remedies.text()

    @pytest.mark.parametrize(
        ("game", "side", "other"),
        [("trick-walls", 1, {"city_keepers": True}), ("tricky-tribes", 2, {"teams": "pairs"})],
    )
    def test_a_numbered_side_is_compared_where_it_has_the_same_seats(
        self, game: str, side: int, other: dict[str, Any]
    ) -> None:
        setup = Setup(find_game(game), 4)
        changed = Setup(setup.game, 4, other)
        assert changed in Remedies(setup, "thumb", 0).study.setups
        numbered = Remedies(setup, "thumb", 0, side).study
        assert changed not in numbered.setups
        assert len(numbered.setups) > 1
        assert len({contest.sides for contest in numbered.contests}) == 1

    def test_a_side_that_does_not_exist_is_reported(self) -> None:
        with pytest.raises(ParlourError, match=r"there is no side 3: in .*, the sides are 1 to 2"):
            Remedies(TRICK_WALLS, "thumb", 0, side=2)


class TestJson:
    def test_it_has_every_remedy_with_its_options_or_points(self, remedies: Remedies) -> None:
        items = remedies.to_json()["remedies"]
        assert len(items) == len(remedies.ranking())
        assert {"remedy", "options", "edge", "fresh", "decisions", "draws"} <= items[0].keys()
        assert any("points" in each for each in items)


def remedy(text: str, low: float, high: float, fresh: tuple[float, float] | None = None, **other: Any) -> Remedy:
    """Return a remedy with an edge in the middle of its interval."""
    edge, again = (Estimate((each[0] + each[1]) / 2, *each) if each else None for each in ((low, high), fresh))
    assert edge is not None
    return Remedy(
        text, **{"setup": None, "points": 0, "edge": edge, "decisions": 20.0, "draws": 0.0, "fresh": again, **other}
    )


class TestAdvice:
    NONE = "On fresh deals no remedy is certainly nearer to even than the unchanged game."

    @pytest.mark.parametrize(
        ("others", "text"),
        [
            ([remedy("a=1", -0.1, 0.1)], NONE),
            ([remedy("a=1", 0.0, 0.0, (-0.01, 0.01))], NONE),
            (
                [
                    remedy("a=1", 0.3, 0.5, (0.05, 0.15), nearer=True),
                    remedy("b=2", 0.3, 0.5, (-0.12, 0.0), nearer=True),
                    remedy("c=3", 0.0, 0.0, (-0.01, 0.01)),
                ],
                "On fresh deals one remedy is certainly nearer to even than the unchanged game: b=2. The edge is "
                "−6.0 (−12.0 to +0.0) of 100 games instead of +15.0 (+10.0 to +20.0).",
            ),
        ],
    )
    def test_names_the_nearest_of_the_remedies_that_are_certainly_nearer_to_even(
        self, others: list[Remedy], text: str
    ) -> None:
        as_it_is = remedy("as it is", 0.0, 0.1, (0.1, 0.2))
        remedies = Remedies(TRICK_WALLS, "thumb", 0)
        assert remedies._advice([*others, as_it_is], as_it_is) == [
            text,
            "Without another rule: in a match in which each side begins equally often, the first player has no edge.",
        ]

    def test_for_a_side_players_exchange_sides(self) -> None:
        as_it_is = remedy("as it is", 0.0, 0.1)
        assert Remedies(TRICK_WALLS, "thumb", 0, 1)._advice([as_it_is], as_it_is)[1] == (
            "Without another rule: in a match in which the players exchange sides equally often, side 2 has no edge."
        )

    @pytest.mark.parametrize(
        ("low", "high", "edge", "open_"),
        [
            (0.1, 0.2, "+15.0 (+10.0 to +20.0)", False),
            (-0.2, -0.1, "−15.0 (−20.0 to −10.0)", False),
            (-0.05, 0.15, "+5.0 (−5.0 to +15.0)", True),
            (0.0, 0.1, "+5.0 (+0.0 to +10.0)", True),
        ],
    )
    def test_follows_a_table_of_the_edges(
        self, low: float, high: float, edge: str, open_: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        remedies = Remedies(TRICK_WALLS, "thumb", 0)
        rows = [remedy("slots=4", 0.0, 0.2, (0.1, 0.3), decisions=31.25, draws=0.126), remedy("as it is", low, high)]
        rows[1] = replace(rows[1], setup=TRICK_WALLS)
        monkeypatch.setattr(remedies, "ranking", lambda: rows)
        remedies.deals.append(Deal(0, ()))
        first, *more = remedies.text().splitlines()
        assert first.endswith(
            f", played by thumb in 1 deal: the first player wins {edge} of 100 games beyond an even share."
        )
        note = "The interval contains 0, so the first player may have no edge; more --deals narrow it."
        assert (more[0] == note) == open_
        table = [re.split(" {2,}", line.strip()) for line in more if line.startswith(("slots", "as it is", "remedy"))]
        assert table == [
            ["remedy", "edge, of 100 games", "on fresh deals", "decisions", "drawn, %"],
            ["slots=4", "+10.0 (+0.0 to +20.0)", "+20.0 (+10.0 to +30.0)", "31.2", "13"],
            ["as it is", edge, "20.0", "0"],
        ]


class TestDraws:
    @pytest.mark.parametrize(
        ("unchanged", "changed", "checked"),
        [(0.0, 0.5, True), (0.0, 0.51, False), (0.6, 0.6, True), (0.6, 0.61, False)],
    )
    def test_a_change_is_checked_with_half_of_the_games_drawn_or_as_many_as_before(
        self, unchanged: float, changed: float, checked: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        remedies = Remedies(TRICK_WALLS, "thumb", 0)
        first, second, *_ = remedies.study.setups
        rows = [
            remedy("as it is", 0, 0.2, setup=first, draws=unchanged),
            remedy("x", 0, 0, setup=second, draws=changed),
        ]
        monkeypatch.setattr(remedies, "ranking", lambda: rows)
        assert (remedies.plan_check() is not None) == checked


class TestCompensation:
    @pytest.mark.parametrize(
        ("leads", "side", "text", "points", "edge"),
        [
            ((3, 3, 3, 3), None, "3 points for all others at the end", 3, 0.0),
            ((3, 5, 3, 5), None, "3 points for all others at the end", 3, 0.5),
            ((-1, -1, -1, -1), None, "1 point for the first player at the end", -1, 0.0),
            ((-2, -2, -2, -2), 1, "2 points for all others at the end", 2, 0.0),
            ((2, 2, 2, 2), 1, "2 points for side 2 at the end", -2, 0.0),
            ((0, 0, 0, 0), None, "", 0, 0.0),
            ((3, 3, 3), None, "", 0, 0.0),
        ],
    )
    def test_is_chosen_on_every_second_deal_and_measured_on_the_others(
        self, leads: tuple[int, ...], side: int | None, text: str, points: int, edge: float
    ) -> None:
        """Side 1 is the first player's and leads by these points."""
        scores = np.array([[[lead, 0]] for lead in leads], float)
        shares = np.array([[[float(lead > 0), float(lead < 0)] if lead else [0.5, 0.5]] for lead in leads])
        games: Any = SimpleNamespace(
            points=scores, shares=shares, first=np.zeros((len(leads), 1)), decisions=np.full((len(leads), 1), 30),
            forfeited=np.zeros((len(leads), 1), bool),
        )  # fmt: skip
        found = Remedies(TRICK_WALLS, "thumb", 0, side)._points(games)
        assert (found is not None) == bool(text)
        if found:
            assert (found.text, found.points, found.edge.value) == (text, points, edge)


class TestForfeits:
    """Four deals of three sides; the first player's side, 0, leads by 3 points or forfeits with the fewest."""

    @staticmethod
    def games(*forfeited: bool) -> Any:
        """Return the games; a forfeited one has two winners, which have different points."""
        lost, won = [0, 2, 1], [3, 0, 0]
        return SimpleNamespace(
            points=np.array([[lost if each else won] for each in forfeited], float),
            shares=np.array([[[0, 0.5, 0.5] if each else [1, 0, 0]] for each in forfeited]),
            first=np.zeros((len(forfeited), 1)),
            decisions=np.full((len(forfeited), 1), 30),
            forfeited=np.array([[each] for each in forfeited]),
        )

    def test_leave_the_compensation_in_points_with_their_own_results(self) -> None:
        found = Remedies(TRICK_WALLS, "thumb", 0)._points(self.games(False, True, False, False))
        assert found is not None
        assert found.points == 3
        assert found.edge.value == pytest.approx((0 + 1 / 3) / 2 - 1 / 3)

    def test_are_no_draws(self) -> None:
        found = Remedies(TRICK_WALLS, "thumb", 0)._points(self.games(False, True, False, True))
        assert found is not None
        assert found.draws == 0.0
        games = self.games(True, True, False, False)
        assert _drawn(games.shares, games.forfeited) == 0.0
        assert _drawn(games.shares, np.zeros_like(games.forfeited)) == 0.5
