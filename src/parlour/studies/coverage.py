"""Coverage of a study's intervals: ``python -m parlour.studies.coverage GAME:VARIATION:VARIATION``.

A long study of two variations serves as the truth. Many short studies are resampled from its deals, with replacement.
The coverage of a measure is the share of short studies whose 95 % interval contains the value of the long study.

Two further kinds of short study have no mean difference. In the first kind the games of each deal are exchanged between
the variations at random, so that the variations do not differ. In the second kind the differences of one sign are
reduced until the mean of the long study is 0; rare large differences against many small ones remain. The rate of false
verdicts is the share of these studies that report a significant difference: once for tests at the last number of deals
only, and once for tests repeated until a difference is significant.

The table goes into docs/measures.md, between the two comment lines that name this module.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from parlour import inference
from parlour.contests.contest import Deal
from parlour.contests.results_file import play_and_store
from parlour.engine.arrays import Floats
from parlour.engine.errors import ParlourError
from parlour.engine.validation import whole
from parlour.games import find_game
from parlour.jobs.tasks import HERE
from parlour.statistics import Estimate
from parlour.studies import formulas
from parlour.studies.arguments import options_of
from parlour.studies.comparisons import SIGNIFICANCE_LEVEL
from parlour.studies.findings import Findings
from parlour.studies.games import Games, LineUp
from parlour.studies.measures import Measure
from parlour.studies.plan import Study, listed_variations

COVERAGE_BOTS = ("random", "thumb")
CHECKED_DEALS = (5, 10, 20, 40, 80, 160, 320)
"""Numbers of deals after which a study is tested if deals are added until a difference is significant."""
BEGIN, END = "<!-- made by parlour.studies.coverage: begin -->", "<!-- made by parlour.studies.coverage: end -->"

_FEWEST = 2
"""Minimum number of deals that have a spread, and of studies."""
_KINDS = "exchanged at random", "one sign reduced"
"""Kinds of games without a mean difference."""

Interval = Callable[[Findings], Estimate]


@dataclass(frozen=True)
class Size:
    """The size of a coverage run: the numbers of deals of the long study, of short studies, and of deals of each."""

    truth: int = 4000
    studies: int = 200
    deals: int = 40


class ResampledFindings(Findings):
    """Findings of a short study whose deals are resampled from a long study."""

    def __init__(self, long: Findings, which: Any) -> None:
        self.study, self.deals, self.games, self.precision = long.study, len(which), 0, None
        self.people = None
        self._replicated_shares: dict[int, Any] = {}
        self._cells = {key: games_at(games, which) for key, games in long._cells.items()}


def games_at(games: Games, which: Any) -> Games:
    """Return the games of the deals with these indices, without win probabilities and clauses."""
    arrays = ("shares", "points", "first", "challenger", "decisions")
    return replace(
        games,
        **{name: getattr(games, name)[which] for name in arrays},
        endings=[games.endings[deal] for deal in which],
        clause_counts={},
        statistics={name: values[which] for name, values in games.statistics.items()},
        win_probability={},
    )


def study_of(case: str) -> Study:
    """Return the study of two variations: ``"GAME:NAME=VALUE,…:NAME=VALUE,…"``. Raises :class:`ParlourError`."""
    game_id, *options = case.split(":")
    if len(options) != 2:
        raise ParlourError(f"a case is written GAME:NAME=VALUE:NAME=VALUE, not {case!r}")
    game = find_game(game_id)
    return Study(tuple(listed_variations(game, game.usual_players, map(options_of, options))), COVERAGE_BOTS)


def long_study(study: Study, deals: int) -> Findings:
    """Play the long study, whose values serve as the truth."""
    found: list[Deal] = []
    for _ in play_and_store(study, deals, None, HERE, lambda *done: None, found.append):
        pass
    return Findings(study, found)


def intervals_of(findings: Findings) -> dict[str, Interval]:
    """Return the functions that estimate the first variation and the difference, by their names in the table."""
    found: dict[str, Interval] = {}
    for line_up in findings.line_ups:
        for measure in findings.measures_of(line_up):
            found[f"`{measure.name}` {line_up}"] = partial(
                Findings.estimate, variation=0, **_estimate_arguments(line_up, measure)
            )
            if measure.says:
                found[f"`{measure.name}`, difference {line_up}"] = partial(
                    _difference, **_estimate_arguments(line_up, measure)
                )
        if len(line_up) == 1:
            found[f"`balance` {line_up}"] = partial(Findings.balance, variation=0, line_up=line_up)
        else:
            found[f"`deal_part` {line_up}"] = partial(_part, line_up=line_up, which=0)
            found[f"`skill_part` {line_up}"] = partial(_part, line_up=line_up, which=1)
            found[f"`duplicate` {line_up}"] = partial(Findings.duplicate, variation=0, line_up=line_up)
    return found


def _estimate_arguments(line_up: LineUp, measure: Measure) -> dict[str, Any]:
    return {"line_up": line_up, "measure": measure}


def _difference(findings: Findings, line_up: LineUp, measure: Measure) -> Estimate:
    return measure.estimate_difference(findings.cell(1, line_up), findings.cell(0, line_up))


def _part(findings: Findings, line_up: LineUp, which: int) -> Estimate:
    return findings.parts(0, line_up)[which]


def truth_of(long: Findings, name: str, interval: Interval) -> float:
    """Return the long study's value. Balance is uncorrected: a long study lacks the bias of few deals."""
    if not name.startswith("`balance`"):
        return interval(long).value
    [line_up] = [each for each in long.line_ups if name == f"`balance` {each}"]
    return formulas.balance(long.cell(0, line_up).shares.mean(axis=(0, 1)))


def kind_of(name: str) -> str:
    """Return the table row of an interval: its name without the line-up."""
    return name.partition(" (")[0]


def miss_shares(long: Findings, size: Size, random: np.random.Generator) -> dict[str, float]:
    """Return the share of short studies whose interval misses the truth, by interval."""
    intervals = intervals_of(long)
    truth = {name: truth_of(long, name, interval) for name, interval in intervals.items()}
    misses = dict.fromkeys(intervals, 0)
    for _ in range(size.studies):
        short = ResampledFindings(long, random.integers(long.deals, size=size.deals))
        for name, interval in intervals.items():
            found = interval(short)
            misses[name] += not found.low - 1e-9 <= truth[name] <= found.high + 1e-9
    return {name: number / size.studies for name, number in misses.items()}


def false_verdicts(long: Findings, size: Size, random: np.random.Generator) -> tuple[float, float, float, float]:
    """Return the share of studies with a false difference.

    At the last test and at any test, if games are exchanged at random; then the same if the mean difference is 0.
    """
    compared = [
        (measure, [(long.cell(1, line_up), 1.0), (long.cell(0, line_up), -1.0)])
        for line_up in long.line_ups
        for measure in long.measures_of(line_up)
        if measure.says
    ]
    further = [measure.further_difference(weighted) for measure, weighted in compared]
    values = np.array([measure.contrast(weighted) for measure, weighted in compared])
    even = np.array([with_mean_zero(each) for each in values])
    wrong = []
    for _ in range(size.studies):
        which = random.integers(long.deals, size=CHECKED_DEALS[-1])
        exchanged = values[:, which] * random.choice([-1.0, 1.0], size=CHECKED_DEALS[-1])
        found = [
            [_has_significant(each[:, :deals], further) for deals in CHECKED_DEALS]
            for each in (exchanged, even[:, which])
        ]
        wrong.append([share for checks in found for share in (checks[-1], any(checks))])
    last, anywhere, even_last, even_anywhere = np.mean(wrong, axis=0).tolist()
    return last, anywhere, even_last, even_anywhere


def with_mean_zero(differences: Floats) -> Floats:
    """Return differences of which those of one sign are reduced until the mean is 0; all 0 if a sign is missing."""
    above, below = np.maximum(differences, 0), np.maximum(-differences, 0)
    least, most = sorted((float(above.sum()), float(below.sum())))
    if least <= 0:
        return np.zeros_like(differences)
    return np.where((differences > 0) == (above.sum() > below.sum()), least / most, 1.0) * differences


def _has_significant(differences: Iterable[Any], further: Sequence[float]) -> bool:
    p_values = [inference.p_value(each, least) for each, least in zip(differences, further, strict=True)]
    return min(inference.holm(p_values)) < SIGNIFICANCE_LEVEL


def table(studies: Sequence[Study], size: Size, random: np.random.Generator) -> str:
    """Return the tables of coverage and of false verdicts, as Markdown."""
    rows: dict[str, list[str]] = {}
    verdicts = []
    for number, study in enumerate(studies):
        print(f"{study.game.title} …", file=sys.stderr, flush=True)
        long = long_study(study, size.truth)
        worst: dict[str, float] = {}
        for name, share in miss_shares(long, size, random).items():
            worst[kind_of(name)] = max(worst.get(kind_of(name), 0.0), share)
        for kind, share in worst.items():
            rows.setdefault(kind, [""] * len(studies))[number] = f"{100 * share:.1f}"
        verdicts.append([f"{100 * share:.1f}" for share in false_verdicts(long, size, random)])
    games = [study.game.title for study in studies]
    times = [
        f"after {CHECKED_DEALS[-1]} deals",
        f"after {', '.join(map(str, CHECKED_DEALS))} deals, until something shows",
    ]
    return "\n".join(
        [
            f"The number of 100 intervals that miss the truth (5 are meant to) in studies of {size.deals} deals, for",
            f"the bots with the most misses. The truth is a study of {size.truth:,} deals, of which",
            f"{size.studies} short ones were drawn for each game.",
            "",
            *_markdown(["measure", *games], [[kind, *cells] for kind, cells in sorted(rows.items())]),
            "",
            "The number of 100 studies without a difference that call one beyond doubt (at most 5 are meant to):",
            "",
            *_markdown(
                ["games", "looked at", *games],
                [[kind, when, *cells] for (kind, when), *cells in zip(product(_KINDS, times), *verdicts, strict=True)],
            ),
        ]
    )


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]]


def write_into(page: Path, text: str) -> None:
    """Replace the text between the two comments of a page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def check(size: Size, page: Path | None) -> None:
    """Raise :class:`ParlourError` if a number is too small, or if a page has no place for the text."""
    for each in fields(Size):
        whole(f"--{each.name}", getattr(size, each.name), _FEWEST)
    if page and not (page.is_file() and BEGIN in page.read_text(encoding="utf-8")):
        raise ParlourError(f"{page} has no line {BEGIN}")


def main() -> None:
    """Measure the coverage, and write the tables into a page or to standard output."""
    parser = argparse.ArgumentParser(description="Measure how often a study's intervals hold the truth.")
    parser.add_argument("cases", nargs="+", metavar="GAME:NAME=VALUE:NAME=VALUE", help="two variations of a game")
    parser.add_argument("--page", type=Path, help="a page to write into, as docs/measures.md")
    for each in fields(Size):
        parser.add_argument(f"--{each.name}", type=int, default=each.default, metavar="N", help="default: %(default)s")
    arguments = parser.parse_args()
    size = Size(arguments.truth, arguments.studies, arguments.deals)
    try:
        studies = [study_of(case) for case in arguments.cases]
        check(size, arguments.page)
    except ParlourError as error:
        parser.error(str(error))
    text = table(studies, size, np.random.default_rng(0))
    if arguments.page:
        write_into(arguments.page, text)
    else:
        print(text)


if __name__ == "__main__":
    main()
