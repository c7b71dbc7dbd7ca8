"""Pairings of a round: round robin by the circle method, or the Swiss system.

The Swiss system pairs each player, from the top of the standings, with the next one whom the player has not met. If
the number of players is odd, the last one in the standings who has not yet played against a bot does so, if the others
can be paired so, or else the one before; if all have played against a bot, it is any player, the last one first. Where
meetings must be repeated, as few are as possible.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from parlour.server.store.people.clubs import BOT, ClubNight

_STEPS = 20_000
"""Maximum number of pairs that a search tries; the next search may repeat one meeting more."""
Pair = tuple[int, int]


def pairs_of(night: ClubNight, ranking: Sequence[int]) -> list[Pair]:
    """Return the pairs of the next round, with bots for forgotten players; ``ranking`` has the best player first."""
    present = {each.number for each in night.players if each.player}
    if night.club.system == "all":
        pairs = circle_pairs([each.number for each in night.players], night.club.begun)
    else:
        met = Counter(frozenset(game.seats) for game in night.games if game.deal == 0)
        pairs = swiss_pairs([number for number in ranking if number in present], met)
    seated = [tuple(number if number in present else BOT for number in pair) for pair in pairs]
    return [(one, other) for one, other in seated if (one, other) != (BOT, BOT)]


def circle_pairs(numbers: Sequence[int], turn: int) -> list[Pair]:
    """Return the pairs after ``turn`` steps of the circle method: the first player stays, the others move on."""
    circle = [*numbers, BOT] if len(numbers) % 2 else list(numbers)
    fixed, rest = circle[0], circle[1:]
    turned = [fixed, *rest[turn % len(rest) :], *rest[: turn % len(rest)]]
    half = len(turned) // 2
    return list(zip(turned[:half], reversed(turned[half:]), strict=True))


def swiss_pairs(ranking: Sequence[int], met: Mapping[frozenset[int], int]) -> list[Pair]:
    """Return the Swiss pairs of the players in ``ranking``, the best first; ``met`` has the meetings of each pair."""
    fresh = [number for number in ranking if frozenset((number, BOT)) not in met]
    odds = list(reversed(fresh or ranking)) if len(ranking) % 2 else [BOT]
    for repeats in range(max(met.values(), default=0) * len(ranking) // 2 + 1):
        search = _Search(met)
        for odd in odds:
            pairs = search.pair([number for number in ranking if number != odd], repeats)
            if pairs is not None:
                return [*pairs, (odd, BOT)] if odd != BOT else pairs
    raise AssertionError("neighbours may meet if every meeting may be repeated")


class _Search:
    """A depth-first search for pairs who have seldom met, which tries the nearest in the standings first."""

    def __init__(self, met: Mapping[frozenset[int], int]) -> None:
        self._met = met
        self._steps = 0

    def pair(self, left: Sequence[int], repeats: int) -> list[Pair] | None:
        """Return a pairing of all these players who have met at most ``repeats`` times together.

        ``None`` if there is none, or the search takes too many steps.
        """
        if not left:
            return []
        first, *others = left
        for at, other in enumerate(others):
            self._steps += 1
            if self._steps > _STEPS:
                return None
            meetings = self._met.get(frozenset((first, other)), 0)
            if meetings <= repeats:
                rest = self.pair([*others[:at], *others[at + 1 :]], repeats - meetings)
                if rest is not None:
                    return [(first, other), *rest]
        return None
