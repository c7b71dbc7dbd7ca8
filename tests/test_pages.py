"""Python examples of the documents are run in order, and their printed output is compared."""

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
def test_the_examples_of_a_document_have_the_printed_output(page):
    names = {}
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert blocks
    for code, expected in blocks:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(code, page, "exec"), names)
        assert not expected or printed.getvalue() == expected, code
