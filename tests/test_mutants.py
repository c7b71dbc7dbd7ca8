"""The list of mutants fits the code, and their results are reported correctly. (``make mutants`` runs them.)"""

from dataclasses import replace

import pytest

from tests.mutants.__main__ import choose_mutants
from tests.mutants.mutant_list import ROOT, Mutant, MutantError, missing_part, mutate, read_mutants
from tests.mutants.results import (
    EQUIVALENT,
    KILLED,
    SURVIVED,
    UNDECIDED,
    Result,
    Results,
    asked_of,
    code_of,
    table,
    too_few,
)
from tests.mutants.source_copies import RunResult, SourceCopy

MUTANTS = read_mutants()
AREAS = {"games": 40, "engine": 35, "bots-lab-insight": 30, "server": 35, "page": 20}
"""The areas, with the minimal number of mutants in each."""


def mutant(name="wrong", **entry):
    return Mutant("area", name, "tests/helpers.py", "def play(", "def plays(", ("tests/render/test_words.py",), **entry)


class TestList:
    def test_the_text_of_every_mutant_occurs_once_in_its_file(self):
        for each in MUTANTS:
            assert mutate(each, (ROOT / each.file).read_text()) != (ROOT / each.file).read_text()

    def test_every_named_test_exists(self):
        assert [(each.name, gone) for each in MUTANTS for test in each.tests if (gone := missing_part(test))] == []

    def test_every_area_has_enough_mutants(self):
        found = {area: sum(each.area == area and not each.equivalent for each in MUTANTS) for area in AREAS}
        assert {each.area for each in MUTANTS} == set(AREAS)
        assert all(found[area] >= least for area, least in AREAS.items()), found

    def test_a_text_that_occurs_twice_or_never_is_refused(self):
        for text in ("", "def play(\ndef play("):
            with pytest.raises(MutantError, match=r"wrong: the text to be changed occurs [02] times"):
                mutate(mutant(), text)

    @pytest.mark.parametrize(
        ("entry", "why"),
        [
            (
                'name = "one"\nfile = "f"\nbefore = "a"\nafter = "b"',
                "one has neither tests nor a reason for having none",
            ),
            ('name = "one"\nfile = "f"\nbefore = "a"\nafter = "b"\ntests = ["t"]\nbecause = "c"', "'because'"),
        ],
    )
    def test_an_entry_with_missing_or_unknown_keys_is_refused(self, tmp_path, entry, why):
        (tmp_path / "some.toml").write_text(f"[[mutant]]\n{entry}\n")
        with pytest.raises(MutantError, match=why):
            read_mutants(tmp_path)

    def test_mutants_are_selected_by_name_or_area(self):
        some = [mutant("one"), mutant("other")]
        assert choose_mutants(some, []) == choose_mutants(some, ["area"]) == some
        assert choose_mutants(some, ["other"]) == some[1:]
        assert choose_mutants(some, ["other", "area"]) == some[::-1]
        with pytest.raises(MutantError, match="'unknown'"):
            choose_mutants(some, ["one", "unknown"])

    @pytest.mark.parametrize(
        ("test", "gone"),
        [
            ("tests/test_mutants.py::TestList", ""),
            ("tests/test_mutants.py -k anything", ""),
            ("tests/test_nothing.py", "tests/test_nothing.py"),
            ("tests/test_mutants.py::TestNothing::test_of_nothing", "TestNothing"),
            ("tests/test_mutants.py::TestList::test_of_nothing", "test_of_nothing"),
            ("tests/test_mutants.py::test_every_area_has_enough_mutants", "test_every_area_has_enough_mutants"),
        ],
    )
    def test_a_missing_file_class_or_function_of_a_test_is_named(self, test, gone):
        assert missing_part(test) == gone


class TestResults:
    def stored_result(self, tmp_path, verdict, **other):
        """Return the stored result of a mutant."""
        now = {"code": code_of(mutant()), "tests": asked_of(mutant()), **other}
        Results(tmp_path / "kept").keep(Result("wrong", verdict=verdict, **now))
        return Results(tmp_path / "kept").of(mutant())

    def test_a_result_holds_until_the_code_or_for_survivors_the_tests_change(self, tmp_path):
        assert self.stored_result(tmp_path, KILLED).verdict == KILLED
        assert self.stored_result(tmp_path, KILLED, tests="others").verdict == KILLED
        assert self.stored_result(tmp_path, SURVIVED).verdict == SURVIVED
        assert self.stored_result(tmp_path, SURVIVED, tests="others") is None
        assert self.stored_result(tmp_path, KILLED, code="other") is None

    def test_results_can_be_dropped_and_equivalent_mutants_are_not_run(self, tmp_path):
        self.stored_result(tmp_path, KILLED)
        kept = Results(tmp_path / "kept")
        kept.forget(mutant())
        assert kept.of(mutant()) is None
        assert kept.of(mutant(equivalent="no test can tell")).verdict == EQUIVALENT

    def test_each_result_is_a_line_and_the_last_one_counts(self, tmp_path):
        for verdict in (SURVIVED, KILLED):
            assert self.stored_result(tmp_path, verdict).verdict == verdict
        assert len((tmp_path / "kept").read_text().splitlines()) == 2

    def test_the_columns_of_the_table_are_aligned_however_long_the_name_of_an_area_is(self):
        some = [replace(mutant(name), area=name) for name in ("a", "a-long-name-of-an-area")]
        assert len({len(line) for line in table(some, {}).splitlines()}) == 1

    def test_nine_of_ten_mutants_without_equivalent_ones_must_be_killed(self):
        some = [mutant(str(number)) for number in range(11)]
        verdicts = [KILLED] * 9 + [UNDECIDED, EQUIVALENT]
        found = {each.name: Result(each.name, "", "", verdict) for each, verdict in zip(some, verdicts, strict=True)}
        assert too_few(some, found) == []
        assert "90%" in table(some, found)
        assert too_few(some, {**found, "0": Result("0", "", "", SURVIVED)}) == ["area"]
        assert too_few(some, {name: result for name, result in found.items() if name != "0"}) == ["area"]


class TestRuns:
    def test_a_failing_test_kills_a_mutant_and_an_import_error_does_not(self):
        assert RunResult(1, ("tests/test_it.py::test_it",)).first_failure == "tests/test_it.py::test_it"
        assert RunResult(2, ("tests/test_it.py",)).first_failure == ""
        assert RunResult(0).passed
        assert not RunResult(5).passed

    @pytest.mark.slow
    def test_a_mutant_is_removed_from_its_tree_after_the_run(self, tmp_path):
        (tmp_path / "sums.py").write_text(right := "def more(number):\n    return number + 1\n")
        (tmp_path / "test_sums.py").write_text("from sums import more\n\ndef test_it():\n    assert more(2) == 3\n")
        copy = SourceCopy(tmp_path)
        wrong = Mutant("area", "wrong", "sums.py", "number + 1", "number + 2", ("test_sums.py",))
        with copy.apply(wrong):
            assert copy.run_tests(["test_sums.py -k nothing"], 60, True).status == 5
            assert copy.run_tests(["test_sums.py"], 60, True).first_failure == "test_sums.py::test_it"
        assert (tmp_path / "sums.py").read_text() == right
        assert copy.run_tests(["test_sums.py"], 60, True).passed
        copy.close()
        assert not copy.run_tests(["test_sums.py"], 60, True).passed
