"""A compilation that takes seconds is announced once."""

import os
import time

import pytest

from parlour.engine import compile_notice
from parlour.engine.compile_notice import QUIET, announce_compilation
from parlour.engine.compiled import compiled
from parlour.engine.rules import new_states
from parlour.games import find_game

NOTICE = "parlour: compiling Trime Kicker for this machine (once; a search takes up to some minutes)\n"


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch, tmp_path):
    monkeypatch.delenv(QUIET)
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path))
    monkeypatch.setattr(compile_notice, "_announced", set())


def new_loop():
    def seats_of(states):
        return states[0].seats

    return compiled(seats_of)


class TestACompilation:
    def test_is_announced_on_standard_error_once(self, capsys):
        states = new_states(find_game("trime-kicker").dtype, 1)
        for _ in range(2):
            new_loop()(states)
        captured = capsys.readouterr()
        assert (captured.out, captured.err) == ("", NOTICE)

    def test_is_not_announced_where_the_code_is_in_the_cache(self, capsys, monkeypatch):
        states = new_states(find_game("trime-kicker").dtype, 1)
        new_loop()(states)
        monkeypatch.setattr(compile_notice, "_announced", set())
        capsys.readouterr()
        new_loop()(states)
        assert capsys.readouterr().err == ""

    def test_is_not_announced_for_a_loop_without_a_game(self, capsys):
        assert compiled(lambda number: number + 1)(1) == 2
        assert capsys.readouterr().err == ""


class TestTheNotice:
    def test_comes_once_for_each_game(self, capsys, tmp_path):
        for title in ("Trime Kicker", "Oh Hell", "Trime Kicker"):
            announce_compilation(title, tmp_path)
        assert capsys.readouterr().err == NOTICE + NOTICE.replace("Trime Kicker", "Oh Hell")

    def test_is_suppressed_by_the_environment(self, capsys, monkeypatch, tmp_path):
        monkeypatch.setenv(QUIET, "1")
        announce_compilation("Trime Kicker", tmp_path)
        assert capsys.readouterr().err == ""

    def test_is_not_repeated_by_the_workers_of_a_process(self, capsys, monkeypatch, tmp_path):
        announce_compilation("Trime Kicker", tmp_path)
        monkeypatch.setattr(compile_notice, "_announced", set())
        monkeypatch.setattr(compile_notice.multiprocessing, "parent_process", lambda: object())
        announce_compilation("Trime Kicker", tmp_path)
        assert capsys.readouterr().err == NOTICE

    def test_comes_from_the_first_worker_if_the_process_itself_compiled_nothing(self, capsys, monkeypatch, tmp_path):
        monkeypatch.setattr(compile_notice.multiprocessing, "parent_process", lambda: object())
        for _ in range(3):
            monkeypatch.setattr(compile_notice, "_announced", set())
            announce_compilation("Trime Kicker", tmp_path)
        assert capsys.readouterr().err == NOTICE
        mark = next(tmp_path.iterdir())
        os.utime(mark, (time.time() - 3600,) * 2)
        monkeypatch.setattr(compile_notice, "_announced", set())
        announce_compilation("Trime Kicker", tmp_path)
        assert capsys.readouterr().err == NOTICE

    def test_comes_where_no_mark_can_be_written(self, capsys, tmp_path):
        announce_compilation("Trime Kicker", tmp_path / "absent")
        assert capsys.readouterr().err == NOTICE

    def test_goes_nowhere_in_a_process_without_standard_error(self, monkeypatch, tmp_path, capsys):
        monkeypatch.setattr("sys.stderr", None)
        announce_compilation("Trime Kicker", tmp_path)
        assert capsys.readouterr().out == ""
