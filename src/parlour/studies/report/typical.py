"""Report section of the typical games of each finding: the difference, its clauses, and the command that shows it."""

import shlex
from collections.abc import Sequence
from html import escape

from parlour.render.words import with_minus, with_sign
from parlour.studies.findings import Findings
from parlour.studies.labels import names, phrase
from parlour.studies.report.html import table, td
from parlour.studies.rulebook import clause_texts
from parlour.studies.typical_games import RULE, TypicalDeal


def typical_table(findings: Findings, found: Sequence[TypicalDeal], file: str) -> str:
    """Return the table of typical games, or an empty string if there are none.

    Args:
        findings: of the study.
        found: the typical deals.
        file: the file of their records.
    """
    shown = names(findings)
    rows = []
    for each in found:
        finding = each.finding
        commands = [
            f"<code>{escape(shlex.join(['parlour', 'replay', file, '--game', str(game.number), '--at', str(game.at)]))}"
            f"</code><small>{escape(shown[game.variation])}</small>"
            for game in each.games
        ]
        rows.append(
            [
                f"{escape(shown[finding.variation])}: {escape(phrase(findings, finding))}",
                td(str(each.deal)),
                td(with_minus(f"{each.by:+.4g}")),
                td(f"event {each.parts + 1}"),
                td(_clauses_text(findings, each), "words"),
                td("<br>".join(commands), "words"),
            ]
        )
    note = (
        f"Games to look at behind each finding. {RULE} Both games of a deal are in {escape(file)}; the commands show "
        "the table, all cards open, before the decision that shows the finding. Clauses: how much more often they "
        "fired in the second game."
    )
    head = ["finding", "deal", "difference", "the games part at", "clauses", "open"]
    return table("Why: typical games", note, head, rows) if rows else ""


def _clauses_text(findings: Findings, each: TypicalDeal) -> str:
    words = clause_texts(findings.study.game)
    return "<br>".join(
        f"{escape(clause)} {with_sign(number)} <small>{escape(words.get(clause, ''))}</small>"
        for clause, number in each.clauses
    )
