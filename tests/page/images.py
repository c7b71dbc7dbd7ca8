"""Renders the page's icons as PNG files from the SVG: ``python -m tests.page.images``."""

from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from parlour.server.http.page_files import PAGE
from tests.conftest import CHROMIUM

ICON_SIZES = (180, 192, 512)
FULL_SIZE = "<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>"


def write_icons(browser: Browser) -> None:
    """Write the icons for home screens: one square picture in several sizes."""
    drawing = (PAGE / "img" / "icon-square.svg").read_text(encoding="utf-8")
    for size in ICON_SIZES:
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(FULL_SIZE + drawing)
        page.screenshot(path=PAGE / "img" / f"icon-{size}.png")
        shrink(PAGE / "img" / f"icon-{size}.png")
        page.close()


def shrink(path: Path, colours: int = 64) -> None:
    """Reduce a picture to a palette, which makes it a fraction as large."""
    from PIL import Image

    with Image.open(path) as picture:
        picture.convert("RGB").quantize(colours).save(path, optimize=True)


if __name__ == "__main__":
    with sync_playwright() as driver:
        write_icons(driver.chromium.launch(executable_path=CHROMIUM))
