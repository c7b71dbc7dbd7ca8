"""Files of games in the terminal: new ones, and those of stopped games that are continued."""

import json
import shlex
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
from click.testing import CliRunner, Result

from parlour import make
from parlour.cli import game_file, main, terminal
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.matches.records import read_records, replay
from parlour.render.layouts import find_layout
from parlour.render.text import scene_text
from tests.commands.terminal_game import play


class TestFiles:
    def test_games_that_begin_at_the_same_time_have_files_of_their_own(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        monkeypatch.setattr(game_file, "datetime", SimpleNamespace(now=lambda: datetime(2026, 11, 30, 13, 4, 20)))
        for seed in "123":
            command = ["play", "trick-walls", "--seed", seed]
            assert CliRunner().invoke(main, command, input="q\n").exit_code == 0
        names = [f"trick-walls-2026-11-30-130420{number}.json" for number in ("-2", "-3", "")]
        assert sorted(each.name for each in tmp_path.glob("parlour/*")) == names
        assert len({(tmp_path / "parlour" / name).read_text() for name in names}) == 3

    def test_a_new_game_does_not_overwrite_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "game.json").write_text("a thousand games")
        shown = play(typed="q\n", folder=tmp_path)
        assert shown.exit_code == 1
        assert "game.json is there already: name another file, or go on with it by --resume" in shown.output
        assert (tmp_path / "game.json").read_text() == "a thousand games"

    def test_an_empty_file_is_filled(self, tmp_path: Path) -> None:
        (tmp_path / "game.json").touch()
        assert play(typed="1\nq\n", folder=tmp_path).exit_code == 0
        assert (tmp_path / "game.json").stat().st_size

    def test_a_game_resumed_from_another_file_does_not_overwrite_one_either(self, tmp_path: Path) -> None:
        play(typed="q\n", folder=tmp_path)
        (tmp_path / "game.json").rename(tmp_path / "before.json")
        (tmp_path / "game.json").write_text("a thousand games")
        assert play("--resume", str(tmp_path / "before.json"), typed="q\n", folder=tmp_path).exit_code == 1
        assert (tmp_path / "game.json").read_text() == "a thousand games"


class TestStopping:
    def test_a_stopped_game_is_stored_and_can_be_resumed(self, tmp_path: Path) -> None:
        stopped = play(typed="1\nq\n", folder=tmp_path)
        assert f"parlour play trick-walls --resume={tmp_path / 'game.json'} " in stopped.output
        before = json.loads((tmp_path / "game.json").read_text())["events"]
        play("--resume", str(tmp_path / "game.json"), typed="1\nq\n", folder=tmp_path)
        after = json.loads((tmp_path / "game.json").read_text())["events"]
        assert after[: len(before)] == before
        assert len(after) > len(before)

    def test_a_resumed_game_has_chance_of_its_own_from_the_seed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        drawn: list[list[int]] = []
        for stops in ("q\n", "1\nq\n"):
            play(typed=stops, folder=tmp_path)
            (tmp_path / "game.json").rename(tmp_path / f"{len(stops)}.json")
        monkeypatch.setattr(
            terminal._TerminalTable, "run", lambda table: drawn.append(table.randomness.shuffled([*range(52)]))
        )
        for _ in range(2):
            play(typed="", folder=tmp_path)
            for file in (2, 4):
                play("--resume", str(tmp_path / f"{file}.json"), typed="", folder=tmp_path)
        assert drawn[:3] == drawn[3:]
        assert len({*map(tuple, drawn)}) == 3

    @pytest.mark.parametrize("bots", ["random", "thumb, random, thumb", "random,search:effort=10,memory=50,thumb"])
    def test_the_command_to_continue_has_the_seat_and_the_bots_that_were_typed(self, tmp_path: Path, bots: str) -> None:
        stopped = play("--seat", "2", "--bots", bots, typed="", folder=tmp_path)
        (command,) = (line for line in stopped.output.splitlines() if "--resume=" in line)
        assert shlex.split(command)[4:6] == ["--seat=2", f"--bots={bots}"]

    def test_the_command_to_continue_repeats_the_other_options(self, tmp_path: Path) -> None:
        stopped = play("--plain", "--pace", "0", "--language", "de", "--threads", "2", typed="q\n", folder=tmp_path)
        further = "--plain --pace=0 --seed=1 --threads=2 --language=de"
        assert f"--resume={tmp_path / 'game.json'} {further}\n" in stopped.output

    def test_a_game_resumed_into_another_file_is_written_at_once(self, tmp_path: Path) -> None:
        play(typed="1\nq\n", folder=tmp_path)
        other = tmp_path / "other.json"
        shown = play("--resume", str(tmp_path / "game.json"), "--record", str(other), typed="q\n", folder=tmp_path)
        assert f"--resume={other}" in shown.output
        assert json.loads(other.read_text()) == json.loads((tmp_path / "game.json").read_text())

    def test_other_keys_of_a_record_are_kept_except_the_commitment(self, tmp_path: Path) -> None:
        play(typed="1\nq\n", folder=tmp_path)
        file = tmp_path / "game.json"
        file.write_text(json.dumps({**json.loads(file.read_text()), "names": ["A", "B", "C", "D"], "deal": {}}))
        play("--resume", str(file), typed="1\nq\n", folder=tmp_path)
        kept = json.loads(file.read_text())
        assert kept["names"] == ["A", "B", "C", "D"]
        assert "deal" not in kept

    def test_a_file_of_several_games_is_not_changed(self, tmp_path: Path) -> None:
        play(typed="1\nq\n", folder=tmp_path)
        several = tmp_path / "several.jsonl"
        several.write_text(2 * f"{(tmp_path / 'game.json').read_text()}\n")
        before = several.read_text()
        result = CliRunner().invoke(main, ["play", "trick-walls", "--resume", str(several)], input="1\nq\n")
        assert result.exit_code == 1
        assert "several.jsonl: 2 games; --resume needs a file with one game" in result.output
        assert several.read_text() == before

    def test_the_end_of_input_stops_the_game_like_q(self, tmp_path: Path) -> None:
        result = play(typed="1\n", folder=tmp_path)
        assert result.exit_code == 0
        assert "The game is saved;" in result.output


class TestTwoWindows:
    """Two terminals that continue the same file."""

    def opened(self, folder: Path, **window: str | None) -> tuple[game_file.GameFile, Match]:
        """Return the file of a window and its match, one action further than the file."""
        resume = str(folder / "game.json")
        match, record = game_file.read_resumed(resume, make("trick-walls", players=4, rounds=1), [])
        files = {"name": None, "resume": resume, **window}
        file = game_file.GameFile(files["name"], files["resume"], record, "trick-walls", {})
        match.act(match.legal()[0])
        return file, match

    @pytest.fixture
    def begun(self, tmp_path: Path) -> Path:
        play(typed="1\nq\n", folder=tmp_path)
        return tmp_path

    @pytest.mark.parametrize("name", [None, "game.json"])
    def test_do_not_overwrite_each_other(self, begun: Path, monkeypatch: pytest.MonkeyPatch, name: str | None) -> None:
        monkeypatch.chdir(begun)
        first, match = self.opened(begun, name=name)
        second, other = self.opened(begun, name=name)
        first.save(match)
        kept = (begun / "game.json").read_text()
        with pytest.raises(ParlourError, match="another window has continued this game"):
            second.save(other)
        assert (begun / "game.json").read_text() == kept

    def test_may_write_different_files(self, begun: Path) -> None:
        first, match = self.opened(begun)
        second, other = self.opened(begun, name=str(begun / "other.json"))
        first.save(match)
        second.save(other)
        assert json.loads((begun / "other.json").read_text())["events"] == other.record()["events"]

    def test_one_window_saves_its_own_game_again(self, begun: Path) -> None:
        first, match = self.opened(begun)
        first.save(match)
        match.act(match.legal()[0])
        first.save(match)
        assert len(json.loads((begun / "game.json").read_text())["events"]) == len(match.events)

    def test_a_device_takes_every_event(self, begun: Path) -> None:
        device, match = self.opened(begun, name="/dev/null")
        device.save(match)
        device.save(match)
        assert not Path("/dev/null").is_file()

    def test_a_file_that_was_removed_is_written_again(self, begun: Path) -> None:
        first, match = self.opened(begun)
        (begun / "game.json").unlink()
        first.save(match)
        assert len(json.loads((begun / "game.json").read_text())["events"]) == len(match.events)


class TestThePlayers:
    """The keys of the record on its players: their seat and names, which a continued game has again."""

    def stored(self, folder: Path) -> dict:
        record: dict = json.loads((folder / "game.json").read_text())
        return record

    @pytest.fixture
    def resumed(self, tmp_path: Path) -> str:
        """Return the option that continues a game of seat 2 with other names of its bots."""
        play("--seat", "2", typed="1\nq\n", folder=tmp_path)
        names = ["Anna", "Bernd", "Zoe", "Zed"]
        (tmp_path / "game.json").write_text(json.dumps({**self.stored(tmp_path), "names": names}))
        return f"--resume={tmp_path / 'game.json'}"

    def test_are_stored(self, tmp_path: Path) -> None:
        play("--seat", "2", typed="1\nq\n", folder=tmp_path)
        assert self.stored(tmp_path)["people"] == [2]
        assert self.stored(tmp_path)["names"] == ["Ada", "Bruno", "Guest", "Cleo"]

    def test_are_those_of_the_table(self, tmp_path: Path) -> None:
        shown = play("--seat", "2", typed="1\nq\n", folder=tmp_path).output
        assert all(f"  {name}  (" in shown or f"{name} plays" in shown for name in ("Ada", "Bruno", "Cleo"))

    def test_have_the_same_seat_in_a_continued_game(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, resumed: str
    ) -> None:
        monkeypatch.setenv("COLUMNS", "200")
        view = replay(self.stored(tmp_path)).observation(2)
        scene = find_layout("trick-walls").lay_out(view, ["Anna", "Bernd", "You", "Zed"], None)
        assert scene_text(scene, plain=True).plain in play(resumed, typed="q\n", folder=tmp_path).output

    def test_keep_their_names_in_a_continued_game(self, tmp_path: Path, resumed: str) -> None:
        shown = play(resumed, typed="1\nq\n", folder=tmp_path).output
        assert ("Zed" in shown, "Cleo" in shown, "Zoe" in shown) == (True, False, False)
        assert self.stored(tmp_path)["names"] == ["Anna", "Bernd", "Zoe", "Zed"]
        assert self.stored(tmp_path)["people"] == [2]

    def test_may_be_named_on_the_command_line(self, tmp_path: Path, resumed: str) -> None:
        assert play(resumed, "--seat", "2", typed="q\n", folder=tmp_path).exit_code == 0

    def test_do_not_change_seats(self, tmp_path: Path, resumed: str) -> None:
        before = self.stored(tmp_path)
        refused = play(resumed, "--seat", "1", typed="1\nq\n", folder=tmp_path)
        assert refused.exit_code == 1
        assert "the game was played in seat 2, not in seat 1" in refused.output
        assert self.stored(tmp_path) == before

    @pytest.mark.parametrize("people", [None, [], [7], "0", [[]]])
    def test_of_a_record_without_seats_of_people_have_seat_0(
        self, tmp_path: Path, resumed: str, people: object
    ) -> None:
        (tmp_path / "game.json").write_text(json.dumps({**self.stored(tmp_path), "people": people}))
        play(resumed, typed="1\nq\n", folder=tmp_path)
        assert self.stored(tmp_path)["people"] == [0]

    @pytest.mark.parametrize("names", [None, ["Anna"], ["Anna", "Bernd", "", "Zed"]])
    def test_of_a_record_without_all_names_have_those_of_a_new_game(
        self, tmp_path: Path, resumed: str, names: object
    ) -> None:
        (tmp_path / "game.json").write_text(json.dumps({**self.stored(tmp_path), "names": names}))
        play(resumed, typed="1\nq\n", folder=tmp_path)
        assert self.stored(tmp_path)["names"] == ["Ada", "Bruno", "Guest", "Cleo"]


class TestContinuing:
    """Records of other games than those of the terminal, continued there."""

    OTHERS: ClassVar = {
        "ending": {"by": "resignation", "seat": 0, "winners": [1]},
        "resigned": [{"seat": 0, "after": 5}],
        "people": [0, 1],
        "stood_in": [3],
        "deal": {"commitment": "12"},
        "names": ["Ann", "Bo"],
    }

    @pytest.fixture
    def resigned(self, tmp_path: Path) -> Path:
        """Return the file of a game of 3 Tricks that ended by resignation."""
        record = make("three-tricks").start(seed=3).record()
        (tmp_path / "resigned.json").write_text(json.dumps({**record, **self.OTHERS}))
        return tmp_path / "resigned.json"

    def resume(self, file: Path, *arguments: str, typed: str) -> Result:
        return CliRunner().invoke(main, ["play", "three-tricks", "--resume", str(file), *arguments], input=typed)

    def test_a_resigned_game_that_is_played_on_to_its_end_replays(self, resigned: Path) -> None:
        assert "Look back on it with:" in self.resume(resigned, typed="1\n" * 300).output
        [(place, record)] = read_records(str(resigned))
        assert replay(record, place).over
        assert {key: record[key] for key in record.keys() & self.OTHERS.keys()} == {
            "names": ["Ann", "Bo"],
            "people": [0],
            "stood_in": [3],
        }

    def test_a_game_that_is_left_at_once_keeps_its_ending(self, resigned: Path) -> None:
        before = json.loads(resigned.read_text())
        assert "The game is saved;" in self.resume(resigned, typed="q\n").output
        assert json.loads(resigned.read_text()) == before

    @pytest.mark.parametrize(
        ("arguments", "refusal"),
        [
            (["-o", "rank-block=any"], "a game with rank_block=pair, not with rank_block=any"),
            (["-o", "rank_block=pair"], ""),
            (["-p", "2"], ""),
            ([], ""),
        ],
    )
    def test_another_setup_is_refused(self, resigned: Path, arguments: list[str], refusal: str) -> None:
        before = resigned.read_text()
        shown = self.resume(resigned, *arguments, typed="1\n")
        assert shown.exit_code == bool(refusal)
        assert refusal in shown.output
        assert (resigned.read_text() == before) == bool(refusal)

    def test_another_number_of_players_is_refused(self, tmp_path: Path) -> None:
        play(typed="q\n", folder=tmp_path)
        refused = play("--resume", str(tmp_path / "game.json"), "-p", "2", typed="1\nq\n", folder=tmp_path)
        assert refused.exit_code == 1
        assert "a game with players=4, not with players=2" in refused.output

    @pytest.mark.parametrize("option", ["--resume", "--record"])
    def test_standard_input_and_output_are_no_files_of_a_game(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        refused = CliRunner().invoke(main, ["play", "three-tricks", option, "-"], input="1\nq\n")
        assert refused.exit_code == 1
        assert refused.output.startswith("Error: - means standard input or output")
        assert not list(tmp_path.iterdir())
