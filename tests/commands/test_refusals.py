"""What commands refuse before their work: a sentence that says what to write instead."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from parlour.cli import main
from parlour.games import file_of
from parlour.puzzles.puzzle_file import SHIPPED, shipped_puzzles

KEPT = "it is kept in a folder: name one with --out FOLDER"
EMPTY, TRICKS = "empty.jsonl", "three-tricks.jsonl.gz"
REFUSALS = [
    ("match thumb random trime-kicker --sprt 0 2 --until wins", 2, "A match ends by --sprt or by --until; name one"),
    (
        "match thumb random trime-kicker --sprt 2 2",
        2,
        "Invalid value for --sprt: LOW is 2 and HIGH 2, but LOW must be less",
    ),
    (
        "play http://127.0.0.1:8000/table/abc",
        2,
        "A link opens in a browser: in the terminal you play against bots",
    ),
    ("study trime-kicker --records", 2, f"Invalid value for --records: {KEPT}"),
    ("study trime-kicker --pictures", 2, f"Invalid value for --pictures: {KEPT}"),
    ("study trime-kicker --pdf", 2, f"Invalid value for --pdf: {KEPT}"),
    ("remedies trime-kicker --side 3", 1, "there is no side 3: in Trime Kicker, 2 players, the sides are 1 to 2"),
    ("new-variation three-tricks", 2, "Invalid value for NAME: name the variation, such as my-castle"),
    ("dataset trime-kicker", 2, "Missing option '--out'"),
    ("puzzles trime-kicker", 2, "Missing option '--out'"),
    ("tune trime-kicker", 2, "Missing option '--goal'"),
    ("match thumb random trime-kicker -o ace", 1, "an option is written NAME=VALUE, not 'ace'"),
    (f"puzzle castle-walls --file {TRICKS}", 1, f"{TRICKS}: puzzles of 3 Tricks, not of Castle Walls"),
    (
        f"puzzle three-tricks --file {EMPTY}",
        1,
        "3 Tricks has no puzzles yet; make some with: parlour puzzles three-tricks --out FILE",
    ),
    (f"puzzle three-tricks --file {TRICKS} --theme castling", 1, "there is no theme 'castling'; there are "),
    ("replay none.jsonl --game 2", 2, "--game needs --at, the number of events before the moment to show"),
    ("match thumb random trime-kicker --sprt-by points", 2, "--sprt-by needs --sprt"),
    ("study trime-kicker --judged 200", 2, "--judged needs --people"),
    ("study trime-kicker --replicates 8", 2, "--replicates needs --replicated-deals"),
    ("study trime-kicker --replicates 8 --replicated-deals 0", 2, "--replicates needs --replicated-deals"),
    ("rules trime-kicker --html page.html --markdown", 2, "--markdown has no effect with --html"),
    ("rules trime-kicker --pdf page.pdf --markdown", 2, "--markdown has no effect with --pdf"),
    ("replay none.jsonl --at 0 --interpreted", 2, "--interpreted has no effect with --at"),
    ("new-variation three-tricks my-tricks --list", 2, "NAME has no effect with --list"),
    ("new-variation three-tricks --change winner --list", 2, "--change has no effect with --list"),
    ("simulate trime-kicker --records all.jsonl --threads 2", 2, "--threads has no effect with --records"),
    ("study trime-kicker --evaluated-deals 0 --determinizations 64", 2, "--determinizations needs --evaluated-deals"),
    ("match thumb random trime-kicker --sprt 200 300", 1, "the bounds of the test of wins are from −100 to 100"),
    ("exact trime-kicker thumb random thumb", 1, "thumb is named twice; the report has one row for each bot"),
    ("exact trick-walls thumb", 1, "exact values exist for two players, not for 4"),
]


class TestARefusal:
    @pytest.mark.parametrize(("command", "status", "sentence"), REFUSALS, ids=lambda value: str(value)[:40])
    def test_is_a_sentence_with_the_status_of_its_kind(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, status: int, sentence: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        shipped, file = shipped_puzzles("three-tricks"), file_of("three-tricks", SHIPPED)
        assert shipped is not None
        assert file is not None
        Path(TRICKS).write_bytes(file.read_bytes())
        Path(EMPTY).write_text(json.dumps(shipped.header) + "\n")
        before = {each.name for each in tmp_path.iterdir()}
        refused = CliRunner().invoke(main, command.split())
        assert (refused.exit_code, refused.stdout) == (status, "")
        assert refused.stderr.splitlines()[-1].startswith(f"Error: {sentence}")
        assert {each.name for each in tmp_path.iterdir()} == before
