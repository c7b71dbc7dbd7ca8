"""The load test itself: it plays, and its figures make sense."""

import json
import subprocess
import sys

import pytest


@pytest.mark.slow
def test_a_few_tables_are_held_and_measured():
    command = [sys.executable, "-m", "parlour.lab.load", "--tables", "5", "--pace", "0.1", "--seconds", "3", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["tables"] == 5
    assert result["actions"] > 10
    assert result["refused"] == result["lost_connections"] == 0
    assert 0 < result["action_p50_ms"] <= result["action_p99_ms"] <= result["action_max_ms"]
    assert result["ping_p50_ms"] > 0
