"""Committed deals: a commitment to all chance of a game, which anyone can verify afterwards from the record alone.

The dealer draws a secret of 256 bits before the first event and shows only its hash, the commitment. All chance of the
game follows from the secret. The record of a finished game contains the secret, so that anyone can check it against the
commitment and every shuffle against the secret (``parlour verify``). ``docs/protocol.md`` describes the method in
enough detail to repeat it without this program.

Sources: HMAC in counter mode as a generator (NIST SP 800-108); rejection of the last, incomplete range of numbers; the
shuffle of Durstenfeld, "Algorithm 235: Random permutation", CACM 7 (1964).
"""

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Iterator
from typing import Any

from parlour.engine.errors import RecordError
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.records import Record, begin_replay, replay
from parlour.engine.rules import CHANCE
from parlour.engine.validation import shown

METHOD = "parlour-deal/1"
_SECRET_BYTES = 32
_WORD_BYTES = 8
HASH = re.compile(r"[0-9a-f]{64}")
"""Pattern of a secret and of a commitment."""


def new_secret() -> str:
    """Return a new secret from the operating system's generator, as 64 hexadecimal digits."""
    return secrets.token_hex(_SECRET_BYTES)


def commitment_of(secret: str, method: str = METHOD) -> str:
    """Return the SHA-256 hash of a method's name, a line end and the secret, as 64 hexadecimal digits."""
    return hashlib.sha256(f"{method}\n{secret}".encode()).hexdigest()


class DealRandomness:
    """The random generator of one chance event; ``number`` is its index among the chance events of the game, from 0."""

    def __init__(self, secret: str, number: int) -> None:
        self._words = _words(bytes.fromhex(secret), number)

    def below(self, limit: int) -> int:
        """Return an integer from 0 to ``limit - 1``, each equally likely."""
        most = 1 << 8 * _WORD_BYTES
        return next(word for word in self._words if word < most - most % limit) % limit

    def shuffled(self, cards: list[int]) -> list[int]:
        """Return the cards in random order, every order equally likely; the result ignores the order of ``cards``."""
        cards = sorted(cards)
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return cards


def _words(secret: bytes, number: int) -> Iterator[int]:
    """Generate 64-bit numbers without end: HMAC-SHA256 in blocks of four numbers each, big-endian."""
    block = 0
    while True:
        digest = hmac.digest(secret, f"{METHOD} event {number} block {block}".encode(), "sha256")
        for start in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[start : start + _WORD_BYTES], "big")
        block += 1


def draw_committed(match: Match, secret: str) -> str:
    """Return the text of the outcome that the secret determines for the next chance event."""
    return match.sample_chance(DealRandomness(secret, sum(event.by == CHANCE for event in match.events)))


def deal_of(secret: str, given: int = 0) -> dict[str, Any]:
    """Return the object under the key ``deal`` in the record of a finished game. Raises ``ValueError``.

    ``given`` is the number of events at the beginning that were copied from another game. The secret does not determine
    them, but their chance events count in the numbering.
    """
    if not HASH.fullmatch(secret):
        raise ValueError("a secret has 64 hexadecimal digits")
    return {"method": METHOD, "commitment": commitment_of(secret), "secret": secret, "given": given}


def check_deal(record: Record, place: str = "record", commitment: str | None = None) -> Match:
    """Check that a record is legal and that its chance events match its commitment; return the match.

    The events counted by the deal's key ``given`` are not checked against the secret; callers must point this out.

    Args:
        record: the JSON object.
        place: the record's file or line, for error messages.
        commitment: the commitment shown before the game; the record's own by default.

    Raises:
        RecordError: the record is not legal or does not match; the message names the disagreement.
    """
    secret = _checked_secret(record.get("deal"), place, commitment)
    replay(record, place)
    given = given_events(record, place)
    match = begin_replay(record, place)
    for number, event in enumerate(record["events"], 1):
        if event["by"] == "chance" and number > given and event["do"] != (expected := draw_committed(match, secret)):
            raise RecordError(
                f"{place}, event {number}: chance is {event['do'][:200]!r}, but the secret gives {expected!r}: "
                "this is not what was committed to"
            )
        match.apply_event(Event.from_json(event))
    return match


def given_events(record: Record, place: str = "record") -> int:
    """Return the number of events at the beginning that were copied from another game. Raises :class:`RecordError`."""
    given = record["deal"].get("given")
    if type(given) is not int or not 0 <= given <= len(record["events"]):
        raise RecordError(f"{place}: the deal's 'given' must be a whole number, not above the number of events")
    return given


def _checked_secret(deal: Any, place: str, commitment: str | None) -> str:
    """Return the secret of a deal after checking it against the commitment. Raises :class:`RecordError`."""
    if deal is None:
        raise RecordError(
            f"{place}: the key 'deal' is missing: the game had no commitment, or its secret was not revealed"
        )
    if not isinstance(deal, dict):
        raise RecordError(f"{place}: 'deal' must be an object, not {json.dumps(deal)[:60]}")
    if deal.get("method") != METHOD:
        raise RecordError(
            f"{place}: the method of the deal is {shown(deal.get('method'))}, but only {METHOD!r} is known"
        )
    for key in ("commitment", "secret"):
        if not isinstance(deal.get(key), str) or not HASH.fullmatch(deal[key]):
            raise RecordError(f"{place}: the deal's {key!r} must be 64 hexadecimal digits (0-9, a-f)")
    if commitment is not None and commitment.lower() != deal["commitment"]:
        raise RecordError(f"{place}: the record's commitment is {deal['commitment']}, but {commitment} was shown")
    if commitment_of(deal["secret"]) != deal["commitment"]:
        raise RecordError(
            f"{place}: the secret does not fit the commitment: its hash is {commitment_of(deal['secret'])}, "
            f"not {deal['commitment']}"
        )
    return str(deal["secret"])
