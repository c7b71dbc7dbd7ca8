"""Daily deals: one deal of each game a day, the same for everyone, from a key whose hash is published beforehand.

The key of each day is derived from the room's own key; the seat, the secret of the deal and the choices of the bots are
derived from the key of the day. Before the day a room publishes the hash of the day's key, its commitment; after the
day it publishes the key. So no player can know a deal before, and all can check it afterwards (``parlour verify``).
``docs/protocol.md`` describes the method in enough detail to repeat it without this program.

Source: HMAC as a key derivation function (NIST SP 800-108).
"""

import functools
import hashlib
import hmac
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any

from parlour.engine.arrays import Stream
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError, RecordError
from parlour.engine.game import Game, Options
from parlour.engine.matches.deals import HASH, commitment_of, new_secret
from parlour.engine.matches.records import Record
from parlour.engine.setup import Setup
from parlour.engine.sources import files_behind
from parlour.languages import gettext

METHOD = "parlour-daily/1"
LEVEL_OF_WEEKDAY = ("casual", "casual", "regular", "regular", "expert", "expert", "master")
"""The bots of each day of the week, Monday first: stronger towards Sunday."""
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_RULES_LETTERS = 16
_RULES = re.compile(rf"[0-9a-f]{{{_RULES_LETTERS}}}")
_STREAM_BYTES = 7


@dataclass(frozen=True)
class DailyPlan:
    """The plan of a day: the game with its usual number of players and options, the person's seat, and the bots.

    Attributes:
        game: the game's id.
        players: the number of players.
        options: all options with their values.
        seat: the seat of the person.
        bot: the level of the bots in all other seats.
        rules: the version of the rules (:func:`rules_version`).
    """

    game: str
    players: int
    options: Options
    seat: int
    bot: str
    rules: str


def new_daily_key() -> str:
    """Return a new key for a room from the operating system's generator, as 64 hexadecimal digits."""
    return new_secret()


def parse_day(text: str) -> date:
    """Return the day in a text like ``2026-11-25``. Raises :class:`ParlourError`."""
    with suppress(ValueError):
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
    raise ParlourError(gettext("a day is written like 2026-11-25"))


def _derive(key: str, words: str) -> bytes:
    return hmac.digest(bytes.fromhex(key), f"{METHOD} {words}".encode(), "sha256")


def key_of_day(room_key: str, day: date) -> str:
    """Return the key of a day in a room."""
    return _derive(room_key, f"day {day}").hex()


def daily_commitment(key: str) -> str:
    """Return the commitment to the key of a day: the SHA-256 of the method's name, a line end and the key."""
    return commitment_of(key, METHOD)


def secret_of_deal(key: str, game: str, rules: str) -> str:
    """Return the secret of a day's deal (:mod:`parlour.engine.matches.deals`) from the key of the day."""
    return _derive(key, f"deal {game} {rules}").hex()


def decision_stream(secret: str, seat: int, events: int) -> Stream:
    """Return the random stream of a bot's decision after a number of events.

    Each decision has a stream of its own, so that the bots respond to the same actions in the same way, also after
    undone actions and restarts of the server.
    """
    return new_stream(int.from_bytes(_derive(secret, f"bot {seat} event {events}")[:_STREAM_BYTES]))


@functools.cache  # the landing asks for each game, and the rules of a process do not change
def rules_version(game: Game) -> str:
    """Return the version of a game's rules: a hash of the files that define them."""
    whole = hashlib.sha256()
    for file in files_behind([game.deal, game.legal, game.play, game.score]):
        whole.update(file.name.encode() + b"\n" + file.read_bytes())
    return whole.hexdigest()[:_RULES_LETTERS]


def game_of_day(day: date, games: Sequence[Game]) -> Game:
    """Return the game of the day; the games take turns."""
    return games[day.toordinal() % len(games)]


def level_of_day(day: date) -> str:
    """Return the level of the bots on a day."""
    return LEVEL_OF_WEEKDAY[day.weekday()]


def plan_of(game: Game, day: date, key: str) -> DailyPlan:
    """Return the plan of a day for a game, from the key of the day."""
    setup = Setup(game, game.usual_players)
    seat = int.from_bytes(_derive(key, f"seat {game.id}")) % setup.players
    return DailyPlan(game.id, setup.players, dict(setup.options), seat, level_of_day(day), rules_version(game))


def proof_of(day: date, key: str, rules: str) -> dict[str, Any]:
    """Return the object under the key ``daily`` of the deal in a record (``docs/records.md``), once the day is over."""
    return {"method": METHOD, "day": str(day), "rules": rules, "key": key, "commitment": daily_commitment(key)}


def check_daily(record: Record, place: str = "record", commitment: str | None = None) -> date | None:
    """Check that the deal of a record follows from the key of its day, and that the key fits the commitment to the day.

    Args:
        record: the JSON object, whose deal itself is checked elsewhere (:func:`check_deal`).
        place: the record's file or line, for error messages.
        commitment: the commitment published before the day; by default the one in the record.

    Returns:
        The day; ``None`` for a record of another deal.

    Raises:
        RecordError: the deal, the key and the commitment do not match; the message names the difference.
    """
    proof = record["deal"].get("daily")
    if proof is None:
        if commitment is not None:
            raise RecordError(f"{place}: this is not the record of a daily deal: its deal has no key 'daily'")
        return None
    day = _check_proof(proof, place)
    if commitment is not None and commitment.lower() != proof["commitment"]:
        raise RecordError(f"{place}: the record's commitment for {day} is {proof['commitment']}, not {commitment}")
    if daily_commitment(proof["key"]) != proof["commitment"]:
        raise RecordError(f"{place}: the key of {day} does not fit the commitment: its hash is different")
    if secret_of_deal(proof["key"], record["game"], proof["rules"]) != record["deal"]["secret"]:
        raise RecordError(f"{place}: the secret of this deal does not follow from the key of {day}")
    return day


def _check_proof(proof: Any, place: str) -> date:
    if not isinstance(proof, dict) or proof.get("method") != METHOD:
        raise RecordError(f"{place}: the deal's 'daily' must be an object of the method {METHOD!r}")
    for key in ("key", "commitment"):
        if not isinstance(proof.get(key), str) or not HASH.fullmatch(proof[key]):
            raise RecordError(f"{place}: the {key!r} of the daily deal must be 64 hexadecimal digits (0-9, a-f)")
    if not isinstance(proof.get("rules"), str) or not _RULES.fullmatch(proof["rules"]):
        raise RecordError(
            f"{place}: the 'rules' of the daily deal must be {_RULES_LETTERS} hexadecimal digits (0-9, a-f)"
        )
    try:
        return parse_day(str(proof.get("day")))
    except ParlourError as error:
        raise RecordError(f"{place}: the 'day' of the daily deal is not valid: {error}") from None
