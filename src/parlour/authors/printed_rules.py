"""Printable rules of one variation: a page of HTML that marks the changed clauses."""

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from parlour.contests.clause_counts import clauses_in, in_order
from parlour.engine.errors import ParlourError
from parlour.engine.files import write_whole
from parlour.engine.game import Option, Value, option_value_name
from parlour.engine.setup import Setup
from parlour.games import file_of, find_game
from parlour.languages import current_language, gettext
from parlour.languages.markdown import translate_markdown
from parlour.render.layouts import rules_text
from parlour.render.pdf import write_pdf

_STYLE = Path(__file__).with_name("printed_rules.css")
_LEFT_OUT = "Variations"
"""Heading of the section about options, which printed rules leave out."""


@dataclass(frozen=True)
class RuleChange:
    """A difference from the published game: its clauses, and a sentence for players."""

    clauses: frozenset[str]
    text: str
    consequence: str = ""


def changes_of(setup: Setup) -> list[RuleChange]:
    """Return the differences of a setup from the published game with the same number of players."""
    game = setup.game
    usual = Setup(find_game(game.variation_of) if game.variation_of else game, setup.players).options
    found = [] if not game.variation_of else [_changed_functions(setup)]
    for option in game.options:
        value, before = setup.options[option.name], usual[option.name]
        if value != before:
            if option.name in setup.chosen and not game.variation_of:
                before = option.default_for(setup.players, setup.options)  # the value without this choice
            text = gettext(
                "{option}: {value} instead of {before}.",
                option=gettext(option.title_text()),
                value=_words(option, value),
                before=_words(option, before),
            )
            clauses, consequence = frozenset(clauses_in(option.clause, game.prefix)), option.consequences.get(value)
            found.append(RuleChange(clauses, text, gettext(consequence) if consequence else ""))
    return found


def _changed_functions(setup: Setup) -> RuleChange:
    """Return the change by a variation's package, with the clauses that its functions cite."""
    file = file_of(setup.game.id, "clauses.py")
    clauses = clauses_in(file.read_text(encoding="utf-8"), setup.game.prefix) if file else set()
    return RuleChange(frozenset(clauses), gettext(setup.game.summary))


def _words(option: Option, value: Value) -> str:
    if isinstance(value, bool) and value not in option.titles:
        return gettext("yes") if value else gettext("no")
    title = option.titles.get(value)
    return gettext(title) if title else option_value_name(value)


def changes_text(setup: Setup) -> str:
    """Return the changes as Markdown, an empty string if there are none."""
    lines = [f"- {each}" for each in change_sentences(setup)]
    heading = gettext("What is different")
    return "\n".join([f"## {heading}", "", *lines]) if lines else ""


def change_sentences(setup: Setup) -> list[str]:
    """Return the changes as sentences with their clauses, then the game's warnings about them."""
    return [*map(_sentence, changes_of(setup)), *setup.game.advice(setup.players, dict(setup.options))]


def _sentence(change: RuleChange) -> str:
    cited = f" ({', '.join(in_order(set(change.clauses)))})" if change.clauses else ""
    return f"{change.text.removesuffix('.')}{cited}. {change.consequence}".rstrip()


def printed_rules(setup: Setup) -> str:
    """Return the rules of a variation as a printable page, without scripts or external resources.

    A paragraph that cites a changed clause is marked, and ends with the change.
    """
    game, changes = setup.game, changes_of(setup)
    title = escape(game.title)
    changed = "".join(f"<li>{escape(each)}</li>\n" for each in change_sentences(setup))
    different, whose = escape(gettext("What is different")), escape(gettext("The words here are ours."))
    box = f'<section class="changes"><h2>{different}</h2>\n<ul>\n{changed}</ul></section>\n' if changed else ""
    heading = escape(gettext("{game}: the rules", game=game.title))
    about = gettext(game.summary) + " " + gettext("These are the rules for {players} players.", players=setup.players)
    text = translate_markdown(rules_text(game.id))
    return (
        f'<!doctype html>\n<html lang="{current_language()}"><head><meta charset="utf-8"><title>{heading}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>\n{_STYLE.read_text(encoding='utf-8')}</style></head>\n<body><main>\n"
        f'<h1>{title}</h1>\n<p class="about">{escape(about)}</p>\n'
        f"{box}{_mark_changes(text, game.prefix, changes)}"
        f'<p class="credit">{escape(gettext(game.credit))} {whose}</p>\n</main></body></html>\n'
    )


def _mark_changes(text: str, prefix: str, changes: list[RuleChange]) -> str:
    """Return Markdown as HTML, without the section on variations, with marks at the changed clauses."""
    from markdown_it import MarkdownIt  # only readers of rules need it

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = _without_section(parser.parse(text))
    for place, token in enumerate(tokens):
        cited = clauses_in(token.content, prefix) if token.type == "inline" else set()
        here = [each for each in changes if each.clauses & cited]
        if here:
            _mark(tokens[:place], token, here)
    html: str = parser.renderer.render(tokens, parser.options, {})
    changed = {clause for each in changes for clause in each.clauses}
    return re.sub(
        rf"\b{prefix}-\d+\b", lambda found: f"<mark>{found[0]}</mark>" if found[0] in changed else found[0], html
    )


def _mark(before: list[Any], inline: Any, changes: list[RuleChange]) -> None:
    """Mark the block that contains an inline token, and append the changes to its text."""
    opened = next(token for token in reversed(before) if token.nesting == 1 and not token.hidden)
    opened.attrJoin("class", "changed")
    notes = "".join(f' <span class="here">{escape(each.text)}</span>' for each in changes)
    inline.children.append(type(inline)("html_inline", "", 0, content=notes))


def _without_section(tokens: list[Any]) -> list[Any]:
    """Return a text's tokens without the section on variations."""
    kept, skipped = [], False
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag in ("h1", "h2"):
            skipped = tokens[place + 1].content == gettext(_LEFT_OUT)
        if not skipped:
            kept.append(token)
    return kept


def write_printed_rules(file: Path, setup: Setup, as_pdf: bool = False) -> None:
    """Write the rules of a variation as HTML or as PDF, replacing an earlier file.

    Raises:
        ParlourError: the file cannot be written, or PDF files cannot be made here.
    """
    page = printed_rules(setup)
    if as_pdf:
        write_pdf(file, page)
        return
    try:
        write_whole(file, page, 0o644)
    except OSError as error:
        raise ParlourError(f"{file}: cannot be written: {error.strerror}") from None
