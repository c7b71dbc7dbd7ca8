"""Words of a goal that are close to a criterion: numbers without bounds, estimates of studies, endings with numbers."""

import pytest

from parlour.engine.errors import ParlourError
from parlour.games import find_game
from parlour.studies.measures import MEASURES
from parlour.studies.plan import Study
from parlour.studies.precision import targets_of
from parlour.studies.tune.goal import UnknownCriterion, criteria_of
from tests.studies.known_games import TWO

TRIBES = find_game("tricky-tribes")


class TestNumbersWithoutBounds:
    @pytest.mark.parametrize("text", ["20 minutes", "40 decisions"])
    def test_are_refused_with_the_forms_that_have_bounds(self, text: str) -> None:
        with pytest.raises(UnknownCriterion, match=f"'{text}' has no bounds; write 'about {text}', 'at most {text}'"):
            criteria_of(text, MEASURES)

    def test_of_no_measure_are_refused_with_the_words_of_measures(self) -> None:
        with pytest.raises(UnknownCriterion, match="'20 miles' is not understood; a criterion is written"):
            criteria_of("20 miles", MEASURES)


class TestEstimatesOfStudies:
    @pytest.mark.parametrize("name", ["luck", "deal_part", "skill part"])
    def test_are_no_criteria_and_no_precisions(self, name: str) -> None:
        message = f"{name.replace('_', ' ')} is an estimate from all deals of a study.*--replicated-deals measures luck"
        with pytest.raises(ParlourError, match=message):
            criteria_of(f"about 20 minutes, few {name}", MEASURES, TRIBES)
        with pytest.raises(ParlourError, match=message):
            targets_of(f"{name} within 1 point", Study(TWO, ("random", "thumb")))


class TestEndingsWithNumbers:
    def test_are_listed_once_with_a_number(self) -> None:
        with pytest.raises(ParlourError) as error:
            criteria_of("few blorks", MEASURES, TRIBES)
        assert "'ending 2 rounds were played (TT-18)'" in str(error.value)
        assert "{" not in str(error.value)
        assert "round was played" not in str(error.value)

    @pytest.mark.parametrize(
        ("words", "ending"),
        [
            ("2 rounds were played (TT-18)", "2 rounds were played (TT-18)"),
            ("7 rounds were played", "7 rounds were played (TT-18)"),
            ("1 round was played", "1 round was played (TT-18)"),
            ("all rounds were played (TT-18)", "all rounds were played (TT-18)"),
        ],
    )
    def test_name_the_games_that_end_after_this_number(self, words: str, ending: str) -> None:
        [criterion] = criteria_of(f"few ending {words}", MEASURES, TRIBES)
        assert criterion.measure.name == f"ending {ending}"

    def test_need_a_number_where_another_ending_has_the_same_words(self) -> None:
        with pytest.raises(UnknownCriterion):
            criteria_of("few ending rounds were played", MEASURES, TRIBES)
