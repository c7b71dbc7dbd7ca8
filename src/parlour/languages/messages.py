"""Translation of messages by the gettext catalogues of this package, in the language of the current context."""

import gettext as catalogues
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, update_wrapper
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from babel.messages import Catalog

FOLDER = Path(__file__).parent
DRAFTS = FOLDER / "drafts"
"""The folder of catalogues that are not complete; their languages are not offered."""
SOURCE_LANGUAGE = "en"
LANGUAGES = (SOURCE_LANGUAGE, *sorted(file.stem for file in FOLDER.glob("*.po")))
"""The codes of all languages that are offered, such as ``"fi"``, English first."""

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


class CacheByLanguage(Generic[Arguments, Answer]):
    """A function that keeps its results for each language and each combination of its (hashable) arguments.

    Attributes:
        answers: the results.
    """

    def __init__(self, function: Callable[Arguments, Answer]) -> None:
        self.answers: dict[object, Answer] = {}
        self._function = function
        update_wrapper(self, function)

    def __call__(self, *arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
        """Return the result for these arguments in the language of the current context."""
        key = current_language(), arguments, tuple(sorted(named.items()))
        if key not in self.answers:
            self.answers[key] = self._function(*arguments, **named)
        return self.answers[key]


def deferred(message: str) -> str:
    """Return a constant message itself: extraction finds it, and :func:`gettext` translates it where it is shown."""
    return message


def gettext(message: str, /, **values: object) -> str:
    """Return the translation of a message, with the values of its fields in braces filled in.

    A message without values is not formatted, so that it may contain braces. An empty message stays empty.
    """
    return _filled(message if _is_source() or not message else _translations().gettext(message), values)


def pgettext(context: str, message: str, /, **values: object) -> str:
    """Return the translation of a message that has several meanings; ``context`` names the meaning."""
    return _filled(message if _is_source() else _translations().pgettext(context, message), values)


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """Return the translation of a message in the singular or plural; its field ``{number}`` is the number."""
    if _is_source():
        return _filled(one if number == 1 else many, {"number": number, **values})
    return _filled(_translations().ngettext(one, many, number), {"number": number, **values})


def npgettext(context: str, one: str, many: str, number: int, /, **values: object) -> str:
    """Return the translation of a message in the singular or plural that has several meanings; see :func:`pgettext`."""
    if _is_source():
        return _filled(one if number == 1 else many, {"number": number, **values})
    return _filled(_translations().npgettext(context, one, many, number), {"number": number, **values})


def fill(message: str, /, **values: object) -> str:
    """Return a message or its translation with the values of its fields filled in.

    A translation may name a case for a field. A plain text has no cases, and is filled in as it is.
    """
    return message.format(**values) if _is_source() else _FILLING.vformat(message, (), values)


class _Filling(Formatter):
    def format_field(self, value: object, format_spec: str) -> str:
        """Return the value in the case that the specification names, if it has cases."""
        return value if type(value) is str else format(value, format_spec)


_FILLING = _Filling()


def _is_source() -> bool:
    return _language.get() == SOURCE_LANGUAGE


def _filled(message: str, values: dict[str, object]) -> str:
    return fill(message, **values) if values else message


def _translations() -> catalogues.GNUTranslations:
    return load_translations(_language.get())


def load_catalogue(code: str, folder: Path | None = None) -> "Catalog":
    """Return the catalogue of a language other than English, by default one that is offered."""
    from babel.messages.pofile import read_po  # English needs no Babel

    with ((folder or FOLDER) / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


@cache
def load_translations(code: str) -> catalogues.GNUTranslations:
    """Return the translations of a language other than English. The first call takes some tenths of a second."""
    return compiled(load_catalogue(code))


def compiled(catalogue: "Catalog") -> catalogues.GNUTranslations:
    """Return the translations of a catalogue."""
    from babel.messages.mofile import write_mo

    content = BytesIO()
    write_mo(content, catalogue)
    content.seek(0)
    return catalogues.GNUTranslations(content)
