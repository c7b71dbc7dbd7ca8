"""Contests from Python: the results of the commands, as objects with intervals."""

import json
import re
import sys
from types import ModuleType

import pytest
from click.testing import CliRunner
from examples.high_cards import HighCards

import parlour
from parlour import ParlourError
from parlour.cli import main
from parlour.contests.baselines import Baselines
from parlour.jobs.tasks import Placement
from tests.helpers import remove_times

pytestmark = pytest.mark.slow  # compiles

SETUP = parlour.make("trime-kicker")


class Collection:
    class Highest(HighCards):
        """A bot inside another class."""


def run_command(*arguments):
    return json.loads(CliRunner().invoke(main, [*arguments, "--json", "--cores", "1"]).stdout)


class TestMatch:
    def test_it_is_the_match_of_the_command(self):
        result = parlour.match(SETUP, "thumb", "random", deals=6, seed=3)
        values = run_command("match", "thumb", "random", "trime-kicker", "--deals", "6", "--seed", "3")
        assert remove_times(result.to_json()) == remove_times(values)
        assert result.wins.to_json() == values["win_share"]
        assert result.wins.low < result.wins.value <= result.wins.high
        assert str(result) == result.text()

    def test_a_class_of_ones_own_plays_by_its_name(self):
        setup = parlour.make("trick-walls", players=2, rounds=1)
        result = parlour.match(setup, HighCards, "random", deals=2)
        assert result.tally.contest.bots == ("examples.high_cards:HighCards", "random")

    def test_a_class_inside_another_plays_by_its_dotted_name(self):
        result = parlour.match(SETUP, Collection.Highest, "random", deals=2)
        assert result.tally.contest.bots == (f"{__name__}:Collection.Highest", "random")

    def test_it_stops_once_a_test_is_decided(self):
        result = parlour.match(SETUP, "thumb", "random", deals=400, sprt=(0, 20))
        assert result.test.decision == "better"
        assert result.tally.deals < 400

    def test_it_goes_on_from_its_file(self, tmp_path):
        file, played = str(tmp_path / "results.jsonl"), []
        parlour.match(SETUP, "thumb", "random", deals=3, out=file)
        result = parlour.match(SETUP, "thumb", "random", deals=5, out=file, progress=played.append)
        assert (result.tally.deals, round(sum(played))) == (5, 2)


class TestLadder:
    def test_the_bots_are_rated_with_intervals(self):
        result = parlour.ladder(SETUP, ["random", "thumb"], deals=6)
        assert [result.tally.contest.bots[rung.bot] for rung in result.rungs()] == ["thumb", "random"]
        assert all(rung.rating.low <= rung.rating.value <= rung.rating.high for rung in result.rungs())
        assert str(result) == result.text()


class TestStudy:
    def test_variations_are_compared(self):
        setups = [SETUP, parlour.make("trime-kicker", ace="high")]
        findings = parlour.study(setups, ["random", "thumb"], deals=2, evaluated_deals=0, traced_deals=0)
        assert findings.deals == 2
        assert len(findings.to_json()["variations"]) == 2


def fails(message):
    return pytest.raises(ParlourError, match=re.escape(message))


class TestRefusals:
    def test_wrong_arguments_are_refused_in_a_sentence(self):
        class Inner:
            def choose(self, observation):
                return observation.legal[0]

        with fails("a setup is required, from parlour.make, not 'trime-kicker'"):
            parlour.match("trime-kicker", "thumb", "random")
        with fails("there is no bot 'genius'"):
            parlour.match(SETUP, "genius", "random")
        for bot in (HighCards(), Inner, 7):
            with fails("a contest makes a new bot for each game: give its name or its class, not "):
                parlour.match(SETUP, bot, "random")
        for seed, message in (("3", "a whole number"), (-1, "0 at least"), (2**63, "4611686018427387904 at most")):
            with fails(f"a seed must be {message}, not "):
                parlour.match(SETUP, "thumb", "random", seed=seed)
        with fails("the number of deals must be 2 at least, not 1"):
            parlour.ladder(SETUP, ["thumb", "random"], deals=1)
        with fails("a ladder needs at least two bots"):
            parlour.ladder(SETUP, "thumb")
        with fails("sprt_by is 'wins' or 'points', not 'games'"):
            parlour.match(SETUP, "thumb", "random", sprt=(0, 1), sprt_by="games")
        with fails("the lower bound of the test, 2, must be less than the upper, 1"):
            parlour.match(SETUP, "thumb", "random", sprt=(2, 1))
        for measure, farthest, nearest in (("points", "1,000,000", 1e6), ("wins", "100", 100)):
            for bounds in ((0, float("inf")), (-1e300, 0), (0, nearest + 1), (-nearest - 1, 0)):
                with fails(f"the bounds of the test of {measure} are from −{farthest} to {farthest}"):
                    parlour.match(SETUP, "thumb", "random", sprt=bounds, sprt_by=measure)
        for bounds in ((1,), "ab", 5):
            with fails("sprt is a lower and an upper bound, not "):
                parlour.match(SETUP, "thumb", "random", sprt=bounds)
        with fails("until is a text such as 'wins within 2', not 5"):
            parlour.match(SETUP, "thumb", "random", until=5)
        with fails("a place of execution is a text, not 5"):
            parlour.match(SETUP, "thumb", "random", on=5)

    @pytest.mark.parametrize("file", [None, "<stdin>"])
    def test_a_class_of_a_notebook_plays_in_this_process_only(self, file, monkeypatch):
        notebook = ModuleType("__main__")
        notebook.__file__ = file
        notebook.Mine = type("Mine", (HighCards,), {"__module__": "__main__", "version": "1"})
        monkeypatch.setitem(sys.modules, "__main__", notebook)
        assert parlour.match(SETUP, notebook.Mine, "random", deals=2).tally.deals == 2
        for where in ({"cores": 2}, {"cores": None}, {"on": "ray"}):
            with fails("other processes cannot find the bot '__main__:Mine': put its class in a module, or play with"):
                parlour.match(SETUP, notebook.Mine, "random", deals=2, **where)
        with fails("the bot '__main__:Mine' has no file with its source"):
            del notebook.Mine.version
            parlour.match(SETUP, notebook.Mine, "random", deals=2)

    def test_a_file_that_the_process_has_open_is_no_file_of_results(self):
        with pytest.raises(TypeError, match="not int"):
            parlour.match(SETUP, "thumb", "random", deals=2, out=1)
        with fails("a place of execution is ray"):
            parlour.match(SETUP, "thumb", "random", on="mars")
        with fails("the number of cores must be 1 at least, not 0"):
            parlour.match(SETUP, "thumb", "random", cores=0)
        with fails("setups of one game are required"):
            parlour.study(["trime-kicker"], deals=2)
        with fails("setups of one game are required"):
            parlour.study([SETUP, parlour.make("castle-walls")], deals=2)


class TestBots:
    def test_a_bot_of_the_house_chooses_from_an_observation(self):
        seen = SETUP.start(seed=3).observation()
        for name in ("random", "thumb", "beginner", "search:effort=200"):
            bot = parlour.bot(name, seed=2)
            assert bot.choose(seen) in seen.legal
            chances = bot.chances(seen)
            assert sorted(chances) == sorted(seen.legal)
            assert sum(chances.values()) == pytest.approx(1)
        assert parlour.bot("random", 4).choose(seen) == parlour.bot("random", 4).choose(seen)

    def test_it_plays_as_by_its_name_and_in_play_outs(self):
        match = parlour.play(SETUP, ["thumb", parlour.bot("thumb")], seed=1)
        assert match.over
        games = SETUP.start(seed=3).observation().determinize(2, 1)
        games.play_out(parlour.bot("thumb"))
        assert games.over.all()

    def test_it_needs_the_observation_of_the_seat_to_act(self):
        match = SETUP.start(seed=3)
        with fails("a bot chooses from the observation of the seat to act"):
            parlour.bot("thumb").choose(match.observation(1 - match.actor))
        with fails("there is no bot 'genius'"):
            parlour.bot("genius")


class TestBaselines:
    def test_every_bot_plays_against_random_and_thumb(self, tmp_path):
        command = ["baselines", "trime-kicker", "--bots", "random,thumb,beginner", "-n", "2", "--cores", "1"]
        done = CliRunner().invoke(main, [*command, "--out", str(tmp_path)])
        assert done.exit_code == 0, done.output
        rows = [line for line in done.stdout.splitlines() if line.startswith("| ")]
        assert [row.split(" | ")[0] for row in rows] == ["| bot", "| random", "| thumb", "| beginner"]
        assert len(list(tmp_path.iterdir())) == 4
        again = CliRunner().invoke(main, [*command, "--out", str(tmp_path)])
        without_times = [re.sub(r"[^|]*s \|$", "", row) for row in rows]
        assert [re.sub(r"[^|]*s \|$", "", row) for row in again.stdout.splitlines() if row[:2] == "| "] == without_times

    @pytest.mark.parametrize("kept", [0, 2, 4, 6])
    def test_the_progress_is_that_of_the_deals_asked_for_however_many_are_in_the_folder(self, kept, tmp_path):
        advanced = []
        for deals in (kept, 4):
            baselines = Baselines(SETUP, ("random",), out=str(tmp_path))
            advanced.clear()
            baselines.play(deals, Placement(1), lambda done, *words: advanced.append(done))
        [result] = baselines.matches.values()
        assert (sum(advanced), result.tally.deals) == (4, 4)

    def test_other_bots_are_refused(self):
        for bots, message in (("genius", "there is no bot 'genius'"), ("thumb,thumb", "each once")):
            done = CliRunner().invoke(main, ["baselines", "trime-kicker", "--bots", bots])
            assert (done.exit_code, message in done.output) == (1, True)
