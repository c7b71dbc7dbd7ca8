"""Games between bots, built-in and external, one in each seat."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from parlour.bots import BuiltinBot, compiled_observation_of
from parlour.bots.external import AnyBot, ExistingBot, KindOfPlayer, OutsideBot, bot_of
from parlour.bots.kinds import PlayerOfAKind
from parlour.bots.observation_bot import ObservingBot
from parlour.bots.programs import START_SECONDS, ProgramBot
from parlour.bots.protocol import (
    Answer,
    Bot,
    CancelCheck,
    Failure,
    Forfeit,
    NoAction,
    answer_of,
    foreign_text,
    never,
    printable,
    quoted,
)
from parlour.bots.timeouts import Worker, crash
from parlour.engine.arrays import Stream
from parlour.engine.chance import new_stream, random_bits
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.events import Result, current_result
from parlour.engine.match import Match
from parlour.engine.matches.randomness import SystemRandomness
from parlour.engine.moves import Move
from parlour.engine.rules import partners
from parlour.engine.setup import Setup, as_setup
from parlour.engine.simulation.game_loop import drive
from parlour.engine.validation import counted, positive

_SEEDS = 2**63


def play(setup: Setup, bots: Sequence[str | Bot], seed: int | None = None, move_time: float | None = None) -> Match:
    """Play a game between bots.

    Args:
        setup: the game with its options.
        bots: one for each seat: an id of :func:`find_any_bot`, or an object with a ``choose`` method.
        seed: seed of all chance, including that of the built-in bots, of which the lower 64 bits count; drawn by the
            operating system by default.
        move_time: seconds that an external bot may take for a decision; unlimited by default.

    Returns:
        the finished match.

    Raises:
        ParlourError: the numbers of bots and seats differ, no bot has this name, or an object is no bot.
        Forfeit: an external bot crashed, exceeded its time, or chose an illegal action.
    """
    if isinstance(bots, str) or len(bots) != as_setup(setup).players:
        named = repr(bots) if isinstance(bots, str) else counted(len(bots), "bot")
        raise ParlourError(f"{named} for {counted(setup.players, 'seat')}: name one bot for each")
    move_time = None if move_time is None else positive("move_time", move_time)
    drawn = SystemRandomness().below(_SEEDS) if seed is None else seed
    found = {seat: bot_of(bot) for seat, bot in enumerate(bots)}
    with Seats(setup, found, lambda seat: new_stream(drawn, seat + 1), move_time) as seats:
        seats.begin()
        match = setup.start(drawn)
        for _ in drive(match, seats.choose):
            pass
        assert match.result is not None
        seats.end(match.result)
    return match


class PythonBot:
    """Python bot in its seat for one game; with a time limit it runs in its own thread.

    The bot has at least :data:`START_SECONDS` for its creation and its ``begin``, as a program has for its hello.
    """

    def __init__(self, make: Callable[[], Any], seconds: float | None, stopped: CancelCheck) -> None:
        self._make, self._seconds, self._stopped = make, seconds, stopped
        self._worker = None if seconds is None else Worker()
        self._bot: Any = None

    def create(self) -> None:
        """Create the bot."""
        self._bot = self._ask(self._make, START_SECONDS)

    def begin(self, setup: Setup, seat: int) -> None:
        """Create the bot and call its ``begin``."""
        self.create()
        self._ask(lambda: self._bot.begin(setup, seat) if hasattr(self._bot, "begin") else None, START_SECONDS)

    def choose(self, observation: Any) -> Answer:
        """Return the bot's choice."""
        answer: Answer = self._ask(lambda: answer_of(self._bot.choose(observation)))
        return answer

    def end(self, result: Result) -> None:
        """Call the bot's ``end`` with the result."""
        self._ask(lambda: self._bot.end(result) if hasattr(self._bot, "end") else None)

    def _ask(self, ask: Callable[[], Any], at_least: float = 0.0) -> Any:
        if self._worker is not None and self._seconds is not None:
            return self._worker.ask(ask, max(self._seconds, at_least), self._stopped)
        try:
            return ask()
        except (Exception, SystemExit) as error:
            raise crash(error) from error

    def close(self, at_once: bool) -> None:
        """Stop the bot's thread."""
        if self._worker:
            self._worker.close(at_once)


class Seats:
    """Bots in their seats for one game, as a context manager that closes their threads and processes.

    A game begins with :meth:`begin`, and ends with :meth:`end`.
    """

    def __init__(
        self,
        setup: Setup,
        bots: Mapping[int, AnyBot | Bot],
        stream: Callable[[int], Stream],
        move_time: float | None = None,
        stopped: CancelCheck = never,
    ) -> None:
        """Create the bots; ``stream`` returns a seat's random stream, for a built-in bot or a kind of player."""
        self._setup, self._streams = setup, {seat: stream(seat) for seat in bots}
        self._builtin = {seat: bot for seat, bot in bots.items() if isinstance(bot, BuiltinBot)}
        others = {seat: bot for seat, bot in bots.items() if not isinstance(bot, BuiltinBot)}
        self._names = {
            seat: bot.id if isinstance(bot, OutsideBot) else type(bot).__name__ for seat, bot in others.items()
        }
        self._outside = {
            seat: _outside_bot(bot, move_time, stopped, self._streams[seat]) for seat, bot in others.items()
        }

    def __enter__(self) -> "Seats":
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        for bot in self._outside.values():
            bot.close(at_once=kind is not None)

    def __contains__(self, seat: int) -> bool:
        return seat in self._builtin or seat in self._outside

    def begin(self) -> None:
        """Call ``begin`` of every external bot. Raises :class:`Forfeit`, or :class:`Stopped`."""
        for seat, bot in list(self._outside.items()):
            self._or_forfeit(seat, bot.begin, self._setup, seat)

    def choose(self, match: Match) -> str | Move:
        """Return the choice of the bot of the seat to act. Raises :class:`Forfeit`, or :class:`Stopped`."""
        seat = match.actor
        if seat in self._builtin:
            return self._builtin[seat].choose(compiled_observation_of(match, self._streams[seat]))
        answer = self._or_forfeit(seat, self._outside[seat].choose, match.observation())
        return str(self._or_forfeit(seat, _legal, match, answer))

    def _or_forfeit(self, seat: int, ask: Callable[..., Any], *args: Any) -> Any:
        """Call a function of a seat's bot; turn a failure into a forfeit and close the bot."""
        try:
            return ask(*args)
        except Failure as failure:
            self._outside.pop(seat).close(at_once=True)  # the bot may never receive another message
            raise Forfeit(self._names[seat], seat, str(failure)) from failure.__cause__

    def end(self, result: Result) -> None:
        """Call ``end`` of every external bot.

        Failures no longer change the result. A failure of a Python bot is a :class:`RuntimeWarning`; a program may end
        without reading the result.
        """
        for seat, bot in list(self._outside.items()):
            try:
                self._or_forfeit(seat, bot.end, result)
            except Forfeit as forfeit:
                if not isinstance(bot, ProgramBot):
                    warnings.warn(f"{forfeit.bot}: end() {forfeit.reason}; the result stands", RuntimeWarning, 2)


class ModifiedBot:
    """Player of a kind in its seat for one game; the time limit applies only to the bot whose choices it modifies."""

    def __init__(self, kind: KindOfPlayer, seconds: float | None, stopped: CancelCheck, stream: Stream) -> None:
        bot = kind.bot
        self._inner = None if isinstance(bot, BuiltinBot) else _outside_bot(bot, seconds, stopped, stream)
        plain = ObservingBot(bot, random_bits(stream)) if isinstance(bot, BuiltinBot) else self._inner
        self._player = PlayerOfAKind(plain, kind.kinds, stream)

    def begin(self, setup: Setup, seat: int) -> None:
        """Begin the game."""
        self._player.begin(setup, seat)

    def choose(self, observation: Any) -> Answer:
        """Return the choice of the kind of player."""
        return self._player.choose(observation)

    def end(self, result: Result) -> None:
        """End the game."""
        self._player.end(result)

    def close(self, at_once: bool) -> None:
        """Stop the thread or the program of the modified bot."""
        if self._inner:
            self._inner.close(at_once)


def _outside_bot(
    bot: OutsideBot | Bot, seconds: float | None, stopped: CancelCheck, stream: Stream
) -> PythonBot | ProgramBot | ModifiedBot:
    if isinstance(bot, KindOfPlayer):
        return ModifiedBot(bot, seconds, stopped, stream)
    if isinstance(bot, OutsideBot) and bot.make is None:
        return ProgramBot(bot.command, seconds, stopped)
    make = bot.make if isinstance(bot, OutsideBot) and bot.make else ExistingBot(bot)
    return PythonBot(make, seconds, stopped)


def _legal(match: Match, answer: Answer) -> str:
    """Return the text of the action that a bot chose. Raises :class:`Failure` if it is not legal."""
    if isinstance(answer, NoAction):
        raise Failure(f"said {quoted(answer.text)}, which is no action")
    action = answer if isinstance(answer, str) else _named(match.setup, answer)
    try:
        match.parse_move(action)
    except IllegalError:
        refusal = match.refusal(action)
        clause = f" ({refusal.clause})" if refusal.clause else ""
        said = quoted(action) if isinstance(answer, str) else f"{answer}, {quoted(action)}"
        raise Failure(f"said {said}, which is not legal{clause}: {printable(refusal.reason, 200)}") from None
    return action


def _named(setup: Setup, number: int) -> str:
    """Return an action's text by its number. Raises :class:`Failure` if no action has this number."""
    try:
        return setup.action_name(number)
    except ParlourError:  # also raised where actions have no numbers
        raise Failure(f"said {printable(foreign_text(number, str), 20)}, which is no action's number") from None


def forfeit_result(match: Match, seat: int) -> Result:
    """Return the result of a game that a seat forfeits.

    The seat's side loses, and all others share first place. Scores are the current ones, but the losing side's are
    reduced to the lowest of all.
    """
    current = current_result(match.state)
    side, lowest = int(partners(match.setup.new_state(), seat)), min(current.scores)
    scores = tuple(lowest if side >> each & 1 else score for each, score in enumerate(current.scores))
    return replace(current, scores=scores, winners=tuple(s for s in range(match.players) if not side >> s & 1))
