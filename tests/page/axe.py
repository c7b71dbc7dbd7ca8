"""Violations of accessibility rules that axe finds."""

from axe_playwright_python.sync_playwright import Axe

from tests.page.pictures import resize

RUN = "() => axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"
LOOKS = {"light": (1280, 800), "dark": (360, 740)}
"""The size of the page by its colour scheme."""


def violations(page):
    """Return the violations in light and dark, each with its elements. The page stays dark and narrow."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = []
    for scheme, (width, height) in LOOKS.items():
        page.emulate_media(color_scheme=scheme)
        resize(page, (width, height))
        found += [
            f"{scheme}, {each['id']}: {[node['html'][:160] for node in each['nodes'][:4]]}"
            for each in page.evaluate(RUN)
        ]
    return found
