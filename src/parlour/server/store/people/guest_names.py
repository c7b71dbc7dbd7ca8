"""The names that the page gives to people who have entered none."""

import re
from functools import cache

from parlour.languages import LANGUAGES, deferred, gettext, in_language

GUEST = deferred("Guest")
"""The name at the table of a person who has entered none, in the language of this person."""


def chosen_name(name: str) -> str:
    """Return the name that a person has chosen; empty for the name of a guest in any language.

    Further guests at a table have a number after it.
    """
    return "" if re.sub(r" \d+$", "", name) in _guest_names() else name


@cache
def _guest_names() -> frozenset[str]:
    names = set()
    for code in LANGUAGES:
        with in_language(code):
            names.add(gettext(GUEST))
    return frozenset(names)
