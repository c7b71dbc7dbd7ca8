"""The content of an OpenSpiel state: a compiled game in progress, available as a match on demand."""

from collections.abc import Sequence
from typing import Any

from parlour.cards import card_name, cards_of
from parlour.engine import rules
from parlour.engine.arrays import Int64s, States
from parlour.engine.errors import IllegalError
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.chance_events import parse_deck
from parlour.engine.matches.steps import COMPILED
from parlour.engine.moves import Move
from parlour.engine.rules import CHANCE, array_of
from parlour.engine.setup import Setup
from parlour.engine.simulation.shard import words_of
from parlour.engine.simulation.workbench import workbench_of
from parlour.engine.typed_state import AnyState


class CompiledHistory:
    """A game in progress, copyable and picklable.

    Events are applied to a compiled state. The match, which holds the events as each seat sees them, is updated only
    when it is read. Copies share the match until one of them has to update it.

    Attributes:
        setup: the game, number of players and options.
        start: the state from which the game continues, or ``None`` for a whole game.
        drawn: the cards drawn for an incomplete deal, the top first.
    """

    def __init__(self, setup: Setup, start: Any, events: Sequence[Event], drawn: list[int]) -> None:
        self.setup, self.start, self.drawn = setup, start, drawn
        self._match, self._shared = Match(setup, COMPILED, recall=True), False
        if start is not None:
            self._match.begin_from(start)
        for event in events:
            self._match.apply_event(event)
        self._pending: list[Move | str] = []
        self._hold(array_of(self._match.state))

    def _hold(self, states: States) -> None:
        self._states, self._words = states, words_of(states)
        self._legal: tuple[Int64s, Int64s] | None = None
        self._outcomes: list[int] | None = None
        self._drawing = False

    def __deepcopy__(self, memo: Any) -> "CompiledHistory":
        made = type(self).__new__(type(self))
        made.setup, made.start, made.drawn = self.setup, self.start, list(self.drawn)
        made._match, made._pending = self._match, list(self._pending)
        made._shared = self._shared = True
        made._hold(self._states.copy())
        made._legal, made._outcomes, made._drawing = self._legal, self._outcomes, self._drawing
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return CompiledHistory, (self.setup, self.start, self.match.events, self.drawn)

    @property
    def match(self) -> Match:
        """The match, brought up to date."""
        if self._pending:
            if self._shared:
                self._match, self._shared = self._match.copy(), False
            for event in self._pending:
                if isinstance(event, Move):
                    self._match.apply_move(event)
                else:
                    self._match.apply_chance(event)
            self._pending = []
        return self._match

    @property
    def state(self) -> AnyState:
        """The full state."""
        state: AnyState = self._states[0]
        return state

    @property
    def actor(self) -> int:
        """The seat to act, ``CHANCE`` or ``OVER``."""
        actor: int = self._words.item(0)
        return actor

    @property
    def by_chance(self) -> bool:
        """Whether a chance event is due."""
        return self.actor == CHANCE

    # Actions

    def legal_actions(self) -> list[int]:
        """Return the legal actions of the seat to act, as ascending indices in the action space."""
        numbers: list[int] = self._legal_moves()[1].tolist()
        return numbers

    def _legal_moves(self) -> tuple[Int64s, Int64s]:
        """Return the legal moves, and their indices in ascending order."""
        if self._legal is None:
            moves, numbers = workbench_of(self.setup).list_legal(self.state)
            order = numbers.argsort()
            self._legal = moves[order], numbers[order]
        return self._legal

    def act(self, action: int) -> None:
        """Carry out an action of the seat to act. Raises :class:`IllegalError`."""
        moves, numbers = self._legal_moves()
        at = int(numbers.searchsorted(action))
        if at == len(numbers) or numbers[at] != action:
            raise self.match.illegal(self.setup.action_name(action))
        move = Move(moves[at])
        COMPILED.play(self._states, int(move))
        self._go_on(move)

    def _go_on(self, event: Move | str) -> None:
        self._pending.append(event)
        self._legal = self._outcomes = None

    # Chance

    def outcomes(self) -> Sequence[int]:
        """Return the possible chance outcomes: numbers of outcomes, or cards not yet drawn."""
        if self._outcomes is None:
            number = int(rules.choices(self.state))
            cards = [] if number else [card for card in cards_of(rules.wanted(self.state)) if card not in self.drawn]
            self._outcomes, self._drawing = cards or list(range(number)), not number
        return self._outcomes

    def is_draw(self) -> bool:
        """Return whether the next chance event is a card drawn for a deal."""
        self.outcomes()
        return self._drawing

    def apply_outcome(self, outcome: int) -> None:
        """Carry out a chance outcome. Raises :class:`IllegalError`."""
        outcomes = self.outcomes()
        if outcome not in outcomes:
            raise IllegalError(f"there is no outcome {outcome} now")
        if not self.is_draw():
            text = self.setup.game.chance_name(self.state, outcome)
            COMPILED.play(self._states, outcome)
            self._go_on(text)
            return
        rest = [card for card in outcomes if card != outcome]
        self.drawn.append(outcome)
        self._outcomes = rest
        if len(rest) <= 1:  # the last card is determined, and the deal is carried out
            names = [card_name(card) for card in (*self.drawn, *rest)]
            text = " ".join([self.setup.game.deck_word(self.state), *names])
            self.drawn.clear()
            COMPILED.deal(self._states, parse_deck(self.setup.game, self.state, text))
            self._go_on(text)
