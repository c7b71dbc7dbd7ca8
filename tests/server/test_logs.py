"""Logs tell what happened to the server, and nothing of what players hold, say or are called."""

import json
import logging

import pytest

from parlour.engine.errors import CompileError
from parlour.server.logs import HumanLines, JsonLines, note_failure, set_up_logs


@pytest.fixture(autouse=True)
def as_before():
    root, own = logging.getLogger(), logging.getLogger("parlour.server")
    before = root.handlers[:], root.level, own.level
    yield
    root.handlers[:], root.level = before[0], before[1]
    own.setLevel(before[2])


def test_one_json_object_a_line(capfd):
    set_up_logs("json")
    try:
        raise RuntimeError("the seven of hearts, 7H")
    except RuntimeError as error:
        note_failure("a scene could not be laid out", error)
    line = json.loads(capfd.readouterr().err)
    assert line["what"] == "a scene could not be laid out"
    assert line["error"] == "RuntimeError"
    assert line["level"] == "error"
    assert "7H" not in json.dumps(line)


def test_why_a_rule_cannot_be_compiled_is_told(capfd):
    set_up_logs("human")
    note_failure("the bot master failed", CompileError("rules.py, line 6, in points: this cannot be compiled: no"))
    assert "why=rules.py, line 6, in points: this cannot be compiled: no" in capfd.readouterr().err


@pytest.mark.parametrize("lines", [JsonLines(), HumanLines()])
def test_of_what_libraries_say_only_the_first_line_is_kept(lines):
    text = "Task exception was never retrieved\nfuture: <Task exception=ValueError('7H')>"
    try:
        raise ValueError("7H")
    except ValueError as error:
        info = type(error), error, error.__traceback__
    record = logging.LogRecord("asyncio", logging.ERROR, __file__, 1, text, None, info)
    shown = lines.format(record)
    assert "never retrieved" in shown
    assert "7H" not in shown
    assert "\n" not in shown


def test_lines_for_people():
    record = logging.LogRecord("parlour.server", logging.INFO, __file__, 1, "open", None, None)
    record.fields = {"workers": 2}
    assert HumanLines().format(record).endswith("info: open (workers=2)")
