"""Copies of the sources, in which one mutant lives at a time, and the tests that are run there."""

import os
import re
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

from tests.mutants.listed import ROOT, Mutant, mutated

_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
_PASSED, _FAILED_SOME = 0, 1
TOO_LONG = -1
_PYTEST = ("-m", "pytest", "-q", "--no-header", "--tb=no", "-rfE", "-p", "no:cacheprovider")


@dataclass(frozen=True)
class Asked:
    """What came of asking tests: pytest's status or ``TOO_LONG``, and which of them failed."""

    status: int
    failed: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all passed."""
        return self.status == _PASSED

    @property
    def noticed(self) -> str:
        """The first test that failed, or nothing. Tests that could not even be loaded have noticed nothing."""
        return self.failed[0] if self.status == _FAILED_SOME and self.failed else ""


def copy_sources(folder: Path) -> Path:
    """Copy what belongs to the repository into a folder."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    for name in names:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    # Python looks at a file's time in whole seconds: a mutant of the same length could be taken for the one before
    mode = ("--invalidation-mode", "checked-hash")
    subprocess.run([sys.executable, "-m", "compileall", "-q", *mode, "src", "tests"], cwd=folder, check=True)
    return folder


class Tree:
    """A copy of the sources. What runs there is ended when this is closed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def changed(self, mutant: Mutant) -> Iterator[None]:
        """Let a mutant live here meanwhile."""
        file = self.folder / mutant.file
        text = file.read_text(encoding="utf-8")
        file.write_text(mutated(mutant, text), encoding="utf-8")
        try:
            yield
        finally:
            file.write_text(text, encoding="utf-8")

    def ask(self, tests: Sequence[str], seconds: float, interpreted: bool, first: bool = True) -> Asked:
        """Run tests, to the ``first`` that fails or all of them."""
        words = [word for test in tests for word in _words(test)]
        stop = ["-x"] if first else []
        with tempfile.TemporaryFile() as told:
            with self._lock:
                if self._closed:
                    return Asked(TOO_LONG)
                self._running = subprocess.Popen(
                    [sys.executable, *_PYTEST, *stop, f"--timeout={seconds:g}", *words],
                    cwd=self.folder, env=self._environment(interpreted), stdin=subprocess.DEVNULL, stdout=told,
                    stderr=subprocess.STDOUT, start_new_session=True,
                )  # fmt: skip
            try:
                status = self._running.wait(seconds)
            except subprocess.TimeoutExpired:
                status = TOO_LONG
            self._end()
            told.seek(0)
            return Asked(status, tuple(_FAILED.findall(told.read().decode(errors="replace"))))

    def _environment(self, interpreted: bool) -> dict[str, str]:
        more = {"PYTHONPATH": str(self.folder / "src")}
        if interpreted:
            more |= {"NUMBA_DISABLE_JIT": "1", "PARLOUR_CACHE": str(self.folder / "cache")}
        return {**os.environ, **more}

    def _end(self) -> None:
        """End what was run, with all that it has started."""
        if self._running is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._running.pid, signal.SIGKILL)
            self._running.wait()

    def close(self) -> None:
        """End what runs here; nothing is begun any more."""
        with self._lock:
            self._closed = True
            self._end()


def _words(test: str) -> list[str]:
    named, _, word = test.partition(" -k ")
    return [named, "-k", word] if word else [named]
