"""Processes in which packages are installed."""

import os
import subprocess
import sys
from pathlib import Path


def run(site: Path, *arguments: str, typed: str = "", interpreted: bool = False) -> "subprocess.CompletedProcess[str]":
    """Run Python with the packages in a folder; ``interpreted`` compiles no rules."""
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    ours = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "XDG_DATA_HOME": str(site / "data")}
    environment = {**os.environ, **ours, **({"NUMBA_DISABLE_JIT": "1"} if interpreted else {})}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, cwd=site, input=typed, capture_output=True, text=True)


def code(site: Path, text: str, interpreted: bool = False) -> str:
    """Return the output of a program in a process with these packages."""
    done = run(site, "-c", text, interpreted=interpreted)
    assert done.returncode == 0, done.stderr
    return done.stdout
