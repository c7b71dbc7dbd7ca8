"""The cache of machine code on disk: each game loads its own code, independent of the process that compiled it.

Tests that begin with an empty cache use games that compile in a few seconds.
"""

import errno
import importlib
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.codegen import JITCPUCodegen

import parlour
from parlour.engine.compiled import (
    _INLINED,
    _PACKAGE,
    _folders_of_games,
    _remove_stale,
    innermost_failure,
    rule,
    rule_with_arrays,
)
from parlour.engine.numba import cache
from parlour.engine.numba.cache import Locator, SharedIndex
from parlour.engine.numba.dispatcher import machine_code
from parlour.engine.rules import array_of, new_states
from parlour.engine.sources import code_without_file
from parlour.folders import file_lock
from parlour.games import find_game, game_ids
from tests.tiny_package import SMALL, TINY, install

GAMES = game_ids()[:2]

PLAY = """
import sys
from parlour.engine.simulation.playouts import run_playouts
from parlour.engine.setup import Setup
from parlour.games import find_game
how, *names = sys.argv[1:]
for name in names:
    playouts = run_playouts(Setup(find_game(name), 2), 20, seed=1, threads=1, interpret=how == "interpreted")
    print(name, playouts.scores.tolist(), playouts.winners.tolist(), playouts.lengths.tolist())
"""


FAILURE = """
Failed in nopython mode pipeline (step: nopython frontend)
No implementation of function Function(<built-in function ior>) found for signature:

 >>> ior(float64, int64)

There are 2 candidate implementations:
 - Of which 2 did not match due to:
   TypingError: All arguments must be Sets, got (float64, int64)
  raised from /site-packages/numba/cpython/setobj.py:108

During: typing of intrinsic-call at {inner} (24)

File "{inner}", line 24:
    def spring_trap(state):
        <source elided>

raised from /site-packages/numba/core/typeinfer.py:1083

File "{outer}", line 220:
    def attack(state):
"""
"""Numba's message about a rule that another rule calls, with two places."""


class TestARuleThatCannotBeCompiled:
    ORIGINAL, CLAUSES = str(Path(parlour.__file__).parent / "games/castle_walls/rules.py"), "/site/mine/clauses.py"
    FOLDERS = (f"{Path(ORIGINAL).parent}/", "/site/mine/")

    @pytest.mark.parametrize(
        ("inner", "outer", "line"),
        [(CLAUSES, ORIGINAL, "24, in spring_trap"), (ORIGINAL, CLAUSES, "220, in attack")],
    )
    def test_is_sought_in_the_clauses_of_a_variation_before_the_original(self, inner, outer, line):
        found = innermost_failure(FAILURE.format(inner=inner, outer=outer), self.FOLDERS)
        assert found == f"{self.CLAUSES}, line {line}: this cannot be compiled: there is no ior(float64, int64)"

    def test_has_the_reason_that_compiled_code_makes_no_lists(self):
        message = f"""
NRT required but not enabled
During: lowering "xs = build_list(items=[Var(x, clauses.py:23)])" at {self.CLAUSES} (23)
During: Pass parlour_linkable_lowering

File "{self.ORIGINAL}", line 220:
    def attack(state):
"""
        reason = "this cannot be compiled: it makes a list, a dict or an array"
        assert innermost_failure(message, self.FOLDERS) == f"{self.CLAUSES}, line 23: {reason}"

    def test_is_found_in_every_folder_outside_parlour_that_has_rules(self, tmp_path, monkeypatch):
        (tmp_path / "their_clauses.py").write_text(
            "from parlour.engine.compiled import rule\n\n@rule\ndef one(): pass\n"
        )
        monkeypatch.syspath_prepend(tmp_path)
        importlib.import_module("their_clauses")
        assert f"{tmp_path}{os.sep}" in _folders_of_games()


def test_each_rule_outside_the_games_is_part_of_the_hash_that_names_the_folder():
    hashed = {path for pattern in _INLINED for path in _PACKAGE.glob(pattern)}
    with_rules = {
        path
        for path in _PACKAGE.glob("**/*.py")
        if re.search(r"^@(inlined_)?rule(_with_arrays)?$", path.read_text("utf-8"), re.MULTILINE)
    }
    missing = {path for path in with_rules - hashed if not path.is_relative_to(_PACKAGE / "games")}
    assert with_rules & hashed
    assert missing == set()


class TestCodeWithoutAFile:
    SOURCE = """
import numpy as np
from tests.tiny_package import install as helper
POINTS, TABLE, CARDS = 3, np.array([4]), np.uint64(5)
def made(step):
    return lambda: step
taken = made(6)
def inner(more=7): return (lambda: 8)() + POINTS + TABLE[0] + CARDS + taken() + more
def score(): return inner()
"""

    def code_of(self, source, monkeypatch):
        module = ModuleType("notebook")
        monkeypatch.setitem(sys.modules, "notebook", module)
        exec(source, vars(module))
        return list(code_without_file([module.score]))

    def test_is_the_same_each_time(self, monkeypatch):
        assert self.code_of(self.SOURCE, monkeypatch) == self.code_of(self.SOURCE, monkeypatch) != []

    @pytest.mark.parametrize("value", ["3", "[4]", "(5)", "(6)", "=7", "8", "+ POINTS"])
    def test_differs_after_a_change_of_a_function_or_of_a_value_that_it_uses(self, value, monkeypatch):
        other = "- POINTS" if value == "+ POINTS" else re.sub(r"\d", "9", value)
        changed = self.SOURCE.replace(value, other)
        assert self.code_of(self.SOURCE, monkeypatch) != self.code_of(changed, monkeypatch)

    def test_has_the_files_of_functions_from_other_modules(self, monkeypatch):
        source = self.SOURCE.replace("return inner()", "return helper()")
        helper = Path(__file__).parents[1] / "tiny_package.py"
        assert helper.read_bytes() in self.code_of(source, monkeypatch)

    def test_is_never_the_same_with_a_value_of_an_unknown_kind(self, monkeypatch):
        source = self.SOURCE.replace("= 3, ", "= {1: 3}, ").replace("+ POINTS", "+ POINTS[1]")
        assert self.code_of(source, monkeypatch) != self.code_of(source, monkeypatch)

    def test_does_not_depend_on_what_the_functions_do_not_use(self, monkeypatch):
        other = f"OTHER = 1\ndef plot(): return OTHER\n{self.SOURCE}"
        assert self.code_of(self.SOURCE, monkeypatch) == self.code_of(other, monkeypatch)

    def test_is_none_for_modules_with_files(self):
        assert list(code_without_file([find_game("trime-kicker").legal])) == []


def test_only_old_machine_code_is_removed_from_the_folder(tmp_path):
    old, current, recent = "0123456789abcdef", "fedcba9876543210", "0011223344556677"
    for name in (old, current, recent, "photographs", f"{old}.kept"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
        age = (20 if name == recent else 40) * 86400
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    _remove_stale(tmp_path, tmp_path / current)
    assert not (tmp_path / old).exists()
    assert len(list(tmp_path.glob("*/file"))) == 4


def test_copies_of_this_version_share_the_cache_and_game_packages_have_their_own(tmp_path, monkeypatch):
    def kept(place: Path) -> str:
        return str(Locator(json.loads, str(place / "loop.py"), tmp_path).get_cache_path())

    ours, theirs = [], []
    for copy in (tmp_path / "one" / "parlour", tmp_path / "two" / "parlour"):
        monkeypatch.setattr(cache, "PACKAGE", copy)
        ours.append(kept(copy / "bots"))
        theirs.append(kept(copy.parent / "bots"))
    assert len({*ours, *theirs}) == 3
    assert ours[0] == ours[1]


def test_arrays_of_states_share_one_type_object() -> None:
    dtype = find_game(GAMES[0]).dtype
    kept = new_states(dtype, 1)
    assert new_states(dtype, 2).dtype is kept.dtype
    assert array_of(kept[0]).dtype is kept.dtype


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder in which two games are installed."""
    for name, text in (("tiny", TINY), ("small", SMALL)):
        (tmp_path / f"{name}.py").write_text(text)
        install(tmp_path, name, name)
    return tmp_path


def play(site: Path, *arguments: str, **more: str) -> list[str]:
    """Return the results of some playouts in a separate process."""
    environment = {**os.environ, "PARLOUR_CACHE": str(site / "cache"), "PYTHONPATH": str(site), **more}
    command = [sys.executable, "-c", PLAY, *arguments]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=250)
    return run.stdout.splitlines()


@pytest.mark.slow
class TestCachedCode:
    def test_games_compiled_in_separate_processes_are_not_confused_in_a_third(self, site: Path) -> None:
        apart = [line for game in ("tiny", "small") for line in play(site, "compiled", game)]
        assert play(site, "compiled", "tiny", "small") == apart
        assert play(site, "compiled", "small", "tiny") == apart[::-1]
        assert play(site, "interpreted", "tiny", "small") == apart
        assert play(site, "compiled", "tiny", "small", NUMBA_DISABLE_JIT="1") == apart, "as in the runs of mutants"
        assert len({line.partition(" ")[2] for line in apart}) == 2, "which of them is played makes a difference"


@rule
def doubled(number: int) -> int:
    return 2 * number


@rule_with_arrays
def doubled_and_one(number: int) -> int:
    return doubled(number) + 1


class TestRules:
    def test_rules_are_compiled_as_part_of_their_loop_only(self, monkeypatch) -> None:
        translated, translate = [], JITCPUCodegen._add_module
        monkeypatch.setattr(
            JITCPUCodegen, "_add_module", lambda own, code: translated.append(code.name) or translate(own, code)
        )

        @numba.njit
        def summed(numbers: int) -> int:
            total = 0
            for number in range(numbers):
                total += doubled_and_one(number) + doubled(number)
            return total

        assert summed(10) == sum(4 * number + 1 for number in range(10))
        assert any("summed" in name for name in translated)
        assert not any("doubled" in name for name in translated)


class TestMachineCode:
    def test_is_the_loop_for_arguments_of_these_types(self) -> None:
        @numba.njit
        def summed(numbers: Any, more: int) -> int:
            return numbers.sum() + more

        numbers = np.arange(4)
        assert machine_code(summed, numbers, 1)(numbers[:3], 5) == summed(numbers[:3], 5) == 8

    def test_is_the_python_function_if_rules_are_interpreted(self) -> None:
        assert machine_code(len, "abc") is len


INTERPRETED = """
import json, parlour
from parlour.engine.simulation.batch import Batch
batch = Batch(parlour.make("castle-walls"), 2, seed=1)
for _ in range(3):
    batch.step(batch.random_actions())
match = parlour.play(parlour.make("trick-walls", players=2, rounds=1), ["thumb", "random"], seed=1)
print(json.dumps(match.record()))
"""


def test_with_numba_disabled_the_same_games_are_played(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PARLOUR_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-c", INTERPRETED]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250)
    assert run.returncode == 0, run.stderr
    match = parlour.play(parlour.make("trick-walls", players=2, rounds=1), ["thumb", "random"], seed=1)
    assert json.loads(run.stdout) == match.record()
    assert not list(tmp_path.rglob("*.nbi"))


class TestConcurrentUse:
    def test_code_stored_by_three_threads_at_once_is_found_under_its_own_name(self, tmp_path, monkeypatch) -> None:
        save_index = SharedIndex._save_index

        def slowly(index, entries):
            time.sleep(0.05)
            save_index(index, entries)

        monkeypatch.setattr(SharedIndex, "_save_index", slowly)
        games = ("castle", "tribes", "walls")
        with ThreadPoolExecutor(len(games)) as threads:
            list(threads.map(lambda game: SharedIndex(tmp_path, "look", 1).save(game, f"code of {game}"), games))
        kept = SharedIndex(tmp_path, "look", 1)
        assert [kept.load(game) for game in games] == [f"code of {game}" for game in games]

    @pytest.mark.parametrize("file", ["look.nbi", "look.1.nbc"])
    def test_code_that_a_power_cut_has_emptied_is_compiled_and_stored_again(self, tmp_path, file) -> None:
        SharedIndex(tmp_path, "look", 1).save("walls", "code")
        (tmp_path / file).write_bytes(b"")
        index = SharedIndex(tmp_path, "look", 1)
        assert index.load("walls") is None
        index.save("walls", "code")
        assert index.load("walls") == "code"

    def test_a_full_disk_is_a_warning(self, tmp_path, capsys, monkeypatch) -> None:
        def is_full(index, entries):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(SharedIndex, "_save_index", is_full)
        for game in ("castle", "walls"):
            SharedIndex(tmp_path, "look", 1).save(game, "code")
        assert capsys.readouterr().err.count("Compiled code is not kept") == 1

    def test_a_killed_process_releases_its_locks(self, tmp_path) -> None:
        file = tmp_path / "lock"
        hold = "import sys, time, pathlib; from parlour.folders import file_lock\n"
        hold += "with file_lock(pathlib.Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
        with subprocess.Popen([sys.executable, "-c", hold, str(file)], stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdout.readline() == "held\n"
            with ThreadPoolExecutor(1) as thread:
                waiting = thread.submit(lambda: file_lock(file).__enter__())
                time.sleep(0.2)
                assert not waiting.done()
                holder.kill()
                waiting.result(timeout=60)


THEIRS = """
import numba
import numpy as np

PAIR = np.dtype([("one", np.int64), ("two", np.float64)])

@numba.njit(cache=True)
def double(x):
    return 2 * x

@numba.njit(cache=True)
def first(pairs):
    return pairs[0].one
"""
USING = """
import sys
with_us = sys.argv[1] == "with us"
if with_us:
    import parlour
    setup = parlour.make("tiny")
    setup.start(seed=1).observation()
import numba, numpy as np, pathlib, os
from numba.core import caching, types
before_first_run = pathlib.Path(os.environ["PARLOUR_CACHE"]).exists()
if with_us:
    parlour.simulate(setup, 2)
import theirs
theirs.double(2), theirs.first(np.zeros(1, theirs.PAIR))
hits = sum(sum(each.stats.cache_hits.values()) for each in (theirs.double, theirs.first))
patched = [caching.IndexDataCacheFile.save, types.Record.mangling_args.fget, caching.FunctionCache.load_overload]
record = numba.from_dtype(theirs.PAIR)
print([
    before_first_run, hits, theirs.double.stats.cache_path, numba.config.CACHE_DIR,
    {each.__module__.split(".")[0] for each in patched}, record._code < 1 << 20,
])
"""


@pytest.mark.slow
class TestOtherUsersOfNumba:
    def test_other_code_finds_numba_unchanged(self, site: Path) -> None:
        (site / "theirs.py").write_text(THEIRS)
        environment = {**os.environ, "PARLOUR_CACHE": str(site / "ours"), "PYTHONPATH": str(site)}
        environment.pop("NUMBA_CACHE_DIR", None)
        outputs = []
        for how in ("without us", "with us", "without us"):
            command = [sys.executable, "-c", USING, how]
            run = subprocess.run(command, cwd=site, env=environment, capture_output=True, text=True, timeout=250)
            assert run.returncode == 0, run.stderr
            outputs.append(eval(run.stdout))
        place = str(site / "__pycache__")
        assert outputs[0] == [False, 0, place, "", {"numba"}, True]
        assert outputs[1] == [False, 2, place, "", {"numba"}, True]
        assert outputs[2][1:] == outputs[1][1:]
        assert list((site / "ours").rglob("*.nbi"))
        assert not list((site / "ours").rglob("*theirs*"))

    def test_our_types_of_states_have_one_name_in_every_process(self) -> None:
        code = """
import sys
from parlour.games import find_game
from parlour.engine.rules import new_states
import numba
for name in sys.argv[1:]:
    game = find_game(name)
    print(name, numba.typeof(new_states(game.dtype, 1)).dtype.mangling_args)
"""
        outputs = [
            subprocess.run([sys.executable, "-c", code, *games], capture_output=True, text=True, check=True).stdout
            for games in (GAMES, GAMES[::-1])
        ]
        assert sorted(outputs[0].splitlines()) == sorted(outputs[1].splitlines())
        assert len(set(outputs[0].splitlines())) == len(GAMES)
