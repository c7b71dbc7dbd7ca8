"""Commands up to their work: each option reaches it under its own name, and each command says what Ctrl-C left."""

import importlib
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from parlour.cli import main, people_commands
from parlour.contests.simulation import random_records
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.commands.test_options import value_at

GAME = "trime-kicker"
TO_RESUME = "Stopped before the end, after 0 games. The same command with --resume continues."
STOPPED = "Stopped."


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@dataclass(frozen=True)
class Work:
    """A command up to its work.

    Attributes:
        calls: the functions whose arguments count, the last of them begins the work.
        options: by option its value, the place among the calls where it must be, and the value there.
        flags: by flag the place of its value, and the value with and without the flag.
        end: the last line after Ctrl-C in the work.
    """

    calls: tuple[str, ...]
    options: dict[str, tuple[str, str, Any]]
    flags: dict[str, tuple[str, Any, Any]]
    end: str


RECORD = "game.json"
WORKS = {
    f"dataset {GAME}": Work(
        ("parlour.studies.dataset.folder:DatasetFolder.__init__", "parlour.studies.dataset.folder:DatasetFolder.fill"),
        {
            "--games": ("31", "fill.games", 31),
            "--cores": ("5", "fill.where.cores", 5),
            "--out": ("kept", "DatasetFolder.name", "kept"),
            "--shard": ("7", "DatasetFolder.shard", 7),
            "--bots": ("thumb,random", "DatasetFolder.plan.bots", ("thumb", "random")),
            "--seed": ("11", "DatasetFolder.plan.seed", 11),
            "--move-time": ("2.5", "DatasetFolder.plan.move_time", 2.5),
            "--option": ("ace=low", "DatasetFolder.plan.setup.options[ace]", "low"),
        },
        {"--no-observations": ("DatasetFolder.observations", False, True)},
        "Stopped after 0 of 31 games. The same command continues from there.",
    ),
    f"baselines {GAME}": Work(
        ("parlour.contests.baselines:Baselines.__init__", "parlour.contests.baselines:Baselines.play"),
        {
            "--deals": ("31", "play.deals", 31),
            "--cores": ("5", "play.where.cores", 5),
            "--out": ("kept", "Baselines.out", "kept"),
            "--bots": ("casual,thumb", "Baselines.bots", ("casual", "thumb")),
            "--seed": ("11", "Baselines.seed", 11),
            "--move-time": ("2.5", "Baselines.move_time", 2.5),
            "--option": ("ace=low", "Baselines.setup.options[ace]", "low"),
        },
        {},
        "Stopped before the end. The same command continues from there.",
    ),
    f"levels {GAME}": Work(
        (
            "parlour.contests.level_calibration:LevelCalibration.__init__",
            "parlour.contests.level_calibration:LevelCalibration.play",
        ),
        {
            "--deals": ("31", "LevelCalibration.deals", 31),
            "--points": ("40", "LevelCalibration.points", 40),
            "--cores": ("5", "play.where.cores", 5),
            "--seed": ("11", "LevelCalibration.seed", 11),
            "--option": ("ace=low", "LevelCalibration.setup.options[ace]", "low"),
        },
        {},
        "Stopped before the end; no file was written.",
    ),
    f"train {GAME}": Work(
        ("parlour.learning.training_run:TrainingRun.__init__", "parlour.learning.training_run:TrainingRun.work"),
        {
            "--minutes": ("2.5", "work.limits.minutes", 2.5),
            "--games": ("31", "work.limits.games", 31),
            "--out": ("policy.json", "TrainingRun.out", Path("policy.json")),
            "--seed": ("11", "TrainingRun.seed", 11),
            "--option": ("ace=low", "TrainingRun.setup.options[ace]", "low"),
        },
        {},
        TO_RESUME,
    ),
    f"exploit {GAME} random": Work(
        ("parlour.contests.exploitation:ExploitRun.__init__", "parlour.contests.exploitation:ExploitRun.work"),
        {
            "--minutes": ("2.5", "work.limits.minutes", 2.5),
            "--games": ("31", "work.limits.games", 31),
            "--deals": ("7", "ExploitRun.deals", 7),
            "--out": ("policy.json", "ExploitRun.out", Path("policy.json")),
            "--seed": ("11", "ExploitRun.seed", 11),
            "--move-time": ("3.5", "ExploitRun.move_time", 3.5),
            "--option": ("ace=low", "ExploitRun.setup.options[ace]", "low"),
        },
        {},
        TO_RESUME,
    ),
    f"puzzles {GAME}": Work(
        ("parlour.puzzles.finder:PuzzleSearch.__init__", "parlour.jobs.pool:do_jobs"),
        {
            "--number": ("31", "", None),  # it is in the last line
            "--theme": ("DRAW", "PuzzleSearch.theme", "draw"),
            "--effort": ("2300", "PuzzleSearch.effort", 2300),
            "--out": ("kept.jsonl", "", None),
            "--seed": ("11", "do_jobs.work.seed", 11),
            "--cores": ("5", "do_jobs.where.cores", 5),
            "--option": ("ace=low", "PuzzleSearch.setup.options[ace]", "low"),
        },
        {},
        "Stopped: 0 of 31 puzzles are in kept.jsonl; the same command continues.",
    ),
    f"tune {GAME}": Work(
        ("parlour.studies.tune.plan:TuningPlan.__init__", "parlour.studies.tune.search:OptionSearch.run"),
        {
            "--goal": ("few decisions", "TuningPlan.goal", "few decisions"),
            "--bots": ("random,thumb", "TuningPlan.bots", ("random", "thumb")),
            "--trials": ("2", "TuningPlan.trials", 2),
            "--deals": ("31", "TuningPlan.deals", 31),
            "--seed": ("11", "TuningPlan.seed", 11),
            "--move-time": ("2.5", "TuningPlan.move_time", 2.5),
            "--cores": ("5", "run.where.cores", 5),
            "--out": ("kept", "run.self._folder", Path("kept")),
            "--option": ("ace=low,high", "TuningPlan.space.axes[ace]", ("low", "high")),
        },
        {},
        "Stopped at variation 0 of 2. The same command continues from there.",
    ),
    f"fit {GAME} {RECORD} {RECORD}": Work(
        ("parlour.studies.people.fit_result:BotFit.__init__",),
        {"--decisions": ("31", "BotFit.decisions", 31), "--seed": ("11", "BotFit.seed", 11)},
        {},
        STOPPED,
    ),
    f"study {GAME} --people {RECORD}": Work(
        ("parlour.studies.people.people:People.__init__",),
        {
            "--judged": ("31", "People.judged_decisions", 31),
            "--seed": ("11", "People.study.seed", 11),
            "--bots": ("random,thumb", "People.study.bots", ("random", "thumb")),
        },
        {"--records": ("People.study.records", True, False)},
        STOPPED,
    ),
    f"check {GAME}": Work(
        ("parlour.authors.check:check",),
        {"--games": ("31", "check.games", 31), "--seed": ("11", "check.seed", 11)},
        {},
        STOPPED,
    ),
    f"bench {GAME}": Work(
        ("parlour.authors.bench:bench",),
        {
            "--seconds": ("2.5", "bench.seconds", 2.5),
            "--players": ("2", "bench.setup.players", 2),
            "--option": ("ace=low", "bench.setup.options[ace]", "low"),
        },
        {},
        STOPPED,
    ),
    f"simulate {GAME}": Work(
        ("parlour.engine.simulation.playouts:play_in_parts",),
        {
            "--games": ("31", "play_in_parts.games", 31),
            "--seed": ("11", "play_in_parts.seed", 11),
            "--threads": ("5", "play_in_parts.threads", 5),
            "--max-events": ("2300", "play_in_parts.max_events", 2300),
            "--option": ("ace=low", "play_in_parts.setup.options[ace]", "low"),
        },
        {},
        "Stopped after 0 of 31 games.",
    ),
    f"simulate {GAME} --records kept.jsonl": Work(
        ("parlour.contests.simulation:random_records",),
        {
            "--games": ("31", "random_records.games", 31),
            "--seed": ("11", "random_records.seed", 11),
            "--max-events": ("2300", "random_records.max_events", 2300),
            "--option": ("ace=low", "random_records.setup.options[ace]", "low"),
        },
        {},
        "Stopped: 0 of 31 games are in kept.jsonl.",
    ),
    f"play {GAME}": Work(
        ("parlour.cli.terminal:play_in_terminal",),
        {
            "--seat": ("1", "play_in_terminal.seat", 1),
            "--bots": ("random", "play_in_terminal.bots", "random"),
            "--resume": ("old.json", "play_in_terminal.resume", "old.json"),
            "--record": ("new.json", "play_in_terminal.record_file", "new.json"),
            "--pace": ("1.5", "play_in_terminal.pace", 1.5),
            "--move-time": ("2.5", "play_in_terminal.move_time", 2.5),
            "--seed": ("11", "play_in_terminal.seed", 11),
            "--threads": ("5", "play_in_terminal.threads", 5),
            "--option": ("ace=low", "play_in_terminal.setup.options[ace]", "low"),
        },
        {"--plain": ("play_in_terminal.plain", True, False)},
        STOPPED,
    ),
    f"learn {GAME}": Work(
        ("parlour.cli.lesson:learn_in_terminal",), {}, {"--plain": ("learn_in_terminal.plain", True, False)}, STOPPED
    ),
    f"puzzle {GAME}": Work(
        ("parlour.cli.puzzle_trainer:train_in_terminal",),
        {"--theme": ("LAY", "train_in_terminal.theme", "lay")},
        {"--plain": ("train_in_terminal.plain", True, False)},
        STOPPED,
    ),
    f"review {RECORD}": Work(
        ("parlour.bots.compilation:wait_until_ready", "parlour.insight.review:review_game"),
        {
            "--seat": ("1", "review_game.seats", [1]),
            "--effort": ("2300", "review_game.effort", 2300),
            "--seed": ("11", "review_game.seed", 11),
            "--threads": ("5", "review_game.work.cores", 5),
            "--game": ("1", "review_game.place", "game.json, line 1"),
        },
        {},
        STOPPED,
    ),
    f"review {RECORD} --html page.html": Work(
        ("parlour.bots.compilation:wait_until_ready", "parlour.insight.review:review_game"),
        {},
        {},
        "Stopped; nothing was written.",
    ),
    f"explain {RECORD} --at 20": Work(
        ("parlour.bots.compilation:wait_until_ready", "parlour.insight.explanation:explain"),
        {"--effort": ("2300", "explain.effort", 2300), "--seed": ("11", "explain.seed", 11)},
        {},
        STOPPED,
    ),
    f"hint {RECORD} --at 20": Work(
        ("parlour.bots.compilation:wait_until_ready", "parlour.insight.explanation:explain"),
        {"--seed": ("11", "explain.seed", 11)},
        {},
        STOPPED,
    ),
}
"""The work of each command that is not in :mod:`tests.commands.test_options`."""


@pytest.fixture(scope="module")
def record_text() -> str:
    [record] = random_records(Setup(find_game(GAME), 2), 1, 3)
    return json.dumps(record)


@pytest.fixture
def stopped_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, record_text: str
) -> Callable[..., tuple[SimpleNamespace, Result]]:
    """Return a function that runs a command with Ctrl-C in its work, and returns the arguments of the calls."""
    monkeypatch.chdir(tmp_path)
    Path(RECORD).write_text(f"{record_text}\n")

    def watch(place: str, found: SimpleNamespace, last: bool) -> None:
        module, _, names = place.partition(":")
        *owners, name = names.split(".")
        owner = importlib.import_module(module)
        for each in owners:
            owner = getattr(owner, each)
        original = getattr(owner, name)
        key = owners[-1] if name == "__init__" else name

        def call(*positional: Any, **named: Any) -> Any:
            bound = inspect.signature(original).bind(*positional, **named)
            setattr(found, key, SimpleNamespace(**bound.arguments))
            if last:
                raise KeyboardInterrupt
            return None if name == "wait_until_ready" else original(*positional, **named)

        monkeypatch.setattr(owner, name, call)

    def run_with(calls: tuple[str, ...], *arguments: str) -> tuple[SimpleNamespace, Result]:
        found = SimpleNamespace()
        for place in calls:
            watch(place, found, place == calls[-1])
        return found, run(*arguments)

    return run_with


class TestWork:
    @pytest.mark.parametrize("backwards", [False, True])
    @pytest.mark.parametrize("command", WORKS)
    def test_has_each_option_in_any_order_and_ctrl_c_says_what_it_left(
        self, stopped_at: Callable[..., tuple[SimpleNamespace, Result]], command: str, backwards: bool
    ) -> None:
        work = WORKS[command]
        written = [(name, text) for name, (text, _, _) in work.options.items()]
        words = [word for pair in (written[::-1] if backwards else written) for word in pair]
        found, result = stopped_at(work.calls, *command.split(), *words)
        assert (result.exit_code, result.stdout) == (130, ""), result.output
        assert result.stderr.splitlines()[-1] == work.end
        places = {name: place for name, (_, place, _) in work.options.items() if place}
        assert {name: value_at(found, place) for name, place in places.items()} == {
            name: work.options[name][2] for name in places
        }

    @pytest.mark.parametrize(
        ("command", "flag"), [(command, flag) for command, work in WORKS.items() for flag in work.flags]
    )
    @pytest.mark.parametrize("is_set", [False, True])
    def test_has_a_flag_only_if_it_is_set(
        self, stopped_at: Callable[..., tuple[SimpleNamespace, Result]], command: str, flag: str, is_set: bool
    ) -> None:
        place, with_flag, without = WORKS[command].flags[flag]
        out = ["--out", "kept"] if command.startswith(("dataset", "study")) else []
        found, _ = stopped_at(WORKS[command].calls, *command.split(), *out, *([flag] if is_set else []))
        assert value_at(found, place) == (with_flag if is_set else without)

    def test_of_baselines_without_a_folder_cannot_be_continued(
        self, stopped_at: Callable[..., tuple[SimpleNamespace, Result]]
    ) -> None:
        _, result = stopped_at(WORKS[f"baselines {GAME}"].calls, "baselines", GAME)
        assert result.stderr == "Stopped before the end. With --out FOLDER it could have been continued.\n"

    def test_of_levels_leaves_no_file(self, stopped_at: Callable[..., tuple[SimpleNamespace, Result]]) -> None:
        stopped_at(WORKS[f"levels {GAME}"].calls, "levels", GAME)
        assert [file.name for file in Path().iterdir()] == [RECORD]


class TestFit:
    def test_has_its_seed_in_its_json(self, monkeypatch: pytest.MonkeyPatch) -> None:
        settings: list[dict[str, Any]] = []
        monkeypatch.setattr(people_commands, "run_study", lambda *arguments: settings.append(arguments[-1]))
        monkeypatch.setattr("parlour.studies.people.fit_result.BotFit", lambda *_: SimpleNamespace(number=3))
        run("fit", GAME, RECORD, "--seed", "11")
        assert settings == [{"seed": 11}]


class TestPerft:
    @pytest.mark.parametrize("options", [["--depth", "3", "--seed", "11"], ["--seed", "11", "--depth", "3"]])
    def test_has_a_row_for_each_depth_from_the_deal_of_the_seed(
        self, monkeypatch: pytest.MonkeyPatch, options: list[str]
    ) -> None:
        counts = {(11, 1): [7], (11, 3): [7, 40, 1200]}
        monkeypatch.setattr("parlour.engine.simulation.perft.perft", lambda setup, seed, depth: counts[seed, depth])
        assert [line.split() for line in run("perft", GAME, *options).stdout.splitlines()] == [
            ["1", "7"], ["2", "40"], ["3", "1,200"],
        ]  # fmt: skip
