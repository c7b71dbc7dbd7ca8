"""Sentences of the tables of all games, in random games."""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.games import all_games
from parlour.render.layouts import find_layout, rules_text
from parlour.render.scene import Scene
from tests.helpers import play_at_random

GAMES = all_games()
NAMES = ("Zoe", "Bo", "Cy", "Di", "Ed", "Fay")
OF_OTHERS = re.compile(r"\byou (?!pass\b)(has|is|was|does|\w+s)\b", re.IGNORECASE)
DOES = re.compile(r"(?!slots?\b|cards?\b)(has|is|was|does|[a-z]+s)\b")


@cache
def scenes_of(game: Game, seat: int) -> tuple[Scene, ...]:
    """Return a seat's scenes of a game with the fewest players and of one with the most."""
    return tuple(scene for players in {game.players[0], game.players[-1]} for scene in _scenes(game, players, seat))


def _scenes(game: Game, players: int, seat: int) -> Iterator[Scene]:
    short = {option.name: 2 for option in game.options if option.name == "rounds"}
    match, before = Match(Setup(game, players, short)), None
    for _ in play_at_random(match, players):
        observation = match.observation(seat)
        yield find_layout(game.id).lay_out(observation, NAMES[:players], before)
        before = observation


def sentences(scene: Scene) -> list[str]:
    return [line for line in (*scene.log, scene.prompt, scene.pause, scene.outcome) if line]


def chips(scene: Scene) -> list[str]:
    return [note for area in scene.areas if area.seat == scene.seat for note in area.notes]


@pytest.fixture(params=GAMES, ids=lambda game: game.id)
def game(request):
    return request.param


def test_the_viewer_is_addressed_in_the_second_person(game):
    for scene in scenes_of(game, 0):
        wrong = [text for text in sentences(scene) if OF_OTHERS.search(text)]
        wrong += [note for note in chips(scene) if DOES.match(note)]
        assert wrong == []


def test_the_viewer_is_called_you(game):
    for scene in scenes_of(game, 0):
        assert NAMES[0] not in str(scene.to_json())


def test_other_seats_are_called_by_name(game):
    assert any(NAMES[0] in str(scene.to_json()) for scene in scenes_of(game, SPECTATOR))


def test_every_sentence_has_a_capital_and_a_full_stop(game):
    for scene in (*scenes_of(game, 0), *scenes_of(game, SPECTATOR)):
        assert [text for text in sentences(scene) if not re.fullmatch(r"[A-Z0-9].*[.!]", text)] == []


def test_the_outcome_addresses_the_viewer_or_is_a_draw(game):
    for seat in range(2):
        scene = scenes_of(game, seat)[-1]
        assert scene.over
        assert re.search(r"\b[Yy]ou\b|draw", scene.outcome), scene.outcome


def test_each_explained_term_is_used_and_has_a_clause(game):
    said = "\n".join(
        text.lower()
        for scene in (*scenes_of(game, 0), *scenes_of(game, 1))
        for text in (*sentences(scene), *(line.what for line in scene.score), *(area.title for area in scene.areas))
    )
    for term in find_layout(game.id).terms:
        assert re.search(rf"\b{term.word}s?\b", said), f"no sentence uses {term.word!r}"
        assert term.clause in rules_text(game.id)


def test_every_option_has_a_title(game):
    for option in game.options:
        assert option.title, option.name
        assert all(value in option.values for value in option.titles)
    assert not any("_" in option.title_text() for option in game.options)


def test_a_number_between_two_sides_names_the_side():
    [walls] = [game for game in GAMES if game.id == "trick-walls"]
    scene = next(scene for scene in scenes_of(walls, 1) if scene.pause)
    areas = [area for area in scene.areas if area.points]
    lead = sum(area.points if area.points_for == "red" else -area.points for area in areas)
    assert areas
    assert {area.points_for for area in areas} <= {"red", "black"}
    assert all(area.points > 0 for area in areas)
    assert {standing.side: standing.now - standing.before for standing in scene.standings} == {
        "red": lead,
        "black": -lead,
    }
    for line in scene.score:
        assert line.points >= 0
        assert bool(line.side) == bool(line.points)
