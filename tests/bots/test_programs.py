"""Programs as bots: their messages, and their faults, none of which prevents the end of a game."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from itertools import islice
from pathlib import Path

import pytest

import parlour
from parlour import ParlourError
from parlour.authors.histories import record_of
from parlour.bots import programs
from parlour.bots.determinization_requests import answer_to
from parlour.bots.external import find_any_bot
from parlour.bots.match_play import Seats, _legal, forfeit_result
from parlour.bots.programs import LONGEST_LINE, WANTS, Program, observation_message, setup_message
from parlour.bots.protocol import Failure, Forfeit, Stopped, number_of, quoted
from parlour.engine.chance import new_stream
from parlour.engine.events import Event
from parlour.engine.information.determinization import determinize
from parlour.engine.match import Match
from parlour.engine.rules import partners
from parlour.games import all_games
from tests.bots.test_determinization_requests import REQUEST
from tests.helpers import play_at_random
from tests.server.card_room import wait_until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SETUP = parlour.make("trime-kicker")
PROGRAM = """
import json, os, sys, time
def say(message):
    print(json.dumps(message), flush=True)
HELLO = {"type": "hello", "protocol": "parlour-bot/1", "name": "Test", "version": "3"}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(HELLO)
    elif message["type"] == "observation":
        act = {"type": "act", "do": message["legal"][0], "seen": message["seen"]}
        WHAT
        say(act)
    elif message["type"] == "quit":
        break
"""


@pytest.fixture
def program(tmp_path: Path):
    """Return the id of a new program bot that runs some code before each act."""

    def write(what: str = "pass", source: str = PROGRAM, name: str = "their.py") -> str:
        file = tmp_path / name
        file.write_text(source.replace("WHAT", what.replace("\n", "\n        ")))
        return f"exec:{shlex.join([sys.executable, '-S', str(file)])}"

    return write


NOTED = 8
"""Time limit in seconds of a decision during which a program records its processes, even on a busy machine."""


def reason_of(bot: str, seconds: float | None = 20) -> str:
    with pytest.raises(Forfeit) as caught:
        parlour.play(SETUP, ["random", bot], seed=1, move_time=seconds)
    assert caught.value.seat == 1
    return caught.value.reason


NUMBERS = dict(SETUP.action_numbers)
"""Numbers of the actions by their texts, for the source of a program."""
ASKING = PROGRAM.replace('"version": "3"', '"version": "3", "wants": ["determinizations"]')


class TestDeterminizations:
    """A program may ask for determinizations of its observation while it decides."""

    def test_a_program_is_answered_as_often_as_it_asks(self, program) -> None:
        what = f"say({REQUEST})\nanswer = json.loads(sys.stdin.readline())\n" * 2
        what += "act['do'] = message['legal'][len(answer['worlds']) - 3]"
        assert parlour.play(SETUP, [program(what, ASKING), "random"], seed=1, move_time=20).over

    def test_an_undeclared_request_forfeits(self, program) -> None:
        assert reason_of(program(f"say({REQUEST})")) == (
            'asked for determinizations without "determinizations" among the "wants" of its hello'
        )

    def test_asking_does_not_stop_the_clock(self, program) -> None:
        bot = program(f"while True:\n    say({REQUEST})\n    sys.stdin.readline()", ASKING)
        assert reason_of(bot, seconds=1) == "took longer than 1 s"

    def test_answers_that_are_not_read_do_not_pile_up(self, program, monkeypatch: pytest.MonkeyPatch) -> None:
        """An answer fills the pipe, and another one waits in the queue."""
        answered = []
        monkeypatch.setattr(programs, "answer_to", lambda *given: answered.append(1) or answer_to(*given))
        bot = program(f"for _ in range(60):\n    say({REQUEST | {'number': 100}})\ntime.sleep(600)", ASKING)
        assert reason_of(bot, seconds=3) == "took longer than 3 s"
        assert len(answered) <= 2


class TestHandshake:
    def test_a_program_reports_its_name_and_version(self, program) -> None:
        assert find_any_bot(program()).version == "Test 3"

    def test_its_name_is_printable(self, program) -> None:
        source = PROGRAM.replace('"name": "Test"', r'"name": "\x1b[2J\ud800"')
        assert find_any_bot(program(source=source)).version == "�[2J� 3"

    def test_without_a_version_the_hash_of_its_files_is_used(self, program) -> None:
        source = PROGRAM.replace(', "version": "3"', "")
        versions = [find_any_bot(program(source=text)).version for text in (source, source + "#", source)]
        assert versions[0] == versions[2] != versions[1]
        assert versions[0].startswith("Test ")
        assert len(versions[0]) == len("Test ") + 16

    def test_a_file_that_cannot_be_read_counts_by_its_size_and_time(
        self, program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Such as a key that only the program's server may read."""
        key, bot = tmp_path / "bot.key", program(source=PROGRAM.replace(', "version": "3"', ""))

        def refuse(path: str, mode: str):
            if path == str(key):
                raise PermissionError
            return open(path, mode)

        monkeypatch.setattr(programs, "open", refuse, raising=False)
        versions = []
        for text, changed in (("secret", 1), ("secret!", 1), ("public", 2), ("others", 1)):
            key.write_text(text)
            os.utime(key, (changed, changed))
            versions.append(find_any_bot(f"{bot} {key}").version)
        assert len(set(versions[:3])) == 3
        assert versions[3] == versions[0]

    @pytest.mark.parametrize(
        ("bot", "error"),
        [
            ("exec:", "it has no command"),
            ("exec:'", "it has a command that cannot be read: No closing quotation"),
            ("exec:./there-is-none --at-all", "it cannot be started: No such file or directory"),
            ("exec:true", "it ended with status 0"),
            ("exec:echo hello", 'it said "hello", which cannot be read as JSON'),
            ("exec:sh -c 'echo Who are you? >&2; exit 3'", 'it ended with status 3, saying "Who are you\\?"'),
            ("""exec:echo '{"type": "hello", "protocol": "chess/9"}'""", "where a hello of parlour-bot/1 was expected"),
            ("""exec:sh -c 'exec 0<&-; sleep 0.2; echo "[1]"'""", 'it said "\\[1\\]", which is no message'),
            (
                """exec:echo '{"type": "hello", "protocol": "parlour-bot/1", "wants": ["state"]}'""",
                "but there are text, information_state",
            ),
            ("""exec:echo '{"type": "error", "text": "no licence"}'""", 'it gave up: "no licence"'),
        ],
    )
    def test_a_program_without_a_greeting_is_refused_before_the_first_game(
        self, bot: str, error: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(programs, "_END_SECONDS", 30.0)  # all of these programs end by themselves
        with pytest.raises(ParlourError, match=error):
            find_any_bot(bot).version  # noqa: B018


NODE_ERROR = """/bots/bot.js:8
  throw new Error('no cards')
  ^

Error: no cards
    at Interface.<anonymous> (/bots/bot.js:8:9)
    at processTicksAndRejections (node:internal/process/task_queues:85:11) {
  code: 'EMPTY'
}

Node.js v24.19.0"""
JAVA_ERROR = """Exception in thread "main" java.lang.Error: no cards
\tat Bot.main(Bot.java:8)"""
RUST_ERROR = """thread 'main' panicked at src/main.rs:8:5:
no cards
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"""


class TestFaults:
    @pytest.mark.parametrize(
        ("what", "reason"),
        [
            ("sys.exit('no cards')", 'ended with status 1, saying "no cards"'),
            (f"sys.exit({NODE_ERROR!r})", 'ended with status 1, saying "Error: no cards"'),
            (f"sys.exit({JAVA_ERROR!r})", 'saying "Exception in thread "main" java.lang.Error: no cards"'),
            (f"sys.exit({RUST_ERROR!r})", 'ended with status 1, saying "no cards"'),
            ("sys.exit('...')", 'ended with status 1, saying "..."'),
            ("os.kill(os.getpid(), 9)", "was ended by signal 9"),
            ("print('king of hearts', flush=True)", 'said "king of hearts", which cannot be read as JSON'),
            ("print('[' * 60000, flush=True)", 'said "' + "[" * 59 + '…", which cannot be read as JSON'),
            ("print('9' * 5000, flush=True)", 'said "' + "9" * 59 + '…", which cannot be read as JSON'),
            ("print('[1]', flush=True)", 'said "[1]", which is no message: it has no "type"'),
            ("os.write(1, b'\\xff\\x1b[2J\\n')", 'said "��[2J", which cannot be read as JSON'),
            ("act['do'] = 'everything'", 'said "everything", which is not legal: That is not an action'),
            ("act['do'] = '' ", 'said "", which is not legal'),
            ("act['do'] = 9999999", "said 9999999, which is no action's number"),
            ("act['do'] = 0.5", 'said "0.5", which is no action'),
            ("act['do'] = None", 'said "null", which is no action'),
            ("act['do'] = [True]", 'said "[true]", which is no action'),
            ("act['seen'] -= 1", 'said "seen": 1, where "seen" was 2'),
            ("act['seen'] += 0.5", 'said "seen": 2.5, where "seen" was 2'),
            ("act['type'] = 'think'", "where an act was expected"),
            ("del act['do']", "where an act was expected"),
            ("say(act)", ', where "seen" was '),
            ("say({'type': 'error', 'text': 'I resign'})", 'gave up: "I resign"'),
            ("os.write(1, b'x' * 200000)", f"said a line of more than {LONGEST_LINE:,} bytes"),
            ("os.close(1); time.sleep(60)", "closed its stdout"),
        ],
    )
    def test_it_forfeits_the_game_with_the_reason(self, program, what: str, reason: str) -> None:
        assert reason in reason_of(program(what))

    def test_a_number_that_is_not_legal_is_shown_with_its_text(self, program) -> None:
        illegal = f"act['do'] = min(set({NUMBERS}.values()) - {{{NUMBERS}[text] for text in message['legal']}})"
        assert re.match(r'said \d+, "[^"]+", which is not legal', reason_of(program(illegal)))

    def test_the_clause_is_named(self, program) -> None:
        illegal = "act['do'] = next(text for c in 'A24' for s in 'CDHS' "
        illegal += "if (text := f'{c}{s} on 1') not in message['legal'])"
        assert re.search(r"which is not legal \(TK-[45]\): ", reason_of(program(illegal)))

    @pytest.mark.parametrize(
        "what",
        [
            "time.sleep(60)",
            "[say({'type': 'info'}) for _ in range(300_000)]; sys.exit()",
            "os.close(0); time.sleep(60)",
            "sys.stdout.write('half a line'); sys.stdout.flush(); time.sleep(60)",
        ],
    )
    def test_a_program_without_an_answer_forfeits(self, program, what: str) -> None:
        begun = time.monotonic()
        assert reason_of(program(what), 0.5) == "took longer than 0.5 s"
        assert time.monotonic() - begun < 55

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
    @pytest.mark.parametrize("child", ["time.sleep(600)", "os.setsid(); time.sleep(60)"])
    def test_its_exit_is_noticed_while_a_child_holds_its_output(self, program, child: str) -> None:
        begun = time.monotonic()
        exits = program(f"if not os.fork():\n    {child}\nos._exit(3)")
        assert reason_of(exits, None) == "ended with status 3"
        assert time.monotonic() - begun < 55

    def test_an_answer_sent_before_its_exit_counts(self, program) -> None:
        """The act is carried out; the next observation fails."""
        exits = program("if not os.fork():\n    os.setsid(); time.sleep(60)\nsay(act)\nos._exit(3)")
        match = SETUP.start(seed=1)
        with Seats(SETUP, {match.actor: find_any_bot(exits)}, new_stream, None) as seats:
            seats.begin()
            assert seats.choose(match) == match.legal()[0]

    def test_the_time_limit_is_for_each_decision(self, program) -> None:
        """Five decisions together take longer than the limit."""
        slow = program("time.sleep(2 if message['seen'] < 12 else 0)")
        assert parlour.play(SETUP, ["random", slow], seed=1, move_time=8).over

    def test_gigabytes_on_stderr_do_not_block(self, program) -> None:
        lots = "if not message['events'][3:]: [os.write(2, b'x' * 1000000) for _ in range(1000)]"
        assert parlour.play(SETUP, ["random", program(lots)], seed=1, move_time=60).over

    def test_info_lines_are_ignored(self, program) -> None:
        talkative = program("for _ in range(3): say({'type': 'info', 'text': 'thinking'})")
        assert parlour.play(SETUP, ["random", talkative], seed=1, move_time=20).over

    def test_a_whole_number_with_a_decimal_point_is_whole(self, program) -> None:
        """Some languages write all numbers so."""
        floats = f"act['do'] = float({NUMBERS}[act['do']])\nact['seen'] = float(act['seen'])"
        assert parlour.play(SETUP, ["random", program(floats)], seed=1, move_time=20).over

    @pytest.mark.parametrize(
        ("value", "number"), [(3, 3), (3.0, 3), (-0.0, 0), (3.5, None), (True, None), ("3", None), (float("inf"), None)]
    )
    def test_a_number_of_a_message_is_whole_or_none(self, value: object, number: int | None) -> None:
        assert number_of(value) == number


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups here")
class TestCleanUp:
    """A program records the ids of itself and of its children."""

    NOTE = "open({!r}, 'a').write(f'{{os.getpid()}}\\n')"

    def gone(self, file: Path) -> bool:
        """Return whether all recorded processes end within a moment."""
        numbers = [int(line) for line in file.read_text().split()]
        assert numbers
        end = time.monotonic() + 50
        while any(alive(number) for number in numbers) and time.monotonic() < end:
            time.sleep(0.02)
        return not any(alive(number) for number in numbers)

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
    def test_it_ends_with_a_process_that_a_signal_ends(self, program, tmp_path: Path, number: int) -> None:
        """Also if it does not notice the end of its input."""
        file = tmp_path / "pids"
        bot = program(f"{self.NOTE.format(str(file))}\nwhile True: time.sleep(1)")
        play = (
            f"import parlour, signal; signal.signal({int(number)}, signal.SIG_DFL)\n"
            f"parlour.play(parlour.make({SETUP.game.id!r}), [{bot!r}] * 2)"
        )
        with subprocess.Popen([sys.executable, "-c", play]) as playing:
            wait_until(lambda: file.exists() and file.read_text().endswith("\n"))
            playing.send_signal(number)
        assert playing.returncode == -number
        assert self.gone(file)

    @pytest.mark.parametrize("then", ["pass", "time.sleep(60)", "sys.exit()"])
    def test_a_program_that_forks_leaves_no_process(self, program, tmp_path: Path, then: str) -> None:
        file = tmp_path / "pids"
        note = self.NOTE.format(str(file))
        forks = f"if not os.fork():\n    {note}\n    time.sleep(60)\n{note}\n{then}"
        bot = program(f"if not os.path.exists({str(file)!r}):\n    " + forks.replace("\n", "\n    "))
        if then == "pass":
            parlour.play(SETUP, ["random", bot], seed=1, move_time=20)
        else:
            reason_of(bot, NOTED)
        assert self.gone(file)

    @pytest.mark.parametrize("then", ["pass", "time.sleep(60)", "sys.exit()"])
    def test_a_child_in_another_session_with_the_pipes_leaves_no_thread_or_file(
        self, program, tmp_path, then: str
    ) -> None:
        file = tmp_path / "pids"
        child = f"if not os.fork():\n    os.setsid()\n    {self.NOTE.format(str(file))}\n    time.sleep(600)\n"
        leaves = f"{child}while not os.path.exists({str(file)!r}):\n    time.sleep(0.01)\n{then}"
        bot = program(leaves)
        threads, files = set(threading.enumerate()), open_files()
        try:
            reason_of(bot, NOTED) if then != "pass" else parlour.play(SETUP, ["random", bot], seed=1, move_time=20)
            assert set(threading.enumerate()) <= threads
            assert open_files() == files
        finally:
            for number in file.read_text().split():
                os.kill(int(number), signal.SIGKILL)

    def test_a_child_that_never_reads_leaves_no_thread_or_file(self, program, tmp_path: Path) -> None:
        file = tmp_path / "pids"
        source = (
            f"import os, time\nif not os.fork():\n    os.setsid()\n    {self.NOTE.format(str(file))}\ntime.sleep(600)"
        )
        threads, files = set(threading.enumerate()), open_files()
        running = Program(find_any_bot(program(source=source)).command)
        try:
            running.say({"type": "hello", "text": "x" * 1_000_000})
            while not file.exists() or not file.read_text().endswith("\n"):
                time.sleep(0.01)
            running.close(at_once=True)
            assert set(threading.enumerate()) <= threads
            assert open_files() == files
        finally:
            os.kill(int(file.read_text()), signal.SIGKILL)

    def test_a_discarded_bot_leaves_no_process(self, program, tmp_path: Path) -> None:
        file, wanted = tmp_path / "pids", threading.Event()
        bot = program(self.NOTE.format(str(file)) + "\ntime.sleep(60)")
        match = SETUP.start(seed=1)
        bots = {match.actor: find_any_bot(bot)}

        def stopped() -> bool:
            wanted.set() if file.exists() and file.read_text().endswith("\n") else None
            return wanted.is_set()

        def play() -> None:
            with Seats(SETUP, bots, new_stream, None, stopped) as seats:
                seats.begin()
                seats.choose(match)

        with pytest.raises(Stopped):
            play()
        assert self.gone(file)


def open_files() -> dict[str, str]:
    """Return the numbers of the open files of this process."""
    return {entry.name: os.readlink(entry) for entry in Path("/proc/self/fd").iterdir() if entry.exists()}


def alive(number: int) -> bool:
    """Return whether a process still runs; a zombie does not."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
class TestSecrecy:
    def test_its_messages_do_not_depend_on_hidden_cards(self, game) -> None:
        setup = parlour.Setup(game, game.players[-1])
        match, compared = Match(setup, recall=True), 0
        for _ in play_at_random(match, 5):
            if match.actor < 0 or len(match.events) % 7:
                continue
            seat = match.actor
            other = Match(setup, recall=True)
            for event in record_of(match, determinize(match.observed(seat), seat, new_stream(len(match.events))))[
                "events"
            ]:
                other.apply_event(Event.from_json(event))
            states = [each.information_state(seat) for each in (match, other)]
            wants = list(WANTS if states[0] == states[1] else WANTS[:1])  # it may have seen others before
            sent = [json.dumps(observation_message(each.observation(), wants)) for each in (match, other)]
            assert sent[0] == sent[1]
            answers = [json.dumps(answer_to(REQUEST, each.observation())) for each in (match, other)]
            assert answers[0] == answers[1]
            compared += 1
            if compared == 4:
                break
        assert compared > 2

    def test_a_forfeit_at_any_time_is_a_loss_of_the_whole_side(self, game) -> None:
        setup = parlour.Setup(game, game.usual_players)
        beginning = Match(setup)
        for match in (beginning, *islice(play_at_random(beginning.copy(), 2), 12, 13)):
            result = forfeit_result(match, 0)
            side = int(partners(match.state, 0))
            assert result.winners == tuple(seat for seat in range(setup.players) if not side >> seat & 1) != ()
            assert result.scores[0] == min(result.scores)


def test_the_setup_of_a_program_has_no_seed() -> None:
    message = setup_message(SETUP, 1)
    assert sorted(message) == ["game", "options", "players", "seat", "type"]


EXAMPLES = [
    pytest.param(
        command,
        id=command.split()[1],
        marks=pytest.mark.skipif(not shutil.which(command.split()[0]), reason="not here"),
    )
    for command in (
        "python3 examples/program_bot.py",
        "perl examples/program_bot.pl",
        "perl examples/program_search.pl",
    )
]


@pytest.mark.parametrize("command", EXAMPLES)
def test_an_example_plays_the_same_game_twice(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    games = [parlour.play(SETUP, [f"exec:{command}"] * 2, seed=4, move_time=20) for _ in "12"]
    assert games[0].over
    assert games[0].record() == games[1].record()


ODD = ["", " ", "swap", "\ud800", "KH KH", "KH on 9", "x" * 60_000, "\U0001f0a1", "\0", "XB " * 30, "-1"]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_malformed_message_is_a_failure_with_a_printable_reason(game) -> None:
    match = parlour.Setup(game, game.usual_players).start(seed=1)
    for text in ODD:
        with pytest.raises(Failure, match="which is not legal") as caught:
            _legal(match, text)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 400


def test_text_of_a_program_is_shown_in_one_short_line() -> None:
    assert quoted("a\x1b[2J\nb\x9b") == '"a�[2J⏎b�"'
    assert quoted("x" * 100) == '"' + "x" * 59 + '…"'
    assert quoted("one\r\n\rtwo\u2028") == '"one⏎⏎two⏎"'
    assert quoted("\r\n" * 100) == '"' + "⏎" * 59 + '…"'


def test_the_session_in_the_documents_is_the_real_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    _, _, session = Path("docs/bot-protocol.md").read_text(encoding="utf-8").partition("\n## A session\n")
    shown = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", session, re.MULTILINE | re.DOTALL)]
    said: list[dict] = []
    say, hear = Program.say, Program.hear
    monkeypatch.setattr(Program, "say", lambda self, message: (said.append(message), say(self, message)))
    monkeypatch.setattr(Program, "hear", lambda self, *given: said.append(hear(self, *given)) or said[-1])
    parlour.play(SETUP, ["thumb", f"exec:{sys.executable} -S examples/program_bot.py"], seed=3)
    said = json.loads(json.dumps(said))
    assert [message["type"] for message in shown] == ["hello", "hello", "setup", "observation", "act", "end", "quit"]
    shown[0]["version"] = said[0]["version"]  # of Parlour
    assert shown == [*said[:5], *said[-2:]]
