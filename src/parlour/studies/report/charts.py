"""Charts of a report: drawn by Vega-Altair and converted to SVG without scripts, in the page's text colour."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from math import copysign, isfinite, log10
from typing import Any

import numpy as np

from parlour.contests.game_results import CURVE_POINTS
from parlour.extras import extra
from parlour.statistics import Estimate
from parlour.studies.comparisons import Difference
from parlour.studies.findings import Findings
from parlour.studies.labels import names
from parlour.studies.measures import Measure

WIDTH, ROW = 250, 26
"""Width of a chart's plot area and height of a row in it, in pixels. With its labels a chart fits on a phone."""
INK, FAINT = "#010203", "#8a8a8a66"
"""Placeholder colour that ``currentColor`` replaces, and a faint colour for light and dark pages."""
COLOURS = ("#8f6fd0", "#c2751a", "#2f8fb5", "#3f9a5f", "#c9528a", "#8a7a2f")
"""Colours of players, sides or variations, legible on light and dark pages."""
_LADDER_ROW = 40
"""Height of a bot's row in the ladder, in pixels."""
_WHO_HEIGHT, _LABEL_LINE, _GAP = 12, 14, 10
"""Heights in a row: of a player's interval, of a line of the label, and the gap to the next row, in pixels."""
_LONGEST_LABEL = 210
"""Maximum width of a label, in pixels."""
MOST_HISTORY_GAMES = 40
"""Maximum number of games in a lead history."""
LARGEST_LOG_P = 3.0
"""Sureness with the strongest colour: −log10 of an adjusted p-value of 0.001; smaller p-values look the same."""
_STEPS = 40
"""Number of steps of the curve of leads, from the first decision to the last."""
_SHORT = 8
"""Longest short label, in characters: a legend fits three of them side by side."""
_TICKS = 4
"""Approximate number of ticks of an axis."""
_LABEL_LETTERS = 32
"""Maximum number of characters in a line of a label: wide characters of the font fit :data:`_LONGEST_LABEL`."""
_FONT, _ASIDE = "Arial, Helvetica, Liberation Sans, sans-serif", 24
"""Font with substitutes of equal width; and padding on the left, in pixels, for machines with a wider font."""


def forest(findings: Findings, measure: Measure) -> str | None:
    """Draw the difference of a measure from the first variation, by variation and player: points with intervals.

    Returns ``None`` if no variation differs.
    """
    found = [each for each in findings.differences if each.measure is measure]
    if not any(each.by.value for each in found):
        return None
    shown = names(findings)
    rows = [
        _row(shown[each.variation], findings.line_up_text(each.line_up), _scale(each.by, measure.scale))
        for each in found
    ]
    return _svg(_intervals(findings, rows, measure.unit, 0.0, _colours(findings)))


def dots(findings: Findings, measure: Measure, even: float | None = None) -> str:
    """Draw a measure by variation and player: points with intervals."""
    line_ups = [line_up for line_up in findings.line_ups if measure in findings.measures_of(line_up)]
    rows = [
        _row(name, findings.line_up_text(line_up), _scale(findings.estimate(number, line_up, measure), measure.scale))
        for number, name in enumerate(names(findings))
        for line_up in line_ups
    ]
    return _svg(_intervals(findings, rows, measure.unit, even, _colours(findings)))


def seats(findings: Findings) -> str:
    """Draw each side's win share among the strongest bots, by seat and variation: points with intervals."""
    shares_of = [
        findings.side_shares(number, (findings.study.strongest,)) for number in range(len(findings.study.setups))
    ]
    rows = [
        _row(name, f"side {side}", _scale(share, 100))
        for name, shares in zip(names(findings), shares_of, strict=True)
        for side, share in enumerate(shares, 1)
    ]
    sides = {len(shares) for shares in shares_of}
    colours = {f"side {side}": COLOURS[(side - 1) % len(COLOURS)] for side in range(1, max(sides) + 1)}
    return _svg(_intervals(findings, rows, "of 100 games", 100 / sides.pop() if len(sides) == 1 else None, colours))


def _colours(findings: Findings) -> dict[str, str]:
    """Return the colour of each line-up, the same in all charts; a challenger keeps its colour in every contest."""
    return {findings.line_up_text(line_up): COLOURS[line_up[0] % len(COLOURS)] for line_up in findings.line_ups}


def leads(findings: Findings) -> str | None:
    """Draw the share of games in which the winner leads for good, by score, against the share of decisions taken.

    Returns ``None`` if no winner leads for good before the end of a game.
    """
    top, places = (findings.study.strongest,), np.linspace(0, 1, _STEPS + 1)
    settled = [findings.cell(number, top).statistics["settled"].ravel() for number in range(len(findings.study.setups))]
    if not findings.has_leads:
        return None
    # 1 stands for a winner that did not lead before the end, and for games without a sole winner.
    found = [[float(((each <= place) & (each < 1)).mean()) for place in places] for each in settled]
    return _lines(findings, found, "% of the games")


def curves(findings: Findings) -> str:
    """Draw the winner's chance to win during a game, for each variation: the mean of the games with a sole winner."""
    means = [findings.curve(number).tolist() for number in range(len(findings.study.setups))]
    return _lines(findings, means, "winner's chance, %", point=True)


def _lines(findings: Findings, found: Sequence[Sequence[float]], what: str, point: bool = False) -> str:
    """Draw lines of shares from a game's first decision to its last, one for each variation."""
    altair = extra("altair")
    rows = [
        {"variation": name, "at": 100 * place / (len(shares) - 1), "share": 100 * share}
        for name, shares in zip(names(findings), found, strict=True)
        for place, share in enumerate(shares)
    ]
    chart = (
        altair.Chart(altair.Data(values=rows))
        .mark_line(point=point)
        .encode(
            x=altair.X("at:Q", title="% of the decisions"),
            y=altair.Y("share:Q", title=what, scale=altair.Scale(domain=[0, 100])),
            color=_variation_colours(altair, findings),
        )
    )
    return _svg(chart.properties(width=WIDTH, height=WIDTH // 2))


def histories(findings: Findings, variation: int) -> str:
    """Draw the winner's chance during the first evaluated games with a sole winner, and the mean of all of them."""
    altair = extra("altair")
    rows = [
        {"game": str(number), "at": 100 * place / (CURVE_POINTS - 1), "chance": 100 * float(chance)}
        for number, curve in enumerate([*findings.curves(variation)[:MOST_HISTORY_GAMES], findings.curve(variation)])
        for place, chance in enumerate(curve)
    ]
    x = altair.X("at:Q", title="% of the decisions")
    y = altair.Y("chance:Q", title="winner's chance, %", scale=altair.Scale(domain=[0, 100]))
    each, mean = rows[:-CURVE_POINTS], rows[-CURVE_POINTS:]
    thin = altair.Chart(altair.Data(values=each)).mark_line(strokeWidth=1, opacity=0.5, color=COLOURS[2])
    bold = altair.Chart(altair.Data(values=mean)).mark_line(strokeWidth=3, color=INK)
    chart = altair.layer(thin.encode(x=x, y=y, detail="game:N"), bold.encode(x=x, y=y))
    return _svg(chart.properties(width=WIDTH, height=WIDTH // 2))


def ladder(findings: Findings) -> str:
    """Draw each bot's wins beyond even against the bot of its field, with intervals: one line for each variation.

    The strongest bot is at the top. Bots have rows because names of any length fit beside them.
    """
    altair, bots = extra("altair"), findings.study.bots
    [measure] = findings.measures_of((1, 0))
    rows = []
    for variation, name in enumerate(names(findings)):
        for bot in range(1, len(bots)):
            estimate = _scale(findings.estimate(variation, findings.study.head_to_head(bot), measure), measure.scale)
            rows.append({**_row(name, bots[bot], estimate), "step": bots[bot], "place": bot})
    climbing = bots[:0:-1]
    axis = altair.Axis(labelExpr=_lines_of(climbing), labelLimit=_LONGEST_LABEL, ticks=False)
    base = altair.Chart(altair.Data(values=rows)).encode(
        y=altair.Y("step:N", sort=list(climbing), title=None, axis=axis),
        color=_variation_colours(altair, findings),
    )
    x = altair.X("value:Q", title=measure.unit, axis=altair.Axis(tickCount=_TICKS))
    line = base.mark_line().encode(x=x, order=altair.Order("place:Q"))
    points = base.mark_point(filled=True, size=45, opacity=1).encode(x=x)
    ends = base.mark_rule(strokeWidth=2, opacity=0.6).encode(x=altair.X("low:Q", title=measure.unit), x2="high:Q")
    height = max(_LADDER_ROW, _LABEL_LINE * max(len(label_lines(bot)) for bot in climbing) + _GAP)
    return _svg(altair.layer(ends, line, points).properties(width=WIDTH, height=altair.Step(height)))


def sensitivity(findings: Findings, factor: str, measure: Measure) -> str:
    """Draw a measure against the values of a numeric factor, for each bot alone: a line with a band of intervals."""
    altair, grid = extra("altair"), findings.grid
    rows = []
    for line_up in (each for each in findings.line_ups if len(each) == 1 and measure in findings.measures_of(each)):
        for value in sorted(int(each) for each in grid.factors[factor]):
            variations = grid.at(factor, value)
            weights = [(number, 1 / len(variations)) for number in variations]
            estimate = _scale(findings.value_of(weights, line_up, measure), measure.scale)
            rows.append({**_row("", findings.line_up_text(line_up), estimate), "at": value})
    who = list(dict.fromkeys(row["who"] for row in rows))
    colours = _colours(findings)
    scale, axis = altair.Scale(zero=False, nice=False, padding=8), altair.Axis(tickCount=_TICKS, format="d")
    y = altair.Scale(zero=False)
    base = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("at:Q", title=factor, scale=scale, axis=axis), color=_who_colours(altair, who, colours)
    )
    band = base.mark_area(opacity=0.18).encode(y=altair.Y("low:Q", title=measure.unit, scale=y), y2="high:Q")
    line = base.mark_line().encode(y=altair.Y("value:Q", title=measure.unit, scale=y))
    ends = base.mark_rule(strokeWidth=2).encode(y=altair.Y("low:Q", title=measure.unit, scale=y), y2="high:Q")
    points = base.mark_point(filled=True, size=45, opacity=1).encode(y=altair.Y("value:Q", title=measure.unit, scale=y))
    return _svg(altair.layer(band, ends, line, points).properties(width=WIDTH, height=WIDTH // 2))


def signed_log_p(difference: Difference) -> float:
    """Return the negative decimal logarithm of a difference's adjusted p-value, with the sign of the difference."""
    log_p = -log10(max(difference.adjusted_p_value, 10**-LARGEST_LOG_P))
    return copysign(log_p, difference.by.value)


def parts(findings: Findings) -> str:
    """Draw the shares of the result that the deal, the better player and other causes decide: a bar per variation."""
    altair = extra("altair")
    line_up = findings.study.head_to_head(findings.study.strongest)
    rows = []
    for variation, name in enumerate(names(findings)):
        deal, skill = (min(1.0, max(0.0, part.value)) for part in findings.parts(variation, line_up))
        shares = {"the deal": deal, "the player": skill, "all else": max(0.0, 1 - deal - skill)}
        rows += [
            {"variation": name, "part": part, "share": 100 * share, "place": place}
            for place, (part, share) in enumerate(shares.items())
        ]
    chart = (
        altair.Chart(altair.Data(values=rows))
        .mark_bar(height=ROW // 2)
        .encode(
            x=altair.X("share:Q", stack="zero", title="% of the result", scale=altair.Scale(domain=[0, 100])),
            y=_variations(altair, findings),
            order=altair.Order("place:Q"),
            color=altair.Color(
                "part:N",
                title=None,
                scale=altair.Scale(domain=list(shares), range=[COLOURS[1], COLOURS[2], "#8a8a8a88"]),
                legend=_legend(altair, list(shares)),
            ),
        )
    )
    lines = max(len(label_lines(name)) for name in names(findings))
    return _svg(chart.properties(width=WIDTH, height=altair.Step(max(ROW, _LABEL_LINE * lines + _GAP))))


def _scale(estimate: Estimate, scale: float) -> Estimate:
    return Estimate(scale * estimate.value, scale * estimate.low, scale * estimate.high)


def _row(variation: str, who: str, estimate: Estimate) -> dict[str, Any]:
    """Return a row of a chart's data; instead of an infinite bound it has the value."""
    return {
        "variation": variation,
        "who": who,
        "value": estimate.value,
        "low": estimate.low if isfinite(estimate.low) else estimate.value,
        "high": estimate.high if isfinite(estimate.high) else estimate.value,
    }


def _variations(altair: Any, findings: Findings) -> Any:
    shown = names(findings)
    axis = altair.Axis(labelExpr=_lines_of(shown), labelLimit=_LONGEST_LABEL, ticks=False)
    return altair.Y("variation:N", sort=shown, title=None, axis=axis)


def label_lines(label: str) -> list[str]:
    """Return the lines of a label: one for each option of a variation, divided further if it is too long.

    A line is divided before *against*, else after the last space, colon or comma that fits.
    """
    lines = []
    for part in label.split(", "):
        rest = part
        while len(rest) > _LABEL_LETTERS:
            against = rest.find(" against ") + 1
            fits = max(rest.rfind(mark, 0, _LABEL_LETTERS) for mark in " :,") + 1
            at = against if 0 < against <= _LABEL_LETTERS else fits or _LABEL_LETTERS
            lines.append(rest[:at].rstrip())
            rest = rest[at:]
        lines.append(rest)
    return lines


def _lines_of(labels: Iterable[str]) -> str:
    """Return the Vega expression of a label's lines."""
    return f"{json.dumps({label: label_lines(label) for label in labels})}[datum.label]"


def _variation_colours(altair: Any, findings: Findings) -> Any:
    """Return the colour encoding of the variations."""
    shown = names(findings)
    colours = [COLOURS[place % len(COLOURS)] for place in range(len(shown))]
    scale, legend = altair.Scale(domain=shown, range=colours), _legend(altair, shown) if len(shown) > 1 else None
    return altair.Color("variation:N", sort=shown, title=None, scale=scale, legend=legend)


def _legend(altair: Any, labels: Sequence[str]) -> Any:
    """Return a legend above a chart, with as many columns as fit the chart's width."""
    longest = max(len(line) for label in labels for line in label_lines(label))
    columns = 3 if longest <= _SHORT else 2 if longest <= 2 * _SHORT else 1
    return altair.Legend(
        orient="top",
        columns=columns,
        columnPadding=20,
        labelLimit=_LONGEST_LABEL,
        labelExpr=_lines_of(labels),
        symbolOpacity=1,
    )


def _intervals(
    findings: Findings, rows: Sequence[dict[str, Any]], unit: str, middle: float | None, colours: Mapping[str, str]
) -> Any:
    """Return a chart of points with intervals: a row for each variation, and within it one for each player."""
    altair = extra("altair")
    who = list(dict.fromkeys(row["who"] for row in rows))
    base = altair.Chart(altair.Data(values=list(rows))).encode(
        y=_variations(altair, findings),
        yOffset=altair.YOffset("who:N", sort=who),
        color=_who_colours(altair, who, colours),
    )
    scale = altair.Scale(zero=False)
    axis = altair.Axis(tickCount=_TICKS)
    low = altair.X("low:Q", title=unit, scale=scale, axis=axis)
    rules = base.mark_rule(strokeWidth=2).encode(x=low, x2=altair.X2("high:Q"))
    points = base.mark_point(filled=True, size=45, opacity=1).encode(x=altair.X("value:Q", title=unit, scale=scale))
    layers = [rules, points]
    if middle is not None:
        at = altair.Chart(altair.Data(values=[{"at": middle}]))
        layers.insert(0, at.mark_rule(color=INK, strokeDash=[3, 3]).encode(x="at:Q"))
    lines = max(len(label_lines(row["variation"])) for row in rows)
    height = max(ROW, _WHO_HEIGHT * len(who) + _GAP, _LABEL_LINE * lines + _GAP)
    return altair.layer(*layers).properties(width=WIDTH, height=altair.Step(height, **{"for": "position"}))


def _who_colours(altair: Any, who: Sequence[str], colours: Mapping[str, str]) -> Any:
    """Return the colour encoding of the players."""
    scale = altair.Scale(domain=who, range=[colours[each] for each in who])
    legend = _legend(altair, who) if len(colours) > 1 else None
    return altair.Color("who:N", sort=who, title=None, scale=scale, legend=legend)


def _svg(chart: Any) -> str:
    """Return the chart as SVG."""
    text = {"labelColor": INK, "titleColor": INK, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
    spec = (
        chart.configure(
            background="transparent", font=_FONT, padding={"left": _ASIDE, "top": 5, "right": 5, "bottom": 5}
        )
        .configure_view(stroke=None)
        .configure_axis(gridColor=FAINT, domainColor=FAINT, tickColor=FAINT, **text)
        .configure_legend(**text)
        .to_dict()
    )
    drawn: str = extra("vl_convert").vegalite_to_svg(spec)
    drawn = drawn.replace(INK, "currentColor")
    return re.sub(
        r'(<svg[^>]*?) width="([\d.]+)" height="[\d.]+"', r'\1 style="width:100%;max-width:\2px"', drawn, count=1
    )
