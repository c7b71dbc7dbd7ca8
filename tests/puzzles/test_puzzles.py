"""Puzzles: search, proof, grade, files, and verdicts."""

import gzip
import json
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

from parlour.bots import LEVELS
from parlour.bots.protocol import never
from parlour.cli import main
from parlour.cli.puzzle_commands import MOST_BARREN_GAMES
from parlour.endgames.action_values import action_values
from parlour.endgames.endgame_tree import TreeLimits, endgame_tree_of
from parlour.endgames.equilibrium import solve
from parlour.endgames.exact import decisions_of
from parlour.engine.chance import random_bits
from parlour.engine.errors import IllegalError
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.puzzles import certainty, grade
from parlour.puzzles.exercise import EVENTS_BEFORE, exercise_of
from parlour.puzzles.finder import PuzzleSearch, puzzle_values
from parlour.puzzles.grade import HIGHEST, RATINGS, rating_of
from parlour.puzzles.puzzle import ActionValue, Puzzle, PuzzleError, seat_names
from parlour.puzzles.puzzle_file import (
    PuzzleFile,
    games_with_puzzles,
    header_of,
    parse_puzzles,
    read_puzzles,
    shipped_puzzles,
)
from parlour.puzzles.standing import next_puzzle
from parlour.puzzles.verdict import verdict_of
from parlour.render.layouts import find_layout
from parlour.statistics import Estimate

GAME = "three-tricks"
SETUP = Setup(find_game(GAME), 2)
EFFORT = 20_000
GAMES = 3
"""Games searched with this effort; some of them have puzzles."""
WORK = PuzzleSearch(SETUP, 1, effort=EFFORT)


@pytest.fixture(scope="module")
def found_puzzles():
    search = WORK.open()
    return {number: search(number, never) for number in range(GAMES)}


@pytest.fixture(scope="module")
def first_puzzle(found_puzzles):
    """Return the first puzzle of the first game that has one."""
    return next(puzzle for puzzles in found_puzzles.values() for puzzle in puzzles)


@pytest.fixture
def puzzle_file(found_puzzles, tmp_path):
    """Return a file with the puzzles found."""
    with PuzzleFile(str(tmp_path / "kept.jsonl"), WORK.facts) as file:
        for puzzles in found_puzzles.values():
            file.add(puzzles)
    return tmp_path / "kept.jsonl"


def numbered(games, number):
    """Return the puzzles of a game of this number."""
    return [replace(puzzle, number=number) for puzzle in games[number]]


class TestSearch:
    def test_every_other_action_is_worse_by_the_margin(self, found_puzzles):
        puzzles = [puzzle for of_game in found_puzzles.values() for puzzle in of_game]
        assert len(puzzles) > 1
        for puzzle in puzzles:
            best, *others = puzzle.actions
            assert best.behind == 0
            assert min(each.low for each in others) >= 1000 * certainty.MARGIN
            assert all(each.low <= each.behind <= each.high and each.win < best.win for each in others)

    def test_all_legal_actions_are_judged_and_the_seat_is_to_act(self, first_puzzle):
        match = first_puzzle.match()
        assert sorted(each.do for each in first_puzzle.actions) == sorted(match.legal())
        assert first_puzzle.position().seat == match.actor

    def test_a_game_has_the_same_puzzles_whenever_it_is_searched(self, found_puzzles, first_puzzle):
        assert WORK.open()(first_puzzle.number, never) == found_puzzles[first_puzzle.number]

    def test_a_theme_selects(self, first_puzzle):
        unwanted = replace(WORK, theme="no such theme")
        assert unwanted.open()(first_puzzle.number, never) == []
        assert (
            replace(WORK, theme=first_puzzle.themes[0]).open()(first_puzzle.number, never)[0].themes[0]
            == first_puzzle.themes[0]
        )

    def test_the_search_has_all_levels_and_the_master_finds_the_best_action(self, first_puzzle):
        assert list(first_puzzle.levels) == list(LEVELS)
        assert first_puzzle.levels["master"] >= 75


class FixedSearch:
    """A search in which each action's loss is a constant or normal noise around it."""

    def __init__(self, losses, noise=0.3):
        self.losses, self.noise, self.steps = losses, noise, 0
        self._random = np.random.default_rng(1)

    def compare(self, moves, number):
        self.steps += number * len(moves)
        values = [0.6 - self.losses[move] + self._random.normal(0, self.noise, number) for move in moves]
        return np.stack(values, axis=1), 0


class TestCertainty:
    def test_clear_losses_are_settled_first(self):
        search = FixedSearch([0, 0.5, 0.1])
        losses = certainty.losses_of(search, 0, [1, 2], 10**6)
        assert losses[1][1].value == pytest.approx(0.5, abs=0.1)
        assert losses[2][1].low >= certainty.MARGIN

    @pytest.mark.parametrize("loss", [0.0, 0.02, -0.2])
    def test_an_action_about_as_good_or_better_refutes(self, loss):
        assert certainty.losses_of(FixedSearch([0, 0.5, loss]), 0, [1, 2], 10**6) == {}

    def test_a_position_undecided_at_the_end_of_the_effort_is_no_puzzle(self):
        assert certainty.losses_of(FixedSearch([0, 0.06], noise=1), 0, [1], 100) == {}

    def test_an_interval_of_many_statements_is_wider(self):
        values = np.random.default_rng(1).normal(0, 1, 500)
        one, many = certainty.simultaneous(values, 1), certainty.simultaneous(values, 100)
        assert many.low < one.low < one.value < one.high < many.high

    def test_its_confidence_is_that_of_all_actions_and_steps_also_once_some_are_settled(self, monkeypatch):
        plain, asked = certainty.simultaneous, []
        monkeypatch.setattr(certainty, "simultaneous", lambda *given: asked.append(given[1]) or plain(*given))
        losses = certainty.losses_of(FixedSearch([0, 0.5, 0.4, 0.15], noise=0.5), 0, [1, 2, 3], 10**6)
        assert len(losses) == 3
        assert len(asked) > 3
        assert set(asked) == {3 * len(certainty.STEPS)}


class TestValues:
    POSITION = SimpleNamespace(notation=lambda move: str(int(move)))
    LOSSES = {  # noqa: RUF012
        2: (0.28, Estimate(0.3, 0.05, 0.55)),
        1: (0.42, Estimate(0.2, 0.1, 0.3)),
        3: (0.0, Estimate(0.6, 0.4, 1.1)),
    }

    def values(self, exact):
        return [
            (each.do, each.win, each.behind, each.low, each.high)
            for each in puzzle_values(self.POSITION, 0, self.LOSSES, exact)
        ]

    def test_the_best_action_comes_first_and_the_others_by_their_loss(self):
        assert self.values(None) == [
            ("0", 600, 0, 0, 0), ("1", 400, 200, 100, 300), ("2", 300, 300, 50, 550), ("3", 0, 600, 400, 1000)
        ]  # fmt: skip

    def test_exact_values_come_by_their_size_without_intervals(self):
        assert self.values({2: 0.5, 0: 0.75, 1: 0.25}) == [
            ("0", 750, 0, 0, 0), ("2", 500, 250, 250, 250), ("1", 250, 500, 500, 500)
        ]  # fmt: skip


class TestExactValues:
    def test_the_best_actions_of_all_worlds_have_the_value_of_the_equilibrium(self):
        limits, trime_kicker = TreeLimits(nodes=2000), Setup(find_game("trime-kicker"), 2)
        state = next(state for events, state in decisions_of(trime_kicker, 0, 7) if events == 124)
        tree = endgame_tree_of(state, limits)
        values = [max(action_values(world, limits).values()) for world in tree.roots]
        assert np.mean(values) == pytest.approx(solve(tree).value_for(int(state.actor)), abs=1e-6)
        assert 0 < np.mean(values) < 1

    def test_a_large_end_has_no_exact_values(self):
        _, state = decisions_of(SETUP, 1, 0)[0]
        assert action_values(state, TreeLimits(nodes=100)) is None


class TestGrade:
    def test_it_is_the_rating_that_the_levels_solve_as_often(self):
        assert rating_of(dict.fromkeys(RATINGS, 0.5)) == pytest.approx(1500, abs=2)
        easy, hard = dict.fromkeys(RATINGS, 0.9), dict.fromkeys(RATINGS, 0.2)
        assert rating_of(easy) < 1300 < 1700 < rating_of(hard)

    def test_an_action_that_no_level_finds_has_the_highest_rating(self):
        assert rating_of(dict.fromkeys(RATINGS, 0.0)) == pytest.approx(HIGHEST, abs=2)

    @pytest.mark.parametrize("level", LEVELS)
    def test_a_share_is_the_mean_of_searches_that_differ_and_can_be_repeated(self, level, monkeypatch):
        drawn = []

        def chances(observation):
            drawn.append(random_bits(observation.random) % 1000 / 1000)
            return [1 - drawn[-1], drawn[-1]]

        monkeypatch.setattr(grade, "find_bot", lambda name: SimpleNamespace(chances=chances))
        position = SimpleNamespace(moves=(3, 7), state=None, seat=0, game=SETUP.game)
        shares = [grade.share_of(level, position, 7, seed) for seed in (5, 5, 6)]
        number = grade.MASTER_SEARCHES if level == grade.MASTER else grade.SEARCHES
        first, again, other = drawn[:number], drawn[number : 2 * number], drawn[2 * number :]
        assert len(set(first)) == number
        assert first == again != other
        assert shares == pytest.approx([np.mean(first), np.mean(again), np.mean(other)])


class TestFile:
    def test_it_has_the_puzzles_and_continues_with_the_last_game(self, puzzle_file, found_puzzles):
        assert read_puzzles(str(puzzle_file)).puzzles == [
            puzzle for puzzles in found_puzzles.values() for puzzle in puzzles
        ]
        with PuzzleFile(str(puzzle_file), WORK.facts) as file:
            assert file.first_game == max(number for number, puzzles in found_puzzles.items() if puzzles)

    def test_it_may_be_gzipped(self, puzzle_file):
        assert parse_puzzles(gzip.compress(puzzle_file.read_bytes()), "zipped") == read_puzzles(str(puzzle_file))

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


class TestExercise:
    def test_it_shows_the_last_events_and_all_of_them_early_in_a_game(self):
        game, layout = SETUP.start(seed=3), find_layout(GAME)
        while len(game.events) < EVENTS_BEFORE + 4:
            seat, events = game.actor, [event.do for event in game.events]
            names, early, lines = seat_names(2, seat), Match(SETUP), []
            for event in game.events:
                before = early.observation(seat)
                early.apply_event(event)
                scene = layout.lay_out(early.observation(seat), names, before)
                lines.append([line for line in scene.log if line])
            shown = exercise_of(Puzzle(SETUP, 0, events, (), {}, 0, (), False, ()))
            assert shown.log == [line for of_event in lines[-EVENTS_BEFORE:] for line in of_event]
            assert shown.scene == layout.lay_out(game.observation(seat), names, None)
            game.act(game.legal()[0])


class TestShipped:
    def test_a_sample_can_be_played_and_judged(self):
        assert games_with_puzzles()
        for of_game in games_with_puzzles():
            assert len({puzzle.id for puzzle in of_game.puzzles}) == len(of_game.puzzles)
            for puzzle in of_game.puzzles[::40]:
                match = puzzle.match()
                assert sorted(each.do for each in puzzle.actions) == sorted(match.legal()), puzzle.id
                assert verdict_of(puzzle, puzzle.best.do).right


class TestVerdict:
    def test_the_best_action_is_right(self, first_puzzle):
        verdict = verdict_of(first_puzzle, first_puzzle.best.do)
        assert verdict.right
        assert verdict.words[0].startswith("It is best to ")

    def test_another_shows_its_cost_and_the_best(self, first_puzzle):
        worst = first_puzzle.actions[-1]
        verdict = verdict_of(first_puzzle, worst.do)
        assert (verdict.right, verdict.best) == (False, first_puzzle.best.do)
        assert [each.do for each in verdict.actions if each.tried] == [worst.do]
        assert "less" in verdict.actions[-1].less
        assert verdict.others == max(0, len(first_puzzle.actions) - 4)

    def test_the_actions_shown_and_the_others_are_all(self, first_puzzle):
        assert len(first_puzzle.actions) > 4
        for number in (2, 4, 5):
            puzzle = replace(first_puzzle, actions=first_puzzle.actions[:number])
            for tried in puzzle.actions:
                verdict = verdict_of(puzzle, tried.do)
                assert (len(verdict.actions), verdict.others) == (min(4, number), max(0, number - 4))
                assert [each.do for each in verdict.actions if each.tried] == [tried.do]
                assert verdict.actions[0].do == puzzle.best.do

    def test_an_illegal_one_is_refused(self, first_puzzle):
        with pytest.raises(IllegalError, match="not legal here"):
            verdict_of(first_puzzle, "lay 99")

    def test_an_exact_value_has_no_interval(self, first_puzzle):
        actions = [ActionValue("pass", 600, 0, 0, 0), ActionValue(first_puzzle.actions[1].do, 400, 200, 200, 200)]
        exact = Puzzle(
            SETUP,
            0,
            first_puzzle.events,
            tuple(actions),
            first_puzzle.levels,
            1500,
            (),
            True,
            (),
        )
        assert verdict_of(exact, actions[1].do).actions[1].less == "20 points less"


class TestCommands:
    def test_puzzles_are_found_and_continued(self, tmp_path, found_puzzles):
        file = str(tmp_path / "new.jsonl")
        arguments = ["puzzles", GAME, "--out", file, "--seed", "1", "--effort", str(EFFORT), "--cores", "1"]
        first = CliRunner().invoke(main, [*arguments, "-n", "1"])
        assert first.exit_code == 0
        assert "1 puzzles of 3 Tricks are in" in first.output
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
        assert (tmp_path / "one").read_text() == (tmp_path / "parts").read_text()
        assert len(read_puzzles(str(tmp_path / "one")).puzzles) == 4

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

    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    def test_a_file_is_graded_again_by_the_present_levels(self, puzzle_file, tmp_path, monkeypatch, pack):
        shares = dict(zip(LEVELS, (0.1, 0.25, 0.5, 0.75, 1.0), strict=True))
        monkeypatch.setattr("parlour.puzzles.grade.share_of", lambda level, *position: shares[level])
        before, file = read_puzzles(str(puzzle_file)), tmp_path / "again.jsonl"
        file.write_bytes(pack(puzzle_file.read_bytes()))
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

    def test_a_stop_leaves_the_grades(self, puzzle_file, monkeypatch):
        def interrupted(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr("parlour.puzzles.grade.share_of", interrupted)
        before = puzzle_file.read_bytes()
        assert CliRunner().invoke(main, ["grade", str(puzzle_file), "--cores", "1"]).exit_code == 130
        assert puzzle_file.read_bytes() == before

    def test_a_best_action_that_is_not_legal_is_refused_with_its_puzzle(self, puzzle_file, tmp_path):
        header, first, *_ = puzzle_file.read_text().splitlines()
        values = json.loads(first)
        values["actions"][0][0] = "lay nothing"
        (tmp_path / "wrong.jsonl").write_text(f"{header}\n{json.dumps(values)}\n")
        refused = CliRunner().invoke(main, ["grade", str(tmp_path / "wrong.jsonl"), "--cores", "1"])
        assert refused.exit_code == 1
        assert f"puzzle {values['id']}: its best action 'lay nothing' is not legal" in refused.output

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

    def test_a_damaged_standing_is_refused_in_one_sentence(self, puzzle_file, tmp_path, monkeypatch):
        monkeypatch.setattr("parlour.cli.puzzle_trainer.data_folder", lambda: tmp_path)
        (tmp_path / "puzzles.json").write_text("[1")
        shown = CliRunner().invoke(main, ["puzzle", GAME, "--file", str(puzzle_file)])
        assert shown.exit_code == 1
        assert "not a file of standings" in shown.output

    def test_an_unknown_theme_names_those_that_there_are(self, puzzle_file):
        shown = CliRunner().invoke(main, ["puzzle", GAME, "--file", str(puzzle_file), "--theme", "castling"])
        assert "there is no theme 'castling'; there are" in shown.output
