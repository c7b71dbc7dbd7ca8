"""What a person does at the table."""

from playwright.sync_api import Page

TURN = ".my-turn .may"
SHEET = "dialog[open]"
PROGRESS = "document.querySelectorAll('.side-panel .log li').length"


def wait_for_turn(page: Page) -> str:
    """Wait until it is the viewer's turn, or a panel asks for something: ``"turn"``, or the panel's name."""
    page.wait_for_selector(f"{TURN}, {SHEET}")
    panel = page.query_selector(SHEET)
    return panel.get_attribute("data-sheet") if panel else "turn"


def progress(page: Page) -> int:
    """How many sentences have been told."""
    return page.evaluate(PROGRESS)


def wait_for_more(page: Page, before: int) -> None:
    """Wait until more has been told."""
    page.wait_for_function(f"before => {PROGRESS} > before", arg=before)


def play_a_card(page: Page) -> str:
    """Click the first legal card when it is the viewer's turn; says which, or the panel that came instead."""
    what = wait_for_turn(page)
    if what != "turn":
        return what
    before = progress(page)
    card = page.locator(TURN).first
    chosen = card.get_attribute("data-do")
    card.click()
    wait_for_more(page, before)
    return chosen
