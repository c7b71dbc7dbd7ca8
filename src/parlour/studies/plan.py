"""What is studied: variations of a game, each played by the same bots on the same deals, with the seats turned.

In each variation every bot plays a deal alone, which shows what the game is among such players, and each but the
weakest meets the next weaker one, a side against all others in every seat, which shows what skill is worth. Chance
comes from the deal's number, so two variations are dealt the same cards for as long as they deal as many.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from parlour import __version__
from parlour.bots.protocol import MOVE_TIME, Asking
from parlour.contests.contest import STUDY, Contest, Job
from parlour.contests.game_results import GameResult
from parlour.contests.omniscient import is_omniscient
from parlour.engine.errors import OptionError, ParlourError
from parlour.engine.game import Game, Value
from parlour.engine.setup import Setup

FORMAT = "parlour-study/1"
PLAYERS = "players"
"""Among a variation's options, this is the number of players."""


@dataclass(frozen=True)
class Study:
    """Which variations are played by whom.

    Attributes:
        setups: the variations, all of one game; the others are compared with the first.
        bots: ids, from weak to strong.
        seed: of all chance.
        move_time: seconds that a bot from outside may take for a decision.
        records: whether every game is kept event by event.
        looked: in so many deals, the first ones, chances to win are told at every decision of the strongest bot's.
        determinizations: the budget of each such chance.
        watched: in so many deals, the first ones, it is counted which clauses fire when a bot plays alone.
    """

    setups: tuple[Setup, ...]
    bots: tuple[str, ...]
    seed: int = 0
    move_time: float = MOVE_TIME
    records: bool = False
    looked: int = 0
    determinizations: int = 32
    watched: int = 0

    def __post_init__(self) -> None:
        """Raises :class:`ParlourError` if something cannot be so."""
        if not self.setups or not self.bots:
            raise ParlourError("a study needs a variation and a bot")
        if all(map(is_omniscient, self.bots)):
            raise ParlourError("a study needs a bot that does not see all cards")
        if self.records and any(map(is_omniscient, self.bots)):
            raise ParlourError("games of a bot with open cards are not kept event by event")
        _ = self.contests

    @property
    def game(self) -> Game:
        """What is played."""
        return self.setups[0].game

    @cached_property
    def contests(self) -> tuple[Contest, ...]:
        """What is played of each variation."""
        return tuple(Contest(STUDY, setup, self.bots, self.seed, self.move_time) for setup in self.setups)

    @property
    def strongest(self) -> int:
        """The number of the strongest bot that does not see all cards."""
        return max(number for number, bot in enumerate(self.bots) if not is_omniscient(bot))

    def header(self) -> dict[str, Any]:
        """What files of the study say of it; results go together only if all of it is the same."""
        outside = {"outside": self.contests[0].outside, "move_time": self.move_time}
        return {
            "format": FORMAT,
            "kind": STUDY,
            "game": self.game.id,
            "variations": [setup.variation for setup in self.setups],
            "bots": list(self.bots),
            "seed": self.seed,
            "records": self.records,
            "looked": self.looked,
            "determinizations": self.determinizations if self.looked else 0,
            "watched": self.watched,
            "version": __version__,
            "code": self.code,
            **(outside if outside["outside"] else {}),
        }

    def jobs(self, deal: int) -> list[Job]:
        """The games of a deal, in their order: those of one variation after those of another."""
        return [
            Job(deal, seating, variation)
            for variation, contest in enumerate(self.contests)
            for seating in contest.seatings(deal)
        ]

    def open(self) -> Callable[[Job, Asking], GameResult]:
        """Get ready to play games of it."""
        arenas = [contest.arena(course=True, record=self.records) for contest in self.contests]
        arenas[0].warm_up()  # the code is the same for all
        return lambda job, stopped: arenas[job.variation].play(
            job.deal,
            job.seating,
            stopped,
            self.determinizations if self._is_looked_at(job) else 0,
            self._is_watched(job),
        )

    def _is_looked_at(self, job: Job) -> bool:
        return job.deal < self.looked and set(job.seating) == {self.strongest}

    def _is_watched(self, job: Job) -> bool:
        return job.deal < self.watched and len(set(job.seating)) == 1

    @property
    def code(self) -> str:
        """A hash of the rules, the bots and what compiles them."""
        return self.contests[0].code

    @property
    def suspect(self) -> str:
        """Who else may be to blame if a process ends by itself."""
        return self.contests[0].suspect


def every_variation(
    game: Game, players: Sequence[int], choices: Mapping[str, Sequence[Value]]
) -> tuple[list[Setup], list[str]]:
    """Every number of players with every combination of values, the last option changing fastest.

    Returns:
        the setups, and why each combination that is impossible was left out.

    Raises:
        ParlourError: the game is not for so many players, or there is no such option, or a value is possible in none
            of the combinations.
    """
    found: dict[Setup, None] = {}
    left_out: list[tuple[dict[str, Value], OptionError]] = []
    for number, values in product(players, product(*choices.values())):
        wanted = dict(zip(choices, values, strict=True))
        try:
            found[Setup(game, number, wanted)] = None
        except OptionError as error:
            left_out.append(({PLAYERS: number, **wanted}, error))
    possible = {each for setup in found for each in {PLAYERS: setup.players, **setup.options}.items()}
    for wanted, reason in left_out:
        if not wanted.items() <= possible:
            raise reason
    return list(found), [str(reason) for _, reason in left_out]


def listed_variations(game: Game, players: int, listed: Iterable[Mapping[str, Value]]) -> list[Setup]:
    """The variations of a list, each as options; ``players`` among them is their number, the given one otherwise.

    Raises:
        ParlourError: one of them is impossible.
    """
    found: dict[Setup, None] = {}
    for given in listed:
        options = {name: value for name, value in given.items() if name != PLAYERS}
        found[Setup(game, given.get(PLAYERS, players), options)] = None  # type: ignore[arg-type]  # it checks it
    return list(found)
