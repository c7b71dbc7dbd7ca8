"""A club night on the page: it is opened, joined and begun, and leads to the tables."""

from playwright.sync_api import expect

from tests.page.axe import violations


def test_an_evening_leads_its_players_to_their_tables(room):
    host, guest = room.page(), room.page()
    host.goto(f"{room.address}/club")
    host.locator("#club-game").select_option("trime-kicker")
    assert violations(host) == []
    host.locator(".club-form button[type=submit]").click()
    host.wait_for_url("**/club/*")
    for page, name in ((host, "Ann"), (guest, "Bo")):
        page.goto(host.url)
        page.locator("input[name=name]").fill(name)
        page.locator("[data-go=join]").click()
        expect(page.locator(".club-players .own")).to_have_text(name)
    expect(guest.locator("[data-go=begin]")).to_have_count(0)
    host.reload()
    assert violations(host) == []
    host.locator("[data-go=begin]").click()
    expect(host.locator("[data-go=play]")).to_have_count(2)
    assert violations(host) == []
    guest.reload()
    guest.locator("[data-go=play]").first.click()
    guest.wait_for_url("**/table/*")
    expect(guest.locator(".board")).to_be_visible()
