"""The paper holds what the reckoning comes to."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RECKONING = runpy.run_path(str(ROOT / "benchmarks" / "reckoning.py"))


def test_the_paper_has_what_is_reckoned_now():
    assert RECKONING["paper"]() in (ROOT / "docs" / "running.md").read_text(encoding="utf-8")


def test_twice_as_many_who_play_half_as_fast_do_as_much_at_twice_as_many_connections():
    measured = RECKONING["Measured"]()
    once = RECKONING["needs"](1_000_000, measured, RECKONING["Habits"]())
    again = RECKONING["needs"](2_000_000, measured, RECKONING["Habits"](pace=2 * RECKONING["Habits"]().pace))
    assert again["tables"] == 2 * once["tables"]
    for name in ("actions", "commits", "database_cores", "network_mbit", "stored_gb"):
        assert again[name] == pytest.approx(once[name])
    assert again["balancer_gb"] == pytest.approx(2 * once["balancer_gb"])
