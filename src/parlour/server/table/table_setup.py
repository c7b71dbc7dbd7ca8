"""The setup of a new table: the game, the seats, and the settings for people."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from parlour.languages import gettext
from parlour.server.table.fields import Key, Name, OptionValue, OwnKey, StrictModel, Word


class TablePlan(StrictModel):
    """The game, the number of players, and the chosen options."""

    game: Word
    players: int = Field(ge=1, le=100)
    options: dict[Word, OptionValue] = Field(default_factory=dict, max_length=64)


class You(StrictModel):
    """The seat of the person who opens the table."""

    kind: Literal["you"]
    name: Name


class BotSeat(StrictModel):
    """The seat of a bot."""

    kind: Literal["bot"]
    bot: Word
    name: Name


class OpenSeat(StrictModel):
    """A seat that a person may take later."""

    kind: Literal["open"]


Seats = Annotated[list[Annotated[You | BotSeat | OpenSeat, Field(discriminator="kind")]], Field(max_length=100)]


class Clock(StrictModel):
    """Thinking time of a seat: seconds at the start, and seconds added for each action."""

    seconds: int = Field(ge=10, le=24 * 3600)
    increment: int = Field(default=0, ge=0, le=600)


class Fill(StrictModel):
    """The bot that takes each seat that is open these seconds after the opening of the table, while a person waits."""

    seconds: int = Field(ge=10, le=24 * 3600)
    bot: Word


class Manners(StrictModel):
    """The settings of a table for people, independent of the game.

    Attributes:
        clock: the clocks of the seats, if any.
        patience: the seconds after which a bot stands in for a disconnected player while others wait; ``None``: never.
        days: the days for each action of a person, at a table over days: it needs no connected people, and has neither
            clocks nor patience. A bot stands in for a person who has missed this time.
        talk: the kind of talk.
        hints: whether people may request hints, which are announced to all. A person alone with bots always may.
        take_over: whether a person may take a bot's seat during the game, if all players agree.
        fill: the bot that takes open seats after a time, if any.
        studied: whether the finished game may be exported for studies, without names.
        rated: whether the result changes the ratings of its people, who all need a player's key. A rated game has no
            hints, no undo, and no bots' seats to take over.
    """

    clock: Clock | None = None
    patience: int | None = Field(default=120, ge=5, le=24 * 3600)
    days: int | None = Field(default=None, ge=1, le=14)
    talk: Literal["none", "signs", "words"] = "words"
    hints: bool = False
    take_over: bool = False
    fill: Fill | None = None
    studied: bool = False
    rated: bool = False

    @model_validator(mode="after")
    def _rated_without_help(self) -> Self:
        if self.rated and (self.hints or self.take_over):
            raise ValueError(gettext("a rated table has neither hints nor seats of bots to take over"))
        return self

    @model_validator(mode="after")
    def _one_kind_of_time(self) -> Self:
        if self.days is not None and (self.clock is not None or self.patience is not None):
            raise ValueError(gettext("a table over days has neither a clock nor a patience"))
        return self

    def to_store(self) -> dict[str, Any]:
        """Return the settings as stored; an earlier version refuses a name that it does not know."""
        days = self.days is not None
        later = {"studied": self.studied, "fill": self.fill is not None, "rated": self.rated, "days": days}
        return self.model_dump(exclude={name for name, used in later.items() if not used})


class Seating(StrictModel):
    """The seats of a new table, and the settings for people.

    With a ``key`` of the client's own, which opens its seat, a repeated request opens one table.
    """

    seats: Seats
    manners: Manners = Field(default_factory=Manners)
    key: OwnKey | None = None


class NewTable(TablePlan, Seating):
    """A new table; a ``listed`` one is in the lobby while a seat is open.

    A listed table, where strangers may sit down, has no talk by default.
    """

    listed: bool = False

    @model_validator(mode="after")
    def _strangers_do_not_talk(self) -> Self:
        if self.listed and "talk" not in self.manners.model_fields_set:
            self.manners = self.manners.model_copy(update={"talk": "none"})
        return self


class PlayOn(Seating):
    """A new table that begins with the first ``seen`` events of another one."""

    seen: int = Field(ge=0)


class PlayAgain(StrictModel):
    """A new game of one person against bots after a finished one: the same deal, or with bots one level up or down.

    ``seat_key`` is the key of the seat in the game that is over, ``key`` the client's own for the new one.
    """

    seat_key: Key
    what: Literal["deal", "level", "lower"]
    key: OwnKey | None = None
