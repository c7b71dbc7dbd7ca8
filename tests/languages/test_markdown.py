"""Markdown, translated block by block."""

import pytest

from parlour.games import game_ids
from parlour.languages.markdown import markdown_messages, translate_markdown
from parlour.render.layouts import rules_text

TEXT = """# Title

A paragraph
on two lines.

- an item
  that goes on
- another

| a | table |
| - | ----- |
"""


def test_a_heading_a_paragraph_and_an_item_are_messages():
    expected = ["Title", "A paragraph on two lines.", "an item that goes on", "another"]
    assert list(markdown_messages(TEXT)) == expected


def test_english_is_unchanged():
    assert translate_markdown(TEXT) == TEXT


@pytest.mark.parametrize("game", game_ids())
def test_every_block_of_the_rules_is_translated(in_pseudo, game):
    blocks = [block for block in translate_markdown(rules_text(game)).split("\n") if block and block[0] != "|"]
    assert all("‹" in block for block in blocks)
