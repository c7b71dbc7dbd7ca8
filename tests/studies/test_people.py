"""People of recorded games beside the bots of a study, and a bot fitted to their choices."""

import json
import pickle
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from parlour.cli import main
from parlour.contests.contest import play_deals
from parlour.contests.game_results import GameResult
from parlour.engine.errors import RecordError
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.jobs.tasks import Placement
from parlour.statistics import Estimate, estimate_mean
from parlour.studies.findings import Findings
from parlour.studies.people import comparison
from parlour.studies.people import people as people_module
from parlour.studies.people.choices import (
    ChoiceJob,
    ChoiceWork,
)
from parlour.studies.people.comparison import LOST, MARKED, PeopleRow, people_note, people_text
from parlour.studies.people.evaluation import EvaluationJob, EvaluationWork, JudgedDecision, result_of
from parlour.studies.people.people import BOTS_DEALS, Mistakes, People
from parlour.studies.people.recorded_games import RecordedGame, read_games, whole_game
from parlour.studies.plan import Study
from parlour.studies.report.people_table import people_tables
from tests.helpers import random_game
from tests.studies.recorded import SETUP, TRICKS, play_games, write_records


@pytest.fixture(scope="module")
def played_games() -> list[GameResult]:
    return play_games()


@pytest.fixture
def file(played_games: list[GameResult], tmp_path: Path) -> Path:
    """Return a file of the games, with the rule of thumb in the part of a person."""
    return write_records(tmp_path, *({**game.record, "people": [0]} for game in played_games))


class TestTheNote:
    @pytest.mark.parametrize(
        ("number", "alone", "text"),
        [
            (1, 1, "1 recorded game, all without bots. "),
            (6, 6, "6 recorded games, all without bots. "),
            (6, 2, "6 recorded games, 2 of them without bots. "),
            (6, 0, "6 recorded games, 0 of them without bots. "),
        ],
    )
    def test_it_has_the_number_of_games_without_bots(self, number: int, alone: int, text: str) -> None:
        mistakes = SimpleNamespace(number=0)
        people: Any = SimpleNamespace(
            number=lambda _: number, without_bots=lambda _: alone, mistakes=lambda _: mistakes, left_out={}
        )
        assert people_note(people, 0).startswith(text)
        people.left_out = {"of another game": 1, "that are not over": 3}
        left_out = ", without 1 record of another game, without 3 records that are not over. "
        assert people_note(people, 0).startswith(text.removesuffix(". ") + left_out)


class TestTheTerminal:
    def test_each_variation_has_a_table_with_a_column_of_people_and_of_each_bot(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A missing estimate is a dash; only people have an interval."""
        rows = [
            PeopleRow(LOST, (Estimate(0.05, 0.02, 0.08), None, Estimate(0.01, 0.0, 0.02))),
            PeopleRow(MARKED, (None, Estimate(0.25, 0.2, 0.3), Estimate(0.125, 0.1, 0.2))),
        ]
        monkeypatch.setattr(comparison, "people_rows", lambda findings, people, variation: rows[variation:])
        monkeypatch.setattr(comparison, "people_note", lambda people, variation: f"{variation + 2} games.")
        study = Study((SETUP, Setup(TRICKS, 2, {"rank_block": "any"})), ("random", "thumb"))
        people = SimpleNamespace(evaluated_variations=[0, 1])
        findings: Any = SimpleNamespace(study=study, people=people, line_ups=[(0,), (1,), (1, 0)])
        lines = [re.split(" {2,}", line.strip()) for line in people_text(findings)]
        marked = ["Choices marked in a review, % of choices", "–", "25.0", "12.5"]
        assert lines == [
            ["People beside bots, defaults: 2 games."],
            ["people", "random", "thumb"],
            ["Chance to win that a choice lost, points of 100 games", "5.0 (2.0 to 8.0)", "–", "1.0"],
            marked,
            ["People beside bots, rank_block=any: 3 games."],
            ["people", "random", "thumb"],
            marked,
        ]
        findings.people = None
        assert people_text(findings) == []


class TestRecordedGame:
    @pytest.mark.parametrize(
        ("people", "stood_in", "expected"),
        [((0, 1), (), True), ((0, 1), (3,), False), ((0,), (), False), ((0,), (3,), False), ((), (), False)],
    )
    def test_is_without_bots_if_people_made_every_decision(
        self, people: tuple[int, ...], stood_in: tuple[int, ...], expected: bool
    ) -> None:
        game = RecordedGame("here", SETUP.to_json(), frozenset(people), frozenset(stood_in))
        assert game.without_bots == expected


class TestRecords:
    def test_other_games_and_unfinished_ones_are_left_out_and_counted(self, played_games, tmp_path) -> None:
        record = played_games[0].record
        unfinished = {**record, "events": record["events"][:4], "result": None}
        found, left_out = read_games([str(write_records(tmp_path, record, unfinished, {"game": "whist"}))], TRICKS)
        assert [game.record for game in found] == [record]
        assert left_out == {"of unfinished games": 1, "of other games": 1}

    @pytest.mark.parametrize(("others", "left_out"), [(0, {}), (1, {"of other variations": 1})])
    def test_those_of_other_variations_are_counted_too(self, played_games, tmp_path, others, left_out) -> None:
        other = [random_game(Setup(TRICKS, 2, {"rank_block": "any"}), number).record() for number in range(others)]
        people = People(Study((SETUP,), ("thumb",)), [str(write_records(tmp_path, played_games[0].record, *other))])
        assert people.left_out == left_out

    def test_without_a_game_there_is_nothing_to_read(self, tmp_path) -> None:
        with pytest.raises(RecordError, match=r"no record of a finished game of 3 Tricks; 1 record of other games"):
            read_games([str(write_records(tmp_path, {"game": "whist"}))], TRICKS)

    def test_a_game_in_several_records_counts_once(self, played_games, tmp_path) -> None:
        """The second export of a room contains the games of the first; an option's default is no difference."""
        first, second = (game.record for game in played_games[:2])
        defaults = {option.name: option.default for option in TRICKS.options}
        file = str(write_records(tmp_path, first, second, {**first, "options": defaults, "people": [1]}))
        found, left_out = read_games([file, file], TRICKS)
        assert [(game.record, sorted(game.people)) for game in found] == [(first, [0, 1]), (second, [0, 1])]
        assert left_out == {"of repeated games": 4}

    @pytest.mark.parametrize(
        ("key", "value"),
        [("people", [2]), ("people", [0.0]), ("people", None), ("people", "Ann"), ("stood_in", [-1]), ("stood_in", 3)],
    )
    def test_a_wrong_seat_or_event_is_refused_with_its_place(self, played_games, tmp_path, key, value) -> None:
        with pytest.raises(RecordError, match=f"records.jsonl, line 1: '{key}' are .*, a list of numbers from 0"):
            read_games([str(write_records(tmp_path, {**played_games[0].record, key: value}))], TRICKS)

    @pytest.mark.parametrize(
        "value",
        ["yes", None, {}, [9], [{"seat": 2, "after": 0}], [{"seat": 0}], [{"seat": 0, "after": 1700}], [{"after": 1}]],
    )
    def test_an_impossible_resignation_is_refused_with_its_place(self, played_games, tmp_path, value) -> None:
        file = write_records(tmp_path, {**played_games[0].record, "resigned": value})
        with pytest.raises(RecordError, match=r"records\.jsonl, line 1: 'resigned' are resignations, a list of"):
            read_games([str(file)], TRICKS)

    def test_after_a_resignation_the_decisions_of_the_seat_are_a_bots(self, played_games, tmp_path) -> None:
        record = played_games[0].record
        resigned = {**record, "people": [0, 1], "resigned": [{"seat": 0, "after": 10}]}
        [[game], _] = read_games([str(write_records(tmp_path, resigned))], TRICKS)
        sampled = [number for number, _ in game.sample(1.0, np.random.default_rng(0))]
        by_seat = {seat: [each for each in sampled if record["events"][each]["by"] == seat] for seat in (0, 1)}
        assert 0 < len(by_seat[0]) == len([number for number in by_seat[0] if number < 10])
        assert max(by_seat[1]) > 10
        assert (game.choices, game.without_bots) == (len(sampled), False)

    def test_a_great_number_of_players_takes_no_memory(self, played_games, tmp_path) -> None:
        file = write_records(tmp_path, {**played_games[0].record, "players": 10**30})
        with pytest.raises(RecordError, match=r"line 1: .* players"):
            read_games([str(file)], TRICKS)

    def test_all_seats_are_peoples_unless_the_record_names_them(self, played_games, tmp_path) -> None:
        records = played_games[0].record, {**played_games[1].record, "people": [1]}
        found, _ = read_games([str(write_records(tmp_path, *records))], TRICKS)
        assert [(sorted(game.people), game.without_bots) for game in found] == [([0, 1], True), ([1], False)]

    def test_choices_are_those_of_people_among_several_actions(self, played_games) -> None:
        record, everything = played_games[0].record, np.random.default_rng(0)
        own = RecordedGame("here", record, frozenset({1}))
        numbers = [number for number, _ in own.sample(1.0, everything)]
        assert {record["events"][number]["by"] for number in numbers} == {1}
        assert all(len(match.moves()) > 1 for _, match in own.sample(1.0, everything))
        by_a_bot = RecordedGame("here", record, frozenset({1}), frozenset(numbers[:2]))
        assert [number for number, _ in by_a_bot.sample(1.0, everything)] == numbers[2:]


class TestResults:
    def test_a_recorded_game_has_the_result_and_statistics_of_the_game_as_it_was_played(self, played_games) -> None:
        for number, game in enumerate(played_games):
            found = result_of(whole_game(game.record, "here"), traced=number < 2)
            assert (found.scores, found.winners, found.decisions) == (game.scores, game.winners, game.decisions)
            assert (found.statistics, found.ending, found.clause_counts) == (
                game.statistics,
                game.ending,
                game.clause_counts,
            )

    @pytest.mark.parametrize(("game_id", "rounds"), [("three-tricks", 1), ("trick-walls", 4)])
    def test_a_recorded_game_has_as_many_rounds_as_deals_of_the_first_cards(self, game_id: str, rounds: int) -> None:
        match = random_game(Setup(find_game(game_id), 2), 3)
        by_chance = [event.do for event in match.events if event.by == CHANCE]
        found = result_of(whole_game(match.record(), "here")).statistics
        assert found is not None
        assert (found.rounds, found.events) == (rounds, len(match.events))
        assert len(by_chance) > rounds, "other cards are shuffled, or seats drawn, besides"


class TestJobs:
    def test_work_and_jobs_go_to_other_processes_and_machines(self, played_games) -> None:
        game = whole_game(played_games[0].record, "here")
        assert game.setup == SETUP
        plan = Study((SETUP,), ("random", "thumb"))
        sent = EvaluationWork(plan), EvaluationJob(0, 0, 0.5, game=game), ChoiceWork(TRICKS, 1), ChoiceJob(0, 0.5, game)
        assert pickle.loads(pickle.dumps(sent)) == sent
        assert EvaluationWork(plan).code == ChoiceWork(TRICKS, 1).code

    @pytest.mark.parametrize(("traced", "judged", "bots"), [(0, 0, set()), (2, 200, {0, 2}), (6, 1, {0, 2})])
    def test_they_trace_the_first_records_and_judge_bots_that_see_only_their_own_cards(
        self, file: Path, monkeypatch: pytest.MonkeyPatch, traced: int, judged: int, bots: set[int]
    ) -> None:
        study = Study((SETUP,), ("random", "open:casual", "thumb"), traced_deals=traced)
        games: Any = SimpleNamespace(decisions=np.array([9]), statistics={"forced": np.array([4])})
        monkeypatch.setattr(people_module, "games_of", lambda study, deals, keys: dict.fromkeys(keys, games))
        deals: Any = [SimpleNamespace(number=number) for number in range(BOTS_DEALS + 2)]
        jobs = list(People(study, [str(file)], judged).jobs(deals))
        assert [job.traced for job in jobs if job.game] == [number < traced for number in range(6)]
        of_bots = [(job.bot, job.number) for job in jobs if not job.game]
        assert of_bots == [(bot, number) for bot in sorted(bots) for number in range(BOTS_DEALS)]


class TestMistakes:
    def test_a_loss_is_a_mean_over_games_and_a_mark_a_share_of_the_decisions(self) -> None:
        games = [
            [JudgedDecision(0.02, 2), JudgedDecision(0.0, 0)],
            [],
            [JudgedDecision(0.1, 10), JudgedDecision(0.0, 0)],
        ]
        found = Mistakes(games)
        assert (found.number, found.marked_share.value) == (4, 0.5)
        assert found.mean_loss == estimate_mean([0.01, 0.05])


class TestAStudyWithPeople:
    def test_people_have_a_column_beside_the_bots(self, file: Path) -> None:
        plan = Study((SETUP,), ("random", "thumb"))
        people, deals = People(plan, [str(file)], 6), list(play_deals(plan, 0, 2, Placement(1)))
        people.evaluate(deals, Placement(1))
        findings = Findings(plan, deals, None, people)
        assert "People beside bots, defaults: 6 recorded games, 0 of them without bots." in findings.text()
        [row] = [line for line in findings.text().splitlines() if line.startswith("  Choices marked in a review")]
        assert row.count(" to ") == 1
        table = people_tables(findings)
        assert "<h2>People beside bots</h2>" in table
        assert str(file) in table
        [found] = findings.to_json()["people"]
        assert found["records"] == 6
        assert set(found["mistakes"]) == {"people", "random", "thumb"}
        assert {"decisions", "endings", "points", "draws"} <= set(found)

    def test_after_ctrl_c_the_numbers_are_those_of_the_evaluated_records(self, played_games, tmp_path) -> None:
        alone = [{**game.record, "people": [0, 1]} for game in played_games]
        alone[1]["people"] = [0]
        people, done = People(Study((SETUP,), ("thumb",)), [str(write_records(tmp_path, *alone))], 0), []

        def stop_after_four(number: int) -> None:
            done.append(number)
            if len(done) == 4:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            people.evaluate([], Placement(1), stop_after_four)
        assert (people.number(0), people.without_bots(0)) == (4, 3)
        [found] = people.to_json()
        assert (found["records"], found["without_bots"]) == (4, 3)

    def test_the_command_takes_files_of_records(self, file: Path) -> None:
        words = ["study", "three-tricks", "--bots", "thumb", "--deals", "2", "--evaluated-deals", "0", "--cores", "1"]
        result = CliRunner().invoke(main, [*words, "--people", str(file), "--judged", "0", "--json"])
        assert result.exit_code == 0, result.output
        [found] = json.loads(result.stdout)["people"]
        assert (found["records"], found["mistakes"]) == (6, {})

    def test_records_of_other_variations_are_refused_before_the_first_game(self, file: Path) -> None:
        words = ["study", "three-tricks", "-o", "rank_block=any", "--deals", "2", "--people", str(file)]
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 1
        assert "no record of a variation of this study; they are of 2 players\n" in result.stderr
