"""3 Tricks: rebuild the deal that led to a determinization, by undoing draws and swaps one by one.

The default reconstruction does not suffice: the cards' positions do not show when they were drawn. Of the other
player's cards, those that cannot have been drawn long ago return to the stock first; the chain of links shows which.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from parlour.cards import card_name, cards_of, parse_cards
from parlour.engine.errors import RecordError
from parlour.engine.information.determinization import observed_state
from parlour.engine.match import Match
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import array_of, copy_state
from parlour.games.three_tricks.typed_state import State


def rebuild(match: Match, state: State) -> list[dict[str, Any]]:
    """Return the game's events, consistent with ``state``, a determinization."""
    if match.state.hand.tolist() == state.hand.tolist() and match.state.second.tolist() == state.second.tolist():
        return restacked_events(match, state)
    observed = [array_of(observed_state(state, seat)).tobytes() for seat in range(2)]
    viewer = next(seat for seat in range(2) if observed[seat] == match.observed(seat).tobytes())
    return _BackwardReplay(match, state, viewer).events()


def restacked_events(match: Match, state: State) -> list[dict[str, Any]]:
    """Return the true events; the last deal or shuffle has the cards left in the stock in the order of ``state``."""
    events = [event.to_json() for event in match.events]
    dealt = [event for event in events if event["do"].split()[0] in ("deal", "shuffle")]
    if dealt and state.left:
        words = dealt[-1]["do"].split()
        words[-int(state.left) :] = [card_name(card) for card in state.stock[: state.left][::-1]]
        dealt[-1]["do"] = " ".join(words)
    return events


def event_text(word: str, cards: Iterable[int]) -> str:
    """Return the notation of an action or event: its word, then its cards."""
    return " ".join([word, *map(card_name, cards)])


@dataclass(frozen=True)
class DrawStep:
    """An event, the cards drawn after it, and the links of the other's cards that hold after it."""

    event: dict[str, Any]
    own: set[int]  # the viewer's cards in the second stock at the last shuffle
    drawer: int
    drawn: list[int]
    links: list[set[int]]

    def innermost(self, cards: Collection[int], number: int) -> list[int]:
        """Return the ``number`` cards that belong to the most links."""
        return sorted(cards, key=lambda card: (sum(card not in link for link in self.links), card))[:number]


def steps_of(match: Match, viewer: int) -> list[DrawStep]:
    """Return a step for every event of the match, which is replayed."""
    again, steps, own = Match(match.setup, COMPILED), list[DrawStep](), set[int]()
    for event in match.events:
        before = copy_state(again.state)
        stock = [int(card) for card in before.stock[: before.left]][::-1]
        if event.do.startswith("shuffle"):
            stock, own = parse_cards(event.do.split(" ", 1)[1]), set(cards_of(before.second[viewer]))
        again.apply_event(event)
        after = again.state
        links = [own | set(cards_of(after.older[viewer, link])) for link in range(after.links[viewer])]
        drawn = stock[: len(stock) - int(after.left)]
        steps.append(DrawStep(event.to_json(), own, int(after.drawer), drawn, links))
    return steps


class _BackwardReplay:
    """A backward replay, which undoes the last event first.

    ``hand`` is the other player's hand before the events undone so far, ``put`` the cards that this player had on the
    second stock.
    """

    def __init__(self, match: Match, state: State, viewer: int) -> None:
        self.viewer, self.other = viewer, 1 - viewer
        self.dealt = 2 * int(state.hand_cards)
        self.hand, self.put = (set(cards_of(cards[self.other])) for cards in (state.hand, state.second))
        self.stock = [int(card) for card in state.stock[: state.left]]
        self.steps = steps_of(match, viewer)

    def events(self) -> list[dict[str, Any]]:
        """Return the events as they were in the determinization."""
        return [self.undo(step) for step in reversed(self.steps)][::-1]

    def undo(self, step: DrawStep) -> dict[str, Any]:
        """Undo one event; return it as it was in the determinization."""
        word, _, rest = step.event["do"].partition(" ")
        if word == "dealer":
            return step.event
        if word == "deal":
            return {**step.event, "do": self.deal(parse_cards(rest))}
        self.undo_draws(step)
        if word == "shuffle":
            return {**step.event, "do": self.shuffle(step.own)}
        if step.event["by"] == self.other and word == "swap":
            return {**step.event, "do": self.swap(step, len(rest.split()))}
        if step.event["by"] == self.other:
            self.hand |= set(parse_cards(rest))
        return step.event

    def undo_draws(self, step: DrawStep) -> None:
        """Return the cards drawn after an event to the stock."""
        for card in reversed(step.drawn):
            if step.drawer == self.viewer:
                self.stock.append(card)
                continue
            back = step.innermost(self.hand, 1)
            self.hand -= set(back)
            self.stock += back

    def swap(self, step: DrawStep, number: int) -> str:
        """3T-7: choose the cards that the other player put away, and return them to its hand."""
        back = step.innermost(self.put, number)
        self.put -= set(back)
        self.hand |= set(back)
        return event_text("swap", sorted(back))

    def shuffle(self, own: set[int]) -> str:
        """3T-22: return the shuffle event; the present stock was the second stock."""
        if not own <= set(self.stock):
            raise RecordError("a card that was put away is not in the shuffled stock")
        text = event_text("shuffle", self.stock[::-1])
        self.put, self.stock = set(self.stock) - own, []
        return text

    def deal(self, truth: list[int]) -> str:
        """Return the deal event: the remaining cards are the first hands and the stock."""
        other_deals = next(step.event["do"] for step in self.steps) == f"dealer {self.other}"
        deck = list(truth)
        deck[int(other_deals) : self.dealt : 2] = sorted(self.hand)
        return event_text("deal", deck[: self.dealt] + self.stock[::-1])
