"""Remedies for an edge of the first player or of a side: other values of options, and points, on the same deals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.contests.contest import Deal
from parlour.engine.arrays import Floats
from parlour.engine.errors import OptionError, ParlourError
from parlour.engine.game import Value, option_value_name
from parlour.engine.setup import Setup
from parlour.inference import share_interval
from parlour.render.words import counted
from parlour.statistics import Estimate
from parlour.studies.games import Games, games_of
from parlour.studies.plan import Study

MOST_POINTS = 50
"""Greatest number of points that is tried as a compensation."""
CHECKED = 3
"""Number of remedies that are played again on fresh deals."""


def candidates(setup: Setup) -> list[Setup]:
    """Return a setup, and the setups in which one option has another of the values that checks try."""
    found = {setup: None}
    for option in setup.game.options:
        for value in option.trials(setup.players):
            try:
                found[Setup(setup.game, setup.players, {**setup.chosen, option.name: value})] = None
            except OptionError:
                continue
    return list(found)


@dataclass(frozen=True)
class Remedy:
    """A way to play, with the edge that is left.

    Attributes:
        text: the change, ``"slots=4"``, or ``"as it is"``.
        setup: the setup to be played; ``None`` for points.
        points: the points that all others get at the end.
        edge: the wins beyond an even share, from −1 to 1.
        decisions: the mean number of decisions of a game.
        fresh: the edge on fresh deals, if it was measured.
    """

    text: str
    setup: Setup | None
    points: int
    edge: Estimate
    decisions: float
    fresh: Estimate | None = None

    @property
    def known(self) -> Estimate:
        """The edge on fresh deals, or else on those on which all were compared."""
        return self.fresh or self.edge

    @property
    def within(self) -> float:
        """The largest distance from even that the interval holds."""
        return max(abs(self.known.low), abs(self.known.high))

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "remedy": self.text,
            **({"options": self.setup.chosen} if self.setup else {"points": self.points}),
            "edge": self.edge.to_json(),
            **({"fresh": self.fresh.to_json()} if self.fresh else {}),
            "decisions": round(self.decisions, 3),
        }


class Remedies:
    """Remedies for the edge of the side that decides first, or of a side by where it sits.

    Attributes:
        study: the setup as it is, then each candidate; one bot plays alone.
        side: the number of the side from 0, ``None`` for the one that decides first.
        deals: the deals played.
        again: the study of the best candidates, on fresh deals.
        fresh: its deals.
    """

    def __init__(self, setup: Setup, bot: str, seed: int, side: int | None = None) -> None:
        self.study = Study(tuple(candidates(setup)), (bot,), seed)
        sides = len(self.study.contests[0].sides)
        if side is not None and not 0 <= side < sides:
            raise ParlourError(f"there is no side {side + 1}: {setup.label} has sides 1 to {sides}")
        self.side, self.deals = side, list[Deal]()
        self.again: Study | None = None
        self.fresh = list[Deal]()

    @property
    def begun(self) -> bool:
        """Whether there are results."""
        return len(self.deals) > 1

    @property
    def who(self) -> str:
        """The subject of the edge, in words."""
        return "the first player" if self.side is None else f"side {self.side + 1}"

    def plan_check(self) -> Study | None:
        """Plan to play the setup as it is and the nearest candidates on fresh deals; ``None`` without candidates."""
        best = [each.setup for each in self.found() if each.setup][: CHECKED + 1]
        setups = dict.fromkeys([self.study.setups[0], *(setup for setup in best if setup)])
        self.again = Study(tuple(setups), self.study.bots, self.study.seed + 1) if len(setups) > 1 else None
        return self.again

    def found(self) -> list[Remedy]:
        """Return all remedies, the nearest to even first; the setup as it is among them."""
        games = games_of(self.study, self.deals)
        fresh = games_of(self.again, self.fresh) if self.again and len(self.fresh) > 1 else {}
        numbers = {setup: number for number, setup in enumerate(self.again.setups)} if fresh and self.again else {}
        rows = []
        for number, setup in enumerate(self.study.setups):
            played = games[number, (0,)]
            again = fresh[numbers[setup], (0,)] if setup in numbers else None
            rows.append(
                Remedy(
                    _difference(setup, self.study.setups[0]),
                    setup,
                    0,
                    self._edge(played, played.shares),
                    float(played.decisions.mean()),
                    self._edge(again, again.shares) if again else None,
                )
            )
        if compensated := self._points(games[0, (0,)]):
            rows.append(compensated)
        return sorted(rows, key=lambda each: (each.fresh is None, abs(each.known.value)))

    def _favoured(self, games: Games) -> Any:
        return games.first if self.side is None else np.full_like(games.first, self.side)

    def _edge(self, games: Games, shares: Floats) -> Estimate:
        """Return the edge in these games with these shares of first place."""
        even = 1 / shares.shape[2]
        found = share_interval(_own(shares, self._favoured(games)).mean(axis=1))
        return Estimate(found.value - even, found.low - even, found.high - even)

    def _points(self, games: Games) -> Remedy | None:
        """Return the best number of points for the others, chosen on every second deal and measured on the rest.

        Returns ``None`` if first place does not follow from the scores, or if no number is better than none.
        """
        if np.abs(_first_places(games.points) - games.shares).max() > 1e-9 or len(games.shares) < 4:
            return None
        favoured, even = self._favoured(games), 1 / games.shares.shape[2]
        sign = 1 if _own(games.shares, favoured).mean() > even else -1
        chance = [
            abs(_own(_compensated(games.points, favoured, sign * points)[::2], favoured[::2]).mean() - even)
            for points in range(MOST_POINTS + 1)
        ]
        best = sign * int(np.argmin(chance))
        if best == 0:
            return None
        shares = _own(_compensated(games.points, favoured, best)[1::2], favoured[1::2]).mean(axis=1)
        found = share_interval(shares)
        edge = Estimate(found.value - even, found.low - even, found.high - even)
        to = "all others" if best > 0 else self.who
        return Remedy(
            f"{counted(abs(best), 'point')} for {to} at the end", None, best, edge, float(games.decisions.mean())
        )

    def text(self) -> str:
        """Return the edge as it is, and the remedies as a table."""
        found, first = self.found(), self.study.setups[0]
        as_it_is = next(each for each in found if each.setup == first)
        lines = [
            f"{first.label}, played by {self.study.bots[0]} in {counted(len(self.deals), 'deal')}: {self.who} wins "
            f"{_shown(as_it_is.edge)} of 100 games beyond an even share.",
            *([_NO_EDGE.format(who=self.who)] if as_it_is.edge.low <= 0 <= as_it_is.edge.high else []),
            "",
            f"{'remedy':<44}{'edge, of 100 games':<24}{'on fresh deals':<24}{'decisions':>9}",
        ]
        lines += [
            f"{each.text:<44}{_shown(each.edge):<24}{_shown(each.fresh):<24}{each.decisions:>9.1f}" for each in found
        ]
        return "\n".join([*lines, "", *self._advice(found, as_it_is)])

    def _advice(self, found: Sequence[Remedy], as_it_is: Remedy) -> list[str]:
        """Return what to make of it, and a command for a closer study."""
        tested = [each for each in found if each.fresh and each is not as_it_is]
        better = [each for each in tested if each.within < as_it_is.within]
        words = (
            "Without another rule: in a match in which each side begins equally often, the edge of the start is none."
        )
        if not better:
            return ["On fresh deals none of the remedies is surely nearer to even than the game as it is.", words]
        best = min(better, key=lambda each: each.within)
        return [
            f"On fresh deals {best.text} is even to within {100 * best.within:.1f} of 100 games, the game as it is to "
            f"within {100 * as_it_is.within:.1f}.",
            words,
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the results as JSON values."""
        setup = self.study.setups[0]
        return {
            **setup.to_json(),
            "bot": self.study.bots[0],
            "seed": self.study.seed,
            "deals": len(self.deals),
            "side": None if self.side is None else self.side + 1,
            "remedies": [each.to_json() for each in self.found()],
        }


_NO_EDGE = "The interval holds 0, so {who} may have no edge at all; more --deals may tell."


def _difference(setup: Setup, first: Setup) -> str:
    """Return the options in which a setup was changed: ``"slots=4"``."""
    changed: dict[str, Value] = {
        name: value for name, value in setup.options.items() if setup.chosen.get(name) != first.chosen.get(name)
    }
    return ", ".join(f"{name}={option_value_name(value)}" for name, value in changed.items()) or "as it is"


def _own(shares: Floats, favoured: Any) -> Floats:
    """Return the share of first place of the favoured side of each game: deals × games."""
    own: Floats = np.take_along_axis(shares, favoured[:, :, None].astype(int), axis=2)[:, :, 0]
    return own


def _first_places(points: Floats) -> Floats:
    """Return each side's share of first place by the points: deals × games × sides."""
    first = points == points.max(axis=2, keepdims=True)
    shares: Floats = first / first.sum(axis=2, keepdims=True)
    return shares


def _compensated(points: Floats, favoured: Any, extra: int) -> Floats:
    """Return the shares of first place if all but the favoured side get ``extra`` points, or it gets ``-extra``."""
    sides = np.arange(points.shape[2])
    others = sides[None, None, :] != favoured[:, :, None]
    return _first_places(points + (others * extra if extra > 0 else ~others * -extra))


def _shown(edge: Estimate | None) -> str:
    if edge is None:
        return ""
    value, low, high = (f"{100 * each:+.1f}".replace("-", "−") for each in (edge.value, edge.low, edge.high))
    return f"{value} ({low} to {high})"
