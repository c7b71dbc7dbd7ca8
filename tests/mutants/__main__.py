"""Mutation testing: ``make mutants``, or ``python -m tests.mutants [AREA OR NAME …]``.

Each mutant (:mod:`tests.mutants.mutant_list`) is applied to a copy of the sources, and its tests run there, the
narrowest first, until one fails. At the end the tests that failed run once more without a mutant: a test that fails
without it has detected nothing.
"""

import queue
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from parlour.cli.progress import progress_bar
from tests.mutants.mutant_list import ROOT, Mutant, MutantError, mutate, read_mutants
from tests.mutants.results import KILLED, SURVIVED, UNDECIDED, Result, Results, asked_of, code_of, table, too_few
from tests.mutants.trees import TOO_LONG, Tree, copy_sources

KEPT = ROOT / ".mutants.jsonl"


def choose_mutants(mutants: Sequence[Mutant], words: Sequence[str]) -> list[Mutant]:
    """Return the mutants of these areas or names, in this order; all by default. Raises :class:`MutantError`."""
    found: dict[Mutant, None] = {}
    for word in words:
        named = [mutant for mutant in mutants if word in (mutant.area, mutant.name)]
        if not named:
            raise MutantError(f"there is no mutant and no area {word!r}")
        found.update(dict.fromkeys(named))
    return list(found) if words else list(mutants)


def judge(tree: Tree, mutant: Mutant, seconds: float) -> Result:
    """Run the tests of a mutant, the narrowest first."""
    began, why = time.monotonic(), ""
    verdict = SURVIVED
    with tree.apply(mutant):
        for test in mutant.tests:
            asked = tree.ask([test], seconds, mutant.interpreted)
            if asked.first_failure:
                verdict, why = KILLED, asked.first_failure
                break
            if asked.status == TOO_LONG:  # wider tests would take longer still
                verdict, why = UNDECIDED, f"{test}: took too long"
                break
            if not asked.passed:
                verdict, why = UNDECIDED, f"{test}: status {asked.status}"
    hashes = code_of(mutant, tree.folder), asked_of(mutant, tree.folder)
    return Result(mutant.name, *hashes, verdict, why, round(time.monotonic() - began, 1))


def unsound(tree: Tree, killed: Sequence[tuple[Mutant, Result]], seconds: float) -> set[str]:
    """Return the killing tests that also fail without a mutant."""
    groups: dict[bool, set[str]] = defaultdict(set)
    for mutant, result in killed:
        groups[mutant.interpreted].add(result.by)
    wrong: set[str] = set()
    for interpreted, tests in groups.items():
        asked = tree.ask(sorted(tests), seconds * len(tests), interpreted, first=False)
        wrong |= tests if asked.status not in (0, 1) else set(asked.failed)
    return wrong


@contextmanager
def trees(number: int) -> Iterator["queue.SimpleQueue[Tree]"]:
    """Provide a number of source trees, which are removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="parlour-mutants-") as folder:
        free: queue.SimpleQueue[Tree] = queue.SimpleQueue()
        made = [Tree(copy_sources(Path(folder) / str(each))) for each in range(number)]
        for tree in made:
            free.put(tree)
        try:
            yield free
        finally:
            for tree in made:
                tree.close()


def ask_all(
    mutants: Sequence[Mutant], free: "queue.SimpleQueue[Tree]", processes: int, seconds: float
) -> Iterator[Result]:
    """Yield the results of mutants in the order in which they are complete."""

    def ask(mutant: Mutant) -> Result:
        tree = free.get()
        try:
            return judge(tree, mutant, seconds)
        finally:
            free.put(tree)

    pool = ThreadPoolExecutor(processes)
    try:
        for future in as_completed([pool.submit(ask, mutant) for mutant in mutants]):
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def work(mutants: Sequence[Mutant], results: Results, processes: int, seconds: float) -> None:
    """Run mutants without a result, store each result, and check the tests that killed."""
    waiting = [mutant for mutant in mutants if (result := results.of(mutant)) is None or result.verdict == UNDECIDED]
    doubted = doubtful(mutants, results)
    if not waiting and not doubted:
        return
    with trees(processes if waiting else 1) as free:
        with progress_bar("mutants", len(mutants), len(mutants) - len(waiting)) as advance:
            for result in ask_all(waiting, free, processes, seconds):
                results.keep(result)
                advance(1, lambda result=result: result.name)
                if result.verdict != KILLED:
                    click.echo(f"{result.name}: {result.verdict} {result.by}")
        doubted = doubtful(mutants, results)
        wrong = unsound(free.get(), doubted, seconds)
    for _, result in doubted:
        if result.by in wrong:
            click.echo(f"{result.name}: undecided, for {result.by} fails without it, too")
            results.keep(replace(result, verdict=UNDECIDED))
        else:
            results.keep(replace(result, sound=True))


def doubtful(mutants: Sequence[Mutant], results: Results) -> list[tuple[Mutant, Result]]:
    """Return the mutants killed by tests that have not been checked without a mutant."""
    return [each for each in print_known(mutants, results) if each[1].verdict == KILLED and not each[1].sound]


def print_known(mutants: Sequence[Mutant], results: Results) -> list[tuple[Mutant, Result]]:
    """Print the results so far."""
    found = ((mutant, results.of(mutant)) for mutant in mutants)
    return [(mutant, result) for mutant, result in found if result is not None]


@click.command()
@click.argument("words", nargs=-1, metavar="[AREA OR NAME]...")
@click.option("-n", "--processes", default=1, show_default=True, help="Number of mutants tested at the same time.")
@click.option("--seconds", default=300.0, show_default=True, help="Give up asking a test after so long.")
@click.option("--again", is_flag=True, help="Forget what is known of them.")
@click.option("--tell", is_flag=True, help="Tell what is known, and ask nothing.")
def main(words: tuple[str, ...], processes: int, seconds: float, again: bool, tell: bool) -> None:
    """Apply small wrong changes to the code, and report those that no test detects."""
    try:
        mutants = choose_mutants(read_mutants(), words)
        for mutant in mutants:
            mutate(mutant, (ROOT / mutant.file).read_text(encoding="utf-8"))
    except MutantError as error:
        raise click.ClickException(str(error)) from None
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)  # a shell ignores it for background processes
    results = Results(KEPT)
    if again:
        for mutant in mutants:
            results.forget(mutant)
    try:
        if not tell:
            work(mutants, results, processes, seconds)
    except KeyboardInterrupt:
        click.echo("stopped; the next run goes on from here")
    found = {mutant.name: result for mutant, result in print_known(mutants, results)}
    for name, result in found.items():
        if result.verdict in (SURVIVED, UNDECIDED):
            click.echo(f"{name}: {result.verdict} {result.by}")
    click.echo(table(mutants, found))
    sys.exit(1 if too_few(mutants, found) else 0)


if __name__ == "__main__":
    main()
