"""Processes in which packages are installed."""

import os
import subprocess
import sys
from pathlib import Path


def run(site: Path, *arguments: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    ours = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "XDG_DATA_HOME": str(site / "data")}
    environment = {**os.environ, **ours}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, cwd=site, input=typed, capture_output=True, text=True)
