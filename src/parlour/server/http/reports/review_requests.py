"""The request for the review of a finished game."""

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from parlour.languages import gettext
from parlour.server.http.access.admission import network_of_client
from parlour.server.http.players import finding_of
from parlour.server.http.reports.review_language import in_reader_language
from parlour.server.http.reports.reviews import POLL_SECONDS, Progress, Reviews
from parlour.server.table.replays import reviewed_record
from parlour.server.table.rooms import Rooms


def add_reviews(app: FastAPI, rooms: Rooms, reviews: Reviews) -> None:
    """Add the request for a review."""

    @app.get("/api/tables/{table_id}/review")
    async def review(request: Request, table_id: str) -> Response:
        """A review of a finished game ([The lab](lab.md) defines every number), which the first request begins. Until
        it is complete, 202 with `share`, the finished share of the work (null before the beginning), the `seconds` left
        (null while unknown), `waits`, whether another review comes first, and `review`, the people's courses so far:
        rough curves, then decisions, without sums. 409 during the game, in a daily deal until its day is closed, in a
        club night until its round is over, after a resignation that ended the game, and if the game has more than 1,000
        events. `texts` has the sentences and rounded numbers, those about a seat in two forms: for its player and for
        others. `reruns` are null at first and come later.
        """
        client = network_of_client(request.scope)
        async with rooms.use(table_id, client) as room:
            record = reviewed_record(room.state)
            people = [number for number, seat in room.state.seats.items() if seat.bot is None]
        found = await reviews.find(table_id, record, people, room.state.host)
        if not isinstance(found, Progress):
            await rooms.players.keep_review(room.state, found, finding_of)
            text = await rooms.services.compute(client, in_reader_language, found)
            return Response(text, media_type="application/json")
        if found.failed:
            return JSONResponse({"error": gettext("the review could not be computed")}, 500)
        so_far = await rooms.services.compute(client, found.to_text)
        return Response(so_far, 202, {"Retry-After": str(POLL_SECONDS)}, "application/json")
