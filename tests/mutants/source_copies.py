"""Copies of the sources with one mutant at a time, and the test runs in them."""

import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.mutants import fork_server
from tests.mutants.mutant_list import ROOT, Mutant, mutate

_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
_PASSED, _FAILED_SOME = 0, 1
TOO_LONG = -1
_PYTEST = ("-q", "--no-header", "--tb=no", "-rfE", "-p", "no:cacheprovider")


@dataclass(frozen=True)
class RunResult:
    """Result of a test run: the status of pytest or ``TOO_LONG``, and the failed tests."""

    status: int
    failed: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all tests passed."""
        return self.status == _PASSED

    @property
    def first_failure(self) -> str:
        """The first failed test, or empty. Import errors do not count."""
        return self.failed[0] if self.status == _FAILED_SOME and self.failed else ""


def copy_sources(folder: Path) -> Path:
    """Copy the files of the repository into a folder."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    for name in names:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    # Python compares modification times in whole seconds: a mutant of the same length could be taken for the last one
    mode = ("--invalidation-mode", "checked-hash")
    subprocess.run([sys.executable, "-m", "compileall", "-q", *mode, "src", "tests"], cwd=folder, check=True)
    return folder


class SourceCopy:
    """A copy of the sources. Closing it ends its processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._loaded: dict[bool, subprocess.Popen[bytes]] = {}
        self._running: int | None = None
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def apply(self, mutant: Mutant) -> Iterator[None]:
        """Apply a mutant during a ``with`` block."""
        file = self.folder / mutant.file
        text = file.read_text(encoding="utf-8")
        file.write_text(mutate(mutant, text), encoding="utf-8")
        try:
            yield
        finally:
            file.write_text(text, encoding="utf-8")

    def run_tests(self, tests: Sequence[str], seconds: float, interpreted: bool, first: bool = True) -> RunResult:
        """Run tests up to the first failure, or all of them."""
        words = [*_PYTEST, *(["-x"] if first else []), f"--timeout={seconds:g}"]
        words += [word for test in tests for word in _words(test)]
        with tempfile.NamedTemporaryFile() as output:
            with self._lock:
                if self._closed:
                    return RunResult(TOO_LONG)
                process = self._loaded.get(interpreted) or self._load(interpreted)
                assert process.stdin
                assert process.stdout
                process.stdin.write(json.dumps({"words": words, "output": output.name}).encode() + b"\n")
                self._running = int(process.stdout.readline())
            in_time = bool(select.select([process.stdout], [], [], seconds)[0])
            self._end()
            status = int(process.stdout.readline() or TOO_LONG)
            failed = _FAILED.findall(output.read().decode(errors="replace"))
            return RunResult(status if in_time else TOO_LONG, tuple(failed))

    def _load(self, interpreted: bool) -> "subprocess.Popen[bytes]":
        """Return the process that runs tests, compiled or interpreted."""
        more = {"PYTHONPATH": str(self.folder / "src")}
        if interpreted:
            more |= {"NUMBA_DISABLE_JIT": "1", "PARLOUR_CACHE": str(self.folder / "cache")}
        pipe = subprocess.PIPE
        self._loaded[interpreted] = subprocess.Popen(
            [sys.executable, Path(fork_server.__file__)], cwd=self.folder, env={**os.environ, **more}, stdin=pipe,
            stdout=pipe, bufsize=0, start_new_session=True,
        )  # fmt: skip
        return self._loaded[interpreted]

    def _end(self) -> None:
        """End a run with all processes that it has started."""
        if self._running is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._running, signal.SIGKILL)
            self._running = None

    def close(self) -> None:
        """End all processes of this copy; no run starts afterwards."""
        with self._lock:
            self._closed = True
            self._end()
            for process in self._loaded.values():
                process.kill()
                process.wait()


def _words(test: str) -> list[str]:
    named, _, word = test.partition(" -k ")
    return [named, "-k", word] if word else [named]
