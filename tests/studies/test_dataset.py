"""Data sets: the content of the columns, and runs that end early without loss."""

import json
from itertools import product

import numpy as np
import polars
import pytest
from click.testing import CliRunner

import parlour
from parlour import ParlourError
from parlour.cli import main
from parlour.contests.contest import Deal
from parlour.contests.game_results import ForfeitInfo, GameResult
from parlour.engine import files
from parlour.engine.match import Match
from parlour.engine.matches.records import replay
from parlour.studies.dataset.columns import games_table
from parlour.studies.dataset.folder import DatasetFolder
from parlour.studies.dataset.plan import DatasetPlan

pytestmark = pytest.mark.slow  # compiles

PLAN = DatasetPlan(parlour.make("trime-kicker"), ("thumb", "random"), seed=4)


QUITTER = """
class Quitter:
    def choose(self, observation):
        raise ValueError("enough")
"""


def fill_data_set(path, games=4, shard=3, plan=PLAN, **more):
    made = DatasetFolder(str(path), plan, shard, **more)
    made.fill(games)
    return made


def tables(path):
    return [polars.read_parquet(path / kind / "*.parquet") for kind in ("decisions", "games")]


class TestColumns:
    def test_they_are_the_decisions_of_the_records(self, tmp_path):
        fill_data_set(tmp_path, games=2)
        decisions, games = tables(tmp_path)
        rows, setup = decisions.iter_rows(named=True), PLAN.setup
        for game in games.iter_rows(named=True):
            match = Match(setup)
            for event in json.loads(game["record"])["events"]:
                if match.actor >= 0:
                    row = next(rows)
                    seen = match.observation()
                    assert (row["game"], row["seat"], row["bot"]) == (game["game"], seen.seat, game["bots"][seen.seat])
                    assert setup.action_name(row["action"]) == event["do"]
                    assert row["legal"] == seen.legal_actions
                    assert np.array_equal(np.array(row["observation"], np.float32), seen.tensor)
                    assert (row["reward"], row["score"]) == (game["rewards"][seen.seat], game["scores"][seen.seat])
                    match.act(event["do"])
                else:
                    match.apply_chance(event["do"])
            assert list(match.result.scores) == game["scores"]
        assert next(rows, None) is None

    def test_legal_actions_ascend_where_the_rules_have_another_order(self, tmp_path):
        plan = DatasetPlan(parlour.make("tricky-tribes", players=3), ("thumb",), seed=1)
        fill_data_set(tmp_path, 1, plan=plan, observations=False)
        listed = parlour.CompiledGame(plan.setup, seed=1).legal_actions()
        assert listed != sorted(listed)
        lists = tables(tmp_path)[0]["legal"].to_list()
        assert lists == [sorted(legal) for legal in lists]

    def test_the_bots_take_turns_in_the_seats(self, tmp_path):
        fill_data_set(tmp_path)
        _, games = tables(tmp_path)
        assert games["bots"].to_list() == [["thumb", "random"], ["random", "thumb"]] * 2

    def test_games_are_numbered_through_all_shards(self, tmp_path):
        fill_data_set(tmp_path, games=5, shard=2)
        decisions, games = tables(tmp_path)
        assert games["game"].to_list() == [0, 1, 2, 3, 4]
        steps = decisions.group_by("game", maintain_order=True).agg("step")
        assert steps["game"].to_list() == [0, 1, 2, 3, 4]
        assert steps["step"].to_list() == [[*range(number)] for number in games["decisions"]]

    def test_the_games_are_the_same_in_shards_of_any_size_and_have_deals_of_their_own(self, tmp_path):
        sizes = (2, 3, 100)
        for size in sizes:
            fill_data_set(tmp_path / str(size), games=5, shard=size)
        decisions, games = tables(tmp_path / str(sizes[-1]))
        for size in sizes[:-1]:
            assert len(list((tmp_path / str(size) / "games").iterdir())) == -(-5 // size)
            for whole, divided in zip((decisions, games), tables(tmp_path / str(size)), strict=True):
                assert whole.equals(divided)
        dealt = [
            json.dumps([event for event in json.loads(record)["events"] if event["by"] == "chance"])
            for record in games["record"]
        ]
        assert len(set(dealt)) == 5

    def test_observations_may_be_left_out(self, tmp_path):
        fill_data_set(tmp_path, observations=False)
        decisions, games = tables(tmp_path)
        assert decisions.columns == ["game", "step", "seat", "bot", "legal", "action", "reward", "score"]
        assert replay(json.loads(games["record"][0])).over

    def test_the_files_describe_themselves(self, tmp_path):
        fill_data_set(tmp_path)
        about = json.loads((tmp_path / "dataset.json").read_text())
        assert (about["format"], about["game"], about["seed"]) == ("parlour-dataset/1", "trime-kicker", 4)
        assert about["tensor_version"] == PLAN.setup.tensor_version
        last = about["planes"][-1]
        assert last["first"] + last["cells"] == PLAN.setup.observation_shape[0]
        kept = polars.read_parquet_metadata(tmp_path / "games" / "00000.parquet")["parlour"]
        assert json.loads(kept) == about


class TestContinuing:
    def test_it_is_the_same_in_one_run_or_several(self, tmp_path):
        fill_data_set(tmp_path / "one", games=7)
        for games in (1, 4, 4, 7):
            made = fill_data_set(tmp_path / "other", games=games)
        assert made.stored_games() == 7
        for one, other in zip(tables(tmp_path / "one"), tables(tmp_path / "other"), strict=True):
            assert one.drop("record", strict=False).equals(other.drop("record", strict=False))

    def test_complete_shards_are_not_played_again(self, tmp_path):
        played = []
        fill_data_set(tmp_path, games=4)
        DatasetFolder(str(tmp_path), PLAN, 3).fill(5, progress=played.append)
        assert round(sum(played)) == 1
        assert not (tmp_path / "shard-00000.jsonl").exists()

    @pytest.mark.parametrize("kind", ["decisions", "games"])
    @pytest.mark.parametrize("damage", [lambda file: file.unlink(), lambda file: file.write_bytes(b"PAR1 cut short")])
    def test_a_missing_or_damaged_file_is_made_again(self, tmp_path, kind, damage):
        fill_data_set(tmp_path, games=9)
        before = tables(tmp_path)
        damage(tmp_path / kind / "00001.parquet")
        played = []
        DatasetFolder(str(tmp_path), PLAN, 3).fill(9, progress=played.append)
        assert round(sum(played)) == 3
        assert all(one.equals(other) for one, other in zip(before, tables(tmp_path), strict=True))

    def test_a_damaged_shard_keeps_all_its_games_when_fewer_are_wanted(self, tmp_path):
        fill_data_set(tmp_path, games=9)
        before = tables(tmp_path)
        (tmp_path / "games" / "00001.parquet").unlink()
        made = DatasetFolder(str(tmp_path), PLAN, 3)
        made.fill(4)
        assert made.stored_games() == 9
        assert all(one.equals(other) for one, other in zip(before, tables(tmp_path), strict=True))

    def test_an_interrupted_run_keeps_every_finished_game(self, tmp_path):
        def stop(games):
            raise KeyboardInterrupt

        made = DatasetFolder(str(tmp_path), PLAN, 3)
        with pytest.raises(KeyboardInterrupt):
            made.fill(3, progress=stop)
        before = made.stored_games()
        made.fill(3)
        assert made.stored_games() == 3 > before

    def test_a_full_disk_is_reported_in_a_sentence_and_loses_nothing(self, tmp_path, monkeypatch):
        made, replace = DatasetFolder(str(tmp_path), PLAN, 3), files.os.replace

        def full(*names):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(files.os, "replace", full)
        with pytest.raises(ParlourError, match=r"cannot be written: No space left on device\. The games are kept"):
            made.fill(3)
        assert not list(tmp_path.glob("*/*"))
        assert made.stored_games() == 3
        monkeypatch.setattr(files.os, "replace", replace)
        played = []
        made.fill(3, progress=played.append)
        assert played == []
        assert tables(tmp_path)[1].height == 3

    def test_another_data_set_is_refused(self, tmp_path):
        fill_data_set(tmp_path)
        with pytest.raises(ParlourError, match="holds another data set: seed is 4 there, 5 here"):
            DatasetFolder(str(tmp_path), DatasetPlan(PLAN.setup, PLAN.bots, seed=5), 3)
        with pytest.raises(ParlourError, match="holds another data set: shard is 3 there, 4 here"):
            DatasetFolder(str(tmp_path), PLAN, 4)
        (tmp_path / "dataset.json").write_text("{}")
        with pytest.raises(ParlourError, match="not the description of a data set"):
            DatasetFolder(str(tmp_path), PLAN, 3)
        (tmp_path / "dataset.json").unlink()
        with pytest.raises(ParlourError, match=r"holds files, but no dataset\.json"):
            DatasetFolder(str(tmp_path), PLAN, 3)

    @pytest.mark.parametrize(
        ("before", "difference"),
        [(True, "it has observations, but none are wanted here"), (False, "it has no observations, but some are")],
    )
    def test_the_option_that_differs_is_named_instead_of_all_planes(self, tmp_path, before, difference):
        DatasetFolder(str(tmp_path), PLAN, 3, observations=before)
        with pytest.raises(ParlourError, match=f"holds another data set: {difference}"):
            DatasetFolder(str(tmp_path), PLAN, 3, observations=not before)


class TestTheNumberOfStoredGames:
    @pytest.mark.parametrize(
        ("shards", "journal", "number"),
        [
            (0, None, 0),
            (0, b"", 0),
            (0, b"a header cut", 0),
            (0, b"the header\n", 0),
            (0, b"the header\na game\na game\n", 2),
            (0, b"the header\na game\na game cut short", 1),
            (2, None, 6),
            (2, b"the header\na game\n", 7),
        ],
    )
    def test_includes_the_complete_lines_of_the_journal(self, tmp_path, shards, journal, number):
        made = DatasetFolder(str(tmp_path), PLAN, 3)
        for kind, shard in product(("decisions", "games"), range(shards)):
            (tmp_path / kind / f"{shard:05}.parquet").write_bytes(b"rows PAR1")
        if journal is not None:
            (tmp_path / f"shard-{shards:05}.jsonl").write_bytes(journal)
        assert made.stored_games() == number


class TestARowOfAGame:
    @pytest.mark.parametrize(
        ("forfeit", "seat", "reason"),
        [(None, None, None), (ForfeitInfo(0, "gone"), 0, "gone"), (ForfeitInfo(1, "late"), 1, "late")],
    )
    def test_has_the_result_of_the_game_under_its_number(self, forfeit, seat, reason):
        record = {"events": [{"by": "chance", "do": "dealer A"}, *({"by": by, "do": "7H"} for by in (1, 0, 1))]}
        game = GameResult((1, 0), (7, 4), (0,), (11, 12), (0.5, 0.25), forfeit, record=record)
        table = games_table(PLAN.from_game(30), [Deal(2, (game,))])
        assert table.rows(named=True) == [
            {
                **{"game": 32, "bots": ["random", "thumb"], "scores": [7, 4], "winners": [0], "rewards": [1.0, -1.0]},
                **{"decisions": 3, "forfeit": seat, "reason": reason, "record": json.dumps(record)},
            }
        ]


class TestTheCommand:
    def test_it_makes_and_continues_a_data_set(self, tmp_path):
        command = ["dataset", "trime-kicker", "--out", str(tmp_path), "--cores", "1"]
        first = CliRunner().invoke(main, [*command, "--games", "2"])
        assert first.exit_code == 0, first.output
        assert "2 games of Trime Kicker are in" in first.output
        more = CliRunner().invoke(main, [*command, "--games", "3"])
        assert "2 of 3 games were in" in more.output
        assert tables(tmp_path)[1].height == 3
        fewer = CliRunner().invoke(main, [*command, "--games", "1"])
        assert "3 games of Trime Kicker are in" in fewer.output
        assert tables(tmp_path)[1].height == 3

    def test_it_reports_each_bot_that_forfeited(self, tmp_path, monkeypatch):
        monkeypatch.syspath_prepend(tmp_path)
        (tmp_path / "quitting.py").write_text(QUITTER)
        command = ["dataset", "trime-kicker", "--cores", "1", "--bots", "thumb,quitting:Quitter", "--games", "3"]
        done = CliRunner().invoke(main, [*command, "--shard", "2", "--out", str(tmp_path / "games")])
        assert done.exit_code == 0, done.output
        line = '  quitting:Quitter: 3 games forfeited: crashed with ValueError: "enough"\n'
        assert done.output.endswith(f"3 games of Trime Kicker are in {tmp_path / 'games'}.\n{line}")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--bots", "genius"], "there is no bot 'genius'"),
            (["--bots", "open:thumb"], "open"),
            (["--out", "/dev/null"], "/dev/null: cannot be created"),
        ],
    )
    def test_bad_input_is_refused_in_a_line(self, tmp_path, arguments, message):
        done = CliRunner().invoke(main, ["dataset", "trime-kicker", "--out", str(tmp_path / "x"), *arguments])
        assert (done.exit_code, message in done.output) == (1, True), done.output
        assert "Traceback" not in done.output
