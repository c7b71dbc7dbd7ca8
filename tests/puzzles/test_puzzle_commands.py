"""The commands ``puzzles``, ``grade`` and ``puzzle``."""

import gzip
import io
import json
import re
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from rich.console import Console

from parlour.bots import LEVELS
from parlour.cli import main, puzzle_commands, puzzle_trainer
from parlour.cli.puzzle_commands import MOST_BARREN_GAMES
from parlour.cli.puzzle_trainer import StandingFile
from parlour.cli.table_view import TableView
from parlour.engine.files import write_whole
from parlour.glicko import Rating
from parlour.puzzles.grade import rating_of
from parlour.puzzles.puzzle import PuzzleError
from parlour.puzzles.puzzle_file import PuzzleFile, read_puzzles, shipped_puzzles
from parlour.puzzles.standing import PuzzleStanding, next_puzzle
from parlour.puzzles.verdict import Verdict, VerdictAction
from parlour.statistics import Estimate
from tests.puzzles.known_search import EFFORT, GAME, WORK


def numbered(games, number):
    """Return the puzzles of a game of this number."""
    return [replace(puzzle, number=number) for puzzle in games[number]]


class TestCommands:
    def test_puzzles_are_found_and_continued(self, tmp_path, found_puzzles):
        file = str(tmp_path / "new.jsonl")
        arguments = ["puzzles", GAME, "--out", file, "--seed", "1", "--effort", str(EFFORT), "--cores", "1"]
        first = CliRunner().invoke(main, [*arguments, "-n", "1"])
        assert first.exit_code == 0
        assert "1 puzzle of 3 Tricks is in" in first.output
        more = CliRunner().invoke(main, [*arguments, "-n", "2"])
        assert "1 of 2 puzzles were in" in more.output
        puzzles = [puzzle for of_game in found_puzzles.values() for puzzle in of_game[:1]]
        assert list(read_puzzles(file).puzzles)[:1] == puzzles[:1]

    def test_a_search_in_parts_finds_the_same_as_one(self, tmp_path, monkeypatch):
        shipped = shipped_puzzles(GAME).puzzles
        games = [shipped[:2], [], shipped[2:4]]  # two puzzles in a game, which the first part takes one of
        monkeypatch.setattr(
            "parlour.jobs.pool.do_jobs",
            lambda work, numbers, where: ((each, numbered(games, each)) for each in numbers),
        )
        for name, parts in (("one", ["4"]), ("parts", ["1", "2", "3", "4"])):
            for number in parts:
                done = CliRunner().invoke(main, ["puzzles", GAME, "--out", str(tmp_path / name), "-n", number])
                assert done.exit_code == 0, done.output
                assert len(read_puzzles(str(tmp_path / name)).puzzles) == int(number)
        assert (tmp_path / "one").read_text() == (tmp_path / "parts").read_text()

    def test_the_progress_counts_the_games_of_this_run(self, tmp_path, monkeypatch):
        shipped, progress = shipped_puzzles(GAME).puzzles, []
        monkeypatch.setattr(
            "parlour.jobs.pool.do_jobs",
            lambda work, numbers, where: ((each, numbered({each: shipped[each : each + 1]}, each)) for each in numbers),
        )
        monkeypatch.setattr(
            puzzle_commands, "progress_bar", lambda *_: nullcontext(lambda *done: progress.append(done))
        )
        for number in ("2", "4"):
            CliRunner().invoke(main, ["puzzles", GAME, "--out", str(tmp_path / "new"), "-n", number])
        assert [(done, words()) for done, words in progress] == [
            (1, "1 game searched"), (1, "2 games searched"),
            (0, "1 game searched"), (1, "2 games searched"), (1, "3 games searched"),
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("kept", "number", "before", "after"),
        [(0, 1, "", "1 puzzle"), (1, 2, "1 of 2", "2 puzzles"), (2, 2, "2 of 2", "2 puzzles"),
         (3, 2, "2 of 2", "3 puzzles")],
    )  # fmt: skip
    def test_a_file_counts_the_puzzles_wanted_that_it_has_and_in_the_end_all(
        self, tmp_path, monkeypatch, kept, number, before, after
    ):
        shipped = shipped_puzzles(GAME).puzzles
        monkeypatch.setattr(
            "parlour.jobs.pool.do_jobs", lambda work, numbers, where: ((each, shipped[: each + 9]) for each in numbers)
        )
        for wanted in (kept, number):
            words = ["puzzles", GAME, "--out", str(tmp_path / "kept"), "-n", str(wanted)]
            said = CliRunner().invoke(main, words).output.splitlines()
        assert said[-1] == f"{after} of 3 Tricks {'is' if after == '1 puzzle' else 'are'} in {tmp_path / 'kept'}."
        counts = [line.partition(" puzzles were in ")[0] for line in said if " were in " in line]
        assert counts == ([before] if before else [])

    def test_a_stop_keeps_what_was_found(self, puzzle_file, monkeypatch):
        def interrupted(*_):
            yield from ()
            raise KeyboardInterrupt

        monkeypatch.setattr("parlour.jobs.pool.do_jobs", interrupted)
        stopped = CliRunner().invoke(
            main, ["puzzles", GAME, "--out", str(puzzle_file), "--seed", "1", "--effort", str(EFFORT), "-n", "99"]
        )
        assert stopped.exit_code == 130
        assert "the same command continues" in stopped.output

    def test_an_effort_beyond_the_memory_of_a_search_is_refused(self, tmp_path):
        refused = CliRunner().invoke(main, ["puzzles", GAME, "--out", str(tmp_path / "new"), "--effort", "9" * 20])
        assert refused.exit_code == 2
        assert "is not in the range 1000<=x<=50000000" in refused.output

    def test_the_search_ends_after_games_in_a_row_without_a_puzzle(self, tmp_path, monkeypatch):
        searched = []

        def find_none(work, numbers, where):
            for number in numbers:
                searched.append(number)
                yield number, []

        monkeypatch.setattr("parlour.jobs.pool.do_jobs", find_none)
        ended = CliRunner().invoke(main, ["puzzles", GAME, "--out", str(tmp_path / "none.jsonl")])
        assert ended.exit_code == 1
        assert f"only 0 of 200 puzzles: {MOST_BARREN_GAMES} games in a row have none" in ended.output
        assert len(searched) == MOST_BARREN_GAMES

    @pytest.mark.parametrize(
        ("game", "players", "theme"),
        [("three-tricks", "2", "castling"), ("three-tricks", "2", "lead"), ("trick-walls", "4", "endgame")],
    )
    def test_a_theme_that_no_puzzle_of_the_game_can_have_is_refused(self, tmp_path, game, players, theme):
        """Otherwise the search would end after some hours, without a puzzle."""
        file = tmp_path / "none.jsonl"
        refused = CliRunner().invoke(main, ["puzzles", game, "-p", players, "--theme", theme, "--out", str(file)])
        assert refused.exit_code == 1
        themes = {"three-tricks": "endgame, lay, pass, swap, trap", "trick-walls": "lead, play, trap"}
        assert f"there is no theme '{theme}'; there are {themes[game]}" in refused.output
        assert not file.exists()

    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    def test_a_file_is_graded_again_by_the_present_levels(self, puzzle_file, tmp_path, monkeypatch, pack):
        shares = dict(zip(LEVELS, (0.1, 0.25, 0.5, 0.75, 1.0), strict=True))
        monkeypatch.setattr("parlour.puzzles.grade.share_of", lambda level, *position: shares[level])
        before, file = read_puzzles(str(puzzle_file)), tmp_path / "again.jsonl"
        file.write_bytes(pack(puzzle_file.read_bytes()))
        file.chmod(0o640)
        done = CliRunner().invoke(main, ["grade", str(file), "--cores", "1"])
        assert done.exit_code == 0, done.output
        assert re.search(r"casual +\d+ +25\n", done.output)
        graded = read_puzzles(str(file))
        assert graded.header == before.header
        assert list(graded.puzzles) == [
            replace(each, levels={"beginner": 10, "casual": 25, "regular": 50, "expert": 75, "master": 100},
                    rating=rating_of(shares))
            for each in before.puzzles
        ]  # fmt: skip
        assert (file.read_bytes()[:2] == b"\x1f\x8b") == (pack is gzip.compress)
        assert file.stat().st_mode & 0o777 == 0o640

    def test_the_lock_holds_until_the_graded_file_is_stored(self, puzzle_file, monkeypatch):
        monkeypatch.setattr("parlour.puzzles.grade.share_of", lambda *_: 0.5)
        write, refusals = write_whole, []

        def write_with_another_run(path, *content):
            refusals.append(CliRunner().invoke(main, ["puzzles", GAME, "--out", str(puzzle_file)]).output)
            write(path, *content)

        monkeypatch.setattr("parlour.puzzles.puzzle_file.write_whole", write_with_another_run)
        assert CliRunner().invoke(main, ["grade", str(puzzle_file), "--cores", "1"]).exit_code == 0
        assert refusals == [f"Error: {puzzle_file}: another run is writing to it\n"]

    def test_a_stop_leaves_the_grades(self, puzzle_file, monkeypatch):
        def interrupted(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr("parlour.puzzles.grade.share_of", interrupted)
        before = puzzle_file.read_bytes()
        assert CliRunner().invoke(main, ["grade", str(puzzle_file), "--cores", "1"]).exit_code == 130
        assert puzzle_file.read_bytes() == before

    def test_a_file_that_is_graded_gets_no_puzzles_meanwhile(self, puzzle_file, monkeypatch):
        refusals = []

        def search_meanwhile(*_):
            refusals.append(CliRunner().invoke(main, ["puzzles", GAME, "--out", str(puzzle_file)]))
            return 0.5

        monkeypatch.setattr("parlour.puzzles.grade.share_of", search_meanwhile)
        assert CliRunner().invoke(main, ["grade", str(puzzle_file), "--cores", "1"]).exit_code == 0
        assert {each.output for each in refusals} == {f"Error: {puzzle_file}: another run is writing to it\n"}

    def test_a_file_that_gets_puzzles_is_not_graded_meanwhile(self, puzzle_file):
        with PuzzleFile(str(puzzle_file), WORK.facts):
            refused = CliRunner().invoke(main, ["grade", str(puzzle_file), "--cores", "1"])
        assert (refused.exit_code, refused.output) == (1, f"Error: {puzzle_file}: another run is writing to it\n")

    @pytest.mark.parametrize("place", [0, -1])
    @pytest.mark.parametrize("command", [["grade", "--cores", "1"], ["puzzle", GAME, "--file"]])
    def test_an_action_that_is_not_legal_is_refused_with_its_puzzle(
        self, puzzle_file, tmp_path, monkeypatch, command, place
    ):
        monkeypatch.setattr("parlour.cli.puzzle_trainer.data_folder", lambda: tmp_path)
        header, first, *_ = puzzle_file.read_text().splitlines()
        values = json.loads(first)
        values["actions"][place][0] = "lay nothing"
        values["reasons"] = []
        (tmp_path / "wrong.jsonl").write_text(f"{header}\n{json.dumps(values)}\n")
        refused = CliRunner().invoke(main, [*command, str(tmp_path / "wrong.jsonl")], input="1\n")
        assert refused.exit_code == 1
        assert f"puzzle {values['id']}: its action 'lay nothing' is not legal" in refused.output

    def test_the_trainer_judges_and_keeps_the_standing(self, puzzle_file, tmp_path, monkeypatch):
        monkeypatch.setattr("parlour.cli.puzzle_trainer.data_folder", lambda: tmp_path)
        first = next_puzzle(read_puzzles(str(puzzle_file)), 1500, set())
        typed = f"?\nm\nlay 9\n{first.best.do}\nq\n"
        shown = CliRunner().invoke(main, ["puzzle", GAME, "--file", str(puzzle_file), "--plain"], input=typed)
        assert "Right!" in shown.output
        assert "1 of 1 puzzle solved" in shown.output
        asked = shown.output.partition("What is best?")[0]
        assert re.search(r"^  Your turn: ", asked, re.MULTILINE)
        assert re.search(r" 1 lay |: \d+ pass", asked)
        assert json.loads((tmp_path / "puzzles.json").read_text())[GAME]["puzzles"] == [first.id]

    @pytest.mark.parametrize(
        ("before", "after", "shown"),
        [(1500.4, 1510.6, "1511 (+11)"), (1500.6, 1510.4, "1510 (+9)"), (1500.4, 1499.6, "1500 (+0)"),
         (1510.6, 1500.4, "1500 (−11)")],
    )  # fmt: skip
    def test_the_change_leads_from_the_rating_shown_before(self, tmp_path, monkeypatch, before, after, shown):
        kept = PuzzleStanding(Rating(before, 50)).to_json() | {"puzzles": []}
        (tmp_path / "puzzles.json").write_text(json.dumps({GAME: kept}))
        monkeypatch.setattr("parlour.cli.puzzle_trainer.data_folder", lambda: tmp_path)
        monkeypatch.setattr(PuzzleStanding, "after", lambda *_: PuzzleStanding(Rating(after, 50), 1))
        said = CliRunner().invoke(main, ["puzzle", GAME, "--plain"], input="1\nq\n").output
        assert f", yours {shown}." in said

    @pytest.mark.parametrize(("streak", "words"), [(0, ""), (1, ""), (2, ", 2 in a row"), (11, ", 11 in a row")])
    def test_a_streak_begins_with_the_second_solved_puzzle(self, streak, words):
        trainer = object.__new__(puzzle_trainer._Trainer)
        trainer.standing = PuzzleStanding(Rating(1500, 50), 20, 15, streak, 12)
        said = trainer._rating_words(SimpleNamespace(rating=1432), 7)
        assert said == f"The puzzle's rating is 1432, yours 1500 (+7){words}."

    @pytest.mark.parametrize(
        ("tried", "others", "sign", "end"),
        [
            (0, 0, " ", ["Right!"]),
            (1, 1, ">", ["  1 other action, all worse", "Not the best."]),
            (1, 5, ">", ["  5 other actions, all worse", "Not the best."]),
        ],
    )
    def test_a_verdict_has_signs_for_the_best_action_and_for_another_one_that_was_tried(self, tried, others, sign, end):
        trainer, text = object.__new__(puzzle_trainer._Trainer), io.StringIO()
        trainer.view = TableView(GAME, plain=True)
        trainer.console = trainer.view.console = Console(file=text, width=60)
        values = [("7H", "lead", "60 %", ""), ("pass", "pass", "40 %", "20 less")]
        actions = [
            VerdictAction(do, phrase, Estimate(0, 0, 0), percent, less, at == tried)
            for at, (do, phrase, percent, less) in enumerate(values)
        ]
        trainer._show(Verdict(not tried, values[tried][0], "7H", ["A reason."], actions, others))
        lines = ["* 7H     60 %: lead", f"{sign} pass   40 %, 20 less: pass", *end, "A reason."]
        assert [line.rstrip() for line in text.getvalue().splitlines()] == [f"  {line}" for line in lines]

    def test_the_rest_of_a_broken_line_of_a_verdict_is_indented(self, puzzle_file, tmp_path, monkeypatch):
        monkeypatch.setattr("parlour.cli.puzzle_trainer.data_folder", lambda: tmp_path)
        monkeypatch.setenv("COLUMNS", "30")
        shown = CliRunner().invoke(main, ["puzzle", GAME, "--file", str(puzzle_file), "--plain"], input="1\nq\n")
        _, answer = shown.output.split("What is best?")
        lines = answer.partition("Enter for the next")[0].splitlines()[1:]
        assert "The puzzle's rating" in answer
        assert max(map(len, lines)) <= 30
        assert all(line.startswith("  ") for line in lines)

    @pytest.mark.parametrize(
        ("typed", "presented", "tried"),
        [
            ("n\nN\nn\n", [0, 1, 2], []),
            ("best\n\nn\nbest\n\n", [0, 1, 2], [0, 2]),
            ("n\nbest\n\nbest\n\n", [0, 1, 2], [1, 2]),
            ("best\nq\n", [0], [0]),
            ("n\nbest\nQuit\n", [0, 1], [1]),
            ("m\n\nt\ns\n?\nn\nexit\n", [0, 1], []),
            ("n\n", [0, 1], []),
            ("", [0], []),
            ("best\n", [0], [0]),
            ("n\nbest\n", [0, 1], [1]),
        ],
    )
    def test_no_puzzle_comes_again_and_only_those_tried_are_kept(self, tmp_path, monkeypatch, typed, presented, tried):
        """Three puzzles, the nearest rating first; each action that is typed is the best one."""
        shipped = shipped_puzzles(GAME)
        three = [replace(each, rating=1500 + place) for place, each in enumerate(shipped.puzzles[:3])]
        of_game, shown, ids = replace(shipped, puzzles=tuple(three)), [], [each.id for each in three]
        monkeypatch.setattr("parlour.puzzles.puzzle_file.shipped_puzzles", lambda game_id: of_game)
        monkeypatch.setattr("parlour.cli.puzzle_trainer.data_folder", lambda: tmp_path)
        present = puzzle_trainer._Trainer._present
        monkeypatch.setattr(
            puzzle_trainer._Trainer, "_present",
            lambda trainer, puzzle: shown.append(puzzle) or present(trainer, puzzle),
        )  # fmt: skip
        monkeypatch.setattr(PuzzleStanding, "after", lambda standing, *_: replace(standing, tried=standing.tried + 1))
        monkeypatch.setattr(
            puzzle_trainer.ActionList, "action", lambda _, text: shown[-1].best.do if text == "best" else text
        )
        output = CliRunner().invoke(main, ["puzzle", GAME, "--plain"], input=typed).output
        assert [ids.index(each.id) for each in shown] == presented
        kept = tmp_path / "puzzles.json"
        found = json.loads(kept.read_text())[GAME]["puzzles"] if kept.exists() else []
        assert found == [ids[place] for place in tried]
        ended = f"There is no further puzzle here; you have tried {len(tried)} puzzle"
        assert (ended in output) == (typed.lower().count("n\n") + len(tried) == 3)
        assert ("Your rating is 1500" in output) == bool(tried)

    def test_a_standing_that_cannot_be_stored_counts_until_the_end(self, puzzle_file, tmp_path, monkeypatch):
        (tmp_path / "file").touch()
        monkeypatch.setattr("parlour.cli.puzzle_trainer.data_folder", lambda: tmp_path / "file" / "folder")
        command = ["puzzle", GAME, "--file", str(puzzle_file), "--plain"]
        shown = CliRunner().invoke(main, command, input="1\n\n1\nq\n")
        assert shown.exit_code == 0, shown.output
        assert len(re.findall("Right!|Not the best", shown.output)) == 2
        assert shown.output.count("the standing cannot be saved") == 1
        assert "of 2 puzzles solved" in shown.output

    def test_a_damaged_standing_is_refused_in_one_sentence(self, puzzle_file, tmp_path, monkeypatch):
        monkeypatch.setattr("parlour.cli.puzzle_trainer.data_folder", lambda: tmp_path)
        (tmp_path / "puzzles.json").write_text("[1")
        shown = CliRunner().invoke(main, ["puzzle", GAME, "--file", str(puzzle_file)])
        assert shown.exit_code == 1
        assert "not a file of standings" in shown.output

    def test_an_unknown_theme_is_refused_with_the_list_of_themes(self, puzzle_file):
        shown = CliRunner().invoke(main, ["puzzle", GAME, "--file", str(puzzle_file), "--theme", "castling"])
        assert "there is no theme 'castling'; there are" in shown.output


class TestStandings:
    """The file with the standings of a user, who may have several terminals."""

    @pytest.fixture
    def puzzles(self):
        return shipped_puzzles(GAME).puzzles[:3]

    def test_two_terminals_keep_the_standings_of_both_games(self, tmp_path, puzzles):
        first, second = (StandingFile(tmp_path / "puzzles.json") for _ in range(2))
        first.count(GAME, puzzles[0], True)
        second.count("castle-walls", shipped_puzzles("castle-walls").puzzles[0], False)
        stored = StandingFile(tmp_path / "puzzles.json")
        assert [stored.of(game)[0].solved for game in (GAME, "castle-walls")] == [1, 0]
        assert [stored.of(game)[0].tried for game in (GAME, "castle-walls")] == [1, 1]

    def test_two_terminals_add_their_tries_of_one_game(self, tmp_path, puzzles):
        first, second = (StandingFile(tmp_path / "puzzles.json") for _ in range(2))
        for file, puzzle in ((first, puzzles[0]), (second, puzzles[1]), (first, puzzles[2])):
            file.count(GAME, puzzle, True)
        standing, tried = StandingFile(tmp_path / "puzzles.json").of(GAME)
        assert (standing.tried, standing.streak) == (3, 3)
        assert tried == [each.id for each in puzzles]

    def test_a_puzzle_tried_in_two_terminals_counts_once(self, tmp_path, puzzles):
        first, second = (StandingFile(tmp_path / "puzzles.json") for _ in range(2))
        first.count(GAME, puzzles[0], True)
        second.count(GAME, puzzles[0], False)
        standing, tried = second.of(GAME)
        assert (standing.tried, standing.solved, tried) == (1, 1, [puzzles[0].id])

    def test_a_file_that_is_damaged_meanwhile_stays_as_it_is(self, tmp_path, puzzles):
        file = StandingFile(tmp_path / "puzzles.json")
        file.count(GAME, puzzles[0], True)
        (tmp_path / "puzzles.json").write_text("[1")
        with pytest.raises(PuzzleError, match="cannot be saved and lasts until you stop"):
            file.count(GAME, puzzles[1], True)
        file.count(GAME, puzzles[2], True)
        assert file.of(GAME)[0].tried == 3
        assert (tmp_path / "puzzles.json").read_text() == "[1"
