"""Files of puzzles, those of the package included."""

import gzip
import json
from dataclasses import replace

import pytest
from filelock import lock_descriptor

from parlour.engine import appended_file
from parlour.engine.files import write_whole
from parlour.puzzles.puzzle import PuzzleError
from parlour.puzzles.puzzle_file import (
    PuzzleFile,
    games_with_puzzles,
    header_of,
    locked_puzzles,
    parse_puzzles,
    read_puzzles,
)
from parlour.puzzles.verdict import verdict_of
from tests.puzzles.known_search import WORK

REASON = {"other": "pass", "card": "7H", "zone": "hand", "at": 1, "share": 5, "there": 5, "elsewhere": 5}
"""Values of a reason."""


class TestFile:
    def test_it_has_the_puzzles_and_continues_with_the_last_game(self, puzzle_file, found_puzzles):
        assert read_puzzles(str(puzzle_file)).puzzles == [
            puzzle for puzzles in found_puzzles.values() for puzzle in puzzles
        ]
        with PuzzleFile(str(puzzle_file), WORK.facts) as file:
            assert file.first_game == max(number for number, puzzles in found_puzzles.items() if puzzles)

    def test_it_may_be_gzipped(self, puzzle_file):
        assert parse_puzzles(gzip.compress(puzzle_file.read_bytes()), "zipped") == read_puzzles(str(puzzle_file))

    def test_a_file_replaced_before_its_lock_is_refused(self, puzzle_file, monkeypatch):
        """A graded file is another one: puzzles appended to the former would be lost."""

        def lock_late(*arguments, **named):
            write_whole(puzzle_file, puzzle_file.read_bytes())  # as another process may at this moment
            return lock_descriptor(*arguments, **named)

        monkeypatch.setattr(appended_file, "lock_descriptor", lock_late)
        monkeypatch.setattr("parlour.puzzles.puzzle_file.lock_descriptor", lock_late)
        with pytest.raises(PuzzleError, match="another run is writing"):
            PuzzleFile(str(puzzle_file), WORK.facts)
        with pytest.raises(PuzzleError, match="another run is writing"), locked_puzzles(str(puzzle_file)):
            pass

    def test_a_line_cut_short_is_dropped(self, puzzle_file):
        whole = puzzle_file.read_bytes()
        puzzle_file.write_bytes(whole + b'{"id": "12')
        with PuzzleFile(str(puzzle_file), WORK.facts) as file:
            assert len(file.puzzles) == len(whole.splitlines()) - 1
        assert puzzle_file.read_bytes() == whole

    @pytest.mark.parametrize(
        ("content", "why"),
        [
            (b"", "not a file of puzzles"),
            (b"hello\n", "not a file of puzzles"),
            (b"\x1f\x8bhello", "damaged or cut short"),
            (json.dumps(header_of(WORK.facts)).encode() + b'\n{"number": 1}\n', "line 2: the key 'events' is missing"),
            (json.dumps(header_of(WORK.facts) | {"players": 9}).encode(), "not 9"),
        ],
    )
    def test_a_bad_file_is_refused_in_one_sentence(self, content, why):
        with pytest.raises(PuzzleError, match=why) as error:
            parse_puzzles(content, "bad.jsonl")
        assert str(error.value).startswith("bad.jsonl")
        assert "\n" not in str(error.value)

    @pytest.mark.parametrize(
        ("pack", "name"), [(bytes, "kept.jsonl.gz"), (gzip.compress, "kept.jsonl.gz"), (gzip.compress, "kept.jsonl")]
    )
    def test_only_a_plain_file_is_continued(self, puzzle_file, tmp_path, pack, name):
        content = pack(puzzle_file.read_bytes())
        (tmp_path / name).write_bytes(content)
        with pytest.raises(PuzzleError, match=r"jsonl(\.gz)?: puzzles are added to a plain file"):
            PuzzleFile(str(tmp_path / name), WORK.facts)
        assert (tmp_path / name).read_bytes() == content

    def test_a_new_file_has_no_name_of_a_gzipped_one(self, tmp_path):
        with pytest.raises(PuzzleError, match=r"leave \.gz out"):
            PuzzleFile(str(tmp_path / "new.jsonl.gz"), WORK.facts)
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize(
        ("end", "why"),
        [
            (b'{"id": "12', "cut short; `parlour puzzles` with the settings of the file"),
            (b'{"id": "12\n', "damaged: it is not a JSON object"),
            (b"[]\n", "damaged: it is not a JSON object"),
        ],
    )
    def test_a_damaged_line_is_named(self, puzzle_file, end, why):
        whole = puzzle_file.read_bytes()
        puzzle_file.write_bytes(whole + end)
        with pytest.raises(PuzzleError) as error:
            read_puzzles(str(puzzle_file))
        assert str(error.value).startswith(f"{puzzle_file}, line {len(whole.splitlines()) + 1}: {why}")

    def test_a_blank_line_is_skipped(self, puzzle_file):
        before = read_puzzles(str(puzzle_file)).puzzles
        header, *lines = puzzle_file.read_bytes().splitlines(keepends=True)
        puzzle_file.write_bytes(b"".join([header, b"\n", *lines, b"\n"]))
        assert read_puzzles(str(puzzle_file)).puzzles == before

    @pytest.mark.parametrize(
        ("values", "why"),
        [
            ({"actions": []}, "at least two actions"),
            ({"actions": [["pass", 1, 0, 0, 0]]}, "at least two actions"),
            ({"actions": [["pass", 1, 0, 0, 0], ["lay", 1, 0, 0, 0], ["pass", 1, 0, 0, 0]]}, "each of them once"),
            ({"actions": [["pass", 1e400, 0, 0, 0], ["lay", 1, 0, 0, 0]]}, "are not those of a puzzle"),
            ({"levels": {}}, "are not those of a puzzle"),
            ({"levels": {"genius": 100}}, "are not those of a puzzle"),
            ({"reasons": [{"other": "pass"}]}, "are not those of a puzzle"),
            ({"reasons": [REASON | {"card": "1X"}]}, "are not those of a puzzle"),
            ({"reasons": [REASON | {"share": "many"}]}, "are not those of a puzzle"),
            ({"reasons": [REASON | {"other": "fly"}]}, "'reasons' has the action 'fly', which is not among 'actions'"),
        ],
        ids=lambda value: str(value)[:40],
    )
    def test_values_without_a_verdict_are_refused(self, puzzle_file, values, why):
        header, first, *_ = puzzle_file.read_text().splitlines()
        puzzle_file.write_text(f"{header}\n{json.dumps(json.loads(first) | values)}\n")
        with pytest.raises(PuzzleError, match="line 2: .*" + why):
            read_puzzles(str(puzzle_file))

    def test_an_id_that_is_not_the_hash_of_the_events_is_refused(self, puzzle_file, first_puzzle):
        puzzle_file.write_text(puzzle_file.read_text().replace(f'"{first_puzzle.id}"', '"01234567"'))
        with pytest.raises(PuzzleError, match=f"'id' is '01234567', but the events have the hash {first_puzzle.id}"):
            read_puzzles(str(puzzle_file))

    def test_another_search_does_not_continue_a_file(self, puzzle_file):
        with pytest.raises(PuzzleError, match="another search: seed is 1 there, 2 here"):
            PuzzleFile(str(puzzle_file), replace(WORK, seed=2).facts)

    def test_two_runs_do_not_write_to_one_file(self, puzzle_file):
        with PuzzleFile(str(puzzle_file), WORK.facts), pytest.raises(PuzzleError, match="another run is writing"):
            PuzzleFile(str(puzzle_file), WORK.facts)

    def test_a_full_disk_leaves_it_whole(self, puzzle_file, first_puzzle, monkeypatch):
        before = puzzle_file.read_bytes()
        with PuzzleFile(str(puzzle_file), WORK.facts) as file:
            real = file._file._file

            class Full:
                def write(self, data):
                    real.write(data[:10])
                    raise OSError(28, "No space left on device")

                def __getattr__(self, name):
                    return getattr(real, name)

            monkeypatch.setattr(file._file, "_file", Full())
            with pytest.raises(PuzzleError, match="cannot be written: No space left on device"):
                file.add([first_puzzle])
        assert puzzle_file.read_bytes() == before


class TestShipped:
    def test_a_sample_can_be_played_and_judged(self):
        assert games_with_puzzles()
        for of_game in games_with_puzzles():
            assert len({puzzle.id for puzzle in of_game.puzzles}) == len(of_game.puzzles)
            for puzzle in of_game.puzzles[::40]:
                match = puzzle.match()
                assert sorted(each.do for each in puzzle.actions) == sorted(match.legal()), puzzle.id
                assert verdict_of(puzzle, puzzle.best.do).right
