"""What axe has to say of a page."""

from axe_playwright_python.sync_playwright import Axe

RUN = "() => axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"
LOOKS = {"light": (1280, 800), "dark": (360, 740)}


def violations(page):
    """What axe has to say of both looks, each with the elements it speaks of."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = []
    for scheme, (width, height) in LOOKS.items():
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": height})
        found += [
            f"{scheme}, {each['id']}: {[node['html'][:160] for node in each['nodes'][:4]]}"
            for each in page.evaluate(RUN)
        ]
    return found
