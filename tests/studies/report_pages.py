"""The text of a report."""

import html
import re


def words_of(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", page))
