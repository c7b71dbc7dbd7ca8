"""Report tables about the rules: endings, clause counts, sources of points."""

from collections.abc import Callable
from html import escape

from parlour.contests.clause_counts import citations_of, in_order
from parlour.statistics import Estimate
from parlour.studies.findings import Findings
from parlour.studies.labels import names
from parlour.studies.report.html import number, percent, table, td
from parlour.studies.rulebook import BY_THE_RULES, clause_texts, clauses_of


def endings_table(findings: Findings) -> str:
    """Return the table of endings, or an empty string if the only ending is :data:`BY_THE_RULES`."""
    top = (findings.study.strongest,)
    endings = [findings.endings(number, top) for number in range(len(findings.study.setups))]
    if {way for each in endings for way in each} == {BY_THE_RULES}:
        return ""
    note = f"Reasons for the end of a game, in percent of the games. Bots: {escape(findings.line_up_text(top))}."
    return table(
        "Ways of ending", note, ["way", *_heads(findings)], _rows(endings, percent, _significant_names(findings))
    )


def _heads(findings: Findings) -> list[str]:
    return [escape(name) for name in names(findings)]


def _rows(
    columns: list[dict[str, Estimate]], shown: Callable[[Estimate], str], significant: set[tuple[str, int]]
) -> list[list[str]]:
    """Return a row for each name of any variation, in order of first appearance; significant differences are marked."""
    every = dict.fromkeys(name for each in columns for name in each)
    return [
        [
            escape(name),
            *(
                td(shown(each[name]) if name in each else "–", "significant" if (name, number) in significant else "")
                for number, each in enumerate(columns)
            ),
        ]
        for name in every
    ]


def _significant_names(findings: Findings) -> set[tuple[str, int]]:
    """Return the endings, sources and clauses that differ beyond doubt from the first variation.

    Each comes with the number of the variation that differs.
    """
    top = (findings.study.strongest,)
    return {
        (each.measure.name.partition(" ")[2], each.variation)
        for each in findings.rule_differences
        if each.significant and each.base == 0 and each.line_up == top
    }


def clauses_table(findings: Findings) -> str:
    """Return the table of the clauses of the rulebook, with the mean number of events at which each fired."""
    if findings.traced_deals < 2:
        return ""
    top, games = (findings.study.strongest,), [setup.game for setup in findings.study.setups]
    frequencies = [findings.clause_frequencies(variation, top) for variation in range(len(findings.study.setups))]
    silent = [set(findings.unfired_clauses(variation)) for variation in range(len(findings.study.setups))]
    rows, significant = [], _significant_names(findings)
    for clause in in_order({clause for game in games for clause in clauses_of(game)}):
        cells = []
        for variation, (game, each, never) in enumerate(zip(games, frequencies, silent, strict=True)):
            otherwise = "by others" if clause in citations_of(game).clauses else "not counted"
            count = number(each[clause]) if clause in each else "never" if clause in never else otherwise
            cells.append(td(count, "significant" if (clause, variation) in significant else ""))
        text = next(filter(None, (clause_texts(game).get(clause) for game in games)), "")
        rows.append([f"{escape(clause)} <small>{escape(text)}</small>", *cells])
    note = (
        f"Mean number of events of a game at which a clause fired, in {findings.traced_deals} deals played by "
        f"{escape(findings.line_up_text(top))} with the rules interpreted. “Never”: it fired in the games of no bot; "
        "“by others”: in games of other bots only; “not counted”: no line of the rules cites it. "
        f"{_unfired_text(findings)} An event is a deal, or an action with the listing of the legal actions; a clause "
        "fires when the line or the function that cites it runs."
    )
    return table("Clauses of the rules", note, ["clause", *_heads(findings)], rows)


def _unfired_text(findings: Findings) -> str:
    """Return a sentence about the clauses that fired in no variation."""
    silent = [findings.unfired_clauses(variation) for variation in range(len(findings.study.setups))]
    nowhere = [clause for clause in silent[0] if all(clause in each for each in silent)]
    return f"In no variation, by no bot: {escape(', '.join(nowhere))}." if nowhere else "Every clause fired somewhere."


def sources_table(findings: Findings) -> str:
    """Return the table of the sources of points."""
    top = (findings.study.strongest,)
    points = [findings.sources(variation, top) for variation in range(len(findings.study.setups))]
    if findings.traced_deals < 2 or not any(points):
        return ""
    note = (
        f"Mean points that a source brought a seat in a game, lost points counted as positive; in "
        f"{findings.traced_deals} deals played by {escape(findings.line_up_text(top))}, without games in which the "
        "lines do not add up to the score."
    )
    return table(
        "Where the points come from",
        note,
        ["source", *_heads(findings)],
        _rows(points, number, _significant_names(findings)),
    )
