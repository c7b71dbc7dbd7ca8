"""What a seat is sent: its view of a match, made from the veiled state and the events as it saw them, nothing else."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from parlour.cards import card_name
from parlour.engine.determinization import observed_plain_state
from parlour.engine.errors import ParlourError
from parlour.engine.game import Line, Value, Zone
from parlour.engine.match import Event, Match, Result, actor_name, current_result
from parlour.engine.planes import Float32s, tensor_of
from parlour.engine.rules import CHANCE, NOBODY, OVER, PlainState
from parlour.engine.setup import Setup

SPECTATOR = NOBODY
"""The viewer who knows what is public and nothing else."""
EVERYTHING = -5
"""The viewer after the end, when all cards are laid open: of the end itself, and of every moment before it."""


@dataclass(frozen=True)
class Observation:
    """What one viewer may know of a match.

    Attributes:
        game: the game's id.
        players: how many seats.
        options: all options with their values.
        seat: whose view it is, or ``SPECTATOR`` or ``EVERYTHING``.
        events: everything that happened, as this viewer saw it; unknown cards are ``??``.
        actor: the seat to act, ``CHANCE`` or ``OVER``.
        zones: where the cards lie, as far as this viewer knows them.
        facts: the game's public counters and marks, as its file describes them.
        lines: the running score, line by line.
        standing: each seat's score from what has been settled so far, and who is first.
        legal: the legal actions, if this viewer is to act.
        over: whether the game has ended.
        information_state: a text that is the same for two matches exactly if this viewer has seen the same in both,
            from the beginning; ``None`` if the match has no recall.
        veiled: the state without what this viewer may not know, of which the tensor is made.
    """

    game: str
    players: int
    options: dict[str, Value]
    seat: int
    events: Sequence[Event]
    actor: int
    zones: Sequence[Zone]
    facts: dict[str, Any]
    lines: Sequence[Line]
    standing: Result
    legal: Sequence[str]
    over: bool
    information_state: str | None = None
    observed: Any = field(default=None, repr=False, compare=False)

    @property
    def seen(self) -> int:
        """How many events there have been: what an action is sent with, so that a stale one is noticed."""
        return len(self.events)

    @property
    def setup(self) -> Setup:
        """What is played."""
        return Setup.from_json({"game": self.game, "players": self.players, "options": self.options})

    @property
    def legal_mask(self) -> "np.ndarray[Any, np.dtype[np.bool_]]":
        """For each action that there can be (``setup.actions``) whether it is legal."""
        setup = self.setup
        mask = np.zeros(setup.num_actions, np.bool_)
        mask[[setup.action_numbers[text] for text in self.legal]] = True
        return mask

    @property
    def tensor(self) -> Float32s:
        """What this viewer knows now, as numbers: an array of the setup's ``observation_shape``, a ``float32`` each.

        ``setup.observation_planes`` says what they are. Whatever goes around the table begins with the own seat; a
        spectator's begins with seat 0. The past is in it as far as it tells of cards: ``events`` has all of it.

        Raises:
            ParlourError: all cards are laid open, which no seat ever sees while it plays.
        """
        if self.seat == EVERYTHING:
            raise ParlourError("only a seat's observation, or a spectator's, has a tensor: this one shows all cards")
        return tensor_of(self.setup, self.observed, self.seat)

    @property
    def text(self) -> str:
        """All of it in words and notation, for people and for language models."""
        setup = self.setup
        whose = "A spectator sees" if self.seat == SPECTATOR else f"Seat {self.seat} sees"
        events = (f"{'chance' if event.by == CHANCE else f'seat {event.by}'}: {event.do}" for event in self.events)
        parts = [
            f"{setup.label}. {whose}:",
            *map(_zone_text, self.zones),
            *(f"{name}: {json.dumps(value)}" for name, value in self.facts.items()),
            f"scores: {', '.join(map(str, self.standing.scores))}",
            f"events: {'; '.join(events) or 'none yet'}",
            f"turn: {actor_name(self.actor)}",
        ]
        return "\n".join([*parts, f"legal: {', '.join(self.legal)}"] if self.legal else parts)

    def zone(self, name: str, at: int = NOBODY) -> Zone | None:
        """The zone of this name and place, if there is one."""
        return next((zone for zone in self.zones if zone.name == name and zone.at == at), None)

    def to_json(self) -> dict[str, Any]:
        """As JSON values; cards are texts, unknown ones ``None``."""
        return {
            "game": self.game,
            "players": self.players,
            "options": self.options,
            "seat": self.seat,
            "seen": self.seen,
            "events": [event.to_json() for event in self.events],
            "actor": actor_json(self.actor),
            "zones": [_zone_json(zone) for zone in self.zones],
            "facts": self.facts,
            "lines": [asdict(line) for line in self.lines],
            "standing": self.standing.to_json(),
            "legal": list(self.legal),
            "over": self.over,
        }


def actor_json(actor: int) -> int | str | None:
    """The seat to act, ``"chance"``, or ``None`` when the game is over."""
    return {CHANCE: "chance", OVER: None}.get(actor, actor)


def _zone_text(zone: Zone) -> str:
    where = zone.name if zone.at == NOBODY else f"{zone.name} {zone.at}"
    cards = [*zone.texts, f"{zone.hidden} unknown"] if zone.hidden else zone.texts
    return f"{where}: {' '.join(cards) or 'empty'}"


def _zone_json(zone: Zone) -> dict[str, Any]:
    cards = [None if card is None else card_name(card) for card in zone.cards]
    return {"name": zone.name, "at": zone.at, "cards": cards, "hidden": zone.hidden, "face_up": zone.face_up}


def _plain(value: Any) -> Any:
    """NumPy's whole numbers as Python's, which JSON knows."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, np.integer) else value


def observation_of(match: Match, seat: int, ended: bool = False) -> Observation:
    """The view of a seat, of a ``SPECTATOR``, or, of a finished game, of ``EVERYTHING``.

    Args:
        match: the game, perhaps only the beginning of one that is replayed.
        seat: the viewer.
        ended: whether the whole game is over, of which ``match`` is the beginning.

    Raises:
        ParlourError: there is no such viewer, as of the seat to act while chance acts or when the game is over.
        ValueError: ``EVERYTHING`` is asked for while the game goes on.
    """
    if seat not in (SPECTATOR, EVERYTHING) and seat not in range(match.players):
        named = f"nobody sees for {actor_name(seat)}" if seat in (CHANCE, OVER) else f"there is no seat {seat}"
        raise ParlourError(f"{named}; the seats are 0 to {match.players - 1}")
    if seat == EVERYTHING and not (match.over or ended):
        raise ValueError("cards are laid open only when the game is over")
    state = PlainState.of(match.state) if seat == EVERYTHING else observed_plain_state(match.state, seat)
    return Observation(
        game=match.game.id,
        players=match.players,
        options=match.options,
        seat=seat,
        events=list(match.events) if seat == EVERYTHING else match.seen_by(seat),
        actor=match.actor,
        zones=match.game.zones(state, seat),
        facts=_plain(match.game.facts(state)),
        lines=[Line(line.what, _plain(line.points), line.clause, int(line.at)) for line in match.game.lines(state)],
        standing=current_result(state),
        legal=match.legal() if match.actor == seat else [],
        over=match.over,
        observed=state,
    )
