"""Parse command-line arguments that choose variations and bots: lists of player numbers, option values and bot ids."""

import re
from collections.abc import Iterable

from parlour.engine.errors import OptionError, PlayersError
from parlour.engine.game import Value, option_value_name, parse_option_value
from parlour.engine.setup import Setup
from parlour.studies.plan import PLAYERS, RULES

_MOST_VALUES = 100
"""Maximum number of values of an option in one list or range."""
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


def values_of(text: str) -> tuple[Value, ...] | range:
    """Return the values in ``"2,4"``, ``"pair,any"``, ``"5-9"`` or ``"20-200/20"``. Raises :class:`OptionError`."""
    ends = re.fullmatch(r"(\d+)-(\d+)(?:/(\d+))?", text)
    if not ends:
        return tuple(dict.fromkeys(parse_option_value(value.strip()) for value in text.split(",")))
    first, last, step = int(ends[1]), int(ends[2]), int(ends[3] or 1)
    if first > last or step == 0:
        raise OptionError(f"a range is written FIRST-LAST or FIRST-LAST/STEP, not {text!r}")
    return range(first, last + 1, step)


def choices_of(texts: Iterable[str]) -> dict[str, list[Value]]:
    """Return the values of each option in ``["rounds=2,4", "slots=2-5", "exchange=true"]``.

    Raises:
        OptionError: a text is no option with values, or has too many of them.
    """
    found: dict[str, list[Value]] = {}
    for text in texts:
        name, values_text = split_option(text)
        values = values_of(values_text)
        if len(values) > _MOST_VALUES:
            raise OptionError(
                f"{text!r} has {len(values):,} values, but may have {_MOST_VALUES}: {name}=FIRST-LAST/STEP has fewer"
            )
        found.setdefault(name, []).extend(values)
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
