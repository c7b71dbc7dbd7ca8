"""The example bot plays whole games with nothing but the protocol."""

import ast
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from websockets.exceptions import InvalidStatus

from parlour.server.store.database import StoreError
from parlour.server.table.close_codes import Closing
from tests.server.card_room import PATIENCE

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


def run(*arguments):
    return subprocess.run([sys.executable, BOT, *arguments], capture_output=True, text=True, timeout=4 * PATIENCE)


def test_it_imports_nothing_of_parlour():
    tree = ast.parse(BOT.read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} - sys.stdlib_module_names == {"websockets"}


@pytest.mark.parametrize("game", ["three-tricks", "tricky-tribes"])
def test_it_plays_a_whole_game_against_the_rooms_bot(card_room, game):
    room = f"http://127.0.0.1:{card_room.port}"
    result = run(room, game)
    assert result.returncode == 0, result.stderr
    first, *lines = result.stdout.splitlines()
    table = card_room.http.get(first.rpartition("Look on at ")[2].replace("/table/", "/api/tables/")).json()
    assert table["over"]
    end = card_room.http.get(f"/api/tables/{table['table']}/replay?view=0&first={table['seen']}&number=1").json()
    assert [*end["scenes"][0]["log"], end["scenes"][0]["outcome"]] == lines[-len(end["scenes"][0]["log"]) - 1 :]
    assert "refused" not in result.stdout


def test_it_tries_an_action_again_that_the_server_could_not_store(card_room):
    append_all, refused = card_room.store.append_all, []

    def refuse_the_first(rows):
        if not refused and any(row["by"] == 0 for row, _ in rows):
            refused.append(rows)
            raise StoreError("the disk is full")
        append_all(rows)

    card_room.store.append_all = refuse_the_first
    result = run(f"http://127.0.0.1:{card_room.port}", "three-tricks")
    assert result.returncode == 0, result.stderr
    assert "refused: the table could not be saved: the disk is full" in result.stdout


def test_it_waits_for_a_server_that_refuses_connections_for_now(monkeypatch):
    bot = runpy.run_path(str(BOT))
    answers = [InvalidStatus(SimpleNamespace(status_code=status)) for status in (503, 429, 404)]

    def connect(address):
        raise answers.pop(0)

    bot["play"].__globals__.update(connect=connect, time=SimpleNamespace(sleep=lambda seconds: None))
    with pytest.raises(SystemExit, match="the server refuses this table: HTTP 404"):
        bot["play"]("http://127.0.0.1", {"table": "x", "key": "x"})
    assert answers == []


def test_two_of_them_play_with_one_another(card_room):
    table = card_room.open("open", "open")["table"]
    address = f"http://127.0.0.1:{card_room.port}/table/{table}"
    one = subprocess.Popen([sys.executable, BOT, address], stdout=subprocess.PIPE, text=True)
    other = run(address)
    assert other.returncode == one.wait(PATIENCE) == 0
    assert one.stdout.read().splitlines()[-1]
    assert run(address).returncode == 1  # no seat is open any more


def test_it_ends_with_every_code_after_which_a_client_does_not_connect_again():
    assert [code for code in Closing if code.again == "no"] == [*runpy.run_path(str(BOT))["FINAL"]]


def test_its_seat_is_lost_when_the_key_is_wrong(card_room):
    bot = runpy.run_path(str(BOT))
    with pytest.raises(SystemExit, match="does not fit"):
        bot["play"](f"http://127.0.0.1:{card_room.port}", {"table": card_room.open("you", "open")["table"], "key": "x"})
