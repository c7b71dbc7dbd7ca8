"""A game in progress: its state and its events, and what each seat may know of them."""

from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np

from parlour.engine import rules
from parlour.engine.arrays import Float32s, States
from parlour.engine.errors import GameError, IllegalError, ParlourError, TurnError
from parlour.engine.events import Event, Result, actor_name, current_result
from parlour.engine.game import Game, Refusal, Value
from parlour.engine.information.determinization import observed_state
from parlour.engine.information.history import History
from parlour.engine.information.memory import Memory
from parlour.engine.information.planes import tensor_of
from parlour.engine.matches.chance_events import outcomes_of, parse_deck, parse_outcome, sample_outcome
from parlour.engine.matches.legal_moves import LegalMoves
from parlour.engine.matches.randomness import Randomness
from parlour.engine.matches.steps import INTERPRETED, Steps
from parlour.engine.moves import Action, Move
from parlour.engine.observation import EVERYTHING, Observation, check_viewer, observe
from parlour.engine.rules import ACTION_ROOM, CHANCE, OVER, SPECTATOR, PlainState
from parlour.engine.typed_state import AnyState, OwnState
from parlour.engine.validation import counted, shown

if TYPE_CHECKING:  # setups start matches, so they import this module
    from parlour.engine.setup import Setup

FORMAT = "parlour-record/1"
"""The format identifier in records."""


class Match:
    """A game, played from its first event.

    Attributes:
        setup: the game, number of players and options.
        events: all events so far, with hidden information.
        state: the full state, with hidden information. Show players an :meth:`observation` instead.

    With a source of ``chance`` the match draws each chance event as soon as it is due, so a seat is always to act until
    the game is over. Without one the caller carries out chance events (:meth:`apply_chance`). With
    ``observed=False`` the match does not store the events as seen by each seat, which is faster. With ``recall`` it
    stores the state after every event, for :meth:`information_state` and :meth:`history`.
    """

    def __init__(
        self,
        setup: "Setup",
        steps: Steps = INTERPRETED,
        observed: bool = True,
        chance: Randomness | None = None,
        recall: bool = False,
    ) -> None:
        self.setup = setup
        self.events: list[Event] = []
        self._chance = chance
        self._steps = steps
        self._memory = Memory((SPECTATOR, *range(setup.players)) if observed else (), recall)
        self._buffer = np.zeros(ACTION_ROOM, np.int64)
        states = rules.new_states(setup.game.dtype, 1)
        states[0] = setup.new_state()
        self._set_states([PlainState(states[0])] if steps.plain else states)
        self._memory.begin(self.state)
        self._draw_own_chance()

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.setup.game

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.setup.players

    @property
    def options(self) -> dict[str, Value]:
        """The value of every option, by name."""
        return dict(self.setup.options)

    def __repr__(self) -> str:
        return f"<Match: {self.setup.label}; {counted(len(self.events), 'event')}; {self._turn()}>"

    # Copies

    def copy(self) -> "Match":
        """Return an independent copy, including the source of chance."""
        return deepcopy(self)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> "Match":
        made = type(self).__new__(type(self))
        vars(made).update(vars(self))
        made.events = list(self.events)
        made._memory = self._memory.copy()
        made._buffer = self._buffer.copy()
        made._chance = deepcopy(self._chance, memo)
        made._set_states([self.state.copy()] if isinstance(self.state, PlainState) else self._states.copy())
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Return all attributes but ``state``, an item of ``_states``, and the values computed from it."""
        return {name: value for name, value in vars(self).items() if name not in ("state", "_legal")}

    def __setstate__(self, values: dict[str, Any]) -> None:
        vars(self).update(values)
        self._set_states(self._states)

    def imagined(self, state: AnyState) -> "Match":
        """Return a copy with another state, such as a determinization, and the same events."""
        made = self.copy()
        made._set_states(rules.array_of(state))
        return made

    def begin_from(self, state: AnyState) -> None:
        """Replace the state before the first event; a match with a source of chance then draws events that are due.

        Raises:
            ParlourError: an event has happened.
        """
        if self.events:
            happened = counted(len(self.events), "event")
            raise ParlourError(f"only a match without events can begin from another state; this one has {happened}")
        self._set_states(rules.array_of(state))
        self._memory.begin(self.state)
        self._draw_own_chance()

    def settle(self) -> None:
        """Convert the state to a NumPy record, which compiled search requires."""
        self._set_states(rules.array_of(self.state))

    def _set_states(self, states: States | list[PlainState]) -> None:
        self._states = states
        self.state: OwnState = states[0]
        self._legal: LegalMoves | None = None

    # The turn

    @property
    def actor(self) -> int:
        """The seat to act, ``CHANCE`` or ``OVER``."""
        return int(self.state.actor)

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.actor == OVER

    @property
    def result(self) -> Result | None:
        """The result, ``None`` while the game is in progress."""
        return current_result(self.state) if self.over else None

    def _turn(self) -> str:
        """Return whose turn it is, as the end of a sentence."""
        return "the game is over" if self.over else f"it is the turn of {actor_name(self.actor)}"

    # Legal actions

    @property
    def _legal_moves(self) -> LegalMoves:
        if self._legal is None:
            number = self._steps.legal(self._states, self._buffer) if self.actor >= 0 else 0
            if number > rules.MAX_ACTIONS:
                raise GameError(f"{self.setup.label}: legal lists {number:,} actions; {rules.MAX_ACTIONS} are the most")
            self._legal = LegalMoves(self.game, self.state, list(map(Move, self._buffer[:number].tolist())))
        return self._legal

    def legal(self) -> list[str]:
        """Return the texts of the legal actions of the seat to act, sorted by code point."""
        return list(self._legal_moves.texts)

    def legal_actions(self) -> list[Action]:
        """Return the legal actions of the seat to act, as ascending indices in :attr:`Setup.actions`.

        Raises:
            ParlourError: the game does not list its actions.
        """
        numbers = self.setup.action_numbers
        return sorted(numbers[text] for text in self._legal_moves.by_text)

    def moves(self) -> list[Move]:
        """Return the legal moves of the seat to act, in the order of the rules."""
        return list(self._legal_moves.moves)

    def moves_by_text(self) -> Mapping[str, Move]:
        """Return the legal moves of the seat to act, by text."""
        return self._legal_moves.by_text

    def notation(self, move: Move) -> str:
        """Return the text of a legal move. Raises :class:`ParlourError` for other types than :class:`Move`."""
        return self.game.name(self.state, _code_of(move))

    def parse_move(self, text: str) -> Move:
        """Return the legal move with this text. Raises :class:`IllegalError`."""
        if (move := self._legal_moves.find(text)) is None:
            raise self.illegal(text)
        return move

    def complete_action(self, typed: str) -> str:
        """Return the notation of a typed action, ignoring case, spaces and the order of its cards.

        A text that matches no legal action, or several, is returned with cards in upper case, words in lower case and
        single spaces.
        """
        return self._legal_moves.complete(typed)

    def refusal(self, text: str) -> Refusal:
        """Return the reason why an action is not legal, derived from what the seat to act may know."""
        return self._legal_moves.refusal(text)

    def illegal(self, text: str) -> IllegalError:
        """Return the error for an illegal action, with the reason and the legal actions."""
        return self._legal_moves.illegal(text)

    # Events

    def act(self, action: str | int, seat: int | None = None) -> None:
        """Carry out an action of the seat to act.

        Args:
            action: the text, in any spelling that :meth:`complete_action` accepts, or the index in
                :attr:`Setup.actions`.
            seat: the acting seat, if its turn is to be checked.

        Raises:
            TurnError: the game is over, a chance event is due, or it is not that seat's turn.
            IllegalError: the action is not legal, with the reason; the match is unchanged.
            ParlourError: the action is an index, but the game does not list its actions.
        """
        if self.actor < 0 or (seat is not None and seat != self.actor):
            who = "no seat can act now" if seat is None else f"it is not the turn of {actor_name(seat)}"
            raise TurnError(f"{who}: {self._turn()}")
        text = action if isinstance(action, str) else self.setup.action_name(action)
        if (move := self._legal_moves.find(text)) is None:
            typed, text = text, self.complete_action(text)
            if (move := self._legal_moves.find(text)) is None:
                raise self.illegal(typed)
        self._apply(move, text)

    def apply_move(self, move: Move) -> None:
        """Carry out a move of the seat to act.

        Faster than :meth:`act`: the texts of the other moves are not needed.

        Raises:
            ParlourError: this is no :class:`Move`.
            IllegalError: the move is not legal; the match is unchanged.
        """
        code = _code_of(move)
        if code not in self._legal_moves.moves:
            raise IllegalError(f"{move!r} is not legal: {self._turn()}, whose moves are {self.moves()}")
        self._apply(move, self.notation(move))

    def apply_event(self, event: Event) -> None:
        """Carry out an event of a record, whose text must be exactly that of the notation.

        Raises:
            TurnError: it is not the turn of the event's seat, or of chance.
            IllegalError: the action or outcome is not legal; the match is unchanged.
        """
        if event.by == CHANCE:
            self.apply_chance(event.do)
            return
        if event.by != self.actor:
            raise TurnError(f"it is not the turn of {actor_name(event.by)}: {self._turn()}")
        self._apply(self.parse_move(event.do), event.do)

    def _apply(self, move: Move, text: str) -> None:
        by, code = self.actor, int(move)
        hidden = {each: int(rules.hides(self.state, code, each)) for each in self._memory.viewers if each != by}
        self._steps.play(self._states, code)
        event = Event(by, text)
        self._note(event, {viewer: event.as_seen(self.state, cards, viewer) for viewer, cards in hidden.items()})
        self._draw_own_chance()

    def apply_chance(self, outcome: str) -> None:
        """Carry out an outcome of the next chance event, as text in the notation.

        Raises:
            TurnError: no chance event is due.
            IllegalError: the outcome is not possible; the match is unchanged.
        """
        if self.actor != CHANCE:
            raise TurnError(f"it is not the turn of chance: {self._turn()}")
        event, outcomes = Event(CHANCE, outcome), outcomes_of(self.game, self.state)
        if outcomes:
            self._steps.play(self._states, parse_outcome(outcomes, outcome))
            self._note(event, {})
        else:
            word, deck = self.game.deck_word(self.state), parse_deck(self.game, self.state, outcome)
            self._steps.deal(self._states, deck)
            self._note(event, dict.fromkeys(self._memory.viewers, Event(CHANCE, word)))

    def sample_chance(self, randomness: Randomness) -> str:
        """Draw an outcome of the next chance event for :meth:`apply_chance`, as text; the match is unchanged."""
        return sample_outcome(self.game, self.state, randomness)

    def _draw_own_chance(self) -> None:
        while self._chance is not None and self.actor == CHANCE:
            self.apply_chance(self.sample_chance(self._chance))

    def _note(self, event: Event, seen: Mapping[int, Event]) -> None:
        """Store an event; ``seen`` maps the viewers that saw less than all of it to the event as they observed it."""
        self._legal = None
        self.events.append(event)
        self._memory.store(event, self.state, seen)

    # Observations and records

    def seen_by(self, seat: int) -> list[Event]:
        """Return the events as a seat, or the ``SPECTATOR``, saw them when they happened.

        Raises:
            ParlourError: there is no such viewer, or the match was made with ``observed=False``.
        """
        return self._memory.seen_by(seat)

    def observed(self, seat: int) -> OwnState:
        """Return a copy of the state without what the seat may not know, for bots and observations."""
        return observed_state(self.state, seat)

    def state_tensor(self, seat: int = 0) -> Float32s:
        """Return the full state, with all cards open, as an array of the setup's ``state_shape``.

        It is the input of a centralized critic, not of a player. ``setup.state_planes`` describes its cells.

        Args:
            seat: the seat that planes by seat, chair or side start with.

        Raises:
            ParlourError: there is no such seat.
        """
        if seat not in range(self.players):
            raise ParlourError(f"there is no seat {shown(seat)}; the seats are 0 to {self.players - 1}")
        return tensor_of(self.setup, self.state, seat, everything=True)

    def information_state(self, seat: int) -> str | None:
        """Return a digest that is equal for two matches exactly if the seat has seen the same in both.

        What the seat may know of the state before the first event counts, too (:meth:`begin_from`).

        ``None`` without recall, with ``observed=False``, or for the viewer ``EVERYTHING``.
        """
        return self._memory.information_state(seat, self.setup.to_json())

    def history(self, seat: int) -> History:
        """Return all that a seat has seen and done, in order, or what a spectator has seen.

        Raises:
            ParlourError: there is no such seat, this match has no recall or does not store events (``observed=False``),
                or the game does not list its actions.
        """
        seat = check_viewer(self.setup, seat)
        return self._memory.history(seat, self.setup)

    def information_state_tensor(
        self, seat: int | None = None, length: int | None = None, truncate: bool = False
    ) -> Float32s:
        """Return a seat's observation and its history as one array, for agents with perfect recall.

        It consists of the observation's tensor, the number of rows left out, and the rows of the history. Two matches
        that began from the same state have the same array exactly if their information states are the same, unless rows
        are left out.

        Args:
            seat: a seat, by default the one to act, or a ``SPECTATOR``.
            length: the number of rows, by default one that no game exceeds (``setup.history_length``).
            truncate: whether to leave out the first rows of a longer history.

        Raises:
            TurnError: no seat is to act, and ``seat`` is ``None``.
            ParlourError: as in :meth:`history`; the history is longer and ``truncate`` is False, or no length is known.
        """
        seat = self._viewer(seat)
        history = self.history(seat)
        rows = history.tensor(length, truncate)
        present = tensor_of(self.setup, self.observed(seat), seat)
        return np.concatenate([present, [np.float32(history.left_out(length))], rows.reshape(-1)])

    def _viewer(self, seat: int | None) -> int:
        """Return the viewer, by default the seat to act. Raises :class:`TurnError`."""
        if seat is None and self.actor < 0:
            raise TurnError(f"say whose observation is wanted: {self._turn()}")
        return self.actor if seat is None else seat

    def observation(self, seat: int | None = None, ended: bool = False) -> Observation:
        """Return the observation of a viewer.

        Args:
            seat: a seat, by default the one to act, a ``SPECTATOR``, or, for a finished game, ``EVERYTHING``.
            ended: True if this match is the beginning of a finished game.

        Raises:
            TurnError: no seat is to act, and ``seat`` is ``None``.
            ParlourError: there is no such viewer.
            ValueError: the viewer is ``EVERYTHING`` and the game is in progress.
        """
        seat = self._viewer(seat)
        seat = check_viewer(self.setup, seat)
        if seat == EVERYTHING and not (self.over or ended):
            raise ValueError("cards are laid open only when the game is over")
        events = list(self.events) if seat == EVERYTHING else self.seen_by(seat)
        legal = self.legal() if seat == self.actor else []
        return observe(self.setup, self.state, seat, events, legal, self.information_state(seat))

    def record(self) -> dict[str, Any]:
        """Return the game so far as a JSON object that replays without randomness; a finished game has a ``result``."""
        events = [event.to_json() for event in self.events]
        record = {"format": FORMAT, **self.setup.to_json(), "events": events}
        return {**record, "result": self.result.to_json()} if self.result else record


def _code_of(move: Move) -> int:
    """Return a move as an integer for the rules. Raises :class:`ParlourError` for other types than :class:`Move`."""
    if not isinstance(move, Move):
        raise ParlourError(f"a move is one of match.moves(), not {shown(move)}; match.act takes actions and texts")
    return int(move)
