"""Files of results: a run continues from its file, and other files are refused."""

import fcntl
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from parlour.contests import results_file
from parlour.contests.contest import LADDER, MATCH, Contest, Deal
from parlour.contests.game_results import GameResult, WinProbabilityCurve
from parlour.contests.results_file import ResultsError, ResultsFile, play_and_store
from parlour.engine.setup import Setup
from parlour.games import find_game

SHORT = Setup(find_game("castle-walls"), 2, {"turn_limit": 9})
CONTEST = Contest(MATCH, Setup(find_game("castle-walls"), 2), ("thumb", "random"), 1)


def deal(number: int) -> Deal:
    games = (
        GameResult((0, 1), (5, 0), (0,), (30, 29), (1.5, 2e-7)),
        GameResult((1, 0), (3, 3), (0, 1), (40, 40), (0.1, 0.2)),
    )
    order = CONTEST.seatings(number)
    return Deal(number, tuple(sorted(games, key=lambda game: order.index(game.bots))))


@pytest.fixture
def name(tmp_path: Path) -> str:
    """Return a file with three deals."""
    name = str(tmp_path / "results.jsonl")
    with ResultsFile(name, CONTEST) as file:
        for number in range(3):
            file.append(deal(number))
    return name


@pytest.fixture
def played_numbers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the numbers of played deals instead of playing them."""
    numbers: list[int] = []

    def play(contest, first, stop, cores, progress):
        for number in range(first, stop):
            numbers.append(number)
            yield deal(number)

    monkeypatch.setattr(results_file, "play_deals", play)
    return numbers


def numbers_in(name: str, contest: Contest = CONTEST) -> list[int]:
    with ResultsFile(name, contest) as file:
        return [each.number for each in file.deals]


class TestContinuation:
    def test_deals_read_equal_those_written(self, name: str) -> None:
        with ResultsFile(name, CONTEST) as file:
            assert file.deals == [deal(0), deal(1), deal(2)]

    def test_the_first_line_describes_the_contest(self, name: str) -> None:
        header = json.loads(Path(name).read_text().splitlines()[0])
        assert header["bots"] == ["thumb", "random"]
        assert (header["game"], header["players"], header["seed"], header["options"]) == ("castle-walls", 2, 1, {})

    def test_only_missing_deals_are_played(self, name: str, played_numbers: list[int]) -> None:
        with ResultsFile(name, CONTEST) as file:
            assert [each.number for each in play_and_store(CONTEST, 5, file)] == [0, 1, 2, 3, 4]
        assert played_numbers == [3, 4]
        assert numbers_in(name) == [0, 1, 2, 3, 4]

    def test_a_request_for_fewer_deals_returns_the_first_ones(self, name: str, played_numbers: list[int]) -> None:
        with ResultsFile(name, CONTEST) as file:
            assert [each.number for each in play_and_store(CONTEST, 2, file)] == [0, 1]
        assert played_numbers == []
        assert numbers_in(name) == [0, 1, 2]

    @pytest.mark.parametrize("cut", [1, 20, 150])
    def test_a_truncated_line_is_dropped_and_played_again(self, name: str, played_numbers: list[int], cut: int) -> None:
        whole = Path(name).read_bytes()
        Path(name).write_bytes(whole[:-cut])
        with ResultsFile(name, CONTEST) as file:
            assert len(list(play_and_store(CONTEST, 3, file))) == 3
        assert played_numbers == [2]
        assert Path(name).read_bytes() == whole

    def test_a_truncated_header_is_written_again(self, name: str) -> None:
        header = Path(name).read_bytes().splitlines(keepends=True)[0]
        Path(name).write_bytes(header[:50])
        assert numbers_in(name) == []
        assert Path(name).read_bytes() == header


def test_the_same_games_have_the_same_checksum_however_long_they_took() -> None:
    slow = Deal(0, tuple(replace(game, seconds=(60.0, 60.0)) for game in deal(0).games))
    checksums = [results_file.deal_to_json(each)["crc32"] for each in (deal(0), slow, deal(1))]
    assert checksums[0] == checksums[1] != checksums[2]


class TestOtherLayouts:
    def test_lines_of_an_earlier_version_have_no_checksum(self, name: str) -> None:
        header, *lines = map(json.loads, Path(name).read_text().splitlines())
        for line in lines:
            del line["crc32"]
        Path(name).write_text("".join(json.dumps(each) + "\n" for each in (header, *lines)))
        with ResultsFile(name, CONTEST) as file:
            assert file.deals == [deal(0), deal(1), deal(2)]

    def test_seconds_may_be_whole(self, name: str) -> None:
        lines = map(json.loads, Path(name).read_text().splitlines())
        texts = (json.dumps({key: value for key, value in line.items() if key != "crc32"}) + "\n" for line in lines)
        Path(name).write_text("".join(texts).replace('"seconds": [1.5, 2e-07]', '"seconds": [1, 0]'))
        with ResultsFile(name, CONTEST) as file:
            assert [repr(each) for game in file.deals[0].games for each in game.seconds if each in (0, 1)] == [
                "1.0",
                "0.0",
            ]

    def test_spaces_and_line_ends_of_another_program_change_no_deal(self, name: str) -> None:
        lines = map(json.loads, Path(name).read_text().splitlines())
        Path(name).write_bytes(b"".join(json.dumps(each, separators=(",", ":")).encode() + b"\r\n" for each in lines))
        with ResultsFile(name, CONTEST) as file:
            assert file.deals == [deal(0), deal(1), deal(2)]


class TestRefusals:
    @pytest.mark.parametrize(
        ("other", "message"),
        [
            (replace(CONTEST, seed=2), "seed is 1 there, 2 here"),
            (replace(CONTEST, kind=LADDER), "kind is 'match' there, 'ladder' here"),
            (replace(CONTEST, bots=("random", "thumb")), r"bots is \['thumb', 'random'\] there"),
            (
                replace(CONTEST, setup=Setup(find_game("castle-walls"), 2, {"turn_limit": 9})),
                r"options is \{\} there, \{'turn_limit': 9\} here",
            ),
        ],
    )
    def test_another_contest_is_refused_with_the_difference(self, name: str, other: Contest, message: str) -> None:
        with pytest.raises(ResultsError, match=f"results.jsonl holds other results: {message}"):
            ResultsFile(name, other)
        assert numbers_in(name) == [0, 1, 2]

    @pytest.mark.parametrize(
        ("stored", "expected", "text"),
        [
            ({"seed": 1}, {"seed": 1}, ""),
            ({"seed": 1, "replicates": [5, 4]}, {"seed": 1}, "replicates is [5, 4] there, none here"),
            ({"seed": 1}, {"seed": 1, "replicates": [5, 4]}, "replicates is none there, [5, 4] here"),
            ({"seed": 1, "planes": None}, {"seed": 1}, ""),
        ],
    )
    def test_a_key_that_only_one_header_has_is_a_difference(
        self, stored: dict[str, Any], expected: dict[str, Any], text: str
    ) -> None:
        assert results_file.difference(stored, expected) == text

    def test_results_of_other_code_are_refused(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("parlour.contests.contest.bots_hash", lambda game: "changed")
        with pytest.raises(ResultsError, match=r"code is '[0-9a-f-]+' there, 'changed' here. Name another file"):
            ResultsFile(name, CONTEST)

    @pytest.mark.parametrize(
        "text", ["# A paper\n\nwith words\n", "no end of line", '{"format": "parlour-record/1"}\n', "[1]\n"]
    )
    def test_a_file_of_another_kind_is_refused_and_unchanged(self, tmp_path: Path, text: str) -> None:
        file = tmp_path / "paper.md"
        file.write_text(text)
        with pytest.raises(ResultsError, match="not a file of results"):
            ResultsFile(str(file), CONTEST)
        assert file.read_text() == text

    def test_a_malformed_line_and_one_out_of_order_are_refused(self, name: str) -> None:
        lines = Path(name).read_text().splitlines(keepends=True)
        Path(name).write_text("".join([*lines[:2], "{}\n", *lines[2:]]))
        with pytest.raises(ResultsError, match="line 3: not a deal: 'games'"):
            ResultsFile(name, CONTEST)
        Path(name).write_text("".join([*lines[:2], *lines[3:]]))
        with pytest.raises(ResultsError, match="line 3: this is deal 2, but deal 1 comes next"):
            ResultsFile(name, CONTEST)

    @pytest.mark.parametrize(
        ("other", "message"),
        [
            ('{"deal": 2, "games": [[1], [1]]}', "a game is not an object"),
            ('{"deal": 2, "games": []}', "its games are not those of deal 2"),
            ("[]", "list indices must be integers"),
            ("2", "not subscriptable"),
            ('{"deal": Infinity, "games": []}', "cannot convert float infinity"),
            ('"bots": [1, 7]', "its games are not those of deal 2"),
            ('"bots": [0, 1]', "its games are not those of deal 2"),
            ('"bots": [1]', "a list is not of 2 seats"),
            ('"bots": ["1", "0"]', "a list holds something else than whole numbers"),
            ('"bots": [1.0, 0.0]', "a list holds something else than whole numbers"),
            ('"bots": [true, false]', "a list holds something else than whole numbers"),
            ('"bots": 1', "not iterable"),
            ('"bots": [1, 0], "record": "x"', "its record not an object"),
            ('"bots": [1, 0], "ending": 7', "its ending is not a text"),
            ('"bots": [1, 0], "clause_counts": {"clauses": {"CW": 1}, "points": {}}', "something else than clauses"),
            ("[" * 100_000, "recursion"),
            ('"bots": [1, 0], "names": []', "unexpected keyword argument"),
            ('"bots": [1, 0], "clause_counts": {"clauses": [], "points": {}}', "its clause counts are not objects"),
            *(
                (f'"bots": [1, 0], "forfeit": {{"seat": {seat}, "reason": {reason}}}', "its forfeit is not a seat's")
                for seat, reason in (
                    ("-1", '"left"'),
                    ("2", '"left"'),
                    ('"1"', '"left"'),
                    ("1.0", '"left"'),
                    ("1", "7"),
                )
            ),
        ],
    )
    def test_an_edited_line_is_refused(self, name: str, other: str, message: str) -> None:
        lines = Path(name).read_text().splitlines(keepends=True)
        changed = lines[3].replace('"bots": [1, 0]', other) if other.startswith('"bots"') else other + "\n"
        Path(name).write_text("".join([*lines[:3], changed]))
        with pytest.raises(ResultsError, match=f"results.jsonl, line 4: not a deal: .*{message}"):
            ResultsFile(name, CONTEST)

    @pytest.mark.parametrize("points", [0, 10, 12])
    def test_a_curve_with_too_few_or_too_many_points_is_refused(self, name: str, points: int) -> None:
        curve = asdict(WinProbabilityCurve(32, 5, 1.0, 2.5, 0.1, 0.5, 0.0, (0.5,) * points))
        lines = Path(name).read_text().splitlines(keepends=True)
        changed = lines[3].replace('"bots": [1, 0]', f'"bots": [1, 0], "win_probability": {json.dumps(curve)}')
        Path(name).write_text("".join([*lines[:3], changed]))
        with pytest.raises(
            ResultsError, match=f"line 4: not a deal: the curve of its win probability has {points} points"
        ):
            ResultsFile(name, CONTEST)

    @pytest.mark.parametrize("winners", ["[]", "[2]"])
    def test_a_game_without_a_winner_is_refused(self, name: str, winners: str) -> None:
        Path(name).write_text(Path(name).read_text().replace('"winners": [0]', f'"winners": {winners}'))
        with pytest.raises(ResultsError, match="line 2: not a deal: its winners are not seats"):
            ResultsFile(name, CONTEST)

    @pytest.mark.parametrize(
        ("written", "changed"),
        [
            ('"scores": [3, 3]', '"scores": [1000000000000000000, 3]'),
            ('"decisions": [40, 40]', '"decisions": [-40, 40]'),
            ('"seconds": [0.1, 0.2]', '"seconds": [NaN, 0.2]'),
            ('"seconds": [0.1, 0.2]', '"seconds": [true, 0.2]'),
            ('"seconds": [0.1, 0.2]', '"seconds": [0.1, -0.2]'),
        ],
    )
    def test_an_impossible_number_is_refused(self, name: str, written: str, changed: str) -> None:
        Path(name).write_text(Path(name).read_text().replace(written, changed))
        with pytest.raises(ResultsError, match=r"line 2: not a deal: .* numbers .*2⁵³"):
            ResultsFile(name, CONTEST)

    def test_a_changed_digit_is_refused(self, name: str) -> None:
        Path(name).write_text(Path(name).read_text().replace('"scores": [5, 0]', '"scores": [6, 0]'))
        with pytest.raises(ResultsError, match=r"line 2: changed after it was written.* the same command plays"):
            ResultsFile(name, CONTEST)

    def test_a_file_in_use_by_another_run_is_refused(self, name: str) -> None:
        with open(name, "rb") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            with pytest.raises(ResultsError, match="another run is writing to it"):
                ResultsFile(name, CONTEST)

    @pytest.mark.parametrize("name", ["/dev/full", "/tmp", "/no such folder/results.jsonl"])
    def test_a_path_that_is_no_file_is_refused(self, name: str) -> None:
        with pytest.raises(ResultsError, match=r"not a file|cannot be opened"):
            ResultsFile(name, CONTEST)


class TestAFullDisk:
    def test_it_is_reported_and_the_file_ends_with_a_complete_deal(self, name: str) -> None:
        before = Path(name).read_bytes()
        with ResultsFile(name, CONTEST) as file:
            whole = file._file._file

            class Full:
                """A file on a disk with room for ten more bytes."""

                def __getattr__(self, attribute):
                    return getattr(whole, attribute)

                def write(self, text):
                    if whole.tell() > len(before):
                        raise OSError(28, "No space left on device")
                    return whole.write(text[:10])

            file._file._file = Full()
            message = r"cannot be written: No space left on device\. It has 3 deals; the same command continues from"
            with pytest.raises(ResultsError, match=message):
                file.append(deal(3))
        assert Path(name).read_bytes() == before


class TestAFileThatCannotBeWritten:
    @pytest.fixture(autouse=True)
    def read_only(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let the system report that files cannot be written, and refuse to open them for writing."""
        monkeypatch.setattr(results_file.os, "access", lambda path, mode: mode != results_file.os.W_OK)
        monkeypatch.setattr(results_file, "AppendedFile", None)

    def test_its_deals_are_read_if_there_are_enough(self, name: str, played_numbers: list[int]) -> None:
        before = Path(name).read_bytes()
        with ResultsFile(name, CONTEST) as file:
            assert file.is_read_only
            assert [each.number for each in play_and_store(CONTEST, 3, file)] == [0, 1, 2]
        assert (played_numbers, Path(name).read_bytes()) == ([], before)

    def test_no_further_deal_is_played(self, name: str, played_numbers: list[int]) -> None:
        found: list[Deal] = []
        with (
            ResultsFile(name, CONTEST) as file,
            pytest.raises(ResultsError, match=r"has only 3 deals\. In a copy that"),
        ):
            list(play_and_store(CONTEST, 4, file, count=found.append))
        assert ([each.number for each in found], played_numbers) == ([0, 1, 2], [])

    def test_an_incomplete_last_line_stays(self, name: str) -> None:
        whole = Path(name).read_bytes()
        Path(name).write_bytes(whole[:-20])
        assert numbers_in(name) == [0, 1]
        assert Path(name).read_bytes() == whole[:-20]

    def test_a_file_of_another_contest_is_refused(self, name: str) -> None:
        with pytest.raises(ResultsError, match="holds other results: seed is 1 there, 2 here"):
            ResultsFile(name, replace(CONTEST, seed=2))
