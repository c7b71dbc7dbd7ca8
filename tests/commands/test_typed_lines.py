"""Lines typed on a terminal: editing, earlier lines, pasted lines, and suit signs."""

import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from parlour.cli import console
from parlour.render.words import in_notation, in_signs

PROGRAM = """
from parlour.cli.console import typed_line
while (line := typed_line("> ")) != "end":
    print("read", ascii(line), flush=True)
"""
PATIENCE_SECONDS = 60
"""Time after which a test fails that waits for the program."""


class Terminal:
    """A program that reads lines on a pseudo-terminal."""

    def __init__(self) -> None:
        self.own, others = pty.openpty()
        command = [sys.executable, "-c", PROGRAM]
        self.program = subprocess.Popen(
            command, stdin=others, stdout=others, stderr=others, env={**os.environ, "TERM": "xterm"}
        )
        os.close(others)
        self.shown = ""

    def wait_for(self, text: str) -> None:
        while text not in self.shown:
            ready, _, _ = select.select([self.own], [], [], PATIENCE_SECONDS)
            assert ready, self.shown
            self.shown += os.read(self.own, 4096).decode()

    def type(self, keys: str, answer: str) -> None:
        """Type keys at the prompt and wait for an answer."""
        os.write(self.own, keys.encode())
        self.wait_for(answer)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal()
    try:
        opened.wait_for("> ")
        yield opened
    finally:
        opened.program.kill()
        opened.program.wait()
        os.close(opened.own)


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is needed")
class TestATerminal:
    def test_moves_in_a_line_by_the_arrow_keys(self, terminal: Terminal) -> None:
        terminal.type("ac\x1b[Db\n", "read 'abc'")

    def test_brings_an_earlier_line_back(self, terminal: Terminal) -> None:
        terminal.type("first\n", "read 'first'")
        terminal.type("\x1b[A one\n", "read 'first one'")

    def test_takes_pasted_lines_one_by_one(self, terminal: Terminal) -> None:
        terminal.type("one\ntwo\n", "read 'two'")
        assert "read 'one'" in terminal.shown
        assert "\x1b[?2004h" not in terminal.shown, "with it a terminal pastes all lines as one"

    def test_shows_the_prompt_again_when_a_stopped_program_goes_on(self, terminal: Terminal) -> None:
        for _ in range(PATIENCE_SECONDS):  # a signal between the prompt and the wait for a key is not noticed
            terminal.program.send_signal(signal.SIGCONT)
            if select.select([terminal.own], [], [], 1)[0]:
                break
        terminal.shown = ""
        terminal.wait_for("> ")
        terminal.type("x\n", "read 'x'")


class TestSuitSigns:
    @pytest.mark.parametrize("typed", ["up Q♥ 1", "up q\u2665\ufe0f 1", "lay 4♣ 10♦ J♠"])
    def test_are_typed_as_notation(self, monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
        monkeypatch.setattr("builtins.input", lambda prompt: f" {typed} ")
        notation = {"up Q♥ 1": "up QH 1", "up q\u2665\ufe0f 1": "up QH 1", "lay 4♣ 10♦ J♠": "lay 4C TD JS"}
        assert console.typed_line("> ") == notation[typed]

    def test_of_a_shown_card_give_its_notation(self) -> None:
        assert in_notation(in_signs("up QH 1, TC 3D 4S")) == "up QH 1, TC 3D 4S"
