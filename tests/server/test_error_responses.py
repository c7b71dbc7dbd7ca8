"""Responses to errors for a browser and for a program."""

from types import SimpleNamespace

import pytest
from fastapi import Request

from parlour.server.http.error_responses import error_response
from parlour.server.store.database import StoreError

PERSON = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/nothing", "/game/a/b", "/games/a/b"])
def test_a_person_at_a_wrong_address_is_answered_by_the_page(card_room, path):
    answer = card_room.http.get(path, headers=PERSON)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert '<meta name="parlour-error" content="there is no such ' in answer.text
    assert "script-src" not in answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")


def test_an_error_is_escaped_in_the_page():
    app = SimpleNamespace(state=SimpleNamespace(page=SimpleNamespace(text=lambda: "<head></head>")))
    scope = {"type": "http", "method": "GET", "path": "/x", "server": ("room", 80), "query_string": b"", "app": app}
    asked = Request({**scope, "headers": [(b"accept", PERSON["Accept"].encode())]})
    page = error_response(asked, 'there is no <script> "x"', 404).body.decode()
    assert 'content="there is no &lt;script&gt; &quot;x&quot;"' in page


MISSING = {
    "/table/nosuch00": "there is no such table",
    "/table/no-such": "there is no such table",
    "/game/nosuch00": "there is no such table",
    "/game/nosuch00/review": "there is no such table",
    "/games/poker": "there is no such game",
    "/learn/poker": "there is no such game",
}


class TestMissingPages:
    @pytest.mark.parametrize(("path", "text"), MISSING.items())
    def test_it_is_not_found(self, card_room, path, text):
        answer = card_room.http.get(path, headers=PERSON)
        assert answer.status_code == 404
        assert f'<meta name="parlour-error" content="{text}">' in answer.text

    def test_the_pages_of_a_table_are_found(self, card_room):
        table = card_room.open("you", "thumb")["table"]
        for path in (f"/table/{table}", f"/game/{table}", f"/game/{table}/review"):
            assert card_room.http.get(path, headers=PERSON).status_code == 200

    def test_a_page_is_served_while_the_database_cannot_be_read(self, card_room, monkeypatch):
        def fail(*_):
            raise StoreError("no database")

        monkeypatch.setattr(card_room.store, "read", fail)
        assert card_room.http.get("/table/nosuch00", headers=PERSON).status_code == 200


@pytest.mark.parametrize("path", ["/nothing", "/api/nothing", "/page/nothing"])
def test_a_program_is_answered_in_json(card_room, path):
    accepted = {"Accept": "*/*"} if path == "/nothing" else PERSON
    answer = card_room.http.get(path, headers=accepted)
    assert answer.status_code == 404
    assert set(answer.json()) == {"error"}


@pytest.mark.parametrize(
    "path", ["/", "/games/trick-walls", "/api/games", "/page/img/icon.svg", "/healthz", "/nothing"]
)
def test_head_is_answered_as_get_without_the_body(card_room, path):
    head, get = (card_room.http.request(method, path, headers=PERSON) for method in ("HEAD", "GET"))
    assert head.status_code == get.status_code
    assert head.headers["content-type"] == get.headers["content-type"]
    assert head.content == b""


def test_the_icon_is_where_browsers_look_for_it(card_room):
    answer = card_room.http.get("/favicon.ico")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.content.startswith(b"<svg")


def test_the_primer_of_a_game_has_its_lesson_and_its_terms(card_room):
    primer = card_room.http.get("/api/games/castle-walls/primer").json()
    assert "six face-down life cards" in primer["short"]
    assert "<h2>" not in primer["short"]
    assert primer["lesson"] > 0
    assert "black trap" in {term["word"] for term in primer["terms"]}
    assert card_room.http.get("/api/games/poker/primer").status_code == 404
