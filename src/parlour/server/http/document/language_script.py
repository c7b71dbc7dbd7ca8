"""The catalogue of the page's messages: as a script that the page loads before its modules, and the rest as a module.

The landing and a running table do without the rest: the modules with its messages import ``more_messages.js``, which
loads it.
"""

import json
from functools import cache
from pathlib import Path

from babel.messages import Catalog

from parlour.languages import LANGUAGES, SOURCE_LANGUAGE
from parlour.languages.messages import compiled, load_catalogue

_PACKAGE = Path(__file__).parents[3]
_MORE = "more_messages.js"
_NUMBERS = 200
"""The script lists the plural forms of the numbers below this one.

The rules of all languages repeat after a hundred, except for whole millions in French and Spanish.
"""


@cache
def language_script(code: str) -> bytes:
    """Return the script that defines ``parlourCatalogue`` (``page/js/common/language.js`` describes it)."""
    messages, _ = _page_messages(code)
    catalogue = {"language": code, "languages": _names(), "plurals": _plurals(code), "messages": messages}
    text = json.dumps(catalogue, ensure_ascii=False, separators=(",", ":"))
    return f"globalThis.parlourCatalogue={text};\n".encode()


@cache
def more_messages_module(code: str) -> bytes:
    """Return the module that adds the rest of the messages to ``parlourCatalogue``."""
    _, messages = _page_messages(code)
    text = json.dumps(messages, ensure_ascii=False, separators=(",", ":"))
    return f"Object.assign(globalThis.parlourCatalogue.messages,{text});\n".encode()


def _page_messages(code: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the forms of each translated message of the first modules, and of the rest; English has none."""
    found: tuple[dict[str, list[str]], dict[str, list[str]]] = {}, {}
    later = _later_modules()
    for message in load_catalogue(code) if code != SOURCE_LANGUAGE else ():
        modules = {place for place, _ in message.locations if place.endswith(".js")}
        if message.id and message.string and modules:
            one = message.id if isinstance(message.id, str) else message.id[0]
            key = f"{message.context}\4{one}" if message.context else one
            forms = [message.string] if isinstance(message.string, str) else list(message.string)
            found[modules <= later][key] = forms
    return found


@cache
def _later_modules() -> set[str]:
    """Return the modules that load the rest of the messages before they translate, as catalogues name them."""
    return {
        module.relative_to(_PACKAGE).as_posix()
        for module in _PACKAGE.glob("server/page/js/**/*.js")
        if f'/{_MORE}"' in module.read_text(encoding="utf-8")
    }


def _plurals(code: str) -> str:
    """Return the plural form of each number from 0 to 199, as one digit; empty for English."""
    if code == SOURCE_LANGUAGE:
        return ""
    catalogue = Catalog(locale=code)
    catalogue.add(("one", "many"), tuple(str(form) for form in range(catalogue.num_plurals)))
    form_of = compiled(catalogue).ngettext
    return "".join(form_of("one", "many", number) for number in range(_NUMBERS))


@cache
def _names() -> dict[str, str]:
    """Return the names of all languages, each in its own words."""
    from babel import Locale

    return {code: Locale.parse(code).get_language_name(code) or code for code in LANGUAGES}
