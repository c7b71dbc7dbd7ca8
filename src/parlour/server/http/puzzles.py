"""Puzzles over HTTP: the puzzles of the games, one of them as its seat sees it, and the verdict on a try."""

import asyncio
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from parlour.engine.game import Game
from parlour.games import find_game
from parlour.languages import CacheByLanguage, gettext
from parlour.puzzles.exercise import exercise_of, reasons_against_selection
from parlour.puzzles.puzzle import Puzzle, PuzzleError
from parlour.puzzles.puzzle_file import PuzzleSet, games_with_puzzles, shipped_puzzles
from parlour.puzzles.standing import PuzzleStanding
from parlour.puzzles.themes import theme_title
from parlour.puzzles.verdict import Verdict, verdict_of
from parlour.server.http.access.admission import address_of_client
from parlour.server.http.access.limits import Limits
from parlour.server.http.path_games import PathGame
from parlour.server.http.requests import SelectionBody
from parlour.server.table.fields import Action, StrictModel
from parlour.server.table.messages import to_text


class NoPuzzleError(PuzzleError):
    """There is no such puzzle."""


Count = Annotated[int, Field(ge=0, le=10**9)]


class StandingBody(StrictModel):
    """A player's standing in the puzzles of a game, as an earlier answer returned it."""

    rating: float
    deviation: float
    volatility: float
    tried: Count
    solved: Count
    streak: Count
    longest: Count


class TryBody(StrictModel):
    """A try: the action, whether it counts, and the player's standing (null for a player without results)."""

    do: Action
    counts: bool = True
    standing: StandingBody | None = None


def add_puzzles(app: FastAPI, limits: Limits) -> None:
    """Add the requests of puzzles."""

    @app.get("/api/puzzles")
    def games() -> JSONResponse:
        """`{"games": [{"game", "title", "puzzles": 200, "themes": {"lead": 31}}]}`: the games that have puzzles."""
        return JSONResponse({"games": [_outline(each) for each in games_with_puzzles()]})

    @app.get("/api/puzzles/{game_id}")
    def puzzles(game: PathGame) -> JSONResponse:
        """`{"game", "title", "themes": {"lead": "lead"}, "puzzles": [{"id", "rating", "themes"}]}`: all puzzles of a
        game, and the titles of their themes; 404 if it has none. The client chooses the next one.
        """
        of_game = _puzzles_of(game)
        listed = [{"id": each.id, "rating": each.rating, "themes": each.themes} for each in of_game.puzzles]
        themes = {theme: theme_title(theme, game.id) for each in of_game.puzzles for theme in each.themes}
        return JSONResponse({"game": game.id, "title": game.title, "themes": themes, "puzzles": listed})

    @app.get("/api/puzzles/{game_id}/{puzzle_id}")
    def puzzle(game: PathGame, puzzle_id: str) -> Response:
        """`{"id", "scene", "log": […]}`: a puzzle as its seat sees it, with the log lines of the last events; nothing
        of the answer.
        """
        return Response(_exercise_text(game.id, puzzle_id), media_type="application/json")

    @app.post("/api/puzzles/{game_id}/{puzzle_id}")
    async def judge(request: Request, game: PathGame, puzzle_id: str, tried: TryBody) -> JSONResponse:
        """With `{"do": "7H", "standing"}`: `{"right", "do", "best", "words", "actions": [{"do", "phrase", "win",
        "percent", "less", "tried"}], "others", "rating", "themes", "levels": {"beginner": 12}, "exact", "standing"}`:
        the best action, what others cost, and the player's `standing` afterwards (`rating` by Glicko-2, `deviation`,
        `volatility`, `tried`, `solved`, `streak`, `longest`), which is null if the try does not count. 422 with
        `{"error", "clause"}` if the action is not legal; this is no try.
        """
        limits.take("replays", address_of_client(request.scope))
        return await asyncio.to_thread(_answer_to, game, puzzle_id, tried)

    @app.post("/api/puzzles/{game_id}/{puzzle_id}/why")
    async def why(request: Request, game: PathGame, puzzle_id: str, selection: SelectionBody) -> JSONResponse:
        """`{"reasons": [{"reason", "clause"}]}` for `{"tokens": ["8H", "pile-3"]}`: why this selection on the table is
        not legal.
        """
        limits.take("replays", address_of_client(request.scope))
        reasons = await asyncio.to_thread(reasons_against_selection, _find_puzzle(game, puzzle_id), selection.tokens)
        return JSONResponse({"reasons": [asdict(each) for each in reasons]})


def _answer_to(game: Game, puzzle_id: str, tried: TryBody) -> JSONResponse:
    """Return the answer to a try. Raises :class:`NoPuzzleError`."""
    puzzle = _find_puzzle(game, puzzle_id)
    before = PuzzleStanding.from_json(tried.standing.model_dump()) if tried.standing else PuzzleStanding()
    action = puzzle.match().complete_action(tried.do)
    if puzzle.value_of(action) is None:
        refusal = puzzle.match().refusal(action)
        return JSONResponse({"error": refusal.reason, "clause": refusal.clause}, 422)
    verdict = verdict_of(puzzle, action)
    after = before.after(puzzle, verdict.right).to_json() if tried.counts else None
    about = {"rating": puzzle.rating, "themes": puzzle.themes, "levels": puzzle.levels, "exact": puzzle.exact}
    return JSONResponse({**_verdict_json(verdict), **about, "standing": after})


def _outline(of_game: PuzzleSet) -> dict[str, Any]:
    game, themes = of_game.setup.game, dict[str, int]()
    for puzzle in of_game.puzzles:
        for theme in puzzle.themes:
            themes[theme] = themes.get(theme, 0) + 1
    return {"game": game.id, "title": game.title, "puzzles": len(of_game.puzzles), "themes": themes}


def _puzzles_of(game: Game) -> PuzzleSet:
    """Return the puzzles of a game. Raises :class:`NoPuzzleError`."""
    found = shipped_puzzles(game.id)
    if found is None or not found.puzzles:
        raise NoPuzzleError(gettext("{game} has no puzzles yet", game=game.title))
    return found


def _find_puzzle(game: Game, puzzle_id: str) -> Puzzle:
    """Return a puzzle. Raises :class:`NoPuzzleError`, which does not repeat a wrong id."""
    found = next((each for each in _puzzles_of(game).puzzles if each.id == puzzle_id), None)
    if found is None:
        raise NoPuzzleError(gettext("there is no such puzzle"))
    return found


@CacheByLanguage
def _exercise_text(game_id: str, puzzle_id: str) -> str:
    """Return a puzzle as sent before the try; each game has a few hundred. Raises :class:`NoPuzzleError`."""
    puzzle = _find_puzzle(find_game(game_id), puzzle_id)
    exercise = exercise_of(puzzle)
    return to_text({"id": puzzle.id, "scene": exercise.scene.to_json(), "log": exercise.log})


def _verdict_json(verdict: Verdict) -> dict[str, Any]:
    values = asdict(verdict)
    for action, values_of_action in zip(verdict.actions, values["actions"], strict=True):
        values_of_action["win"] = action.win.to_json()
    return values
