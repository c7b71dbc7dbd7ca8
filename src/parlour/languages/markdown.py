"""Translation of Markdown by blocks: a paragraph, a heading, or an item of a list is a message."""

import re
from collections.abc import Iterator

from parlour.languages.messages import SOURCE_LANGUAGE, current_language, gettext

_BEGINNING = re.compile(r"(?P<mark>#+ |- |\d+\. |\| )")


def translate_markdown(text: str) -> str:
    """Return a Markdown text with each block translated. Tables and blocks without a translation stay as they are."""
    if current_language() == SOURCE_LANGUAGE:
        return text
    parts = []
    for block in text.strip("\n").split("\n\n"):
        parts.append("\n".join(f"{mark}{gettext(words)}" for mark, words in _items(block)))
    return "\n\n".join(parts) + "\n"


def markdown_messages(text: str) -> Iterator[str]:
    """Yield the messages of a Markdown text, each on one line."""
    for block in text.strip("\n").split("\n\n"):
        for _, words in _items(block):
            if words:
                yield words


def _items(block: str) -> Iterator[tuple[str, str]]:
    """Yield the marks of a block's items with their words; continued lines are joined, a table's rows are marks."""
    mark, words = "", ""
    for line in block.split("\n"):
        found = _BEGINNING.match(line)
        if found and (mark or words):
            yield mark, words
            mark, words = "", ""
        if line.startswith("|"):
            mark, words = line, ""
        elif found:
            mark, words = found["mark"], line[found.end() :].strip()
        else:
            words = f"{words} {line.strip()}".strip()
    yield mark, words
