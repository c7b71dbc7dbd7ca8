"""Rows that show people of recorded games beside bots in self-play, for the terminal and the report."""

from collections.abc import Iterator
from dataclasses import dataclass

from parlour.engine.validation import counted
from parlour.statistics import Estimate
from parlour.studies.estimates import StudyEstimates
from parlour.studies.labels import interval_text, names, number_text
from parlour.studies.measures import PART, SHARE, Measure
from parlour.studies.people.evaluation import EFFORT
from parlour.studies.people.people import BOTS_DEALS, PEOPLE, SELF_PLAY_MEASURES, People
from parlour.studies.rule_measures import ending_measure, source_measure

LOST = Measure("lost", "Chance to win that a choice lost", "points of 100 games", lambda games: games.decisions, PART)
MARKED = Measure("marked", "Choices marked in a review", "% of choices", lambda games: games.decisions, SHARE)
"""Measures of judged decisions of people and bots. Only their titles, units and kinds are used: the values come from
:meth:`parlour.studies.people.people.People.mistakes`.
"""


@dataclass(frozen=True)
class PeopleRow:
    """A measure of people and of each bot.

    Attributes:
        measure: the measure.
        found: the estimate of the people, then that of each bot in self-play; ``None`` for a missing one.
    """

    measure: Measure
    found: tuple[Estimate | None, ...]


def bots_alone(findings: StudyEstimates) -> list[int]:
    """Return the numbers of the bots with self-play games."""
    return [line_up[0] for line_up in findings.line_ups if len(line_up) == 1]


def people_rows(findings: StudyEstimates, people: People, variation: int) -> Iterator[PeopleRow]:
    """Yield the rows of a variation: its measures, endings, sources of points and judged decisions."""
    alone = [(bot,) for bot in bots_alone(findings)]
    for measure in SELF_PLAY_MEASURES:
        by_bots = [findings.estimate(variation, line_up, measure) for line_up in alone]
        yield PeopleRow(measure, (people.estimate(variation, measure), *by_bots))
    endings = [people.endings(variation), *(findings.endings(variation, line_up) for line_up in alone)]
    for way in dict.fromkeys(way for each in endings for way in each):
        yield PeopleRow(ending_measure(way), tuple(each.get(way) for each in endings))
    sources = [people.sources(variation), *(findings.sources(variation, line_up) for line_up in alone)]
    for source in dict.fromkeys(source for each in sources for source in each):
        yield PeopleRow(source_measure(source), tuple(each.get(source) for each in sources))
    mistakes = [people.mistakes(variation, player) for player in (PEOPLE, *(bot for bot, *_ in alone))]
    yield PeopleRow(LOST, tuple(each.mean_loss if each.games else None for each in mistakes))
    yield PeopleRow(MARKED, tuple(each.marked_share if each.games else None for each in mistakes))


def people_note(people: People, variation: int) -> str:
    """Return the sentences that explain the rows."""
    number = counted(people.number(variation), "recorded game")
    alone = people.without_bots(variation)
    bots = "all without bots" if alone == people.number(variation) else f"{alone} of them without bots"
    left_out = "".join(f", without {counted(many, 'record')} {why}" for why, many in people.left_out.items())
    choices = people.mistakes(variation).number
    sampled = (
        f"A review with an effort of {EFFORT:,} judged {choices} of the people's choices, drawn at random, and about "
        f"as many choices of each bot, from the first {BOTS_DEALS} deals."
        if choices
        else "No choices were judged."
    )
    return (
        f"{number}, {bots}{left_out}. The people played other deals than the bots: the intervals include "
        f"the luck of both, and a person counts once for every game. {sampled}"
    )


def people_text(findings: StudyEstimates) -> list[str]:
    """Return the lines about people of recorded games, for a terminal; none without records."""
    people, lines = findings.people, list[str]()
    if people is None:
        return lines
    bots = [findings.study.bots[bot] for bot in bots_alone(findings)]
    for variation in people.evaluated_variations:
        rows = list(people_rows(findings, people, variation))
        labels = [f"{row.measure.title}, {row.measure.unit}" for row in rows]
        own_texts = [_estimate_text(row.measure, row.found[0]) for row in rows]
        label_width, people_width = max(map(len, labels)), max(map(len, ["people", *own_texts]))
        heads = "".join(f"{bot:>{max(10, len(bot) + 2)}}" for bot in bots)
        lines += [
            f"\nPeople beside bots, {names(findings)[variation]}: {people_note(people, variation)}",
            f"  {'':{label_width}}  {'people':{people_width}}{heads}",
        ]
        for label, own, row in zip(labels, own_texts, rows, strict=True):
            by_bots = "".join(
                f"{number_text(row.measure, each.value) if each else '–':>{max(10, len(bot) + 2)}}"
                for bot, each in zip(bots, row.found[1:], strict=True)
            )
            lines.append(f"  {label:{label_width}}  {own:{people_width}}{by_bots}")
    return lines


def _estimate_text(measure: Measure, estimate: Estimate | None) -> str:
    return interval_text(measure, estimate) if estimate else "–"
