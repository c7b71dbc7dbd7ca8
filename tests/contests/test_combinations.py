"""All combinations of players and options: their list, the smoke match over them, and the test for peeking bots."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from parlour.authors import secrecy_check
from parlour.authors.secrecy_check import PeekingError, PeekingResult, check_decision, check_game, redraw_hidden_cards
from parlour.bots import BOTS, compiled_observation_of
from parlour.bots.protocol import CancelCheck, never
from parlour.cli import main
from parlour.contests import smoke
from parlour.contests.contest import Contest, Job
from parlour.contests.game_results import GameResult
from parlour.contests.setups import every_setup
from parlour.contests.smoke import SmokeMatch, SmokeResult
from parlour.engine.chance import new_stream
from parlour.engine.errors import OptionError
from parlour.engine.game import Game, Option
from parlour.engine.information.determinization import determinize
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.jobs.tasks import HERE, Placement
from tests.laws.walks import GAMES

ROOT = Path(__file__).parents[2]


def deal_of(game: Game) -> Match:
    match, cards = Match(Setup(game, game.usual_players)), StreamRandomness(new_stream(5))
    while match.actor < 0:
        match.apply_chance(match.sample_chance(cards))
    return match


class TestCombinations:
    def test_all_values_of_two_options_are_combined(self) -> None:
        found = [setup.variation for setup in every_setup(find_game("trime-kicker"), None, {})]
        assert found[:6] == [
            "2 players",
            "2 players, judge=leader",
            "2 players, ace=high",
            "2 players, ace=high, judge=leader",
            "2 players, ace=low",
            "2 players, ace=low, judge=leader",
        ]

    def test_numbers_have_their_extremes_one_at_a_time_and_all_together(self) -> None:
        found = [setup.variation for setup in every_setup(find_game("trime-kicker"), None, {"ace": "high"})]
        assert found[2:] == [
            *(f"2 players, ace=high, main_cards={number}" for number in (10, 16, 23)),
            *(f"2 players, ace=high, multiple={number}" for number in (2, 14)),
            *(f"2 players, ace=high, reach={number}" for number in (0, 2, 3, 4, 5, 6)),
            *(f"2 players, ace=high, pile_points={number}" for number in (1, 20)),
            *(f"2 players, ace=high, bonus_points={number}" for number in (0, 20)),
            "2 players, ace=high, main_cards=10, multiple=2, reach=0, pile_points=1, bonus_points=0",
            "2 players, ace=high, main_cards=23, multiple=14, reach=6, pile_points=20, bonus_points=20",
        ]

    def test_an_option_of_texts_has_the_values_that_it_names_for_trials(self) -> None:
        game = find_game("trime-kicker")
        teams = Option("teams", ("none", "pairs"), "none", "X-1", "teams", pattern="[AB]+", tried=("pairs", "ABAB"))
        found = every_setup(replace(game, options=(teams,)), None, {})
        assert [setup.options["teams"] for setup in found] == ["none", "pairs", "ABAB"]

    def test_options_for_other_numbers_of_players_are_left_out(self) -> None:
        found = every_setup(find_game("tricky-tribes"), None, {})
        assert {setup.players for setup in found if setup.options["teams"] == "trios"} == {6}

    def test_fixed_options_stay_fixed(self) -> None:
        found = every_setup(find_game("tricky-tribes"), 4, {"jokers": 2, "rounds": 1})
        assert {(setup.players, setup.options["jokers"], setup.options["rounds"]) for setup in found} == {(4, 2, 1)}
        found = every_setup(find_game("trick-walls"), 4, {"kill_balance": True})
        assert {setup.options["kill_balance"] for setup in found} == {True}

    def test_impossible_options_are_refused(self) -> None:
        with pytest.raises(OptionError, match="has no option 'jokes'"):
            every_setup(find_game("tricky-tribes"), None, {"jokes": 2})
        with pytest.raises(OptionError, match="is not for 4 players"):
            every_setup(find_game("tricky-tribes"), 4, {"teams": "trios"})


class TestPublishedTables:
    @pytest.mark.parametrize("section", ["Every combination of options", "Tests for peeking"])
    def test_are_of_all_combinations_of_their_games(self, section: str) -> None:
        text = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8").partition(f"### {section}\n")[2]
        rows = [line.split(" | ") for line in text.partition("\n### ")[0].splitlines() if line.startswith("| ")]
        published = {row[0].removeprefix("| "): row[1] for row in rows if row[1].isdecimal()}
        assert len(published) >= 3
        games = {game.title: game for game in all_games()}
        assert published == {title: str(len(every_setup(games[title], None, {}))) for title in published}


class TestSmoke:
    def test_rows_are_means_over_the_deals_of_their_combinations(self) -> None:
        game = find_game("trime-kicker")
        around, high = Setup(game, 2), Setup(game, 2, {"ace": "high"})
        match = SmokeMatch((around, high), "thumb", "random", 2, 0)
        standing = SmokeResult(match, [(around, [0.5, 0.5]), (high, [0.0, 0.2])])
        rows = {name: (number, round(mean.value, 9)) for name, (number, mean) in standing.rows().items()}
        assert rows == {
            "all": (2, 0.3),
            "2 players": (2, 0.3),
            "ace=around": (1, 0.5),
            "ace=high": (1, 0.1),
        }
        assert standing.worst() == ("2 players, ace=high", 0.1)

    def test_numbers_of_players_ascend_in_whatever_order_they_were_played(self) -> None:
        game = find_game("trick-walls")
        setups = [Setup(game, players) for players in (4, 2, 3, 2)]
        result = SmokeResult(SmokeMatch(tuple(setups), "thumb", "random", 1, 0), [(each, [0.1]) for each in setups])
        assert [(name, number) for name, (number, _) in result.rows().items()] == [
            ("all", 4), ("2 players", 2), ("3 players", 1), ("4 players", 1)
        ]  # fmt: skip

    def test_intervals_are_of_possible_values_and_only_numbers_have_a_minus(self) -> None:
        game = replace(find_game("trime-kicker"), id="my-kicker", variation_of="trime-kicker")
        around, high = Setup(game, 2), Setup(game, 2, {"ace": "high"})
        smoke_match = SmokeMatch((around, high), "thumb", "random", 1, 0)
        lines = SmokeResult(smoke_match, [(around, [0.5]), (high, [-0.25])]).text().splitlines()
        assert lines[-1] == "  worst: 2 players, rules=my-kicker, ace=high: −25.0"
        assert [line.split()[-4:] for line in lines if "ace=high  " in line] == [["−25.0", "(−50.0", "to", "+50.0)"]]

    @pytest.mark.parametrize(
        ("played", "games", "text"),
        [(1, 1, "1 combination, 1 game"), (2, 1200, "2 combinations, 1,200 games")],
    )
    def test_the_heading_has_what_was_played(self, played: int, games: int, text: str) -> None:
        setup = Setup(find_game("trime-kicker"), 2)
        result = SmokeResult(SmokeMatch((setup,), "thumb", "random", 1, 0), [(setup, [0.5])] * played, games)
        assert result.text().splitlines()[0] == f"thumb against random: Trime Kicker, {text}, seats turned"

    def test_the_limit_of_a_decision_is_that_of_the_command(self, monkeypatch: pytest.MonkeyPatch) -> None:
        limits: list[float] = []
        monkeypatch.setattr(smoke, "measure", lambda result, *rest: limits.append(result.smoke.contest(0).move_time))
        CliRunner().invoke(main, ["smoke", "thumb", "random", "trime-kicker", "--move-time", "2.5"])
        assert limits == [2.5]

    def test_no_two_combinations_have_the_same_deals_and_each_has_all_of_its_seats(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        jobs = list[Job]()

        def play(job: Job, stopped: CancelCheck) -> GameResult:
            jobs.append(job)
            return GameResult(job.seating, (1, 0), (0,), (1, 1), (0.0, 0.0))

        monkeypatch.setattr(Contest, "open", lambda contest: play)
        game = find_game("trime-kicker")
        setups = tuple(Setup(game, 2, options) for options in ({}, {"ace": "high"}, {"ace": "low"}))
        open_smoke = SmokeMatch(setups, "thumb", "random", 4, 0).open()
        tallies = [open_smoke(combination, never) for combination in range(len(setups))]
        assert [(tally.deals, tally.games) for tally in tallies] == [(4, 8)] * 3
        assert Counter(job.deal for job in jobs) == dict.fromkeys(range(12), 2)
        assert Counter(job.seating for job in jobs) == {(0, 1): 12, (1, 0): 12}

    def test_the_command_plays_every_combination_with_the_seats_turned(self) -> None:
        arguments = ["smoke", "thumb", "random", "trime-kicker", "--deals", "3", "--cores", "1", "--json"]
        report = json.loads(CliRunner().invoke(main, arguments).stdout)
        assert (report["combinations"], report["games"]) == (23, 138)
        assert report["rows"]["all"]["above"]["low"] > 0.2


@pytest.mark.slow
class TestPeeking:
    @pytest.mark.parametrize("game_id", GAMES)
    def test_no_bot_of_parlour_does(self, game_id: str) -> None:
        setups = every_setup(GAMES[game_id], None, {})
        some = list(islice(setups, 0, None, max(1, len(setups) // 3)))
        assert sum(check_game(each, 2 * number) for number, each in enumerate(some)) >= len(some)

    def test_a_twin_has_the_same_observation_with_other_hidden_cards(self, monkeypatch: pytest.MonkeyPatch) -> None:
        match, laid = deal_of(find_game("trick-walls")), []
        monkeypatch.setattr(
            secrecy_check, "determinize", lambda *arguments: laid.append(determinize(*arguments)) or laid[-1]
        )
        ours, twin = compiled_observation_of(match, new_stream(1)), redraw_hidden_cards(match, 1)
        assert laid[0].tobytes() != match.state.tobytes()
        assert (ours.state.tobytes(), ours.moves.tolist()) == (twin.state.tobytes(), twin.moves.tolist())

    def test_a_peeking_bot_is_detected(self, monkeypatch: pytest.MonkeyPatch) -> None:
        match = deal_of(find_game("trick-walls"))
        monkeypatch.setattr(secrecy_check, "redraw_hidden_cards", lambda match, seed: "another hand")
        monkeypatch.setattr(
            secrecy_check, "findings", lambda observation, seed: {"cheat": observation == "another hand"}
        )
        with pytest.raises(PeekingError, match="cheat differs where only hidden cards do"):
            check_decision(match, 1)

    def test_the_result_counts_the_decisions_of_each_combination_played(self, monkeypatch: pytest.MonkeyPatch) -> None:
        setups = every_setup(find_game("trime-kicker"), None, {})[:4]
        found = iter([3, 1, 5, 2, 9])

        def do_jobs(work: Any, jobs: Iterator[tuple[int, int]], where: Placement) -> Iterator[tuple[Any, int]]:
            yield from (((combination, 0), next(found)) for combination in (2, 0, 2, 0, 1))

        monkeypatch.setattr(secrecy_check, "do_jobs", do_jobs)
        result, done = PeekingResult(setups), list[int]()
        secrecy_check.measure(result, 11, 0, HERE, done.append)
        assert done == [3, 1, 5, 2], "no further game is needed"
        assert result.to_json()["decisions"] == 11
        assert result.checked == {setups[2].variation: 8, setups[0].variation: 3}
        assert "Trime Kicker: 11 decisions, 2 combinations of players and options. No bot" in result.text()

    def test_every_bot_without_a_search_is_tested_directly(self) -> None:
        assert {bot.id for bot in BOTS.values() if not bot.searches} == set(secrecy_check.QUICK)
