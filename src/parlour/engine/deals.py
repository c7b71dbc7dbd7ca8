"""Chance that is committed to beforehand: whoever deals can be held to it afterwards, with nothing but the record.

A secret of 256 bits is drawn before the first event, and only its hash, the commitment, is shown. All chance of the
game follows from the secret; when the game is over it stands in the record, and anyone can check that it fits the
commitment and that every shuffle is the one it gives (``parlour verify``). ``docs/protocol.md`` tells the method so
that it can be done without this program.

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
from parlour.engine.match import Match
from parlour.engine.records import Record, begin_replay, replay
from parlour.engine.rules import CHANCE

METHOD = "parlour-deal/1"
_SECRET_BYTES = 32
_WORD_BYTES = 8
_HEX = re.compile(r"[0-9a-f]{64}")


def new_secret() -> str:
    """A secret from the operating system's generator, as 64 hexadecimal digits."""
    return secrets.token_hex(_SECRET_BYTES)


def commitment_of(secret: str) -> str:
    """The hash of a secret, as 64 hexadecimal digits: SHA-256 over the method's name, a line end and the secret."""
    return hashlib.sha256(f"{METHOD}\n{secret}".encode()).hexdigest()


class DealRandomness:
    """The chance of one chance event: ``number`` counts those of a game from 0."""

    def __init__(self, secret: str, number: int) -> None:
        self._words = _words(bytes.fromhex(secret), number)

    def below(self, limit: int) -> int:
        """A whole number from 0 to ``limit - 1``, each equally likely."""
        most = 1 << 8 * _WORD_BYTES
        return next(word for word in self._words if word < most - most % limit) % limit

    def shuffled(self, cards: list[int]) -> list[int]:
        """The cards in a random order, every order equally likely; begins with them in the order of their numbers."""
        cards = sorted(cards)
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return cards


def _words(secret: bytes, number: int) -> Iterator[int]:
    """Numbers of 64 bits without end: block by block of HMAC-SHA256, four to a block, the highest byte first."""
    block = 0
    while True:
        digest = hmac.digest(secret, f"{METHOD} event {number} block {block}".encode(), "sha256")
        for start in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[start : start + _WORD_BYTES], "big")
        block += 1


def draw_committed(match: Match, secret: str) -> str:
    """The outcome, as text, of the chance event that comes next, as the secret has it."""
    return match.draw_chance(DealRandomness(secret, sum(event.by == CHANCE for event in match.events)))


def deal_of(secret: str, given: int = 0) -> dict[str, Any]:
    """What a record says of the chance of a game that is over: the key ``deal``. Raises ``ValueError``.

    ``given`` is the number of events at the beginning that were taken over from another game: the secret gives nothing
    of them, though their chance events are counted.
    """
    if not _HEX.fullmatch(secret):
        raise ValueError("a secret has 64 hexadecimal digits")
    return {"method": METHOD, "commitment": commitment_of(secret), "secret": secret, "given": given}


def check_deal(record: Record, place: str = "record", commitment: str | None = None) -> Match:
    """Check that a record is legal and that its chance is what was committed to. Returns the match.

    The events that the record says were given are not checked against the secret; a caller tells people so.

    Args:
        record: the JSON object.
        place: where the record stands, for messages.
        commitment: the one shown before the game, if it is to be another's word than the record's own.

    Raises:
        RecordError: it is not so; says what does not agree.
    """
    secret = _checked_secret(record.get("deal"), place, commitment)
    replay(record, place)
    given = given_events(record, place)
    match = begin_replay(record, place)
    for number, event in enumerate(record["events"], 1):
        if event["by"] != "chance":
            match.play(event["do"], event["by"])
            continue
        expected = draw_committed(match, secret)
        if number > given and event["do"] != expected:
            raise RecordError(
                f"{place}, event {number}: chance is {event['do'][:200]!r}, but the secret gives {expected!r}: "
                "this is not what was committed to"
            )
        match.play_chance(event["do"])
    return match


def given_events(record: Record, place: str = "record") -> int:
    """How many events at the beginning were taken over from another game. Raises :class:`RecordError`."""
    given = record["deal"].get("given")
    if type(given) is not int or not 0 <= given <= len(record["events"]):
        raise RecordError(f"{place}: the deal's 'given' must be a whole number, of events of this record")
    return given


def _checked_secret(deal: Any, place: str, commitment: str | None) -> str:
    """The opened secret, if it fits the commitment."""
    if deal is None:
        raise RecordError(f"{place}: the key 'deal' is missing: nothing was committed to, or it was never opened")
    if not isinstance(deal, dict):
        raise RecordError(f"{place}: 'deal' must be an object, not {json.dumps(deal)[:60]}")
    if deal.get("method") != METHOD:
        raise RecordError(f"{place}: the method of the deal is {deal.get('method')!r}, but only {METHOD!r} is known")
    for key in ("commitment", "secret"):
        if not isinstance(deal.get(key), str) or not _HEX.fullmatch(deal[key]):
            raise RecordError(f"{place}: the deal's {key!r} must be 64 hexadecimal digits (0-9, a-f)")
    if commitment is not None and commitment.lower() != deal["commitment"]:
        raise RecordError(f"{place}: the record's commitment is {deal['commitment']}, but {commitment} was shown")
    if commitment_of(deal["secret"]) != deal["commitment"]:
        raise RecordError(
            f"{place}: the secret does not fit the commitment: its hash is {commitment_of(deal['secret'])}, "
            f"not {deal['commitment']}"
        )
    return str(deal["secret"])
