"""Update of the message catalogues: ``python -m parlour.authors.message_catalogues [CODE …]``.

The messages are those of the calls of ``gettext``, ``deferred``, ``pgettext``, ``ngettext`` and ``npgettext`` in Python
and in the page's scripts, those within double braces in the page's HTML, the names of cards, and the texts that the
built-in games and bots declare: summaries, options, terms, rules, lessons. Games of installed packages are left out.
The update adds new messages to each catalogue and removes those that no longer exist; with the code of a new language
it begins a catalogue.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from string import Formatter
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from parlour.bots import BOTS
from parlour.cards import RANK_WORDS, SUIT_WORDS
from parlour.engine.game import Game
from parlour.games import built_in_games
from parlour.languages.declension import CARD_MESSAGES, RANK
from parlour.languages.markdown import markdown_messages
from parlour.languages.messages import DRAFTS, FOLDER, SOURCE_LANGUAGE, load_catalogue
from parlour.render.layouts import find_layout, find_lesson, rules_text
from parlour.version import __version__

_PACKAGE = FOLDER.parent
_METHODS = [("**.py", "python"), ("**.js", "javascript")]
_KEYWORDS = {
    "gettext": None,
    "deferred": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
_PAGE = "server/page/index.html"
_WIDTH = 110
_HEADER = "# Translations for Parlour; docs/languages.md tells how to change them."


def extracted(code: str, cases: Sequence[str] = ()) -> Catalog:
    """Return a catalogue of all messages without translations; cards' names once more for each of the cases."""
    catalogue = Catalog(locale=code, header_comment=_HEADER, project="Parlour", version=__version__, fuzzy=False)
    for file, _, message, comments, context in _found_in_code():
        catalogue.add(message, locations=[(file, 0)], auto_comments=comments, context=context)
    for file, message in _declared():
        catalogue.add(message, locations=[(file, 0)])
    for message in _page_messages():
        catalogue.add(message, locations=[(_PAGE, 0)])
    for message in SUIT_WORDS:
        catalogue.add(message, locations=[("cards.py", 0)])
    for message in RANK_WORDS:
        catalogue.add(message, locations=[("cards.py", 0)], context=RANK)
    for case in (None, *cases):
        for message in CARD_MESSAGES:
            catalogue.add(message, locations=[("languages/declension.py", 0)], context=case)
    return catalogue


@cache
def _found_in_code() -> list[Any]:
    """Return the messages of all calls in code, as Babel yields them; reading the code takes some seconds."""
    return list(extract_from_dir(_PACKAGE, _METHODS, keywords=_KEYWORDS, comment_tags=("Translators:",)))


def _declared() -> Iterator[tuple[str, str]]:
    """Yield the texts that the built-in games and bots declare, with their files."""
    for game in built_in_games():
        folder = f"games/{game.id.replace('-', '_')}"
        yield from ((f"{folder}/options.py", text) for text in _option_texts(game))
        layout, lesson = find_layout(game.id), find_lesson(game.id)
        for term in layout.terms:
            yield from ((f"{folder}/layout.py", text) for text in (term.word, term.means))
        about = (game.summary, game.credit, layout.unusual, layout.fits, *layout.themes.values())
        yield from ((f"{folder}/layout.py", text) for text in about)
        yield from ((f"{folder}/rules.md", text) for text in markdown_messages(rules_text(game.id)))
        if lesson is None:
            continue
        yield f"{folder}/lesson.toml", lesson.title
        for hand in lesson.hands:
            yield f"{folder}/lesson.toml", hand.title
            for step in hand.steps:
                for text in (step.say, step.other):
                    yield from ((f"{folder}/lesson.toml", message) for message in markdown_messages(text))
    for bot in BOTS.values():
        yield from (("bots/__init__.py", text) for text in (bot.title, bot.description))


def _page_messages() -> list[str]:
    """Return the messages in the HTML of the page, which are within double braces there."""
    return re.findall(r"\{\{(.+?)\}\}", (_PACKAGE / _PAGE).read_text(encoding="utf-8"))


def _option_texts(game: Game) -> Iterator[str]:
    for option in game.options:
        yield option.title_text()
        yield option.help
        if option.pattern_words:
            yield option.pattern_words
        yield from option.titles.values()
        yield from option.consequences.values()


def update(code: str) -> bool:
    """Write the catalogue of a language with today's messages; translations of messages that still exist stay.

    A complete catalogue is in the package's folder, any other among the drafts.

    Returns:
        Whether it is complete.
    """
    before = next((folder / f"{code}.po" for folder in (FOLDER, DRAFTS) if (folder / f"{code}.po").exists()), None)
    kept = load_catalogue(code, before.parent) if before else Catalog(locale=code)
    catalogue = extracted(code, cases_in(kept))
    for message in catalogue:
        if message.id and (known := kept.get(_key(message), message.context)):
            message.string = known.string
    catalogue.creation_date = kept.creation_date  # an unchanged catalogue stays the same file
    complete = not missing_from(catalogue)
    DRAFTS.mkdir(exist_ok=True)
    place = (FOLDER if complete else DRAFTS) / f"{code}.po"
    with place.open("wb") as file:
        write_po(file, catalogue, width=_WIDTH, sort_by_file=True, include_lineno=False)
    if before and before != place:
        before.unlink()
    return complete


def missing_from(catalogue: Catalog) -> list[str]:
    """Return the messages of a catalogue that are not translated."""
    return [_key(message) for message in catalogue if message.id and not _is_translated(message)]


def _is_translated(message: Message) -> bool:
    texts = _texts(message.string)
    return bool(texts) and all(texts)


def cases_in(catalogue: Catalog) -> list[str]:
    """Return the grammatical cases that the translations of a catalogue name."""
    texts = (text for message in catalogue if message.id for text in _texts(message.string))
    return sorted({case for text in texts for _, _, case, _ in Formatter().parse(text) if case})


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _texts(strings: str | Sequence[str] | None) -> Sequence[str]:
    return [strings] if isinstance(strings, str) else strings or []


def language_code(text: str) -> str:
    """Return the code of a language. Raises :class:`argparse.ArgumentTypeError` for other texts.

    Codes with a script or region are refused, too: the page and the terminal choose by the language alone.
    """
    with suppress(ValueError, UnknownLocaleError):
        if str(Locale.parse(text)) == text and text.isalpha() and text not in (SOURCE_LANGUAGE, "root"):
            return text
    raise argparse.ArgumentTypeError(f"{text!r} is no code of a language to translate into, such as sv or pt")


def main() -> None:
    """Update the catalogues of the given languages, by default of all, and print how complete they are."""
    known = sorted(file.stem for folder in (FOLDER, DRAFTS) for file in folder.glob("*.po"))
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("codes", metavar="CODE", nargs="*", type=language_code, default=known, help="such as sv or fi")
    for code in parser.parse_args().codes:
        complete = update(code)
        left = 0 if complete else len(missing_from(load_catalogue(code, DRAFTS)))
        print(f"{code}: complete" if complete else f"{code}: a draft, {left} messages are missing")


if __name__ == "__main__":
    main()
