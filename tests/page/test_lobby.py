"""The landing, lists of tables, links, QR codes, and seats that change owners."""

import json

import pytest
from playwright.sync_api import expect

from parlour.bots import USUAL_BOT
from parlour.games import all_games
from tests.page.bot_tables import ask
from tests.page.layout_checks import SIDEWAYS, TARGETS
from tests.page.network import in_network
from tests.page.pictures import resize
from tests.page.play import PATIENCE, play_a_card, wait_for_turn

GAMES = {game.id: game for game in all_games()}


def landing(room, *size, **kept):
    page = room.page(*size, **kept)
    page.goto(room.address)
    page.wait_for_selector(".game .play")
    return page


def listed_table(room, page):
    """Open a listed table; the page waits there."""
    page.goto(f"{room.address}/games/trick-walls")
    page.get_by_role("radio", name="2", exact=True).check()
    page.locator("#seat-1").select_option("open")
    page.locator("#listed").check()
    page.locator(".setup .play").click()
    page.wait_for_url("**/table/*")
    return page.url.rsplit("/", 1)[1]


def take_over_table(room, host, guest):
    """Open a table of two people and a bot, whose seat a third person may take; return it."""
    table = room.table(players=3, friends=1, manners={"take_over": True})
    room.sit(host, table)
    room.join(guest, table)
    expect(guest.locator(".hand .card").first).to_be_visible()
    return table


class TestLanding:
    def test_every_game_has_a_picture_of_its_play(self, room):
        page = landing(room)
        expect(page.locator(".game")).to_have_count(len(GAMES))
        expect(page.locator(".game .picture .board .card").first).to_be_attached()
        for name in GAMES:
            expect(page.locator(f"[data-game={name}] .picture .board [data-card]").first).to_be_attached()
        for width, height in ((1440, 900), (1024, 768), (390, 844), (360, 740)):
            resize(page, (width, height))
            assert page.evaluate(SIDEWAYS) <= 0
            assert page.evaluate(TARGETS) == []

    @pytest.mark.parametrize("name", GAMES)
    def test_one_click_opens_a_game_against_bots(self, room, name):
        page = landing(room)
        page.get_by_role("button", name=f"Play {GAMES[name].title} against bots").click()
        page.wait_for_url("**/table/*")
        page.wait_for_selector(".hand .card, .board .card, .actions button")
        expect(page.locator(".table-title")).to_have_text(GAMES[name].title)

    def test_the_usual_bots_are_the_opponents_without_a_choice(self, room):
        page = landing(room)
        with page.expect_request("**/api/tables") as asked:
            page.get_by_role("button", name="Play Castle Walls against bots").click()
        assert asked.value.post_data_json["seats"][1]["bot"] == USUAL_BOT
        page.wait_for_url("**/table/*")
        page.goto(f"{room.address}/games/castle-walls")
        expect(page.locator("#seat-1")).to_have_value(USUAL_BOT)

    def test_pictures_move_unless_the_viewer_prefers_reduced_motion(self, room):
        with room.browser.new_context() as context:
            context.set_default_timeout(1000 * PATIENCE)
            page = context.new_page()
            page.goto(room.address)
            page.wait_for_selector(".picture .board [data-card]")
            before = page.locator(".picture").first.inner_html()
            page.wait_for_function("html => document.querySelector('.picture').innerHTML !== html", arg=before)
        still = room.page()
        still.clock.install()
        still.goto(room.address)
        still.wait_for_selector(".picture .board [data-card]")
        before = still.locator(".picture").first.inner_html()
        still.clock.run_for(10_000)
        assert still.locator(".picture").first.inner_html() == before

    def test_the_setup_of_each_game_has_its_own_address(self, room):
        page = landing(room)
        page.get_by_role("link", name="Set up … friends, bots, rules Trick Walls").click()
        expect(page.get_by_role("heading", name="Trick Walls")).to_be_visible()
        page.get_by_role("radio", name="3", exact=True).check()
        page.locator(".setup .play").click()
        page.wait_for_url("**/table/*")
        assert wait_for_turn(page) == "turn"

    def test_the_page_of_an_unknown_game_says_so(self, room):
        page = room.page()
        room.expected = ("404",)
        page.goto(f"{room.address}/games/poker")
        expect(page.get_by_text("There is no such game here.")).to_be_visible()


class TestLists:
    def test_the_landing_lists_the_players_tables(self, room):
        page = room.page()
        table = room.table(game="trick-walls")
        room.sit(page, table)
        wait_for_turn(page)
        page.goto(room.address)
        line = page.locator(f".own-tables [data-table='{table['table']}']")
        expect(line).to_contain_text("with Ada, Bruno and Cleo")
        expect(line).to_contain_text("your turn")
        line.get_by_role("link").click()
        assert wait_for_turn(page) == "turn"
        page.goto(room.address)
        line.get_by_role("button").click()
        expect(page.locator(".own-tables")).to_have_count(0)
        assert page.evaluate(f"localStorage['parlour:{table['table']}']") is None

    def test_where_a_player_waits_one_press_sits_down(self, room):
        host, stranger = room.page(), room.page(name="Cy")
        table = listed_table(room, host)
        expect(host.locator(".fills")).to_contain_text("Bots take the free seats in 2:")
        stranger.goto(room.address)
        card = stranger.locator(f".lobby [data-table='{table}']")
        expect(card).to_contain_text("Ann waits")
        expect(card).to_contain_text("1 of 2 seats is free")
        resize(stranger, (320, 640))
        assert stranger.evaluate(SIDEWAYS) <= 0
        assert stranger.evaluate(TARGETS) == []
        card.get_by_role("button", name="Sit down at Trick Walls as Cy").click()
        stranger.wait_for_selector(".board [data-card]")
        host.wait_for_selector(".board [data-card]")
        stranger.goto(room.address)
        stranger.wait_for_selector(".own-tables [data-table]")
        expect(card).to_have_count(0)

    def test_a_table_without_anyone_is_listed_below(self, room):
        host = room.page()
        table = listed_table(room, host)
        host.goto(f"{room.address}/healthz")
        stranger = landing(room)
        line = stranger.locator(f".open-tables [data-table='{table}']")
        expect(line).to_contain_text("a seat is open")
        expect(stranger.locator(f".lobby [data-table='{table}']")).to_have_count(0)

    def test_a_seat_that_was_taken_meanwhile_is_not_available(self, room):
        table = listed_table(room, room.page())
        stranger = landing(room)
        room.expected = ("409",)
        card = stranger.locator(f".lobby [data-table='{table}']")
        expect(card).to_be_visible()
        ask(f"{room.address}/api/tables/{table}/seats", {"seat": 1, "name": "Di"})
        card.get_by_role("button", name="Sit down").click()
        expect(card).to_contain_text("seat 1 is taken")

    def test_a_refused_seat_can_be_asked_for_again(self, room):
        table = listed_table(room, room.page())
        stranger = landing(room)
        room.expected = ("429",)
        card = stranger.locator(f".lobby [data-table='{table}']")
        refusal = {"status": 429, "json": {"error": "too many requests"}}
        stranger.route("**/seats", lambda route: route.fulfill(**refusal))
        sit = card.get_by_role("button", name="Sit down")
        sit.click()
        expect(card.locator(".failure")).to_have_text("too many requests")
        assert sit.is_enabled()  # at once: the lobby draws a new button later
        stranger.unroute("**/seats")
        sit.click()
        stranger.wait_for_selector(".board [data-card]")

    def test_a_refusal_stays_when_the_list_changes(self, room):
        table, stranger = listed_table(room, room.page()), room.page()
        stranger.clock.install()
        room.expected = ("409",)
        stranger.goto(room.address)
        card = stranger.locator(f".lobby [data-table='{table}']")
        stranger.route("**/seats", lambda route: route.fulfill(status=409, json={"error": "seat 1 is taken"}))
        card.get_by_role("button", name="Sit down").click()
        expect(card.locator(".failure")).to_have_text("seat 1 is taken")
        other = listed_table(room, room.page())
        stranger.clock.run_for(10_000)
        expect(stranger.locator(f".lobby [data-table='{other}']")).to_be_visible()
        expect(card.locator(".failure")).to_have_text("seat 1 is taken")

    def test_the_list_stays_while_the_room_does_not_answer(self, room):
        table, stranger = listed_table(room, room.page()), room.page()
        stranger.clock.install()
        stranger.goto(room.address)
        card = stranger.locator(f".lobby [data-table='{table}']")
        expect(card).to_be_visible()
        room.expected = ("ERR_FAILED",)
        stranger.route("**/api/tables", lambda route: route.abort())
        with stranger.expect_event("requestfailed"):
            stranger.clock.run_for(10_000)
        stranger.clock.run_for(100)
        expect(card).to_be_visible()

    def test_an_unlisted_table_is_not_shown(self, room):
        table, listed = room.table(friends=1), listed_table(room, room.page())
        page = landing(room)
        expect(page.locator(f".lobby [data-table='{listed}']")).to_be_visible()
        expect(page.locator(f"[data-table='{table['table']}']")).to_have_count(0)


class TestSeats:
    def test_a_line_names_the_others_and_says_whose_turn_it_is(self, room):
        page = landing(room)
        seats = [{"name": name, "taken": bool(name), "kind": "person"} for name in ("Ann", "Ada", "", "Bo")]
        table = {"table": "t", "title": "A game", "seats": seats, "begun": True, "over": False, "actor": 1}
        table |= {"manners": {"rated": False}}
        show = """async ([table, seat]) => {
            const { tableLine } = await import('/page/js/landing/my_tables.js');
            const line = tableLine(table, seat);
            const parts = [...line.querySelectorAll('.with, .how')].map(part => part.textContent);
            return [...parts, line.classList.contains('mine'), line.querySelector('a').getAttribute('href')];
        }"""
        shown = [
            ({}, 0, ["with Ada and Bo", "Ada is to play", False, "/table/t"]),
            ({}, 1, ["with Ann and Bo", "your turn", True, "/table/t"]),
            ({"actor": None}, 0, ["with Ada and Bo", "goes on", False, "/table/t"]),
            ({"begun": False, "actor": None}, 3, ["with Ann and Ada", "a seat is open", False, "/table/t"]),
            ({"over": True, "actor": None}, 3, ["with Ann and Ada", "over", False, "/game/t"]),
            ({"seats": seats[::2], "actor": None}, 0, ["", "goes on", False, "/table/t"]),
        ]
        found = [page.evaluate(show, [{**table, **change}, seat]) for change, seat, _ in shown]
        assert found == [line for _, _, line in shown]

    def test_the_link_to_a_table_has_a_qr_code(self, room):
        host = room.page()
        in_network(host, room.address)
        room.sit(host, room.table(friends=1))
        host.locator(".door .show-code").click()
        expect(host.locator(".door .link-code svg")).to_be_visible()

    def test_a_seat_continues_on_another_device(self, room):
        here, there = room.page(), room.page()
        table = room.table()
        room.sit(here, table)
        wait_for_turn(here)
        hand = here.locator(".hand .card").count()
        here.get_by_role("button", name="This table", exact=True).click()
        here.get_by_text("Go on with another device").click()
        address = here.get_by_label("Copy the link to your seat").first.input_value()
        there.goto(address)
        assert wait_for_turn(there) == "turn"
        expect(there.locator(".hand .card")).to_have_count(hand)
        assert table["key"] not in there.url
        there.reload()
        assert wait_for_turn(there) == "turn"

    def test_a_link_to_a_seat_gives_it_to_a_tab_that_shows_the_table(self, room):
        page, table = room.page(), room.table()
        address = f"{room.address}/table/{table['table']}"
        page.goto(address)
        expect(page.locator(".room.watching")).to_be_visible()
        page.goto(f"{address}#seat={table['seat']}&key={table['key']}")
        assert wait_for_turn(page) == "turn"
        assert page.url == address

    def test_a_link_to_another_seat_does_not_replace_the_players_seat(self, room):
        page = room.page()
        table = room.table(friends=1)
        room.sit(page, table)
        expect(page.get_by_role("button", name="This table", exact=True)).to_be_visible()
        address = f"{room.address}/table/{table['table']}"
        page.goto(f"{address}#seat=1&key=a-wrong-key")
        page.wait_for_url(address)
        expect(page.get_by_role("button", name="This table", exact=True)).to_be_visible()
        kept = json.loads(page.evaluate(f"localStorage['parlour:{table['table']}']"))
        assert (kept["seat"], kept["key"]) == (table["seat"], table["key"])

    def test_a_spectator_has_no_link_to_a_seat(self, room):
        page = room.page()
        page.goto(f"{room.address}/table/{room.table()['table']}")
        page.get_by_role("button", name="This table", exact=True).click()
        expect(page.locator("dialog[open][data-sheet=people]")).to_be_visible()
        expect(page.get_by_text("Go on with another device")).to_have_count(0)

    def test_a_bots_seat_is_taken_over_when_the_players_agree(self, room):
        host, guest, other = room.page(), room.page(name="Bo"), room.page(name="", width=390, height=844)
        table = take_over_table(room, host, guest)
        other.goto(f"{room.address}/table/{table['table']}")
        other.get_by_role("button", name="Take a bot’s seat").click()
        sheet = other.locator("[data-sheet=take]")
        sheet.get_by_text("Table manners").click()
        expect(sheet.get_by_text("A person may take one over if all who play agree")).to_be_visible()
        sheet.get_by_label("Your name").fill("Cy")
        sheet.locator(".primary").click()
        expect(sheet.get_by_text("Waiting for Ann and Bo.")).to_be_visible()
        for page, left in ((host, "Waiting for Bo."), (guest, "")):
            asked = page.get_by_role("group", name="Cy would like to go on playing in the place of Ada")
            expect(asked.get_by_text("would see the cards of Ada")).to_be_visible()
            asked.get_by_role("button", name="Let Cy play").click()
            expect(asked).to_have_count(0)
            if left:
                expect(sheet.get_by_text(left)).to_be_visible()
        expect(other.locator(".hand .card").first).to_be_visible()
        expect(sheet).to_have_count(0)
        for page in (host, guest):
            expect(page.locator(".side-panel").get_by_text("Cy takes the seat of Ada.")).to_be_visible()
            expect(page.locator(".area-name", has_text="Cy")).to_be_visible()
        kept = json.loads(other.evaluate(f"localStorage['parlour:{table['table']}']"))
        assert kept["seat"] == 2

    def test_a_closed_request_for_a_bots_seat_is_not_repeated(self, room):
        host, guest, other = room.page(), room.page(name="Bo"), room.page(name="Cy")
        table = take_over_table(room, host, guest)
        asked = []

        def answer(route):
            asked.append(route)
            route.fulfill(json={"waiting": [0]})

        other.route("**/seats", answer)
        other.clock.install()
        other.goto(f"{room.address}/table/{table['table']}")
        other.get_by_role("button", name="Take a bot’s seat").click()
        sheet = other.locator("[data-sheet=take]")
        sheet.locator(".primary").click()
        expect(sheet.get_by_text("Waiting for Ann.")).to_be_visible()
        with other.expect_response("**/seats"):
            other.clock.run_for(2500)
        other.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
        requests = len(asked)
        for _ in range(4):
            other.clock.run_for(2500)
        expect(other.get_by_text("You are watching.")).to_be_visible()
        assert len(asked) == requests >= 2

    def test_a_refusal_is_shown_and_tables_without_consent_offer_no_seat(self, room):
        host, guest, other = room.page(), room.page(name="Bo"), room.page(name="Cy")
        room.expected = ("409",)
        table = take_over_table(room, host, guest)
        other.goto(f"{room.address}/table/{table['table']}")
        other.get_by_role("button", name="Take a bot’s seat").click()
        other.locator("[data-sheet=take] .primary").click()
        host.get_by_role("button", name="Keep the bot").click()
        expect(other.get_by_text("would rather have the bot keep its seat")).to_be_visible()
        expect(other.get_by_text("Waiting for")).to_have_count(0)
        for apart in (room.table(players=3), room.table(players=3, manners={"take_over": True})):
            other.goto(f"{room.address}/table/{apart['table']}")
            expect(other.get_by_text("You are watching.")).to_be_visible()
            expect(other.get_by_role("button", name="Take a bot’s seat")).to_have_count(0)

    def test_a_request_for_a_seat_is_repeated_after_a_lost_answer(self, room):
        page, table = room.page(name="Bo"), room.table(players=2, friends=1)
        room.expected = ("ERR_FAILED",)
        lost = []

        def lose_once(route):
            answer = route.fetch()
            lost.append(answer.status)
            if len(lost) == 1:
                route.abort()
            else:
                route.fulfill(response=answer)

        page.route("**/seats", lose_once)
        room.join(page, table)
        expect(page.locator(".hand .card").first).to_be_visible()
        assert lost == [201, 201]


class TestABlockedStorage:
    """Storage blocked as browsers block it, or full."""

    REFUSED = (
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })",
    )

    @pytest.mark.parametrize("refused", REFUSED, ids=["full", "blocked"])
    def test_the_players_seat_survives_a_reload(self, room, refused):
        page = room.page()
        page.add_init_script(refused)
        page.goto(room.address)
        page.locator("[data-game=trick-walls] .play").click()
        page.wait_for_url("**/table/*")
        wait_for_turn(page)
        assert "key" not in page.url
        expect(page.locator(".note")).to_contain_text("cannot keep your seat")
        page.reload()
        play_a_card(page)

    def test_a_taken_seat_survives_a_reload(self, room):
        host, friend = room.page(), room.page()
        table = room.table(2, friends=1)
        room.sit(host, table)
        friend.add_init_script(self.REFUSED[0])
        room.join(friend, table)
        expect(friend.locator(".hand .card").first).to_be_visible()
        friend.reload()
        expect(friend.locator(".hand .card").first).to_be_visible()


def test_play_works_after_going_back_to_the_page(room):
    page = landing(room)
    page.evaluate("document.querySelector('.game .play').disabled = true")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator(".game .play").first).to_be_enabled()
