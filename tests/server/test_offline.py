"""Files for use without a network: the service worker, the bundle, the manifest, the icons."""

import json
import re
import struct

import pytest

from parlour.games import game_ids
from parlour.render.layouts import find_lesson


@pytest.fixture
def bundle(card_room):
    version = re.search(r'VERSION = "(\w+)"', card_room.http.get("/worker.js").text)[1]
    return card_room.http.get(f"/offline/{version}.json")


class TestServiceWorker:
    def test_it_is_a_script_of_the_whole_room_that_browsers_check_for_changes(self, card_room):
        answer = card_room.http.get("/worker.js")
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["cache-control"] == "no-cache"
        assert '"VERSION"' not in answer.text


class TestBundle:
    def test_it_has_the_page_its_files_and_the_rooms_answers_about_every_game(self, card_room, bundle):
        kept = bundle.json()
        page = card_room.http.get("/").text
        assert kept["/"][1].partition("<body>")[2] == page.partition("<body>")[2]
        assert kept["/"][0]["Content-Security-Policy"] == card_room.http.get("/").headers["content-security-policy"]
        for path in re.findall(r'"(/page/[^"]+\.(?:css|js|svg|webmanifest))"', page):
            assert kept[path][1] == card_room.http.get(path).text
        for game in game_ids():
            for part in ("rules", "primer", "show", "lesson", "lesson/0/0"):
                path = f"/api/games/{game}/{part}"
                assert json.loads(kept[path][1]) == card_room.http.get(path).json()

    def test_it_has_every_step_of_every_lesson(self, bundle):
        for game in game_ids():
            for hand, each in enumerate(find_lesson(game).hands):
                for step in range(len(each.steps)):
                    assert f"/api/games/{game}/lesson/{hand}/{step}" in bundle.json()

    def test_it_has_nothing_of_a_table(self, bundle):
        assert not [path for path in bundle.json() if path.startswith(("/api/tables", "/api/daily"))]

    def test_it_is_compressed_and_never_changes(self, card_room, bundle):
        assert "immutable" in bundle.headers["cache-control"]
        assert int(bundle.headers["content-length"]) < 280_000
        plain = card_room.http.get(bundle.url.path, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.json() == bundle.json()

    def test_another_version_is_refused(self, card_room):
        assert card_room.http.get("/offline/0123456789ab.json").status_code == 404


class TestManifest:
    def test_its_icons_exist_in_the_sizes_that_it_names(self, card_room):
        page = card_room.http.get("/").text
        address = re.search(r'rel="manifest" href="([^"]+)"', page)[1]
        answer = card_room.http.get(address)
        assert answer.headers["content-type"] == "application/manifest+json"
        drawn = [icon for icon in answer.json()["icons"] if icon["type"] == "image/png"]
        assert {"192x192", "512x512"} == {icon["sizes"] for icon in drawn}
        for icon in drawn:
            picture = card_room.http.get(address.rpartition("/")[0] + "/" + icon["src"]).content
            assert "{}x{}".format(*struct.unpack(">II", picture[16:24])) == icon["sizes"]
