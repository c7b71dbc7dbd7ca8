"""What a table is opened with: the game, who is to sit there, and how people sit there."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from parlour.server.table.fields import Name, OptionValue, OwnKey, StrictModel, Word


class Plan(StrictModel):
    """What is to be played: game, players, options."""

    game: Word
    players: int = Field(ge=1, le=100)
    options: dict[Word, OptionValue] = Field(default_factory=dict, max_length=64)


class You(StrictModel):
    """The seat of the one who asks."""

    kind: Literal["you"]
    name: Name


class BotSeat(StrictModel):
    """A seat that a bot takes."""

    kind: Literal["bot"]
    bot: Word
    name: Name


class OpenSeat(StrictModel):
    """A seat that somebody may take later."""

    kind: Literal["open"]


Seats = Annotated[list[Annotated[You | BotSeat | OpenSeat, Field(discriminator="kind")]], Field(max_length=100)]


class Clock(StrictModel):
    """Thinking time of a seat: seconds at the start, and seconds added for each action."""

    seconds: int = Field(ge=10, le=24 * 3600)
    increment: int = Field(default=0, ge=0, le=600)


class Manners(StrictModel):
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


class Seating(StrictModel):
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
