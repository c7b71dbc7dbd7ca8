"""The page's scripts and style sheets without comments, which are a third of what a browser would load."""

import re
from functools import cache

_BLOCK = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"^[ \t]*//.*$", re.MULTILINE)


@cache  # a process may open several rooms, as the tests do
def without_comments(path: str, content: bytes) -> bytes:
    """Return a file of the page without the comments that have lines of their own; other files are unchanged.

    The lines stay, empty, so that a place in a browser's error report is the place in the source.
    """
    if not path.endswith((".js", ".css")):
        return content
    text = _BLOCK.sub(lambda comment: "\n" * comment[0].count("\n"), content.decode())
    return (_LINE.sub("", text) if path.endswith(".js") else text).encode()
