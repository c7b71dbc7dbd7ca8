"""The front door: the names of ``import parlour``, and what the import does not load."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import parlour
from parlour import Bot, Observation, ParlourError

QUIET = """
import os, pathlib, sys, time
before = set(sys.modules)
start = time.process_time()
import parlour
seconds = time.process_time() - start
loaded = {name.partition(".")[0] for name in set(sys.modules) - before}
written = [str(path) for path in pathlib.Path(os.environ["HOME"]).rglob("*")]
heavy = {"numba", "numpy", "fastapi", "sqlalchemy", "click", "rich", "gymnasium", "pettingzoo", "PIL"}
print([seconds, sorted(loaded & heavy), written])
"""


class First:
    """A bot from outside that takes the first legal action."""

    def choose(self, observation: Observation) -> str:
        return observation.legal[0]


class RecordingBot(First):
    """A bot that records its calls."""

    def begin(self, setup, seat):
        self.began = setup, seat
        self.seats = set()

    def choose(self, observation):
        self.seats.add(observation.seat)
        return super().choose(observation)

    def end(self, result):
        self.result = result


class TestImport:
    def test_importing_is_fast_loads_no_heavy_module_and_writes_no_file(self, tmp_path: Path):
        environment = {"HOME": str(tmp_path), "PARLOUR_CACHE": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        environment["PYTHONPATH"] = ":".join(sys.path)
        done = subprocess.run(
            [sys.executable, "-c", QUIET], env=environment, capture_output=True, text=True, check=True
        )
        seconds, loaded, written = eval(done.stdout)
        assert (loaded, written) == ([], [])
        assert seconds < 1

    def test_every_name_is_there(self):
        assert set(parlour.__all__) <= set(dir(parlour))
        for name in parlour.__all__:
            assert getattr(parlour, name) is not None

    def test_an_unknown_name_is_an_attribute_error(self):
        with pytest.raises(AttributeError, match="module 'parlour' has no attribute 'chess'"):
            _ = parlour.chess


class TestMake:
    def test_games_and_bots_are_listed_by_id(self):
        assert [parlour.make(game).game.id for game in parlour.games()] == parlour.games()
        assert {"random", "thumb", "master"} <= set(parlour.bots())

    def test_the_default_is_the_usual_number_of_players(self):
        assert parlour.make("trick-walls").players == 4
        assert parlour.make("castle-walls").players == 2

    def test_impossible_arguments_are_refused_in_a_sentence(self):
        with pytest.raises(ParlourError, match="there is no game 'chess'; there are castle-walls, "):
            parlour.make("chess")
        with pytest.raises(ParlourError, match="for 2 to 6 players, not 9"):
            parlour.make("trick-walls", players=9)
        with pytest.raises(ParlourError, match="has no option 'speed'"):
            parlour.make("trick-walls", speed=3)


@pytest.mark.parametrize("game", parlour.games())
class TestOneGame:
    def test_it_runs_from_the_first_observation_to_the_result(self, game):
        match = parlour.make(game).start(seed=7)
        while not match.over:
            seen = match.observation()
            assert seen.seat == match.actor
            match.act(seen.legal[0])
        assert match.result.winners
        assert match.record()["result"] == match.result.to_json()

    def test_the_same_seed_is_the_same_game(self, game):
        one, again, other = (parlour.play(parlour.make(game, 2), ["random", First()], seed) for seed in (3, 3, 4))
        assert one.record() == again.record() != other.record()

    def test_without_a_seed_no_two_games_are_the_same(self, game):
        setup = parlour.make(game)
        assert setup.start().record() != setup.start().record()


class TestPlay:
    SETUP = parlour.make("trick-walls", players=4, rounds=1)

    def test_bots_can_be_names_and_objects(self):
        watching = RecordingBot()
        match = parlour.play(self.SETUP, ["thumb", watching, "random", First()], seed=1)
        assert match.over
        assert watching.began == (self.SETUP, 1)
        assert watching.seats == {1}
        assert watching.result == match.result

    def test_a_forfeit_can_be_sent_to_another_process(self):
        forfeit = parlour.Forfeit("mine:Bot", 2, "crashed")
        sent = pickle.loads(pickle.dumps(forfeit))
        assert (str(sent), sent.bot, sent.seat, sent.reason) == (str(forfeit), "mine:Bot", 2, "crashed")

    def test_an_object_with_choose_is_a_bot(self):
        assert isinstance(First(), Bot)
        assert not isinstance("thumb", Bot)

    @pytest.mark.parametrize(
        ("bots", "message"),
        [
            (["thumb"], "1 bot for 4 seats: name one bot for each"),
            (["thumb"] * 5, "5 bots for 4 seats"),
            ("thumb", "'thumb' for 4 seats: name one bot for each"),
            (["thumb", "thumb", "thumb", "unknown"], "there is no bot 'unknown'; there are beginner"),
        ],
    )
    def test_wrong_bots_are_refused(self, bots, message):
        with pytest.raises(ParlourError, match=message):
            parlour.play(self.SETUP, bots)


class TestManyGames:
    def test_many_games_are_simulated(self):
        playouts = parlour.simulate(parlour.make("castle-walls"), 50, seed=1)
        assert playouts.scores.shape == (50, 2)
        assert np.array_equal(playouts.scores, parlour.simulate(parlour.make("castle-walls"), 50, seed=1).scores)

    def test_records_are_loaded_as_matches(self, tmp_path: Path):
        from parlour.engine.matches.records import RecordWriter

        played = [parlour.play(parlour.make("castle-walls"), ["random", "random"], seed) for seed in range(3)]
        file = tmp_path / "games.jsonl"
        with RecordWriter(str(file)) as writer:
            for match in played:
                writer.write(match.record())
        assert [match.record() for match in parlour.load(str(file))] == [match.record() for match in played]

    @pytest.mark.parametrize("few", [0, 2])
    def test_records_with_recall_have_the_histories_of_the_games(
        self, tmp_path: Path, few: int, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("parlour.front.FEW_RECORDS", few)  # interpreted below, compiled from there on
        played = parlour.play(parlour.make("castle-walls"), ["random", "random"], 1)
        file = tmp_path / "game.json"
        file.write_text(json.dumps(played.record()))
        [without], [again] = parlour.load(file), parlour.load(file, recall=True)
        assert without.information_state(0) is None
        for seat in (0, 1):
            assert again.information_state(seat) == played.information_state(seat) is not None
            assert np.array_equal(again.history(seat).tensor(400), played.history(seat).tensor(400))
