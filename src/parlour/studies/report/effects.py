"""Report sections that compare variations: all at a glance, effects of options, every pair, strength of play."""

import re
from collections.abc import Sequence
from html import escape

from parlour.studies.comparisons import Difference, sort_by_p_value
from parlour.studies.contrasts import INTERACTION, MAIN
from parlour.studies.effect_words import by_strength, interaction_text, settled_from
from parlour.studies.findings import Findings
from parlour.studies.labels import interval_text, names, number_text
from parlour.studies.measures import Measure
from parlour.studies.report import charts
from parlour.studies.report.html import figure, gallery, p_value_text, table, td

_MOST_CURVES, _MOST_ROWS = 9, 30
"""Maximum numbers of curves in a gallery, and of rows in the table of pairs."""
_STEPS = 4
"""Number of colours for either direction in the overview; no colour is a further step."""


def overview_table(findings: Findings) -> str:
    """Return the differences of all measures from the first variation, by variation and strength of play.

    The colour of a cell shows the direction, the colour's strength the adjusted p-value. The result is an empty string
    for a single variation.
    """
    alone = [line_up for line_up in findings.line_ups if len(line_up) == 1]
    labels = names(findings)
    found = {(each.measure, each.variation, each.line_up): each for each in findings.differences}
    measures = dict.fromkeys(each.measure for each in findings.differences if len(each.line_up) == 1)
    if not found:
        return ""
    columns = [(variation, line_up) for variation in range(1, len(labels)) for line_up in alone]
    rows = [
        [_measure_head(measure), *(_tile(found.get((measure, *column))) for column in columns)] for measure in measures
    ]
    head = [
        "difference",
        *(
            f"{_breakable(labels[variation])}<small>{escape(findings.line_up_text(who))}</small>"
            for variation, who in columns
        ),
    ]
    note = (
        f"The difference from {escape(labels[0])}, by variation and by the bot that plays. Orange is more, blue less; "
        "the stronger the colour, the smaller the adjusted p-value: without colour above 0.4, beyond doubt below 0.05."
    )
    return table("All at a glance", note, head, rows).replace("<table>", '<table class="glance">', 1)


def _breakable(name: str) -> str:
    """Return a variation's name as HTML that may be broken after each ``=`` and ``_``."""
    return re.sub("([=_])", r"\1<wbr>", escape(name))


def _measure_head(measure: Measure) -> str:
    return f"{escape(measure.title)} <small>{escape(measure.unit)}</small>"


def _tile(difference: Difference | None) -> str:
    if difference is None:
        return td("–")
    value = number_text(difference.measure, difference.by.value, signed=True)
    step = round(_STEPS * abs(charts.signed_log_p(difference)) / charts.LARGEST_LOG_P)
    return td(value, f"{'more' if difference.by.value > 0 else 'less'}-{step}" if step else "")


def curves_gallery(findings: Findings) -> str:
    """Return the sensitivity curves of the factors with three or more integers as values, or an empty string."""
    sections = []
    for factor, values in findings.grid.factors.items():
        if len(values) < 3 or not all(type(value) is int for value in values):
            continue
        measures = _sensitive_measures(findings, factor)
        figures = [
            figure(
                f"{measure.title} by {factor}",
                charts.sensitivity(findings, factor, measure),
                settled_from(findings, factor, measure),
            )
            for measure in measures[:_MOST_CURVES]
        ]
        others = [name for name in findings.grid.factors if name != factor]
        over = f", the mean over all settings of {' and '.join(others)}" if others else ""
        usual = f" The default is {findings.grid.defaults[factor]}." if factor in findings.grid.defaults else ""
        note = (
            f"A point for each value of {factor} that was played{over}, with its 95 % interval.{usual} Shown are the "
            "first player's edge and the measures that differ beyond doubt between two values."
        )
        sections.append(gallery(f"Sensitivity to {factor}", note, figures))
    return "".join(sections)


def _sensitive_measures(findings: Findings, factor: str) -> list[Measure]:
    """Return the measures with a curve: the first player's edge, and those that differ beyond doubt for any bot.

    The two variations of the difference have different values of the factor.
    """
    grid = findings.grid
    significant = {
        each.measure
        for each in [*findings.differences, *findings.pairs]
        if each.significant
        and len(each.line_up) == 1
        and not each.measure.needs_win_probability
        and grid.differ_in(factor, each.variation, each.base)
    }
    top = (findings.study.strongest,)
    return [each for each in findings.measures_of(top) if each.name == "first_player" or each in significant]


def effects_table(findings: Findings) -> str:
    """Return the tables of main effects and of interactions, the smallest p-value first; empty for a single factor."""
    main = [each for each in findings.effects if each.contrast.kind == MAIN and each.deals]
    both = [each for each in findings.effects if each.contrast.kind == INTERACTION and each.deals]
    if not main:
        return ""
    rows = [
        [
            _measure_head(each.measure),
            _difference_cell(each),
            td(escape(each.contrast.changes[0].text), "words"),
            td(escape(findings.line_up_text(each.line_up)), "words"),
            td(p_value_text(each.adjusted_p_value)),
        ]
        for each in sort_by_p_value(main)
        if each.significant
    ]  # fmt: skip
    note = (
        "The effect of one value of an option, as the mean over all settings of the other options that both values "
        f"have. {_omission_text(main)}"
    )
    head = ["measure", "effect", "of", "players", "adjusted p-value"]
    single = table("Effects of single options", note, head, rows) if rows else ""
    return single + _interactions_table(findings, both)


def _interactions_table(findings: Findings, both: Sequence[Difference]) -> str:
    rows = [
        [
            escape(interaction_text(findings, each)),
            td(escape(findings.line_up_text(each.line_up)), "words"),
            td(p_value_text(each.adjusted_p_value), "significant"),
        ]
        for each in sort_by_p_value(both)
        if each.significant
    ]
    note = f"How much the effect of one option changes with the value of another. {_omission_text(both)}"
    return table("Options together", note, ["interaction", "players", "adjusted p-value"], rows) if rows else ""


def _omission_text(found: Sequence[Difference]) -> str:
    number = sum(each.significant for each in found)
    return f"{number} of {len(found)} {'is' if number == 1 else 'are'} beyond doubt; the others are left out."


def pairs_table(findings: Findings) -> str:
    """Return the table of differences beyond doubt between variations besides the first, among the strongest bots."""
    labels = names(findings)
    every = [
        each
        for each in [*findings.pairs, *(each for each in findings.result_differences if each.base)]
        if each.line_up[0] == findings.study.strongest
    ]
    found = [each for each in sort_by_p_value(every) if each.significant]
    rows = [
        [
            f"{escape(labels[each.variation])} <small>against {escape(labels[each.base])}</small>",
            td(escape(f"{each.measure.title}, {each.measure.unit}"), "words"),
            _difference_cell(each),
            td(escape(findings.line_up_text(each.line_up)), "words"),
            td(p_value_text(each.adjusted_p_value)),
        ]
        for each in found[:_MOST_ROWS]
    ]
    first = f", the first {_MOST_ROWS} are shown" if len(found) > _MOST_ROWS else ""
    note = (
        f"Of {len(every):,} comparisons that leave out {escape(labels[0])}, among the strongest bots, {len(found)} "
        f"{'is' if len(found) == 1 else 'are'} beyond doubt{first}; --json has all of them."
    )
    head = ["pair", "measure", "difference", "players", "adjusted p-value"]
    return table("Every other pair", note, head, rows) if rows else ""


def strengths_table(findings: Findings) -> str:
    """Return the table of differences by strength of play; empty with one bot, or if nothing differs beyond doubt."""
    bots = [findings.line_up_text(line_up) for line_up in findings.line_ups if len(line_up) == 1]
    rows = by_strength(findings)
    if len(bots) < 2 or not rows:
        return ""
    labels = names(findings)
    cells = [
        [_measure_head(measure), td(escape(labels[variation]), "words"), *(_difference_cell(each) for each in found)]
        for measure, variation, found in rows
    ]
    note = (
        f"The difference from {escape(labels[0])} among bots of each strength, weak to strong, where it is beyond "
        "doubt for one of them: in colour and bold. An effect that only weak bots show may vanish among people who "
        "learn."
    )
    return table("By strength of play", note, ["measure", "variation", *map(escape, bots)], cells)


def _difference_cell(difference: Difference) -> str:
    text = interval_text(difference.measure, difference.by, signed=True)
    value, _, interval = text.partition(" (")
    return td(f"{value}<small>{interval.rstrip(')')}</small>", "significant" if difference.significant else "")
