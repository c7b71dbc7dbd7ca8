"""Solved ends by number: their values, best responses to policies, and lists of them."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

import parlour
from parlour import ParlourError
from parlour.cli import main
from parlour.endgames import ends_list
from parlour.endgames.ends import NODES
from parlour.endgames.exact import MeasuredPosition
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.jobs.tasks import HERE

pytestmark = pytest.mark.slow  # compiles

SETUP = parlour.make("trime-kicker")


@pytest.fixture(scope="module")
def end():
    return parlour.endgame(SETUP, number=7, nodes=2000)


def uniform_policy(seen):
    return np.full(len(seen.legal), 1 / len(seen.legal))


class TestAnEnd:
    def test_its_decisions_are_observations_of_the_seat_to_act(self, end):
        for seat in range(2):
            for seen in end.decisions(seat):
                assert (seen.seat, seen.actor) == (seat, seat)
                assert len(seen.legal) > 1

    def test_nothing_is_gained_against_an_equilibrium(self, end):
        strategies = {
            (seat, json.dumps(seen.to_json())): chances
            for seat in range(2)
            for seen, chances in zip(end.decisions(seat), end.equilibrium(seat), strict=True)
        }
        response = end.best_response(lambda seen: strategies[seen.seat, json.dumps(seen.to_json())])
        assert response.exploitability == pytest.approx(0, abs=0.02)  # equal observations may have different pasts

    def test_a_policy_is_a_function_a_bot_or_a_name(self, end):
        class First:
            def choose(self, observation):
                return observation.legal[0]

        by_text = end.best_response(lambda seen: dict.fromkeys(seen.legal, 1 / len(seen.legal)))
        by_order, by_name = end.best_response(uniform_policy), end.best_response("random")
        assert by_text.exploitability == pytest.approx(by_order.exploitability)
        assert by_name.exploitability == pytest.approx(by_order.exploitability)
        assert by_order.exploitability > by_order.loss - 1e-6
        assert end.best_response(parlour.bot("random")).exploitability == pytest.approx(by_order.exploitability)
        assert end.best_response(First()).exploitability > -1e-6

    def test_the_exploitability_is_the_gain_of_best_responses_over_the_value(self, end):
        response = end.best_response(uniform_policy)
        gains = response.values[0] - end.value, response.values[1] - (1 - end.value)
        assert response.exploitability == pytest.approx(sum(gains) / 2)
        assert parlour.best_response(SETUP, uniform_policy, number=7, nodes=2000) == response


class TestExact:
    def test_it_measures_bots_with_intervals(self):
        result = parlour.exact(SETUP, ["random"], positions=2, samples=1, nodes=2000)
        loss, exploitability = result.estimates("random")
        assert loss.value <= exploitability.value
        assert all(each.low < each.value < each.high for each in (loss, exploitability))


class TestRefusals:
    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: parlour.endgame(SETUP, 0, nodes=100), "no end of game 0 is within 100 nodes and decided by play"),
            (lambda: parlour.endgame("trime-kicker", 0), "a setup is required, from parlour.make"),
            (lambda: parlour.endgame(SETUP, -1), "the number of a game must be 0 at least, not -1"),
            (lambda: parlour.endgame(parlour.make("trick-walls"), 0), "exact values exist for two players, not for 4"),
            (
                lambda: parlour.exact(parlour.make("trick-walls"), ["thumb"]),
                "exact values exist for two players, not for 4",
            ),
            (lambda: parlour.exact(SETUP, ["genius"]), "there is no bot 'genius'"),
            (lambda: parlour.exact(SETUP, ["random"], samples=0), "samples must be 1 at least, not 0"),
            (lambda: parlour.exact(SETUP, ["random"], nodes=None), "nodes must be a whole number, not None"),
            (lambda: parlour.best_response(SETUP, "random", 7, nodes=2000, samples=0), "samples must be 1 at least"),
        ],
    )
    def test_impossible_arguments_are_refused(self, call, message):
        with pytest.raises(ParlourError, match=re.escape(message)):
            call()

    @pytest.mark.parametrize(
        "policy",
        [
            lambda seen: [1.0],
            lambda seen: {"x": 1.0},
            lambda seen: {seen.legal[0]: 1.0, "x": 0.0},
            lambda seen: {seen.legal[0]: 1.0, "x": 1.0},
            lambda seen: {seen.legal[0]: 0.5},
            lambda seen: {seen.legal[0]: 1.5, seen.legal[1]: -0.5},
            lambda seen: np.ones(len(seen.legal)),
            lambda seen: np.full(len(seen.legal), np.nan),
            lambda seen: "abc",
            7,
        ],
    )
    def test_a_policy_without_probabilities_is_refused(self, end, policy):
        with pytest.raises(
            ParlourError, match=r"which are no probabilities of|not a probability for each|a policy is a bot's id"
        ):
            end.best_response(policy)

    def test_another_seat_is_refused(self, end):
        with pytest.raises(ParlourError, match="the seats of an end are 0 and 1, not 2"):
            end.decisions(2)


class TestTheList:
    def test_it_has_the_number_size_and_value_of_each_end(self, end):
        command = ["ends", "trime-kicker", "--games", "9", "--nodes", "2000", "--cores", "1"]
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 0, done.output
        row = next(line.split() for line in done.stdout.splitlines() if line.split()[0] == "7")
        assert float(row[5]) == pytest.approx(end.value, abs=1e-6)
        listed = json.loads(CliRunner().invoke(main, [*command, "--json"]).stdout)
        assert listed["games"] == 9
        assert 7 in [each["number"] for each in listed["ends"]]

    def test_a_game_for_more_players_is_refused_for_its_usual_number(self, monkeypatch):
        wider = SimpleNamespace(players=range(3, 5))
        monkeypatch.setattr("parlour.games.find_game", lambda game_id: wider)
        monkeypatch.setattr(
            "parlour.cli.contest_commands.setup_of", lambda *arguments: seen.append(arguments[1]) or SETUP
        )
        monkeypatch.setattr("parlour.cli.contest_commands.run_study", lambda *arguments: None)
        seen = []
        for players in (range(3, 5), range(2, 5)):
            wider.players = players
            assert CliRunner().invoke(main, ["ends", "trick-walls"]).exit_code == 0
        assert seen == [None, 2]

    def test_text_and_json_have_the_same_figures_in_their_columns(self):
        listed = ends_list.EndsList(SETUP, 3, 20_000)
        sizes = {"number": 7, "events": 41, "worlds": 1234, "nodes": 19_999}
        listed.games = 12
        listed.ends = [MeasuredPosition(**sizes, ends=5, sets=(600, 405), value=0.25, gap=2e-12, distances=())]
        head, titles, row = listed.text().splitlines()
        assert head.endswith(": 1 end of at most 20,000 nodes, decided by play, in 12 games of seed 3")
        shown = dict(zip(titles.split(), row.split(), strict=True))
        assert shown == {
            "number": "7", "events": "41", "worlds": "1,234", "nodes": "19,999", "sets": "1,005", "value": "0.250000",
            "gap": "2e-12",
        }  # fmt: skip
        assert len(titles) == len(row)
        assert listed.to_json() == {
            **SETUP.to_json(), "seed": 3, "nodes": 20_000, "games": 12,
            "ends": [{**sizes, "sets": [600, 405], "value": 0.25, "gap": 2e-12}],
        }  # fmt: skip

    @pytest.mark.parametrize("searches", [(7,), (3, 7), (7, 7), (2, 4, 7), (7, 5)])
    def test_it_has_each_game_once_however_often_it_is_continued(self, searches, monkeypatch):
        def do_jobs(work, jobs, where):
            for number in jobs:
                yield number, SimpleNamespace(number=number) if number % 2 else None

        monkeypatch.setattr(ends_list, "do_jobs", do_jobs)
        listed = ends_list.EndsList(SETUP, 0, 2000)
        for games in searches:
            listed.search(games, HERE)
        assert (listed.games, [end.number for end in listed.ends]) == (7, [1, 3, 5])

    def test_its_help_has_the_default_size_of_an_end_that_is_loaded(self):
        shown = CliRunner().invoke(main, ["ends", "--help"]).stdout
        assert f"default of {NODES:,} nodes" in " ".join(shown.split())

    def test_there_is_no_list_for_more_players(self):
        done = CliRunner().invoke(main, ["ends", "trick-walls", "-p", "3"])
        assert (done.exit_code, "exact values exist for two players, not for 3" in done.output) == (1, True)


LISTED = re.compile(
    r"^\|(?P<of>[^|]*)\| (?P<number>\d+) \| (?P<sizes>[\d,]+ \| [\d,]+ \| [\d,]+) \| (?P<value>[\d.]+) \|$"
)


def listed_ends():
    """Return the rows of the paper's list of ends: setup, number, worlds, nodes and sets, and value."""
    rows, setup = [], None
    for line in (Path(__file__).parents[2] / "docs" / "baselines.md").read_text().splitlines():
        if row := LISTED.match(line):
            if title := row["of"].strip():
                name, _, options = title.partition(":")
                named = dict(each.split("=") for each in re.findall(r"`(.*?)`", options))
                setup = (
                    find_game(name.lower().replace(" ", "-")),
                    {key: json.loads(each) for key, each in named.items()},
                )
            sizes = tuple(int(each.replace(",", "")) for each in row["sizes"].split(" | "))
            rows.append((Setup(setup[0], 2, setup[1]), int(row["number"]), sizes, float(row["value"])))
    return rows


SMALLEST = {row[0].game.id: row for row in sorted(listed_ends(), key=lambda row: -row[2][1])}
LIMITS = {"trime-kicker": 2000, "trick-walls": 200_000, "tricky-tribes": 20_000, "castle-walls": 20_000}


@pytest.mark.parametrize("game", LIMITS)
def test_the_smallest_listed_end_of_a_game_has_the_listed_sizes_and_value(game):
    setup, number, sizes, value = SMALLEST[game]
    end = parlour.endgame(setup, number, nodes=LIMITS[game])
    assert (end.worlds, end.nodes, sum(len(end.decisions(seat)) for seat in range(2))) == sizes
    assert end.value == pytest.approx(value, abs=1e-6)
