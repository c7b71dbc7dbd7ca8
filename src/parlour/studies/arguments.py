"""Parse command-line arguments that choose variations and bots: lists of player numbers, option values and bot ids."""

import re
from collections.abc import Iterable

from parlour.engine.errors import OptionError, PlayersError
from parlour.engine.game import Value, option_value_name, parse_option_value
from parlour.engine.setup import Setup
from parlour.studies.plan import PLAYERS, RULES

_MOST_NUMBERS = 100
"""Maximum number of numbers of players in one range."""


def numbers_of(text: str) -> list[int]:
    """Return the numbers in ``"2-4"``, ``"2,4"`` or a mixture of both. Raises :class:`PlayersError`."""
    found: dict[int, None] = {}
    for part in text.split(","):
        ends = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", part.strip())
        first, last = (int(ends[1]), int(ends[2] or ends[1])) if ends else (1, 0)
        if not first <= last < first + _MOST_NUMBERS:
            raise PlayersError(f"numbers of players are written 3 or 2-4 or 2,4, not {text!r}")
        found.update(dict.fromkeys(range(first, last + 1)))
    return list(found)


def choices_of(texts: Iterable[str]) -> dict[str, list[Value]]:
    """Return the values of each option in ``["rounds=2,4", "exchange=true"]``. Raises :class:`OptionError`."""
    found: dict[str, list[Value]] = {}
    for text in texts:
        name, values = split_option(text)
        found.setdefault(name, []).extend(parse_option_value(value.strip()) for value in values.split(","))
    return found


def options_of(text: str) -> dict[str, Value]:
    """Return the options of one variation, written ``"players=3,rounds=2"``. Raises :class:`OptionError`."""
    found: dict[str, Value] = {}
    for part in text.split(","):
        name, value = split_option(part)
        if name in found:
            raise OptionError(f"a variation has one value of {name}, not two, as in {text!r}")
        found[name] = parse_option_value(value)
    return found


def options_text(setup: Setup) -> str:
    """Return a variation as :func:`options_of` reads it: ``"players=3,rounds=2"``."""
    rules = {RULES: setup.game.id} if setup.game.variation_of else {}
    chosen = {PLAYERS: setup.players, **rules, **setup.chosen}
    return ",".join(f"{name}={option_value_name(value)}" for name, value in chosen.items())


def split_option(text: str) -> tuple[str, str]:
    """Split ``"rank-block=pair"`` into the option's name and the text of its value. Raises :class:`OptionError`."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name or not value:
        raise OptionError(f"an option is written NAME=VALUE, not {text!r}")
    return name.replace("-", "_"), value


def bots_of(text: str) -> tuple[str, ...]:
    """Split ``"thumb,search:effort=8000,tree=1"`` into the ids of two bots; commas also separate settings."""
    found: list[str] = []
    for part in text.split(","):
        if found and found[-1].startswith(("search:", "open:search:")) and "=" in part and ":" not in part:
            found[-1] += f",{part}"
        else:
            found.append(part.strip())
    return tuple(found)
