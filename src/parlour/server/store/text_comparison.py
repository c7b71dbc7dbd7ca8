"""Comparison of names and words as readers see them."""

import unicodedata

_BLANK_RANGES = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2065, 0x2065),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFDD0, 0xFDEF),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0xFFFC, 0xFFFC),
    (0x16FE4, 0x16FE4),
    (0x1D159, 0x1D159),
    (0xE0000, 0xE0FFF),
    *((plane + 0xFFFE, plane + 0xFFFF) for plane in range(0, 0x110000, 0x10000)),
)
"""Invisible characters in Unicode's categories of letters, signs and marks, and among unassigned ones.

They are those of ``Default_Ignorable_Code_Point``, noncharacters, blank signs and placeholders. Other unassigned
characters may be letters or emoji of a later version of Unicode.
"""
_BLANK = frozenset(chr(number) for first, last in _BLANK_RANGES for number in range(first, last + 1))


def is_blank(letter: str) -> bool:
    """Return whether a character is invisible by itself; some of these change the form of an emoji."""
    return letter in _BLANK or unicodedata.category(letter) == "Cf"


def comparable(text: str) -> str:
    """Return a text in one case and one composition without invisible characters; equal results look alike.

    Texts that an earlier version has stored may have more of these characters than new ones.
    """
    return unicodedata.normalize("NFC", "".join(letter for letter in text if not is_blank(letter)).casefold())
