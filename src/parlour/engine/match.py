"""One game being played: its state, its events, and what each seat has seen of them."""

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
"""What a record says that it is."""
HIDDEN_CARD = "??"
"""Stands in an event's text for a card that the reader may not know, or for all of an action done in secret."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: ``by`` is a seat or ``CHANCE``, ``do`` the notation's text."""

    by: int
    do: str

    def to_json(self) -> dict[str, Any]:
        """As a record holds it."""
        return {"by": "chance" if self.by == CHANCE else self.by, "do": self.do}


@dataclass(frozen=True)
class Result:
    """How a game ended: each seat's score, and the seats that share first place."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]

    def to_json(self) -> dict[str, list[int]]:
        """As a record holds it."""
        return {"scores": list(self.scores), "winners": list(self.winners)}


def current_result(state: Any) -> Result:
    """The scores as they are now, and who is first."""
    scores = np.zeros(MAX_SEATS, np.int64)
    winners = int(rules.score(state, scores))
    firsts = tuple(seat for seat in range(state.seats) if winners >> seat & 1)
    return Result(tuple(int(score) for score in scores[: state.seats]), firsts)


class Match:
    """A game from its first event on.

    Attributes:
        setup: what is played.
        events: everything that happened.
        state: the whole truth. Give it to nobody: :meth:`observation` says what may be seen.

    A match with a source of ``chance`` draws chance events as soon as they come, so that a seat is always to act until
    the game is over; without one they are left to the caller (:meth:`play_chance`, :meth:`take_chance`). A match that
    nobody has ``watched`` keeps no events as seen by each seat, and is faster for that; one with ``recall`` keeps all
    that each seat has seen, for :meth:`information_state`.
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
        """What is played."""
        return self.setup.game

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self.setup.players

    @property
    def options(self) -> dict[str, Value]:
        """All options with their values."""
        return dict(self.setup.options)

    def __repr__(self) -> str:
        return f"<Match: {self.setup.label}; {counted(len(self.events), 'event')}; {self._turn()}>"

    def copy(self) -> "Match":
        """An independent match that has gone the same way, its source of chance included."""
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
        """All but the state, which is part of ``_states``, and the digests, which follow from what each seat saw."""
        return {name: value for name, value in vars(self).items() if name != "state"} | {"_recalled": {}}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self._take_states(self._states)

    def imagined(self, state: Any) -> "Match":
        """A copy with another state in the place of its own, such as a determinization; its events stay as they are."""
        made = self.copy()
        made._take_states(rules.array_of(state))
        made._legal_now = made._named_now = None
        return made

    def _take_states(self, states: Any) -> None:
        self._states = states
        self.state = states[0]

    def settle(self) -> None:
        """Have a record as the state from now on, whatever it was: what looks ahead is compiled for records."""
        self._take_states(rules.array_of(self.state))

    @property
    def actor(self) -> int:
        """The seat to act, ``CHANCE`` or ``OVER``."""
        return int(self.state.actor)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.actor == OVER

    @property
    def result(self) -> Result | None:
        """How it ended, ``None`` while the game goes on."""
        return current_result(self.state) if self.over else None

    def actions(self) -> list[int]:
        """The numbers of the legal actions of the seat to act."""
        if self._legal_now is None:
            number = self._steps.legal(self._states, self._actions) if self.actor >= 0 else 0
            self._legal_now = self._actions[:number].tolist()
        return self._legal_now

    def legal(self) -> list[str]:
        """The legal actions of the seat to act, sorted by code point."""
        return sorted(self.named())

    def named(self) -> dict[str, int]:
        """The numbers of the legal actions by their texts."""
        if self._named_now is None:
            self._named_now = {self.action_name(action): action for action in self.actions()}
        return self._named_now

    def action_name(self, action: int) -> str:
        """A legal action's text."""
        return self.game.name(self.state, action)

    def parse_action(self, text: str) -> int:
        """The legal action with this text, by the seat to act. Raises :class:`IllegalError`."""
        if (action := self._found(text)) is None:
            raise self.illegal(text)
        return action

    def _found(self, text: str) -> int | None:
        if self._named_now is not None:
            return self._named_now.get(text)
        return next((action for action in reversed(self.actions()) if self.action_name(action) == text), None)

    def complete_action(self, typed: str) -> str:
        """The notation of an action that a person typed: case, spaces and the order of its cards do not matter.

        A text that means no legal action, or several, is returned with its cards in capitals.
        """
        likely = tidied(typed)
        for text in (typed, likely):
            if text in self.named():
                return text
        meant = self._meant(typed)
        return meant[0] if len(meant) == 1 else likely

    def _meant(self, typed: str) -> list[str]:
        """The legal actions that differ from a typed text in case, spaces and the order of cards alone."""
        return [text for text in self.legal() if loosely(text) == loosely(typed)]

    def refusal(self, text: str) -> Refusal:
        """The reason why the seat to act may not do this now, by what that seat may know."""
        return self._refused(text)[0]

    def _refused(self, text: str) -> tuple[Refusal, Exception | None]:
        """The reason, and the error of the game's own ``refusal`` if that has failed.

        The game is asked only about texts that mean no legal action in any spelling.
        """
        if meant := self._meant(text):
            return Refusal("", f"Write it as {' or '.join(map(repr, meant))}."), None
        try:
            refusal = self.game.refusal(observed_state(self.state, self.actor), text)
            if not isinstance(refusal, Refusal):
                raise TypeError(f"refusal returned {refusal!r}, which is no Refusal")
        except ValueError:
            return Refusal("", f"That is not an action of {self.game.title}."), None
        except Exception as error:  # a fault of the game must not turn an illegal action into a crash
            return Refusal("", "That is not possible now."), error
        return refusal, None

    def illegal(self, text: str) -> IllegalError:
        """The error for an action that is not legal, with the reason and the legal actions.

        Its cause is the error of the game's own ``refusal``, if that has failed.
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
            by: whose action it is.
            seen: how many events that seat had seen when it decided; ``None`` if that cannot be in doubt.

        Raises:
            StaleError: something happened since.
            TurnError: it is not that seat's turn.
            IllegalError: the action is not legal; nothing has changed.
        """
        if seen is not None and seen != len(self.events):
            raise StaleError(f"that was decided after {seen} events, but now there are {len(self.events)}")
        if by != self.actor:
            raise TurnError(f"it is not the turn of seat {by}, but of {actor_name(self.actor)}")
        self._carry_out(self.parse_action(text), text)

    def act(self, action: str | int, seat: int | None = None) -> None:
        """Carry out an action of the seat to act.

        Args:
            action: its text, as :meth:`complete_action` takes it, or its number in :attr:`Setup.actions`.
            seat: whose action it is, if that is to be checked.

        Raises:
            TurnError: the game is over, chance has to be played first, or it is not that seat's turn.
            IllegalError: the action is not legal, and why; nothing has changed.
        """
        if self.actor < 0 or (seat is not None and seat != self.actor):
            who = "nobody can act now" if seat is None else f"it is not the turn of seat {seat}"
            raise TurnError(f"{who}: {self._turn()}")
        text = action if isinstance(action, str) else self.setup.action_name(action)
        if (code := self._found(text)) is None:
            typed, text = text, self.complete_action(text)
            if (code := self._found(text)) is None:
                raise self.illegal(typed)
        self._carry_out(code, text)

    def carry_out(self, code: int) -> None:
        """Carry out an action of the seat to act by the rules' own number, which must be one of :meth:`actions`.

        For many games: none of the other actions has to be named.
        """
        self._carry_out(code, self.action_name(code))

    def _turn(self) -> str:
        """Whose turn it is, as the end of a sentence."""
        return "the game is over" if self.over else f"it is the turn of {actor_name(self.actor)}"

    def _carry_out(self, action: int, text: str) -> None:
        by = self.actor
        hidden = {viewer: int(rules.hides(self.state, action, viewer)) for viewer in self._seen if viewer != by}
        self._steps.play(self._states, action)
        self._note(Event(by, text), {viewer: self._told(text, cards, viewer) for viewer, cards in hidden.items()})
        self._draw_own_chance()

    def _draw_own_chance(self) -> None:
        while self._chance is not None and self.actor == CHANCE:
            self.take_chance(self._chance)

    def play_chance(self, text: str) -> None:
        """Carry out a chance outcome given as text, as a record holds it. Raises :class:`IllegalError`."""
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
        """The outcome, as text, of the chance event that comes next; it has not happened yet."""
        outcomes = int(rules.choices(self.state))
        if outcomes:
            return self.game.chance_name(self.state, randomness.below(outcomes))
        cards = randomness.shuffled(list(cards_of(rules.wanted(self.state))))
        return " ".join([self.game.deck_word(self.state), *(card_name(card) for card in cards)])

    def take_chance(self, randomness: Randomness) -> None:
        """Carry out the chance event that comes next."""
        self.play_chance(self.draw_chance(randomness))

    def _note(self, event: Event, told: Mapping[int, str]) -> None:
        """Keep what has happened; ``told`` is its text for those viewers who may not see all of it."""
        self._legal_now = self._named_now = None
        self.events.append(event)
        if self._past is not None:
            self._past.append(rules.copy_state(self.state))
        for viewer, seen in self._seen.items():
            text = told.get(viewer, event.do)
            seen.append(event if text == event.do else Event(event.by, text))

    def _told(self, text: str, hidden: int, viewer: int) -> str:
        """What a viewer is told of an action that has been done, of which it was not shown these cards."""
        if hidden == WHOLE:
            return HIDDEN_CARD
        if not hidden:
            return text
        unknown = {card_name(card) for card in cards_of(hidden & ~int(known_to(self.state, viewer)))}
        return " ".join(HIDDEN_CARD if word in unknown else word for word in text.split(" "))

    def seen_by(self, seat: int) -> list[Event]:
        """The events as a seat saw them when they happened; ``NOBODY`` for a spectator."""
        if not self._seen:
            raise ParlourError("nobody watches this match, so what a seat has seen is not known")
        return list(self._seen[seat])

    def record(self) -> dict[str, Any]:
        """The game so far as JSON values that replay without chance; ``result`` is absent while the game goes on."""
        events = [event.to_json() for event in self.events]
        record = {"format": FORMAT, **self.setup.to_json(), "events": events}
        return {**record, "result": self.result.to_json()} if self.result else record

    def observation(self, seat: int | None = None) -> "Observation":
        """What a seat may know: the seat to act, another one, or a ``SPECTATOR``.

        Raises:
            TurnError: no seat is to act and none is named.
            ParlourError: there is no such seat.
        """
        from parlour.engine.observation import observation_of  # which needs a match

        if seat is None:
            if self.actor < 0:
                raise TurnError(f"say whose observation is wanted: {self._turn()}")
            seat = self.actor
        return replace(observation_of(self, seat), information_state=self.information_state(seat))

    def information_state(self, seat: int) -> str | None:
        """A text that is the same for two matches exactly if the seat has seen the same in both, from the beginning.

        ``None`` if this match has no recall, or for a viewer before whom all cards are laid open.
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
        """A state without what the seat may not know: what bots and views are given."""
        return observed_state(self.state, seat)


def actor_name(actor: int) -> str:
    """``"seat 2"``, ``"chance"`` or ``"nobody: the game is over"``."""
    return {CHANCE: "chance", OVER: "nobody: the game is over"}.get(actor, f"seat {actor}")
