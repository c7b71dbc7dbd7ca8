"""Bots in Python from outside: lookup, observations, and enforcement of legality."""

import json
import sys
import threading
import time
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

import parlour
from parlour import ParlourError
from parlour.bots import find_bot
from parlour.bots.external import ExistingBot, OutsideBot, find_any_bot
from parlour.bots.protocol import Forfeit
from parlour.bots.timeouts import THREAD
from parlour.cli import main
from parlour.contests.contest import MATCH, Contest

SETUP = parlour.make("trime-kicker")
SOURCE = """
class First:
    def choose(self, observation):
        return observation.legal[0]

class Named(First):
    version = "2.5"

class Computed(First):
    @property
    def version(self):
        return "1.2"

class Asked(First):
    def version(self):
        return "1.2"

class Failing(First):
    @property
    def version(self):
        raise SystemExit

class Outer:
    class Inner(First):
        pass

class Counting(First):
    def choose(self, observation):
        return int(observation.legal_mask.argmax())

class Cheat:
    def choose(self, observation):
        return "everything"

class Crash:
    def choose(self, observation):
        return {}["a card"]

class Exit:
    def choose(self, observation):
        raise SystemExit(3)

class Interrupting:
    def choose(self, observation):
        raise KeyboardInterrupt

class Nameless:
    def choose(self, observation):
        return self
    def __repr__(self):
        raise ValueError

class Text(str):
    def fail(self, *others):
        raise RuntimeError("no text")
    __eq__ = __hash__ = __str__ = __repr__ = __len__ = __format__ = __iter__ = __getitem__ = fail

class Number(int):
    fail = Text.fail
    __eq__ = __hash__ = __int__ = __index__ = __str__ = __repr__ = __lt__ = __le__ = __gt__ = __ge__ = fail

class Texts:
    def choose(self, observation):
        return Text(observation.legal[0])

class Numbers:
    def choose(self, observation):
        return Number(observation.legal_mask.argmax())

class BadText:
    def choose(self, observation):
        return Text("everything")

class Foreign:
    def choose(self, observation):
        return self
    @property
    def __class__(self):
        raise RuntimeError("of no class")

class Huge:
    def choose(self, observation):
        return 10**6000

class Begun(First):
    @property
    def begin(self):
        raise RuntimeError("not yet")

class Unmade(First):
    def __init__(self):
        1 / 0

class NoBegin(First):
    def begin(self, setup, seat):
        raise RuntimeError

class Nothing:
    def choose(self, observation):
        pass

class Beyond:
    def choose(self, observation):
        return 100000

class Endless:
    def choose(self, observation):
        while True:
            pass

class Asleep:
    def choose(self, observation):
        __import__("time").sleep(5)

class SoreLoser(First):
    def end(self, result):
        raise ValueError(result)

class Slow(First):
    def __init__(self):
        __import__("time").sleep(0.4)
    def begin(self, setup, seat):
        __import__("time").sleep(0.4)

class NoBot:
    pass

instance = First()
failing = Failing()
"""


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a module with bots into the current folder."""
    file = tmp_path / "their_bots.py"
    file.write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "their_bots", raising=False)
    return file


def thinking_threads() -> set[threading.Thread]:
    """Return the threads in which bots think."""
    return {thread for thread in threading.enumerate() if thread.name == THREAD}


def wait_until_gone(before: set[threading.Thread]) -> None:
    """Wait until only the earlier threads think."""
    end = time.monotonic() + 120
    while thinking_threads() - before and time.monotonic() < end:
        time.sleep(0.01)
    assert thinking_threads() <= before


class TestLookup:
    @pytest.mark.parametrize("name", ["First", "Counting", "instance", "Texts", "Numbers", "Outer.Inner"])
    def test_a_class_or_an_object_in_the_current_folder_plays(self, name: str) -> None:
        played = parlour.play(SETUP, [f"their_bots:{name}", "random"], seed=1)
        assert played.over

    def test_built_in_bots_come_first(self) -> None:
        assert find_any_bot("thumb").id == "thumb"
        assert find_any_bot("search:effort=10").searches

    @pytest.mark.parametrize(
        ("bot", "message"),
        [
            ("open:regular", "the bot open:regular sees all cards: it plays only in matches, ladders and studies"),
            ("unknown", "there is no bot 'unknown'; there are beginner, .*package.module:Class"),
            ("their_bots:Missing", "the bot 'their_bots:Missing' cannot be loaded: .*Missing"),
            ("their_bots:Outer.Missing", "cannot be loaded: .*Missing"),
            ("nowhere.at_all:Bot", "cannot be loaded: No module named 'nowhere'"),
            ("their_bots:NoBot", r"'their_bots:NoBot' is no bot: it has no method choose\(observation\)"),
        ],
    )
    def test_a_wrong_name_of_a_bot_is_refused_in_a_sentence(self, bot: str, message: str) -> None:
        with pytest.raises(ParlourError, match=message):
            find_any_bot(bot)

    def test_an_object_with_choose_is_a_bot(self) -> None:
        bots = find_any_bot("their_bots:First").make
        with pytest.raises(ParlourError, match=r"First is a class: make a bot of it, First\(\), and hand that in"):
            parlour.play(SETUP, ["random", bots])
        with pytest.raises(ParlourError, match=r"3 is no bot: it has no method choose\(observation\)"):
            parlour.play(SETUP, ["random", 3])
        with pytest.raises(ParlourError, match="1 bot for 2 seats: name one bot for each"):
            parlour.play(SETUP, ["random"])

    def test_an_installed_package_can_register_bots(self, tmp_path: Path) -> None:
        info = tmp_path / "their_bots-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-bots\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[parlour.bots]\nfriend = their_bots:Named\n")
        sys.path.insert(0, str(tmp_path))
        assert find_any_bot("friend").version == "2.5"

    @pytest.mark.parametrize(
        ("version", "text"), [("2.5", "2.5"), (3, "3"), (0, "0"), ("", ""), ("\x1b[2J\ud800", "�[2J�")]
    )
    def test_a_version_of_its_own_is_shown_as_text_whatever_it_is(self, version: object, text: str) -> None:
        bot = type("Own", (), {"version": version, "choose": lambda self, observation: observation.legal[0]})
        for named in (bot, ExistingBot(bot())):
            assert OutsideBot("own", named).version == text

    @pytest.mark.parametrize("name", ["Computed", "Asked", "failing"])
    def test_a_version_that_is_no_text_or_number_is_replaced_by_the_hash_of_the_source(self, name: str) -> None:
        """The text of a property or method has an address, another one in each process."""
        assert find_any_bot(f"their_bots:{name}").version == find_any_bot("their_bots:First").version

    def test_a_class_without_a_source_file_needs_a_version(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Such as a class made in a notebook, or on standard input."""
        notebook = ModuleType("notebook")
        exec(SOURCE, notebook.__dict__)
        monkeypatch.setitem(sys.modules, "notebook", notebook)
        assert find_any_bot("notebook:Named").version == "2.5"
        for file in (None, "<stdin>"):
            monkeypatch.setattr(notebook, "__file__", file, raising=False)
            with pytest.raises(ParlourError, match="'notebook:First' has no file with its source: put its class in a"):
                find_any_bot("notebook:First").version  # noqa: B018


class TestDecisions:
    def test_the_error_of_an_illegal_action_names_bot_and_seat(self) -> None:
        message = 'the bot their_bots:Cheat in seat 1 forfeits the game: it said "everything", which is not legal'
        with pytest.raises(Forfeit, match=message):
            parlour.play(SETUP, ["random", "their_bots:Cheat"], seed=1)

    @pytest.mark.parametrize(
        ("bot", "message"),
        [
            ("Crash", "crashed with KeyError: \"'a card'\""),
            ("Exit", 'crashed with SystemExit: "3"'),
            ("Unmade", "crashed with ZeroDivisionError"),
            ("NoBegin", "crashed with RuntimeError"),
            ("Nothing", 'said "None", which is no action'),
            ("Nameless", 'said "Nameless", which is no action'),
            ("Beyond", "said 100000, which is no action's number"),
            ("Huge", "said int, which is no action's number"),
            ("BadText", 'said "everything", which is not legal: That is not an action of Trime Kicker'),
            ("Foreign", 'crashed with RuntimeError: "of no class"'),
            ("Begun", 'crashed with RuntimeError: "not yet"'),
        ],
    )
    @pytest.mark.parametrize("seconds", [None, 20])
    def test_its_exception_is_reported(self, bot: str, message: str, seconds: float | None) -> None:
        with pytest.raises(Forfeit, match=message):
            parlour.play(SETUP, ["random", f"their_bots:{bot}"], seed=1, move_time=seconds)

    def test_a_keyboard_interrupt_in_a_thinking_thread_is_a_crash(self) -> None:
        with pytest.raises(Forfeit, match="crashed with KeyboardInterrupt"):
            parlour.play(SETUP, ["random", "their_bots:Interrupting"], seed=1, move_time=20)

    @pytest.mark.parametrize("bot", ["Endless", "Asleep"])
    def test_a_bot_without_an_answer_forfeits(self, bot: str) -> None:
        before = thinking_threads()
        with pytest.raises(Forfeit, match=r"it took longer than 0\.3 s"):
            parlour.play(SETUP, ["random", f"their_bots:{bot}"], seed=1, move_time=0.3)
        if bot == "Endless":
            wait_until_gone(before)

    def test_errors_after_the_end_of_the_game_are_warnings(self) -> None:
        message = r"their_bots:SoreLoser: end\(\) crashed with ValueError: .*; the result stands"
        with pytest.warns(RuntimeWarning, match=message):
            assert parlour.play(SETUP, ["random", "their_bots:SoreLoser"], seed=1).over

    def test_it_has_longer_to_be_created_and_to_begin_than_to_decide(self) -> None:
        assert parlour.play(SETUP, ["random", "their_bots:Slow"], seed=1, move_time=0.3).over


@pytest.mark.slow
class TestContests:
    def test_outside_bots_play_the_same_deals(self) -> None:
        builtin, mixed = (
            Contest(MATCH, SETUP, bots, 5).arena() for bots in (("thumb", "random"), ("thumb", "their_bots:First"))
        )
        alone, watched = builtin.play(0, [0, 0]), mixed._play_by_events(0, [0, 0], lambda: False, 0, False)
        assert (alone.scores, alone.winners, alone.decisions) == (watched.scores, watched.winners, watched.decisions)
        assert mixed.play(0, [0, 1]).winners

    @pytest.mark.parametrize(
        "command",
        [
            "match their_bots:Unmade thumb trime-kicker",
            "match thumb their_bots:Unmade trime-kicker",
            "ladder trime-kicker thumb their_bots:Unmade",
            "exploit trime-kicker their_bots:Unmade --out policy.json",
            "dataset trime-kicker --bots their_bots:Unmade --out data",
        ],
    )
    def test_a_bot_that_cannot_be_created_is_refused_before_the_first_game(self, command: str) -> None:
        result = CliRunner().invoke(main, command.split())
        assert result.exit_code == 1
        assert "the bot their_bots:Unmade cannot be created: it crashed with ZeroDivisionError" in result.stderr

    def test_a_forfeited_game_is_lost_and_the_contest_continues(self, tmp_path: Path) -> None:
        command = ["match", "their_bots:Cheat", "random", "trime-kicker", "--deals", "3", "--out", "out.jsonl"]
        result = CliRunner().invoke(main, [*command, "--cores", "1"])
        assert result.exit_code == 0, result.output
        assert '  their_bots:Cheat: 6 games forfeited: said "everything", which is not legal' in result.output
        assert "  wins    0.0% " in result.output
        header, *deals = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
        assert header["move_time"] == 60
        for game in (game for deal in deals for game in deal["games"]):
            seat = game["bots"].index(0)
            assert game["forfeit"]["seat"] == seat
            assert game["winners"] == [1 - seat]
            assert game["scores"][seat] == min(game["scores"])
        again = CliRunner().invoke(main, [*command, "--cores", "1", "--json"])
        (forfeit,) = json.loads(again.stdout)["forfeits"]
        assert (forfeit["bot"], forfeit["games"]) == ("their_bots:Cheat", 6)

    def test_a_ladder_reports_forfeits_and_leaves_no_thread(self) -> None:
        before = thinking_threads()
        command = ["ladder", "trime-kicker", "their_bots:Endless", "random", "-n", "2", "--cores", "1"]
        result = CliRunner().invoke(main, [*command, "--move-time", "0.1"])
        assert result.exit_code == 0, result.output
        assert result.stdout.endswith("  their_bots:Endless: 4 games forfeited: took longer than 0.1 s\n")
        wait_until_gone(before)

    def test_results_of_a_match_name_the_source_of_the_bot(self, tmp_path: Path, module: Path) -> None:
        command = [
            "match",
            "their_bots:First",
            "random",
            "trime-kicker",
            "--deals",
            "2",
            "--json",
            "--out",
            "out.jsonl",
        ]
        done = CliRunner().invoke(main, [*command, "--cores", "1"])
        assert done.exit_code == 0, done.output
        header = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])
        version = header["outside"]["their_bots:First"]
        assert len(version) == 16
        module.write_text(SOURCE + "# changed\n")
        del sys.modules["their_bots"]
        again = CliRunner().invoke(main, [*command, "--cores", "1"])
        assert again.exit_code == 1
        assert "out.jsonl holds other results: outside is" in again.output


class TestUnsupportedCommands:
    @pytest.mark.parametrize(
        ("command", "message"),
        [
            (("exact", "trime-kicker", "their_bots:First"), "it needs the past events of its game"),
            (("exact", "trime-kicker", "exec:true"), "the bot 'exec:true' is from outside"),
            (("exact", "trime-kicker", "thumb+greedy"), "Error: thumb+greedy: kinds of player play in matches"),
            (
                ("match", "exec:false", "random", "trime-kicker"),
                "the bot exec:false cannot play: it ended with status 1",
            ),
            (("match", "random", "random", "trime-kicker", "--move-time", "0"), "0.0 is not in the range"),
            (("play", "trime-kicker", "--bots", "exec:there-is-none"), "it cannot be started: No such file"),
        ],
    )
    def test_they_are_refused_in_a_sentence(self, command: tuple[str, ...], message: str) -> None:
        done = CliRunner().invoke(main, list(command))
        assert done.exit_code
        assert message in done.output
        assert "Traceback" not in done.output

    def test_a_card_room_seats_no_outside_bots(self) -> None:
        for bot in ("exec:true", "their_bots:First"):
            with pytest.raises(ParlourError, match="is from outside, and only built-in bots can play here"):
                find_bot(bot)
