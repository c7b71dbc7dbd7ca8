"""Every sentence of a review, by example, addressed to the player and about the player."""

from dataclasses import replace

import pytest

from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.insight.course import Course, Decision, Sums
from parlour.insight.review import Rerun, Review, outcomes_of
from parlour.insight.review_text import (
    decision_words,
    headline,
    own_words,
    rerun_words,
    reruns_text,
    review_text,
    review_texts,
    sum_terms,
)
from parlour.languages import in_language
from parlour.statistics import Estimate
from tests.helpers import random_game

MINUS = "\N{MINUS SIGN}"
NAMES = ["Ann", "Bo"]


def surely(value: float) -> Estimate:
    return Estimate(value, value, value)


def decision(
    seen: int = 2, mark: str = "", cost: int = 0, won: float = 0, do: str = "7H", best: str = "QC"
) -> Decision:
    return Decision(
        seen=seen, heading="Trick 1", seat=0, do=do, best=best, phrase="play the seven", best_phrase="play the queen",
        before=500, with_best=600, with_done=500, lost=surely(10 * cost), won=surely(won), interval=surely(500),
        determinizations=100, actions=2, mark=mark, cost=cost,
    )  # fmt: skip


def course(*decisions: Decision, chances=(500, 600, 480, 0), own: int = -220) -> Course:
    result = chances[-1]
    sums = Sums(500, 90, result - 590 - own, own, own + 300, 300, result)
    return Course(0, "Ann", chances, chances, chances, sums, decisions)


def review(*courses: Course, winners=(1,), by=("chance", 0, 1), reruns=None) -> Review:
    return Review(
        "parlour-review/1", "three-tricks", 2, {}, NAMES, [{"by": who, "do": "it"} for who in by], 1000, 0, [], courses,
        reruns, [0, 3], winners, ["You lose.", "You win.", "Bo wins. Tricks laid: Ann: 2, Bo: 3."],
    )  # fmt: skip


SLIP, BLUNDER = decision(4, "slip", 3), decision(2, "blunder", 12)
FIND = decision(1, "find", won=80)


class TestHeadline:
    def test_a_loss_is_explained_by_the_most_costly_decision(self) -> None:
        lost = course(SLIP, BLUNDER)
        assert headline(review(lost), lost, you=True) == (
            "You lost it at move 2: to play the seven cost 12 points of the chance to win."
        )
        assert headline(review(lost), lost).startswith("Ann lost it at move 2: to play the seven cost 12 points")

    def test_a_loss_is_explained_by_the_most_costly_action_of_another_seat(self) -> None:
        lost = course(decision())
        assert headline(review(lost), lost, you=True) == (
            "You lost it at move 3, through Bo's play: your chance to win fell from 48 % to 0 %."
        )

    def test_a_loss_is_explained_by_luck_and_never_by_an_unmarked_action_of_the_player(self) -> None:
        lost = course(chances=(500, 260, 10, 0))
        assert headline(review(lost), lost) == (
            "Ann lost it at move 1, through luck: the chance to win fell from 50 % to 26 %."
        )

    def test_a_win_is_explained_by_the_largest_rise(self) -> None:
        won = course(decision(), chances=(500, 700, 710, 1000))
        assert headline(review(won, winners=(0,)), won, you=True) == (
            "You won it at move 3, through Bo's play: your chance to win rose from 71 % to 100 %."
        )

    def test_a_win_is_explained_by_a_find_that_gained_more(self) -> None:
        won = course(FIND, chances=(900, 940, 990, 1000))
        assert headline(review(won, winners=(0,)), won, you=True) == (
            "You won it at move 1: to play the seven was worth 8 points of the chance to win."
        )

    @pytest.mark.parametrize(("chances", "result"), [((500, 250, 250, 0), "lost"), ((0, 500, 500, 1000), "won")])
    def test_the_first_of_equal_changes_explains_the_result(self, chances: tuple[int, ...], result: str) -> None:
        seat = course(chances=chances)
        assert f"{result} it at move 1, through luck" in headline(review(seat), seat)

    @pytest.mark.parametrize("decisions", [(SLIP, replace(SLIP, seen=6)), (BLUNDER, replace(BLUNDER, seen=9))])
    def test_the_first_of_equally_costly_decisions_explains_a_loss(self, decisions: tuple[Decision, ...]) -> None:
        lost = course(*decisions)
        assert f"lost it at move {decisions[0].seen}:" in headline(review(lost), lost)

    def test_small_changes_explain_nothing(self) -> None:
        lost = course(chances=(60, 40, 30, 0))
        assert headline(review(lost), lost) == "No single move lost the game."

    def test_a_find_explains_no_loss_and_a_costly_decision_no_win(self) -> None:
        lost = course(FIND, chances=(60, 40, 30, 0))
        assert headline(review(lost), lost) == "No single move lost the game."
        won = course(BLUNDER, chances=(950, 960, 980, 1000))
        assert headline(review(won, winners=(0,)), won) == "No single move won the game."

    def test_an_event_that_a_bot_decided_for_the_seat_explains_nothing(self) -> None:
        lost = replace(course(chances=(500, 520, 0, 0)), stood_in=[1])
        assert headline(review(lost), lost) == ""

    def test_a_seat_that_resigned_has_no_headline(self) -> None:
        lost = course(BLUNDER)
        assert headline(replace(review(lost), resigned=[{"seat": 1, "after": 2}]), lost) != ""
        assert headline(replace(review(lost), resigned=[{"seat": 0, "after": 2}]), lost) == ""

    def test_a_shared_first_place_is_neither_won_nor_lost(self) -> None:
        shared = course(BLUNDER, chances=(500, 600, 480, 500))
        assert headline(review(shared, winners=(0, 1)), shared) == ""


class TestSum:
    def test_the_changes_lead_from_the_start_to_the_end(self) -> None:
        assert sum_terms(course(), you=True) == [
            ("50 %", "at the start"),
            ("+9", "luck"),
            (f"{MINUS}37", "their play"),
            (f"{MINUS}22", "your play"),
            ("0 %", "in the end"),
        ]

    def test_the_review_of_another_seat_never_says_you(self) -> None:
        assert [what for _, what in sum_terms(course())] == [
            "at the start", "luck", "the others' play", "own play", "in the end",
        ]  # fmt: skip


class TestOwnDecisions:
    def test_their_cost_is_the_sum_of_the_rows(self) -> None:
        assert own_words(course(SLIP, decision(), BLUNDER), you=True) == (
            "Compared with the best move found each time, 2 of your 3 decisions cost 15 points, the others nothing that"
            f" is beyond doubt. Your play above is {MINUS}22: it compares every decision with a rule of thumb instead."
        )

    def test_with_only_costly_decisions_no_others_are_mentioned(self) -> None:
        both = course(SLIP, BLUNDER)
        assert "2 of the 2 decisions cost 15 points. Own play above is" in own_words(both)
        assert "2 of your 2 decisions cost 15 points. Your play above is" in own_words(both, you=True)

    @pytest.mark.parametrize(
        ("only", "cost"), [(BLUNDER, "cost 12 points"), (decision(), "cost nothing that is beyond doubt")]
    )
    def test_an_only_decision_is_not_counted(self, only: Decision, cost: str) -> None:
        start = "Compared with the best move found,"
        assert own_words(course(only)).startswith(f"{start} the only decision {cost}. Own play above is")
        assert own_words(course(only), you=True).startswith(f"{start} your only decision {cost}. Your play above is")

    def test_without_costly_decisions_none_cost_anything(self) -> None:
        assert own_words(course(decision(), FIND)).startswith(
            "Compared with the best move found each time, none of the 2 decisions cost anything that is beyond doubt."
        )

    def test_without_decisions_there_was_nothing_to_decide(self) -> None:
        assert own_words(course()) == "There was nothing to decide."

    def test_of_a_bot_that_stood_in_are_counted_apart(self) -> None:
        one, two = (replace(course(BLUNDER), stood_in=moves) for moves in ([2], [2, 4]))
        assert own_words(one, you=True).endswith("instead. A bot played 1 move for you: it counts as their play.")
        assert own_words(two).endswith("A bot played 2 moves in this seat: they count as the others' play.")
        nothing = "There was nothing to decide. A bot played 1 move in this seat: it counts as the others' play."
        assert own_words(replace(course(), stood_in=[2])) == nothing


class TestDecision:
    def test_the_text_of_a_find_has_its_gain(self) -> None:
        assert decision_words(FIND) == "play the seven: 8 points better than what comes to mind first"

    def test_the_text_of_a_mistake_has_its_cost_and_the_better_action(self) -> None:
        assert decision_words(SLIP) == "play the seven. Better by 3 points: play the queen"

    def test_the_text_of_an_unmarked_decision_has_the_action(self) -> None:
        assert decision_words(decision()) == "play the seven"

    def test_the_page_has_the_same_numbers(self) -> None:
        (shown,) = review_texts(review(course(FIND, SLIP, decision())))["courses"]
        assert [each["cost"] for each in shown["decisions"]] == ["8 points gained", "3 points", ""]


class TestStrongestBot:
    LOST = Rerun([0], "master", 7, chance=2, same=1, scores=[1, 3], winners=[1])

    @pytest.mark.parametrize(
        ("rerun", "ending"),
        [
            (LOST, "would have lost, too."),
            (replace(LOST, winners=[0]), "would have won."),
            (replace(LOST, winners=[0, 1]), "would have shared the first place."),
            (replace(LOST, parted=None), "would have played exactly the same."),
        ],
    )
    def test_the_sentence_has_the_result_with_the_strongest_bot(self, rerun: Rerun, ending: str) -> None:
        assert (
            rerun_words(NAMES, [1], rerun, you=True) == f"With the same cards, the strongest bot in your seat {ending}"
        )

    def test_all_names_of_another_side_are_given(self) -> None:
        rerun = replace(self.LOST, seats=[0, 1], winners=[0, 1])
        assert rerun_words(NAMES, [0, 1], rerun) == (
            "With the same cards, the strongest bot in the seats of Ann and Bo would have won, too."
        )


class TestWholeText:
    def test_the_text_begins_with_the_outcome_and_has_a_line_for_each_mark(self) -> None:
        lines = review_text(review(course(SLIP, decision(3), BLUNDER))).splitlines()
        assert lines[:5] == [
            "3 Tricks, 2 players",
            "Bo wins. Tricks laid: Ann: 2, Bo: 3.",
            "",
            "Ann",
            "  Ann lost it at move 2: to play the seven cost 12 points of the chance to win.",
        ]
        assert lines[7:9] == [
            "  move   4  Trick 1  slip     play the seven. Better by 3 points: play the queen",
            "  move   2  Trick 1  blunder  play the seven. Better by 12 points: play the queen",
        ]

    def test_the_strongest_bot_has_a_line_for_each_side(self) -> None:
        reruns = [TestStrongestBot.LOST, replace(TestStrongestBot.LOST, seats=[1])]
        assert reruns_text(review(reruns=reruns)).splitlines() == [
            "With the same cards, the strongest bot in the seat of Ann would have lost, too.",
            "With the same cards, the strongest bot in the seat of Bo would have won, too.",
        ]

    def test_a_page_has_the_text_in_the_second_and_in_the_third_person(self) -> None:
        shown = review_texts(review(course(BLUNDER), reruns=[TestStrongestBot.LOST]))
        (seat,) = shown["courses"]
        assert (seat["to_you"]["outcome"], seat["to_others"]["outcome"]) == ("You lose.", shown["outcome"])
        assert seat["to_you"]["headline"].startswith("You lost it")
        assert seat["to_others"]["headline"].startswith("Ann lost it")
        (rerun,) = shown["reruns"]
        assert rerun["seats"] == [0]
        assert "in your seat" in rerun["to_you"]
        assert "in the seat of Ann" in rerun["to_others"]


class TestTheOutcome:
    def test_has_the_resignations_and_says_that_the_review_is_about_the_cards(self) -> None:
        shown = review_texts(replace(review(course()), resigned=[{"seat": 0, "after": 11}]))
        about = "resigned after move 11: a bot played on to the end. The review is about the result by the cards."
        assert shown["outcome"] == f"Bo wins. Tricks laid: Ann: 2, Bo: 3. Ann {about}"
        assert shown["courses"][0]["to_you"]["outcome"] == f"You lose. You {about}"

    def test_has_the_space_before_a_colon_that_the_language_demands(self) -> None:
        match = random_game(Setup(find_game("trime-kicker"), 2), 1)
        with in_language("fr"):
            outcome = outcomes_of(match, ["Ann", "Bo"])[-1]
        assert outcome.count("\u202f:") == outcome.count(":") > 2
