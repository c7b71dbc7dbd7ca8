"""Names of bots at a table."""

from collections.abc import Collection

from parlour.languages import pgettext

BOT_NAMES = ("Ada", "Bruno", "Cleo", "Dov", "Edda", "Finn", "Gia")
"""Names of bots in the order in which tables take them; the page's list is generated from this one."""


def bot_names(seats: Collection[int], taken: Collection[str] = ()) -> dict[int, str]:
    """Return a name for a bot in each of these seats: the first names not ``taken``, then ``"Bot 8"`` for seat 7."""
    free = [name for name in BOT_NAMES if name not in taken]
    return {seat: free[index] if index < len(free) else f"Bot {seat + 1}" for index, seat in enumerate(seats)}


def seat_names(players: int, seat: int) -> tuple[str, ...]:
    """Return the names of all seats for the player in ``seat``, with bots in the others."""
    names = bot_names([other for other in range(players) if other != seat])
    return tuple(names.get(other) or own_name() for other in range(players))


def own_name() -> str:
    """Return the name of the player at a table that only the player sees."""
    return pgettext("player", "You")
