"""Report tables of people of recorded games beside the bots."""

from html import escape

from parlour.studies.findings import Findings
from parlour.studies.labels import names
from parlour.studies.people.comparison import bots_alone, people_note, people_rows
from parlour.studies.report.html import cell, table, td


def people_tables(findings: Findings) -> str:
    """Return a table for each variation with recorded games; an empty string without records."""
    people, tables = findings.people, ""
    if people is None:
        return tables
    several = len(findings.study.setups) > 1
    for variation in people.evaluated_variations:
        rows = [
            [
                f"{escape(row.measure.title)} <small>{escape(row.measure.unit)}</small>",
                *(cell(row.measure, each) if each else td("–") for each in row.found),
            ]
            for row in people_rows(findings, people, variation)
        ]
        files = f"<code>{escape(', '.join(people.files))}</code>"
        note = f"{escape(people_note(people, variation))} Records: {files}."
        head = ["of a game", "people", *(escape(findings.study.bots[bot]) for bot in bots_alone(findings))]
        title = f"People beside bots: {names(findings)[variation]}" if several else "People beside bots"
        tables += table(title, note, head, rows)
    return tables
