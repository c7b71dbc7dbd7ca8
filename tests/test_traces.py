"""Complete games with every legal action, played by an independent model of the rules, are reproduced exactly."""

import gzip
import json
from functools import cache
from pathlib import Path

import pytest

from parlour.engine.matches.records import trace
from parlour.engine.matches.steps import COMPILED, INTERPRETED

pytestmark = pytest.mark.slow

TRACES = sorted((Path(__file__).parent / "traces").glob("*.jsonl.gz"))
STEPS = {"interpreted": INTERPRETED, "compiled": COMPILED}


@cache
def lines_of(path):
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


CASES = [(path, number) for path in TRACES for number in range(len(lines_of(path)))]


@pytest.mark.parametrize("how", STEPS)
@pytest.mark.parametrize(("path", "number"), CASES, ids=[f"{path.name[:-9]}-{number}" for path, number in CASES])
def test_the_same_actions_are_legal_at_every_decision(path, number, how):
    case = lines_of(path)[number]
    traced = trace(case["record"], steps=STEPS[how])
    for row, (ours, theirs) in enumerate(zip(traced["trace"], case["trace"], strict=True)):
        assert ours == theirs, f"decision {row}"
    assert traced["result"] == case["result"] == case["record"]["result"]


def test_there_are_traces():
    assert any(path.name == "trick-walls.jsonl.gz" for path in TRACES)
    assert len(CASES) >= 21
