"""Commands as a person or a program uses them."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import platformdirs
import pytest
from click.testing import CliRunner, Result

from parlour.authors import bench
from parlour.cli import main
from tests.tiny_package import TINY, install

TRACES = Path(__file__).parents[1] / "traces"


def run(*arguments: str, input: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=input)


@pytest.fixture
def three_games(tmp_path: Path) -> Path:
    file = tmp_path / "games.jsonl"
    assert run("simulate", "trick-walls", "-o", "rounds=1", "--games", "3", "--records", str(file)).exit_code == 0
    return file


class TestHelp:
    def test_help_imports_no_slow_module(self) -> None:
        code = "import sys, parlour.cli; print(sorted({'numba', 'numpy', 'fastapi', 'rich'} & set(sys.modules)))"
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert shown.stdout.strip() == "[]"

    def test_commands_are_listed_by_purpose(self) -> None:
        shown = run("--help").output
        sections = ("Play", "Look back", "Study", "Run a room", "Write a game")
        places = [shown.index(f"\n{section}:\n") for section in sections]
        assert places == sorted(places)
        for section, command in zip(sections, ("learn", "review", "match", "serve", "perft"), strict=True):
            assert f"\n  {command} " in shown.partition(f"\n{section}:")[2].partition("\n\n")[0]

    def test_every_command_is_listed_once(self) -> None:
        shown = [line.split()[0] for line in run("--help").output.splitlines() if line.startswith("  ")]
        assert all(shown.count(command) == 1 for command in main.commands)

    def test_the_help_of_a_command_is_complete(self) -> None:
        assert "..." not in run("--help").output.replace("[ARGS]...", "")

    @pytest.mark.parametrize(
        ("command", "default"),
        [("smoke", "all numbers"), ("peeking", "all numbers"), ("perft", "the game's usual number")],
    )
    def test_the_number_of_players_without_the_option_is_named(self, command: str, default: str) -> None:
        assert f"Number of players (default: {default})." in " ".join(run(command, "--help").output.split())

    def test_the_package_is_the_command_too(self) -> None:
        command = [sys.executable, "-m", "parlour", "--version"]
        shown = subprocess.run(command, capture_output=True, text=True, check=True)
        assert shown.stdout.startswith("parlour, version ")


class TestWithoutAHome:
    @pytest.mark.parametrize(
        ("command", "option"), [(("serve", "--port", "0"), "--database"), (("play", "castle-walls"), "--record")]
    )
    def test_a_command_that_needs_a_data_folder_asks_for_a_file_instead(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], option: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.delenv("PARLOUR_DATABASE", raising=False)
        monkeypatch.setattr(platformdirs, "user_data_dir", "~/.local/share/{}".format)  # as where there is none
        result = run(*command, input="q\n")
        assert result.exit_code == 1
        assert "there is no home folder" in result.output
        assert f"name a file with {option} FILE" in result.output
        assert list(tmp_path.iterdir()) == []


class TestGames:
    def test_each_game_is_listed_with_its_players_and_its_credit(self) -> None:
        shown = run("games").output
        assert "trick-walls  (2 to 6 players)" in shown
        assert "Finnish designer" in shown


class TestRules:
    def test_the_rules_come_with_credit_and_every_option(self) -> None:
        shown = run("rules", "trick-walls", "--markdown").output
        assert shown.startswith("# Trick Walls\n")
        assert "Finnish designer" in shown
        for option in ("pure_bonuses", "kill_balance", "city_keepers", "long_run", "exchange", "rounds"):
            assert f"- `{option}` (" in shown

    @pytest.mark.parametrize(
        ("environment", "options", "language"),
        [
            ({}, (), "en"),
            ({"LANG": "de_DE.UTF-8"}, (), "de"),
            ({"LC_ALL": "pt_PT.UTF-8", "LANG": "de_DE.UTF-8"}, (), "de"),
            ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, (), "en"),
            ({"LC_MESSAGES": "POSIX", "LANG": "de_DE.UTF-8"}, (), "en"),
            ({"LANG": "de_DE.UTF-8"}, ("--language", "en"), "en"),
            ({"LANG": "C"}, ("--language", "de"), "de"),
        ],
    )
    def test_the_rules_are_in_the_language_of_the_option_or_of_the_environment(
        self, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], options: tuple[str, ...], language: str
    ) -> None:
        for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
            monkeypatch.setenv(name, environment.get(name, ""))
        begins = {"en": "# Castle Walls\n\nA duel: attack", "de": "# Castle Walls\n\nEin Duell: Greif"}[language]
        assert run("rules", "castle-walls", "--markdown", *options).output.startswith(begins)

    def test_an_unknown_language_is_refused_with_the_list(self) -> None:
        found = run("rules", "castle-walls", "--language", "xx")
        assert found.exit_code == 2
        assert "'xx' is not one of 'en'" in found.output

    def test_the_pages_in_docs_equal_the_generated_ones(self) -> None:
        papers = list((Path(__file__).parents[2] / "docs" / "rules").glob("*.md"))
        assert papers
        for paper in papers:
            assert paper.read_text(encoding="utf-8") == run("rules", paper.stem, "--markdown").output

    def test_the_error_for_an_unknown_game_lists_the_games(self) -> None:
        result = run("rules", "poker")
        assert result.exit_code == 1
        assert "there is no game 'poker'; there are" in result.output
        assert "trick-walls" in result.output


class TestSimulate:
    def test_the_same_seed_gives_the_same_records(self, tmp_path: Path) -> None:
        for name in ("a", "b"):
            run("simulate", "trick-walls", "-p", "3", "-n", "2", "--seed", "7", "--records", str(tmp_path / name))
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()

    def test_another_seed_gives_other_games(self) -> None:
        games = {run("simulate", "trick-walls", "-n", "1", "--seed", seed, "--records", "-").stdout for seed in "12"}
        assert len(games) == 2

    def test_a_dash_writes_only_records_to_standard_output(self) -> None:
        lines = run("simulate", "trick-walls", "-n", "2", "--records", "-").stdout.splitlines()
        assert [json.loads(line)["format"] for line in lines] == ["parlour-record/1"] * 2

    def test_records_hold_the_options_that_differ(self, three_games: Path) -> None:
        assert json.loads(three_games.read_text().splitlines()[0])["options"] == {"rounds": 1}

    def test_a_file_named_gz_is_gzipped(self, tmp_path: Path) -> None:
        file = tmp_path / "games.jsonl.gz"
        run("simulate", "trick-walls", "-n", "2", "--records", str(file))
        assert len(gzip.decompress(file.read_bytes()).splitlines()) == 2

    @pytest.mark.slow
    def test_without_records_the_summary_agrees_with_the_records(self, tmp_path: Path) -> None:
        common = ("simulate", "trick-walls", "-o", "rounds=1", "-n", "50", "--seed", "3")
        report = json.loads(run(*common).stdout)
        file = tmp_path / "games.jsonl"
        run(*common, "--records", str(file))
        scores = [json.loads(line)["result"]["scores"] for line in file.read_text().splitlines()]
        assert report["mean_scores"] == [round(sum(column) / 50, 3) for column in zip(*scores, strict=True)]
        first, _, second, _ = report["win_shares"]
        assert report["win_shares"] == [first, first, second, second], "partners have the share of their side"
        assert first + second == pytest.approx(1, abs=0.001)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("poker",), "there is no game 'poker'"),
            (("trick-walls", "-p", "7"), "Trick Walls is for 2 to 6 players, not 7"),
            (("trick-walls", "-o", "walls=3"), "Trick Walls has no option 'walls'; it has pure_bonuses"),
            (("trick-walls", "-o", "rounds=0"), "rounds is 0, but may be 1 to 99 (TW-5)"),
            (("trick-walls", "-o", "rounds"), "an option is written NAME=VALUE, not 'rounds'"),
            (("trick-walls", "-p", "5", "-o", "long_run=true"), "long_run=true is not for 5 players"),
            (("trick-walls", "--records", "/nowhere/games.jsonl"), "/nowhere/games.jsonl: cannot be opened"),
            (("trick-walls", "-n", "9", "--records", "/dev/full"), "No space left on device"),
        ],
    )
    def test_errors_are_printed_and_exit_nonzero(self, arguments: tuple[str, ...], message: str) -> None:
        result = run("simulate", *arguments)
        assert result.exit_code == 1
        assert message in result.output


class TestReplay:
    def test_records_are_replayed_from_a_file(self, three_games: Path) -> None:
        result = run("replay", str(three_games))
        assert result.exit_code == 0
        assert len(result.stdout.splitlines()) == 3

    @pytest.mark.parametrize(("number", "said"), [(1, "1 record"), (3, "3 records")])
    def test_the_records_are_counted(self, three_games: Path, number: int, said: str) -> None:
        lines = three_games.read_text().splitlines()[:number]
        three_games.write_text("".join(f"{line}\n" for line in lines))
        assert run("replay", str(three_games)).stderr == f"{said}, all legal.\n"

    def test_records_are_replayed_from_standard_input(self, three_games: Path) -> None:
        assert run("replay", "-", input=three_games.read_bytes()).stdout.count("won by") == 3

    def test_the_number_of_a_game_needs_a_number_of_events(self, three_games: Path) -> None:
        result = run("replay", str(three_games), "--game", "2")
        assert result.exit_code == 2
        assert "--game needs --at" in result.stderr

    def test_a_trace_and_a_moment_are_different_commands(self, three_games: Path) -> None:
        result = run("replay", str(three_games), "--at", "2", "--trace")
        assert (result.exit_code, "name one of them" in result.stderr) == (2, True)

    def test_a_trace_has_a_row_for_each_decision(self, three_games: Path) -> None:
        first = json.loads(run("replay", "--trace", str(three_games)).stdout.splitlines()[0])
        record = json.loads(three_games.read_text().splitlines()[0])
        decisions = [event for event in record["events"] if event["by"] != "chance"]
        assert [(row["seat"], row["do"]) for row in first["trace"]] == [
            (event["by"], event["do"]) for event in decisions
        ]
        assert all(row["legal"] == sorted(row["legal"]) and row["do"] in row["legal"] for row in first["trace"])
        assert first["result"] == record["result"]

    @pytest.mark.parametrize("flags", [(), ("--interpreted",)])
    def test_traces_of_an_independent_model_are_reproduced_exactly(
        self, tmp_path: Path, flags: tuple[str, ...]
    ) -> None:
        with gzip.open(TRACES / "trick-walls.jsonl.gz", "rt") as file:
            known = [json.loads(line) for line in file][:3]
        records = tmp_path / "records.jsonl"
        records.write_text("".join(json.dumps(row["record"]) + "\n" for row in known))
        printed = [json.loads(line) for line in run("replay", "--trace", *flags, str(records)).stdout.splitlines()]
        assert printed == [{"trace": row["trace"], "result": row["result"]} for row in known]

    def test_the_end_of_a_resigned_game_is_named_and_its_table_shown(self, three_games: Path) -> None:
        record = json.loads(three_games.read_text().splitlines()[0])
        del record["result"]
        record |= {"events": record["events"][:5], "ending": {"by": "resignation", "seat": 1, "winners": [0]}}
        three_games.write_text(json.dumps(record))
        result = run("replay", str(three_games))
        assert "ended after 5 events by the resignation of seat 1, won by 0" in result.stdout
        assert "After 4 of 5 events" in run("replay", str(three_games), "--at", "4").stdout
        three_games.write_text(json.dumps({**record, "ending": "soon"}))
        assert "unfinished after 5 events" in run("replay", str(three_games)).stdout

    def test_the_winners_are_those_of_the_record_after_a_resignation(self, three_games: Path) -> None:
        record = json.loads(three_games.read_text().splitlines()[0])
        resigned = [{"seat": 0, "after": 1}, {"seat": 2, "after": 16}]
        three_games.write_text(json.dumps({**record, "resigned": resigned, "winners": [1]}))
        ending = "won by 1, seat 0 resigned after 1 event, seat 2 resigned after 16 events\n"
        assert run("replay", str(three_games)).stdout.endswith(ending)
        del record["result"]
        record["events"] = record["events"][:16]
        ended = {"resigned": resigned, "ending": {"by": "resignation", "seat": 2, "winners": [1]}}
        three_games.write_text(json.dumps({**record, **ended}))
        ending = "by the resignation of seat 2, won by 1, seat 0 resigned after 1 event\n"
        assert run("replay", str(three_games)).stdout.endswith(ending)

    @pytest.mark.parametrize(("number", "text"), [(0, "0 events"), (1, "1 event"), (2, "2 events")])
    def test_the_events_of_an_unfinished_game_are_in_the_singular_or_the_plural(
        self, three_games: Path, number: int, text: str
    ) -> None:
        record = json.loads(three_games.read_text().splitlines()[0])
        record |= {"events": record["events"][:number], "result": None}
        three_games.write_text(json.dumps(record))
        assert run("replay", str(three_games)).stdout.endswith(f" 4 players, unfinished after {text}\n")
        resigned = {**record, "ending": {"by": "resignation", "seat": 1, "winners": [0]}}
        three_games.write_text(json.dumps(resigned))
        assert f", ended after {text} by the resignation of seat 1, " in run("replay", str(three_games)).stdout

    @pytest.mark.parametrize("number", [1, 2, 3])
    def test_the_moment_shown_is_one_of_the_game_with_this_number(self, three_games: Path, number: int) -> None:
        lines = three_games.read_text().splitlines()
        games = [[event["do"] for event in json.loads(line)["events"]] for line in lines]
        at = next(at for at, actions in enumerate(zip(*games, strict=False)) if len(set(actions)) == 3)
        shown = run("replay", str(three_games), "--game", str(number), "--at", str(at)).stdout
        assert shown.rstrip().endswith(f", {games[number - 1][at]}")

    def test_the_moment_has_the_name_of_the_player_who_acts_next(self, three_games: Path) -> None:
        record = json.loads(three_games.read_text().splitlines()[0]) | {"names": ["Ann", "Bo", "Cy", "Di"]}
        three_games.write_text(json.dumps(record))
        at, event = next((at, each) for at, each in enumerate(record["events"]) if each["by"] != "chance")
        last = run("replay", str(three_games), "--at", str(at)).stdout.splitlines()[-1]
        assert last == f"After {at} of {len(record['events'])} events: {record['names'][event['by']]}, {event['do']}"

    def test_the_last_moment_has_the_winners_and_the_resignations(self, three_games: Path) -> None:
        record = json.loads(three_games.read_text().splitlines()[0]) | {"names": ["Ann", "Bo", "Cy", "Di"]}
        last = len(record["events"])
        (scores, winners), names = (record["result"][key] for key in ("scores", "winners")), record["names"]
        for resigned, end in (
            ({}, f"won by {', '.join(names[seat] for seat in winners)}"),
            ({"resigned": [{"seat": 0, "after": 9}], "winners": [1]}, "won by Bo, Ann resigned after 9 events"),
        ):
            three_games.write_text(json.dumps({**record, **resigned}))
            shown = run("replay", str(three_games), "--at", str(last)).stdout.splitlines()[-1]
            scored = " ".join(map(str, scores))
            assert shown == f"After {last} of {last} events: the game is over: scores {scored}, {end}"

    def test_the_last_moment_that_the_error_names_can_be_shown_and_no_later_one(self, three_games: Path) -> None:
        refused = run("replay", str(three_games), "--game", "2", "--at", "9999")
        found = re.search(r"there is nothing after 9999 events; --at may be 0 to (\d+)", refused.output)
        assert found
        last = int(found[1])
        assert last == len(json.loads(three_games.read_text().splitlines()[1])["events"])
        at_last, later = (run("replay", str(three_games), "--game", "2", "--at", str(at)) for at in (last, last + 1))
        assert (at_last.exit_code, later.exit_code) == (0, 1)
        assert f"After {last} of {last} events: the game is over: " in at_last.stdout
        assert f"After {last - 1} of {last} events: " in (
            run("replay", str(three_games), "--game", "2", "--at", str(last - 1)).stdout
        )

    def test_an_illegal_action_is_reported_with_line_event_and_the_legal_ones(self, three_games: Path) -> None:
        lines = three_games.read_text().splitlines()
        record = json.loads(lines[1])
        record["events"][3]["do"] = "XB"
        three_games.write_text("\n".join([lines[0], json.dumps(record), lines[2]]))
        result = run("replay", str(three_games))
        assert result.exit_code == 1
        assert f"{three_games}, line 2, event 4: 'XB' is not legal" in result.output
        assert "Legal: " in result.output

    @pytest.mark.parametrize("command", ["replay", "hint"])
    def test_a_command_in_a_new_process_finds_the_games_of_records(self, tmp_path: Path, command: str) -> None:
        start = {"format": "parlour-record/1", "game": "oh-dear", "players": 2, "options": {}, "events": []}
        (tmp_path / "game.json").write_text(json.dumps(start))
        shown = subprocess.run(
            [sys.executable, "-m", "parlour", command, "game.json"], cwd=tmp_path, capture_output=True, text=True
        )
        assert shown.returncode == 1
        assert "there is no game 'oh-dear'; there are castle-walls, " in shown.stderr

    def test_a_missing_file_is_reported(self) -> None:
        result = run("replay", "/nowhere/games.jsonl")
        assert result.exit_code == 1
        assert "/nowhere/games.jsonl: No such file or directory" in result.output


@pytest.mark.slow
class TestBench:
    def test_json_has_all_results(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bench, "first_playout_seconds", lambda setup: (9.0, 0.5, 1.0))
        result = json.loads(run("bench", "trime-kicker", "--json", "--seconds", "0.02").stdout)
        assert result["game"] == "trime-kicker"
        assert result["players"] == 2
        for key in ("actions_per_second", "games_per_second", "hand_written"):
            assert result[key] > 0
        seconds = [result[key] for key in ("compile_seconds", "warm_seconds", "import_seconds")]
        assert seconds == [9.0, 0.5, 1.0]

    def test_the_first_playout_is_timed_with_an_empty_and_with_a_filled_cache(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "tiny.py").write_text(TINY)
        install(tmp_path, "tiny", "tiny")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        kept, outputs, run_program = [], iter(["1.5 9.0", "1.25 0.5"]), subprocess.run

        def run_once(command: list[str], **named: Any) -> SimpleNamespace:
            kept.append(any(Path(named["env"]["PARLOUR_CACHE"]).iterdir()))
            imports, playout = run_program(command, **named).stdout.split()
            assert float(imports) > 0
            assert float(playout) > 0
            return SimpleNamespace(stdout=next(outputs))

        monkeypatch.setattr(bench.subprocess, "run", run_once)
        found = bench.first_playout_seconds(SimpleNamespace(game=SimpleNamespace(id="tiny"), players=2))
        assert found == (9.0, 0.5, 1.25)
        assert kept == [False, not numba.config.DISABLE_JIT]
