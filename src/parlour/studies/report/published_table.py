"""Report section of the measures of the field, under their published names."""

from html import escape

from parlour.studies.findings import Findings
from parlour.studies.labels import names
from parlour.studies.published_measures import published_values
from parlour.studies.report.html import number, table, td


def published_table(findings: Findings) -> str:
    """Return the table of published measures, a column for each variation."""
    columns = [dict(published_values(findings, variation)) for variation in range(len(findings.study.setups))]
    by_name = [{each.name: estimate for each, estimate in column.items()} for column in columns]
    every = {each.name: each for column in columns for each in column}
    rows = [
        [
            f"{escape(each.name)} <small>{escape(each.definition)}</small>",
            *(td(number(column[name]) if name in column else "") for column in by_name),
            td(escape(each.source), "words"),
        ]
        for name, each in every.items()
    ]
    note = (
        "Measures of published tools and papers by their own definitions, in their own units (shares from 0 to 1). "
        f"Bots: {escape(findings.line_up_text((findings.study.strongest,)))}. V is the winner’s chance, θ the chance "
        "below which a winner counts as behind."
    )
    return table("Published measures", note, ["measure", *map(escape, names(findings)), "source"], rows)
