"""Options of the commands for studies: each reaches the work under its own name, in any order."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from parlour.cli import author_commands, contest_commands, main, study_commands
from parlour.contests.contest import MOST_SEED, fresh_seed


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Callable[..., SimpleNamespace]:
    """Return a function that runs a command up to its work, and returns what the work receives."""
    found: list[SimpleNamespace] = []

    def run_study(what: str, total: int, work: Any, result: Any, as_json: bool, settings: Any, **_: Any) -> None:
        found.append(SimpleNamespace(total=total, args=work.args, result=result, json=as_json, settings=settings))

    def run_contest(result: Any, deals: Any, where: Any, out: Any, as_json: bool) -> None:
        given = {"deals": deals, "where": where, "out": out, "json": as_json}
        found.append(SimpleNamespace(contest=result.tally.contest, result=result, **given))

    def play_all(plan: Any, deals: int, where: Any, into: Any) -> None:
        found.append(SimpleNamespace(plan=plan, deals=deals, where=where))
        raise KeyboardInterrupt

    def run_whole_study(plan: Any, **given: Any) -> None:
        found.append(SimpleNamespace(plan=plan, json=given["as_json"], **given))

    for module in (author_commands, contest_commands):
        monkeypatch.setattr(module, "run_study", run_study)
    monkeypatch.setattr(contest_commands, "_run_contest", run_contest)
    monkeypatch.setattr(study_commands, "_play_all", play_all)
    monkeypatch.setattr(study_commands, "_run_study", run_whole_study)

    def run(*arguments: str) -> SimpleNamespace:
        result = CliRunner().invoke(main, list(arguments))
        assert found, result.output
        return found.pop()

    return run


FORESIGHT = {
    "--games": ("31", "total", 31),
    "--every": ("7", "args[2].every", 7),
    "--determinizations": ("23", "args[2].determinizations", 23),
    "--seed": ("11", "args[2].seed", 11),
    "--cores": ("5", "args[3].cores", 5),
    "--option": ("ace=low", "args[2].setup.options[ace]", "low"),
}
EXACT = {
    "--positions": ("31", "total", 31),
    "--samples": ("7", "result.work.samples", 7),
    "--nodes": ("2300", "result.work.limits.nodes", 2300),
    "--seed": ("11", "result.work.seed", 11),
    "--cores": ("5", "args[2].cores", 5),
    "--option": ("ace=low", "result.work.setup.options[ace]", "low"),
}
ENDS = {
    "--games": ("31", "total", 31),
    "--nodes": ("2300", "result.nodes", 2300),
    "--seed": ("11", "result.seed", 11),
    "--cores": ("5", "args[1].cores", 5),
    "--option": ("ace=low", "result.setup.options[ace]", "low"),
}
SMOKE = {
    "--deals": ("7", "result.smoke.deals", 7),
    "--seed": ("11", "result.smoke.seed", 11),
    "--move-time": ("2.5", "result.smoke.move_time", 2.5),
    "--cores": ("5", "args[1].cores", 5),
}
PEEKING = {"--positions": ("31", "args[1]", 31), "--seed": ("11", "args[2]", 11), "--cores": ("5", "args[3].cores", 5)}
CONTEST = {
    "--deals": ("31", "deals", 31),
    "--seed": ("11", "contest.seed", 11),
    "--move-time": ("2.5", "contest.move_time", 2.5),
    "--cores": ("5", "where.cores", 5),
    "--out": ("kept.jsonl", "out", "kept.jsonl"),
    "--option": ("ace=low", "contest.setup.options[ace]", "low"),
}
REMEDIES = {
    "--deals": ("31", "deals", 31),
    "--seed": ("11", "plan.seed", 11),
    "--bot": ("random", "plan.bots[0]", "random"),
    "--cores": ("5", "where.cores", 5),
    "--option": ("ace=low", "plan.setups[0].options[ace]", "low"),
}
STUDY = {
    "--deals": ("31", "deals", 31),
    "--evaluated-deals": ("3", "plan.evaluated_deals", 3),
    "--determinizations": ("23", "plan.determinizations", 23),
    "--traced-deals": ("4", "plan.traced_deals", 4),
    "--replicated-deals": ("6", "plan.replicated_deals", 6),
    "--replicates": ("8", "plan.replicates", 8),
    "--seed": ("11", "plan.seed", 11),
    "--move-time": ("2.5", "plan.move_time", 2.5),
    "--bots": ("random,thumb", "plan.bots[1]", "thumb"),
    "--cores": ("5", "where.cores", 5),
    "--until": ("wins within 2", "until", "wins within 2"),
    "--out": ("kept", "out", "kept"),
    "--option": ("ace=low", "plan.setups[0].options[ace]", "low"),
}
COMMANDS = {
    "foresight trime-kicker": FORESIGHT,
    "exact trime-kicker thumb": EXACT,
    "ends trime-kicker": ENDS,
    "smoke thumb random trime-kicker": SMOKE,
    "peeking trime-kicker": PEEKING,
    "match thumb random trime-kicker": CONTEST,
    "ladder trime-kicker thumb random": CONTEST,
    "remedies trime-kicker": REMEDIES,
    "study trime-kicker": STUDY,
}
"""For each command its options, with a value, the place where the work finds it, and the value there."""

SETTINGS = {
    "foresight trime-kicker": {"seed": 11, "every": 7, "determinizations": 23},
    "exact trime-kicker thumb": {"seed": 11, "wanted": 31, "nodes": 2300},
    "smoke thumb random trime-kicker": {"seed": 11, "deals": 7},
    "peeking trime-kicker": {"seed": 11, "wanted": 31},
}
"""The settings of each command in the JSON of its result, which the result itself lacks, by :data:`COMMANDS`."""


def value_at(found: Any, place: str) -> Any:
    """Return the value at a place such as ``plan.setups[0].options[ace]``."""
    for step in place.replace("[", ".[").split("."):
        key = step[1:-1]
        found = found[int(key) if key.isdigit() else key] if step.startswith("[") else getattr(found, step)
    return found


class TestOptions:
    @pytest.mark.parametrize("backwards", [False, True])
    @pytest.mark.parametrize("command", COMMANDS)
    def test_each_reaches_the_work_in_any_order(
        self, asked: Callable[..., SimpleNamespace], command: str, backwards: bool
    ) -> None:
        options = COMMANDS[command]
        written = [(name, text) for name, (text, _, _) in options.items()]
        words = [word for pair in (written[::-1] if backwards else written) for word in pair]
        given = asked(*command.split(), *words)
        assert {name: value_at(given, place) for name, (_, place, _) in options.items()} == {
            name: value for name, (*_, value) in options.items()
        }

    @pytest.mark.parametrize("command", SETTINGS)
    def test_each_that_the_result_lacks_is_in_its_json(
        self, asked: Callable[..., SimpleNamespace], command: str
    ) -> None:
        words = [word for name, (text, *_) in COMMANDS[command].items() for word in (name, text)]
        found = asked(*command.split(), *words).settings
        assert SETTINGS[command].items() <= found.items()

    @pytest.mark.parametrize("command", [name for name in COMMANDS if not name.startswith("remedies")])
    def test_the_result_is_json_with_the_flag_only(self, asked: Callable[..., SimpleNamespace], command: str) -> None:
        assert [asked(*command.split(), *flag).json for flag in ([], ["--json"])] == [False, True]

    @pytest.mark.parametrize(
        ("command", "number", "place"),
        [
            ("exact trick-walls thumb", 2, "result.work.setup.players"),
            ("match thumb random trick-walls", 3, "contest.setup.players"),
            ("ladder trick-walls thumb random", 3, "contest.setup.players"),
            ("foresight trick-walls", 3, "result.setup.players"),
            ("remedies trick-walls", 3, "plan.setups[0].players"),
        ],
    )
    def test_the_number_of_players_is_that_of_the_setup(
        self, asked: Callable[..., SimpleNamespace], command: str, number: int, place: str
    ) -> None:
        assert value_at(asked(*command.split(), "--players", str(number)), place) == number

    @pytest.mark.parametrize(("unit", "on_points"), [([], False), (["wins"], False), (["points"], True)])
    def test_a_sequential_test_is_on_wins_or_in_the_unit_named(
        self, asked: Callable[..., SimpleNamespace], unit: list[str], on_points: bool
    ) -> None:
        words = ["--sprt", "0", "2", *[word for each in unit for word in ("--sprt-by", each)]]
        assert asked("match", "thumb", "random", "trime-kicker", *words).result.on_points == on_points

    @pytest.mark.parametrize("written", ["main_cards=10", "main-cards=10"])
    def test_an_option_may_be_written_with_hyphens(self, asked: Callable[..., SimpleNamespace], written: str) -> None:
        given = asked("match", "thumb", "random", "trime-kicker", "-o", written)
        assert given.contest.setup.options["main_cards"] == 10


class TestSeeds:
    def test_every_command_takes_the_seeds_of_a_contest_and_no_others(self) -> None:
        seeds = {
            name: parameter.type
            for name, command in main.commands.items()
            for parameter in command.params
            if parameter.name == "seed"
        }
        assert len(seeds) > 20
        assert {(each.min, each.max) for each in seeds.values()} == {(0, MOST_SEED)}

    @pytest.mark.parametrize("seed", [0, 7, MOST_SEED - 1, MOST_SEED])
    def test_there_are_fresh_deals_after_any_of_them(self, seed: int) -> None:
        fresh = {fresh_seed(seed), fresh_seed(seed, 2)}
        assert len(fresh - {seed}) == 2
        assert fresh <= set(range(10)) | {MOST_SEED - 1, MOST_SEED}
