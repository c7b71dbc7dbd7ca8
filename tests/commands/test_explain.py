"""The commands hint, explain and review, as a person uses them."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from parlour.cli import main
from parlour.cli.review_commands import _suggestion
from parlour.engine.simulation.playouts import cores_for
from tests.insight.games import SEEN, WINS, blunder_record

pytestmark = pytest.mark.slow


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture
def finished_record(tmp_path: Path) -> str:
    file = tmp_path / "finished.json"
    file.write_text(json.dumps(blunder_record()))
    return str(file)


@pytest.fixture
def unfinished_record(tmp_path: Path) -> str:
    record = blunder_record()
    del record["result"]
    record["events"] = record["events"][:SEEN]
    file = tmp_path / "running.json"
    file.write_text(json.dumps(record))
    return str(file)


@pytest.mark.parametrize("command", ["hint", "explain"])
def test_a_search_for_one_decision_is_shared(command: str, finished_record: str, shared_among: list[int]) -> None:
    assert run(command, finished_record, "--at", str(SEEN)).exit_code == 0
    assert set(shared_among) == {cores_for(None)}


class TestHint:
    def test_a_hint_is_for_the_current_position(self, unfinished_record: str) -> None:
        shown = run("hint", unfinished_record)
        assert shown.exit_code == 0
        assert shown.stdout.startswith("It seems best to play the queen of diamonds: your chance to win is 100 %")

    def test_later_events_of_the_record_do_not_count(self, unfinished_record: str, finished_record: str) -> None:
        assert run("hint", finished_record, "--at", str(SEEN)).stdout == run("hint", unfinished_record).stdout


class TestExplain:
    def test_json_has_the_numbers_and_the_words(self, finished_record: str) -> None:
        shown = run("explain", finished_record, "--at", str(SEEN), "--seat", "0", "--effort", "20000", "--json")
        report = json.loads(shown.stdout)
        assert report["candidates"][0]["do"] == WINS
        assert report["candidates"][0]["phrase"] in report["words"][0]

    def test_text_has_the_candidates_in_rows(self, finished_record: str) -> None:
        shown = run("explain", finished_record, "--at", "10", "--effort", "20000").stdout.splitlines()
        assert shown[0] == "Trick Walls, after 10 events: Seat 2 decides"
        assert ", best: " in shown[1]


class TestReview:
    def test_json_has_the_course_of_one_seat(self, finished_record: str) -> None:
        shown = run("review", finished_record, "--seat", "0", "--effort", "5000", "--json")
        report = json.loads(shown.stdout)
        assert [course["seat"] for course in report["courses"]] == [0]

    def test_a_page_that_cannot_be_written_is_refused_before_the_computation(
        self, finished_record: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("parlour.insight.review.review_game", lambda *given: pytest.fail("it was worked out"))
        page = tmp_path / "nowhere" / "review.html"
        shown = CliRunner().invoke(main, ["review", finished_record, "--html", str(page)])
        assert shown.exit_code == 1
        assert f"{page}: the page cannot be written: {page.parent} is no folder" in " ".join(shown.output.split())

    def test_a_page_replaces_neither_a_folder_nor_the_record(self, finished_record: str, tmp_path: Path) -> None:
        before = Path(finished_record).read_bytes()
        for page, why in ((str(tmp_path), "this is a folder"), (finished_record, "this is the record")):
            shown = run("review", finished_record, "--html", page)
            assert shown.exit_code == 1
            assert why in shown.output
        assert Path(finished_record).read_bytes() == before

    def test_the_page_is_written_completely(self, finished_record: str, tmp_path: Path) -> None:
        page = tmp_path / "review.html"
        shown = run("review", finished_record, "--seat", "0", "--effort", "5000", "--html", str(page))
        assert shown.exit_code == 0
        assert page.read_text().rstrip().endswith("</html>")
        assert sorted(each.name for each in tmp_path.iterdir()) == ["finished.json", "review.html"]


class TestBadInput:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("hint", "FINISHED"), "the game is over after 39 events; choose a decision with --at N"),
            (("explain", "FINISHED", "--at", "99"), "there is nothing after 99 events; --at may be 0 to 39"),
            (
                ("explain", "FINISHED", "--at", "0"),
                "after 0 events no seat decides: it is the turn of chance; try --at 3",
            ),
            (("explain", "FINISHED", "--at", "39"), "no seat decides: the game is over; try --at 38"),
            (("explain", "FINISHED", "--at", "34", "--seat", "2"), "seat 2 does not decide: it is the turn of seat 0"),
            (("explain", "FINISHED", "--at", "3", "--game", "2"), "there is no game 2; it has 1"),
            (("review", "RUNNING"), "the game is not over"),
            (("review", "RESIGNED"), "there is no review of a game that ended by resignation"),
            (("review", "FINISHED", "--seat", "4"), "there is no seat 4; the seats are 0 to 3"),
            (("review", "missing.json"), "missing.json: No such file or directory"),
            (("review", "FINISHED", "--html", "/no/such/folder/a.html", "--effort", "1000"), "cannot be written"),
        ],
    )
    def test_it_is_reported(
        self, arguments: tuple[str, ...], message: str, finished_record: str, unfinished_record: str, tmp_path: Path
    ) -> None:
        ending = {"ending": {"by": "resignation", "seat": 0, "winners": [1, 3]}}
        resigned = tmp_path / "resigned.json"
        resigned.write_text(json.dumps(json.loads(Path(unfinished_record).read_text()) | ending))
        files = {"FINISHED": finished_record, "RUNNING": unfinished_record, "RESIGNED": str(resigned)}
        shown = run(*(files.get(argument, argument) for argument in arguments))
        assert shown.exit_code == 1
        assert message in shown.output


class TestTheSuggestedDecision:
    """The next decision of the seat, or of any seat; the last one before if no other follows."""

    BY = (-1, 0, 1, 0, -1, -1, -1, 1, -2)

    @pytest.mark.parametrize(
        ("seen", "seat", "suggested"),
        [
            (0, None, 1),
            (2, None, 2),
            (4, None, 7),
            (8, None, 7),
            (4, 0, 3),
            (0, 1, 2),
            (3, 1, 7),
            (4, 2, None),
        ],
    )
    def test_is_named_in_the_error(self, seen: int, seat: int | None, suggested: int | None) -> None:
        match = SimpleNamespace(events=[SimpleNamespace(by=by) for by in self.BY])
        expected = "" if suggested is None else f"; try --at {suggested}"
        assert _suggestion(match, seen, seat) == expected
