"""The benchmarks' command lines: what they refuse, and the documents that they leave as they are."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import parlour

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
            ("rivals.py", ["thumb", "--rivals", "UCT,nope"], "there is no rival 'nope'; there are FlatMonteCarlo, UCT"),
            ("rivals.py", ["thumb", "--out", __file__], "test_benchmarks.py: not a folder: File exists"),
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

    def test_sigterm_is_one_line_and_the_status_143(self):
        program = "import signal; from command_line import run; run(lambda: signal.raise_signal(signal.SIGTERM))"
        ended = subprocess.run([sys.executable, "-c", program], cwd=BENCHMARKS, capture_output=True, text=True)
        assert (ended.returncode, ended.stderr) == (143, "\nStopped.\n")

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


class TestAMatchWithARival:
    """A row of ``rivals.py``: its deals come from a file here, or a signal ends it after some."""

    FIELD = "search:effort=500"

    @pytest.fixture
    def row(self, load, monkeypatch, tmp_path):
        """Return a function that makes the row of Trime Kicker from the deals in the folder."""
        monkeypatch.syspath_prepend(str(BENCHMARKS.parent))
        names = load("rivals.py")
        rivals, levels = names["rivals"], names["Level"]
        for owner, name in ((rivals.Rival, "choose"), (levels, "weigh")):
            monkeypatch.setattr(owner, name, getattr(owner, name))  # so that the clocks end with the test
        monkeypatch.setattr(rivals.Rival, "version", "1")
        monkeypatch.setattr(rivals, "SECONDS", 0.0)
        clocks = names["Clock"](rivals.Rival, "choose"), names["Clock"](levels, "weigh")

        def make(factor=1.0, kept=tmp_path):
            found = names["Row"]("trime-kicker", "FlatMonteCarlo", self.FIELD, factor, clocks, kept)
            monkeypatch.setattr(found, "_budget", lambda: 1e-5)
            return found

        return make

    @pytest.mark.slow  # compiles
    def test_continues_from_its_file_with_more_minutes(self, row, tmp_path):
        first = row()
        first.play(1e-9)
        again = row()
        again.play(1e-9)
        assert again.line() == first.line()
        times = tmp_path / "trime-kicker.FlatMonteCarlo.times"
        times.write_text(json.dumps({**json.loads(times.read_text()), "spent": 0}))
        more = row()
        more.play(1e-9)
        assert (first.result.tally.deals, more.result.tally.deals) == (2, 3)
        assert more.result.tally.leads[0][:2] == first.result.tally.leads[0]

    @pytest.mark.slow  # compiles
    def test_has_a_line_after_an_interrupt(self, row):
        interrupted = row(kept=None)
        add = interrupted.result.add

        def add_and_interrupt(deal):
            add(deal)
            if deal.number == 2:
                raise KeyboardInterrupt

        interrupted.result.add = add_and_interrupt
        with pytest.raises(KeyboardInterrupt):
            interrupted.play(10)
        assert interrupted.line().startswith("| trime-kicker | 2 | FlatMonteCarlo | 6 | ")

    @pytest.mark.slow  # compiles
    def test_refuses_a_file_of_another_factor_and_one_without_times(self, row, tmp_path):
        row().play(1e-9)
        with pytest.raises(parlour.ParlourError, match=r"1, 1 times the field's time.* there.*1, 2 times"):
            row(factor=2).play(1e-9)
        (tmp_path / "trime-kicker.FlatMonteCarlo.times").write_text("{")
        with pytest.raises(parlour.ParlourError, match=r"times: the times of the deals in .* remove both files"):
            row().play(1e-9)


class TestRowsOfStrength:
    @pytest.fixture
    def rows(self, load, tmp_path):
        """Return the names of ``strength.py``, and a row of each amount with its result."""
        names = load("strength.py")
        found = {name: names["Row"](name, "trime-kicker", 2, "", "a", "b") for name in ("levels", "rivals", "exploit")}
        amounts = {"levels": "400 games", "rivals": "1.5 minutes", "exploit": "10 minutes"}
        for name, row in found.items():
            (tmp_path / f"{row.name}.result.json").write_text(json.dumps({"amount": amounts[name]}))
        return names, found.values()

    @pytest.mark.parametrize(
        ("wanted", "done"), [((400, 1.5, 10), True), ((40, 0.2, 9.5), True), ((401, 1.6, 11), False)]
    )
    def test_are_done_with_the_amount_wanted_or_more(self, rows, tmp_path, wanted, done):
        names, measured = rows
        measurement = names["Measurement"](tmp_path, *wanted)
        assert [measurement.is_done(row) for row in measured] == [done] * 3
