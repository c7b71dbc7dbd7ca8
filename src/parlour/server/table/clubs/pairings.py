"""Pairings of a round: everyone with everyone by the circle method, or Swiss.

Swiss: players are paired from the top of the standings with the next one whom they have not met. An odd player, the
last one in the standings who has not, plays with a bot. If no such pairing is found, neighbours in the standings meet.
"""

from collections.abc import Collection, Sequence

from parlour.server.store.clubs import BOT, Evening

_STEPS = 20_000
"""Maximum number of steps of the search for a pairing without repeated meetings."""
Pair = tuple[int, int]


def pairs_of(evening: Evening, ranking: Sequence[int]) -> list[Pair]:
    """Return the pairs of the next round; ``ranking`` has the numbers of the players, the best first."""
    present = {each.number for each in evening.players if each.player}
    if evening.club.system == "all":
        found = circle_pairs([each.number for each in evening.players], evening.club.begun)
    else:
        met = {frozenset(game.seats) for game in evening.games}
        found = swiss_pairs([number for number in ranking if number in present], met)
    seated = [tuple(number if number in present else BOT for number in pair) for pair in found]
    return [(one, other) for one, other in seated if (one, other) != (BOT, BOT)]


def circle_pairs(numbers: Sequence[int], turn: int) -> list[Pair]:
    """Return the pairs after a number of turns of the circle, in which one player keeps the place."""
    circle = [*numbers, BOT] if len(numbers) % 2 else list(numbers)
    fixed, rest = circle[0], circle[1:]
    turned = [fixed, *rest[turn % len(rest) :], *rest[: turn % len(rest)]]
    half = len(turned) // 2
    return list(zip(turned[:half], reversed(turned[half:]), strict=True))


def swiss_pairs(ranking: Sequence[int], met: Collection[frozenset[int]]) -> list[Pair]:
    """Return the pairs of these players, the best first."""
    left, pairs = list(ranking), []
    if len(left) % 2:
        fresh = [number for number in left if frozenset((number, BOT)) not in met]
        odd = fresh[-1] if fresh else left[-1]
        left.remove(odd)
        pairs = [(odd, BOT)]
    search = _Search(met)
    best = search.pair(left)
    return [*(best if best is not None else list(zip(left[::2], left[1::2], strict=True))), *pairs]


class _Search:
    """A search for pairs who have not met, the nearest in the standings first."""

    def __init__(self, met: Collection[frozenset[int]]) -> None:
        self._met = met
        self._steps = 0

    def pair(self, left: Sequence[int]) -> list[Pair] | None:
        """Return pairs of all these players; ``None`` if there are none, or the search takes too long."""
        if not left:
            return []
        first, *others = left
        for at, other in enumerate(others):
            self._steps += 1
            if self._steps > _STEPS:
                return None
            if frozenset((first, other)) not in self._met:
                rest = self.pair([*others[:at], *others[at + 1 :]])
                if rest is not None:
                    return [(first, other), *rest]
        return None
