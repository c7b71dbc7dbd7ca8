"""Plan of a study: variations of a game, each played by the same bots on the same deals, with the seats turned.

In each variation every bot plays each deal against itself, which measures the game at that strength; a bot that sees
all cards does not. Each bot but the first also plays one side, in every seat, against the previous bot of the list on
all other sides, which measures the value of skill. The opponent of a kind of player, such as ``"thumb+cautious"``, is
the bot without the kind, if the list has that bot before the kind. The deal's number seeds all chance, so two
variations have the same cards as long as they deal the same number of cards.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from parlour.bots.kinds import split_kinds
from parlour.bots.protocol import MOVE_TIME, CancelCheck
from parlour.contests.contest import STUDY, Contest, Job, rival_of
from parlour.contests.game_results import GameResult
from parlour.contests.omniscient import is_omniscient
from parlour.engine.errors import OptionError, ParlourError
from parlour.engine.game import Game, Value
from parlour.engine.game_finder import find_game
from parlour.engine.setup import Setup
from parlour.version import __version__

FORMAT = "parlour-study/1"
PLAYERS = "players"
"""Key of the number of players among a variation's options."""
RULES = "rules"
"""Key of the game among a variation's options: the id of the game studied, of its original, or of another variation."""


def move_time_words(move_time: float) -> list[str]:
    """Return the words of a command that set the time limit of outside bots; none for the usual limit."""
    return [] if move_time == MOVE_TIME else ["--move-time", f"{move_time:g}"]


@dataclass(frozen=True)
class Study:
    """Variations, bots and budgets of a study.

    Attributes:
        setups: the variations, all of one game or of a game and its variations in packages; the others are compared
            with the first.
        bots: ids, from weak to strong.
        seed: the seed of all chance.
        move_time: seconds that an external bot may take for a decision.
        records: whether the results file keeps the events of every game.
        evaluated_deals: number of deals, the first ones, with win probabilities at every decision of the strongest
            bot's games.
        determinizations: the number of determinizations for each win probability.
        traced_deals: number of deals, the first ones, with counts of fired clauses in self-play games.
        replicated_deals: number of deals, the first ones, that the strongest bot plays in all seats several times,
            with the same cards and other random streams.
        replicates: the number of these games of a deal, including the game that every deal has.
    """

    setups: tuple[Setup, ...]
    bots: tuple[str, ...]
    seed: int = 0
    move_time: float = MOVE_TIME
    records: bool = False
    evaluated_deals: int = 0
    determinizations: int = 32
    traced_deals: int = 0
    replicated_deals: int = 0
    replicates: int = 4

    def __post_init__(self) -> None:
        """Validate the combination of arguments. Raises :class:`ParlourError`."""
        if not self.setups or not self.bots:
            raise ParlourError("a study needs a variation and a bot")
        if all(map(is_omniscient, self.bots)):
            raise ParlourError("a study needs a bot that does not see all cards")
        if self.records and any(map(is_omniscient, self.bots)):
            raise ParlourError("games of a bot with open cards are not kept event by event")
        _ = self.contests

    @property
    def game(self) -> Game:
        """The game studied."""
        return self.setups[0].game

    @cached_property
    def contests(self) -> tuple[Contest, ...]:
        """The contest of each variation."""
        return tuple(Contest(STUDY, setup, self.bots, self.seed, self.move_time) for setup in self.setups)

    @property
    def strongest(self) -> int:
        """Number of the last bot that does not see all cards; a kind of player only if all these bots are kinds."""
        fair = [number for number, bot in enumerate(self.bots) if not is_omniscient(bot)]
        return max([number for number in fair if not split_kinds(self.bots[number])[1]] or fair)

    def head_to_head(self, bot: int) -> tuple[int, int]:
        """Return the line-up of the challenger ``bot``, a number from 1, and the bot of its field."""
        return bot, rival_of(self.bots, bot)

    def header(self) -> dict[str, Any]:
        """Return the header of the study's files; results can be combined only if their headers are equal."""
        outside = {"outside": self.contests[0].outside, "move_time": self.move_time}
        return {
            "format": FORMAT,
            "kind": STUDY,
            "game": self.game.id,
            "variations": [setup.variation for setup in self.setups],
            "bots": list(self.bots),
            "seed": self.seed,
            "records": self.records,
            "evaluated_deals": self.evaluated_deals,
            "determinizations": self.determinizations if self.evaluated_deals else 0,
            "traced_deals": self.traced_deals,
            **({"replicates": [self.replicated_deals, self.replicates]} if self.replicated_deals else {}),
            "version": __version__,
            "code": self.code,
            **(outside if outside["outside"] else {}),
        }

    def jobs(self, deal: int) -> list[Job]:
        """Return the jobs of a deal, variation by variation, then its repetitions."""
        again = range(1, self.replicates) if deal < self.replicated_deals else ()
        return [
            *(
                Job(deal, seating, variation)
                for variation, contest in enumerate(self.contests)
                for seating in contest.seatings(deal)
            ),
            *(
                Job(deal, (self.strongest,) * setup.players, variation, replicate)
                for variation, setup in enumerate(self.setups)
                for replicate in again
            ),
        ]

    def parts(self, job: Job) -> tuple[str, ...]:
        """Return the names of the attributes on request that the result of a game has."""
        return (
            "statistics",
            *(["win_probability"] if self._is_evaluated(job) else []),
            *(["clause_counts"] if self._is_instrumented(job) else []),
            *(["record"] if self.records else []),
        )

    def open(self) -> Callable[[Job, CancelCheck], GameResult]:
        """Compile the rules and bots of the games, and return the function that plays one."""
        arenas = [contest.arena(statistics=True, record=self.records) for contest in self.contests]
        for arena in {setup.game: arena for setup, arena in zip(self.setups, arenas, strict=True)}.values():
            arena.warm_up()  # the code is the same for all variations of one game
        return lambda job, stopped: arenas[job.variation].play(
            job.deal,
            job.seating,
            stopped,
            self.determinizations if self._is_evaluated(job) else 0,
            self._is_instrumented(job),
            job.replicate,
        )

    def _is_evaluated(self, job: Job) -> bool:
        return job.deal < self.evaluated_deals and not job.replicate and set(job.seating) == {self.strongest}

    def _is_instrumented(self, job: Job) -> bool:
        return job.deal < self.traced_deals and not job.replicate and len(set(job.seating)) == 1

    @property
    def code(self) -> str:
        """Hash of the rules, the bots and the compilers."""
        return "-".join(dict.fromkeys(contest.code for contest in self.contests))

    @property
    def suspect(self) -> str:
        """Other possible cause of a process's unexpected end: the end of a sentence, or empty."""
        return self.contests[0].suspect


def every_variation(
    game: Game, players: Sequence[int], choices: Mapping[str, Sequence[Value]]
) -> tuple[list[Setup], list[str]]:
    """Return every number of players with every combination of values, the last option changing fastest.

    Returns:
        the setups, and the reason why each impossible combination was left out.

    Raises:
        ParlourError: the game does not allow this number of players, an option does not exist, or a value
            is possible in none of the combinations.
    """
    found: dict[Setup, None] = {}
    left_out: list[tuple[dict[str, Value], OptionError]] = []
    for number, values in product(players, product(*choices.values())):
        options = dict(zip(choices, values, strict=True))
        try:
            found[_setup(game, number, options)] = None
        except OptionError as error:
            left_out.append(({PLAYERS: number, **options}, error))
    possible = {each for setup in found for each in _all_choices(setup).items()}
    for options, reason in left_out:
        if not options.items() <= possible:
            raise reason
    return list(found), [str(reason) for _, reason in left_out]


def listed_variations(game: Game, players: int, listed: Iterable[Mapping[str, Value]]) -> list[Setup]:
    """Return the variations of a list of options; an entry ``players`` overrides the argument.

    Raises:
        ParlourError: a variation is impossible.
    """
    found: dict[Setup, None] = {}
    for entry in listed:
        options = {name: value for name, value in entry.items() if name != PLAYERS}
        found[_setup(game, entry.get(PLAYERS, players), options)] = None
    return list(found)


def _setup(game: Game, players: Value, options: Mapping[str, Value]) -> Setup:
    """Return a variation; ``rules`` among the options names the game. Raises :class:`ParlourError`."""
    others = {name: value for name, value in options.items() if name != RULES}
    chosen = find_game(str(options[RULES])) if RULES in options else game
    if (chosen.variation_of or chosen.id) != (game.variation_of or game.id):
        raise OptionError(f"rules={chosen.id} is no variation of {game.title}")
    return Setup(chosen, players, others)  # type: ignore[arg-type]  # Setup checks it


def _all_choices(setup: Setup) -> dict[str, Value]:
    return {PLAYERS: setup.players, RULES: setup.game.id, **setup.options}
