"""A mistake of an author, as edits of the package Lay Away, with the report of ``parlour check``."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """A mistake.

    Attributes:
        name: the mistake in a few words.
        edits: for each edit the file, the text, and its replacement.
        law: the law that finds the mistake, or ``error`` if the game cannot be loaded or played.
        says: a pattern that matches the reported sentence.
    """

    name: str
    edits: tuple[tuple[str, str, str], ...]
    law: str
    says: str


def wrong(name: str, file: str, right: str, wrong: str, law: str, says: str) -> Mistake:
    """Return a mistake of one edit."""
    return Mistake(name, ((file, right, wrong),), law, says)


def wrong_hook(name: str, hook: str, law: str, says: str) -> Mistake:
    """Return a mistake in a hook of ``words.py`` that Lay Away lacks."""
    return wrong(name, "words.py", "def lines(", f"{hook}\n\n\ndef lines(", law, says)
