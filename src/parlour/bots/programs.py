"""Bots as external programs that read and write lines of JSON (docs/bot-protocol.md).

A program cannot keep its game from ending: threads read its output, the length of each message is bounded, and at the
end of the game it is killed together with its child processes.
"""

import contextlib
import hashlib
import json
import os
import queue
import re
import select
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from types import FrameType
from typing import Any, BinaryIO
from weakref import WeakSet

from parlour.bots.determinization_requests import REQUEST, answer_to, get_ready
from parlour.bots.protocol import Answer, CancelCheck, Failure, NoAction, never, number_of, printable, quoted
from parlour.bots.timeouts import check_time, wait_for
from parlour.engine.errors import ParlourError
from parlour.engine.events import Result
from parlour.engine.observation import Observation
from parlour.engine.setup import Setup
from parlour.interrupts import defer_interrupts
from parlour.version import __version__

PROTOCOL = "parlour-bot/1"
PROGRAM_PREFIX = "exec:"
"""Beginning of the id of a program; the command follows."""
DETERMINIZATIONS = "determinizations"
WANTS = ("text", "information_state", DETERMINIZATIONS)
"""Valid ``wants`` in a program's hello: optional fields of its observations, and answers to requests."""
START_SECONDS = 30.0
"""Seconds a program may take to say hello; it may first load what it needs."""
_END_SECONDS = 1.0
"""Seconds a program has to exit after ``quit`` before it is killed."""
LONGEST_LINE = 1 << 16
"""Maximum length of a line from a program, in bytes."""
_POLL_SECONDS = 0.005
"""Interval between looks at unread messages."""
_QUEUED_LINES = 64
"""Number of unread lines after which a program has to wait."""
_STDERR_BYTES = 4000
"""Maximum number of bytes kept of a program's stderr."""
_NO_REASON = re.compile(r"\s|\W*$|Node\.js v|note: run with ")
"""Lines of stderr that follow the reason of an exit: those of a stack, versions and advice."""
_AT_ONCE = getattr(select, "PIPE_BUF", 512)
"""Number of bytes that a ready pipe accepts without blocking."""

_ENDING_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

_STDIN_CLOSED, _STDOUT_CLOSED = object(), object()
_running: "WeakSet[Program]" = WeakSet()


class Program:
    """Running program in its own session: Ctrl-C does not reach it, and its process group ends with it."""

    def __init__(self, command: str) -> None:
        """Start the program. Raises :class:`Failure` if it cannot be started."""
        pipe = subprocess.PIPE
        _kill_all_before_signals_end_this_process()
        try:
            with defer_interrupts():  # a Ctrl-C here could leave an unregistered process
                self._process = subprocess.Popen(
                    words_of(command), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
                )
                _running.add(self)
        except OSError as error:
            raise Failure(f"cannot be started: {error.strerror or error}") from None
        self._received: queue.Queue[Any] = queue.Queue(_QUEUED_LINES)
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._stderr = b""
        self._closing = False
        self._closed, self._close = os.pipe()
        self._exited, self._exit = os.pipe()
        loops = self._write, self._read, self._read_stderr
        self._threads = [threading.Thread(target=loop, daemon=True) for loop in loops]
        self._waiting = threading.Thread(target=self._await_exit, daemon=True)
        for thread in (*self._threads, self._waiting):
            thread.start()

    def say(self, message: Mapping[str, Any]) -> None:
        """Queue a message for writing.

        Never blocks: a program that does not read is detected when it does not answer.
        """
        self._outgoing.put(json.dumps(message).encode() + b"\n")

    def wait_until_read(self, check_time: Callable[[], None]) -> None:
        """Wait until the program has read all messages, except for the last one in part.

        ``check_time`` is called repeatedly and ends the wait by an exception.
        """
        while self._outgoing.qsize() and self._threads[0].is_alive():
            check_time()
            time.sleep(_POLL_SECONDS)

    def hear(self, seconds: float | None, stopped: CancelCheck = never, end: float | None = None) -> dict[str, Any]:
        """Return the next message whose type is not ``info``. Raises :class:`Failure` or :class:`Stopped`.

        ``end`` is the monotonic time at which the limit expires, if it began before this call.
        """
        if end is None and seconds is not None:
            end = time.monotonic() + seconds
        while True:
            message = self._message(wait_for(self._received, seconds, stopped, end))
            if message["type"] == "error":
                raise Failure(f"gave up: {quoted(str(message.get('text', '')), 200)}")
            if message["type"] != "info":
                return message

    def _message(self, received: Any) -> dict[str, Any]:
        """Parse a line as a message. Raises :class:`Failure` if it is none."""
        if received is _STDIN_CLOSED or received is _STDOUT_CLOSED:
            raise Failure(self._how_it_ended("stdin" if received is _STDIN_CLOSED else "stdout"))
        if len(received) > LONGEST_LINE:
            raise Failure(f"said a line of more than {LONGEST_LINE:,} bytes")
        try:
            message = json.loads(received)
        except (ValueError, RecursionError):
            said = quoted(received.decode(errors="replace").strip())
            raise Failure(f"said {said}, which cannot be read as JSON") from None
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise Failure(
                f'said {quoted(received.decode(errors="replace").strip())}, which is no message: it has no "type"'
            )
        return message

    def _how_it_ended(self, closed: str) -> str:
        try:
            status = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            return f"closed its {closed}"
        self._threads[2].join(_END_SECONDS)
        errors = self._stderr.decode(errors="replace").strip().splitlines()
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"{how}, saying {quoted(_reason_in(errors), 200)}" if errors else how

    def _write(self) -> None:
        pipe = _pipe(self._process.stdin)
        try:
            while line := self._outgoing.get():
                while line and self._ready(pipe, writing=True):
                    line = line[os.write(pipe.fileno(), line[:_AT_ONCE]) :]
            pipe.close()
        except (OSError, ValueError):
            self._threads[1].join(_END_SECONDS)  # so that the program's last lines come before the mark
            self._put(_STDIN_CLOSED)

    def _read(self) -> None:
        rest = b""
        while piece := self._piece(self._process.stdout):
            *lines, rest = (rest + piece).split(b"\n")
            for line in [*lines, rest] if len(rest) > LONGEST_LINE else lines:
                self._put(line)
                if len(line) > LONGEST_LINE:
                    return
        if rest:
            self._put(rest)
        self._put(_STDOUT_CLOSED)

    def _await_exit(self) -> None:
        """Wait for the process itself: a child process may hold its pipes open after its exit.

        Then kill the child processes left in its process group. The exit status is left for :meth:`close` to fetch, so
        that the system does not give the number of the process group to another one before.
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
        if not hasattr(select, "poll"):  # without poll() nothing wakes the reader
            self._threads[1].join(_END_SECONDS)
            self._put(_STDOUT_CLOSED)

    def _put(self, received: Any) -> None:
        while not self._closing:
            try:
                self._received.put(received, timeout=0.1)
                return
            except queue.Full:
                continue

    def _read_stderr(self) -> None:
        """Read stderr, of any length, and keep its last bytes."""
        while piece := self._piece(self._process.stderr):
            self._stderr = (self._stderr + piece)[-_STDERR_BYTES:]

    def _piece(self, of: Any) -> bytes:
        """Return the next bytes of a pipe; empty when the pipe or this object is closed."""
        pipe = _pipe(of)
        return os.read(pipe.fileno(), LONGEST_LINE) if self._ready(pipe) else b""

    def _ready(self, pipe: BinaryIO, writing: bool = False) -> bool:
        """Wait until a pipe can be read or written; return ``False`` if this object is closed, or after the program's
        exit.

        Output written before the exit can still be read. The wait ends with the exit, since a child process that has
        left the process group may hold the other end of the pipe open for ever.
        """
        if not hasattr(select, "poll"):  # other systems cannot wait for pipes
            return not self._closing
        polled = select.poll()
        for awaited in (self._closed, self._exited):
            polled.register(awaited, select.POLLIN)
        polled.register(pipe.fileno(), select.POLLOUT if writing else select.POLLIN)
        ready = {descriptor for descriptor, _ in polled.poll()}
        return pipe.fileno() in ready and not self._closing

    def close(self, at_once: bool = False) -> None:
        """Let the program exit, or kill it ``at_once``; then kill the child processes in its process group."""
        if not at_once:
            self.say({"type": "quit"})
        self._outgoing.put(None)
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
            if pipe and not thread.is_alive():  # a thread may still be blocked where pipes cannot be polled
                pipe.close()
        self._waiting.join()
        for end in (self._closed, self._close, self._exited, self._exit):
            os.close(end)
        _running.discard(self)

    def kill(self) -> None:
        """Kill the program and the child processes in its process group now."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):  # no process is left
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()


def _pipe(pipe: Any) -> BinaryIO:
    found: BinaryIO = pipe
    return found


def _reason_in(errors: list[str]) -> str:
    """Return the last line of stderr that may be the reason of an exit; the last one if none may be."""
    return next((line for line in reversed(errors) if not _NO_REASON.match(line)), errors[-1])


def kill_all() -> None:
    """Kill every program that this process has started, before an exit without cleanup."""
    for program in list(_running):
        program.kill()


def _kill_all_before_signals_end_this_process() -> None:
    """Kill all programs before SIGTERM or SIGHUP ends this process: a program may not read the end of its input.

    Only signals with the default action are handled, and only the main thread can do so.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    here = os.getpid()

    def end(number: int, frame: FrameType | None) -> None:
        if os.getpid() == here:  # a forked process has no programs of its own
            kill_all()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    for number in _ENDING_SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)


def words_of(command: str) -> list[str]:
    """Split a command into words as a shell would; no shell reads it. Raises :class:`Failure`."""
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise Failure(f"has a command that cannot be read: {error}") from None
    if not words:
        raise Failure("has no command")
    return words


def hello(program: Program, stopped: CancelCheck = never) -> dict[str, Any]:
    """Exchange hello messages; return the program's. Raises :class:`Failure` or :class:`Stopped`."""
    program.say({"type": "hello", "protocol": PROTOCOL, "version": __version__})
    reply = program.hear(START_SECONDS, stopped)
    if reply["type"] != "hello" or reply.get("protocol") != PROTOCOL:
        raise Failure(f"said {quoted(json.dumps(reply))} where a hello of {PROTOCOL} was expected")
    wants = reply.get("wants", [])
    if not isinstance(wants, list) or not all(each in WANTS for each in wants):
        raise Failure(f'said "wants": {printable(json.dumps(wants), 60)}, but there are {", ".join(WANTS)}')
    return reply


_versions: dict[tuple[str, str], str] = {}


def version_of(command: str) -> str:
    """Return the name and version that a program reports; a hash of its files replaces a missing version.

    Raises:
        ParlourError: the program cannot be started, or sends no hello.
    """
    try:
        source = _hash_of(words_of(command))
        key = command, source
        if key not in _versions:
            program = Program(command)
            try:
                reply = hello(program)
            except BaseException:
                program.close(at_once=True)
                raise
            program.close()
            identity = (reply.get("name"), reply.get("version", source[:16]))
            _versions[key] = " ".join(printable(str(each), 100) for each in identity if each is not None)
    except Failure as error:
        raise ParlourError(f"the bot {PROGRAM_PREFIX}{command} cannot play: it {error}") from None
    return _versions[key]


def _hash_of(words: list[str]) -> str:
    """Return a hash of the program and of every file that its command names."""
    found = hashlib.sha256()
    for path in (shutil.which(words[0]) or words[0], *words[1:]):
        if os.path.isfile(path):
            found.update(_digest_of(path))
    return found.hexdigest()


def _digest_of(path: str) -> bytes:
    """Return the hash of a file, or the size and time of a file that the program may read, but this process may not."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        status = os.stat(path)
        return f"{status.st_size} {status.st_mtime_ns}".encode()


class ProgramBot:
    """Program in its seat for one game: it starts at the beginning of the game and exits at the end."""

    def __init__(self, command: str, seconds: float | None, stopped: CancelCheck) -> None:
        self._command, self._seconds, self._stopped = command, seconds, stopped
        self._program: Program | None = None
        self._wants: list[str] = []

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes. Raises :class:`ParlourError` while the program runs: a process cannot be copied."""
        if self._program is not None:
            raise ParlourError(
                f"a game against the program {PROGRAM_PREFIX}{self._command} cannot be copied or pickled:"
                " its process cannot be"
            )
        return vars(self)

    def begin(self, setup: Setup, seat: int) -> None:
        """Start the program and send it the setup."""
        self._program = Program(self._command)
        self._wants = hello(self._program, self._stopped).get("wants", [])
        if DETERMINIZATIONS in self._wants:
            get_ready(setup)
        self._program.say(setup_message(setup, seat))

    def choose(self, observation: Observation) -> Answer:
        """Send the observation, answer requests; return the program's choice."""
        assert self._program is not None
        self._program.say(observation_message(observation, self._wants))
        end = None if self._seconds is None else time.monotonic() + self._seconds
        while (reply := self._program.hear(self._seconds, self._stopped, end))["type"] == REQUEST:
            if DETERMINIZATIONS not in self._wants:
                raise Failure(f'asked for determinizations without "{DETERMINIZATIONS}" among the "wants" of its hello')
            in_time = partial(check_time, self._seconds, self._stopped, end)
            self._program.wait_until_read(in_time)  # unread answers must not fill the memory
            self._program.say(answer_to(reply, observation, in_time))
        if reply["type"] != "act" or "do" not in reply:
            raise Failure(f"said {quoted(json.dumps(reply))} where an act was expected")
        if number_of(reply.get("seen")) != observation.seen:
            seen = printable(json.dumps(reply.get("seen")), 60)
            raise Failure(f'said "seen": {seen}, where "seen" was {observation.seen}')
        do = reply["do"]
        if isinstance(do, str):
            return do
        number = number_of(do)
        return NoAction(json.dumps(do)) if number is None else number

    def end(self, result: Result) -> None:
        """Send the program the result."""
        if self._program:
            self._program.say({"type": "end", "result": result.to_json()})

    def close(self, at_once: bool) -> None:
        """Let the program exit, or kill it ``at_once``."""
        if self._program:
            self._program.close(at_once)


def setup_message(setup: Setup, seat: int) -> dict[str, Any]:
    """Return the setup message, which a program receives before the first event."""
    fields = {"game": setup.game.id, "players": setup.players, "options": dict(setup.options)}
    return {"type": "setup", **fields, "seat": seat}


def observation_message(observation: Observation, wants: list[str]) -> dict[str, Any]:
    """Return the observation message of the seat to act."""
    more = {name: getattr(observation, name) for name in WANTS if name in wants and name != DETERMINIZATIONS}
    return {"type": "observation", **observation.to_json(), **more}
