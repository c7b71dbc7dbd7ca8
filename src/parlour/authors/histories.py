"""Histories of determinizations: the events that lead to a state which a seat considers possible.

A game's ``rebuild.py`` may replace the default history (:func:`relabel_events`); ``docs/add-a-game.md`` says when it
must.
"""

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from parlour.cards import CARD_TEXT, card_name, cards_name
from parlour.engine.errors import GameError, ParlourError
from parlour.engine.events import Event
from parlour.engine.fields import CARD, CARDS, SINGLE, SUITS, Kind, fields_of
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.matches.notation import spelling_key
from parlour.engine.matches.records import replay
from parlour.engine.matches.steps import INTERPRETED, Steps
from parlour.engine.rules import CHANCE, MAX_CARDS, SPECTATOR, known_to
from parlour.engine.typed_state import OwnState
from parlour.engine.validation import shortened
from parlour.games import module_of

PLACE = "the history of a determinization"
"""Name of a determinization's history in an error of its replay."""


def may_become_uncertain(match: Match, viewer: int) -> int:
    """Return the set of cards whose places the last event may have made uncertain, according to ``rebuild.py``."""
    module = module_of(match.game.id, "rebuild")
    cards = getattr(module, "may_become_uncertain", lambda match, viewer: 0)(match, viewer)
    if not isinstance(cards, Integral):
        raise GameError(f"rebuild.py, may_become_uncertain(): returns {cards!r}, but should return a set of cards")
    return int(cards)


def record_of(match: Match, sampled: OwnState) -> dict[str, Any]:
    """Return the record of a match with the history of a determinization, by the game's ``rebuild`` or by the default.

    The seats see the same events; the hidden cards in them are those of the determinization. Only a replay tests
    whether the record is legal.

    Raises:
        GameError: ``rebuild`` returns no list with an item for each event.
    """
    module = module_of(match.game.id, "rebuild")
    events = getattr(module, "rebuild", relabel_events)(match, sampled)
    if not isinstance(events, list) or not all(
        isinstance(event, dict) and {"by", "do"} <= {*event} for event in events
    ):
        shown = shortened(repr(events))
        raise GameError(f'rebuild.py, rebuild(): returns {shown}, but should return a list of {{"by": …, "do": …}}')
    if len(events) != len(match.events):
        raise GameError(f"rebuild.py, rebuild(): returns {len(events)} events for the {len(match.events)} of the game")
    return {**match.record(), "events": events}


def relabel_events(match: Match, sampled: OwnState) -> list[dict[str, Any]]:
    """Return the events of a match with the cards of a determinization, from the last shuffle on.

    Each card becomes the card that the determinization has in its present place. Earlier events stay as they are: a
    determinization does not change earlier deals. A hidden action of several cards is spelled anew by the notation,
    since the order of its cards may change.
    """
    other = card_swaps(match.game, match.state, sampled)
    first = last_shuffle(match.events, {*other})
    events = [event.to_json() for event in match.events]
    for event in events[first:]:
        event["do"] = CARD_TEXT.sub(lambda card: other.get(card[0], card[0]), event["do"])
    if any(_may_be_misspelt(*both) for both in zip(match.events, events, strict=True)):
        _spell(match, events)
    return events


def card_swaps(game: Game, true: OwnState, sampled: OwnState) -> dict[str, str]:
    """Map each card's name to the card that a determinization has in its place, where they differ."""
    swaps: dict[str, str] = {}
    for true_zone, sampled_zone in zip(*(game.zones(state) for state in (true, sampled)), strict=True):
        names, others = ([card_name(card) for card in zone.known] for zone in (true_zone, sampled_zone))
        if not true_zone.ordered:
            common = {*names} & {*others}
            names, others = ([name for name in each if name not in common] for each in (names, others))
        swaps.update(zip(names, others, strict=True))
    return swaps


def last_shuffle(events: Sequence[Event], cards: set[str]) -> int:
    """Return the index of the last event that shuffled all of these cards; 0 if there is none.

    Where the cards lay before that shuffle has no effect on their present places.
    """
    shuffles = [
        index for index, event in enumerate(events) if event.by == CHANCE and cards <= {*CARD_TEXT.findall(event.do)}
    ]
    return shuffles[-1] if shuffles else 0


def _may_be_misspelt(true: Event, event: dict[str, Any]) -> bool:
    return true.by >= 0 and event["do"] != true.do and len(CARD_TEXT.findall(true.do)) > 1


def _spell(match: Match, events: list[dict[str, Any]]) -> None:
    """Respell the actions in ``events`` as the legal action with the same words and cards, if there is one.

    Stops at the first event that is not legal: the replay of the record reports it.
    """
    again = Match(match.setup, INTERPRETED, observed=False)
    for true, event in zip(match.events, events, strict=True):
        try:
            if _may_be_misspelt(true, event) and event["do"] not in again.moves_by_text():
                meant = spelling_key(event["do"])
                event["do"] = next((text for text in again.moves_by_text() if spelling_key(text) == meant), event["do"])
            again.apply_event(Event(true.by, event["do"]))
        except ParlourError:
            return


def state_differences(state: OwnState, other: OwnState) -> list[str]:
    """Return the names of fields in which two states differ; each viewer's known cards are compared as one set."""
    fields = [name for name in state.dtype.names if name not in ("private", "public")]
    differing = [name for name in fields if state[name].tobytes() != other[name].tobytes()]
    seats = range(SPECTATOR, int(state.seats))
    return differing + [f"known to {seat}" for seat in seats if known_to(state, seat) != known_to(other, seat)]


def first_departure(match: Match, seat: int, record: dict[str, Any], steps: Steps) -> str:
    """Return the first event after which a seat's observation differs in the replay of a determinization's record.

    Returns:
        The event, the field and both values as a clause of a sentence; empty without a difference before the replay
        ends or fails.
    """
    true, other = Match(match.setup, steps), Match(match.setup, steps)
    for number, (event, imagined) in enumerate(zip(match.events, record["events"], strict=True), 1):
        try:
            for game, text in ((true, event.do), (other, imagined["do"])):
                game.apply_event(Event(event.by, text))
        except ParlourError:
            return ""
        observed, imagined_observed = true.observed(seat), other.observed(seat)
        if differing := state_differences(observed, imagined_observed):
            text_of_event = true.seen_by(seat)[-1].do[:40]
            values = _values(differing, observed, "in the game", imagined_observed)
            return f"after event {number} ({text_of_event!r} by {_actor(event.by)}), {values}"
    return ""


def _actor(by: int) -> str:
    return "chance" if by == CHANCE else f"seat {by}"


def final_differences(sampled: OwnState, replayed: OwnState) -> str:
    """Return the first difference between a determinization and the end of its replay, with both values; or nothing."""
    differing = state_differences(sampled, replayed)
    return _values(differing, sampled, "in the determinization", replayed) if differing else ""


def _values(differing: list[str], state: OwnState, where: str, replayed: OwnState) -> str:
    """Return the first differing field with both values, and the names of the others."""
    name, *others = differing
    more = f" ({', '.join(others)} {'differs' if len(others) == 1 else 'differ'} too)" if others else ""
    if name.startswith("known to "):
        seat = int(name.rpartition(" ")[2])
        cards = [int(known_to(each, seat)) for each in (state, replayed)]
        only = [cards_name(one & ~two) or "no other card" for one, two in (cards, cards[::-1])]
        who = "a spectator" if seat == SPECTATOR else f"seat {seat}"
        return f"{who} knows {only[0]} {where}, but {only[1]} in the replay{more}"
    at, values = _differing_item(state[name], replayed[name])
    texts = [_item_text(state.dtype.names, name, value) for value in values]
    return f"{name}{at} is {texts[0]} {where}, but {texts[1]} in the replay{more}"


def _differing_item(value: Any, other: OwnState) -> tuple[str, tuple[int, int]]:
    """Return the index, as text, and the values of the first item in which two values of a field differ."""
    if not isinstance(value, np.ndarray):
        return "", (int(value), int(other))
    index = tuple(int(place) for place in np.argwhere(value != other)[0])
    return str(list(index)), (int(value[index]), int(other[index]))


def _kind_of(names: tuple[str, ...], field: str) -> Kind:
    """Return the kind of a field; that of a hidden field is the kind of its numbers."""
    (kind,) = (each.kind for each in fields_of(names) if each.name == field)
    return replace(kind, observed=True)


def _item_text(names: tuple[str, ...], field: str, value: int) -> str:
    """Return a number of a state as text; a card or a set of cards by name."""
    kind = _kind_of(names, field)
    if kind == CARD:
        return card_name(value) if 0 <= value < MAX_CARDS else "no card"
    as_cards = kind in (CARDS, SUITS, SINGLE) and 0 <= value < 1 << MAX_CARDS
    return (cards_name(value) or "no card") if as_cards else str(value)


def check_history(match: Match, seat: int, sampled: OwnState, steps: Steps) -> tuple[str, Match | None]:
    """Replay the history of a determinization.

    Returns:
        an empty text and the replayed match; or a sentence that describes the error, and ``None``.
    """
    try:
        record = record_of(match, sampled)
    except GameError as error:
        return str(error), None
    try:
        other = replay(record, PLACE, steps)
    except ParlourError as error:
        where = first_departure(match, seat, record, steps)
        return f"{_impossible(seat)}: {f'{where}; then ' if where else ''}{error}{_advice(match.game)}", None
    wrong = final_differences(sampled, other.state)
    if not wrong:
        return "", other
    where = first_departure(match, seat, record, steps) or wrong
    only_known = all(name.startswith("known to ") for name in state_differences(sampled, other.state))
    advice = _KNOWLEDGE_ADVICE if only_known else _order_advice(sampled, other.state) or _advice(match.game)
    return f"a determinization of seat {seat} cannot have come about: {where}{advice}", None


_KNOWLEDGE_ADVICE = " (sample_rest may lack what the others know: see docs/contract.md)"
"""Hint for a determinization whose cards lie right, but are not known to the seats that have seen them."""


def _order_advice(sampled: OwnState, replayed: OwnState) -> str:
    """Return a hint, in brackets, for an array of cards of which the replay has the same ones in another order."""
    for name in state_differences(sampled, replayed):
        known = name.startswith("known to ")
        if not known and isinstance(sampled[name], np.ndarray) and _kind_of(sampled.dtype.names, name) == CARD:
            both = [sorted(state[name].ravel().tolist()) for state in (sampled, replayed)]
            if both[0] == both[1]:
                return f" ({name} keeps an order, so its zone needs ordered=True: see Zone in docs/contract.md)"
    return ""


def _advice(game: Game) -> str:
    """Return what the author of a game without ``rebuild.py`` may lack, in brackets."""
    lacking = module_of(game.id, "rebuild") is None
    return " (other events may lead there: see rebuild.py in docs/contract.md)" if lacking else ""


def _impossible(seat: int) -> str:
    return f"a determinization of seat {seat} is impossible"
