"""Comparison of names and words as readers see them."""

_FORM_OF_EMOJI = {0x200D: None, 0xFE0F: None}
"""The joiner and the choice of the form of an emoji, the only invisible characters in stored texts."""


def comparable(text: str) -> str:
    """Return a text in one case without invisible characters; equal results look alike."""
    return text.translate(_FORM_OF_EMOJI).casefold()
