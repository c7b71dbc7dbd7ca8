"""The page of the player's games: the list, the plots, other devices, export and removal."""

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from parlour.games import all_games
from tests.page.layout_checks import SIDEWAYS, TARGETS
from tests.page.pictures import resize
from tests.page.play import wait_for_turn
from tests.page.staged_tables import listed_game, open_own_games, serve_games
from tests.server.card_room import Player, play_out

GAME = "trime-kicker"
RESULT = re.compile(r"^(won|lost|not won) −?\d+\s:\s−?\d+, (today|yesterday)$")
KEY = "JSON.parse(localStorage['parlour-daily'] ?? '{}').key"


@pytest.fixture
def page(room):
    """Return the page of a browser with a finished and an unfinished game."""
    page = room.page()
    page.goto(f"{room.address}/healthz")
    for name in ("over", "running"):
        table = room.table(players=2, options={}, game=GAME)
        kept = json.dumps({"seat": table["seat"], "key": table["key"], "opened": True})
        page.evaluate("([name, kept]) => localStorage.setItem(name, kept)", [f"parlour:{table['table']}", kept])
        setattr(page, name, table)
    with Player(urlsplit(room.address).port, page.over["table"], page.over["key"]) as player:
        play_out(player)
    return page


def line(page, table):
    return page.locator(f"[data-table='{table['table']}']")


class TestTheList:
    def test_has_running_games_first_and_results_in_words_here_and_on_the_landing(self, room, page):
        page.goto(room.address)
        lines = page.locator(".own-tables .table-line")
        expect(lines).to_have_count(2)
        expect(lines.nth(0)).to_contain_text("your turn")
        expect(lines.nth(1).locator(".how")).to_have_text(RESULT)
        page.click(".all-mine")
        expect(page.locator(".own-tables .table-line")).to_contain_text("your turn")
        expect(line(page, page.over).locator(".how")).to_have_text(RESULT)
        assert line(page, page.over).locator("a").evaluate_all("links => links.map(one => one.pathname)") == [
            f"/game/{page.over['table']}",
            f"/game/{page.over['table']}/review",
        ]

    def test_is_searched_and_filtered(self, room):
        page = room.page(390, 844)
        open_own_games(page, room.address)
        lines = page.locator(".own-finished .table-line")
        expect(lines).to_have_count(12)
        page.fill("[name=text]", "kick ad")
        expect(lines).to_have_count(1)
        page.fill("[name=text]", "")
        page.get_by_role("radio", name="Won", exact=True).check()
        expect(lines).to_have_count(4)
        page.locator("[name=game]").select_option(all_games()[0].id)
        expect(page.locator(".own-finished [role=status]")).to_have_text("1 game, 1 won")
        for width, height in ((390, 844), (360, 740), (740, 360), (1440, 900)):
            resize(page, (width, height))
            assert page.evaluate(SIDEWAYS) <= 0
            assert page.evaluate(TARGETS) == []

    def test_has_a_game_once_that_ends_while_its_parts_arrive(self, room):
        page, running = room.page(), listed_game(0, score=None, review=None)
        parts = {
            "": {"name": "Ann", "games": [running, listed_game(1), listed_game(3)], "next": "a"},
            "a": {"name": "Ann", "games": [listed_game(3), listed_game(4)], "next": "b"},
            "b": {"name": "Ann", "games": [listed_game(4), listed_game(6)], "next": None},
        }
        page.route(
            "**/api/player?*",
            lambda route: route.fulfill(json=parts[parse_qs(urlsplit(route.request.url).query).get("before", [""])[0]]),
        )
        page.route("**/api/tables/listed0", lambda route: route.fulfill(status=503, json={"error": "starting"}))
        room.expected = ("503",)
        page.goto(f"{room.address}/mine")
        expect(page.locator(".own-finished [role=status]")).to_have_text("4 games, 2 won")
        found = page.locator(".own-finished .table-line").evaluate_all("lines => lines.map(one => one.dataset.table)")
        assert found == ["listed1", "listed3", "listed4", "listed6"]

    def test_says_how_it_fills(self, room):
        page = room.page()
        page.goto(f"{room.address}/mine")
        expect(page.locator(".own-finished")).to_contain_text("No game of yours has been finished yet")
        page.unroute_all()
        serve_games(page, 1)
        page.reload()
        expect(page.locator(".plots-more")).to_contain_text("none of your games has one yet")
        expect(page.locator(".plots-more a")).to_have_attribute("href", "/game/listed0/review")


class TestAnotherDevice:
    def test_goes_on_by_words_after_a_typing_error_is_named(self, room, page):
        page.goto(f"{room.address}/mine")
        page.locator(".own-devices summary").first.click()
        page.locator("[data-go=words]").click()
        expect(page.locator(".own-words li")).to_have_count(8)
        words = page.locator(".own-words li").all_text_contents()
        other = room.page(name="")
        other.goto(f"{room.address}/mine")
        other.locator(".own-devices summary").last.click()
        other.fill("[name=words]", "abandn")
        other.locator(".words-form [type=submit]").click()
        expect(other.locator(".words-form .failure")).to_have_text("“abandn” is none of the words. Is it abandon?")
        other.fill("[name=words]", " ".join(words[::-1]))
        other.press("[name=words]", "Enter")
        expect(other.locator(".words-form .failure")).to_contain_text("Look at their order")
        other.fill("[name=words]", "\n".join(words))
        other.press("[name=words]", "Shift+Enter")
        expect(other.locator("[name=words]")).to_have_value("\n".join([*words, ""]))
        other.press("[name=words]", "Enter")
        expect(line(other, page.over)).to_be_visible()
        line(other, page.running).locator("a").click()
        assert wait_for_turn(other) == "turn"

    def test_goes_on_by_a_link_after_a_question(self, room, page):
        page.goto(f"{room.address}/mine")
        expect(line(page, page.over)).to_be_visible()
        key, other = page.evaluate(KEY), room.page()
        other.goto(f"{room.address}/mine#key=short")
        expect(other.locator(".own-notice")).to_contain_text("incomplete")
        other.goto(f"{room.address}/mine#key={key}")
        expect(other.locator(".own-notice")).to_contain_text("the games of Ann: 2 games")
        assert other.evaluate(KEY) != key
        assert key not in other.url
        other.locator("[data-go=take]").click()
        expect(line(other, page.over)).to_be_visible()
        assert other.evaluate(KEY) == key


class TestExportAndRemoval:
    def test_a_game_is_removed_also_if_the_room_has_forgotten_it_but_stays_after_a_failure(self, room, page):
        room.expected = ("404", "503")
        answers = [{"status": 503, "json": {"error": "the disk is full"}}, {"status": 404, "json": {"error": "none"}}]
        page.route("**/api/player/games/*", lambda route: route.fulfill(**answers.pop(0)))
        page.goto(f"{room.address}/mine")
        game = line(page, page.over)
        game.get_by_role("button").click()
        expect(game.locator(".failure")).to_have_text("the disk is full")
        assert page.evaluate(f"localStorage['parlour:{page.over['table']}']")
        game.get_by_role("button").click()
        expect(game).to_have_count(0)
        assert page.evaluate(f"localStorage['parlour:{page.over['table']}']") is None
        assert answers == []

    def test_all_records_are_saved_in_one_file(self, room, page):
        page.goto(f"{room.address}/mine")
        with page.expect_download() as saved:
            page.locator("[data-go=export]").click()
        (record,) = map(json.loads, saved.value.path().read_text().splitlines())
        assert record["game"] == GAME

    def test_everything_is_forgotten_after_a_question_but_the_seat_in_a_running_game(self, room, page):
        page.goto(f"{room.address}/mine")
        expect(line(page, page.over)).to_be_visible()
        key = page.evaluate(KEY)
        page.locator("[data-go=forget]").click()
        page.locator("[data-go=forget-all]").click()
        expect(page.locator(".own-finished")).to_contain_text("No game of yours has been finished yet")
        expect(line(page, page.running)).to_be_visible()
        assert page.evaluate(KEY) != key
        answer = page.request.get(f"{room.address}/api/player", headers={"Authorization": f"Bearer {key}"})
        assert answer.json()["name"] is None

    def test_a_full_disk_gets_a_sentence(self, room, page):
        room.expected = ("503",)
        full = {"status": 503, "json": {"error": "the disk is full"}}
        page.goto(f"{room.address}/mine")
        page.route("**/api/player", lambda route: route.fulfill(**full))
        page.locator("[data-go=forget]").click()
        page.locator("[data-go=forget-all]").click()
        expect(page.locator("[data-sheet=forget] .failure")).to_have_text("the disk is full")
