"""A review as one self-contained HTML file with the page's own modules and style sheets."""

import base64
import json
import re
from functools import cache
from pathlib import Path

from parlour.insight.review import Review
from parlour.insight.review_text import review_texts

_PAGE = Path(__file__).parents[2] / "page"
_SHEETS = ("base", "cards", "review")
_IMPORT = re.compile(r'(?<=from )"(\.{1,2}/[\w/.-]+\.js)"')
_START = "import {{ reviewFile }} from {module}; reviewFile(document.getElementById('app'), {review});"


def review_page(review: Review) -> str:
    """Return the file."""
    content = review_texts(review)
    text = json.dumps({**review.to_json(), "texts": content}, ensure_ascii=False).replace("<", "\\u003c")
    style = "\n".join((_PAGE / "css" / f"{name}.css").read_text(encoding="utf-8") for name in _SHEETS)
    script = _START.format(module=json.dumps(_module(_PAGE / "js" / "replay" / "review_view.js")), review=text)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{content["title"]}: a review</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head>\n'
        f'<body class="at-landing"><div id="app"></div><script type="module">{script}</script></body></html>\n'
    )


@cache
def _module(file: Path) -> str:
    """Return a module of the page as a data URL, with its imports inlined."""
    source = file.read_text(encoding="utf-8")
    whole = _IMPORT.sub(lambda found: json.dumps(_module((file.parent / found[1]).resolve())), source)
    return f"data:text/javascript;base64,{base64.b64encode(whole.encode()).decode()}"
