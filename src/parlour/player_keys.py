"""Keys of a record on its players: the seats of people, and the events that a bot decided for them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from parlour.engine.errors import RecordError

PEOPLE, STOOD_IN, RESIGNED = "people", "stood_in", "resigned"
"""The keys: the seats of people, the numbers of the events that a bot decided for one of them, and resignations."""


@dataclass(frozen=True)
class PlayerKeys:
    """The players of a record.

    Attributes:
        people: the seats of people; all seats if the record does not name them.
        stood_in: the numbers of the events that a bot decided for a person, also after the person's resignation.
        resigned: each seat that resigned, with the number of events before that.
    """

    people: frozenset[int]
    stood_in: frozenset[int]
    resigned: tuple[tuple[int, int], ...]


def player_keys(record: dict[str, Any], players: int, place: str) -> PlayerKeys:
    """Return the players of a record.

    Args:
        record: the record; its ``events`` are a list.
        players: the number of seats.
        place: the record's location, for error messages.

    Raises:
        RecordError: a key names a seat or an event that the game does not have, or has another form.
    """
    events, seats = record["events"], range(players)
    people = _numbers(record.get(PEOPLE, list(seats)), seats, f"{place}: {PEOPLE!r} are seats")
    stood_in = _numbers(record.get(STOOD_IN, []), range(len(events)), f"{place}: {STOOD_IN!r} are numbers of events")
    resigned = tuple(_resignations(record.get(RESIGNED, []), seats, len(events), place))
    after_resignations = {
        number
        for seat, after in resigned
        for number, event in enumerate(events[after:], after)
        if isinstance(event, dict) and event.get("by") == seat
    }
    return PlayerKeys(people, stood_in | after_resignations, resigned)


def _numbers(value: Any, among: Sequence[int], what: str) -> frozenset[int]:
    if not isinstance(value, list) or not all(_is_among(each, among) for each in value):
        raise RecordError(f"{what}, a list of numbers from 0 to {len(among) - 1}")
    return frozenset(value)


def _resignations(value: Any, seats: Sequence[int], events: int, place: str) -> Iterator[tuple[int, int]]:
    """Yield the seat of each resignation, and the number of events before it. Raises :class:`RecordError`."""
    for each in value if isinstance(value, list) else [value]:
        if not isinstance(each, dict):
            each = {}
        seat, after = each.get("seat"), each.get("after")
        if not _is_among(seat, seats) or not _is_among(after, range(events + 1)):
            raise RecordError(
                f'{place}: {RESIGNED!r} are resignations, a list of objects such as {{"seat": 0, "after": 3}}, with '
                f"seats from 0 to {len(seats) - 1} and numbers of events up to {events}"
            )
        yield seat, after


def _is_among(value: Any, numbers: Sequence[int]) -> TypeGuard[int]:
    return type(value) is int and value in numbers
