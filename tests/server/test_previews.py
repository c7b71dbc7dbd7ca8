"""Previews of links: title, description and picture by the address."""

import re
import struct

import pytest

from parlour.games import find_game, game_ids
from parlour.server.process.settings import Settings
from parlour.server.store.moderation import close_table
from tests.server.card_room import CardRoom


def tags_of(page):
    return dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)"', page))


def preview(card_room, path, **headers):
    answer = card_room.http.get(path, headers=headers)
    assert answer.status_code == 200
    return tags_of(answer.text)


class TestTheInvitation:
    def test_it_names_the_game_and_shows_its_picture(self, card_room):
        table = card_room.open("you", "open")
        game = find_game(card_room.http.get(f"/api/tables/{table['table']}").json()["game"])
        tags = preview(card_room, f"/table/{table['table']}")
        assert tags["og:title"] == f"You are invited to a game of {game.title} · Parlour"
        assert game.summary in tags["og:description"]
        assert tags["og:image"].endswith(f"/previews/{game.id}.png")

    def test_it_is_the_same_for_all_tables_of_a_game(self, card_room):
        pages = set()
        for seats in (("you", "open"), ("you", "thumb")):
            table = card_room.open(*seats)["table"]
            pages.add(card_room.http.get(f"/table/{table}").text)
        assert len(pages) == 1

    def test_it_loads_no_table(self, card_room):
        table = card_room.open("you", "open")["table"]
        assert "Trick Walls" in preview(card_room, f"/table/{table}")["og:title"]
        assert table not in card_room.rooms

    def test_it_tells_no_game_of_a_table_that_the_operator_has_closed(self, card_room):
        table = card_room.open("you", "open")["table"]
        card_room.store.write(close_table, table)
        tags = preview(card_room, f"/table/{table}")
        assert tags["og:title"] == "You are invited to a game of cards · Parlour"
        assert tags["og:image"].endswith("/previews/parlour.png")


class TestOtherLinks:
    @pytest.mark.parametrize(
        ("path", "title"),
        [
            ("/", "Parlour"),
            ("/daily", "The deals of the day · Parlour"),
            ("/daily/2026-11-25", "The deals of 25 November 2026 · Parlour"),
            ("/games/castle-walls", "Castle Walls · Parlour"),
            ("/learn/castle-walls", "Learn Castle Walls · Parlour"),
        ],
    )
    def test_other_links_have_the_title_of_their_page(self, card_room, path, title):
        assert preview(card_room, path)["og:title"] == title
        assert f"<title>{title}</title>" in card_room.http.get(path).text

    @pytest.mark.parametrize(("end", "title"), [("", "A game of"), ("/review", "A review of a game of")])
    def test_replays_and_reviews_name_the_game(self, card_room, end, title):
        table = card_room.open("you", "thumb", game="three-tricks", options={})["table"]
        assert preview(card_room, f"/game/{table}{end}")["og:title"] == f"{title} 3 Tricks · Parlour"


class TestPictures:
    @pytest.mark.parametrize("name", ["parlour", *game_ids()])
    def test_they_are_small_files_of_the_size_that_messengers_want(self, card_room, name):
        answer = card_room.http.get(f"/previews/{name}.png")
        assert answer.headers["content-type"] == "image/png"
        assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
        assert len(answer.content) < 100_000

    def test_an_unknown_name_has_no_picture(self, card_room):
        assert card_room.http.get("/previews/poker.png").status_code == 404

    def test_their_addresses_have_the_host_name_of_the_request(self, card_room):
        image = preview(card_room, "/", Host="localhost:5000")["og:image"]
        assert image == "http://localhost:5000/previews/parlour.png"

    @pytest.mark.parametrize(("trusted", "scheme"), [(("127.0.0.1",), "https"), ((), "http")])
    def test_their_addresses_have_the_scheme_of_a_trusted_proxy_only(self, tmp_path, trusted, scheme):
        card_room = CardRoom(tmp_path / "tables.sqlite", Settings(limited=False, behind_proxy=trusted))
        headers = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}
        assert preview(card_room, "/", **headers)["og:image"].startswith(f"{scheme}://127.0.0.1:")
        card_room.stop()
