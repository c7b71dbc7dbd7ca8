"""The table in the terminal, for a person who only reads and types."""

import io
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.text import Text

from parlour import make
from parlour.bots.compiled_observation import CompiledObservation
from parlour.bots.levels import Level
from parlour.cli import main, terminal
from parlour.cli.console import hanging, replace_unprintable
from parlour.cli.table_view import TableView
from parlour.engine.game import Game
from parlour.engine.matches.records import read_records, replay
from parlour.engine.moves import Move
from parlour.engine.rules import CHANCE
from parlour.render.layouts import find_layout
from parlour.render.scene import CardSeen, Row
from parlour.render.text import WIDTH, scene_text
from tests.commands.terminal_game import play


class TestAWholeGame:
    @pytest.mark.parametrize("players", ["2", "4", "6"])
    def test_typing_the_first_action_each_time_ends_the_game(self, tmp_path: Path, players: str) -> None:
        result = play("-p", players, typed="1\n" * 40, folder=tmp_path)
        assert result.exit_code == 0
        assert "The round is over" in result.output
        assert result.output.partition("Look back on it with:")[0].rstrip().endswith(".")

    def test_the_text_alone_names_every_card_of_the_game(self, tmp_path: Path) -> None:
        result = play(typed="1\n" * 9, folder=tmp_path)
        sentences = [line for line in result.output.splitlines() if " leads the " in line or " plays the " in line]
        own = [line for line in result.output.splitlines() if "You lead the" in line or "You play the" in line]
        assert len(sentences) + len(own) == 36

    def test_a_finished_game_is_stored_for_review(self, tmp_path: Path) -> None:
        shown = play(typed="1\n" * 9, folder=tmp_path).output
        assert f"parlour review {tmp_path / 'game.json'}" in shown
        [(_, record)] = read_records(str(tmp_path / "game.json"))
        assert "result" in record
        assert replay(record).over

    def test_each_game_has_its_own_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        shown = (
            CliRunner().invoke(main, ["play", "trick-walls", "-o", "rounds=1", "--seed", "1"], input="1\n" * 9).output
        )
        [file] = tmp_path.glob("parlour/trick-walls-*.json")
        assert f"parlour review {file}" in shown


class TestTheBeginning:
    WARNING = "The published rules advise against a long run with kill balance."

    def test_names_the_options_that_differ_and_warns(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "200")
        options = ["-o", "long_run=true", "-o", "kill_balance=true"]
        shown = play(*options, typed="q\n", folder=tmp_path).output
        assert "\nWhat is different:\n  " in shown
        assert "  Rounds: 1 instead of " in shown
        assert f"\n  {self.WARNING}\n" in shown
        resumed = play("--resume", str(tmp_path / "game.json"), typed="q\n", folder=tmp_path).output
        assert self.WARNING in resumed

    def test_is_short_in_the_published_game(self, tmp_path: Path) -> None:
        command = ["play", "trick-walls", "--record", str(tmp_path / "game.json")]
        assert "What is different" not in CliRunner().invoke(main, command, input="q\n").output


class TestASeed:
    def events(self, folder: Path, *arguments: str) -> list[dict]:
        folder.mkdir()
        play(*arguments, typed="1\n" * 3, folder=folder)
        events: list[dict] = json.loads((folder / "game.json").read_text())["events"]
        return events

    @pytest.mark.parametrize("bots", ["thumb", "casual", "random"])
    def test_gives_the_same_game_for_the_same_actions(self, tmp_path: Path, bots: str) -> None:
        first = self.events(tmp_path / "1", "--seed", "7", "--bots", bots)
        assert len(first) > 8
        assert self.events(tmp_path / "2", "--seed", "7", "--bots", bots) == first
        assert self.events(tmp_path / "3", "--seed", "8", "--bots", bots) != first

    def test_gives_the_same_game_with_any_number_of_threads(self, tmp_path: Path, shared_among: list[int]) -> None:
        first, second = (
            self.events(tmp_path / threads, "--seed", "7", "--bots", "search:effort=60000", "--threads", threads)
            for threads in "13"
        )
        assert (first == second, set(shared_among)) == (True, {1, 3})

    def test_gives_the_same_deal_as_in_python(self, tmp_path: Path) -> None:
        dealt = make("trick-walls", players=4, rounds=1).start(seed=7).record()["events"]
        assert self.events(tmp_path / "1", "--seed", "7")[: len(dealt)] == dealt


class TestTyping:
    def test_small_letters_are_accepted(self, tmp_path: Path) -> None:
        shown = play(typed="q\n", folder=tmp_path).output
        first = next(line for line in shown.splitlines() if "Your turn" in line).split("Play: 1 ")[1].split()[0]
        record = json.loads((tmp_path / "game.json").read_text())
        assert first.isupper()
        resumed = play("--resume", str(tmp_path / "game.json"), typed=f"{first.lower()}\nq\n", folder=tmp_path)
        assert "is not legal" not in resumed.output
        assert len(json.loads((tmp_path / "game.json").read_text())["events"]) > len(record["events"])

    def test_an_illegal_action_is_refused_with_a_reason_and_the_game_continues(self, tmp_path: Path) -> None:
        result = play(typed="XB\ngarbage\n" + "1\n" * 9, folder=tmp_path)
        assert "  You do not hold the black joker. TW-7\n  Your turn: " in result.output
        assert "  That is not an action of Trick Walls.\n  Your turn: " in result.output
        assert "The round is over" in result.output

    def test_a_question_mark_explains_why_a_card_is_not_legal(self, tmp_path: Path) -> None:
        assert "You do not hold the black joker. TW-7" in play(typed="? xb\nq\n", folder=tmp_path).output

    @pytest.mark.parametrize(
        ("key", "answer"),
        [
            ("m", "You may: "),
            ("h", " % ("),
            ("s", "Score: "),
            ("?", "what may I play?"),
            ("l", "nothing to look back"),
            ("hint", " % ("),
            ("Rules", "Dummy cities"),
        ],
    )
    def test_questions_are_answered(self, tmp_path: Path, key: str, answer: str) -> None:
        assert answer in play("--option", "exchange=false", typed=f"{key}\nq\n", folder=tmp_path).output

    @pytest.mark.parametrize("tricks", range(1, 5))
    def test_the_last_trick_can_be_shown_whichever_seat_leads_the_next(self, tmp_path: Path, tricks: int) -> None:
        answer = play(typed="1\n" * tricks + "l\nq\n", folder=tmp_path).output.split("> ")[-2]
        assert "last trick:" in answer
        assert "You " in answer

    @pytest.mark.parametrize(
        ("rows", "rest", "shown"),
        [
            (["trick:one", "trick:two"], False, []),
            (["trick:one", "trick:two", "hand:three"], True, ["two"]),
            (["last:one", "trick:two", "last:three"], True, ["one", "three"]),
            (["hand:one", "trick:"], True, []),
        ],
    )
    def test_kept_rows_are_shown_or_else_the_trick_that_was_just_completed(
        self, rows: list[str], rest: bool, shown: list[str]
    ) -> None:
        """A row is written as its style and its name; a row without a name has no cards."""
        made = [
            Row(place, place, style, [CardSeen("2C", True)] if place else [])
            for style, place in (row.split(":") for row in rows)
        ]
        scene = SimpleNamespace(areas=[SimpleNamespace(rows=made[:1]), SimpleNamespace(rows=made[1:])], rest=rest)
        text = str(terminal._last_trick_text(scene))
        assert [place for place in ("one", "two", "three") if f"{place}:" in text] == shown
        assert ("There is nothing to look back at yet." in text) == (not shown)

    @pytest.mark.parametrize(
        ("typed", "answer"),
        [
            ("? massacres", "Massacre: a city"),
            ("? stand", "Stands: it rose"),
            ("? trick", "Empty trick: only"),
            ("? city", "No such word is explained here; the words are: killed, stands, empty trick, dummy,"),
            ("? second stock", "No such word is explained here"),
            ("? top", "Only a dummy city has a pile to play from"),
            ("? give 10h", "No cards are exchanged now"),
            ("?", "Words of the game: killed, stands, empty trick, dummy, pure, massacre"),
        ],
    )
    def test_a_question_mark_explains_words_of_the_game(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, answer: str
    ) -> None:
        monkeypatch.setenv("COLUMNS", "200")
        shown = play("-o", "exchange=false", typed=f"{typed}\nq\n", folder=tmp_path).output
        assert answer in shown
        assert "That is not an action" not in shown

    def test_a_word_finds_every_term_that_it_begins(self, tmp_path: Path) -> None:
        command = ["play", "tricky-tribes", "--record", str(tmp_path / "game.json")]
        shown = CliRunner().invoke(main, command, input="? trick\n? tr\nq\n").output
        assert shown.count("Open trick:") == shown.count("Dark trick:") == 1
        assert shown.count("No such word is explained here") == 1

    def test_actions_are_listed_by_verb(self, tmp_path: Path) -> None:
        command = ["play", "trime-kicker", "--seed", "1", "--record", str(tmp_path / "game.json")]
        shown = " ".join(CliRunner().invoke(main, command, input="q\n").output.split())
        assert re.search(r"Decline: \d+ decline ", shown)
        assert re.search(r"Lay: (1 |.* … \(\d+ ways)|Draw from the backup: \d draw", shown)

    @pytest.mark.parametrize("typed", ["²", "٣٣٣", "9" * 5000, "\ud800"])
    def test_a_number_out_of_range_is_refused_like_any_other_word(self, tmp_path: Path, typed: str) -> None:
        shown = play(typed=f"{typed}\nq\n".encode("utf-8", "surrogatepass"), folder=tmp_path)
        assert shown.exit_code == 0, shown.exception
        assert "That is not an action of Trick Walls." in shown.output

    @pytest.mark.parametrize(("typed", "swaps"), [("8", False), ("9", False), ("71", False), ("swap 2d", True)])
    def test_an_action_that_is_only_counted_is_played_by_its_words_and_by_no_number(
        self, tmp_path: Path, typed: str, swaps: bool
    ) -> None:
        command = ["play", "three-tricks", "--seed", "1", "--record", str(tmp_path / "game.json")]
        shown = CliRunner().invoke(main, command, input=f"{typed}\nq\n").output
        assert "8 pass" in shown
        assert "(63 ways; m lists them)" in shown
        assert ("You swap the two of diamonds." in shown) == swaps
        assert ("You pass." in shown) == (typed == "8")


class TestAPause:
    @pytest.mark.parametrize(
        ("pause", "actor", "keys", "shown"),
        [
            ("Round 1 is over", CHANCE, True, ["the score", "Enter"]),
            ("Round 1 is over", CHANCE, False, ["the score"]),
            ("Round 1 is over", 0, True, []),
            ("", CHANCE, True, []),
            ("", 1, True, []),
        ],
    )
    def test_shows_the_score_before_the_next_deal_and_waits_for_a_person(
        self, monkeypatch: pytest.MonkeyPatch, pause: str, actor: int, keys: bool, shown: list[str]
    ) -> None:
        found: list[str] = []
        table = self.table(monkeypatch, found, pause, actor, [""])
        monkeypatch.setattr(terminal, "score_text", lambda scene: "the score")
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: keys))
        table._wait_for_enter()
        assert found == shown

    @pytest.mark.parametrize(
        ("typed", "answers"),
        [
            (["l", ""], ["  There is nothing to look back at yet."]),
            (["h", "m", ""], ["  There is nothing to play now."] * 2),
            (["?7H", ""], ["  There is nothing to play now."]),
            (["7H"], []),
        ],
    )
    def test_answers_questions(self, monkeypatch: pytest.MonkeyPatch, typed: list[str], answers: list[str]) -> None:
        found: list[str] = []
        table = self.table(monkeypatch, found, "Round 1 is over", CHANCE, [*typed])
        monkeypatch.setattr(terminal, "score_text", lambda scene: "the score")
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
        table._wait_for_enter()
        assert [text for text in found if text != "Enter"] == ["the score", *answers]
        assert found.count("Enter") == len(typed)

    def test_is_a_moment_to_stop(self, monkeypatch: pytest.MonkeyPatch) -> None:
        table = self.table(monkeypatch, [], "Round 1 is over", CHANCE, ["q"])
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
        monkeypatch.setattr(terminal, "score_text", lambda scene: "the score")
        with pytest.raises(terminal._TableStopped):
            table._wait_for_enter()

    def table(self, monkeypatch: pytest.MonkeyPatch, found: list[str], pause: str, actor: int, typed: list[str]) -> Any:
        """Return a table after a round of Trick Walls whose player types these lines; ``found`` gets what it shows."""

        def answer(question: str) -> str:
            found.append("Enter")
            return typed.pop(0)

        table: Any = object.__new__(terminal._TerminalTable)
        table.scene = SimpleNamespace(pause=pause, legal=[], areas=[], rest=False)
        table.match = SimpleNamespace(actor=actor, setup=make("trick-walls"))
        table.seat, table.layout = 0, find_layout("trick-walls")
        table.view = TableView("trick-walls", plain=True)
        table.console = table.view.console = SimpleNamespace(width=80, print=lambda text: found.append(text.plain))
        monkeypatch.setattr(terminal, "typed_line", answer)
        return table


class TestANarrowTerminal:
    @pytest.mark.parametrize("columns", [40, 60, 200])
    def test_no_line_is_longer_and_no_number_is_separated_from_its_action(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
    ) -> None:
        monkeypatch.setenv("COLUMNS", str(columns))
        command = ["play", "castle-walls", "--seed", "1", "--record", str(tmp_path / "game.json")]
        shown = CliRunner().invoke(main, command, input="q\n").output.partition("Your turn:")[2].partition(">")[0]
        assert max(map(len, shown.splitlines())) <= columns
        further = [line for line in shown.splitlines() if line.startswith(" " * 6)]
        assert bool(further) == (columns < 200)
        for line in further:
            assert re.fullmatch(r" {6}(\d+ (down|up) \w\w \d( {2}|$))+", line)

    @pytest.mark.parametrize("columns", [24, 40, 60])
    def test_no_action_is_broken_in_the_list_of_all(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
    ) -> None:
        monkeypatch.setenv("COLUMNS", str(columns))
        command = ["play", "castle-walls", "--seed", "1", "--record", str(tmp_path / "game.json")]
        shown = CliRunner().invoke(main, command, input="m\nq\n").output.split("> ")[1].partition("Your turn:")[0]
        lines = shown.partition("You may: ")[2].rstrip().splitlines()
        assert len(lines) > 1
        for line in lines:
            assert re.fullmatch(r" *(((down|up) \w\w \d|end)(, |,?$))+", line)

    @pytest.mark.parametrize("command", [["play", "castle-walls"], ["puzzle", "castle-walls"]])
    def test_the_help_has_one_key_a_line(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
    ) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        shown = CliRunner().invoke(main, command, input="?\nq\n").output
        keys = re.findall(r"^  (\S)  \S", shown, re.MULTILINE)
        assert {"m", "t", "s", "r", "q"} <= set(keys)
        assert len(keys) == len(set(keys))

    def test_the_command_to_continue_stays_whole_below_its_sentence(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "40")
        monkeypatch.chdir(tmp_path)
        shown = CliRunner().invoke(main, ["play", "castle-walls", "--record", "my game.json"], input="q\n").output
        assert shown.endswith(
            "\nThe game is saved; continue with:\n  parlour play castle-walls '--resume=my game.json'\n"
        )

    @pytest.mark.parametrize("typed", ["?", "m", "? wall", "up 2C 1"])
    def test_the_rest_of_a_broken_line_of_an_answer_is_indented(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str
    ) -> None:
        monkeypatch.setenv("COLUMNS", "24")
        command = ["play", "castle-walls", "--seed", "1", "--record", str(tmp_path / "game.json")]
        shown = CliRunner().invoke(main, command, input=f"{typed}\nq\n").output
        lines = shown.split("> ")[1].partition("Your turn:")[0].rstrip().splitlines()
        assert max(map(len, lines)) <= 24
        assert any(line.startswith("    ") for line in lines)
        assert all(line.startswith("  ") for line in lines[1:])

    def test_a_line_that_fits_stays_as_it_is(self) -> None:
        text = "  m  what may I play?   t  the table\n\n  end"
        assert hanging(Text(text), 36).plain == text

    def test_the_rest_of_a_broken_line_is_two_columns_deeper_than_its_beginning(self) -> None:
        assert hanging(Text("one two\n  three four"), 9).plain == "one two\n  three\n    four"

    def test_a_broken_line_of_the_table_keeps_its_styles_and_spaces(self) -> None:
        line = Text("  hand:   ").append("9D", style="red").append("  JD  (2H)")
        shown = hanging(Text("\n").join([line, Text(""), Text("end")]), 14)
        assert shown.plain == "  hand:   9D\n    JD  (2H)\n\nend"
        assert [(shown.plain[span.start : span.end], span.style) for span in shown.spans] == [("9D", "red")]

    def test_the_table_the_score_and_the_actions_are_indented(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "30")
        command = ["play", "trick-walls", "--seed", "1", "--record", str(tmp_path / "game.json"), "--pace", "0"]
        shown = CliRunner().invoke(main, command, input="s\nq\n").output
        lines = shown.partition("trick 1 of 9\n")[2].rpartition("> ")[0].replace("> ", "").splitlines()
        assert max(map(len, lines)) <= 30
        assert [line for line in lines if line and not line.startswith("  ")] == []
        assert any(line.startswith("    ") and "hand:" not in line for line in lines)

    def test_a_percentage_is_not_broken(self) -> None:
        assert hanging(Text("your chance is 43 %. Next"), 18).plain == "your chance is\n  43 %. Next"

    @pytest.mark.parametrize("columns", [40, 200])
    def test_the_line_of_a_heading_has_the_width_of_the_terminal(self, columns: int) -> None:
        scene = find_layout("trime-kicker").lay_out(make("trime-kicker").start(1).observation(), ["Ann", "Bo"], None)
        heading = scene_text(scene, width=min(WIDTH, columns)).plain.splitlines()[0]
        assert len(heading) == min(WIDTH, columns)


class TestALimitedEncoding:
    @pytest.mark.parametrize(
        "command", [["rules", "castle-walls"], ["play", "castle-walls"], ["learn", "castle-walls"]]
    )
    def test_replaces_missing_letters_by_question_marks_in_every_command(
        self, tmp_path: Path, command: list[str]
    ) -> None:
        result = CliRunner(charset="ascii", env={"XDG_DATA_HOME": str(tmp_path)}).invoke(main, command, input="q\n")
        assert result.exit_code == 0, result.exception
        assert "?" in result.output

    @pytest.mark.parametrize(
        ("encoding", "written"),
        [("ascii", "Ada -12, F?r 3-4 ... ?"), ("latin-1", "Ada -12, Für 3-4 ... ?"), ("utf-8", "Ada −12, Für 3–4 … ♠")],
    )
    def test_keeps_signs_of_numbers(self, monkeypatch: pytest.MonkeyPatch, encoding: str, written: str) -> None:
        out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        monkeypatch.setattr(sys, "stdout", out)
        replace_unprintable()
        print("Ada −12, Für 3–4 … ♠", end="", flush=True)
        assert out.buffer.getvalue().decode(encoding) == written


class TestBots:
    def test_a_search_with_several_settings_can_be_listed_beside_other_bots(self, tmp_path: Path) -> None:
        bots = "search:effort=10,memory=50,thumb,search:habit=100"
        result = play("--bots", bots, typed="q\n", folder=tmp_path)
        assert result.exit_code == 0, result.output


class TestWhileTheSearchIsCompiled:
    NOTICE = "The bots get ready to think ahead"

    @pytest.fixture
    def searching(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """Let nothing be compiled; return a list that receives what is compiled and when a level chooses."""
        done: list[str] = []

        @contextmanager
        def compile_in_background(game: Game) -> Iterator[None]:
            done.append("begin")
            try:
                yield
            finally:
                done.append("end")

        def choose(level: Level, observation: CompiledObservation) -> Move:
            done.append("level")
            return Move(observation.moves[0])

        monkeypatch.setattr(terminal, "is_ready", lambda game: False)
        monkeypatch.setattr(terminal, "compile_in_background", compile_in_background)
        monkeypatch.setattr(terminal, "wait_until_ready", lambda game, tell: done.append("wait"))
        monkeypatch.setattr(Level, "choose", choose)
        return done

    def played(self, folder: Path, *arguments: str) -> Result:
        record = str(folder / "game.json")
        command = ["play", "trick-walls", "-o", "rounds=1", "--bots", "regular", "--record", record, *arguments]
        return CliRunner().invoke(main, command, input="1\n" * 9)

    def test_the_bots_play_by_rule_of_thumb(self, tmp_path: Path, searching: list[str]) -> None:
        result = self.played(tmp_path)
        assert "Look back on it with:" in result.output
        assert self.NOTICE in " ".join(result.output.split())
        assert searching == ["begin", "end"]

    def test_they_think_ahead_as_soon_as_it_is_compiled(
        self, tmp_path: Path, searching: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answers = iter([False] * 10)
        monkeypatch.setattr(terminal, "is_ready", lambda game: next(answers, True))
        self.played(tmp_path)
        assert (searching[0], searching[-1]) == ("begin", "end")
        assert 0 < searching.count("level") < 27

    def test_a_game_with_a_seed_waits_since_it_must_not_depend_on_the_time(
        self, tmp_path: Path, searching: list[str]
    ) -> None:
        assert self.NOTICE not in self.played(tmp_path, "--seed", "3").output
        assert searching[0] == "wait"

    def test_bots_that_do_not_search_need_nothing(self, tmp_path: Path, searching: list[str]) -> None:
        assert self.NOTICE not in self.played(tmp_path, "--bots", "thumb").output
        assert searching == []

    def test_who_stops_ends_the_compilation(self, tmp_path: Path, searching: list[str]) -> None:
        arguments = ["play", "trick-walls", "--bots", "regular", "--record", str(tmp_path / "game.json")]
        stopped = CliRunner().invoke(main, arguments, input="q\n")
        assert "The game is saved;" in stopped.output
        assert searching == ["begin", "end"]


class TestBadInput:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--seat", "9"), "there is no seat 9; the seats are 0 to 3"),
            (("--bots", "genius"), "there is no bot 'genius'; there are "),
            (("--bots", "thumb,random"), "2 bots for 3 seats: name one for all or one for each"),
            (("--resume", "/nowhere.json"), "/nowhere.json: No such file or directory"),
        ],
    )
    def test_it_is_reported(self, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
        result = play(*arguments, typed="", folder=tmp_path)
        assert result.exit_code == 1
        assert message in result.output
