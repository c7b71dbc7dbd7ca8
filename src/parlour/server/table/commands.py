"""The commands that a client sends to a table: one class for each, with the keys of its message.

A command does not name its seat: the connection has one (``SPECTATOR`` without a key). ``seen`` is the number of
events of the scene that the player decided by, so that no command takes effect in another position.

To add a command, write its class and add it to one of the unions at the end. The parser, docs/protocol.md and the
page's types follow from the unions, and the type checker names each ``match`` that misses the new class.
"""

import secrets
from typing import Literal

from pydantic import Field, model_validator

from parlour.languages import gettext
from parlour.server.table.fields import Action, Name, Seen, StrictModel, Tokens, Word, Words

Sign = Literal["", "hello", "luck", "thanks", "well", "oops", "sorry", "hurry", "bye"]
"""The name of a message without words; each client shows it in its own language."""


class Act(StrictModel):
    """An action. Answered by `scenes` or `refused`."""

    type: Literal["act"] = "act"
    do: Action
    seen: Seen


class Why(StrictModel):
    """A question: why is this action (`7H`), or this selection on the table (`["8H", "pile-3"]`), not legal now?
    Answered by `why`.
    """

    type: Literal["why"] = "why"
    do: Action = ""
    tokens: Tokens = Field(default_factory=list)


class Hint(StrictModel):
    """A request for a hint. Answered by `hint`, after a moment, or by `refused`."""

    type: Literal["hint"] = "hint"


class Text(StrictModel):
    """A request for the table as the terminal prints it. Answered by `text`."""

    type: Literal["text"] = "text"


class Undo(StrictModel):
    """A request to undo the seat's last action. Answered by `scenes` when it is undone (the `log` names the seat), by
    `company` while others have to agree, or by `refused`.
    """

    type: Literal["undo"] = "undo"
    seen: Seen


class Agree(StrictModel):
    """The answer to another seat's `undo_request` in `company`. Answered by `scenes` when the action is undone, else by
    `company`, also if there is no such request (any more).
    """

    type: Literal["agree"] = "agree"
    yes: bool
    seen: Seen


class Allow(StrictModel):
    """The answer to the `seat_request` in `company` with this `id`: may that person have the bot's seat? Answered by
    `company`, also if there is no such request (any more).
    """

    type: Literal["allow"] = "allow"
    id: Word
    yes: bool


class Resign(StrictModel):
    """The seat gives the unfinished game up; this cannot be taken back. If it ends the game, that is over; otherwise a
    bot plays the seat to the end. A repetition has no effect. Answered by `scenes`, to everyone, or by `refused`.
    """

    type: Literal["resign"] = "resign"


class Rename(StrictModel):
    """A new name of the client's own seat, or the name of an onlooker, which only the players see. Answered by `table`
    and `scenes`, to everyone, by `onlookers`, to the players, or by `refused`.
    """

    type: Literal["rename"] = "rename"
    name: Name


class Say(StrictModel):
    """Words or a sign for everyone at the table; a repetition with the same `id` has no effect. Answered by `said`, to
    everyone, or by `refused`.
    """

    type: Literal["say"] = "say"
    id: Word = Field(default_factory=lambda: secrets.token_hex(8), min_length=1)
    words: Words = ""
    sign: Sign = ""

    @model_validator(mode="after")
    def _one_of_both(self) -> "Say":
        if bool(self.words) == bool(self.sign):
            raise ValueError(gettext("say either words or a sign"))
        return self


GameCommand = Act | Undo | Agree | Resign
"""Commands that change the game. The room decides on each and stores its event before it takes the next."""
PeopleCommand = Hint | Allow | Say | Rename
"""Commands of the people at a table that do not change the match."""
Question = Why | Text
"""Commands that change nothing."""
Command = GameCommand | PeopleCommand | Question
