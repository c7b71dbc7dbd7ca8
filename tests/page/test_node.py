"""The page's modules in Node's own test runner, without a browser: ``tests/page/modules``."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_modules_pass_their_tests_in_node():
    node = Path(sys.executable).with_name("node")
    assert node.exists(), "Node is missing; install it with: pip install -e '.[dev]'"
    files = sorted(map(str, Path(__file__).parent.glob("modules/*.test.js")))
    run = subprocess.run([node, "--test", "--test-reporter=tap", *files], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "# tests 0" not in run.stdout
