"""Every sentence of a hint, by example."""

import re

import pytest

from parlour.insight.explanation import Candidate, Explanation
from parlour.insight.explanation_text import lines, sentences
from parlour.insight.layout_kinds import LayoutKind
from parlour.insight.position import Place
from parlour.statistics import Estimate

MINUS = "\N{MINUS SIGN}"
PLAYED_ON = "The chances assume that all players go on by the rule of thumb."
PLACE = Place("hand", 1, "in Bob's hand")


def surely(value: float) -> Estimate:
    return Estimate(value, value, value)


def kind(card: str, share: float, there: float, elsewhere: float) -> LayoutKind:
    return LayoutKind(card, PLACE, surely(share), surely(there), surely(elsewhere), surely(there - elsewhere))


BEST = Candidate("lead AS", "lead the ace of spades", Estimate(0.63, 0.6, 0.66), surely(0), 63, 0, None)
WORSE = Candidate(
    "lead 2C", "lead the two of clubs", Estimate(0.55, 0.52, 0.58), Estimate(0.08, 0.06, 0.1), 55, 8, None
)
AS_GOOD = Candidate("pass", "pass", Estimate(0.63, 0.6, 0.66), Estimate(0, -0.01, 0.01), 63, None, None)


def advice(*args, **kwargs) -> list[str]:
    """Return the sentences of an explanation without the last, which is the same in all."""
    *found, last = sentences(explanation(*args, **kwargs))
    assert last == PLAYED_ON
    return found


def explanation(*candidates: Candidate, others=(), matters: LayoutKind | None = None) -> Explanation:
    return Explanation("trick-walls", 4, 0, 9, 400, 0, 1000, candidates, others, matters)


class TestSentences:
    def test_the_only_action_has_a_chance(self) -> None:
        assert advice(BEST) == ["You can only lead the ace of spades: your chance to win is 63 % (60 to 66)."]

    def test_a_worse_action_has_the_points_by_which_it_is_worse(self) -> None:
        assert advice(BEST, WORSE) == [
            "It seems best to lead the ace of spades: your chance to win is 63 % (60 to 66).",
            "If you lead the two of clubs instead, the chance is 8 points less (6 to 10).",
        ]

    def test_actions_without_a_significant_difference_have_no_number(self) -> None:
        assert advice(BEST, AS_GOOD)[1] == "You could as well pass: that is about as good."

    def test_the_place_of_a_card_decides_between_two_actions(self) -> None:
        telling = Candidate(**{**vars(WORSE), "kind": kind("KC", 0.46, 0, 0.148)})
        assert advice(BEST, AS_GOOD, telling)[2:] == [
            "With the king of clubs in Bob's hand, as in 46 % of what is possible, it is no better to lead the ace of "
            "spades than to lead the two of clubs; otherwise it is 15 points better."
        ]
        telling = Candidate(**{**vars(WORSE), "kind": kind("KC", 0.46, -0.01, 0.157)})
        assert "it is 1 point worse to lead the ace of spades" in advice(BEST, telling)[2]

    @pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.97])
    @pytest.mark.parametrize("shift", [-0.3, -0.01, 0.01, 0.02, 0.5])
    def test_the_lead_is_between_its_two_parts(self, share: float, shift: float) -> None:
        found = kind("KC", share, 0.3 + shift, 0.3)  # measured in half of the determinizations, so 22 points too high
        text = advice(BEST, Candidate(**{**vars(WORSE), "kind": found}))[2].replace("no better", "0 points better")
        there, elsewhere = (
            int(number) * (-1 if way == "worse" else 1)
            for number, way in re.findall(r"(\d+) points? (better|worse)", text)
        )
        assert min(there, elsewhere) <= 8 <= max(there, elsewhere)
        assert there - elsewhere == pytest.approx(100 * shift, abs=1)

    def test_the_card_that_matters_most_is_named_last(self) -> None:
        assert advice(BEST, WORSE, matters=kind("QH", 0.3, 0.41, 0.72))[2:] == [
            "What matters most is the queen of hearts: with it in Bob's hand your chance is 41 %, otherwise 72 %."
        ]

    def test_a_chance_with_a_card_is_at_most_certain(self) -> None:
        rounded_up = Candidate(**{**vars(BEST), "percent": 61})
        assert "your chance is 100 %, otherwise 1 %" in advice(rounded_up, WORSE, matters=kind("QH", 0.605, 1, 0))[2]


class TestList:
    def test_a_row_has_notation_probability_and_verdict(self) -> None:
        assert lines(explanation(BEST, WORSE, AS_GOOD, others=["end"]))[:4] == [
            "  lead AS   63 % (60 to 66), best: lead the ace of spades",
            f"  lead 2C   55 % (52 to 58), {MINUS}8 points: lead the two of clubs",
            "  pass      63 % (60 to 66), about as good: pass",
            "  1 other action seemed worse",
        ]

    def test_the_sentences_follow_the_list(self) -> None:
        found = explanation(BEST, WORSE, others=["end", "fold"])
        assert lines(found)[2:] == ["  2 other actions seemed worse", *(f"  {each}" for each in sentences(found))]
