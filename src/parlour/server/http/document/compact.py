"""The page's scripts and style sheets in fewer bytes: without comments, which are a third, and spaces between rules."""

import re
from functools import cache

_BLOCK = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_COMMENT_AT_END = re.compile(r"[ \t]*/\*[^*\n]*\*/[ \t]*$", re.MULTILINE)
_SPACES = re.compile(r"[ \t]*([{};]|^|$)[ \t]*", re.MULTILINE)


@cache  # a process may open several rooms, as the tests do
def compact(path: str, content: bytes) -> bytes:
    """Return a file of the page in fewer bytes.

    A script is without the comments that have lines of their own. A style sheet is also without the comments at the
    ends of lines, and the spaces around braces and semicolons. Other files are unchanged.

    The lines stay, empty, so that a place in a browser's error report is the place in the source.
    """
    if not path.endswith((".js", ".css")):
        return content
    text = _BLOCK.sub(lambda comment: "\n" * comment[0].count("\n"), content.decode())
    if path.endswith(".js"):
        return _LINE.sub("", text).encode()
    return _SPACES.sub(r"\1", _COMMENT_AT_END.sub("", text)).encode()
