"""The invitation to a table, and the addresses of its link."""

import pytest
from playwright.sync_api import expect

from tests.page.layout_checks import SIDEWAYS, TARGETS
from tests.page.network import in_network

LOWER_EDGE_IN_SIGHT = """thing => {
    const { left, bottom } = thing.getBoundingClientRect();
    return thing === document.elementFromPoint(left + 20, bottom - 4);
}"""
CLOCK = {"clock": {"seconds": 120, "increment": 3}, "hints": True}


def invited_page(room, *size, **manners):
    table = room.table(2, {}, friends=1, game="three-tricks", manners=manners)
    page = room.page(*size, name="")
    page.goto(f"{room.address}/table/{table['table']}")
    page.wait_for_selector(".learn")
    return page, table


def test_a_phone_shows_the_whole_invitation_above_the_fold(room):
    page, _ = invited_page(room, 390, 844, **CLOCK)
    for words in (
        "3 Tricks",
        "Lay three tricks in a row",
        "2 players",
        "2 minutes, and 3 seconds for each action",
        "For everyone; the others are told of each",
        "Ann",
    ):
        expect(page.locator(".join").get_by_text(words).first).to_be_in_viewport()
    for name in ("Learn it", "Read the rules", "Sit down", "Just watch"):
        expect(page.locator(".join").locator("a, button", has_text=name)).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("size", [(360, 640), (390, 844)])
def test_a_phone_shows_the_field_for_the_name_above_the_button_below_any_invitation(room, size):
    page, _ = invited_page(room, *size, **CLOCK)
    field, button = (page.locator(".join-form").locator(each) for each in (".field", "button[type=submit]"))
    for place in (0, 10_000):
        page.locator(".room").evaluate("(room, top) => room.scrollTo(0, top)", place)
        for part in (field, button):
            assert part.evaluate(LOWER_EDGE_IN_SIGHT), place


@pytest.mark.parametrize("size", [(360, 640), (740, 360), (1280, 800)])
def test_the_invitation_fits_and_can_be_touched(room, size):
    page, _ = invited_page(room, *size, **CLOCK)
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate(TARGETS) == []
    expect(page.locator(".join h2")).to_be_in_viewport()
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".hand .card").first).to_be_visible()


@pytest.mark.parametrize("place", [".join-form .field", ".join-form button[type=submit]"])
def test_the_focus_goes_to_the_title_of_the_table_when_the_seat_is_taken_by_a_key(room, place):
    page, _ = invited_page(room)
    page.locator(place).press("Enter")
    expect(page.locator(".hand .card").first).to_be_visible()
    expect(page.locator(".table-title")).to_be_focused()


def test_rules_and_lesson_lead_back_to_the_table(room):
    page, table = invited_page(room)
    page.locator(".join").get_by_role("button", name="Read the rules").click()
    expect(page.locator(".rules [data-clause]").first).to_be_attached()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Learn it").click()
    page.wait_for_selector("[data-way=show], [data-way=on]")
    page.locator(".tool-home").click()
    page.wait_for_url(f"**/table/{table['table']}")
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()


class TestTheAddressOfTheLink:
    def test_a_link_for_this_machine_only_says_so_with_the_command_that_opens_the_room(self, room):
        page = room.page()
        room.sit(page, room.table(friends=1))
        expect(page.locator(".door")).to_contain_text("works on this machine only")
        expect(page.locator(".door code")).to_have_text("parlour serve --host 0.0.0.0 --open")
        expect(page.locator(".door")).not_to_contain_text("Send this link")
        expect(page.locator(".door .show-code")).to_have_count(0)

    def test_the_addresses_in_the_network_are_offered_if_the_room_listens_there(self, room):
        page = room.page()
        in_network(page, "http://192.168.1.7:8080", "http://10.0.3.2:8080")
        table = room.table(friends=1)
        room.sit(page, table)
        links = page.locator(".door .share input")
        expect(links).to_have_count(2)
        for link, base in zip(links.all(), ("http://192.168.1.7:8080", "http://10.0.3.2:8080"), strict=True):
            expect(link).to_have_value(f"{base}/table/{table['table']}")
        page.locator(".door .show-code").first.click()
        expect(page.locator(".door .link-code svg").first).to_be_visible()
        expect(page.locator(".door")).not_to_contain_text("machine only")

    def test_the_link_to_a_players_seat_has_an_address_that_other_devices_can_open(self, room):
        page = room.page()
        in_network(page, "http://192.168.1.7:8080")
        table = room.table()
        room.sit(page, table)
        page.get_by_role("button", name="This table", exact=True).click()
        page.get_by_text("Go on with another device").click()
        link = page.get_by_label("Copy the link to your seat").first
        expect(link).to_have_value(f"http://192.168.1.7:8080/table/{table['table']}#seat=0&key={table['key']}")
