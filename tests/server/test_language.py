"""The language of requests and tables: chosen by cookie or browser, each viewer in its own."""

import json
import re
import sys
import time

import pytest
from starlette.datastructures import Headers

from parlour.games import game_ids
from parlour.languages import CacheByLanguage, in_language
from parlour.puzzles.puzzle_file import shipped_puzzles
from parlour.server.http.access.bans import Bans
from parlour.server.http.document.language_script import _plurals
from parlour.server.http.language import language_of
from parlour.server.http.middleware import BODY_BYTES
from parlour.server.store.database import StoreError
from parlour.server.store.failure_reasons import SILENT
from parlour.server.store.ownership import ElsewhereError, MovedError
from tests.pseudo_language import CODE, pseudo_language
from tests.server.card_room import CardRoom, play_out, wait_until

SWEDISH = {"Accept-Language": "sv-FI,en;q=0.8"}
PERSON = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    folder = tmp_path_factory.mktemp("language")
    with pseudo_language(folder):
        card_room = CardRoom(folder / "tables.sqlite")
        yield card_room
        card_room.stop()


def failing(error):
    """Return a method of the store that fails."""

    def fail(*arguments):
        raise error

    return fail


def get(room, path, **headers):
    return room.http.get(path, headers={**SWEDISH, **headers})


class TestChoice:
    @pytest.mark.parametrize(
        ("accepted", "code"),
        [
            ("", "en"),
            ("sv", "sv"),
            ("sv-FI", "sv"),
            ("SV;q=0.5", "sv"),
            ("pt, sv;q=0.3", "sv"),
            ("en, sv", "en"),
            ("sv;q=0.2, en;q=0.1", "sv"),
            ("sv;q=0", "en"),
            ("sv;q=x", "en"),
            ("*", "en"),
            (";;,,=", "en"),
            ("x" * 10_000 + ",sv", "en"),
        ],
    )
    def test_the_browsers_languages_decide(self, room, accepted, code):
        assert language_of(Headers({"accept-language": accepted})) == code

    @pytest.mark.parametrize(
        ("cookie", "code"),
        [
            ("language=sv", "sv"),
            ("a=b; language=sv", "sv"),
            ("language=xx", "en"),
            ("language=", "en"),
            ("language=../../etc/passwd", "en"),
            ("language=" + "y" * 10_000, "en"),
            ('"=;language', "en"),
        ],
    )
    def test_a_known_language_in_the_cookie_comes_first(self, room, cookie, code):
        assert language_of(Headers({"accept-language": "en", "cookie": cookie})) == code

    def test_the_longest_cookie_takes_no_time(self):
        """A parser whose time grows with the square of the length would hold all other clients up."""
        headers = Headers({"cookie": 'language="' + "\\" * 15_000 + '"'})
        began = time.thread_time()
        assert language_of(headers) == "en"
        assert time.thread_time() - began < 1

    def test_caches_know_what_an_answer_depends_on(self, room):
        answer = get(room, "/api/games")
        assert answer.headers["content-language"] == CODE
        assert {"Accept-Language", "Cookie"} <= set(re.split(", *", answer.headers["vary"]))

    def test_a_versioned_file_depends_on_nothing(self, room):
        style = re.search(r'"(/page/\w+/css/page\.css)"', get(room, "/").text)[1]
        assert "Cookie" not in get(room, style).headers.get("vary", "")


class TestPage:
    def test_it_names_its_language_and_loads_its_catalogue_first(self, room):
        page = get(room, "/").text
        assert f'<html lang="{CODE}">' in page
        assert "{{" not in page
        scripts = re.findall(r'<script [^>]*src="/page/\w+/([^"]+)"', page)
        assert scripts == [f"language/{CODE}.js", "js/app.js"]

    def test_it_says_that_it_loads_before_its_scripts_have_come(self, room):
        assert '<div id="app"><p class="loading">‹One moment …›</p></div>' in get(room, "/").text

    def test_the_catalogue_has_the_messages_of_the_modules(self, room):
        path = re.search(r'"(/page/\w+/language/\w+\.js)"', get(room, "/").text)[1]
        answer = get(room, path)
        assert answer.headers["content-type"].startswith("text/javascript")
        assert "immutable" in answer.headers["cache-control"]
        catalogue = json.loads(answer.text.partition("=")[2].rstrip(";\n"))
        assert catalogue["language"] == CODE
        assert catalogue["languages"] == {"en": "English", "sv": "svenska"}
        assert catalogue["plurals"][:3] == "101"
        assert catalogue["messages"]["Settings"] == ["‹Settings›"]
        assert "The game is over." not in catalogue["messages"]  # a message of the server

    @pytest.mark.parametrize(("code", "forms"), [("fi", "10111"), ("fr", "00222"), ("es", "20222"), ("pl", "20111")])
    def test_a_script_has_the_plural_forms_of_its_language(self, code, forms):
        assert _plurals(code)[:5] == forms

    def test_a_catalogue_of_an_unknown_language_is_not_found(self, room):
        path = re.search(r'"(/page/\w+/language/)\w+\.js"', get(room, "/").text)[1]
        assert room.http.get(f"{path}xx.js").status_code == 404

    def test_the_app_that_a_browser_installs_has_the_pages_language(self, room):
        path = re.search(r'rel="manifest" href="([^"]+)"', get(room, "/").text)[1]
        answer = room.http.get(path)  # browsers request it without the cookie of the settings
        assert "immutable" in answer.headers["cache-control"]
        found = answer.json()
        assert (found["lang"], found["dir"]) == (CODE, "ltr")
        assert found["description"].startswith("‹Unusual card games")
        assert found["shortcuts"] == [{"name": "‹The deal of the day›", "url": "/daily"}]
        english = room.http.get(path.replace(f".{CODE}.", ".en.")).json()
        assert english["shortcuts"][0]["name"] == "The deal of the day"
        assert room.http.get(path.replace(f".{CODE}.", ".xx.")).status_code == 404

    def test_an_error_is_in_the_readers_language(self, room):
        assert get(room, "/nothing", **PERSON).text.count("‹there is no such page›") == 1
        assert get(room, "/api/tables/nosuch00").json() == {"error": "‹there is no such table›"}

    @pytest.mark.parametrize(
        ("body", "sentence"),
        [
            (b"{", "‹that is not JSON›"),
            (b'{"address": 7}', "address: ‹must be a text›"),
            (b'{"address": "' + b"x" * 301 + b'"}', "address: ‹may not have more than 300 characters›"),
            (b" " * (BODY_BYTES + 1), f"‹a request may not have more than {BODY_BYTES} bytes›"),
        ],
        ids=["no JSON", "no text", "too long", "too large"],
    )
    def test_wrong_input_is_refused_in_the_readers_language(self, room, body, sentence):
        answer = room.http.post("/api/link", content=body, headers={**SWEDISH, "Content-Type": "application/json"})
        assert answer.json() == {"error": sentence}

    def test_a_name_without_a_letter_is_refused_in_the_readers_language(self, room):
        table = room.open("you", "open")["table"]
        answer = room.http.post(f"/api/tables/{table}/seats", json={"seat": 1, "name": "\u2060"}, headers=SWEDISH)
        assert answer.json() == {"error": "name: ‹a name needs a letter›"}

    def test_a_foreign_page_is_refused_in_the_readers_language(self, room):
        answer = room.http.post("/api/tables", headers={**SWEDISH, "Origin": "https://elsewhere.example"})
        assert answer.json() == {"error": "‹a page from elsewhere may not do this›"}

    def test_a_banned_address_is_refused_in_the_readers_language(self, room):
        bans = Bans()
        bans.set({"192.0.2.1": int(time.time()) + 60})
        with in_language(CODE):
            assert bans.refusal("192.0.2.1").startswith("‹the operator of this room has banned this address until 20")

    def test_a_message_that_is_not_understood_is_refused_in_the_readers_language(self, room):
        table = room.open("you", "thumb")
        with room.sit(table["table"], table["key"], headers=SWEDISH) as player:
            player.socket.send("nonsense")
            assert player.hear_type("refused")["reason"] == "‹that is not JSON›"

    @pytest.mark.parametrize(
        ("error", "status", "sentence"),
        [
            (StoreError(SILENT), 503, "the database does not answer"),
            (MovedError(), 503, "the table has moved on; try again"),
            (ElsewhereError(), 421, "the table is at another server: ask again"),
        ],
    )
    def test_a_failure_of_the_store_is_in_the_readers_language(self, room, monkeypatch, error, status, sentence):
        monkeypatch.setattr(room.store, "open_tables", failing(error))
        answer = get(room, "/api/tables")
        assert (answer.status_code, answer.json()) == (status, {"error": f"‹{sentence}›"})
        assert room.http.get("/api/tables").json() == {"error": sentence}

    def test_a_link_has_a_preview_in_the_readers_language(self, room):
        assert "<title>‹The deals of the day› · Parlour</title>" in get(room, "/daily").text
        assert "<title>‹The deals of 28 november 2026› · Parlour</title>" in get(room, "/daily/2026-11-28").text

    def test_english_readers_have_english(self, room):
        page = room.http.get("/").text
        assert '<html lang="en">' in page
        assert "‹" not in page


class TestGames:
    @pytest.mark.parametrize("game", game_ids())
    def test_rules_primers_and_lessons_are_translated(self, room, game):
        assert re.match("<p>‹", get(room, f"/api/games/{game}/rules").json()["html"])
        assert get(room, f"/api/games/{game}/primer").json()["terms"][0]["means"][0] == "‹"
        assert "‹" in get(room, f"/api/games/{game}/lesson/0/0").json()["say"]
        assert "‹" not in room.http.get(f"/api/games/{game}/rules").text

    def test_options_and_bots_are_translated(self, room):
        answer = get(room, "/api/games").json()
        assert {bot["title"][0] for bot in answer["bots"]} == {"‹"}
        options = [option for game in answer["games"] for option in game["options"]]
        for key in ("title", "help", "pattern_words"):
            assert {option[key][0] for option in options if option[key]} == {"‹"}
        for key in ("titles", "consequences"):
            assert {text[0] for option in options for text in option[key].values()} == {"‹"}
        assert any(option["pattern"] and option["pattern_words"] for option in options)

    def test_the_offline_bundle_is_that_of_the_language(self, room):
        version = re.search(r'VERSION = "(\w+)"', get(room, "/worker.js").text)[1]
        english = re.search(r'VERSION = "(\w+)"', room.http.get("/worker.js").text)[1]
        assert version != english
        bundle = room.http.get(f"/offline/{version}.json").json()  # its version names the language
        assert f'<html lang="{CODE}">' in bundle["/"][1]
        assert any(path.endswith(f"language/{CODE}.js") for path in bundle)
        assert room.http.get("/offline/0123456789ab.json").status_code == 404


def forget_answers():
    """Empty the caches of the server's modules."""
    for name, module in list(sys.modules.items()):
        kept = vars(module).values() if name.startswith("parlour.server.") else ()
        for each in [each for each in kept if getattr(each, "__module__", "") == name]:
            if isinstance(each, CacheByLanguage):
                each.answers.clear()
            elif hasattr(each, "cache_clear"):
                each.cache_clear()


class TestKeptAnswers:
    @pytest.mark.parametrize("first", ["en", CODE])
    @pytest.mark.parametrize(
        "path",
        [
            "/",
            "/daily",
            "/api/games",
            "/api/games/castle-walls/rules",
            "/api/games/castle-walls/primer",
            "/api/games/castle-walls/lesson/0/0",
            "/api/puzzles/castle-walls",
            f"/api/puzzles/castle-walls/{shipped_puzzles('castle-walls').puzzles[0].id}",
        ],
    )
    def test_each_reader_has_its_own_language_whichever_was_first(self, room, path, first):
        forget_answers()
        codes = sorted(["en", CODE], key=lambda code: code != first)
        texts = {code: room.http.get(path, headers={"Accept-Language": code}).text for code in codes}
        assert {code for code, text in texts.items() if "‹" in text} == {CODE}


class TestTable:
    @pytest.fixture
    def opened(self, room):
        return room.open("you", "thumb", game="castle-walls", options={}, hints=True)

    @pytest.fixture
    def both(self, room, opened):
        with (
            room.sit(opened["table"], opened["key"], headers=SWEDISH) as swede,
            room.sit(opened["table"], opened["key"]) as briton,
        ):
            for player in (swede, briton):
                player.until(lambda scene: scene["legal"])
            yield swede, briton

    def test_two_viewers_of_a_seat_have_each_their_own_language(self, both):
        swede, briton = both
        assert swede.scene["prompt"][0] == "‹"
        assert swede.scene["legal"] == briton.scene["legal"]
        seen = briton.scene["seen"]
        briton.do(briton.scene["legal"][-1])
        for player in both:
            player.until_seen(seen + 1)
        assert any(swede.log)
        assert all("‹" in line for line in swede.log if line)
        assert "‹" not in json.dumps([briton.scenes, briton.log], ensure_ascii=False)

    def test_a_refusal_is_in_the_language_of_its_reader(self, both):
        swede, briton = both
        for player in both:
            player.do("attack 1 life")
        assert swede.hear_type("refused")["reason"][0] == "‹"
        assert briton.hear_type("refused")["reason"][0] != "‹"

    def test_what_could_not_be_saved_is_in_the_language_of_its_reader(self, room, both, monkeypatch):
        swede, briton = both
        monkeypatch.setattr(room.store, "rename_seat", failing(StoreError(SILENT)))
        for player in both:
            player.say(type="rename", name="Zoe")
        whole, reason = "the table could not be saved: {}", "the database does not answer"
        assert swede.hear_type("refused")["reason"] == f"‹{whole}›".format(f"‹{reason}›")
        assert briton.hear_type("refused")["reason"] == whole.format(reason)

    def test_each_reads_of_a_new_name_in_its_own_language(self, both):
        swede, briton = both
        briton.say(type="rename", name="Zoe")
        for player in both:
            player.hear_type("scenes")
        assert swede.log[-1] == "‹You are Zoe now.›"
        assert briton.log[-1] == "You are Zoe now."

    def test_a_reconnected_viewer_has_the_whole_log_in_its_language(self, room, opened, both):
        _, briton = both
        seen = briton.scene["seen"]
        briton.do(briton.scene["legal"][-1])
        briton.until_seen(seen + 1)
        with room.sit(opened["table"], opened["key"], headers={"Cookie": "language=sv"}) as again:
            again.until_seen(seen + 1)
            assert again.log
            assert all("‹" in line for line in again.log if line)

    def test_an_open_seat_is_named_in_the_language_of_its_viewer(self, room):
        table = room.open("you", "open", game="castle-walls", options={})
        for headers, name in ((SWEDISH, "‹Seat 2›"), ({}, "Seat 2")):
            with room.sit(table["table"], table["key"], headers=headers) as player:
                player.until(lambda scene: True)
                assert name in {area.get("title") for area in player.scene["areas"]}

    def test_a_hint_is_in_the_language_of_its_reader(self, both):
        swede, _ = both
        swede.say(type="hint")
        hint = swede.hear_type("hint")
        assert {words[0] for words in hint["words"]} == {"‹"}
        assert "‹" in hint["candidates"][0]["phrase"]


def texts_in(value, place=""):
    """Yield each text in a JSON value with the names of the parts that lead there."""
    if isinstance(value, str):
        yield place, value
    for key, part in value.items() if isinstance(value, dict) else ():
        yield from texts_in(part, f"{place}/{key}")
    for part in value if isinstance(value, list) else ():
        yield from texts_in(part, place)


DECISION_TEXTS = tuple(f"/courses/decisions/{key}" for key in ("heading", "phrase", "best_phrase"))
UNTRANSLATED = {
    *("/format", "/game", "/names", "/events/by", "/events/do", "/courses/name", "/texts/title"),
    *("/courses/decisions/do", "/courses/decisions/best", "/courses/decisions/mark"),
}
"""Texts of a review that are the same in all languages: ids, notation, names, and the title of a game."""


class TestReview:
    def test_a_review_stored_in_english_is_read_in_another_language(self, room):
        opened = room.open("you", "thumb", game="castle-walls", options={"turn_limit": 4})
        with room.sit(opened["table"], opened["key"]) as player:
            play_out(player)
        path = f"/api/tables/{opened['table']}/review"
        wait_until(lambda: get(room, path).status_code == 200, 240)  # requested in Swedish first
        english, swedish = room.http.get(path).json(), get(room, path).json()
        assert "‹" not in json.dumps(english, ensure_ascii=False)
        pairs = list(zip(texts_in(english), texts_in(swedish), strict=True))
        for (place, text), (same_place, translated) in pairs:
            assert place == same_place
            if place in UNTRANSLATED:
                assert translated == text, place
            elif re.search("[A-Za-z%]", text):
                assert "‹" in translated, (place, translated)
        assert {*DECISION_TEXTS, "/outcomes", "/texts/outcome"} <= {place for (place, _), _ in pairs}
