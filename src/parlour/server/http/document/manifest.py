"""The manifest of the page, by which browsers install it as an app, in each language.

A browser requests the manifest without cookies, and so without the language of the settings. Therefore each language
has an address of its own, which the page in this language names.
"""

import json

from parlour.languages import gettext, in_language

MANIFEST = "app.webmanifest"
"""The file with the parts that are the same in all languages."""


def manifest_path(code: str) -> str:
    """Return the path of the manifest in a language, in the folder of the page's files: that of its icons."""
    return f"app.{code}.webmanifest"


def manifest(plain: bytes, code: str) -> bytes:
    """Return the manifest in a language.

    Args:
        plain: the content of ``MANIFEST``.
        code: the code of the language.
    """
    from babel import Locale

    with in_language(code):
        texts = {
            "description": gettext(
                "Unusual card games, against bots or with friends by a link. No account, nothing to install."
            ),
            "lang": code,
            "dir": Locale.parse(code).text_direction,
            "shortcuts": [{"name": gettext("The deal of the day"), "url": "/daily"}],
        }
    return json.dumps(json.loads(plain) | texts, ensure_ascii=False).encode()
