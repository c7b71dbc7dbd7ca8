"""A game in progress: its state, its events, and the events as each seat saw them."""

import hashlib
import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from parlour.cards import card_name, cards_of, parse_cards, set_of
from parlour.engine import rules
from parlour.engine.determinization import observed_state
from parlour.engine.errors import IllegalError, ParlourError, StaleError, TurnError
from parlour.engine.game import Game, Refusal, Value
from parlour.engine.notation import difference, listing, loosely, tidied
from parlour.engine.randomness import Randomness
from parlour.engine.rules import CHANCE, MAX_ACTIONS, MAX_CARDS, MAX_SEATS, NOBODY, OVER, WHOLE, PlainState, known_to
from parlour.engine.setup import Setup
from parlour.engine.steps import INTERPRETED, Steps
from parlour.engine.validation import counted, shortened

if TYPE_CHECKING:
    from parlour.engine.observation import Observation

FORMAT = "parlour-record/1"
"""The format identifier in records."""
HIDDEN_CARD = "??"
"""Placeholder in an event's text for a card that the reader may not know, or for a whole secret action."""


@dataclass(frozen=True, slots=True)
class Event:
    """An action or chance outcome: ``by`` is a seat or ``CHANCE``, ``do`` its text in the notation."""

    by: int
    do: str

    def to_json(self) -> dict[str, Any]:
        """Return the event as JSON values, as in a record."""
        return {"by": "chance" if self.by == CHANCE else self.by, "do": self.do}


@dataclass(frozen=True)
class Result:
    """A game's result: the score of each seat, and the seats that share first place."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]

    def to_json(self) -> dict[str, list[int]]:
        """Return the result as JSON values, as in a record."""
        return {"scores": list(self.scores), "winners": list(self.winners)}


def current_result(state: Any) -> Result:
    """Return the scores and winners as if the game ended in this state."""
    scores = np.zeros(MAX_SEATS, np.int64)
    winners = int(rules.score(state, scores))
    firsts = tuple(seat for seat in range(state.seats) if winners >> seat & 1)
    return Result(tuple(int(score) for score in scores[: state.seats]), firsts)


class Match:
    """A game, played from its first event.

    Attributes:
        setup: the game, number of players and options.
        events: all events so far, with hidden information.
        state: the full state, with hidden information. Show players an :meth:`observation` instead.

    With a source of ``chance`` the match draws each chance event as soon as it is due, so a seat is always to act until
    the game is over. Without one the caller plays chance events (:meth:`play_chance`, :meth:`take_chance`). With
    ``watched=False`` the match does not store the events as seen by each seat, which is faster. With ``recall`` it
    stores the state after every event, for :meth:`information_state`.
    """

    def __init__(
        self,
        setup: Setup,
        steps: Steps = INTERPRETED,
        watched: bool = True,
        chance: Randomness | None = None,
        recall: bool = False,
    ) -> None:
        self.setup = setup
        self._chance = chance
        self.events: list[Event] = []
        self._steps = steps
        self._states: Any
        self.state: Any
        states = rules.new_states(setup.game.dtype, 1)
        states[0] = setup.new_state()
        self._take_states([PlainState(states[0])] if steps.plain else states)
        viewers = (NOBODY, *range(setup.players)) if watched else ()
        self._seen: dict[int, list[Event]] = {seat: [] for seat in viewers}
        self._actions = np.zeros(MAX_ACTIONS, np.int64)
        self._legal_now: list[int] | None = None
        self._named_now: dict[str, int] | None = None
        self._past: list[Any] | None = [] if recall else None
        self._recalled: dict[int, tuple[int, Any]] = {}
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

    def copy(self) -> "Match":
        """Return an independent copy, including the source of chance."""
        return deepcopy(self)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> "Match":
        made = type(self).__new__(type(self))
        vars(made).update(vars(self))
        made.events = list(self.events)
        made._take_states([self.state.copy()] if isinstance(self.state, PlainState) else self._states.copy())
        made._seen = {seat: list(seen) for seat, seen in self._seen.items()}
        made._actions = self._actions.copy()
        made._chance = deepcopy(self._chance, memo)
        made._past = None if self._past is None else list(self._past)
        made._recalled = {seat: (events, digest.copy()) for seat, (events, digest) in self._recalled.items()}
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Return all attributes but ``state``, an item of ``_states``, and the digests, which can be recomputed."""
        return {name: value for name, value in vars(self).items() if name != "state"} | {"_recalled": {}}

    def __setstate__(self, values: dict[str, Any]) -> None:
        vars(self).update(values)
        self._take_states(self._states)

    def imagined(self, state: Any) -> "Match":
        """Return a copy with another state, such as a determinization, and the same events."""
        made = self.copy()
        made._take_states(rules.array_of(state))
        made._legal_now = made._named_now = None
        return made

    def _take_states(self, states: Any) -> None:
        self._states = states
        self.state = states[0]

    def settle(self) -> None:
        """Convert the state to a NumPy record, which compiled search requires."""
        self._take_states(rules.array_of(self.state))

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

    def actions(self) -> list[int]:
        """Return the encoded moves that are legal for the seat to act."""
        if self._legal_now is None:
            number = self._steps.legal(self._states, self._actions) if self.actor >= 0 else 0
            self._legal_now = self._actions[:number].tolist()
        return self._legal_now

    def legal(self) -> list[str]:
        """Return the texts of the legal actions of the seat to act, sorted by code point."""
        return sorted(self.named())

    def named(self) -> dict[str, int]:
        """Return the encoded moves of the legal actions, by text."""
        if self._named_now is None:
            self._named_now = {self.action_name(action): action for action in self.actions()}
        return self._named_now

    def action_name(self, action: int) -> str:
        """Return the text of an encoded move that is legal now."""
        return self.game.name(self.state, action)

    def parse_action(self, text: str) -> int:
        """Return the encoded move of the legal action with this text. Raises :class:`IllegalError`."""
        if (action := self._legal_move(text)) is None:
            raise self.illegal(text)
        return action

    def _legal_move(self, text: str) -> int | None:
        if self._named_now is not None:
            return self._named_now.get(text)
        return next((action for action in reversed(self.actions()) if self.action_name(action) == text), None)

    def complete_action(self, typed: str) -> str:
        """Return the notation of a typed action, ignoring case, spaces and the order of its cards.

        A text that matches no legal action, or several, is returned with its cards in capitals.
        """
        likely = tidied(typed)
        for text in (typed, likely):
            if text in self.named():
                return text
        meant = self._meant(typed)
        return meant[0] if len(meant) == 1 else likely

    def _meant(self, typed: str) -> list[str]:
        """Return the legal actions that differ from a typed text only in case, spaces or the order of cards."""
        return [text for text in self.legal() if loosely(text) == loosely(typed)]

    def refusal(self, text: str) -> Refusal:
        """Return the reason why an action is not legal, derived from what the seat to act may know."""
        return self._refused(text)[0]

    def _refused(self, text: str) -> tuple[Refusal, Exception | None]:
        """Return the reason, and the exception of the game's ``refusal`` function if it failed.

        The function is called only for texts that match no legal action in any spelling.
        """
        if meant := self._meant(text):
            return Refusal("", f"Write it as {' or '.join(map(repr, meant))}."), None
        try:
            refusal = self.game.refusal(observed_state(self.state, self.actor), text)
            if not isinstance(refusal, Refusal):
                raise TypeError(f"refusal returned {refusal!r}, which is no Refusal")
        except ValueError:
            return Refusal("", f"That is not an action of {self.game.title}."), None
        except Exception as error:  # a bug in the game must not turn an illegal action into a crash
            return Refusal("", "That is not possible now."), error
        return refusal, None

    def illegal(self, text: str) -> IllegalError:
        """Return the error for an illegal action, with the reason and the legal actions.

        Its ``__cause__`` is the exception of the game's ``refusal`` function, if that failed.
        """
        refusal, failure = self._refused(text)
        why = f"{refusal.reason} ({refusal.clause})" if refusal.clause else refusal.reason
        error = IllegalError(f"{shortened(text)!r} is not legal: {why} Legal: {listing(self.legal())}.", refusal.clause)
        error.__cause__ = failure
        return error

    def play(self, text: str, by: int, seen: int | None = None) -> None:
        """Carry out a seat's action.

        Args:
            text: the action in the notation.
            by: the acting seat.
            seen: the number of events when that seat decided; ``None`` to skip the check.

        Raises:
            StaleError: the number of events is not ``seen``.
            TurnError: it is not that seat's turn.
            IllegalError: the action is not legal; the match is unchanged.
        """
        if seen is not None and seen != len(self.events):
            raise StaleError(f"that was decided after {seen} events, but now there are {len(self.events)}")
        if by != self.actor:
            raise TurnError(f"it is not the turn of seat {by}, but of {actor_name(self.actor)}")
        self._carry_out(self.parse_action(text), text)

    def act(self, action: str | int, seat: int | None = None) -> None:
        """Carry out an action of the seat to act.

        Args:
            action: the text, in any spelling that :meth:`complete_action` accepts, or the index in
                :attr:`Setup.actions`.
            seat: the acting seat, if its turn is to be checked.

        Raises:
            TurnError: the game is over, a chance event is due, or it is not that seat's turn.
            IllegalError: the action is not legal, with the reason; the match is unchanged.
        """
        if self.actor < 0 or (seat is not None and seat != self.actor):
            who = "nobody can act now" if seat is None else f"it is not the turn of seat {seat}"
            raise TurnError(f"{who}: {self._turn()}")
        text = action if isinstance(action, str) else self.setup.action_name(action)
        if (code := self._legal_move(text)) is None:
            typed, text = text, self.complete_action(text)
            if (code := self._legal_move(text)) is None:
                raise self.illegal(typed)
        self._carry_out(code, text)

    def carry_out(self, code: int) -> None:
        """Carry out an encoded move of the seat to act, which must be one of :meth:`actions`.

        Faster than :meth:`play` and :meth:`act`: the texts of the other actions are not needed.
        """
        self._carry_out(code, self.action_name(code))

    def _turn(self) -> str:
        """Return whose turn it is, as the end of a sentence."""
        return "the game is over" if self.over else f"it is the turn of {actor_name(self.actor)}"

    def _carry_out(self, action: int, text: str) -> None:
        by = self.actor
        hidden = {viewer: int(rules.hides(self.state, action, viewer)) for viewer in self._seen if viewer != by}
        self._steps.play(self._states, action)
        self._note(Event(by, text), {viewer: self._event_text(text, cards, viewer) for viewer, cards in hidden.items()})
        self._draw_own_chance()

    def _draw_own_chance(self) -> None:
        while self._chance is not None and self.actor == CHANCE:
            self.take_chance(self._chance)

    def play_chance(self, text: str) -> None:
        """Carry out a chance outcome, as text from a record. Raises :class:`IllegalError`."""
        if self.actor != CHANCE:
            raise TurnError(f"it is not chance's turn, but that of {actor_name(self.actor)}")
        outcomes = [self.game.chance_name(self.state, outcome) for outcome in range(rules.choices(self.state))]
        if outcomes:
            if text not in outcomes:
                raise IllegalError(f"{shortened(text)!r} is not legal: it must be one of {listing(outcomes)}.")
            self._steps.play(self._states, outcomes.index(text))
            self._note(Event(CHANCE, text), {})
        else:
            word, deck = self.game.deck_word(self.state), self._parse_deck(text)
            self._steps.deal(self._states, deck)
            self._note(Event(CHANCE, text), dict.fromkeys(self._seen, word))

    def _parse_deck(self, text: str) -> Any:
        expected, word = int(rules.wanted(self.state)), self.game.deck_word(self.state)
        first, _, rest = text.partition(" ")
        if first != word:
            raise IllegalError(
                f"{shortened(text)!r} is not legal: it must be {word!r} and {expected.bit_count()} cards."
            )
        try:
            cards = parse_cards(rest)
        except ValueError as error:
            raise IllegalError(f"{shortened(text)!r} is not legal: {error}.") from None
        if set_of(cards) != expected:
            raise IllegalError(f"{shortened(text)!r} is not legal: {difference(set_of(cards), expected)}.")
        deck = np.zeros(MAX_CARDS, np.int64)
        deck[: len(cards)] = cards
        return deck

    def draw_chance(self, randomness: Randomness) -> str:
        """Draw an outcome of the next chance event and return its text, without carrying it out."""
        outcomes = int(rules.choices(self.state))
        if outcomes:
            return self.game.chance_name(self.state, randomness.below(outcomes))
        cards = randomness.shuffled(list(cards_of(rules.wanted(self.state))))
        return " ".join([self.game.deck_word(self.state), *(card_name(card) for card in cards)])

    def take_chance(self, randomness: Randomness) -> None:
        """Draw and carry out the next chance event."""
        self.play_chance(self.draw_chance(randomness))

    def _note(self, event: Event, texts: Mapping[int, str]) -> None:
        """Store an event; ``texts`` holds its text for the viewers who may not see all of it."""
        self._legal_now = self._named_now = None
        self.events.append(event)
        if self._past is not None:
            self._past.append(rules.copy_state(self.state))
        for viewer, seen in self._seen.items():
            text = texts.get(viewer, event.do)
            seen.append(event if text == event.do else Event(event.by, text))

    def _event_text(self, text: str, hidden: int, viewer: int) -> str:
        """Return an action's text for a viewer, with ``??`` for hidden cards that it may not know."""
        if hidden == WHOLE:
            return HIDDEN_CARD
        if not hidden:
            return text
        unknown = {card_name(card) for card in cards_of(hidden & ~int(known_to(self.state, viewer)))}
        return " ".join(HIDDEN_CARD if word in unknown else word for word in text.split(" "))

    def seen_by(self, seat: int) -> list[Event]:
        """Return the events as a seat saw them when they happened; ``NOBODY`` for a spectator."""
        if not self._seen:
            raise ParlourError("nobody watches this match, so what a seat has seen is not known")
        return list(self._seen[seat])

    def record(self) -> dict[str, Any]:
        """Return the game so far as a JSON object that replays without randomness; a finished game has a ``result``."""
        events = [event.to_json() for event in self.events]
        record = {"format": FORMAT, **self.setup.to_json(), "events": events}
        return {**record, "result": self.result.to_json()} if self.result else record

    def observation(self, seat: int | None = None) -> "Observation":
        """Return the observation of a seat, by default the seat to act, or of a ``SPECTATOR``.

        Raises:
            TurnError: no seat is to act, and ``seat`` is ``None``.
            ParlourError: there is no such seat.
        """
        from parlour.engine.observation import observation_of  # that module imports this one

        if seat is None:
            if self.actor < 0:
                raise TurnError(f"say whose observation is wanted: {self._turn()}")
            seat = self.actor
        return replace(observation_of(self, seat), information_state=self.information_state(seat))

    def information_state(self, seat: int) -> str | None:
        """Return a digest that is equal for two matches exactly if the seat has seen the same in both.

        ``None`` if this match has no recall, or for the viewer ``EVERYTHING``.
        """
        if self._past is None or seat not in self._seen:
            return None
        begun = hashlib.sha256(json.dumps([self.setup.to_json(), seat]).encode())
        done, digest = self._recalled.get(seat, (0, begun))
        for event, state in list(zip(self._seen[seat], self._past, strict=True))[done:]:
            digest.update(json.dumps(event.to_json()).encode() + observed_state(state, seat).tobytes())
        self._recalled[seat] = len(self.events), digest
        return str(digest.hexdigest())

    def observed(self, seat: int) -> Any:
        """Return a copy of the state without what the seat may not know, for bots and observations."""
        return observed_state(self.state, seat)


def actor_name(actor: int) -> str:
    """Return ``"seat 2"``, ``"chance"`` or ``"nobody: the game is over"``."""
    return {CHANCE: "chance", OVER: "nobody: the game is over"}.get(actor, f"seat {actor}")
