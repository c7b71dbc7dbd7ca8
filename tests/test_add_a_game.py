"""The game that docs/add-a-game.md builds, extracted from the page, played and tested without other changes."""

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

from tests.server.card_room import free_port

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "add-a-game.md"
OF_EVERY_GAME = (
    "test_golden.py",
    "test_house.py",
    "test_log_sentences.py",
    "engine/test_perft.py",
    "render/test_lessons.py",
    "render/test_phrases.py",
)
"""Test files outside ``tests/laws/`` that check the files of every game: rules, words, records, lesson."""
FENCE = re.compile(r"^```\w+ file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the repository with the files of the page."""
    folder = tmp_path_factory.mktemp("checkout")
    for part in ("src", "tests", "docs"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    files = dict(FENCE.findall(PAGE.read_text(encoding="utf-8")))
    assert {Path(name).parts[-2] for name in files} == {"five_tricks"}
    for name, text in files.items():
        file = folder / name if name.startswith("tests/") else folder / "src" / "parlour" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def environment_of(checkout: Path) -> dict[str, str]:
    return {
        "PYTHONPATH": f"{checkout / 'src'}:{checkout}",
        "PARLOUR_CACHE": str(checkout / "cache"),
        "HOME": str(checkout),
        "PATH": "/usr/bin",
    }


def run_python(checkout: Path, *arguments: str, typed: str = "", **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment_of(checkout) | variables,
        cwd=checkout,
        input=typed,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def run(checkout: Path, *arguments: str, typed: str = "") -> str:
    return run_python(checkout, "-m", "parlour", *arguments, typed=typed)


@pytest.fixture
def address(checkout: Path) -> Iterator[str]:
    """Run a card room with the game of the page; yield its address."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "parlour",
        "serve",
        "--no-warm-up",
        "--port",
        str(port),
        "--database",
        "tables.sqlite",
    ]
    with subprocess.Popen(
        command, cwd=checkout, env=environment_of(checkout), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        for _ in range(600):
            with socket.socket() as asking:
                if asking.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        else:
            raise AssertionError("the server did not start")
        yield f"http://127.0.0.1:{port}"
        server.terminate()


class TestGameOfThePage:
    def test_it_is_among_the_games(self, checkout: Path) -> None:
        assert "five-tricks  (2 to 4 players)" in run(checkout, "games")

    def test_it_is_played_to_the_end_in_the_terminal(self, checkout: Path) -> None:
        shown = run(checkout, "play", "five-tricks", "-p", "3", "--seed", "1", typed="1\n" * 6)
        assert shown.count("the trick.") == 5
        assert re.search(r"wins? with \d trick", shown)

    def test_its_records_replay(self, checkout: Path) -> None:
        run(checkout, "simulate", "five-tricks", "--games", "5", "--records", "games.jsonl")
        assert run(checkout, "replay", "games.jsonl").count("won by") == 5

    def test_its_rules_can_be_read(self, checkout: Path) -> None:
        assert "# Five Tricks" in run(checkout, "rules", "five-tricks", "--markdown")

    def test_it_needs_no_lesson(self, checkout: Path) -> None:
        code = (
            "from parlour.render.lesson import LessonError\n"
            "from parlour.server.http.catalogue import catalogue\n"
            "from parlour.render.layouts import guide_of\n"
            "print([game['lesson'] for game in catalogue()['games'] if game['id'] == 'five-tricks'])\n"
            "try:\n"
            "    guide_of('five-tricks')\n"
            "except LessonError as error:\n"
            "    print(error)\n"
        )
        assert run_python(checkout, "-c", code).splitlines() == ["[None]", "Five Tricks has no lesson yet"]

    @pytest.mark.page
    def test_it_is_played_to_the_end_in_a_browser(self, chromium: Browser, address: str) -> None:
        seats = [{"kind": "you", "name": "Ann"}, {"kind": "bot", "bot": "random", "name": "Bo"}]
        body = json.dumps({"game": "five-tricks", "players": 2, "options": {}, "seats": seats}).encode()
        request = urllib.request.Request(f"{address}/api/tables", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            table = json.load(answer)
        page = chromium.new_page(reduced_motion="reduce")
        page.set_default_timeout(600_000)  # the server compiles the game first
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        kept = json.dumps({"seat": table["seat"], "key": table["key"]})
        # a forced action that the page does by itself would take the place of a click
        page.add_init_script(
            f"""localStorage.parlour = '{{"pace": "instant", "forced": false}}';
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
        assert re.search(r"wins? with \d trick", page.locator("[data-sheet=end] h2").inner_text())
        assert complaints == []
        page.close()

    def test_it_keeps_the_laws_with_all_options(self, checkout: Path) -> None:
        output = run(checkout, "check", "five-tricks", "--games", "20")
        assert "Five Tricks: 20 random games" in output
        assert "BROKEN" not in output

    def test_a_broken_law_is_reported_in_a_sentence(self, checkout: Path) -> None:
        knowledge = checkout / "src" / "parlour" / "games" / "five_tricks" / "knowledge.py"
        right = knowledge.read_text()
        knowledge.write_text(right.replace("FULL_DECK & ~state.five_lacks[player]", "FULL_DECK"))
        try:
            with pytest.raises(AssertionError, match=r"BROKEN  determinizations(.|\n)*You can follow"):
                run(checkout, "check", "five-tricks", "--games", "20")
        finally:
            knowledge.write_text(right)

    @pytest.mark.timeout(900)
    def test_the_tests_for_all_games_include_it(self, checkout: Path) -> None:
        """Run them interpreted, which needs a quarter of the time; ``parlour check`` runs the laws compiled."""
        run_python(checkout, "-m", "tests.golden_games")
        run_python(checkout, "-m", "parlour.authors.rules_pages", "docs/rules")
        own = ["games/five_tricks", "laws", *OF_EVERY_GAME]
        tests = [str(checkout / "tests" / name) for name in own]
        words = ("-q", "-n", "0", "-p", "no:cacheprovider", "-p", "no:schemathesis")
        which = "five and not on_the_number_of"  # these two play too many games for interpreted rules
        output = run_python(checkout, "-m", "pytest", *words, "-k", which, *tests, NUMBA_DISABLE_JIT="1")
        assert int(re.search(r"(\d+) passed", output)[1]) > 60
