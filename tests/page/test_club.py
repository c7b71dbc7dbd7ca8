"""A club night on the page: it is opened, joined and begun, and leads to the tables."""

import pytest
from playwright.sync_api import expect

from parlour.server.table.close_codes import Closing
from tests.page.axe import violations
from tests.page.layout_faults import faults
from tests.page.staged_tables import TABLE, StagedTable, open_table, random_match, serve_pages


def test_a_club_night_leads_its_players_to_their_tables(room):
    host, guest = room.page(), room.page()
    host.goto(f"{room.address}/club")
    host.locator("#club-game").select_option("trime-kicker")
    assert violations(host) == []
    host.locator(".club-form button[type=submit]").click()
    host.wait_for_url("**/club/*")
    for page, name in ((host, "Ann"), (guest, "Bo")):
        page.goto(host.url)
        expect(page.locator(".club-door")).to_contain_text("All games are rated")
        expect(host.get_by_text("A round needs at least two players.")).to_be_visible()
        page.locator("input[name=name]").fill(name)
        page.locator("[data-go=join]").click()
        expect(page.locator(".club-players .own > span")).to_have_text(name)
    expect(guest.locator("[data-go=begin]")).to_have_count(0)
    host.reload()
    assert violations(host) == []
    expect(host.locator("[data-go=begin]")).to_be_enabled()
    expect(host.get_by_text("A round needs at least two players.")).to_have_count(0)
    host.locator("[data-go=begin]").click()
    expect(host.locator("[data-go=play]")).to_have_count(2)
    assert violations(host) == []
    guest.reload()
    guest.locator("[data-go=play]").first.click()
    guest.wait_for_url("**/table/*")
    expect(guest.locator(".board")).to_be_visible()


def night(begun, closed, over):
    """Return a night of three rounds as the server knows it; ``over`` games of the round that goes on are over."""
    players = [{"number": number, "name": name} for number, name in ((1, "Ann"), (2, "Bo"))]
    games = [
        {
            "round": number, "deal": deal, "board": 0, "seats": [1, 2], "table": f"t{number}{deal}",
            "over": number <= closed or deal < over, "won": [1, 0] if number <= closed else None,
            "scores": [0.5, 0.5] if number <= closed else [None, None],
        }
        for number in range(1, begun + 1)
        for deal in (0, 1)
    ]  # fmt: skip
    about = {"club": "abc", "game": "trime-kicker", "title": "Trime Kicker", "options": {}, "bot": ""}
    return {
        **about,
        "system": "swiss",
        "rounds": 3,
        "begun": begun,
        "closed": closed,
        "you": 1,
        "players": players,
        "standings": [],
        "games": games,
    }


def test_a_club_night_shows_each_game_of_each_round_once_however_often_it_is_refreshed(room):
    room.expected = ("503",)
    page = room.page()
    page.clock.install()
    server = {"night": night(2, 1, 0)}
    asked = []

    def answer(route):
        asked.append(int(route.request.url.rpartition("=")[2]))
        if server["night"] is None:
            route.fulfill(status=503, json={"error": "the room is full"})
            return
        games = [game for game in server["night"]["games"] if game["round"] > asked[-1]]
        route.fulfill(json={**server["night"], "games": games})

    def shown(closed):
        links = [link.get_attribute("href") for link in page.locator(".club-results tbody a").all()]
        return links == [f"/game/t{number}{deal}" for number in range(1, closed + 1) for deal in (0, 1)]

    page.route("**/api/club/abc?*", answer)
    page.goto(f"{room.address}/club/abc")
    state, failure = page.locator(".club-round [role=status]"), page.locator(".club-page > .failure").first
    expect(state).to_contain_text("0 of 2 games are over.")
    assert shown(1)
    server["night"] = night(2, 1, 1)
    page.clock.run_for(5000)
    expect(state).to_contain_text("1 of 2 games are over.")
    assert shown(1)
    server["night"] = None
    page.clock.run_for(5000)
    expect(failure).to_have_text("the room is full")
    assert shown(1)
    server["night"] = night(3, 2, 0)
    page.clock.run_for(5000)
    expect(page.locator("#club-round")).to_have_text("Round 3 of 3")
    expect(failure).to_have_text("")
    assert shown(2)
    server["night"] = night(3, 3, 0)
    page.clock.run_for(5000)
    expect(page.locator("#club-round")).to_have_text("The evening is over")
    assert shown(3)
    requests = len(asked)
    page.clock.run_for(60_000)
    assert len(asked) == requests
    assert sorted(set(asked)) == [0, 1, 2]


def club_table(**club):
    """Return a table of a club night at the viewer's turn."""
    about = {"club": {"id": "abc", "round": 1, "deal": 1, "counts": True, "sealed": False, **club}}
    return StagedTable(random_match("trime-kicker", 2, 14), about=about)


class TestALineAboutACutOffGame:
    @pytest.mark.parametrize("language", ["en", "de", "fr", "es", "fi"])
    def test_it_takes_no_height_from_the_hand_of_a_phone_in_landscape(self, room, language):
        page = room.page(740, 360)
        page.context.add_cookies([{"name": "language", "value": language, "url": room.address}])
        open_table(page, room.address, club_table(counts=False))
        expect(page.locator(".door-line a")).to_be_visible()
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert faults(page) == []


class TestTextsOfClubNightsThatDoNotLoad:
    @pytest.fixture
    def page(self, room):
        room.expected = ("net::ERR_FAILED",)
        page = room.page()
        page.route("**/club_table.js", lambda route: route.abort())
        return page

    def test_a_table_says_that_its_game_does_not_count(self, room, page):
        open_table(page, room.address, club_table(counts=False))
        expect(page.locator(".door-line")).to_have_text("No longer counts.")

    def test_a_sealed_table_leads_to_its_club_night(self, room, page):
        page.route(f"**/api/tables/{TABLE}", lambda route: route.fulfill(json=club_table(sealed=True).table()))
        serve_pages(page, room.address)
        page.route_web_socket("**/play", lambda socket: socket.close(code=int(Closing.SEALED)))
        room.sit(page, {"table": TABLE, "seat": 0, "key": "k"})
        expect(page.get_by_role("alert")).to_contain_text("The round is not over yet: the replay")
        expect(page.get_by_role("link", name="Back to the club night")).to_have_attribute("href", "/club/abc")
