"""What is wrong with how a page lies, whatever it shows: things cut off, covered, too small, or beside the screen."""

from pathlib import Path

from playwright.sync_api import Page

FAULTS = Path(__file__).with_suffix(".js").read_text().partition("export default ")[2].rstrip().removesuffix(";")


def faults(page: Page) -> list[str]:
    """What is wrong, in words; nothing if nothing is."""
    found: list[str] = page.evaluate(FAULTS)
    return found
