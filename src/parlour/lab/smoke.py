"""A smoke match: whether a bot holds its own with every number of players and every combination of options."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from parlour.engine.game import Game, Value, option_value_name
from parlour.lab.combinations import Combination, combination_text, combinations_of
from parlour.lab.contest import MATCH, Contest, play_deals
from parlour.lab.measure import Estimate, estimate_mean
from parlour.lab.standing import Tally, beyond


@dataclass
class Standing:
    """What a challenger won beyond its even share against a field of one other bot, in every combination.

    Attributes:
        above: for each combination played, by deal, the share of first places less the even one.
    """

    game: Game
    players: int | None
    given: dict[str, Value]
    challenger: str
    against: str
    above: list[tuple[Combination, list[float]]] = field(default_factory=list)
    games: int = 0

    def __post_init__(self) -> None:
        self.combinations = combinations_of(self.game, self.players, self.given)

    def play(self, combination: Combination, deals: int, seed: int) -> None:
        """Play so many deals of a combination, with the seats turned; no two combinations are dealt the same cards."""
        players, options = combination
        tally = Tally(Contest(MATCH, self.game.id, players, options, (self.challenger, self.against), seed))
        first = len(self.above) * deals
        for deal in play_deals(tally.contest, first, first + deals, cores=1):
            tally.add(deal)
        self.above.append((combination, [share - tally.even_share for share in tally.shares[0]]))
        self.games += tally.games

    def rows(self) -> dict[str, tuple[int, Estimate]]:
        """Of all combinations, of each number of players and each value of an option: how many, and the mean."""
        found: dict[str, list[list[float]]] = defaultdict(list)
        for (players, _), above in sorted(self.above, key=lambda each: each[0][0]):
            found["all"].append(above)
            found[f"{players} players"].append(above)
        resolved = [(self.game.resolve(*combination), above) for combination, above in self.above]
        for option in self.game.options:
            for options, above in resolved:
                found[f"{option.name}={option_value_name(options[option.name])}"].append(above)
        return {
            name: (len(group), estimate_mean([each for above in group for each in above]))
            for name, group in found.items()
        }

    def worst(self) -> tuple[str, float]:
        """The combination in which the challenger fared worst, and its mean there."""
        combination, above = min(self.above, key=lambda each: sum(each[1]))
        return combination_text(*combination), sum(above) / len(above)

    @property
    def begun(self) -> bool:
        """Whether there is anything to tell yet."""
        return bool(self.above)

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "game": self.game.id,
            "players": self.players,
            "options": self.given,
            "challenger": self.challenger,
            "field": self.against,
            "combinations": len(self.above),
            "games": self.games,
            "rows": {
                name: {"combinations": number, "above": mean.to_json()} for name, (number, mean) in self.rows().items()
            },
            "each": [
                {"players": players, "options": options, "above": above} for (players, options), above in self.above
            ],
        }

    def text(self) -> str:
        """As a table."""
        rows = self.rows()
        width = max(map(len, rows))
        lines = [
            f"{self.challenger} against {self.against}: {self.game.title}, {len(self.above)} combinations,"
            f" {self.games:,} games, seats turned",
            f"  {'':{width}}  combinations  wins beyond the even share, of 100 games",
        ]
        for name, (number, mean) in rows.items():
            lines.append(f"  {name:{width}}  {number:12}  {beyond(mean, 5)}")
        where, how = self.worst()
        lines.append(f"  worst: {where}: {100 * how:+.1f}".replace("-", "−"))
        return "\n".join(lines)


def measure(standing: Standing, deals: int, seed: int, progress: Callable[[int], None] = lambda done: None) -> None:
    """Play every combination."""
    for combination in standing.combinations:
        standing.play(combination, deals, seed)
        progress(1)
