"""What may be sent to the server, field by field; anything else is refused with a sentence about what is wrong."""

import json
import secrets
import unicodedata
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

NAME_LENGTH = 30
_BIDIRECTIONAL = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_FORBIDDEN_KINDS = frozenset({"Cc", "Cs", "Co", "Zl", "Zp"})


class MessageError(Exception):
    """A message that cannot be understood; the text says what is wrong with it."""


def _clean_words(words: str) -> str:
    """Words on one line that cannot turn those around them about."""
    words = " ".join(words.split())
    if any(letter in _BIDIRECTIONAL or unicodedata.category(letter) in _FORBIDDEN_KINDS for letter in words):
        raise ValueError("may not have control characters")
    return words


def _clean_name(name: str) -> str:
    """Such words with a letter in them."""
    name = _clean_words(name)
    if not any(unicodedata.category(letter)[0] in "LNSP" for letter in name):
        raise ValueError("a name needs a letter")
    return name


Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH), AfterValidator(_clean_name)]
Key = Annotated[str, Field(max_length=100)]
OwnKey = Annotated[str, Field(min_length=22, max_length=100, pattern=r"^[A-Za-z0-9_-]+$")]
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


class Clock(Message):
    """How long a seat may think: seconds to begin with, and so many more for each action."""

    seconds: int = Field(ge=10, le=24 * 3600)
    increment: int = Field(default=0, ge=0, le=600)


class Manners(Message):
    """How people sit at a table, whatever is played there.

    ``patience`` is the time in seconds after which a bot plays for somebody who has gone while others wait; ``None``
    means that they wait. With ``hints`` everyone may take hints, and all are told of each; who is alone with bots may
    always. With ``take_over`` somebody may take a bot's seat while the game runs, if everyone there agrees.
    """

    clock: Clock | None = None
    patience: int | None = Field(default=120, ge=5, le=24 * 3600)
    talk: Literal["none", "signs", "words"] = "words"
    hints: bool = False
    take_over: bool = False


class Seating(Message):
    """Who is to sit at a table, seat by seat, and how.

    With a ``key`` of the client's making, which is that of its own seat, the same request opens one table however often
    it is sent.
    """

    seats: Seats
    manners: Manners = Field(default_factory=Manners)
    key: OwnKey | None = None


class NewTable(Plan, Seating):
    """A table to be opened; one that is ``listed`` is shown to everyone while a seat is open.

    Nobody talks at a listed table, where anyone may sit down, unless it is asked for.
    """

    listed: bool = False

    @model_validator(mode="after")
    def _strangers_do_not_talk(self) -> Self:
        if self.listed and "talk" not in self.manners.model_fields_set:
            self.manners = self.manners.model_copy(update={"talk": "none"})
        return self


class PlayOn(Seating):
    """A table to be opened that begins with the first ``seen`` events of another."""

    seen: int = Field(ge=0)


class Try(Message):
    """What a learner does at a step of a lesson."""

    do: Action


class Link(Message):
    """An address to be drawn for another device."""

    address: str = Field(max_length=300, pattern=r"^https?://")


class TakeSeat(Message):
    """Somebody sits down, perhaps with a key of the client's making, so that it can be asked again."""

    seat: int
    name: Name
    key: OwnKey | None = None


class Rematch(Message):
    """Another game at a table like this one."""

    key: Key


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
    """The question why an action is not legal, or why what was chosen on the table is none."""

    type: Literal["why"]
    do: Action = ""
    tokens: list[Word] = Field(default_factory=list, max_length=16)


class AsText(Message):
    """The wish to have the table as text."""

    type: Literal["text"]


class Undo(Message):
    """The wish to take one's last action back."""

    type: Literal["undo"]
    seen: int


class Agree(Message):
    """Whether somebody else may take theirs back."""

    type: Literal["agree"]
    yes: bool
    seen: int


class Allow(Message):
    """Whether whoever asks for a bot's seat may have it; ``id`` is that of the request."""

    type: Literal["allow"]
    id: Word
    yes: bool


Sign = Literal["", "hello", "luck", "thanks", "well", "oops", "sorry", "hurry", "bye"]
"""What can be said without words; each client says it in its own language."""


class Say(Message):
    """A few words, or one of the signs, to the others at the table; said again with the same ``id``, heard once."""

    type: Literal["say"]
    id: Word = Field(default_factory=lambda: secrets.token_hex(8), min_length=1)
    words: Annotated[str, Field(max_length=200), AfterValidator(_clean_words)] = ""
    sign: Sign = ""

    @model_validator(mode="after")
    def _one_of_both(self) -> "Say":
        if bool(self.words) == bool(self.sign):
            raise ValueError("say either words or a sign")
        return self


class Hint(Message):
    """The wish for a hint."""

    type: Literal["hint"]


class Ping(Message):
    """Are you there?"""

    type: Literal["ping"]


Spoken = Hello | Do | Why | Hint | AsText | Undo | Agree | Allow | Say | Ping
_SPOKEN: TypeAdapter[Spoken] = TypeAdapter(Annotated[Spoken, Field(discriminator="type")])


def parse_message(text: str | None) -> Spoken:
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
