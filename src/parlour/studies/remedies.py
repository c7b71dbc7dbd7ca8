"""Remedies for an unfair game, compared on the same deals.

A remedy is another value of one option, the rules of an installed variation of the game, or points at the end.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from parlour.contests.contest import Deal, fresh_seed
from parlour.contests.interval_texts import signed_percent
from parlour.engine.arrays import Bools, Floats
from parlour.engine.errors import OptionError, ParlourError, PlayersError
from parlour.engine.game import Value, option_value_name
from parlour.engine.rewards import sides_of
from parlour.engine.setup import Setup
from parlour.engine.validation import counted
from parlour.games import all_games
from parlour.inference import edge_interval, mean_interval
from parlour.statistics import CONFIDENCE, Estimate
from parlour.studies.formulas import share_of, tie_share
from parlour.studies.games import Games, games_of
from parlour.studies.plan import RULES, Study

MOST_POINTS = 50
"""Maximum number of points as a compensation."""
_MOST_DRAWS = 0.5
"""Largest share of drawn games after a change that is measured again, or that of the unchanged game if it is larger."""
MOST_CHECKED = 4
"""Maximum number of changed setups that are measured again on fresh deals."""


def candidates(setup: Setup) -> list[Setup]:
    """Return a setup, and all setups that differ from it in one option or in the rules.

    Options have the values of ``Option.trials``; the rules are those of each installed variation of the game for this
    number of players.
    """
    changes = [(game, setup.chosen) for game in all_games() if game.variation_of == setup.game.id]
    changes += [
        (setup.game, {**setup.chosen, option.name: value})
        for option in setup.game.options
        for value in option.trials(setup.players)
    ]
    found = {setup: None}
    for game, chosen in changes:
        with suppress(OptionError, PlayersError):
            found[Setup(game, setup.players, chosen)] = None
    return list(found)


@dataclass(frozen=True)
class Remedy:
    """A change of the game, with the remaining edge.

    Attributes:
        text: the change, ``"slots=4"``, or ``"as it is"``.
        setup: the changed setup; ``None`` for points.
        points: the points for all other sides at the end; negative: points for the favoured side.
        edge: the share of wins above an even share, from −1 to 1.
        decisions: the mean number of decisions of a game.
        draws: the share of games in which several sides share first place, forfeited games apart.
        fresh: the edge on fresh deals, ``None`` if not measured.
        nearer: whether the edge on fresh deals is certainly nearer to 0 than that of the unchanged game.
    """

    text: str
    setup: Setup | None
    points: int
    edge: Estimate
    decisions: float
    draws: float
    fresh: Estimate | None = None
    nearer: bool = False

    @property
    def best_estimate(self) -> Estimate:
        """The edge on fresh deals, or else on the deals of the comparison."""
        return self.fresh or self.edge

    @property
    def distance(self) -> float:
        """The distance from 0 of the farther end of the edge's interval."""
        return max(abs(self.best_estimate.low), abs(self.best_estimate.high))

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "remedy": self.text,
            **self._change_json(),
            "edge": self.edge.to_json(),
            **({"fresh": self.fresh.to_json(), "nearer": self.nearer} if self.fresh else {}),
            "decisions": round(self.decisions, 3),
            "draws": round(self.draws, 3),
        }

    def _change_json(self) -> dict[str, Any]:
        if self.setup is None:
            return {"points": self.points}
        rules = {RULES: self.setup.game.id} if self.setup.game.variation_of else {}
        return {"options": {**rules, **self.setup.chosen}}


@dataclass(frozen=True)
class _Edge:
    """Edge of the favoured side.

    Attributes:
        shares: its share of first place in each deal.
        even: the even share.
    """

    shares: Floats
    even: float

    @property
    def estimate(self) -> Estimate:
        """The mean share, less the even share."""
        return edge_interval(self.shares - self.even, self.even)

    def is_nearer_than(self, unchanged: "_Edge", compared: int) -> bool:
        """Return whether this edge is certainly nearer to 0 than that of the unchanged game on the same deals.

        |b| < |a| holds exactly if a − b and a + b have the same sign, so both are taken deal by deal. Their intervals
        have the confidence for ``compared`` remedies (Bonferroni).
        """
        before, after = unchanged.shares - unchanged.even, self.shares - self.even
        confidence = 1 - (1 - CONFIDENCE) / compared
        closer = mean_interval(before - after, 1.0, confidence)
        same_side = mean_interval(before + after, 2.0, confidence)
        return min(closer.low, same_side.low) > 0 or max(closer.high, same_side.high) < 0


class Remedies:
    """Remedies for the edge of the side that decides first, or of a numbered side.

    Attributes:
        study: the unchanged setup, then each candidate, played by one bot in all seats; for a numbered side only
            candidates with the same sides.
        side: the number of the side from 0, ``None`` for the one that decides first.
        deals: the played deals of ``study``.
        again: the study of the best candidates on fresh deals; ``None`` before :meth:`plan_check`.
        fresh: the played deals of ``again``.
    """

    def __init__(self, setup: Setup, bot: str, seed: int, side: int | None = None) -> None:
        found, own = candidates(setup), sides_of(setup)
        if side is not None:
            if not 0 <= side < len(own):
                raise ParlourError(f"there is no side {side + 1}: in {setup.label}, the sides are 1 to {len(own)}")
            # With other partners the number stands for other seats, or for none.
            found = [each for each in found if sides_of(each) == own]
        self.study = Study(tuple(found), (bot,), seed)
        self.side, self.deals = side, list[Deal]()
        self.again: Study | None = None
        self.fresh = list[Deal]()

    @property
    def has_results(self) -> bool:
        """Whether at least two deals have been played."""
        return len(self.deals) > 1

    @property
    def who(self) -> str:
        """The subject of the edge, in words."""
        return "the first player" if self.side is None else f"side {self.side + 1}"

    def plan_check(self) -> Study | None:
        """Return a study of the unchanged setup and the best candidates on fresh deals; ``None`` without candidates.

        A change after which most games are drawn is no candidate: it makes the game even, but leaves none to win.
        """
        unchanged, found = self.study.setups[0], self.ranking()
        as_it_is = next(each for each in found if each.setup == unchanged)
        best = [each.setup for each in found if each.setup and each is not as_it_is and _leaves_wins(each, as_it_is)]
        best = best[:MOST_CHECKED]
        self.again = Study((unchanged, *best), self.study.bots, fresh_seed(self.study.seed)) if best else None
        return self.again

    def ranking(self) -> list[Remedy]:
        """Return all remedies and the unchanged setup by the size of the edge; those with fresh deals come first."""
        games = games_of(self.study, self.deals)
        rows = [self._remedy(setup, games[number, (0,)]) for number, setup in enumerate(self.study.setups)]
        if compensated := self._points(games[0, (0,)]):
            rows.append(compensated)
        rows = self._on_fresh_deals(rows)
        return sorted(rows, key=lambda each: (each.fresh is None, abs(each.best_estimate.value)))

    def _remedy(self, setup: Setup, games: Games) -> Remedy:
        """Return a setup of the study with its edge on the deals of the comparison."""
        text, edge = _difference(setup, self.study.setups[0]), self._edge(games, games.shares).estimate
        return Remedy(text, setup, 0, edge, float(games.decisions.mean()), _drawn(games.shares, games.forfeited))

    def _on_fresh_deals(self, rows: Sequence[Remedy]) -> list[Remedy]:
        """Return the remedies with their edges on fresh deals, and whether these are nearer to even.

        Args:
            rows: the unchanged setup, then the remedies.
        """
        if self.again is None or len(self.fresh) < 2:
            return list(rows)
        games = games_of(self.again, self.fresh)
        by_setup = {setup: games[number, (0,)] for number, setup in enumerate(self.again.setups)}
        edges = [self._fresh_edges(each, by_setup) if _leaves_wins(each, rows[0]) else None for each in rows]
        unchanged, checked = edges[0], sum(each is not None for each in edges[1:])
        assert unchanged is not None
        return [
            replace(each, fresh=own.estimate, nearer=own.is_nearer_than(unchanged, checked)) if own else each
            for each, own in zip(rows, edges, strict=True)
        ]

    def _fresh_edges(self, remedy: Remedy, games: Mapping[Setup, Games]) -> _Edge | None:
        """Return the edge of a remedy in ``games``; points change the results of the unchanged setup."""
        played = games.get(remedy.setup or self.study.setups[0])
        if played is None:
            return None
        if remedy.setup:
            return self._edge(played, played.shares)
        if not _scores_decide(played):
            return None
        return self._edge(played, _shares_with_points(played, self._favoured_side(played), remedy.points))

    def _favoured_side(self, games: Games) -> Any:
        return games.first if self.side is None else np.full_like(games.first, self.side)

    def _edge(self, games: Games, shares: Floats) -> _Edge:
        """Return the edge of the favoured side; ``shares`` of first place are by deals × games × sides."""
        return _Edge(share_of(shares, self._favoured_side(games)).mean(axis=1), 1 / shares.shape[2])

    def _points(self, games: Games) -> Remedy | None:
        """Return the best compensation in points, chosen on every second deal and measured on the others.

        Returns ``None`` if first place does not follow from the scores, if there are fewer than four deals, or if 0
        points are best. Forfeited games, whose first places do not follow from the scores, keep their result.
        """
        if not _scores_decide(games) or len(games.shares) < 4:
            return None
        favoured, even = self._favoured_side(games), 1 / games.shares.shape[2]
        sign = 1 if share_of(games.shares, favoured).mean() > even else -1
        distances = [
            abs(share_of(_shares_with_points(games, favoured, sign * points)[::2], favoured[::2]).mean() - even)
            for points in range(MOST_POINTS + 1)
        ]
        best = sign * int(np.argmin(distances))
        if best == 0:
            return None
        shares = _shares_with_points(games, favoured, best)[1::2]
        edge = _Edge(share_of(shares, favoured[1::2]).mean(axis=1), even).estimate
        text = f"{counted(abs(best), 'point')} for {'all others' if best > 0 else self.who} at the end"
        return Remedy(text, None, best, edge, float(games.decisions.mean()), _drawn(shares, games.forfeited[1::2]))

    def text(self) -> str:
        """Return the edge of the unchanged game, and the remedies as a table."""
        found, first = self.ranking(), self.study.setups[0]
        as_it_is = next(each for each in found if each.setup == first)
        lines = [
            f"{first.label}, played by {self.study.bots[0]} in {counted(len(self.deals), 'deal')}: {self.who} wins "
            f"{_edge_text(as_it_is.edge)} of 100 games beyond an even share.",
            *([_NO_EDGE.format(who=self.who)] if as_it_is.edge.low <= 0 <= as_it_is.edge.high else []),
            "",
            f"{'remedy':<44}{'edge, of 100 games':<24}{'on fresh deals':<24}{'decisions':>9}{'drawn, %':>10}",
        ]
        lines += [
            f"{each.text:<44}{_edge_text(each.edge):<24}{_edge_text(each.fresh):<24}{each.decisions:>9.1f}"
            f"{100 * each.draws:>10.0f}"
            for each in found
        ]
        return "\n".join([*lines, "", *self._advice(found, as_it_is)])

    def _advice(self, found: Sequence[Remedy], as_it_is: Remedy) -> list[str]:
        """Return the conclusion from fresh deals, and the remedy that needs no new rule."""
        nearer = [each for each in found if each.nearer]
        turned = "each side begins equally often" if self.side is None else "the players exchange sides equally often"
        words = f"Without another rule: in a match in which {turned}, {self.who} has no edge."
        if not nearer:
            return ["On fresh deals no remedy is certainly nearer to even than the unchanged game.", words]
        best = min(nearer, key=lambda each: each.distance)
        return [
            f"On fresh deals one remedy is certainly nearer to even than the unchanged game: {best.text}. The edge is "
            f"{_edge_text(best.fresh)} of 100 games instead of {_edge_text(as_it_is.fresh)}.",
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
            "remedies": [each.to_json() for each in self.ranking()],
        }


_NO_EDGE = "The interval contains 0, so {who} may have no edge; more --deals narrow it."


def _difference(setup: Setup, first: Setup) -> str:
    """Return the changed rules and options of a setup: ``"slots=4"``."""
    changed: dict[str, Value] = {RULES: setup.game.id} if setup.game != first.game else {}
    changed |= {
        name: value for name, value in setup.options.items() if setup.chosen.get(name) != first.chosen.get(name)
    }
    return ", ".join(f"{name}={option_value_name(value)}" for name, value in changed.items()) or "as it is"


def _leaves_wins(remedy: Remedy, unchanged: Remedy) -> bool:
    """Return whether at most half of the games are drawn, or no more than in the unchanged game."""
    return remedy.draws <= max(_MOST_DRAWS, unchanged.draws)


def _drawn(shares: Floats, forfeited: Bools) -> float:
    """Return the mean of :func:`parlour.studies.formulas.tie_share`."""
    return float(tie_share(shares, forfeited).mean())


def _scores_decide(games: Games) -> bool:
    """Return whether first place follows from the scores in all games without a forfeit."""
    differs = np.abs(_first_places(games.points) - games.shares).max(axis=2) > 1e-9
    return not (differs & ~games.forfeited).any()


def _first_places(points: Floats) -> Floats:
    """Return each side's share of first place, from the points: deals × games × sides."""
    first = points == points.max(axis=2, keepdims=True)
    shares: Floats = first / first.sum(axis=2, keepdims=True)
    return shares


def _shares_with_points(games: Games, favoured: Any, extra: int) -> Floats:
    """Return the shares of first place if all other sides get ``extra`` points, or the favoured side ``-extra``."""
    sides = np.arange(games.points.shape[2])
    others = sides[None, None, :] != favoured[:, :, None]
    shares = _first_places(games.points + (others * extra if extra > 0 else ~others * -extra))
    return np.where(games.forfeited[:, :, None], games.shares, shares)


def _edge_text(edge: Estimate | None) -> str:
    return signed_percent(edge) if edge else ""
