"""Figures of a benchmark, from measurements that are made up."""

from typing import Any

import pytest

from parlour.authors import bench
from parlour.engine.setup import Setup
from parlour.games import find_game

SETUP = Setup(find_game("trime-kicker"), 2)


class Clock:
    """A machine that plays ``rate`` games a second, of ten actions each; ``slow`` of its first runs take longer."""

    def __init__(self, rate: float, slow: int = 0) -> None:
        self.rate, self.slow, self.played = rate, slow, list[int]()

    def run(self, number: int) -> tuple[int, float]:
        self.played.append(number)
        late = 7.0 if len(self.played) <= self.slow else 1.0
        return 10 * number, late * number / self.rate


class TestTheBestTry:
    def test_counts_for_each_run_in_actions_and_games_a_second(self) -> None:
        clocks = [Clock(1000.0), Clock(250.0, slow=4), Clock(3000.0)]
        found = bench.best_of([clock.run for clock in clocks], 0.5)
        assert found == [pytest.approx(rates) for rates in [(10_000, 1000), (2500, 250), (30_000, 3000)]]

    def test_takes_the_wanted_time_by_the_first_run(self) -> None:
        clocks = [Clock(1000.0), Clock(250.0)]
        bench.best_of([clock.run for clock in clocks], 0.5)
        assert clocks[0].played[-5:] == clocks[1].played[-5:] == [500] * 5

    def test_is_of_one_game_at_least(self) -> None:
        clock = Clock(0.1)
        bench.best_of([clock.run], 1.0)
        assert clock.played[-5:] == [1] * 5


class TestFigures:
    def test_each_is_in_its_place(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def best_of(runs: Any, seconds: float) -> list[tuple[float, float]]:
            assert [run(5) for run in runs] == [(5, 1), "by hand", (5, None)]
            return [(1000.4, 50.2), (800.0, 40.0), (3500.0, 175.0)]

        made_up: dict[str, Any] = {
            "first_playout_seconds": lambda setup: (9.004, 0.503, 1.251),
            "best_of": best_of,
            "batch_run": lambda setup, number, threads: (number, threads),
            "hand_written_run": lambda setup: lambda number: "by hand",
            "observed_steps_a_second": lambda setup, seconds: 600.6,
            "determinizations_a_second": lambda setup, seconds: 700.2,
            "iterations_a_second": lambda setup, seconds, tree: 31.7 if tree else 29.8,
        }
        for name, function in made_up.items():
            monkeypatch.setattr(bench, name, function)
        monkeypatch.setattr(bench.os, "cpu_count", lambda: 4)
        assert bench.bench(SETUP) == {
            **SETUP.to_json(),
            "actions_per_second": 1000,
            "games_per_second": 50,
            "observed_steps_per_second": 601,
            "hand_written": 1.25,
            "cores": 4,
            "all_cores": 3.5,
            "determinizations_per_second": 700,
            "searches_per_second": 30,
            "tree_searches_per_second": 32,
            "compile_seconds": 9.0,
            "warm_seconds": 0.5,
            "import_seconds": 1.25,
        }
