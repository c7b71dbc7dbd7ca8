"""Gymnasium environments: the learner plays one seat, bots play the others.

Importing this module registers an environment for each game under its :func:`environment_id`, with a vector environment
for ``gymnasium.make_vec``. The interface: https://gymnasium.farama.org/api/env/
"""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from parlour.bots import BuiltinBot
from parlour.bots.external import AnyBot, bot_of
from parlour.bots.match_play import Seats, forfeit_result
from parlour.bots.protocol import Bot, Forfeit
from parlour.engine.arrays import Bools, Float32s, Int8s
from parlour.engine.errors import ParlourError
from parlour.engine.events import Result
from parlour.engine.game import Value
from parlour.engine.rewards import rewards_of
from parlour.engine.setup import Setup
from parlour.engine.validation import counted, whole
from parlour.envs import missing_package
from parlour.envs.factored_game import FactoredGame
from parlour.envs.rendering import MODES, render
from parlour.envs.single import SingleGame
from parlour.games import all_games, find_game

try:
    import gymnasium

    from parlour.envs.spaces import (
        ActionSpace,
        check_render_mode,
        check_reset_options,
        check_seat,
        check_seed,
        observation_box,
        setup_of,
    )
except ModuleNotFoundError as error:
    raise missing_package("Gymnasium", "rl") from error


class CardGame(gymnasium.Env[Float32s, np.int64]):
    """A game seen from the learner's seat, observed when that seat is to act or the game is over.

    An observation is the seat's tensor. ``info["action_mask"]`` is 1 for each legal action (see also
    :meth:`action_masks`); ``info["seat"]`` is the learner's seat. Both arrays are new in each step. The number of an
    action that is not legal ends the game, with the reason in ``info["illegal"]``, and so does a forfeit of an outside
    bot (``info["forfeit"]``).

    Attributes:
        setup: the game, number of players and options.
        seat: the learner's seat.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012  # a class attribute in Gymnasium

    def __init__(
        self,
        game: str,
        players: int | None = None,
        opponents: str | Bot | Sequence[str | Bot] = "thumb",
        seat: int | None = None,
        render_mode: str | None = None,
        rewards: str = "win",
        illegal_reward: float = -1.0,
        factored: bool = False,
        **options: Value,
    ) -> None:
        """Raises :class:`ParlourError` if an argument is invalid.

        Args:
            game: the game's id.
            players: the number of players; by default the game's usual number.
            opponents: a bot or bot id for all other seats, or one for each of them, in seat order after the learner's.
            seat: the learner's seat; by default game *n* of the run with seed *s* uses seat *s* + *n*, modulo the
                number of players.
            render_mode: ``"human"``, ``"ansi"``, ``"rgb_array"``, or ``None``.
            rewards: ``"win"`` or ``"points"`` (:func:`parlour.engine.rewards.rewards_of`), paid when the game is over.
            illegal_reward: the reward of an illegal action.
            factored: whether actions are chosen word by word, in steps of the same seat
                (:class:`parlour.engine.simulation.factored.FactoredBatch`).
            **options: the game's options.
        """
        check_render_mode(render_mode)
        self.setup = setup_of(game, players, options, CardGame)
        self.metadata = {**self.metadata, "tensor_version": self.setup.tensor_version}
        self.render_mode = render_mode
        self.seat = check_seat(self.setup, seat)
        self._fixed_seat = None if seat is None else self.seat
        self._kind, self._illegal_reward = rewards, illegal_reward
        self._game = FactoredGame(self.setup, rewards) if factored else SingleGame(self.setup, rewards)
        self._opponents = _opponents(self.setup, opponents)
        self._policies: dict[int, int] = {}
        self._builtin: dict[int, BuiltinBot] = {}
        self._outside: Seats | None = None
        self._actions = self._game.num_actions
        self._mask: Int8s = np.zeros(self._actions, np.int8)
        self._playing = False
        self._open = ExitStack()
        self.observation_space = observation_box(self.setup, factored)
        self.action_space = ActionSpace(self._actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Float32s, dict[str, Any]]:
        """Begin a game: the first of the run with this seed (as ``setup.start(seed)``), or the next of the current run.

        Args:
            seed: the run's seed, an integer from 0.
            options: ``"seat"``, the learner's seat in this game.

        Raises:
            Forfeit: an outside bot forfeits before the learner's first turn.
            ParlourError: the seed, an option or the seat is invalid.
        """
        seed, chosen = check_seed(seed), check_reset_options(options, ("seat",)).get("seat")
        seat = None if chosen is None else check_seat(self.setup, chosen)
        super().reset(seed=seed)
        self._begin(seed, seat)
        while self._game.over:  # before the learner's first turn
            self._begin(None, seat)
        return self._observe()

    def _begin(self, seed: int | None, seat: int | None) -> None:
        if self._playing:
            self.close()
        self._game.begin(seed)
        players = self.setup.players
        if seat is None:
            seat = (self._game.seed + self._game.number) % players if self._fixed_seat is None else self._fixed_seat
        self.seat = seat
        self._seat_opponents({(seat + step) % players: bot for step, bot in enumerate(self._opponents, 1)})
        self._playing = True
        self._show()
        self._game.play_against(self._policies, seat)
        self._let_others_act()

    def _seat_opponents(self, bots: dict[int, AnyBot | Bot]) -> None:
        """Seat the bots: those with a compiled policy, other built-in bots, and bots from outside."""
        self._builtin = {seat: bot for seat, bot in bots.items() if isinstance(bot, BuiltinBot)}
        shown = self.render_mode == "human"  # the table is shown after every action, so no bot plays in compiled code
        self._policies = {} if shown else {seat: bot.policy for seat, bot in self._builtin.items()}
        outside = {seat: bot for seat, bot in bots.items() if not isinstance(bot, BuiltinBot)}
        if outside:
            seats = Seats(self.setup, outside, self._game.stream_of)
            self._outside = self._open.enter_context(seats)
            self._outside.begin()

    def step(self, action: np.int64) -> tuple[Float32s, float, bool, bool, dict[str, Any]]:
        """Act, and let the opponents act until it is the learner's turn again or the game is over.

        Raises:
            ParlourError: no game is in progress, or the action is not an integer; the game is unchanged.
        """
        if not self._playing:
            raise ParlourError("no game is in progress: call reset()")
        number = whole("an action", action)
        if not 0 <= number < self._actions:
            return self._refuse(f"there is no action {number}")
        game = self._game
        if not game.play(number):
            return self._refuse(str(game.explain_illegal(number)))
        self._show()
        if game.waiting:
            try:
                self._let_others_act()
            except Forfeit as forfeit:
                return self._forfeit(forfeit)
        tensor, info = self._observe()
        if not game.over:
            return tensor, 0.0, False, False, info
        self._end()
        return tensor, game.rewards()[self.seat], True, False, info

    def _let_others_act(self) -> None:
        """Play until it is the learner's turn, or the game is over. Raises :class:`Forfeit`."""
        while self._game.waiting:
            if (bot := self._builtin.get(self._game.actor)) is not None:
                self._game.play_move(bot.choose(self._game.compiled_observation()))
            else:
                assert self._outside is not None
                self._game.play_action(self.setup.action_numbers[str(self._outside.choose(self._game.match))])
            self._show()

    def _observe(self) -> tuple[Float32s, dict[str, Any]]:
        """Return the learner's tensor and info."""
        tensor, self._mask = self._game.observe(self.seat)
        return tensor, {"seat": self.seat, "action_mask": self._mask}

    def _refuse(self, why: str) -> tuple[Float32s, float, bool, bool, dict[str, Any]]:
        """End the game because of an illegal action."""
        tensor, info = self._observe()
        info["action_mask"][:] = 0
        self.close()
        return tensor, self._illegal_reward, True, False, {**info, "illegal": why}

    def _forfeit(self, forfeit: Forfeit) -> tuple[Float32s, float, bool, bool, dict[str, Any]]:
        """End the game because a bot from outside forfeits it."""
        result = forfeit_result(self._game.match, forfeit.seat)
        winners = sum(1 << seat for seat in result.winners)
        rewards = rewards_of(self.setup, np.array([result.scores]), np.array([winners]), self._kind)
        tensor, info = self._observe()
        self._end(result)
        return tensor, float(rewards[0, self.seat]), True, False, {**info, "forfeit": str(forfeit)}

    def _end(self, result: Result | None = None) -> None:
        """Notify the bots from outside of the result, by default that of the finished game, and close them."""
        if self._outside is not None:
            result = result or self._game.match.result
            assert result is not None
            self._outside.end(result)
        self.close()

    def action_masks(self) -> Bools:
        """Return a mask of the legal actions, for sb3-contrib's ``MaskablePPO``; all False before or after a game."""
        return self._mask.astype(np.bool_)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Render the table as the learner's seat sees it, or with all cards laid open when the game is over."""
        if self.render_mode is None:
            return None
        return render(self.render_mode, self._game.match, self.seat, ended=not self._playing)

    def close(self) -> None:
        """End the game and close the bots."""
        self._open.close()
        self._outside, self._playing = None, False
        self._mask = np.zeros(self._actions, np.int8)


def _opponents(setup: Setup, named: str | Bot | Sequence[str | Bot]) -> list[AnyBot | Bot]:
    """Return a bot for each seat after the learner's. Raises :class:`ParlourError`."""
    others = setup.players - 1
    if isinstance(named, str | Bot) or not isinstance(named, Sequence):
        named = [named] * others
    if len(named) != others:
        opponents = f"{counted(len(named), 'opponent')} for {counted(others, 'seat')}"
        raise ParlourError(f"{opponents}: name one bot for all, or one for each")
    return [bot_of(bot) for bot in named]


def environment_id(game_id: str) -> str:
    """Return a game's id in Gymnasium: ``my-game`` in version 0 is ``"parlour/MyGame-v0"``.

    Raises:
        UnknownGameError: no game has this id.
    """
    return f"parlour/{''.join(map(str.capitalize, game_id.split('-')))}-v{find_game(game_id).version}"


for _game in all_games():
    gymnasium.register(
        environment_id(_game.id),
        entry_point=f"{__name__}:CardGame",
        vector_entry_point="parlour.envs.vector:CardGames",
        kwargs={"game": _game.id},
    )
