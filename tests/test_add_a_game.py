"""The game that docs/add-a-game.md builds, taken out of the page and played, with nothing else touched."""

import json
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import parlour
from tests.server.house import free_port

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[1] / "docs" / "add-a-game.md"
FENCE = re.compile(r"^```\w+ file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the house with the page's files in it."""
    folder = tmp_path_factory.mktemp("house")
    package = folder / "parlour"
    shutil.copytree(Path(parlour.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    files = dict(FENCE.findall(PAGE.read_text(encoding="utf-8")))
    assert sorted(files) == ["games/five_tricks.py", "tables/five_tricks.md", "tables/five_tricks.py"]
    for name, text in files.items():
        (package / name).write_text(text, encoding="utf-8")
    return folder


def run(house: Path, *arguments: str, typed: str = "") -> str:
    environment = {
        "PYTHONPATH": str(house),
        "PARLOUR_CACHE": str(house / "cache"),
        "HOME": str(house),
        "PATH": "/usr/bin",
    }
    command = [sys.executable, "-m", "parlour.cli", *arguments]
    done = subprocess.run(command, env=environment, cwd=house, input=typed, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def address(house: Path) -> Iterator[str]:
    """The address of a card room served from the house with the page's game."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "parlour.cli",
        "serve",
        "--no-warm-up",
        "--port",
        str(port),
        "--database",
        "tables.sqlite",
    ]
    environment = {"PYTHONPATH": str(house), "PARLOUR_CACHE": str(house / "cache"), "HOME": str(house)}
    with subprocess.Popen(
        command, cwd=house, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        for _ in range(600):
            with socket.socket() as asking:
                if asking.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
        server.terminate()


class TestTheGameOfThePage:
    def test_it_is_among_the_games(self, house: Path) -> None:
        assert "five-tricks  (2 to 4 players)" in run(house, "games")

    def test_it_is_played_to_the_end_in_the_terminal(self, house: Path) -> None:
        shown = run(house, "play", "five-tricks", "-p", "3", typed="1\n" * 5)
        assert shown.count("the trick.") == 5
        assert "Won by" in shown

    def test_its_records_replay(self, house: Path) -> None:
        run(house, "simulate", "five-tricks", "--games", "5", "--records", "games.jsonl")
        assert run(house, "replay", "games.jsonl").count("won by") == 5

    def test_its_rules_can_be_read(self, house: Path) -> None:
        assert "# Five Tricks" in run(house, "rules", "five-tricks", "--markdown")

    def test_it_has_no_lesson_and_needs_none(self, house: Path) -> None:
        code = (
            "from parlour.render.lesson import LessonError\n"
            "from parlour.server.http.catalogue import catalogue\n"
            "from parlour.tables import guide_of\n"
            "print([game['lesson'] for game in catalogue()['games'] if game['id'] == 'five-tricks'])\n"
            "try:\n"
            "    guide_of('five-tricks')\n"
            "except LessonError as error:\n"
            "    print(error)\n"
        )
        assert run_code(house, code).splitlines() == ["[None]", "Five Tricks has no lesson yet"]

    @pytest.mark.page
    def test_it_is_played_to_the_end_in_a_browser(self, chromium: Browser, address: str) -> None:
        seats = [{"kind": "you", "name": "Ann"}, {"kind": "bot", "bot": "random", "name": "Bo"}]
        body = json.dumps({"game": "five-tricks", "players": 2, "options": {}, "seats": seats}).encode()
        request = urllib.request.Request(f"{address}/api/tables", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            table = json.load(answer)
        page = chromium.new_page(reduced_motion="reduce")
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        kept = json.dumps({"seat": table["seat"], "key": table["key"]})
        page.add_init_script(
            f"""localStorage.parlour = '{{"pace": "instant"}}';
            localStorage['parlour:{table["table"]}'] = {json.dumps(kept)}"""
        )
        page.goto(f"{address}/table/{table['table']}")
        for left in range(5, 0, -1):
            page.wait_for_function(
                """left => document.querySelector('.my-turn')
                && document.querySelectorAll('.hand .card').length === left""",
                arg=left,
            )
            page.locator(".hand .may").first.click()
        page.wait_for_selector("[data-sheet=end]")
        assert "Won by" in page.locator("[data-sheet=end] h2").inner_text()
        assert complaints == []
        page.close()

    @pytest.mark.slow
    def test_the_laws_of_the_house_hold_for_it(self, house: Path) -> None:
        code = (
            "from parlour.games import find_game\n"
            "from parlour.engine import rules, sight\n"
            "from parlour.engine.chance import new_stream\n"
            "from parlour.engine.match import Match, StreamRandomness\n"
            "from parlour.engine.setup import Setup\n"
            "random = new_stream(5)\n"
            "match = Match(Setup(find_game('five-tricks'), 4))\n"
            "while not match.over:\n"
            "    if match.actor < 0:\n"
            "        match.take_chance(StreamRandomness(random))\n"
            "        continue\n"
            "    for seat in (0, 1, 2, 3):\n"
            "        veiled = match.veiled(seat)\n"
            "        assert sight.veil(veiled, -1).tobytes() == match.veiled(-1).tobytes()\n"
            "        guessed = sight.guess(veiled, seat, random)\n"
            "        assert sight.veil(guessed, seat).tobytes() == veiled.tobytes()\n"
            "    match.play(match.legal()[0], match.actor)\n"
            "print(match.result)\n"
        )
        assert run_code(house, code).startswith("Result(")


def run_code(house: Path, code: str) -> str:
    environment = {"PYTHONPATH": str(house), "PARLOUR_CACHE": str(house / "cache"), "HOME": str(house)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
