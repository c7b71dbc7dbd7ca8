"""A bot fitted to choices in records, and its agreement with choices that it was not fitted to."""

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from parlour.bots import compiled_observation_of, find_bot
from parlour.bots.heuristic_chances import heuristic_chances
from parlour.bots.levels import Level, parse_level
from parlour.bots.policies import choose_by_heuristic, choose_forgetfully
from parlour.cli import main
from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.statistics import Estimate
from parlour.studies.people import choices
from parlour.studies.people.choices import (
    MEMORIES,
    RecordedChoice,
    SearchedActions,
    choice_of,
    levels_of,
    search_settings,
)
from parlour.studies.people.fit_result import BotFit, _line, _verdict
from parlour.studies.people.fitting import (
    Agreement,
    ChoiceParts,
    FittedBot,
    Predictions,
    _candidates,
    agreement_of,
    mixture_weights,
    predictions_of,
)
from tests.studies.recorded import GAME_ID, SEARCHES, SETUP, TRICKS, play_games, write_records


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    """Return six games of the rule of thumb against random play, with the rule of thumb in the part of a person."""
    return [{**game.record, "people": [0]} for game in play_games()]


class TestTheVerdict:
    @pytest.mark.parametrize(
        ("gain", "compared", "points"),
        [
            (Estimate(0.05, 0.01, 0.09), "more often than", "5.0 points, 1.0 to 9.0"),
            (Estimate(-0.05, -0.09, -0.01), "less often than", "−5.0 points, −9.0 to −1.0"),
            (Estimate(-0.0051, -0.049, 0.039), "about as often as", "−0.5 points, −4.9 to 3.9"),
            (Estimate(-0.0001, -0.0002, 0.0), "about as often as", "0.0 points, 0.0 to 0.0"),
        ],
    )
    def test_compares_the_fitted_bot_with_the_best_of_the_others_by_the_interval_of_their_difference(
        self, gain: Estimate, compared: str, points: str
    ) -> None:
        best = Agreement("thumb", Estimate(0, 0, 0), Estimate(0.6, 0, 1), None, gain)
        sentence = (
            f"Its likeliest action is the recorded one {compared} that of thumb, the best of the others ({points})."
        )
        assert _verdict(best) == sentence

    @pytest.mark.parametrize(("likelihood", "text"), [(None, "−∞"), (-1.2345, "−1.234"), (0.0, "0.000")])
    def test_follows_a_row_for_each_bot(self, likelihood: float | None, text: str) -> None:
        agreement = Agreement("thumb", Estimate(0.5, 0.4, 0.61), Estimate(0.7, 0.6, 0.8), likelihood)
        row = re.split(" {2,}", _line(agreement, 8).strip())
        assert row == ["thumb", "50.0 (40.0 to 61.0)", "70.0 (60.0 to 80.0)", text]


class TestAFit:
    AGREEMENTS = (
        Agreement("fitted", Estimate(0.4, 0.3, 0.5), Estimate(0.52, 0.4, 0.6), -1.5),
        Agreement("random", Estimate(0.2, 0.1, 0.3), Estimate(0.25, 0.2, 0.3), -2.0, Estimate(0.27, 0.2, 0.3)),
        Agreement("thumb", Estimate(0.3, 0.2, 0.4), Estimate(0.55, 0.5, 0.6), None, Estimate(-0.03, -0.05, -0.01)),
        Agreement("regular", Estimate(0.35, 0.2, 0.4), Estimate(0.5, 0.4, 0.6), -1.75, Estimate(0.02, -0.1, 0.1)),
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
            [
                "Its likeliest action is the recorded one less often than that of thumb, the best of the others "
                "(−3.0 points, −5.0 to −1.0)."
            ],
        ]

    def test_the_json_has_the_same_numbers(self, fit: Any) -> None:
        found = fit.to_json()
        agreement = found.pop("agreement")
        assert [(each["bot"], each["makes"]["value"], each["likeliest"]["high"]) for each in agreement] == [
            ("fitted", 0.4, 0.6), ("random", 0.2, 0.3), ("thumb", 0.3, 0.6), ("regular", 0.35, 0.6)
        ]  # fmt: skip
        assert [each["log_likelihood"] for each in agreement] == [-1.5, -2.0, None, -1.75]
        gains = [each.get("fitted_gain") for each in agreement]
        assert gains[:1] + gains[2:3] == [None, {"value": -0.03, "low": -0.05, "high": -0.01}]
        assert found == {
            **{"game": "three-tricks", "records": 3, "choices": 1200, "available": 1300},
            **{"fitted": "search:slips=2", "intervals": {"slips": [0.6, 4.4], "habit": [20.0, 61.25]}},
        }


def tied(match: Match) -> int:
    """Return the number of actions that the heuristic values most."""
    return int(np.count_nonzero(heuristic_chances(compiled_observation_of(match, new_stream(1)))))


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

    @pytest.mark.parametrize("memory", MEMORIES)
    def test_no_choice_of_the_heuristic_is_impossible_by_habit(self, memory: int) -> None:
        """The heuristic draws among equal actions, of which some are seldom chosen."""
        match = SETUP.start(4)
        while tied(match) < 10:
            match.act(match.notation(choose_by_heuristic(compiled_observation_of(match, new_stream(1)))))
        observation = compiled_observation_of(match, new_stream(2))
        choice = choice_of(0, observation, match.moves()[0])
        drawn = {choose_forgetfully(observation, memory) for _ in range(500)}
        assert len(drawn) >= 10
        assert all(choice.by_habit[memory][match.moves().index(move)] > 0 for move in drawn)
        assert choice.by_habit[memory].sum() == pytest.approx(1)
        assert choice.by_policy.tolist() == choice.by_habit[100].tolist(), "the game has no policy"

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

    def test_choices_that_are_left_out_change_no_fit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The last choice is a slip; without it the weight of slips vanishes, while that of habit falls slowly."""
        even, habit, search = [0.001] * 201, [0.57] * 200 + [0], [0.6] * 200 + [0]
        monkeypatch.setattr(
            ChoiceParts, "of", lambda parts, level: np.array([even, habit, search] if level.effort else [even, habit])
        )
        with np.errstate(divide="raise", invalid="raise"):
            level = ChoiceParts(GAME_ID, []).fit(np.arange(201) < 200)
        assert (level.effort, level.habit, level.slips) == (SEARCHES[0].effort, 0, 1)

    @pytest.mark.parametrize("level", [Level(), replace(SEARCHES[0], habit=0), replace(SEARCHES[0], habit=100)])
    def test_an_interval_contains_the_share_and_allows_for_what_was_not_observed(self, level: Level) -> None:
        bot = FittedBot(GAME_ID, made_up_choices(200, level))
        shares = {"slips": bot.level.slips, **({"habit": bot.level.habit} if bot.level.effort else {})}
        assert list(bot.intervals) == list(shares)
        for name, value in shares.items():
            low, high = bot.intervals[name]
            assert low <= value <= high
            assert 10 < high - low < 30, "a share of 20 games, all alike, has a bound of 17"

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
        expected = agreement_of("fitted", predictions_of(made, [without[each.game] for each in made]))
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

    def test_the_others_are_compared_choice_by_choice_and_all_at_once(self) -> None:
        fitted, *others = FittedBot(GAME_ID, made_up_choices(100, replace(SEARCHES[0], habit=50))).agreements
        assert fitted.fitted_gain is None
        for other in others:
            assert other.fitted_gain.value == pytest.approx(fitted.likeliest.value - other.likeliest.value)
        games, hits = np.repeat(np.arange(20), 5), (np.arange(100) ** 2 % 31 < 18).astype(float)
        one, other = Predictions(games, hits, hits), Predictions(games, hits, np.where(np.arange(100) % 7, hits, 0.0))
        paired, at_once = (one.gain_over(other, confidence) for confidence in (0.95, 0.99))
        assert 0 < at_once.low < paired.low < paired.value < paired.high < at_once.high
        alone = [agreement_of("", each).likeliest for each in (one, other)]
        assert alone[1].high > alone[0].low, "the intervals of the shares overlap"

    def test_a_choice_among_actions_that_are_equally_likely_counts_in_part(self) -> None:
        choices = made_up_choices(60, Level(slips=100))
        found = predictions_of(choices, [Level(slips=100)] * 60)
        assert found.likeliest == pytest.approx([1 / 5] * 60)
        assert found.made == pytest.approx([1 / 5] * 60)

    def test_a_learned_policy_forgets_nothing(self) -> None:
        searches = (Level(effort=9), Level(effort=9, learned=100))
        memories = {learned: set[int]() for learned in (0, 100)}
        for level in _candidates(searches):
            memories[level.learned].add(level.memory)
        assert memories == {0: set(MEMORIES), 100: {100}}

    def test_an_impossible_choice_has_no_likelihood(self) -> None:
        choices = made_up_choices(50, Level(slips=50))
        found = agreement_of("thumb", predictions_of(choices, [Level()] * 50))
        assert found.log_likelihood is None
        assert found.makes == found.likeliest

    def test_the_command_finds_the_rule_of_thumb_in_its_games(self, records: list[dict], tmp_path: Path) -> None:
        file = write_records(tmp_path, *records)
        words = ["fit", "three-tricks", str(file), "--decisions", "20", "--cores", "1", "--json"]
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, result.output
        found = json.loads(result.stdout)
        assert parse_level(found["fitted"].removeprefix("search:")).slips <= 10
        agreement = {each["bot"]: each["likeliest"]["value"] for each in found["agreement"]}
        assert agreement["random"] < 0.3
        assert min(agreement["thumb"], agreement["fitted"]) > 0.7  # the rule of thumb draws among equal actions

    def test_a_single_game_is_too_little(self, records: list[dict], tmp_path: Path) -> None:
        result = CliRunner().invoke(main, ["fit", "three-tricks", str(write_records(tmp_path, records[0]))])
        assert (result.exit_code, "a fit needs choices of people in 2 games" in result.stderr) == (1, True)
