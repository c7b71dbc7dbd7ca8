"""Layout faults of any page: parts cut off, covered, too small or outside the screen."""

from pathlib import Path

from playwright.sync_api import Page

FAULTS = Path(__file__).with_suffix(".js").read_text().partition("export default ")[2].rstrip().removesuffix(";")


def faults(page: Page) -> list[str]:
    """Return the faults in words."""
    found: list[str] = page.evaluate(FAULTS)
    return found
