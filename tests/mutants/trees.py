"""Copies of the sources, in which one mutant lives at a time, and the tests that are run there."""

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
from tests.mutants.mutant_list import ROOT, Mutant, mutated

_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
_PASSED, _FAILED_SOME = 0, 1
TOO_LONG = -1
_PYTEST = ("-q", "--no-header", "--tb=no", "-rfE", "-p", "no:cacheprovider")


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
        self._loaded: dict[bool, subprocess.Popen[bytes]] = {}
        self._running: int | None = None
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
        words = [*_PYTEST, *(["-x"] if first else []), f"--timeout={seconds:g}"]
        words += [word for test in tests for word in _words(test)]
        with tempfile.NamedTemporaryFile() as output:
            with self._lock:
                if self._closed:
                    return Asked(TOO_LONG)
                process = self._loaded.get(interpreted) or self._load(interpreted)
                assert process.stdin
                assert process.stdout
                process.stdin.write(json.dumps({"words": words, "output": output.name}).encode() + b"\n")
                self._running = int(process.stdout.readline())
            in_time = bool(select.select([process.stdout], [], [], seconds)[0])
            self._end()
            status = int(process.stdout.readline() or TOO_LONG)
            failed = _FAILED.findall(output.read().decode(errors="replace"))
            return Asked(status if in_time else TOO_LONG, tuple(failed))

    def _load(self, interpreted: bool) -> "subprocess.Popen[bytes]":
        """The process that runs tests, compiled or interpreted."""
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
        """End what was run, with all that it has started."""
        if self._running is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._running, signal.SIGKILL)
            self._running = None

    def close(self) -> None:
        """End what runs here; nothing is begun any more."""
        with self._lock:
            self._closed = True
            self._end()
            for process in self._loaded.values():
                process.kill()
                process.wait()


def _words(test: str) -> list[str]:
    named, _, word = test.partition(" -k ")
    return [named, "-k", word] if word else [named]
