"""Compiled loops of a new game in one process or two, in any order, from an empty cache.

Numba gives a rule the same name in every loop of a process, and the loader may take the rule of any of them. So all of
them have to agree on its arguments.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sample_size import FACTOR
from tests.tiny_package import TINY, install

pytestmark = pytest.mark.slow  # starts processes that compile

LOOPS = """
import sys
import numba
import numpy as np
from llvmlite.binding import Linkage
from numba.core.codegen import JITCPUCodegen

types, linkages, translate = {}, set(), JITCPUCodegen._add_module


def observed(self, module):
    for function in module.functions:
        if not function.is_declaration and "tiny" in function.name:
            types.setdefault(function.name, set()).add(str(function.global_value_type))
            linkages.add(function.linkage)
    return translate(self, module)


JITCPUCodegen._add_module = observed

import parlour
from parlour.bots.search import Search
from parlour.engine.simulation.batch import Batch
from parlour.engine.chance import new_stream, random_below, start_stream
from parlour.engine.matches.steps import COMPILED
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.simulation.playouts import run_playouts, take_chance
from parlour.engine.rules import CHANCE, MAX_ACTIONS, MAX_CARDS, OVER, legal, new_states, play, score
from parlour.authors.bench import hand_written_run
from parlour.contests.simulation import play_at_random

setup = parlour.make("tiny")


@numba.njit
def users_loop(states, number, scores, actions, deck, random):
    total = 0
    for index in range(number):
        states[1] = states[0]
        state = states[1]
        start_stream(random, 1, index)
        while state.actor != OVER:
            if state.actor == CHANCE:
                take_chance(state, deck, random)
            else:
                play(state, actions[random_below(random, legal(state, actions))])
        total += score(state, scores)
    return total


def by_user():
    states = new_states(setup.game.dtype, 2)
    states[0] = setup.new_state()
    rooms = np.zeros(2, np.int64), np.zeros(MAX_ACTIONS, np.int64), np.zeros(MAX_CARDS, np.int64)
    return users_loop(states, 40, *rooms, new_stream(0))


def by_batch():
    batch = Batch(setup, 40, seed=1, threads=1)
    batch.observe()
    batch.step(batch.random_actions())
    batch.play_out()
    return int(batch.scores()[1].sum())


def by_match():
    total = 0
    for number in range(40):
        match = Match(setup, COMPILED, observed=False)
        play_at_random(match, StreamRandomness(new_stream(1, number)))
        total += sum(1 << seat for seat in match.result.winners)
    return total


def by_search():
    match = setup.start(seed=1)
    search = Search(match.observed(0), 0, np.array(match.moves(), np.int64), 1)
    search.halve(20)
    search.grow_tree(20)
    return len(search.moves)


LOOPS = {
    "playouts": lambda: int(run_playouts(setup, 40, seed=1, threads=1).winners.sum()),
    "bench": lambda: hand_written_run(setup)(40)[0],
    "user": by_user,
    "batch": by_batch,
    "match": by_match,
    "search": by_search,
}
found = {name: LOOPS[name]() for name in sys.argv[1:]}
print(sorted(found.items()))
print(sum(len(each) > 1 for each in types.values()), Linkage.internal in linkages, Linkage.private in linkages)
"""
STIR = (
    """
@rule
def stir(state: Any, unread: Any, number: int) -> int:
"""
    + "    number = (number * 31 + state.tiny_card[number & 1] % (number + 7)) & 1023\n" * 60
    + "    return number\n\n\n"
)
STIRRED = [
    ("@rule\ndef play(", STIR + "@rule\ndef play("),
    ("state.tiny_shown += 1", "state.tiny_shown = stir(state, state.tiny_card, 1) + stir(state, state.tiny_card, 2)"),
    ("1 if state.tiny_shown == 1 else OVER", "1 if state.actor == 0 else OVER"),
]
"""Changes to the game: a rule that is too large to be inlined, called in two places, with an argument unread."""
PLAYED = {"batch": 60, "bench": 80, "match": 60, "playouts": 60, "search": 1, "user": 60}
EMPTY = [("playouts", "bench", "user")]
AT_ONCE = [("user", "playouts"), ("playouts", "user")]
if FACTOR > 1:  # the loops of a search take half a minute to compile
    EMPTY += [("user", "playouts"), ("batch", "bench"), ("user", "bench", "playouts")]
    AT_ONCE = [("search", "user", "playouts", "match"), ("playouts", "match", "search", "user")]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder in which the game is installed."""
    text = TINY
    for before, after in STIRRED:
        text = text.replace(before, after)
    listed = "players=range(2, 3), actions=lambda players, options: [card_name(card) for card in range(52)]"
    (tmp_path / "tiny.py").write_text(text.replace("players=range(2, 3)", listed))
    install(tmp_path, "tiny", "tiny")
    return tmp_path


def start_loops(site: Path, names: tuple[str, ...]) -> "subprocess.Popen[str]":
    """Return a process that runs these loops one after the other."""
    environment = {**os.environ, "PARLOUR_CACHE": str(site / "cache"), "PYTHONPATH": str(site)}
    command = [sys.executable, "-c", LOOPS, *names]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def lines_of(process: "subprocess.Popen[str]") -> list[str]:
    """Return the lines that a process prints; it must not end by a signal."""
    output, errors = process.communicate(timeout=400)
    assert process.returncode == 0, (process.returncode, errors)
    return output.splitlines()


def expected_lines(names: tuple[str, ...]) -> list[str]:
    """Return the expected lines: every loop's result, and agreement on all arguments."""
    return [str([(name, PLAYED[name]) for name in sorted(names)]), "0 False False"]


class TestLoopsOfANewGame:
    @pytest.mark.parametrize("names", EMPTY, ids=" ".join)
    def test_agree_on_the_arguments_of_every_rule_and_play_the_same_in_any_order(self, site, names):
        assert lines_of(start_loops(site, names)) == expected_lines(names)

    def test_play_the_same_if_some_are_loaded_from_the_cache(self, site):
        lines_of(start_loops(site, ("match",)))
        names = ("match", "playouts", "user")
        assert lines_of(start_loops(site, names)) == expected_lines(names)

    def test_play_the_same_in_two_processes_that_share_an_empty_cache(self, site):
        both = [start_loops(site, names) for names in AT_ONCE]
        assert [lines_of(process) for process in both] == [expected_lines(names) for names in AT_ONCE]
