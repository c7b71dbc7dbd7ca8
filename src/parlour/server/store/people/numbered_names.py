"""Names with the number that the room adds if another person at the table has the same name: ``"Ann 2"``."""

import re

from parlour.server.store.text_comparison import comparable

NAME_LENGTH = 30
"""Maximum length of a name, in characters."""
_LONGEST_END = 4
"""Maximum length of a number with the space before it: a table has fewer than a thousand seats."""
_NUMBERED = re.compile(r".* ([1-9]\d*)", re.DOTALL)


def numbered_name(name: str, number: int) -> str:
    """Return a name with a number after it; the longest names are cut for the number."""
    end = f" {number}"
    return f"{name[: NAME_LENGTH - len(end)].rstrip()}{end}"


def is_numbered_form(text: str, name: str) -> bool:
    """Return whether a text looks like a name with a number after it."""
    found = _NUMBERED.fullmatch(text)
    return found is not None and comparable(numbered_name(name, int(found[1]))) == comparable(text)


def least_start(name: str) -> str:
    """Return the beginning that a name has in common with its numbered forms."""
    return name[: NAME_LENGTH - _LONGEST_END].rstrip()
