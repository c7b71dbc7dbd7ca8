"""Ctrl-C and SIGTERM at unusual moments: in a protected block, during the imports, and after the end of a command."""

import signal
import subprocess
import sys

import pytest

from parlour.interrupts import interrupt_on_termination

DISTURBED = """
import os, signal
import numpy  # has threads of its own, which would take the signal
from parlour.interrupts import defer_interrupts

done = []
signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored where tests are run in the background
try:
    with defer_interrupts():
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(100_000):
            pass
        done.append("done")
except KeyboardInterrupt:
    done.append("heard")
print(*done, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)


def test_it_takes_effect_after_the_block_with_any_number_of_threads():
    result = run(DISTURBED)
    assert result.stdout.split() == ["done", "heard", "True"], result.stderr


DURING_THE_IMPORTS = """
import sys
from parlour.__main__ import main

class Finder:
    def find_spec(self, name, path, target=None):
        if name == "parlour.cli":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Finder())
main()
"""
AFTER_THE_END = """
import atexit, os, signal, sys
from parlour.__main__ import main
from parlour.cli import main as commands

signal.signal(signal.SIGINT, signal.default_int_handler)

@commands.command()
def interrupted():
    raise KeyboardInterrupt

atexit.register(os.kill, os.getpid(), signal.SIGINT)
sys.argv = ["parlour", "interrupted"]
main()
"""


def test_it_ends_the_command_in_one_line_during_the_imports():
    result = run(DURING_THE_IMPORTS)
    assert (result.returncode, result.stderr) == (130, "\nStopped.\n")


def test_it_ends_the_process_without_a_traceback_when_repeated():
    result = run(AFTER_THE_END)
    assert (result.returncode, result.stderr) == (-signal.SIGINT, "\nStopped.\n")


TERMINATED = """
import os, signal, sys
from parlour.__main__ import main
from parlour.cli import main as commands
from parlour.interrupts import defer_interrupts

signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell starts background processes

class Dropped:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(100_000):
            pass

@commands.command()
def deferring():
    with defer_interrupts():
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(100_000):
            pass
        print("done")
    signal.pause()

@commands.command()
def finalizing():
    dropped = Dropped()
    del dropped
    print("dropped")
    signal.pause()

@commands.command()
def exiting():
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        signal.pause()
    except KeyboardInterrupt:
        print("kept")
        sys.exit(130)

sys.argv = ["parlour", "{name}"]
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
class TestTermination:
    @pytest.mark.parametrize(
        ("name", "out", "err"),
        [
            ("deferring", "done\n", "\nStopped.\n"),
            ("finalizing", "dropped\n", "\nStopped.\n"),
            ("exiting", "kept\n", ""),
        ],
    )
    def test_it_interrupts_a_command_once_the_interrupt_is_safe(self, name, out, err):
        result = run(TERMINATED.replace("{name}", name))
        assert (result.returncode, result.stdout, result.stderr) == (143, out, err)

    def test_the_handler_of_an_application_stays_in_effect(self):
        received = []
        before = signal.signal(signal.SIGTERM, lambda number, frame: received.append(number))
        try:
            with interrupt_on_termination():
                signal.raise_signal(signal.SIGTERM)
        finally:
            signal.signal(signal.SIGTERM, before)
        assert received == [signal.SIGTERM]
