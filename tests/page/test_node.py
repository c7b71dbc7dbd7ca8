"""The page's modules without elements, in Node's own test runner: ``tests/page/modules``."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_modules_do_what_they_say():
    node = shutil.which("node")
    assert node, "Node is missing; install it with: sudo apt install nodejs"
    files = sorted(map(str, Path(__file__).parent.glob("modules/*.test.js")))
    run = subprocess.run([node, "--test", *files], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "# tests 0" not in run.stdout
