"""A review as one self-contained HTML file with the page's own modules and style sheets."""

import base64
import json
import re
from functools import cache

from parlour.insight.review import Review
from parlour.insight.review_text import review_texts
from parlour.render.page_folder import PAGE

_JS = PAGE / "js"
_VIEW = "replay/review_view.js"
_SHEETS = ("base", "cards", "review")
_IMPORT = re.compile(r'(?<=from )"(\.{1,2}/[\w/.-]+\.js)"')


def review_page(review: Review) -> str:
    """Return a review as the text of an HTML file."""
    content = review_texts(review)
    text = json.dumps({**review.to_json(), "texts": content}, ensure_ascii=False).replace("<", "\\u003c")
    style = "\n".join((PAGE / "css" / f"{name}.css").read_text(encoding="utf-8") for name in _SHEETS)
    script = f"import {{ reviewFile }} from '{_VIEW}'; reviewFile(document.getElementById('app'), {text});"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{content["title"]}: a review</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head>\n'
        f'<body class="at-landing"><div id="app"></div><script type="importmap">{_import_map()}</script>'
        f'<script type="module">{script}</script></body></html>\n'
    )


@cache
def _import_map() -> str:
    """Return the import map of the modules that a review needs: their data URLs by their paths."""
    modules: dict[str, str] = {}
    left = [_VIEW]
    while left:
        path = left.pop()
        source = (_JS / path).read_text(encoding="utf-8")
        for name in sorted(set(_IMPORT.findall(source))):
            imported = _path_of(name, path)
            source = source.replace(f'from "{name}"', f'from "{imported}"')
            left += [imported] if imported not in modules else []
        modules[path] = f"data:text/javascript;base64,{base64.b64encode(source.encode()).decode()}"
    return json.dumps({"imports": modules})


def _path_of(name: str, importer: str) -> str:
    """Return the path of the module that ``importer`` imports as ``name``."""
    return (_JS / importer).parent.joinpath(name).resolve().relative_to(_JS.resolve()).as_posix()
