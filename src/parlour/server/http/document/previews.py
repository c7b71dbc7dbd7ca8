"""Previews of links: the title, the description and the picture that messengers show beside an address.

The preview of a table discloses its game only, which is public.
"""

from dataclasses import dataclass
from datetime import date
from html import escape

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from parlour.engine.game import Game
from parlour.games import files_named
from parlour.languages import gettext, pgettext
from parlour.languages.dates import long_date
from parlour.render.layouts import find_layout
from parlour.render.page_folder import PAGE
from parlour.server.http.document.page_files import PageFiles
from parlour.server.store.maintenance import DAY_SECONDS

_HOUSE = "Parlour"
_GENERAL = "parlour"
"""The name of the room's picture, for previews without a game."""
_SIZE = (1200, 630)
"""Width and height of a picture in pixels."""


@dataclass(frozen=True)
class Preview:
    """A preview. Without a ``description`` it has that of the room, without a ``game`` the room's picture."""

    title: str
    description: str = ""
    game: Game | None = None


def preview_of_daily() -> Preview:
    """Return the preview of the archive of daily deals."""
    words = gettext(
        "Each day one deal of each game, the same cards and luck for everyone. Nobody knows it before, everybody can "
        "check it after."
    )
    return Preview(gettext("The deals of the day"), words)


def preview_of_all_puzzles() -> Preview:
    """Return the preview of the list of games with puzzles."""
    words = gettext("One decision, one best action: find it. From games of strong bots, checked beyond doubt.")
    return Preview(pgettext("title", "Puzzles"), words)


def preview_of_puzzles(game: Game) -> Preview:
    """Return the preview of the puzzles of a game."""
    words = gettext("One decision, one best action: find it.")
    return Preview(gettext("Puzzles of {game}", game=game.title), f"{words} {_about(game)}", game)


def preview_of_day(day: date, game: Game) -> Preview:
    """Return the preview of the deals of a day, with the game of the day."""
    words = gettext("The game of the day: {game}.", game=game.title)
    return Preview(gettext("The deals of {day}", day=long_date(day)), f"{words} {_about(game)}", game)


def preview_of_game(game: Game) -> Preview:
    """Return the preview of the page on which a game is set up."""
    return Preview(game.title, _about(game), game)


def preview_of_lesson(game: Game, minutes: int) -> Preview:
    """Return the preview of a lesson; ``minutes`` is the lesson's duration."""
    words = gettext("A lesson of {minutes} minutes, card by card.", minutes=minutes)
    return Preview(gettext("Learn {game}", game=game.title), f"{words} {gettext(game.summary)}", game)


def _about(game: Game) -> str:
    return f"{gettext(game.summary)} {gettext(find_layout(game.id).unusual)}".strip()


def invitation(game: Game | None) -> Preview:
    """Return the preview of a table, whose game is ``None`` if it is not known here."""
    if game is None:
        return Preview(gettext("You are invited to a game of cards"))
    title = gettext("You are invited to a game of {game}", game=game.title)
    return _of_table(title, gettext("No account, nothing to install."), game)


def replay(game: Game | None) -> Preview:
    """Return the preview of a replay."""
    if game is None:
        return Preview(gettext("A game of cards"))
    return _of_table(gettext("A game of {game}", game=game.title), gettext("Watch it again, card by card."), game)


def review(game: Game | None) -> Preview:
    """Return the preview of a review."""
    if game is None:
        return Preview(gettext("A review of a game of cards"))
    title = gettext("A review of a game of {game}", game=game.title)
    return _of_table(title, gettext("What luck and skill decided, move by move."), game)


def _of_table(title: str, words: str, game: Game) -> Preview:
    return Preview(title, f"{words} {gettext(game.summary)}", game)


class PreviewPage:
    """The text of the page, with the preview of an address."""

    def __init__(self, page: PageFiles) -> None:
        self._page = page
        self._pictures = {_GENERAL: (PAGE / "img" / "preview.png").read_bytes(), **files_named("preview.png")}

    def picture(self, name: str) -> bytes:
        """Return the picture of a game or of the room, as PNG. Raises :class:`HTTPException` (404) if there is none."""
        if name not in self._pictures:
            raise HTTPException(404)
        return self._pictures[name]

    def text(self, request: Request, preview: Preview | None = None) -> str:
        """Return the page with a preview, by default that of the room.

        The picture has an absolute address, as messengers need it: the scheme and host name of the request, whose host
        name has been checked (:class:`parlour.server.http.access.admission.HostNames`).
        """
        game = preview.game.id if preview and preview.game and preview.game.id in self._pictures else _GENERAL
        address = f"{request.url.scheme}://{request.headers['host']}/previews/{game}.png"
        title = f"{preview.title} · {_HOUSE}" if preview else _HOUSE
        page = self._page.text().replace(f"<title>{_HOUSE}<", f"<title>{escape(title)}<")
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
        headers = {"Cache-Control": f"public, max-age={DAY_SECONDS}"}
        return Response(pages.picture(name), media_type="image/png", headers=headers)
