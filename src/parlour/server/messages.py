"""What may be sent to the server, field by field; anything else is refused with a sentence about what is wrong."""

import json
import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

NAME_LENGTH = 30
_BIDIRECTIONAL = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_FORBIDDEN_KINDS = frozenset({"Cc", "Cs", "Co", "Zl", "Zp"})


class MessageError(Exception):
    """A message that cannot be understood; the text says what is wrong with it."""


def _clean_name(name: str) -> str:
    """A name on one line that cannot turn the words around it about."""
    name = " ".join(name.split())
    if any(letter in _BIDIRECTIONAL or unicodedata.category(letter) in _FORBIDDEN_KINDS for letter in name):
        raise ValueError("a name may not have control characters")
    if not any(unicodedata.category(letter)[0] in "LNSP" for letter in name):
        raise ValueError("a name needs a letter")
    return name


Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH), AfterValidator(_clean_name)]
Key = Annotated[str, Field(max_length=100)]
Action = Annotated[str, Field(max_length=200)]
Word = Annotated[str, Field(max_length=60)]
OptionValue = bool | Annotated[int, Field(ge=-(2**53), le=2**53)] | Word


class Message(BaseModel):
    """Types are taken as they are written, and unknown keys are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", hide_input_in_errors=True)


class Plan(Message):
    """What is to be played: game, players, options."""

    game: Word
    players: int = Field(ge=1, le=100)
    options: dict[Word, OptionValue] = Field(default_factory=dict, max_length=64)


class You(Message):
    """The seat of the one who asks."""

    kind: Literal["you"]
    name: Name


class BotSeat(Message):
    """A seat that a bot takes."""

    kind: Literal["bot"]
    bot: Word
    name: Name


class OpenSeat(Message):
    """A seat that somebody may take later."""

    kind: Literal["open"]


Seats = Annotated[list[Annotated[You | BotSeat | OpenSeat, Field(discriminator="kind")]], Field(max_length=100)]


class NewTable(Plan):
    """A table to be opened, seat by seat; one that is ``listed`` is shown to everyone while a seat is open."""

    seats: Seats
    listed: bool = False


class PlayOn(Message):
    """A table to be opened that begins with the first ``seen`` events of another."""

    seen: int = Field(ge=0)
    seats: Seats


class Try(Message):
    """What a learner does at a step of a lesson."""

    do: Action


class Link(Message):
    """An address to be drawn for another device."""

    address: str = Field(max_length=300, pattern=r"^https?://")


class TakeSeat(Message):
    """Somebody sits down."""

    seat: int
    name: Name


class Hello(Message):
    """The first message of a connection; no key means a spectator."""

    type: Literal["hello"]
    key: Key | None = None


class Do(Message):
    """An action, and how many events its player had seen."""

    type: Literal["do"]
    do: Action
    seen: int


class Why(Message):
    """The question why an action is not legal."""

    type: Literal["why"]
    do: Action


class Ping(Message):
    """Are you there?"""

    type: Literal["ping"]


_SPOKEN: TypeAdapter[Hello | Do | Why | Ping] = TypeAdapter(
    Annotated[Hello | Do | Why | Ping, Field(discriminator="type")]
)


def parse_message(text: str | None) -> Hello | Do | Why | Ping:
    """The message that a connection sent; ``None`` stands for a binary one. Raises :class:`MessageError`."""
    if text is None:
        raise MessageError("messages are JSON texts, not binary")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise MessageError("that is not JSON") from None
    if not isinstance(data, dict):
        raise MessageError("a message is a JSON object")
    try:
        return _SPOKEN.validate_python(data)
    except ValidationError as error:
        raise MessageError(what_is_wrong(error.errors(include_input=False, include_url=False))) from None


def what_is_wrong(errors: Any) -> str:
    """The first of Pydantic's complaints as a sentence, without the input (it may be a key)."""
    first = errors[0]
    kind, place = first["type"], _place_of(first["loc"])
    text: str = first["msg"].removeprefix("Value error, ")
    if kind in _SENTENCES:
        text = _SENTENCES[kind].format(**first.get("ctx", {}))
    if kind == "json_invalid":
        return text
    if place.startswith("options.") and kind.endswith("_type"):
        text = "must be true or false, a whole number or a text"
    return f"{place}: {text}" if place else text


def _place_of(steps: tuple[str | int, ...]) -> str:
    """The keys that lead to what is wrong, without what Pydantic adds: where it came from, and kinds tried."""
    keys = [_short(str(step)) for step in steps[1:]]
    if keys[:1] == ["seats"]:
        del keys[2:3]  # the kind of the seat
    return ".".join(keys[:2] if keys[:1] == ["options"] else keys)


_SENTENCES = {
    "json_invalid": "that is not JSON",
    "extra_forbidden": "unknown key",
    "missing": "is missing",
    "string_type": "must be a text",
    "string_unicode": "is not a text in Unicode",
    "string_too_short": "may not be empty",
    "string_too_long": "may not have more than {max_length} characters",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_attributes_type": "must be an object (sent as application/json)",
    "union_tag_not_found": "the key {discriminator} is missing",
    "union_tag_invalid": "unknown {discriminator}; it may be {expected_tags}",
}


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "…"
