"""Previews of links: the title, the description and the picture that messengers show beside an address.

The preview of a table discloses its game only, which is public.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from html import escape

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from parlour.engine.game import Game
from parlour.games import files_named
from parlour.render.layouts import find_layout
from parlour.server.http.page_files import PAGE

_HOUSE = "Parlour"
_GENERAL = "parlour"
_DAY_SECONDS = 86_400
_SIZE = (1200, 630)
"""Width and height of a picture in pixels."""


@dataclass(frozen=True)
class Preview:
    """A preview. Without a ``description`` it has that of the room, without a ``game`` the room's picture."""

    title: str
    description: str = ""
    game: Game | None = None


DAILY = Preview(
    "The deals of the day",
    "Each day one deal of each game, the same cards and luck for everyone. Nobody knows it before, everybody can "
    "check it after.",
)

PUZZLES = Preview("Puzzles", "One decision, one best action: find it. From games of strong bots, checked beyond doubt.")


def preview_of_puzzles(game: Game) -> Preview:
    """Return the preview of the puzzles of a game."""
    return Preview(f"Puzzles of {game.title}", f"One decision, one best action: find it. {_about(game)}", game)


def preview_of_day(day: date, game: Game) -> Preview:
    """Return the preview of the deals of a day, with the game of the day."""
    return Preview(f"The deals of {day.day} {day:%B %Y}", f"The game of the day: {game.title}. {_about(game)}", game)


def preview_of_game(game: Game) -> Preview:
    """Return the preview of the page on which a game is set up."""
    return Preview(game.title, _about(game), game)


def preview_of_lesson(game: Game, minutes: int) -> Preview:
    """Return the preview of a lesson; ``minutes`` is the lesson's duration."""
    return Preview(f"Learn {game.title}", f"A lesson of {minutes} minutes, card by card. {game.summary}", game)


def _about(game: Game) -> str:
    return f"{game.summary} {find_layout(game.id).unusual}".strip()


def _table_preview(title: str, other: str, words: str) -> Callable[[Game | None], Preview]:
    def preview(game: Game | None) -> Preview:
        return Preview(title.format(game.title), f"{words} {game.summary}", game) if game else Preview(other)

    return preview


invitation = _table_preview(
    "You are invited to a game of {}", "You are invited to a game of cards", "No account, nothing to install."
)
replay = _table_preview("A game of {}", "A game of cards", "Watch it again, card by card.")
review = _table_preview(
    "A review of a game of {}", "A review of a game of cards", "What luck and skill decided, move by move."
)


class PreviewPage:
    """The text of the page, with the preview of an address."""

    def __init__(self, page: str) -> None:
        self._page = page
        self._pictures = {_GENERAL: (PAGE / "img" / "preview.png").read_bytes(), **files_named("preview.png")}

    def picture(self, name: str) -> bytes:
        """Return the picture of a game, as PNG; an :class:`HTTPException` if there is none."""
        if name not in self._pictures:
            raise HTTPException(404)
        return self._pictures[name]

    def text(self, request: Request, preview: Preview | None = None) -> str:
        """Return the page with a preview, by default that of the room.

        The picture has an absolute address, as messengers need it: the scheme and host name of the request, whose host
        name has been checked (:class:`parlour.server.http.access.admission.Names`).
        """
        game = preview.game.id if preview and preview.game and preview.game.id in self._pictures else _GENERAL
        address = f"{request.url.scheme}://{request.headers['host']}/previews/{game}.png"
        title = f"{preview.title} · {_HOUSE}" if preview else _HOUSE
        page = self._page.replace(f"<title>{_HOUSE}<", f"<title>{escape(title)}<")
        page = page.replace(f'og:title" content="{_HOUSE}"', f'og:title" content="{escape(title)}"')
        if preview and preview.description:
            page = page.replace(_description_in(page), escape(preview.description))
        return page.replace("</head>", f"{_picture_tags(address, title)}</head>")


def _description_in(page: str) -> str:
    return page.partition('name="description" content="')[2].partition('"')[0]


def _picture_tags(address: str, title: str) -> str:
    names = {"image": address, "image:width": _SIZE[0], "image:height": _SIZE[1], "image:alt": title}
    tags = [f'<meta property="og:{name}" content="{escape(str(value))}">\n' for name, value in names.items()]
    return "".join([*tags, '<meta name="twitter:card" content="summary_large_image">\n'])


def add_previews(app: FastAPI, pages: PreviewPage) -> None:
    """Add the pictures of previews. Their addresses do not change, since messengers keep them."""

    @app.get("/previews/{name}.png", include_in_schema=False)
    def picture(name: str) -> Response:
        headers = {"Cache-Control": f"public, max-age={_DAY_SECONDS}"}
        return Response(pages.picture(name), media_type="image/png", headers=headers)
