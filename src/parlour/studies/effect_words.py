"""Effects of options, of their combinations and of the strength of play, in plain words."""

from collections.abc import Iterable

from parlour.engine.validation import counted
from parlour.studies.comparisons import Difference, sort_by_p_value
from parlour.studies.contrasts import INTERACTION, MAIN, Change
from parlour.studies.estimates import StudyEstimates
from parlour.studies.labels import MOST_NAMED, interval_text, listed, merged_paragraphs, names, number_text
from parlour.studies.measures import Measure

_MOST_PAIRS, _MOST_OF_A_PAIR = 6, 3
_MOST_INTERACTIONS = 4


def effects_answer(findings: StudyEstimates) -> list[str]:
    """Return the paragraphs about main effects, interactions and pairs, of the strongest bots."""
    return [*_main_effects(findings), *_interactions(findings), *_pairs(findings)]


def _strongest_differences(findings: StudyEstimates, found: Iterable[Difference]) -> list[Difference]:
    """Return the comparisons beyond doubt among the strongest bots, the smallest p-value first."""
    return sort_by_p_value(each for each in found if each.significant and each.line_up[0] == findings.study.strongest)


def _main_effects(findings: StudyEstimates) -> list[str]:
    """Return paragraphs on the values with an effect beyond doubt, and one that lists the other values.

    The effect is the mean over the settings of the other options.
    """
    main = [each for each in findings.effects if each.contrast.kind == MAIN]
    by_change: dict[Change, list[Difference]] = {each.contrast.changes[0]: [] for each in main}
    for each in _strongest_differences(findings, main):
        by_change[each.contrast.changes[0]].append(each)
    without = [change.after_text for change, significant in by_change.items() if not significant]
    effects = [
        (f"{change.text}, over all settings of the rest", change.text, significant)
        for change, significant in by_change.items()
        if significant
    ]
    paragraphs = merged_paragraphs(findings, effects, MOST_NAMED)
    if without:
        paragraphs.append(f"Over all settings of the rest nothing differs beyond doubt by {' or by '.join(without)}.")
    return paragraphs


def _interactions(findings: StudyEstimates) -> list[str]:
    """Return a paragraph on the interactions of the options' effects; none for one option."""
    every = [each for each in findings.effects if each.contrast.kind == INTERACTION]
    found = _strongest_differences(findings, every)
    if not every:
        return []
    if not found:
        return ["In these deals no option's effect depends significantly on another option's value."]
    more = f" ({len(found) - _MOST_INTERACTIONS} more of this kind.)" if len(found) > _MOST_INTERACTIONS else ""
    listed = " ".join(f"{interaction_text(findings, each)}." for each in found[:_MOST_INTERACTIONS])
    return [f"The effect of one option depends on another's value. {listed}{more}"]


def interaction_text(findings: StudyEstimates, difference: Difference) -> str:
    """Return ``"Decisions: rounds=4 instead of rounds=2 makes +2.1 with 3 players and +5.0 with 5 players, …"``."""
    one, other = difference.contrast.changes
    before, after = (_effect_at(findings, difference, value) for value in (other.before, other.after))
    measure = difference.measure
    return (
        f"{measure.title}: {one.text} makes {before} with {other.before_text} and "
        f"{after} with {other.after_text}, a difference of {interval_text(measure, difference.by, signed=True)}"
    )


def _effect_at(findings: StudyEstimates, difference: Difference, value: object) -> str:
    """Return the effect of an interaction's first change at one value of the second factor, as a signed number."""
    factor = difference.contrast.changes[1].factor
    weights = [
        (number, weight if value == difference.contrast.changes[1].after else -weight)
        for number, weight in difference.contrast.weights
        if findings.grid.value(number, factor) == value
    ]
    effect = findings.value_of(weights, difference.line_up, difference.measure)
    return number_text(difference.measure, effect.value, signed=True)


def _pairs(findings: StudyEstimates) -> list[str]:
    """Return paragraphs on pairs of later variations; in a grid, only on pairs that differ in one factor."""
    grid, shown = findings.grid, names(findings)
    by_pair: dict[tuple[int, int], list[Difference]] = {}
    for each in _strongest_differences(findings, findings.pairs):
        if len(grid.factors) < 2 or grid.neighbours(each.variation, each.base):
            by_pair.setdefault((each.variation, each.base), []).append(each)
    pairs = [
        (head := f"{shown[variation]} against {shown[base]}", head, significant)
        for (variation, base), significant in list(by_pair.items())[:_MOST_PAIRS]
    ]
    paragraphs = merged_paragraphs(findings, pairs, _MOST_OF_A_PAIR)
    if len(by_pair) > _MOST_PAIRS:
        more = counted(len(by_pair) - _MOST_PAIRS, "more pair")
        differ = "differs" if len(by_pair) == _MOST_PAIRS + 1 else "differ"
        paragraphs.append(f"{more} {differ} beyond doubt; the report and --json have them all.")
    return paragraphs


def settled_from(findings: StudyEstimates, factor: str, measure: Measure) -> str:
    """Return the sentence on the least value of a numeric factor from which on a measure does not change.

    Among the values from this one on, the strongest bots' games do not differ beyond doubt between any two, all else
    equal. The sentence is empty if the games of the greatest two values differ.
    """
    grid, top = findings.grid, (findings.study.strongest,)
    differ = [
        min(int(grid.value(number, factor)) for number in (each.variation, each.base))
        for each in [*findings.differences, *findings.pairs]
        if each.significant and each.measure is measure and each.line_up == top
        and grid.neighbours(each.variation, each.base)
        and grid.differ_in(factor, each.variation, each.base)
    ]  # fmt: skip
    values = sorted(int(value) for value in grid.factors[factor])
    if not differ:
        return f"Among {findings.line_up_text(top)} nothing differs beyond doubt from {values[0]} to {values[-1]}."
    later = [value for value in values if value > max(differ)]
    if len(later) < 2:
        return ""
    return f"Among {findings.line_up_text(top)} nothing differs beyond doubt from {later[0]} on."


def opposite_differences(findings: StudyEstimates) -> list[tuple[Difference, Difference]]:
    """Return pairs of opposite differences that are beyond doubt for players of different strength."""
    significant = [each for each in findings.differences if each.significant]
    return [
        (one, other)
        for place, one in enumerate(significant)
        for other in significant[place + 1 :]
        if (one.variation, one.measure) == (other.variation, other.measure) and one.by.value * other.by.value < 0
    ]


def strengths(findings: StudyEstimates) -> str:
    """Return the sentence on whether the answer depends on the strength of the players."""
    found = dict.fromkeys((one.variation, one.measure) for one, _ in opposite_differences(findings))
    if not found:
        return "No significant difference changes its sign with the strength of the players."
    shown = names(findings)
    turned = [f"{measure.title.lower()} with {shown[variation]}" for variation, measure in found]
    rest = f" and {len(turned) - MOST_NAMED} more" if len(turned) > MOST_NAMED else ""
    return (
        f"The sign of a difference depends on the strength of the players for {listed(turned[:MOST_NAMED])}"
        f"{rest}. The table by strength of play has the figures."
    )


def by_strength(findings: StudyEstimates) -> list[tuple[Measure, int, list[Difference]]]:
    """Return each measure and variation that differs from the first variation beyond doubt for at least one bot.

    Each comes with the differences of all bots in self-play, weak bots first. The order is that of the variations, then
    of the measures; sides, endings and sources of points follow. Clauses and chances to win are left out.
    """
    rows: dict[tuple[Measure, int], list[Difference]] = {}
    for each in [*findings.differences, *(each for each in findings.result_differences if each.base == 0)]:
        if len(each.line_up) == 1 and not each.measure.needs_win_probability:
            rows.setdefault((each.measure, each.variation), []).append(each)
    bots = sum(len(line_up) == 1 for line_up in findings.line_ups)
    return [
        (measure, variation, found)
        for (measure, variation), found in rows.items()
        if len(found) == bots and any(each.significant for each in found)
    ]


def strengths_text(findings: StudyEstimates) -> list[str]:
    """Return the lines of the table by strength of play, for a terminal; none for a single bot or an empty table."""
    rows = by_strength(findings)
    bots = [findings.line_up_text(line_up) for line_up in findings.line_ups if len(line_up) == 1]
    if len(bots) < 2 or not rows:
        return []
    shown = names(findings)
    labels = [f"{measure.title}, {measure.unit}" for measure, *_ in rows]
    wide, column = max(map(len, labels)), max(10, *(len(bot) + 2 for bot in bots))
    head = " " * (wide + 4) + "".join(f"{bot:>{column}}" for bot in bots)
    lines = [f"\nDifferences from {shown[0]} by strength of play (* beyond doubt):", head]
    before = 0
    for label, (measure, variation, found) in sorted(zip(labels, rows, strict=True), key=lambda row: row[1][1]):
        if variation != before:
            lines.append(f"  {shown[variation]}:")
            before = variation
        cells = (
            number_text(measure, each.by.value, signed=True) + ("*" if each.significant else " ") for each in found
        )
        lines.append(f"    {label:{wide}}" + "".join(f"{each:>{column}}" for each in cells))
    return lines
