"""Requests for a table open it once, even if answers are lost; the way to the next game."""

from playwright.sync_api import expect

from tests.page.bot_tables import ask
from tests.server.card_room import Player, play_out


def swallow(page, times, asked):
    """Let the server receive requests for tables, but lose its first ``times`` answers.

    ``asked`` receives the bodies of the requests.
    """

    def answer(route):
        asked.append(route.request.post_data_json)
        if len(asked) > times:
            route.continue_()
        else:
            route.fetch()
            route.abort()

    page.route("**/api/tables", lambda route: answer(route) if route.request.method == "POST" else route.continue_())


def begin(page):
    page.get_by_role("button", name="Play Castle Walls against bots").click()


class TestALostAnswer:
    def test_the_request_is_repeated_and_opens_one_table(self, room):
        room.expected = ("net::ERR_FAILED",)
        page, asked = room.page(), []
        swallow(page, 2, asked)
        page.goto(room.address)
        begin(page)
        page.wait_for_url("**/table/*")
        assert len(asked) == 3
        assert asked[0] == asked[1] == asked[2]
        kept = page.evaluate("table => JSON.parse(localStorage['parlour:' + table])", page.url.rsplit("/", 1)[1])
        assert kept["key"] == asked[0]["key"]
        assert page.evaluate("localStorage['parlour-opening']") == "{}"
        page.wait_for_selector(".hand .card")

    def test_the_failure_is_shown_and_pressing_again_repeats_the_request(self, room):
        room.expected = ("net::ERR_FAILED",)
        page, asked = room.page(), []
        swallow(page, 5, asked)
        page.goto(room.address)
        begin(page)
        expect(page.locator("[data-game=castle-walls] .failure")).to_have_text(
            "The card room does not answer. Try again in a moment."
        )
        begin(page)
        page.wait_for_url("**/table/*")
        assert len({each["key"] for each in asked}) == 1

    def test_the_table_is_found_after_the_page_was_closed(self, room):
        room.expected = ("net::ERR_FAILED",)
        page, asked = room.page(), []
        swallow(page, 100, asked)
        page.goto(room.address)
        with page.expect_event("requestfailed", lambda request: request.method == "POST"):
            begin(page)
        back = page.context.new_page()
        page.close()
        back.goto(room.address)
        expect(back.locator(".own-tables .table-line")).to_have_count(1)
        back.locator(".own-tables .table-line a").click()
        back.wait_for_selector(".hand .card")
        kept = back.evaluate("table => JSON.parse(localStorage['parlour:' + table])", back.url.rsplit("/", 1)[1])
        assert kept["key"] == asked[0]["key"]


def test_a_finished_game_leads_a_returning_player_to_the_next_one(room):
    table = room.table(players=2)
    port = int(room.address.rsplit(":", 1)[1])
    with Player(port, table["table"], table["key"]) as ann:
        play_out(ann)
    following = ask(f"{room.address}/api/tables/{table['table']}/rematch", {"key": table["key"]})
    page = room.page()
    room.sit(page, table)
    page.get_by_role("button", name="To the next game").click()
    page.wait_for_url(f"**/table/{following['table']}")
    page.wait_for_selector(".hand .card")
