"""The benchmarks' command lines: what they refuse, and the documents that they leave as they are."""

import runpy
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def load(monkeypatch):
    """Return a function that loads a benchmark with arguments, without running it, and returns its global names."""

    def load_one(name, *arguments):
        monkeypatch.syspath_prepend(str(BENCHMARKS))
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        main = runpy.run_path(str(BENCHMARKS / name))["main"]
        return getattr(main, "callback", main).__globals__

    return load_one


class TestCapacity:
    @pytest.mark.parametrize(
        ("content", "why"),
        [
            (b"hello\n", "the estimate's place is missing"),
            (b"before\n{BEGIN}\nrest\n", "the estimate's place is missing"),
            (b"\xff\xfe", "not a text in UTF-8"),
        ],
        ids=["another file", "no end", "binary"],
    )
    def test_a_file_without_the_place_of_the_estimate_stays(self, load, tmp_path, content, why):
        names, file = load("capacity.py"), tmp_path / "page.md"
        whole = content.replace(b"{BEGIN}", names["BEGIN"].encode())
        file.write_bytes(whole)
        refused = CliRunner().invoke(names["main"], [str(file)])
        assert refused.exit_code == 1
        assert refused.output.startswith(f"Error: {file}: {why}")
        assert file.read_bytes() == whole

    def test_the_estimate_is_written_between_its_lines(self, load, tmp_path):
        names, file = load("capacity.py"), tmp_path / "page.md"
        file.write_text(f"before\n{names['BEGIN']}\nold\n{names['END']}\nafter\n")
        assert CliRunner().invoke(names["main"], [str(file)]).exit_code == 0
        assert file.read_text() == f"before\n{names['generated_section']()}\nafter\n"

    @pytest.mark.parametrize("option", ["--people=0", "--people-at-a-table=0", "--pace=0", "--pace=nan"])
    def test_people_without_actions_are_refused(self, load, option):
        assert CliRunner().invoke(load("capacity.py")["main"], [option]).exit_code == 2


class TestArguments:
    @pytest.mark.parametrize(
        ("name", "arguments", "why"),
        [
            ("strength.py", ["--only", "("], "argument --only: not a regular expression"),
            ("strength.py", ["--games", "0"], "argument --games: a positive whole number is required, not '0'"),
            ("figures.py", ["--tries", "-1"], "argument --tries: a positive whole number is required, not '-1'"),
            ("rivals.py", ["thumb", "nope"], "there is no game 'nope'; there are castle-walls"),
            ("rivals.py", ["thumb", "--minutes", "nan"], "argument --minutes: a positive number is required"),
        ],
    )
    def test_a_wrong_one_is_refused_in_one_line(self, load, capsys, name, arguments, why):
        with pytest.raises(SystemExit) as ended:
            load(name, *arguments)["main"]()
        assert ended.value.code == 2
        assert why in capsys.readouterr().err


class TestTheEnd:
    @pytest.fixture
    def run(self, load):
        return load("rivals.py")["run"]

    def test_ctrl_c_is_one_line_and_the_status_130(self, run, capsys):
        def interrupted():
            raise KeyboardInterrupt

        with pytest.raises(SystemExit) as ended:
            run(interrupted)
        assert (ended.value.code, capsys.readouterr().err) == (130, "\nStopped.\n")

    def test_a_bot_that_does_not_exist_is_a_sentence(self, load, run):
        names = load("rivals.py", "nope", "trime-kicker")
        with pytest.raises(SystemExit, match="Error: there is no bot 'nope'"):
            run(names["main"])

    @pytest.mark.slow  # compiles
    def test_a_field_without_search_has_no_time_for_its_rivals(self, load, run):
        names = load("rivals.py", "beginner", "trime-kicker", "--rivals", "FlatMonteCarlo")
        with pytest.raises(SystemExit, match="Error: beginner does not search in trime-kicker"):
            run(names["main"])

    def test_strength_without_results_leaves_the_page(self, load, tmp_path, monkeypatch, capsys):
        names = load("strength.py", "--only", "no such row")
        monkeypatch.setattr(names["platformdirs"], "user_cache_dir", lambda name: str(tmp_path / "cache"))
        page = tmp_path / "strength.md"
        page.write_text("earlier")
        monkeypatch.setitem(names, "PAGE", page)
        with pytest.raises(SystemExit) as ended:
            names["main"]()
        assert ended.value.code == 0
        assert page.read_text() == "earlier"
        assert f"No row has a result, so {page} stays." in capsys.readouterr().err
