"""What clients may say, field by field; anything else is refused with a sentence about what is wrong.

What a connection says is read here once. It becomes a command (:mod:`parlour.server.table.commands`), and nothing
behind the door reads it again.
"""

import json
import secrets
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from parlour.server.table import commands
from parlour.server.table.fields import Action, Key, Name, OwnKey, Request, Seen, Word, Words
from parlour.server.table.keys import new_key


class MessageError(Exception):
    """A message that cannot be understood; the text says what is wrong with it."""


class Try(Request):
    """What a learner does at a step of a lesson."""

    do: Action


class Link(Request):
    """An address to be drawn for another device."""

    address: str = Field(max_length=300, pattern=r"^https?://[!-~]+$")


class TakeSeat(Request):
    """Somebody sits down, perhaps with a key of the client's making, so that it can be asked again."""

    seat: int
    name: Name
    key: OwnKey | None = None

    def command(self) -> commands.TakeSeat:
        """What is wanted of the table."""
        key = self.key or new_key()
        return commands.TakeSeat(self.seat, self.name, key, self.key is not None, secrets.token_hex(8))


class Rematch(Request):
    """Another game at a table like this one."""

    key: Key


class Hello(Request):
    """The first message of a connection, within ten seconds; `null` or no key means looking on. Answered by `table` and
    all that there is to see. Who says how many events it has been `seen` is not told the story again if there were no
    more.
    """

    type: Literal["hello"]
    key: Key | None = None
    seen: Seen | None = None


class Do(Request):
    """An action, and the `seen` of the scene that its player decided by. Answered by `scenes`, or `refused`."""

    type: Literal["do"]
    do: Action
    seen: Seen

    def command(self, seat: int) -> commands.Act:
        """What this seat wants."""
        return commands.Act(seat, self.do, self.seen)


class Why(Request):
    """Why is this action (`7H`), or what was chosen on the table for one (`["8H", "pile-3"]`), not legal now?
    Answered by `why`.
    """

    type: Literal["why"]
    do: Action = ""
    tokens: list[Word] = Field(default_factory=list, max_length=16)

    def command(self, seat: int) -> commands.AskWhy:
        """What this seat wants."""
        return commands.AskWhy(seat, self.do, tuple(self.tokens))


class AsText(Request):
    """The table as the terminal prints it, please. Answered by `text`."""

    type: Literal["text"]

    def command(self, seat: int) -> commands.AskText:
        """What this seat wants."""
        return commands.AskText(seat)


class Undo(Request):
    """The wish to take one's last action back. Answered by `scenes` when it is done (the scene `told` by whom), by
    `company` meanwhile, or by `refused`.
    """

    type: Literal["undo"]
    seen: Seen

    def command(self, seat: int) -> commands.Undo:
        """What this seat wants."""
        return commands.Undo(seat, self.seen)


class Agree(Request):
    """Another seat may take its last action back, or not. Answered by `scenes` when it is taken back, else by
    `company`, also where nobody wishes for it (any more).
    """

    type: Literal["agree"]
    yes: bool
    seen: Seen

    def command(self, seat: int) -> commands.Agree:
        """What this seat wants."""
        return commands.Agree(seat, self.yes, self.seen)


class Allow(Request):
    """Whoever asks for a bot's seat (`asking` in `company`, with this `id`) may have it, or not.
    Answered by `company`, also where nobody asks (any more).
    """

    type: Literal["allow"]
    id: Word
    yes: bool

    def command(self, seat: int) -> commands.Allow:
        """What this seat wants."""
        return commands.Allow(seat, self.id, self.yes)


Sign = Literal["", "hello", "luck", "thanks", "well", "oops", "sorry", "hurry", "bye"]
"""What can be said without words; each client says it in its own language."""


class Say(Request):
    """Words or a sign for everyone at the table; said again with the same `id`, heard once. Answered by `said`, to
    everyone, or by `refused`.
    """

    type: Literal["say"]
    id: Word = Field(default_factory=lambda: secrets.token_hex(8), min_length=1)
    words: Words = ""
    sign: Sign = ""

    @model_validator(mode="after")
    def _one_of_both(self) -> "Say":
        if bool(self.words) == bool(self.sign):
            raise ValueError("say either words or a sign")
        return self

    def command(self, seat: int) -> commands.Say:
        """What this seat wants."""
        return commands.Say(seat, self.id, self.words, self.sign)


class Hint(Request):
    """A hint, please. Answered by `hint`, after a moment, or by `refused`."""

    type: Literal["hint"]

    def command(self, seat: int) -> commands.AskHint:
        """What this seat wants."""
        return commands.AskHint(seat)


class Ping(Request):
    """Are you there? Answered by `pong`."""

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
    "string_pattern_mismatch": "does not have the form that it must have",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "is too large",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "bool_type": "must be true or false",
    "literal_error": "may be {expected}",
    "list_type": "must be a list",
    "too_long": "may not have more than {max_length} entries",
    "dict_type": "must be an object",
    "model_attributes_type": "must be an object (sent as application/json)",
    "union_tag_not_found": "the key {discriminator} is missing",
    "union_tag_invalid": "unknown {discriminator}; it may be {expected_tags}",
}


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "…"
