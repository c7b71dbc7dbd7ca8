"""Requests for games, their rules and their lessons."""

from dataclasses import asdict

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response

from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.languages.markdown import translate_markdown
from parlour.render.layouts import guide_of
from parlour.render.lesson import outline
from parlour.server.http.catalogue import catalogue, markdown_html, primer, rules_html
from parlour.server.http.document.offline import lesson_step
from parlour.server.http.path_games import PathGame
from parlour.server.http.requests import LessonBody, SelectionBody
from parlour.server.http.showcase import showcase
from parlour.server.table.table_setup import TablePlan


def add_games(app: FastAPI) -> None:
    """Add the requests for games and for their lessons."""
    _add_catalogue(app)
    _add_lessons(app)


def _add_catalogue(app: FastAPI) -> None:
    @app.get("/api/games")
    def games() -> JSONResponse:
        """`{"games": […], "bots": [{"id", "title", "description", "study"}], "usual_bot": "casual"}`: the games with
        their options, and the bots (`study`: for study rather than play). An option has a `title`, `titles` of values,
        and `limits` if the range of a number depends on the number of players.
        """
        return JSONResponse(catalogue())

    @app.get("/api/games/{game_id}/rules")
    def rules(game: PathGame) -> JSONResponse:
        """`{"html": "…"}`; each clause in it is a `<span data-clause="…">`."""
        return JSONResponse({"html": rules_html(game.id)})

    @app.get("/api/games/{game_id}/primer")
    def game_primer(game: PathGame) -> JSONResponse:
        """`{"title", "short", "lesson", "terms": [{"word", "means", "clause"}]}`: the game in short (HTML), how many
        minutes its lesson takes (or null), and its terms.
        """
        return JSONResponse(primer(game.id), headers={"Cache-Control": "max-age=3600"})

    @app.get("/api/games/{game_id}/show")
    def show(game: PathGame) -> Response:
        """`{"scenes": […]}`: some scenes of a game between bots, as a spectator sees them, with the keys that a picture
        needs (`areas`, `legal`, `choices`, `seat`, `rest`, `sides`).
        """
        text = f'{{"scenes": {showcase(game)}}}'
        return Response(text, media_type="application/json", headers={"Cache-Control": "max-age=3600"})

    @app.post("/api/check")
    def check(plan: TablePlan) -> JSONResponse:
        """`{"options": {…all…}, "advice": ["…"]}`, or 422 if the options are not valid."""
        game = find_game(plan.game)
        options = dict(Setup(game, plan.players, dict(plan.options)).options)
        return JSONResponse({"options": options, "advice": game.advice(plan.players, options)})


def _add_lessons(app: FastAPI) -> None:
    @app.get("/api/games/{game_id}/lesson")
    def lesson(game: PathGame) -> JSONResponse:
        """`{"game", "title", "minutes", "hands": [{"title", "steps": 14}]}`; 404 if the game has no lesson."""
        return JSONResponse({"game": game.title, **outline(guide_of(game.id).lesson)})

    @app.get("/api/games/{game_id}/lesson/{hand}/{step}")
    def step(game: PathGame, hand: int, step: int) -> JSONResponse:
        """`{"scenes", "say", "do"}`: the scenes, the explanation (HTML), and the learner's action (empty: none)."""
        return JSONResponse(lesson_step(game, hand, step))

    @app.post("/api/games/{game_id}/lesson/{hand}/{step}")
    def answer(game: PathGame, hand: int, step: int, tried: LessonBody) -> JSONResponse:
        """With `{"do": "7H"}`: `{"kind": "done"}`, `{"kind": "refused", "reason", "clause"}`, or for another legal
        action `{"kind": "other", "scene", "say"}`.
        """
        guide = guide_of(game.id)
        result = guide.answer(hand, step, tried.do)
        if result.refusal:
            return JSONResponse({"kind": "refused", **asdict(result.refusal)})
        if result.scene is None:
            return JSONResponse({"kind": "done"})
        say = markdown_html(translate_markdown(guide.step(hand, step).other), game)
        return JSONResponse({"kind": "other", "scene": result.scene.to_json(), "say": say})

    @app.post("/api/games/{game_id}/lesson/{hand}/{step}/why")
    def why(game: PathGame, hand: int, step: int, selection: SelectionBody) -> JSONResponse:
        """`{"reasons": [{"reason", "clause"}]}` for `{"tokens": ["8H", "pile-3"]}`: why this selection on the table is
        not legal.
        """
        reasons = guide_of(game.id).reasons_against(hand, step, selection.tokens)
        return JSONResponse({"reasons": [asdict(each) for each in reasons]})
