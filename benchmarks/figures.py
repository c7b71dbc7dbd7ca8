"""Measure Parlour, OpenSpiel, Pgx, RLCard and PettingZoo, and write ``docs/performance.md``.

The other libraries, and Parlour with Stable-Baselines3, are installed in environments of their own in the cache
folder. All sides are measured alternately, one try at a time, so that other load on the machine affects them equally.

    python benchmarks/figures.py            # some minutes
    python benchmarks/figures.py --go-on    # after Ctrl-C: reuse the measurements of this commit
    python benchmarks/figures.py --tries 1 --only "oh.hell|games|versions"  # print some figures
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import platformdirs
from command_line import count, pattern, run
from measurement import SECONDS
from performance_page import Figures, performance_page

from parlour.engine.files import write_whole

HERE = Path(__file__).parent
ROOT = HERE.parent
PAGE = ROOT / "docs" / "performance.md"
PACKAGES = {
    "others": [["open_spiel==2.0.2", "pgx==2.6.0", "rlcard==1.0.5", "pettingzoo[classic]==1.27.0"]],
    "learners": [["torch==2.13.0"], ["sb3-contrib==2.9.0", "stable-baselines3==2.9.0", "--editable", f"{ROOT}[rl]"]],
}
"""The packages of each environment, by side, in the order of their installation."""


def python_of(side: str) -> Path:
    """Return the Python of a side's environment, which is created if it is missing."""
    folder = Path(platformdirs.user_cache_dir("parlour")) / f"figures-{side}"
    python, note, packages = folder / "bin" / "python", folder / "installed", json.dumps(PACKAGES[side])
    if not note.exists() or note.read_text() != packages:
        print(f"installing {side} into {folder}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        for step in PACKAGES[side]:
            pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, *step], check=True)
        note.write_text(packages)
    return python


class Side:
    """A process that measures one side."""

    def __init__(self, python: str | Path, script: str) -> None:
        # one core by default: threads of libraries would add to the processor time
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
            raise SystemExit("a measuring process has ended; see its error above")
        return json.loads(line)

    def ask(self, name: str) -> Any:
        """Return one try of a measure, or a fact; ``None`` if it failed."""
        assert self._process.stdin
        print(name, file=self._process.stdin, flush=True)
        return self._read()

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def measure(tries: int, only: str, found: Figures, keep: Callable[[Figures], None]) -> None:
    """Measure everything missing that matches ``only``, alternating between the sides; store each result."""
    sides = {
        "ours": Side(sys.executable, "ours.py"),
        **{side: Side(python_of(side), f"{side}.py") for side in PACKAGES},
    }
    matches = re.compile(only).search
    for side, each in sides.items():
        for name in filter(matches, each.facts):
            if name not in found.facts.setdefault(side, {}):
                print(f"{side}, {name}{'':30}", end="\r", file=sys.stderr)
                found.facts[side][name] = each.ask(name)
                keep(found)
    for number in range(1, tries + 1):
        for side, each in sides.items():
            for name in filter(matches, each.measures):
                rates = found.rates.setdefault((side, name), [])
                if len(rates) < number:
                    print(f"try {number} of {tries}: {side}, {name}{'':30}", end="\r", file=sys.stderr)
                    rates.append(each.ask(name))
                    keep(found)
    for each in sides.values():
        each.close()


class StoredFigures:
    """The figures of a commit that are measured so far, in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def found(self) -> Figures:
        """Return the stored figures; empty if there is no file."""
        if not self._path.exists():
            return Figures({})
        facts, rates = json.loads(self._path.read_text())
        return Figures(facts, {(side, name): each for side, name, each in rates})

    def keep(self, figures: Figures) -> None:
        """Write the figures atomically."""
        rates = [[*named, each] for named, each in figures.rates.items()]
        file = self._path.with_suffix(".new")
        file.write_text(json.dumps([figures.facts, rates]))
        file.replace(self._path)


def machine() -> str:
    """Return the processor, its cores, the version of Python, and the load, as text."""
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), model)
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}{load}"


def commit() -> str:
    """Return the current commit, with ``-dirty`` if files have changed since."""
    output = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return output.stdout.strip() or "no commit"


def main() -> None:
    """Measure, and write the page, or print it if ``--only`` selects some figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=count, default=5)
    parser.add_argument("--only", type=pattern, default="")
    parser.add_argument("--go-on", action="store_true", help="reuse earlier measurements of this commit")
    arguments = parser.parse_args()
    version = commit()
    store = StoredFigures(Path(platformdirs.user_cache_dir("parlour")) / f"figures-{version}.json")
    figures = store.found() if arguments.go_on else Figures({})
    try:
        measure(arguments.tries, arguments.only, figures, store.keep)
    except KeyboardInterrupt:
        print("\nStopped; --go-on goes on from here.", file=sys.stderr)
        raise SystemExit(130) from None
    about = f"{machine()}; commit {version}; {date.today().isoformat()}"
    page = performance_page(figures, about, arguments.tries, SECONDS)
    if arguments.only:
        print(page)
    else:
        write_whole(PAGE, page, 0o644)
        print(f"\n{PAGE} is written", file=sys.stderr)


if __name__ == "__main__":
    run(main)
