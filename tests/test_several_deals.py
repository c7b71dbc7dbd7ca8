"""The pieces of games in docs/add-a-game.md are those of the packages that the tests play."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "add-a-game.md"
PIECE = re.compile(r"^```python from=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_each_piece_is_in_the_package():
    pieces = PIECE.findall(PAGE.read_text(encoding="utf-8"))
    assert {name for name, _ in pieces} == {"rules.py", "knowledge.py", "layout.py", "sealed/rebuild.py"}
    for name, piece in pieces:
        file = name if "/" in name else f"away/{name}"
        assert piece in (TESTS / "packages" / file).read_text(encoding="utf-8")
