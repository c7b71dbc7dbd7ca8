"""The page's modules in Node's own test runner, without a browser: ``tests/page/modules``."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 300
"""Seconds until the runner counts as hanging: a timer that a test leaves behind keeps it alive."""


def test_the_modules_pass_their_tests_in_node():
    node = Path(sys.executable).with_name("node")
    assert node.exists(), "Node is missing; install it with: pip install -e '.[dev]'"
    files = sorted(map(str, Path(__file__).parent.glob("modules/*.test.js")))
    command = [node, "--test", "--test-reporter=tap", *files]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "# tests 0" not in run.stdout
