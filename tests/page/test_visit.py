"""The complete visit of two people: landing, setup, link, game, rematch, replay."""

from playwright.sync_api import expect

from tests.page.play import play_a_card, wait_for_own_seat

OVER = "dialog[open][data-sheet=end]"


def play_to_the_end(pages):
    while not all(page.locator(OVER).count() for page in pages):
        for page in pages:
            if page.locator(".my-turn .may").count() and not page.locator("dialog[open]").count():
                play_a_card(page)


def test_a_visit_leads_from_the_landing_to_the_replay(room):
    host, guest = room.page(name="Ann"), room.page(360, 740, name="Bo")
    host.goto(room.address)
    host.get_by_role("link", name="Set up … friends, bots, rules Trick Walls").click()
    host.get_by_role("radio", name="3", exact=True).check()
    host.locator("#seat-1").select_option("open")
    host.locator("#option-rounds").fill("1")
    host.locator("#option-rounds").blur()
    host.locator(".setup .play").click()
    host.wait_for_url("**/table/*")
    guest.goto(host.locator(".door .share input").first.input_value())
    guest.get_by_role("button", name="Sit down").click()
    play_to_the_end([host, guest])

    first = host.url.rsplit("/", 1)[1]
    host.locator("[data-go=again]").click()
    expect(guest.locator("[data-sheet=end] .offer")).to_have_text("Ann wants to play again.")
    guest.locator("[data-go=again]").click()
    for page in (host, guest):
        page.wait_for_function("first => !location.href.endsWith(first)", arg=first)
        wait_for_own_seat(page)
    assert host.url == guest.url
    seats = [page.locator(".board .own .area-name").text_content() for page in (host, guest)]
    assert seats == ["You", "You"]

    guest.goto(room.address)
    lines = guest.locator(".own-tables [data-table]")
    expect(lines).to_have_count(2)
    guest.locator(f".own-tables [data-table='{first}'] a").click()
    guest.wait_for_url(f"**/game/{first}*")
    expect(guest.locator(".views input")).to_have_count(5)
    shown = int(guest.locator(".counter").text_content().split()[0])
    guest.keyboard.press("ArrowRight")
    expect(guest.locator(".counter")).to_contain_text(f"{shown + 1} of")
