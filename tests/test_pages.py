"""What the pages show of Python is run, in their order; what they say that it prints is what it prints."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


@pytest.mark.slow  # compiles
@pytest.mark.parametrize(
    "page", ["README.md", "docs/python.md", "docs/datasets.md", "docs/environments.md", "docs/openspiel.md"]
)
def test_what_a_page_shows_is_what_one_gets(page):
    names = {}
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert blocks
    for code, expected in blocks:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(code, page, "exec"), names)
        assert not expected or printed.getvalue() == expected, code
