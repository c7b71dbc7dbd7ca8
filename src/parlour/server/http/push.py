"""Subscriptions to notices for closed pages over HTTP."""

from typing import Annotated

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from parlour.languages import current_language
from parlour.server.http.access.admission import address_of_client, network_of_client
from parlour.server.http.access.limits import Limits
from parlour.server.store.people.subscriptions import Subscription
from parlour.server.table.fields import Key, StrictModel
from parlour.server.table.rooms import Rooms

Endpoint = Annotated[str, Field(max_length=1000)]
"""The address of a browser at its push service."""


class EndpointBody(StrictModel):
    """The address of a browser whose subscriptions are removed, and the only table concerned, if any."""

    endpoint: Endpoint
    table: str | None = Field(default=None, max_length=40)


class BrowserKeysBody(StrictModel):
    """The keys of a browser in base64url."""

    p256dh: str = Field(max_length=100, pattern=r"^[A-Za-z0-9_-]+=*$")
    auth: str = Field(max_length=30, pattern=r"^[A-Za-z0-9_-]+=*$")


class SubscriptionBody(StrictModel):
    """The key of a seat, and the subscription of a browser to notices about it."""

    key: Key
    endpoint: Endpoint
    keys: BrowserKeysBody


def add_push(app: FastAPI, rooms: Rooms, limits: Limits) -> None:
    """Add the requests for notices to closed pages."""

    @app.get("/api/push")
    async def push_key() -> JSONResponse:
        """`{"key": "BPcM…"}`: the key by which a browser subscribes (`applicationServerKey`); null if the room sends no
        notices to closed pages.
        """
        return JSONResponse({"key": await rooms.push.public_key()})

    @app.post("/api/tables/{table_id}/push")
    async def subscribe(request: Request, table_id: str, body: SubscriptionBody) -> JSONResponse:
        """`{"table", "seat"}` for `{"key", "endpoint", "keys": {"p256dh", "auth"}}`: the browser receives notices about
        the seat with this `key` in the language of the request ([below](#notices-to-closed-pages)); the same for a
        repeated request. 404 if the room sends none, 409 if the key opens no seat, 422 for other addresses than those
        of known push services.
        """
        limits.take("replays", address_of_client(request.scope))
        browser = Subscription(body.endpoint, body.keys.p256dh, body.keys.auth, current_language())
        async with rooms.use(table_id, network_of_client(request.scope)) as room:
            return JSONResponse({"table": table_id, "seat": await rooms.push.subscribe(room.state, body.key, browser)})

    @app.delete("/api/push")
    async def unsubscribe(request: Request, body: EndpointBody) -> JSONResponse:
        """`{"removed": 3}` for `{"endpoint"}`: all subscriptions of this browser are removed, or with a `table` only
        those to notices about it.
        """
        limits.take("replays", address_of_client(request.scope))
        return JSONResponse({"removed": await rooms.push.unsubscribe(body.endpoint, body.table)})
