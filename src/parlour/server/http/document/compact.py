"""The page's scripts and style sheets in fewer bytes: without comments, which are a third, and without indentation."""

import re
from functools import cache

_BLOCK = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_LINE_AT_END = re.compile(r"[ \t]//[^'\"`/\n]*$", re.MULTILINE)
"""A comment behind code; one with quotes or slashes could be the end of a string, and stays."""
_BLOCK_AT_END = re.compile(r"[ \t]*/\*[^*\n]*\*/[ \t]*$", re.MULTILINE)
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
_SPACES = re.compile(r"[ \t]*([{};]|^|$)[ \t]*", re.MULTILINE)


@cache  # a process may open several rooms, as the tests do
def compact(path: str, content: bytes) -> bytes:
    """Return a script or a style sheet without comments and indentation; other files are unchanged.

    A style sheet is also without the spaces around braces and semicolons. The lines stay, if empty, so that a line in a
    browser's error report is the line in the source.
    """
    if not path.endswith((".js", ".css")):
        return content
    text = _BLOCK.sub(lambda comment: "\n" * comment[0].count("\n"), content.decode())
    if path.endswith(".js"):
        return _INDENTATION.sub("", _LINE_AT_END.sub("", _LINE.sub("", text))).encode()
    return _SPACES.sub(r"\1", _BLOCK_AT_END.sub("", text)).encode()
