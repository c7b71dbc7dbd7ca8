"""People of recorded games beside the bots of a study, and a bot fitted to their choices."""

import json
import pickle
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from parlour.bots import compiled_observation_of, find_bot
from parlour.bots.levels import Level, parse_level
from parlour.cli import main
from parlour.contests.contest import STUDY, Contest, play_deals
from parlour.contests.game_results import GameResult
from parlour.engine.chance import new_stream
from parlour.engine.errors import RecordError
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.jobs.tasks import Placement
from parlour.statistics import Estimate, estimate_mean
from parlour.studies.findings import Findings
from parlour.studies.people import choices, comparison
from parlour.studies.people import people as people_module
from parlour.studies.people.choices import (
    MEMORIES,
    ChoiceJob,
    ChoiceWork,
    RecordedChoice,
    SearchedActions,
    choice_of,
    levels_of,
    search_settings,
    searches_of,
)
from parlour.studies.people.comparison import LOST, MARKED, PeopleRow, people_note, people_text
from parlour.studies.people.evaluation import EvaluationJob, EvaluationWork, JudgedDecision, result_of
from parlour.studies.people.fit_result import BotFit, _line, _verdict
from parlour.studies.people.fitting import Agreement, FittedBot, agreement_of, mixture_weights
from parlour.studies.people.people import BOTS_DEALS, Mistakes, People
from parlour.studies.people.recorded_games import RecordedGame, read_games, whole_game
from parlour.studies.plan import Study
from parlour.studies.report.people_table import people_tables
from tests.helpers import random_game

GAME_ID = "three-tricks"
TRICKS = find_game(GAME_ID)
SEARCHES = tuple(searches_of(GAME_ID))
SETUP = Setup(TRICKS, 2)


@pytest.fixture(scope="module")
def played_games() -> list[GameResult]:
    """Return six games of the rule of thumb against random play, with statistics, clauses and records."""
    arena = Contest(STUDY, SETUP, ("random", "thumb")).arena(statistics=True, record=True)
    return [arena.play(deal, (1, 0), trace_clauses=deal < 2) for deal in range(6)]


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


class TestTheVerdict:
    @pytest.mark.parametrize(
        ("fitted", "other", "compared"),
        [
            (0.6, 0.55, "5.0 points more than"),
            (0.55, 0.6, "5.0 points less than"),
            (0.6, 0.6, "as often as"),
            (0.6004, 0.6, "as often as"),
            (0.6006, 0.6, "0.1 points more than"),
        ],
    )
    def test_compares_the_fitted_bot_with_the_best_of_the_others(
        self, fitted: float, other: float, compared: str
    ) -> None:
        own, best = (
            Agreement(name, Estimate(0, 0, 0), Estimate(share, 0, 1), None)
            for name, share in (("own", fitted), ("thumb", other))
        )
        sentence = f"Its likeliest action is the recorded one {compared} that of thumb, the best of the others."
        assert _verdict(own, best) == sentence

    @pytest.mark.parametrize(("likelihood", "text"), [(None, "−∞"), (-1.2345, "−1.234"), (0.0, "0.000")])
    def test_follows_a_row_for_each_bot(self, likelihood: float | None, text: str) -> None:
        agreement = Agreement("thumb", Estimate(0.5, 0.4, 0.61), Estimate(0.7, 0.6, 0.8), likelihood)
        row = re.split(" {2,}", _line(agreement, 8).strip())
        assert row == ["thumb", "50.0 (40.0 to 61.0)", "70.0 (60.0 to 80.0)", text]


class TestAFit:
    AGREEMENTS = (
        Agreement("fitted", Estimate(0.4, 0.3, 0.5), Estimate(0.52, 0.4, 0.6), -1.5),
        Agreement("random", Estimate(0.2, 0.1, 0.3), Estimate(0.25, 0.2, 0.3), -2.0),
        Agreement("thumb", Estimate(0.3, 0.2, 0.4), Estimate(0.55, 0.5, 0.6), None),
        Agreement("regular", Estimate(0.35, 0.2, 0.4), Estimate(0.5, 0.4, 0.6), -1.75),
    )

    @pytest.fixture
    def fit(self) -> Any:
        """Return a fit of 1,200 choices in three games whose results are made up."""
        made: Any = object.__new__(BotFit)
        made.game, made.choices, made._available, made._games = TRICKS, [None] * 1200, 1300, [None] * 3
        made._omitted_records = {"of other games": 1, "of unfinished games": 2}
        intervals = {"slips": (0.6, 4.4), "habit": (20.0, 61.25)}
        made.bot = SimpleNamespace(name="search:slips=2", intervals=intervals, agreements=self.AGREEMENTS)
        return made

    def test_the_text_has_the_bot_a_row_for_each_other_and_the_best_of_these(self, fit: Any) -> None:
        lines = [re.split(" {2,}", line.strip()) for line in fit.text().splitlines()]
        left_out = "without 1 record of other games, without 2 records of unfinished games"
        assert lines == [
            [f"3 Tricks: 1,200 of 1,300 choices of people in 3 recorded games, {left_out}"],
            ["Fitted bot: search:slips=2"],
            ["95 % intervals, of 100 choices: slips 1 to 4, habit 20 to 61"],
            ["Of 100 recorded choices, fitted with the bot fitted to the other games (5 parts):"],
            ["it makes", "its likeliest action", "log-likelihood"],
            ["fitted", "40.0 (30.0 to 50.0)", "52.0 (40.0 to 60.0)", "−1.500"],
            ["random", "20.0 (10.0 to 30.0)", "25.0 (20.0 to 30.0)", "−2.000"],
            ["thumb", "30.0 (20.0 to 40.0)", "55.0 (50.0 to 60.0)", "−∞"],
            ["regular", "35.0 (20.0 to 40.0)", "50.0 (40.0 to 60.0)", "−1.750"],
            ["Its likeliest action is the recorded one 3.0 points less than that of thumb, the best of the others."],
        ]

    def test_the_json_has_the_same_numbers(self, fit: Any) -> None:
        found = fit.to_json()
        agreement = found.pop("agreement")
        assert [(each["bot"], each["makes"]["value"], each["likeliest"]["high"]) for each in agreement] == [
            ("fitted", 0.4, 0.6), ("random", 0.2, 0.3), ("thumb", 0.3, 0.6), ("regular", 0.35, 0.6)
        ]  # fmt: skip
        assert [each["log_likelihood"] for each in agreement] == [-1.5, -2.0, None, -1.75]
        assert found == {
            **{"game": "three-tricks", "records": 3, "choices": 1200, "available": 1300},
            **{"fitted": "search:slips=2", "intervals": {"slips": [0.6, 4.4], "habit": [20.0, 61.25]}},
        }


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


def write_records(folder: Path, *records: dict) -> Path:
    name = folder / "records.jsonl"
    name.write_text("".join(json.dumps(record) + "\n" for record in records))
    return name


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

    @pytest.mark.parametrize(
        ("key", "value"), [("people", [2]), ("people", "Ann"), ("stood_in", [-1]), ("stood_in", 3)]
    )
    def test_a_wrong_seat_or_event_is_refused_with_its_place(self, played_games, tmp_path, key, value) -> None:
        with pytest.raises(RecordError, match=f"records.jsonl, line 1: '{key}' are .*, a list of numbers from 0"):
            read_games([str(write_records(tmp_path, {**played_games[0].record, key: value}))], TRICKS)

    def test_a_great_number_of_players_takes_no_memory(self, played_games, tmp_path) -> None:
        file = write_records(tmp_path, {**played_games[0].record, "players": 10**30})
        with pytest.raises(RecordError, match=r"line 1: .* players"):
            read_games([str(file)], TRICKS)

    def test_all_seats_are_peoples_unless_the_record_names_them(self, played_games, tmp_path) -> None:
        record = played_games[0].record
        found, _ = read_games([str(write_records(tmp_path, record, {**record, "people": [1]}))], TRICKS)
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


def made_up_choices(number: int, level: Level) -> list[RecordedChoice]:
    """Return choices of a level among five actions in 20 games; searches and the heuristic never prefer the same."""
    random = np.random.default_rng(5)
    found = []
    for place in range(number):
        best, second, habit = random.permutation(5)[:3]
        values = np.where(np.arange(5) == best, 0.55, 0.5)
        by_search = dict.fromkeys(SEARCHES, (SearchedActions(values, np.isin(np.arange(5), (best, second))),))
        memories = {*MEMORIES, *(each.memory for each in levels_of(GAME_ID).values())}
        by_habit = dict.fromkeys(memories, np.eye(5)[habit])
        choice = RecordedChoice(place % 20, 0, by_habit, np.eye(5)[habit], by_search, np.eye(5)[habit])
        chosen = int(random.choice(5, p=choice.chances(level)))
        found.append(replace(choice, chosen=chosen))
    return found


class TestChoices:
    @pytest.mark.parametrize("game_id", ["trick-walls", "three-tricks"])
    def test_every_level_of_the_game_predicts_a_choice(self, game_id: str) -> None:
        """A game may ship levels with efforts and memories of its own."""
        match = Setup(find_game(game_id), 2).start(1)
        while len(match.moves()) < 2:
            match.act(match.legal()[0])
        choice = choice_of(0, compiled_observation_of(match, new_stream(1)), match.moves()[0])
        assert len(levels_of(game_id)) >= 4
        for level in levels_of(game_id).values():
            assert choice.chances(level).sum() == pytest.approx(1)

    def test_levels_of_one_effort_with_other_settings_do_not_share_their_searches(self, monkeypatch) -> None:
        tree, ply = Level(effort=500, tree=1), Level(effort=500, temperature=0.02)
        monkeypatch.setattr(choices, "levels_of", lambda game_id: {"tree": tree, "ply": ply, "sure": Level(effort=500)})
        searched = []
        monkeypatch.setattr(
            choices, "_search_actions", lambda observation, index_of, level: searched.append(level) or str(level)
        )
        monkeypatch.setattr(choices, "SEARCHED_ACTIONS", 0)
        match = SETUP.start(1)
        choice = choice_of(0, compiled_observation_of(match, new_stream(1)), match.moves()[0])
        assert choice.by_search[search_settings(tree)] != choice.by_search[search_settings(ply)]
        assert len(searched) == 4


class TestAFittedBot:
    def test_the_weights_of_a_mixture_are_the_likeliest(self) -> None:
        parts = np.array([[0.5] * 100, [1.0] * 80 + [0.0] * 20])
        even, habit = mixture_weights(parts, np.ones(100))
        assert (even, habit) == pytest.approx((0.4, 0.6), abs=0.01)  # 0.8 = 0.5 * 0.4 + 0.6

    def test_the_settings_are_those_by_which_the_choices_were_made(self) -> None:
        level = replace(SEARCHES[0], habit=40, slips=20, temperature=0.02)
        bot = FittedBot(GAME_ID, made_up_choices(800, level))
        assert (bot.level.slips, bot.level.habit) == pytest.approx((20, 40), abs=5)
        assert (search_settings(bot.level), bot.level.temperature) == (SEARCHES[0], 0.02)
        low, high = bot.intervals["slips"]
        assert low < 20 < high

    def test_a_search_is_left_out_if_it_explains_nothing(self) -> None:
        bot = FittedBot(GAME_ID, made_up_choices(600, Level(slips=30)))
        assert (bot.level.effort, bot.name.partition(",")[0]) == (0, f"search:slips={bot.level.slips}")

    def test_its_name_is_that_of_a_bot_with_the_same_settings(self) -> None:
        bot = FittedBot(GAME_ID, made_up_choices(100, Level(slips=30)))
        assert parse_level(find_bot(bot.name).id.removeprefix("search:")) == bot.level

    def test_no_game_is_predicted_by_a_bot_that_was_fitted_to_it(self) -> None:
        even = made_up_choices(40, Level(slips=100))
        fitted, random, *_ = FittedBot(GAME_ID, even).agreements
        assert (fitted.bot, random.bot) == ("fitted", "random")
        assert fitted.log_likelihood <= random.log_likelihood + 0.02

    def test_the_choices_of_each_game_are_predicted_by_the_bot_fitted_to_the_other_games(self) -> None:
        """As in records, the choices of a game follow one another, and the games differ and have any numbers."""
        slips, numbers = (100, 0, 0, 10, 0), (0, 3, 5, 10, 15)
        made = [
            replace(each, game=game)
            for game, share in zip(numbers, slips, strict=True)
            for each in made_up_choices(20, Level(slips=share))
        ]
        without = {game: FittedBot(GAME_ID, [each for each in made if each.game != game]).level for game in numbers}
        expected = agreement_of("fitted", made, [without[each.game] for each in made])
        assert FittedBot(GAME_ID, made).agreements[0] == expected
        assert len({level.slips for level in without.values()}) > 1

    def test_an_interval_gets_no_narrower_by_choices_that_repeat_others_of_their_games(self) -> None:
        level = replace(SEARCHES[0], habit=40, slips=20, temperature=0.02)
        once = made_up_choices(60, level)
        intervals = []
        for times in (1, 9):
            bot = FittedBot(GAME_ID, once * times)
            bot.level = level
            intervals.append([bound for name in ("slips", "habit") for bound in bot.intervals[name]])
        assert intervals[1] == pytest.approx(intervals[0])
        assert intervals[0][1] - intervals[0][0] > 5

    def test_an_impossible_choice_has_no_likelihood(self) -> None:
        choices = made_up_choices(50, Level(slips=50))
        found = agreement_of("thumb", choices, [Level()] * 50)
        assert found.log_likelihood is None
        assert found.makes == found.likeliest

    def test_the_command_finds_the_rule_of_thumb_in_its_games(self, file: Path) -> None:
        words = ["fit", "three-tricks", str(file), "--decisions", "20", "--cores", "1", "--json"]
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, result.output
        found = json.loads(result.stdout)
        assert parse_level(found["fitted"].removeprefix("search:")).slips <= 10
        agreement = {each["bot"]: each["likeliest"]["value"] for each in found["agreement"]}
        assert agreement["random"] < 0.3
        assert min(agreement["thumb"], agreement["fitted"]) > 0.7  # the rule of thumb draws among equal actions

    def test_a_single_game_is_too_little(self, played_games, tmp_path) -> None:
        result = CliRunner().invoke(main, ["fit", "three-tricks", str(write_records(tmp_path, played_games[0].record))])
        assert (result.exit_code, "a fit needs choices of people in 2 games" in result.stderr) == (1, True)
