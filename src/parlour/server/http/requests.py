"""The input of clients, checked key by key: the messages of a connection, and bodies of several HTTP requests.

The bodies of other requests are defined beside these requests or with the tables. The sentences on wrong input name the
key and never repeat the value, which may be a key of a seat.
"""

import json
import re
import secrets
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import Header
from pydantic import Field, TypeAdapter, ValidationError

from parlour.languages import deferred, gettext
from parlour.server.table.commands import Command
from parlour.server.table.fields import Action, Key, Name, OwnKey, Seen, StrictModel, Tokens
from parlour.server.table.people.keys import new_key
from parlour.server.table.people.seat_requests import SeatApplication

Bearer = Annotated[str, Header(alias="authorization")]
"""The header `Authorization: Bearer KEY`."""


def key_in(authorization: str) -> str | None:
    """Return the key in the header `Authorization`, if any; the name of the scheme has no case (RFC 9110, 11.1)."""
    scheme, _, key = authorization.partition(" ")
    return key.strip() or None if scheme.lower() == "bearer" else None


class MessageSubject(NamedTuple):
    """The part of a message that its refusal repeats: its action, or its id if it is a chat message; else empty."""

    action: str = ""
    chat_id: str = ""


NO_SUBJECT = MessageSubject()
_SURROGATE = re.compile("[\ud800-\udfff]")
"""A half of a character, which JSON may escape, but UTF-8 cannot hold."""


def subject_of(message: Mapping[str, Any]) -> MessageSubject:
    """Return the subject of a message, which may be invalid."""

    def text(key: str, kind: str) -> str:
        found = message.get(key) if message.get("type") == kind else None
        return found if isinstance(found, str) and not _SURROGATE.search(found) else ""

    return MessageSubject(text("do", "act"), text("id", "say"))


class MessageError(Exception):
    """A message that the server does not understand; the text gives the reason.

    Attributes:
        subject: the subject of the message.
    """

    def __init__(self, reason: str, subject: MessageSubject = NO_SUBJECT) -> None:
        super().__init__(reason)
        self.subject = subject


class LessonBody(StrictModel):
    """A learner's action at a step of a lesson."""

    do: Action


class SelectionBody(StrictModel):
    """A selection on the table of a lesson or a puzzle."""

    tokens: Tokens


class LinkBody(StrictModel):
    """An address to be drawn as a QR code."""

    address: str = Field(max_length=300, pattern=r"^https?://[!-~]+$")


class SeatBody(StrictModel):
    """An application for a seat; the client can repeat it if it has chosen the ``key``."""

    seat: int
    name: Name
    key: OwnKey | None = None

    def application(self) -> SeatApplication:
        """Return the application with the client's own key, or with a new one."""
        key = self.key or new_key()
        return SeatApplication(self.seat, self.name, key, self.key is not None, secrets.token_hex(8))


class NamedPlayerBody(StrictModel):
    """A player of a daily deal or a club night: the name, and the player's own key, the same on all days."""

    name: Name
    key: OwnKey


class DailyBody(NamedPlayerBody):
    """A player who plays a deal of a day; with `counts` only if the result counts."""

    counts: bool = False


class PlayerBody(StrictModel):
    """A seat to be linked with a player: the key of the seat, and that of the player."""

    key: Key
    player: OwnKey


class RematchBody(StrictModel):
    """The key of the person who proposes a rematch."""

    key: Key


class Hello(StrictModel):
    """The first message of a connection, within ten seconds; without a `key` the client is a spectator. `seen` is the
    number of events that the client has shown before: if there are no further log lines, the log is not sent again.
    `name` is the name of an onlooker, which only the players see. Answered by `table`, `scenes` with the log, `said` if
    there are chat messages, `company`, and to players `onlookers`.
    """

    type: Literal["hello"] = "hello"
    key: Key | None = None
    seen: Seen | None = None
    name: Name | None = None


class Ping(StrictModel):
    """A sign of life. Answered by `pong`."""

    type: Literal["ping"] = "ping"


ClientMessage = Hello | Command | Ping
_CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(Annotated[ClientMessage, Field(discriminator="type")])


def parse_message(text: str | None) -> ClientMessage:
    """Return the message that a connection sent; ``None`` stands for a binary one. Raises :class:`MessageError`."""
    if text is None:
        raise MessageError(gettext("messages are JSON texts, not binary"))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise MessageError(gettext("that is not JSON")) from None
    if not isinstance(data, dict):
        raise MessageError(gettext("a message is a JSON object"))
    try:
        return _CLIENT_MESSAGE.validate_python(data)
    except ValidationError as error:
        sentence = error_sentence(error.errors(include_input=False, include_url=False))
        raise MessageError(sentence, subject_of(data)) from None


def error_sentence(errors: Any) -> str:
    """Return the first of Pydantic's errors as a sentence, without the input."""
    first = errors[0]
    kind, path = first["type"], _path_of(first["loc"])
    text: str = first["msg"].removeprefix("Value error, ")
    if kind == "string_too_short" and first["ctx"]["min_length"] > 1:
        text = gettext("must have at least {min_length} characters", **first["ctx"])
    elif kind == "missing" and not path:
        text = gettext("the body of the request is missing")
    elif kind in _SENTENCES:
        text = gettext(_SENTENCES[kind], **first.get("ctx", {}))
    if kind == "json_invalid":
        return text
    if path.startswith("options.") and kind.endswith("_type"):
        text = gettext("must be true or false, a whole number or a text")
    return f"{path}: {text}" if path else text


def _path_of(steps: tuple[str | int, ...]) -> str:
    """Return the path of keys to an error, without Pydantic's additions: the source, and the members of unions."""
    keys = [_short(str(step)) for step in steps[1:]]
    if keys[:1] == ["seats"]:
        del keys[2:3]  # the kind of the seat
    return ".".join(keys[:2] if keys[:1] == ["options"] else keys)


_SENTENCES = {
    "json_invalid": deferred("that is not JSON"),
    "extra_forbidden": deferred("unknown key"),
    "missing": deferred("is missing"),
    "string_type": deferred("must be a text"),
    "string_unicode": deferred("is not a text in Unicode"),
    "string_too_short": deferred("may not be empty"),
    "string_too_long": deferred("may not have more than {max_length} characters"),
    "string_pattern_mismatch": deferred("does not have the form that it must have"),
    "int_type": deferred("must be a whole number"),
    "int_from_float": deferred("must be a whole number"),
    "int_parsing": deferred("must be a whole number"),
    "int_parsing_size": deferred("is too large"),
    "greater_than_equal": deferred("must be {ge} or more"),
    "less_than_equal": deferred("must be {le} or less"),
    "bool_type": deferred("must be true or false"),
    "literal_error": deferred("may be {expected}"),
    "list_type": deferred("must be a list"),
    "too_long": deferred("may not have more than {max_length} entries"),
    "dict_type": deferred("must be an object"),
    "model_attributes_type": deferred("must be an object (sent as application/json)"),
    "union_tag_not_found": deferred("the key {discriminator} is missing"),
    "union_tag_invalid": deferred("unknown {discriminator}; it may be {expected_tags}"),
}


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "…"
