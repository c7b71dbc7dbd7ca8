"""Observations: a viewer's information about a match, from the observed state and the events as seen."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from parlour.cards import card_name
from parlour.engine.arrays import Bools, Float32s
from parlour.engine.errors import ParlourError
from parlour.engine.events import Event, Result, actor_name, current_result
from parlour.engine.game import Line, Value, Zone
from parlour.engine.information.determinization import observed_plain_state
from parlour.engine.information.planes import tensor_of
from parlour.engine.moves import Action
from parlour.engine.rules import CHANCE, NOBODY, OVER, SPECTATOR, PlainState
from parlour.engine.typed_state import AnyState, OwnState
from parlour.engine.validation import as_whole, shown

if TYPE_CHECKING:  # setups start matches, which make observations
    from parlour.engine.setup import Setup

Batch = Any
"""A batch of games (:class:`parlour.engine.simulation.batch.Batch`), which imports this module."""

EVERYTHING = -5
"""The viewer of a finished game, at its end or any earlier moment, with all cards laid open."""
UNIFORM, BELIEF = "uniform", "belief"
"""Distributions of determinizations."""

_determinizer: "Callable[..., Batch] | None" = None


def register_determinizer(determinize: "Callable[..., Batch]") -> None:
    """Let :meth:`Observation.determinize` use this function, which is in a module that imports this one."""
    global _determinizer
    _determinizer = determinize


@dataclass(frozen=True)
class Observation:
    """The information of one viewer about a match.

    Attributes:
        setup: the game, number of players and options.
        seat: the viewer: a seat, ``SPECTATOR`` or ``EVERYTHING``.
        events: all events so far, as this viewer saw them; unknown cards are ``??``.
        actor: the seat to act, ``CHANCE`` or ``OVER``.
        zones: the zones and their cards, as far as this viewer knows them.
        facts: the game's public counters and markers, by name.
        lines: the running score, line by line.
        standing: the scores and the seats in first place, as if the game ended now.
        legal: the texts of the legal actions, if this viewer is to act.
        over: True if the game has ended.
        information_state: a digest that is equal for two matches exactly if this viewer has seen the same in both;
            ``None`` if the match has no recall.
        observed: the state with only the information of this viewer; the source of the tensor.
    """

    setup: "Setup"
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
    observed: OwnState = field(default=None, repr=False, compare=False)

    @property
    def game(self) -> str:
        """The game's id."""
        return self.setup.game.id

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.setup.players

    @property
    def options(self) -> dict[str, Value]:
        """The value of every option, by name."""
        return dict(self.setup.options)

    @property
    def seen(self) -> int:
        """The number of events so far; it accompanies an action, so that a stale action is detected."""
        return len(self.events)

    @property
    def legal_actions(self) -> list[Action]:
        """The legal actions as ascending indices in the action space (``setup.actions``), if this viewer is to act.

        Raises:
            ParlourError: the game does not list its actions.
        """
        numbers = self.setup.action_numbers
        return sorted(numbers[text] for text in self.legal)

    @property
    def legal_mask(self) -> Bools:
        """A boolean for each action of the action space (``setup.actions``): True if it is legal."""
        mask = np.zeros(self.setup.num_actions, np.bool_)
        mask[self.legal_actions] = True
        return mask

    @property
    def tensor(self) -> Float32s:
        """The observed state as a ``float32`` array of the setup's ``observation_shape``.

        ``setup.observation_planes`` describes its cells. Planes by seat, chair or side start with the viewer's own, a
        spectator's with seat 0. Past events are included only as far as they reveal cards; ``events`` has all of them.

        Raises:
            ParlourError: the viewer is ``EVERYTHING``; only a seat's or a spectator's observation has a tensor.
        """
        if self.seat == EVERYTHING:
            raise ParlourError("only a seat's observation, or a spectator's, has a tensor: this one shows all cards")
        return tensor_of(self.setup, self.observed, self.seat)

    @property
    def text(self) -> str:
        """The observation in words and notation, for people and language models."""
        viewers = {SPECTATOR: "A spectator sees", EVERYTHING: "All cards are open"}
        whose = viewers.get(self.seat, f"Seat {self.seat} sees")
        events = (f"{'chance' if event.by == CHANCE else f'seat {event.by}'}: {event.do}" for event in self.events)
        parts = [
            f"{self.setup.label}. {whose}:",
            *map(_zone_text, self.zones),
            *(f"{name}: {json.dumps(value)}" for name, value in self.facts.items()),
            f"scores: {', '.join(map(str, self.standing.scores))}",
            f"events: {'; '.join(events) or 'none yet'}",
            f"turn: {actor_name(self.actor)}",
        ]
        return "\n".join([*parts, f"legal: {', '.join(self.legal)}"] if self.legal else parts)

    def zone(self, name: str, at: int = NOBODY) -> Zone | None:
        """Return the zone with this name and index (``NOBODY`` for the only zone of its name), or ``None``."""
        return next((zone for zone in self.zones if zone.name == name and zone.at == at), None)

    def determinize(
        self,
        n: int,
        seed: int,
        by: "str | Callable[[Batch], Any]" = UNIFORM,
        candidates: int | None = None,
        threads: int | None = 1,
    ) -> "Batch":
        """Return a batch of *n* determinizations: games in progress that this seat cannot tell from the true one.

        In each of them every past event was legal. They depend on this observation and the seed only. Each has a
        random stream of its own for the chance events to come.

        Args:
            n: the number of determinizations.
            seed: the same seed gives the same determinizations.
            by: ``"uniform"``: each layout of the unknown cards is equally likely; ``"belief"``: a layout has a weight,
                an estimate of the likelihood of the other seats' past choices, by the game and its heuristic; or a
                function that takes a batch and returns a weight for each game.
            candidates: with a function, the number of uniform determinizations from which *n* are chosen in proportion
                to their weights, with repetitions; by default 8 *n*.
            threads: the number of threads of the batch; ``None`` for all cores.

        Raises:
            ParlourError: the viewer is no seat, the game is over, or an argument is invalid.
        """
        if _determinizer is None:
            raise ParlourError("determinizations need the package parlour.games to be imported")
        return _determinizer(self, n, seed, by, candidates, threads)

    def to_json(self) -> dict[str, Any]:
        """Return the observation as JSON values; unknown cards are ``None`` in zones, ``??`` in events."""
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
    """Return the actor as a JSON value: a seat, ``"chance"``, or ``None`` when the game is over."""
    return {CHANCE: "chance", OVER: None}.get(actor, actor)


def _zone_text(zone: Zone) -> str:
    where = zone.name if zone.at == NOBODY else f"{zone.name} {zone.at}"
    cards = [*zone.texts, f"{zone.hidden} unknown"] if zone.hidden else zone.texts
    return f"{where}: {' '.join(cards) or 'empty'}"


def _zone_json(zone: Zone) -> dict[str, Any]:
    cards = [None if card is None else card_name(card) for card in zone.cards]
    return {"name": zone.name, "at": zone.at, "cards": cards, "hidden": zone.hidden, "face_up": zone.face_up}


def _plain(value: Any) -> Any:
    """Convert NumPy integers to Python integers, recursively, for JSON."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, np.integer) else value


def check_viewer(setup: "Setup", viewer: int) -> int:
    """Return a viewer as ``int``. Raises :class:`ParlourError` for others; ``CHANCE`` and ``OVER`` are no viewers."""
    number = as_whole(viewer)
    if number is None or (number not in (SPECTATOR, EVERYTHING) and number not in range(setup.players)):
        named = "no seat is to act" if number in (CHANCE, OVER) else f"there is no seat {shown(viewer)}"
        raise ParlourError(f"{named}; the seats are 0 to {setup.players - 1}")
    return number


def observe(
    setup: "Setup",
    state: AnyState,
    seat: int,
    events: Sequence[Event],
    legal: Sequence[str],
    information_state: str | None = None,
) -> Observation:
    """Return the observation of a viewer.

    Args:
        setup: the game, number of players and options.
        state: the full state.
        seat: the viewer; the caller has checked that the game is over if it is ``EVERYTHING``.
        events: the events as the viewer saw them.
        legal: the texts of the legal actions, if the viewer is to act.
        information_state: the digest of all that the viewer has seen.
    """
    observed = PlainState.of(state) if seat == EVERYTHING else observed_plain_state(state, seat)
    game, actor = setup.game, int(state.actor)
    return Observation(
        setup=setup,
        seat=seat,
        events=events,
        actor=actor,
        zones=game.zones(observed),
        facts=_plain(game.facts(observed)),
        lines=[Line(line.what, _plain(line.points), line.clause, int(line.at)) for line in game.lines(observed)],
        standing=current_result(observed),
        legal=legal,
        over=actor == OVER,
        information_state=information_state,
        observed=observed,
    )
