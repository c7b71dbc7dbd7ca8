"""The catalogue of the page's messages as a script, which the page loads before its modules."""

import json
from functools import cache

from babel.messages import Catalog

from parlour.languages import LANGUAGES, SOURCE_LANGUAGE
from parlour.languages.messages import compiled, load_catalogue

_NUMBERS = 200
"""The script lists the plural forms of the numbers below this one.

The rules of all languages repeat after a hundred, except for whole millions in French and Spanish.
"""


@cache
def language_script(code: str) -> bytes:
    """Return the script that defines ``parlourCatalogue`` (``page/js/common/language.js`` describes it)."""
    messages = {} if code == SOURCE_LANGUAGE else _page_messages(code)
    catalogue = {"language": code, "languages": _names(), "plurals": _plurals(code), "messages": messages}
    text = json.dumps(catalogue, ensure_ascii=False, separators=(",", ":"))
    return f"globalThis.parlourCatalogue={text};\n".encode()


def _page_messages(code: str) -> dict[str, list[str]]:
    """Return the forms of each translated message of the page's modules."""
    found = {}
    for message in load_catalogue(code):
        if message.id and message.string and any(place.endswith(".js") for place, _ in message.locations):
            one = message.id if isinstance(message.id, str) else message.id[0]
            key = f"{message.context}\4{one}" if message.context else one
            found[key] = [message.string] if isinstance(message.string, str) else list(message.string)
    return found


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
