"""A smoke match: whether a bot holds its own with every number of players and every combination of options."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from parlour.engine.game import option_value_name
from parlour.engine.setup import Setup
from parlour.lab.contest import MATCH, Contest, play_deals
from parlour.lab.measure import Estimate, estimate_mean
from parlour.lab.standing import Tally, beyond


@dataclass
class Standing:
    """What a challenger won beyond its even share against a field of one other bot, in every combination.

    Attributes:
        setups: what is played, one after another: at least one, all of one game.
        above: for each combination played, by deal, the share of first places less the even one.
    """

    setups: Sequence[Setup]
    challenger: str
    against: str
    above: list[tuple[Setup, list[float]]] = field(default_factory=list)
    games: int = 0

    def play(self, setup: Setup, deals: int, seed: int) -> None:
        """Play a combination's deals with the seats turned; no two combinations are dealt the same cards."""
        tally = Tally(Contest(MATCH, setup, (self.challenger, self.against), seed))
        first = len(self.above) * deals
        for deal in play_deals(tally.contest, first, first + deals, cores=1):
            tally.add(deal)
        self.above.append((setup, [share - tally.even_share for share in tally.shares[0]]))
        self.games += tally.games

    def rows(self) -> dict[str, tuple[int, Estimate]]:
        """Of all combinations, of each number of players and each value of an option: how many, and the mean."""
        found: dict[str, list[list[float]]] = defaultdict(list)
        for setup, above in sorted(self.above, key=lambda each: each[0].players):
            found["all"].append(above)
            found[f"{setup.players} players"].append(above)
        for option in self.setups[0].game.options:
            for setup, above in self.above:
                found[f"{option.name}={option_value_name(setup.options[option.name])}"].append(above)
        return {
            name: (len(group), estimate_mean([each for above in group for each in above]))
            for name, group in found.items()
        }

    def worst(self) -> tuple[str, float]:
        """The combination in which the challenger fared worst, and its mean there."""
        setup, above = min(self.above, key=lambda each: sum(each[1]))
        return setup.variation, sum(above) / len(above)

    @property
    def begun(self) -> bool:
        """Whether there is anything to tell yet."""
        return bool(self.above)

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "game": self.setups[0].game.id,
            "challenger": self.challenger,
            "field": self.against,
            "combinations": len(self.above),
            "games": self.games,
            "rows": {
                name: {"combinations": number, "above": mean.to_json()} for name, (number, mean) in self.rows().items()
            },
            "each": [
                {"players": setup.players, "options": setup.chosen, "above": above} for setup, above in self.above
            ],
        }

    def text(self) -> str:
        """As a table."""
        rows = self.rows()
        width = max(map(len, rows))
        lines = [
            f"{self.challenger} against {self.against}: {self.setups[0].game.title}, {len(self.above)} combinations,"
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
    for setup in standing.setups:
        standing.play(setup, deals, seed)
        progress(1)
