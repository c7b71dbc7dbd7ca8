"""Measures Parlour beside OpenSpiel, Pgx, RLCard and PettingZoo, and writes ``docs/performance.md``.

The others are installed in an environment of their own, in the cache folder, which is made if it is not there. Both
sides are asked in turn, a try at a time, so whatever else the machine does meets all of them.

    python benchmarks/figures.py            # some minutes
    python benchmarks/figures.py --tries 1 --only "oh.hell|games|versions"  # a look at some, to the screen
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

import platformdirs
from measuring import SECONDS
from paper import Figures, paper_of

HERE = Path(__file__).parent
ROOT = HERE.parent
PAPER = ROOT / "docs" / "performance.md"
WANTED = ["open_spiel==2.0.2", "pgx==2.6.0", "rlcard==1.0.5", "pettingzoo[classic]==1.27.0"]


def others_python() -> Path:
    """The Python of the others' environment, which is made if it is not there."""
    folder = Path(platformdirs.user_cache_dir("parlour")) / "figures"
    python, done = folder / "bin" / "python", folder / "installed"
    if not done.exists() or done.read_text() != "\n".join(WANTED):
        print(f"installing {', '.join(WANTED)} into {folder}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *WANTED], check=True)
        done.write_text("\n".join(WANTED))
    return python


class Side:
    """A process that measures."""

    def __init__(self, python: str | Path, script: str) -> None:
        # one core unless it is said otherwise: threads of libraries would be counted as processor time, too
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu"}
        command = [python, HERE / script]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.measures, self.facts = self._read()

    def _read(self) -> Any:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("a process that measures has ended; its error stands above")
        return json.loads(line)

    def ask(self, name: str) -> Any:
        """One try of a measure, or a fact; ``None`` if it cannot be had."""
        assert self._process.stdin
        print(name, file=self._process.stdin, flush=True)
        return self._read()

    def close(self) -> None:
        """Let it end."""
        self._process.communicate()


def measure(tries: int, only: str) -> Figures:
    """Everything, or what is named so, the sides in turn."""
    sides = {"ours": Side(sys.executable, "ours.py"), "others": Side(others_python(), "others.py")}
    wanted = re.compile(only).search
    facts = {side: {name: each.ask(name) for name in each.facts if wanted(name)} for side, each in sides.items()}
    found = Figures(facts)
    for number in range(tries):
        for side, each in sides.items():
            for name in filter(wanted, each.measures):
                print(f"try {number + 1} of {tries}: {side}, {name}            ", end="\r", file=sys.stderr)
                rate = each.ask(name)
                if rate is not None:
                    found.rates.setdefault((side, name), []).append(rate)
    for each in sides.values():
        each.close()
    return found


def machine() -> str:
    """The machine, and how busy it was."""
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), model)
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}{load}"


def commit() -> str:
    """The commit that was measured."""
    told = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return told.stdout.strip() or "no commit"


def main() -> None:
    """Measure, and write the paper."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=5)
    parser.add_argument("--only", default="")
    given, begun = parser.parse_args(), time.perf_counter()
    figures = measure(given.tries, given.only)
    about = f"{machine()}; commit {commit()}; {date.today().isoformat()}"
    paper = paper_of(figures, about, given.tries, SECONDS, time.perf_counter() - begun)
    if given.only:
        print(paper)
    else:
        PAPER.write_text(paper)
        print(f"\n{PAPER} is written", file=sys.stderr)


if __name__ == "__main__":
    main()
