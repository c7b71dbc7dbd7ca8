"""Compilation of a game's search on demand: bots and hints wait for it, and all viewers get the reason."""

import sys
from dataclasses import replace

import pytest

from parlour.bots import choose_at_random, find_bot
from parlour.server.table.bots import bot_turns, readiness
from tests.server.card_room import play_out

WAIT = "import pathlib, sys, time\nwhile not pathlib.Path(sys.argv[1]).exists(): time.sleep(0.05)"
"""Program that runs until the file named by its argument exists."""


@pytest.fixture
def cold(monkeypatch, tmp_path):
    """Return the path of a file and a list.

    No search is compiled until the file exists. The list receives the id of each game whose compilation begins.
    """
    mark, compilations = tmp_path / "ready", []

    def command(game):
        compilations.append(game)
        return [sys.executable, "-c", WAIT, str(mark)]

    monkeypatch.setattr(readiness, "is_ready", lambda game: mark.exists())
    monkeypatch.setattr(readiness, "command", command)
    return mark, compilations


@pytest.fixture
def bots(monkeypatch):
    """Let all bots choose at random, and return the ids of those that have chosen."""
    chosen = []

    def bot_of(name):
        def choose(observation):
            chosen.append(name)
            return choose_at_random(observation)

        return replace(find_bot(name), choose=choose)

    monkeypatch.setattr(bot_turns, "find_bot", bot_of)
    monkeypatch.setattr(bot_turns, "RULE_OF_THUMB", bot_of("thumb"))
    return chosen


def test_where_strength_counts_a_searching_bot_waits_and_all_viewers_get_the_reason(card_room, cold, bots):
    mark, compilations = cold
    table = card_room.open("master", "master", options={}, rated=True)
    with card_room.sit(table["table"]) as first, card_room.sit(table["table"]) as second:
        for spectator in (first, second):
            spectator.until_company(lambda company: company["readying"])
        other = card_room.open("master", "master", options={}, rated=True)
        with card_room.sit(other["table"]) as third:
            third.until_company(lambda company: company["readying"])
            mark.touch()
            third.until_company(lambda company: not company["readying"])
            third.until(lambda scene: scene["over"])
        for spectator in (first, second):
            spectator.until_company(lambda company: not company["readying"])
            spectator.until(lambda scene: scene["over"])
    assert compilations == ["trick-walls"]
    assert set(bots) == {"master"}


def test_elsewhere_it_plays_by_the_rule_of_thumb_meanwhile(card_room, cold, bots):
    mark, compilations = cold
    table = card_room.open("you", "master")
    with card_room.sit(table["table"], table["key"]) as ann:
        play_out(ann, until=lambda scene: bots)
        ann.until_company(lambda company: company["readying"])
        assert set(bots) == {"thumb"}
        mark.touch()
        ann.until_company(lambda company: not company["readying"])
        play_out(ann)
    assert compilations == ["trick-walls"]
    assert bots[-1] == "master"


def test_without_searching_bots_nothing_is_compiled(card_room, cold):
    assert card_room.works()
    assert cold[1] == []


def test_a_hint_waits_for_the_compilation(card_room, cold, monkeypatch):
    mark, compilations = cold
    monkeypatch.setattr("parlour.server.table.bots.hints.explain", lambda position: position)
    monkeypatch.setattr(
        "parlour.server.table.bots.hints.hint_message", lambda position, seen: {"type": "hint", "of": position.seat}
    )
    table = card_room.open("you", "thumb")
    with card_room.sit(table["table"], table["key"]) as ann:
        ann.until(lambda scene: scene["legal"])
        ann.say(type="hint")
        ann.until_company(lambda company: company["readying"])
        mark.touch()
        assert ann.hear_type("hint")["of"] == table["seat"]
        ann.until_company(lambda company: not company["readying"])
    assert compilations == ["trick-walls"]


def test_bots_think_even_if_the_compilation_fails(card_room, monkeypatch, bots):
    monkeypatch.setattr(readiness, "is_ready", lambda game: False)
    monkeypatch.setattr(readiness, "command", lambda game: ["false"])
    table = card_room.open("master", "master", options={}, rated=True)
    with card_room.sit(table["table"]) as spectator:
        spectator.until(lambda scene: scene["over"])
    assert set(bots) == {"master"}
