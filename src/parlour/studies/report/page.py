"""Report of a study: one printable HTML file without scripts or external resources."""

import re
import shlex
from dataclasses import replace
from html import escape
from pathlib import Path

from parlour.contests.omniscient import find_player
from parlour.contests.win_probability import EVALUATOR
from parlour.engine.errors import ParlourError
from parlour.engine.files import write_whole
from parlour.engine.game import option_value_name
from parlour.engine.validation import counted
from parlour.render.pdf import write_pdf
from parlour.render.words import capitalized
from parlour.studies.arguments import options_text
from parlour.studies.comparisons import sort_by_p_value
from parlour.studies.findings import Findings
from parlour.studies.formulas import ASSUMED_SECONDS, order
from parlour.studies.labels import interval_text, names
from parlour.studies.measures import EDGE, MEAN
from parlour.studies.people.people import JUDGED_DECISIONS
from parlour.studies.plan import Study, move_time_words
from parlour.studies.report import charts, effects, people_table, rules_tables
from parlour.studies.report.html import (
    cell,
    contents,
    detail,
    figure,
    gallery,
    p_value_text,
    percent,
    section,
    table,
    td,
)
from parlour.studies.report.published_table import published_table
from parlour.studies.words import answer

_STYLE, _PRINT = (Path(__file__).with_name(name) for name in ("report.css", "printed_report.css"))
_MOST_HISTORIES = 4
_SIGNIFICANT = "Beyond doubt another than in the first variation"


def command(findings: Findings) -> str:
    """Return the command that repeats the study; FOLDER stands for the folder of a study with records."""
    words = _study_words(findings.study, findings.deals)
    if findings.precision:
        words += ["--until", findings.precision.text]
    if findings.study.records:
        words += ["--records", "--out", "FOLDER"]
    if people := findings.people:
        words += [word for file in people.files for word in ("--people", file)]
        words += ["--judged", str(people.judged_decisions)] if people.judged_decisions != JUDGED_DECISIONS else []
    return shlex.join(words)


def _study_words(study: Study, deals: int) -> list[str]:
    """Return the words of the command that plays these deals of a study."""
    variations = [word for setup in study.setups for word in ("--variation", options_text(setup))]
    words = ["parlour", "study", study.game.id, *variations, "--bots", ",".join(study.bots), "--deals", str(deals)]
    budget = ["--determinizations", str(study.determinizations)] if study.evaluated_deals else []
    parts = ["--evaluated-deals", str(study.evaluated_deals), *budget, "--traced-deals", str(study.traced_deals)]
    if study.replicated_deals:
        parts += ["--replicated-deals", str(study.replicated_deals), "--replicates", str(study.replicates)]
    return [*words, "--seed", str(study.seed), *parts, *move_time_words(study.move_time)]


def variation_command(findings: Findings, variation: int) -> str:
    """Return the command that plays the same deals in one variation.

    It has no precision, by which one variation might end earlier.
    """
    study = findings.study
    return shlex.join(_study_words(replace(study, setups=(study.setups[variation],)), findings.deals))


def report_page(findings: Findings, typical: str = "") -> str:
    """Return the report as HTML; ``typical`` is the section of typical games."""
    title = f"{findings.study.game.title}: a study"
    strongest, *weaker = [who[0] for who in reversed(findings.line_ups) if len(who) == 1]
    sections = [
        effects.overview_table(findings),
        _pictures(findings),
        effects.curves_gallery(findings),
        typical,
        effects.strengths_table(findings),
        effects.effects_table(findings),
        effects.pairs_table(findings),
        _players_table(findings, strongest),
        people_table.people_tables(findings),
        _seats_table(findings),
        rules_tables.endings_table(findings),
        _skill_table(findings),
        rules_tables.sources_table(findings),
        detail(rules_tables.clauses_table(findings)),
        detail(published_table(findings)),
        detail(_differences_table(findings)),
        *(detail(_players_table(findings, bot)) for bot in weaker),
        _notes(findings),
    ]
    style, head, body = _STYLE.read_text(encoding="utf-8"), _head(findings, title), "".join(sections)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>\n{style}</style></head>\n'
        f"<body><main>\n{head}{contents(body)}{body}</main></body></html>\n"
    )


def _head(findings: Findings, title: str) -> str:
    study, answer_html = findings.study, "".join(f"<p>{escape(paragraph)}</p>\n" for paragraph in answer(findings))
    played = (
        f"{counted(len(study.setups), 'variation')}, {counted(findings.deals, 'deal')}, "
        f"{counted(findings.games, 'game')} between {', '.join(study.bots)}, all on the same deals."
    )
    return (
        f'<h1>{escape(title)}</h1>\n<p class="about">{escape(played)}</p>\n'
        f'<p class="note">{escape(_bots_text(study))}</p>\n'
        f'<section class="answer" aria-label="The answer">{answer_html}</section>\n'
        f'<p class="note">Everything here comes from: <code>{escape(command(findings))}</code></p>\n'
    )


def _bots_text(study: Study) -> str:
    """Return the bots' descriptions as a sentence, or an empty string."""
    described = [(bot, getattr(find_player(bot), "description", "")) for bot in study.bots]
    descriptions = [f"{bot} {does.partition(': ')[0]}" for bot, does in described if does]
    return f"{capitalized('; '.join(descriptions))}." if descriptions else ""


def _pictures(findings: Findings) -> str:
    """Return the charts: the comparison of several variations, or the properties of a single one."""
    several, top = len(findings.study.setups) > 1, findings.study.strongest
    alone, head_to_head = list(findings.measures_of((top,))), list(findings.measures_of((1, 0)))
    [first] = [measure for measure in alone if measure.kind == EDGE]
    drawn = [figure(f"{first.title}; 0 is even", charts.dots(findings, first, 0.0))]
    drawn.append(figure("What each side wins, by where it sits", charts.seats(findings)))
    if len(findings.study.bots) > 1:
        drawn += [figure(f"{each.title}; 0 is even", charts.dots(findings, each, 0.0)) for each in head_to_head]
        drawn += [figure("What decides between the two strongest", charts.parts(findings))] if top else []
    else:
        head_to_head = []
    if len(findings.study.bots) > 2:
        drawn.append(figure("Ladder: each step of strength against the one below", charts.ladder(findings)))
    drawn += _courses(findings)
    note = f"Points with their 95 % intervals. {_evaluator(findings)}"
    if not several:
        drawn += [figure(each.title, charts.dots(findings, each)) for each in alone if each.says and each is not first]
        return gallery("In pictures", note, drawn)
    compared = {each.title: charts.forest(findings, each) for each in [*alone, *head_to_head] if each.says}
    forests = [figure(title, picture) for title, picture in compared.items() if picture]
    caption = (
        f"Above 0: more than {names(findings)[0]}, on the same deals; points with the interval of each comparison."
    )
    if alike := [title.lower() for title, picture in compared.items() if not picture]:
        caption += f" No difference at all: {', '.join(alike)}."
    return gallery("In pictures", note, drawn) + gallery(f"Compared with {names(findings)[0]}", caption, forests)


def _courses(findings: Findings) -> list[str]:
    """Return the charts of a game's course: leads by score, and the winner's chance if it was estimated."""
    drawn = []
    if lead := charts.leads(findings):
        caption = "The number of 100 games in which the winner leads from there to the end, by the score."
        drawn.append(figure("How soon the winner leads for good", lead, caption))
    if findings.evaluated_deals > 1:
        budget = f"by {counted(findings.study.determinizations, 'determinization')} for each seat"
        of_games = f"of {findings.evaluated_deals} games of each variation, those with a sole winner"
        caption = f"The mean {of_games}, {budget}."
        drawn.append(figure("The winner's chance in the course of a game", charts.curves(findings), caption))
        drawn += [
            figure(f"Lead histories: {name}", charts.histories(findings, variation), f"{_thin_lines(won)}; {budget}.")
            for variation, name in enumerate(names(findings)[:_MOST_HISTORIES])
            if (won := len(findings.curves(variation)))
        ]
    return drawn


def _thin_lines(games: int) -> str:
    """Return the explanation of the lines of a lead history of games with a sole winner."""
    first = f"the first {charts.MOST_HISTORY_GAMES} of " if games > charts.MOST_HISTORY_GAMES else ""
    return f"A thin line for each of {first}{counted(games, 'game')} with a sole winner, a bold one for the mean"


def _players_table(findings: Findings, bot: int) -> str:
    """Return the table of all measures of one bot's self-play games."""
    significant = {
        (each.variation, each.measure.name)
        for each in findings.differences
        if each.line_up == (bot,) and each.significant
    }
    rows = [
        [
            f"{escape(measure.title)} <small>{escape(measure.unit)}</small>",
            *(
                cell(measure, findings.estimate(number, (bot,), measure), (number, measure.name) in significant)
                for number in range(len(findings.study.setups))
            ),
        ]
        for measure in findings.measures_of((bot,))
    ]
    evaluator = escape(_evaluator(findings)) if bot == findings.study.strongest else ""
    several = len(findings.study.setups) > 1
    alone = (
        f"For {escape(names(findings)[0])} alone: <code>{escape(variation_command(findings, 0))}</code>"
        if several
        else ""
    )
    note = f"{evaluator}{alone}"
    if significant:
        note = f"{_SIGNIFICANT}: in colour and bold. {note}"
    head = ["of a game", *(escape(name) for name in names(findings))]
    return table(f"Among {findings.study.bots[bot]}", note, head, rows)


def _seats_table(findings: Findings) -> str:
    """Return the table of win shares by seat."""
    top = (findings.study.strongest,)
    most = max(len(contest.sides) for contest in findings.study.contests)
    rows = []
    for number, name in enumerate(names(findings)):
        shares = [td(percent(share)) for share in findings.side_shares(number, top)]
        balance = findings.balance(number, top)
        balance_cell = td(f"{balance.value:.3f}<small>{balance.low:.3f} to {balance.high:.3f}</small>")
        rows.append([escape(name), balance_cell, *shares, *[td("")] * (most - len(shares))])
    note = (
        "What each side wins of 100 games, by where it sits. Balance is 1 less the largest difference between two "
        "sides, without the bias of few deals; its interval is from simultaneous intervals of all pairs. "
        f"Bots: {escape(findings.line_up_text(top))}."
    )
    head = ["variation", "balance", *(f"side {side + 1}" for side in range(most))]
    return table("Seats", note, head, rows)


def _skill_table(findings: Findings) -> str:
    """Return the table of the value of better play."""
    if len(findings.study.bots) < 2:
        return ""
    [measure] = findings.measures_of((1, 0))
    rows = []
    for number, name in enumerate(names(findings)):
        for line_up in (each for each in findings.line_ups if len(each) > 1):
            share = findings.estimate(number, line_up, measure)
            sides = len(findings.study.contests[number].sides)
            parts = [td(percent(part)) for part in findings.parts(number, line_up)]
            way = td(f"{order(share.value + 1 / sides, sides):.2f}")
            shown = [td(escape(findings.line_up_text(line_up)), "words"), cell(measure, share), way]
            saved = td(percent(findings.duplicate(number, line_up)))
            rows.append([escape(name), *shown, *parts, saved])
    better, worse = (findings.study.bots[bot] for bot in (1, 0))
    setup = findings.study.setups[0]
    options = [word for name, value in setup.chosen.items() for word in ("-o", f"{name}={option_value_name(value)}")]
    words = ["parlour", "match", better, worse, setup.game.id, "-p", str(setup.players), *options]
    words += ["--deals", str(findings.deals), "--seed", str(findings.study.seed)]
    made = shlex.join([*words, *move_time_words(findings.study.move_time)])
    note = (
        "The challenger is the bot that is listed later; it plays against a field of the other, in every seat. Order: "
        "the way from an even share, 0, to all wins, 1. Duplicate: the part of the variance that playing every deal in "
        "all seats removes. A bot named "
        "open: sees all cards (omniscient); what it wins is the price of secrecy. The first row "
        f"also: <code>{escape(made)}</code>"
    )
    head = ["variation", "who", f"{escape(measure.title)} <small>{escape(measure.unit)}</small>", "order",
            "the deal decides, %", "the player decides, %", "duplicate saves, %"]  # fmt: skip
    return table("Skill and cards", note, head, rows)


def _differences_table(findings: Findings) -> str:
    """Return the table of the comparisons with the first variation whose adjusted p-value is below 1.

    The smallest p-value comes first.
    """
    if not findings.differences:
        return ""
    found = [each for each in findings.differences if each.adjusted_p_value < 1]
    rows = [
        [
            f"{escape(each.measure.title)} <small>{escape(each.measure.unit)}</small>",
            td(interval_text(each.measure, each.by, signed=True), "significant" if each.significant else ""),
            td(escape(names(findings)[each.variation]), "words"),
            td(escape(findings.line_up_text(each.line_up)), "words"),
            td(str(each.deals)),
            td(p_value_text(each.p_value)),
            td(p_value_text(each.adjusted_p_value)),
        ]
        for each in sort_by_p_value(found)
    ]
    alike = len(findings.differences) - len(found)
    verbs = ("has", "is") if alike == 1 else ("have", "are")
    left_out = f" {alike} of them {verbs[0]} an adjusted p-value of 1 and {verbs[1]} left out." if alike else ""
    note = (
        f"The difference from {escape(names(findings)[0])} on the same deals, and the number of deals that differ. The "
        f"p-value of no difference, and the same adjusted for {len(findings.differences)} comparisons (Holm): below "
        "0.05 a difference is called beyond doubt. p-values hold however often more deals are added, for "
        "skewed differences approximately; the "
        f"intervals are those of one comparison at this number of deals.{left_out}"
    )
    head = ["measure", "difference", "variation", "players", "deals", "p-value", "adjusted p-value"]
    return table("All comparisons", note, head, rows)


def _notes(findings: Findings) -> str:
    header = findings.study.header()
    kinds = ", ".join(measure.title.lower() for measure in findings.measures_of((0,)) if measure.kind == MEAN)
    return section(
        "How to read it",
        '<p class="note">Intervals hold the true value in 95 of 100 cases; they are '
        "over deals, because the games of one deal share its cards. Shares of wins and games have Wilson’s, means "
        f"({escape(kinds)}) have Student’s; where few deals differ, exact bounds of how often that happens take their "
        "place. Bots are no people: a bot’s opinion of an option is worth as much as the "
        "bot, so what turns round with their strength is said above. Minutes "
        f"take {ASSUMED_SECONDS} such as a deal. The leader is the side that would win if the game ended now. The "
        f"definitions and sources of all measures are in docs/measures.md.</p>\n"
        f'<p class="note">Parlour {escape(str(header["version"]))}, code {escape(str(header["code"]))}, seed '
        f"{findings.study.seed}.</p>\n",
    )


def _evaluator(findings: Findings) -> str:
    """Return a sentence about the evaluator of win probabilities, or an empty string if there are none."""
    if findings.evaluated_deals < 2:
        return ""
    return (
        f"Chances to win are estimated in {findings.evaluated_deals} deals by {EVALUATOR}, "
        f"{findings.study.determinizations} for each seat at each decision: by what the seat could know, "
        "not by hidden cards. They may be some points too high or too low, depending on the game; "
        f"'parlour foresight {findings.study.game.id}' compares them with results. "
    )


def write_printed_report(name: Path, page: str) -> None:
    """Write a report as a PDF of a few pages, without its long tables, replacing an earlier one.

    Raises:
        ParlourError: PDF files cannot be made here, or the file is not writable.
    """
    left_out = re.findall(r'<section class="detail" id="[^"]*"><h2>(.*?)</h2>', page)
    note = f'<p class="note">Only in the report as a page (HTML): {", ".join(left_out)}.</p>\n' if left_out else ""
    styled = page.replace("</style>", f"{_PRINT.read_text(encoding='utf-8')}</style>", 1)
    write_pdf(name, styled.replace("</main>", f"{note}</main>"))


def write_report(name: Path, page: str) -> None:
    """Write a report, replacing an earlier one. Raises :class:`ParlourError` if the file is not writable."""
    try:
        write_whole(name, page, 0o644)
    except OSError as error:
        raise ParlourError(f"{name}: cannot be written: {error.strerror}") from None
