"""Mutation testing: ``make mutants``, or ``python -m tests.mutants [AREA OR NAME …]``.

Each mutant (:mod:`tests.mutants.mutant_list`) is applied to a copy of the sources, and its tests run there, the
narrowest first, until one fails. At the end the tests that killed mutants run once more without a mutant: a test that
fails there has detected nothing.
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
from tests.mutants.source_copies import TOO_LONG, SourceCopy, copy_sources

KEPT = ROOT / ".mutants.jsonl"
"""File of the results."""


def choose_mutants(mutants: Sequence[Mutant], words: Sequence[str]) -> list[Mutant]:
    """Return the mutants of these areas or names, in their order; by default all. Raises :class:`MutantError`."""
    found: dict[Mutant, None] = {}
    for word in words:
        named = [mutant for mutant in mutants if word in (mutant.area, mutant.name)]
        if not named:
            raise MutantError(f"there is no mutant and no area {word!r}")
        found.update(dict.fromkeys(named))
    return list(found) if words else list(mutants)


def judge(copy: SourceCopy, mutant: Mutant, seconds: float) -> Result:
    """Run the tests of a mutant, the narrowest first, until one fails; return the result."""
    began, why = time.monotonic(), ""
    verdict = SURVIVED
    with copy.apply(mutant):
        for test in mutant.tests:
            run = copy.run_tests([test], seconds, mutant.interpreted)
            if run.first_failure:
                verdict, why = KILLED, run.first_failure
                break
            if run.status == TOO_LONG:  # wider tests would take longer still
                verdict, why = UNDECIDED, f"{test}: took too long"
                break
            if not run.passed:
                verdict, why = UNDECIDED, f"{test}: status {run.status}"
    hashes = code_of(mutant, copy.folder), asked_of(mutant, copy.folder)
    return Result(mutant.name, *hashes, verdict, why, round(time.monotonic() - began, 1))


def unsound(copy: SourceCopy, killed: Sequence[tuple[Mutant, Result]], seconds: float) -> set[str]:
    """Return the killing tests that also fail without a mutant; all tests of a run that pytest could not complete."""
    groups: dict[bool, set[str]] = defaultdict(set)
    for mutant, result in killed:
        groups[mutant.interpreted].add(result.by)
    failing: set[str] = set()
    for interpreted, tests in groups.items():
        run = copy.run_tests(sorted(tests), seconds * len(tests), interpreted, first=False)
        failing |= tests if run.status not in (0, 1) else set(run.failed)
    return failing


@contextmanager
def source_copies(number: int) -> Iterator["queue.SimpleQueue[SourceCopy]"]:
    """Provide a number of copies of the sources during a ``with`` block."""
    with tempfile.TemporaryDirectory(prefix="parlour-mutants-") as folder:
        free: queue.SimpleQueue[SourceCopy] = queue.SimpleQueue()
        made = [SourceCopy(copy_sources(Path(folder) / str(each))) for each in range(number)]
        for copy in made:
            free.put(copy)
        try:
            yield free
        finally:
            for copy in made:
                copy.close()


def ask_all(
    mutants: Sequence[Mutant], free: "queue.SimpleQueue[SourceCopy]", processes: int, seconds: float
) -> Iterator[Result]:
    """Run the tests of mutants on several trees at once; yield each result as soon as it is complete."""

    def judge_next(mutant: Mutant) -> Result:
        copy = free.get()
        try:
            return judge(copy, mutant, seconds)
        finally:
            free.put(copy)

    pool = ThreadPoolExecutor(processes)
    try:
        for future in as_completed([pool.submit(judge_next, mutant) for mutant in mutants]):
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def work(mutants: Sequence[Mutant], results: Results, processes: int, seconds: float) -> None:
    """Run mutants without a result or with an undecided one, store the results, and check the killing tests."""
    waiting = [mutant for mutant in mutants if (result := results.of(mutant)) is None or result.verdict == UNDECIDED]
    doubted = doubtful(mutants, results)
    if not waiting and not doubted:
        return
    with source_copies(processes if waiting else 1) as free:
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
    """Return the killed mutants whose killing tests have not yet passed without a mutant, with their results."""
    return [each for each in known_results(mutants, results) if each[1].verdict == KILLED and not each[1].sound]


def known_results(mutants: Sequence[Mutant], results: Results) -> list[tuple[Mutant, Result]]:
    """Return the mutants that have a result, with their results."""
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
        signal.signal(number, signal.default_int_handler)  # shells start background processes with SIGINT ignored
    results = Results(KEPT)
    if again:
        for mutant in mutants:
            results.forget(mutant)
    try:
        if not tell:
            work(mutants, results, processes, seconds)
    except KeyboardInterrupt:
        click.echo("stopped; the next run goes on from here")
    known = {mutant.name: result for mutant, result in known_results(mutants, results)}
    for name, result in known.items():
        if result.verdict in (SURVIVED, UNDECIDED):
            click.echo(f"{name}: {result.verdict} {result.by}")
    click.echo(table(mutants, known))
    sys.exit(1 if too_few(mutants, known) else 0)


if __name__ == "__main__":
    main()
