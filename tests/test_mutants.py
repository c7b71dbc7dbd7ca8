"""The list of mutants fits the code, and their results are reported correctly. (``make mutants`` runs them.)"""

import pytest

from tests.mutants.__main__ import chosen
from tests.mutants.mutant_list import ROOT, Mutant, MutantError, missing, mutated, read_mutants
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
from tests.mutants.trees import Asked, Tree

MUTANTS = read_mutants()
AREAS = {"games": 40, "engine": 35, "bots-lab-insight": 30, "server": 35, "page": 20}
"""The areas, and how many mutants at least each has."""


def mutant(name="wrong", **entry):
    return Mutant("area", name, "tests/helpers.py", "def play(", "def plays(", ("tests/render/test_words.py",), **entry)


class TestTheList:
    def test_every_mutant_changes_what_stands_in_its_file_once(self):
        for each in MUTANTS:
            assert mutated(each, (ROOT / each.file).read_text()) != (ROOT / each.file).read_text()

    def test_everybody_who_is_asked_is_there(self):
        assert [(each.name, gone) for each in MUTANTS for test in each.tests if (gone := missing(test))] == []

    def test_there_are_enough_in_every_area(self):
        found = {area: sum(each.area == area and not each.equivalent for each in MUTANTS) for area in AREAS}
        assert {each.area for each in MUTANTS} == set(AREAS)
        assert all(found[area] >= least for area, least in AREAS.items()), found

    def test_a_text_that_stands_there_twice_or_never_is_no_mutant(self):
        for text in ("", "def play(\ndef play("):
            with pytest.raises(MutantError, match=r"wrong: what is to be changed stands [02] times"):
                mutated(mutant(), text)

    @pytest.mark.parametrize(
        ("entry", "why"),
        [
            ('name = "one"\nfile = "f"\nbefore = "a"\nafter = "b"', "one asks no test, and no reason is given"),
            ('name = "one"\nfile = "f"\nbefore = "a"\nafter = "b"\ntests = ["t"]\nbecause = "c"', "'because'"),
        ],
    )
    def test_an_entry_that_says_too_little_or_too_much_is_refused(self, tmp_path, entry, why):
        (tmp_path / "some.toml").write_text(f"[[mutant]]\n{entry}\n")
        with pytest.raises(MutantError, match=why):
            read_mutants(tmp_path)

    def test_some_are_asked_by_name_or_area(self):
        some = [mutant("one"), mutant("other")]
        assert chosen(some, []) == chosen(some, ["area"]) == some
        assert chosen(some, ["other"]) == some[1:]
        assert chosen(some, ["other", "area"]) == some[::-1]
        with pytest.raises(MutantError, match="'unknown'"):
            chosen(some, ["one", "unknown"])

    @pytest.mark.parametrize(
        ("test", "gone"),
        [
            ("tests/test_mutants.py::TestTheList", ""),
            ("tests/test_mutants.py -k anything", ""),
            ("tests/test_nothing.py", "tests/test_nothing.py"),
            ("tests/test_mutants.py::TestTheList::test_of_nothing", "test_of_nothing"),
            ("tests/test_mutants.py::test_there_are_enough_in_every_area", "test_there_are_enough_in_every_area"),
        ],
    )
    def test_a_missing_file_class_or_function_of_a_test_is_named(self, test, gone):
        assert missing(test) == gone


class TestResults:
    def kept(self, tmp_path, verdict, **other):
        """What is kept of a mutant, when it has been asked."""
        now = {"code": code_of(mutant()), "tests": asked_of(mutant()), **other}
        Results(tmp_path / "kept").keep(Result("wrong", verdict=verdict, **now))
        return Results(tmp_path / "kept").of(mutant())

    def test_they_hold_until_the_code_changes_and_what_was_not_killed_until_the_tests_do(self, tmp_path):
        assert self.kept(tmp_path, KILLED).verdict == KILLED
        assert self.kept(tmp_path, KILLED, tests="others").verdict == KILLED
        assert self.kept(tmp_path, SURVIVED).verdict == SURVIVED
        assert self.kept(tmp_path, SURVIVED, tests="others") is None
        assert self.kept(tmp_path, KILLED, code="other") is None

    def test_results_can_be_dropped_and_equivalent_mutants_are_not_run(self, tmp_path):
        self.kept(tmp_path, KILLED)
        kept = Results(tmp_path / "kept")
        kept.forget(mutant())
        assert kept.of(mutant()) is None
        assert kept.of(mutant(equivalent="no test can tell")).verdict == EQUIVALENT

    def test_each_is_a_line_and_the_last_one_counts(self, tmp_path):
        for verdict in (SURVIVED, KILLED):
            assert self.kept(tmp_path, verdict).verdict == verdict
        assert len((tmp_path / "kept").read_text().splitlines()) == 2

    def test_nine_of_ten_are_enough_equivalent_ones_aside_and_what_is_undecided_is_not_killed(self):
        some = [mutant(str(number)) for number in range(11)]
        verdicts = [KILLED] * 9 + [UNDECIDED, EQUIVALENT]
        found = {each.name: Result(each.name, "", "", verdict) for each, verdict in zip(some, verdicts, strict=True)}
        assert too_few(some, found) == []
        assert "90%" in table(some, found)
        assert too_few(some, {**found, "0": Result("0", "", "", SURVIVED)}) == ["area"]
        assert too_few(some, {name: result for name, result in found.items() if name != "0"}) == ["area"]


class TestAsking:
    def test_a_test_that_fails_notices_and_one_that_cannot_be_loaded_does_not(self):
        assert Asked(1, ("tests/test_it.py::test_it",)).noticed == "tests/test_it.py::test_it"
        assert Asked(2, ("tests/test_it.py",)).noticed == ""
        assert Asked(0).passed
        assert not Asked(5).passed

    @pytest.mark.slow
    def test_a_mutant_lives_in_its_tree_until_it_has_been_asked(self, tmp_path):
        (tmp_path / "sums.py").write_text(right := "def more(number):\n    return number + 1\n")
        (tmp_path / "test_sums.py").write_text("from sums import more\n\ndef test_it():\n    assert more(2) == 3\n")
        tree = Tree(tmp_path)
        wrong = Mutant("area", "wrong", "sums.py", "number + 1", "number + 2", ("test_sums.py",))
        with tree.changed(wrong):
            assert tree.ask(["test_sums.py -k nothing"], 60, True).status == 5
            assert tree.ask(["test_sums.py"], 60, True).noticed == "test_sums.py::test_it"
        assert (tmp_path / "sums.py").read_text() == right
        assert tree.ask(["test_sums.py"], 60, True).passed
        tree.close()
        assert not tree.ask(["test_sums.py"], 60, True).passed
