"""The script that loads an incomplete page again: the only one within the page, which its security policy names."""

from base64 import b64encode
from functools import cache
from hashlib import sha256

from parlour.render.page_folder import PAGE
from parlour.server.http.document.compact import compact

_PATH = "js/recovery.js"
_REFERENCE = f'<script src="/page/{_PATH}"></script>'
"""The element in the page's HTML that the script replaces."""


@cache
def _script() -> str:
    return compact(_PATH, (PAGE / _PATH).read_bytes()).decode()


def insert_recovery(page: str) -> str:
    """Return the page with the script in place of the reference to it."""
    return page.replace(_REFERENCE, f"<script>{_script()}</script>")


def recovery_source() -> str:
    """Return the source expression of the script for ``Content-Security-Policy`` (CSP 3, section 2.3.1)."""
    return f"'sha256-{b64encode(sha256(_script().encode()).digest()).decode()}'"
