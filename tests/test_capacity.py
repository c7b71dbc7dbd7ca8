"""The estimate of resources in docs/running.md is the current output of benchmarks/capacity.py."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CAPACITY = runpy.run_path(str(ROOT / "benchmarks" / "capacity.py"))


def test_the_document_has_the_current_estimate():
    assert CAPACITY["generated_section"]() in (ROOT / "docs" / "running.md").read_text(encoding="utf-8")


def test_twice_the_people_at_half_the_pace_need_the_same_but_twice_the_connections():
    measured = CAPACITY["MeasuredCosts"]()
    once = CAPACITY["needs"](1_000_000, measured, CAPACITY["Habits"]())
    again = CAPACITY["needs"](2_000_000, measured, CAPACITY["Habits"](pace=2 * CAPACITY["Habits"]().pace))
    assert again["tables"] == 2 * once["tables"]
    for name in ("actions", "commits", "database_cores", "network_mbit", "stored_gb"):
        assert again[name] == pytest.approx(once[name])
    assert again["balancer_gb"] == pytest.approx(2 * once["balancer_gb"])
