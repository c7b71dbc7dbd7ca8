"""Programs that play: any program that is written to by lines of JSON and answers likewise (docs/bot-protocol.md).

Nothing of a program can keep its game from ending: it is read by threads, whatever it says is bounded, and when the
game is over it is ended with all that it has started.
"""

import contextlib
import hashlib
import json
import os
import queue
import select
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from typing import Any, BinaryIO
from weakref import WeakSet

from parlour import __version__
from parlour.bots.protocol import Answer, Asking, Failure, answer_of, never, printable, quoted
from parlour.bots.waiting import wait_for
from parlour.engine.errors import ParlourError
from parlour.engine.match import Result
from parlour.engine.setup import Setup
from parlour.engine.views import Observation
from parlour.interrupts import undisturbed

PROTOCOL = "parlour-bot/1"
PREFIX = "exec:"
WANTS = ("text", "information_state")
"""What a program is told of an observation only if it wants it."""
START_SECONDS = 30.0
"""Seconds a program may take to say hello; it may load what it needs first."""
_END_SECONDS = 1.0
"""Seconds a program has to exit after ``quit`` before it is killed."""
LONGEST_LINE = 1 << 16
"""Bytes in a line of a program."""
_WAITING_LINES = 64
"""A program that says more than is read waits."""
_KEPT_OF_STDERR = 4000
_AT_ONCE = getattr(select, "PIPE_BUF", 512)
"""Bytes that can be written to a pipe that is ready for any, without waiting."""

_STDIN_CLOSED, _STDOUT_CLOSED = object(), object()
_running: "WeakSet[Program]" = WeakSet()


class Program:
    """A running program, in a session of its own: no Ctrl-C reaches it, and what it has started ends with it."""

    def __init__(self, command: str) -> None:
        """Start it. Raises :class:`Failure` if there is no such program."""
        pipe = subprocess.PIPE
        try:
            with undisturbed():  # or a Ctrl-C could leave one that nobody knows of
                self._process = subprocess.Popen(
                    words_of(command), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
                )
                _running.add(self)
        except OSError as error:
            raise Failure(f"cannot be started: {error.strerror or error}") from None
        self._heard: queue.Queue[Any] = queue.Queue(_WAITING_LINES)
        self._to_say: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._stderr = b""
        self._closing = False
        self._closed, self._close = os.pipe()
        self._exited, self._exit = os.pipe()
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._write, self._read, self._note)]
        self._waiting = threading.Thread(target=self._await_exit, daemon=True)
        for thread in (*self._threads, self._waiting):
            thread.start()

    def say(self, message: Mapping[str, Any]) -> None:
        """Write a message. Never waits: a program that does not read is found out when it does not answer."""
        self._to_say.put(json.dumps(message).encode() + b"\n")

    def hear(self, seconds: float | None, stopped: Asking = never) -> dict[str, Any]:
        """The next message that is no ``info``. Raises :class:`Failure` or :class:`Stopped`."""
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            message = self._message(wait_for(self._heard, seconds, stopped, end))
            if message["type"] == "error":
                raise Failure(f"gave up: {quoted(str(message.get('text', '')), 200)}")
            if message["type"] != "info":
                return message

    def _message(self, heard: Any) -> dict[str, Any]:
        """A line as a message. Raises :class:`Failure` if it is none."""
        if heard is _STDIN_CLOSED or heard is _STDOUT_CLOSED:
            raise Failure(self._how_it_ended("stdin" if heard is _STDIN_CLOSED else "stdout"))
        if len(heard) > LONGEST_LINE:
            raise Failure(f"said a line of more than {LONGEST_LINE:,} bytes")
        try:
            message = json.loads(heard)
        except (ValueError, RecursionError):
            raise Failure(f"said {quoted(heard.decode(errors='replace').strip())}, which is not JSON") from None
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise Failure(
                f'said {quoted(heard.decode(errors="replace").strip())}, which is no message: it has no "type"'
            )
        return message

    def _how_it_ended(self, closed: str) -> str:
        try:
            status = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            return f"closed its {closed}"
        self._threads[2].join(_END_SECONDS)
        said = self._stderr.decode(errors="replace").strip().splitlines()
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"{how}, saying {quoted(said[-1], 200)}" if said else how

    def _write(self) -> None:
        pipe = _pipe(self._process.stdin)
        try:
            while line := self._to_say.get():
                while line and self._ready(pipe, writing=True):
                    line = line[os.write(pipe.fileno(), line[:_AT_ONCE]) :]
            pipe.close()
        except (OSError, ValueError):
            self._threads[1].join(_END_SECONDS)  # what it said before it ended is heard first
            self._put(_STDIN_CLOSED)

    def _read(self) -> None:
        said = b""
        while piece := self._piece(self._process.stdout):
            *lines, said = (said + piece).split(b"\n")
            for line in [*lines, said] if len(said) > LONGEST_LINE else lines:
                self._put(line)
                if len(line) > LONGEST_LINE:
                    return
        if said:
            self._put(said)
        self._put(_STDOUT_CLOSED)

    def _await_exit(self) -> None:
        """Wait for the process itself: a child of it may hold its pipes open after its exit.

        The children that are still in its session end with it. The exit status is left for :meth:`close` to fetch, so
        that no other process group can have been given this number before.
        """
        if hasattr(os, "waitid"):
            with contextlib.suppress(ChildProcessError):
                os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        else:
            self._process.wait()
        if self._closing:
            return
        self.kill()
        os.write(self._exit, b".")
        if not hasattr(select, "poll"):  # the reader cannot be woken
            self._threads[1].join(_END_SECONDS)
            self._put(_STDOUT_CLOSED)

    def _put(self, heard: Any) -> None:
        while not self._closing:
            try:
                self._heard.put(heard, timeout=0.1)
                return
            except queue.Full:
                continue

    def _note(self) -> None:
        """Keep the end of what it writes on stderr, and let it write as much as it likes."""
        while piece := self._piece(self._process.stderr):
            self._stderr = (self._stderr + piece)[-_KEPT_OF_STDERR:]

    def _piece(self, of: Any) -> bytes:
        """What comes next from a pipe; nothing when it or this is closed."""
        pipe = _pipe(of)
        return os.read(pipe.fileno(), LONGEST_LINE) if self._ready(pipe) else b""

    def _ready(self, pipe: BinaryIO, writing: bool = False) -> bool:
        """Wait until a pipe can be read or written; ``False`` if this is closed or the process has exited before.

        What the process wrote before its exit can still be read. A child that has left the session may hold the other
        end for ever.
        """
        if not hasattr(select, "poll"):  # elsewhere pipes cannot be waited for
            return not self._closing
        polled = select.poll()
        for awaited in (self._closed, self._exited):
            polled.register(awaited, select.POLLIN)
        polled.register(pipe.fileno(), select.POLLOUT if writing else select.POLLIN)
        ready = {descriptor for descriptor, _ in polled.poll()}
        return pipe.fileno() in ready and not self._closing

    def close(self, at_once: bool = False) -> None:
        """Let it end, or end it ``at_once``; whatever it has started ends with it, but for what left the session."""
        if not at_once:
            self.say({"type": "quit"})
        self._to_say.put(None)
        if not at_once:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_SECONDS)
        self._closing = True
        self.kill()
        self._process.wait()
        os.write(self._close, b".")
        for thread, pipe in zip(
            self._threads, (self._process.stdin, self._process.stdout, self._process.stderr), strict=True
        ):
            thread.join(_END_SECONDS)
            if pipe and not thread.is_alive():  # else pipes cannot be waited for here
                pipe.close()
        self._waiting.join()
        for end in (self._closed, self._close, self._exited, self._exit):
            os.close(end)
        _running.discard(self)

    def kill(self) -> None:
        """End it and what it has started, now."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody is left
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()


def _pipe(pipe: Any) -> BinaryIO:
    found: BinaryIO = pipe
    return found


def kill_all() -> None:
    """End every program that this process has started: it is going to end without a farewell."""
    for program in list(_running):
        program.kill()


def words_of(command: str) -> list[str]:
    """A command's words, as a shell would part them; no shell reads it. Raises :class:`Failure`."""
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise Failure(f"has a command that cannot be read: {error}") from None
    if not words:
        raise Failure("has no command")
    return words


def hello(program: Program, stopped: Asking = never) -> dict[str, Any]:
    """Greet a program; what it says of itself. Raises :class:`Failure` or :class:`Stopped`."""
    program.say({"type": "hello", "protocol": PROTOCOL, "version": __version__})
    said = program.hear(START_SECONDS, stopped)
    if said["type"] != "hello" or said.get("protocol") != PROTOCOL:
        raise Failure(f"said {quoted(json.dumps(said))} where a hello of {PROTOCOL} was expected")
    wants = said.get("wants", [])
    if not isinstance(wants, list) or not all(each in WANTS for each in wants):
        raise Failure(f'said "wants": {printable(json.dumps(wants), 60)}, but there are {", ".join(WANTS)}')
    return said


_versions: dict[tuple[str, str], str] = {}


def version_of(command: str) -> str:
    """The name and the version that a program says of itself, or a hash of its files for the version.

    Raises:
        ParlourError: it cannot be started, or does not greet.
    """
    try:
        source = _hash_of(words_of(command))
        key = command, source
        if key not in _versions:
            program = Program(command)
            try:
                said = hello(program)
            except BaseException:
                program.close(at_once=True)
                raise
            program.close()
            told = (said.get("name"), said.get("version", source[:16]))
            _versions[key] = " ".join(str(each)[:100] for each in told if each is not None)
    except Failure as error:
        raise ParlourError(f"the bot {PREFIX}{command} cannot play: it {error}") from None
    return _versions[key]


def _hash_of(words: list[str]) -> str:
    """A hash of the program and of every file that its command names."""
    found = hashlib.sha256()
    for path in (shutil.which(words[0]) or words[0], *words[1:]):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                found.update(hashlib.file_digest(file, "sha256").digest())
    return found.hexdigest()


class ProgramBot:
    """A program in its seat, for one game: started for it, and ended after it."""

    def __init__(self, command: str, seconds: float | None, stopped: Asking) -> None:
        self._command, self._seconds, self._stopped = command, seconds, stopped
        self._program: Program | None = None
        self._wants: list[str] = []

    def begin(self, setup: Setup, seat: int) -> None:
        """Start it, and tell it what is played."""
        self._program = Program(self._command)
        self._wants = hello(self._program, self._stopped).get("wants", [])
        self._program.say(setup_message(setup, seat))

    def choose(self, observation: Observation) -> Answer:
        """What it says that it does."""
        assert self._program is not None
        self._program.say(observation_message(observation, self._wants))
        said = self._program.hear(self._seconds, self._stopped)
        if said["type"] != "act" or "do" not in said:
            raise Failure(f"said {quoted(json.dumps(said))} where an act was expected")
        if said.get("seen") != observation.seen:
            told = printable(json.dumps(said.get("seen")), 60)
            raise Failure(f'said "seen": {told}, where "seen" was {observation.seen}')
        return answer_of(said["do"])

    def end(self, result: Result) -> None:
        """Tell it how the game ended."""
        if self._program:
            self._program.say({"type": "end", "result": result.to_json()})

    def close(self, at_once: bool) -> None:
        """Let it end, or end it."""
        if self._program:
            self._program.close(at_once)


def setup_message(setup: Setup, seat: int) -> dict[str, Any]:
    """What a program is told before the first event."""
    told = {"game": setup.game.id, "players": setup.players, "options": dict(setup.options)}
    return {"type": "setup", **told, "seat": seat}


def observation_message(observation: Observation, wants: list[str]) -> dict[str, Any]:
    """What a program is told when it is to act: the observation of its seat, and nothing else."""
    more = {name: getattr(observation, name) for name in WANTS if name in wants}
    return {"type": "observation", **observation.to_json(), **more}
