"""Translation of messages by the gettext catalogues of this package, in the language of the current context."""

import gettext as catalogues
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from babel.messages import Catalog

FOLDER = Path(__file__).parent
SOURCE_LANGUAGE = "en"
LANGUAGES = (SOURCE_LANGUAGE, *sorted(file.stem for file in FOLDER.glob("*.po")))
"""The codes of all languages, such as ``"fi"``, English first."""

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")

_language: ContextVar[str] = ContextVar("language", default=SOURCE_LANGUAGE)


def current_language() -> str:
    """Return the code of the language of the current context."""
    return _language.get()


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """Translate messages into a language within a ``with`` block, in this task or thread only.

    Raises:
        ValueError: there is no such language.
    """
    if code not in LANGUAGES:
        raise ValueError(f"there is no language {code!r}; there are {', '.join(LANGUAGES)}")
    token = _language.set(code)
    try:
        yield
    finally:
        _language.reset(token)


def cache_by_language(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """Return a function that keeps its results for each language and each combination of its (hashable) arguments."""
    answers: dict[tuple[str, object, object], Answer] = {}

    @wraps(function)
    def in_current_language(*arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
        key = current_language(), arguments, tuple(sorted(named.items()))
        if key not in answers:
            answers[key] = function(*arguments, **named)
        return answers[key]

    return in_current_language


def deferred(message: str) -> str:
    """Return a constant message itself: extraction finds it, and :func:`gettext` translates it where it is shown."""
    return message


def gettext(message: str, /, **values: object) -> str:
    """Return the translation of a message, with the values of its fields in braces filled in.

    A message without values is not formatted, so that it may contain braces. An empty message stays empty.
    """
    return _filled(message if _is_source() or not message else _translations().gettext(message), values)


def pgettext(context: str, message: str, /, **values: object) -> str:
    """Return the translation of a message that has several meanings, in the one that ``context`` names."""
    return _filled(message if _is_source() else _translations().pgettext(context, message), values)


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """Return the translation of a message in the singular or plural; its field ``{number}`` is the number."""
    if _is_source():
        return _filled(one if number == 1 else many, {"number": number, **values})
    return _filled(_translations().ngettext(one, many, number), {"number": number, **values})


def _is_source() -> bool:
    return _language.get() == SOURCE_LANGUAGE


def _filled(message: str, values: dict[str, object]) -> str:
    return message.format(**values) if values else message


def _translations() -> catalogues.GNUTranslations:
    return load_translations(_language.get())


def load_catalogue(code: str) -> "Catalog":
    """Return the catalogue of a language other than English."""
    from babel.messages.pofile import read_po  # English needs no Babel

    with (FOLDER / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


@cache
def load_translations(code: str) -> catalogues.GNUTranslations:
    """Return the translations of a language other than English. The first call takes some tenths of a second."""
    from babel.messages.mofile import write_mo

    compiled = BytesIO()
    write_mo(compiled, load_catalogue(code))
    compiled.seek(0)
    return catalogues.GNUTranslations(compiled)
