"""Report section of the typical games of each finding: the difference, its clauses, and the command that shows it."""

import shlex
from collections.abc import Sequence
from html import escape

from parlour.render.words import with_minus, with_sign
from parlour.studies.findings import Findings
from parlour.studies.labels import names, phrase
from parlour.studies.report.html import table, td
from parlour.studies.rulebook import clause_texts
from parlour.studies.typical_games import RULE, TypicalDeal, TypicalGame


def typical_table(findings: Findings, found: Sequence[TypicalDeal], file: str) -> str:
    """Return the table of typical games, or an empty string if there are none.

    Args:
        findings: of the study.
        found: the typical deals.
        file: the file of their records.
    """
    shown = names(findings)
    explained: set[tuple[int, str, str]] = set()
    rows = []
    for each in found:
        finding = each.finding
        commands = [
            f"<div><code>{escape(_command(file, game))}</code><small>{escape(shown[game.variation])}</small></div>"
            for game in each.games
        ]
        rows.append(
            [
                f"{escape(shown[finding.variation])}: {escape(phrase(findings, finding))}",
                td(str(each.deal)),
                td(with_minus(f"{each.by:+.4g}")),
                td(f"event {each.parts + 1}"),
                td(_clauses_text(findings, each, explained), "words"),
                td("".join(commands), "words"),
            ]
        )
    note = (
        f"Games to look at behind each finding. {RULE} Both games of a deal are in {escape(file)}; the commands show "
        "the table, all cards open, before the decision that shows the finding. Clauses: how much more often they "
        "fired in the second game, without those whose number follows the length of the games."
    )
    head = ["finding", "deal", "difference", "the games part at", "clauses", "open"]
    return table("Why: typical games", note, head, rows, stacked=True) if rows else ""


def _command(file: str, game: TypicalGame) -> str:
    return shlex.join(["parlour", "replay", file, "--game", str(game.number), "--at", str(game.at)])


def _clauses_text(findings: Findings, each: TypicalDeal, explained: set[tuple[int, str, str]]) -> str:
    """Return the clauses behind a typical deal; a clause has its words at its first mention for a finding.

    Args:
        findings: of the study.
        each: the typical deal.
        explained: the clauses with their words so far, by variation and measure; this function adds to them.
    """
    words, lines = clause_texts(findings.study.game), []
    for clause, number in each.clauses:
        mention = (each.finding.variation, each.finding.measure.name, clause)
        text = "" if mention in explained else f" <small>{escape(words.get(clause, ''))}</small>"
        explained.add(mention)
        lines.append(f"<div>{escape(clause)} {with_sign(number)}{text}</div>")
    return "".join(lines)
