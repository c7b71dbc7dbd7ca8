"""Gymnasium vector environments over a batch, without Python code per game."""

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

from parlour.engine.arrays import Bools, Float32s, Int64s
from parlour.engine.chance import is_seed_list
from parlour.engine.errors import ParlourError
from parlour.engine.game import Value
from parlour.engine.match import Match
from parlour.engine.rewards import check_rewards
from parlour.engine.simulation.batch import Batch
from parlour.engine.simulation.factored import FactoredBatch
from parlour.engine.validation import whole, wholes
from parlour.envs import missing_package
from parlour.envs.rendering import MODES, render

try:
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from parlour.envs.spaces import (
        ActionSpace,
        check_render_mode,
        check_reset_options,
        check_seat,
        check_seed,
        number_of_actions,
        observation_box,
        setup_of,
    )
except ModuleNotFoundError as error:
    raise missing_package("Gymnasium", "rl") from error

COMPILED_BOTS = ("thumb", "random")
"""The ids of the bots that run compiled in a batch."""
BY_RUN = -1
"""The learner's seat follows from the seed and the number of the game."""


class CardGames(VectorEnv[Float32s, Int64s, Any]):
    """A vector environment; the learner plays one seat in each game.

    Observations are as in :class:`parlour.envs.gymnasium.CardGame`. ``info["action_mask"]`` and :meth:`action_masks`
    have a row for each game, ``info["seat"]`` the learner's seats. An illegal action ends its game.

    Attributes:
        setup: the game, number of players and options.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        players: int | None = None,
        opponents: str = "thumb",
        seat: int | None = None,
        rewards: str = "win",
        illegal_reward: float = -1.0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
        factored: bool = False,
        **options: Value,
    ) -> None:
        """Raises :class:`ParlourError` if an argument is invalid.

        Args:
            game: the game's id.
            num_envs: the number of games.
            players: the number of players; by default the game's usual number.
            opponents: ``"thumb"`` or ``"random"``, which run compiled.
            seat: the learner's seat; by default game *n* of the run with seed *s* uses seat *s* + *n*, modulo the
                number of players.
            rewards: ``"win"`` or ``"points"`` (:func:`parlour.engine.rewards.rewards_of`), paid when the game is over.
            illegal_reward: the reward of an illegal action.
            autoreset_mode: when finished games restart; with ``DISABLED`` the caller passes a ``reset_mask`` to
                ``reset``.
            threads: the number of cores to use; all of them by default. The games do not depend on it.
            copy: whether observations and masks are copies; otherwise the next call overwrites them.
            render_mode: ``"human"``, ``"ansi"``, ``"rgb_array"``, or ``None``.
            factored: whether actions are chosen word by word, in steps of the same seat
                (:class:`parlour.engine.simulation.factored.FactoredBatch`).
            **options: the game's options.
        """
        check_render_mode(render_mode)
        if opponents not in COMPILED_BOTS:
            one = "a vector environment plays against one of"
            raise ParlourError(
                f"{one} {' and '.join(map(repr, COMPILED_BOTS))} in all other seats, not against {opponents!r}; other"
                " bots play in gymnasium.make, and in gymnasium.make_vec with vectorization_mode='sync' or 'async'"
            )
        num_envs = whole("num_envs", num_envs, 1)
        check_rewards(rewards)
        self.setup = setup_of(game, players, options, CardGames)
        self._seat = BY_RUN if seat is None else check_seat(self.setup, seat)
        self._kind, self._illegal_reward, self.render_mode = rewards, illegal_reward, render_mode
        self._by_heuristic, self._copy = opponents == "thumb", copy
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "autoreset_mode": self.autoreset_mode,
            "render_modes": list(MODES),
            "render_fps": 2,
            "tensor_version": self.setup.tensor_version,
        }
        self.num_envs = num_envs
        self.single_observation_space = observation_box(self.setup, factored)
        actions = number_of_actions(self.setup, factored)
        self.single_action_space = ActionSpace(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        kind = FactoredBatch if factored else Batch
        self._batch: Batch | FactoredBatch = kind(self.setup, num_envs, secrets.randbits(63), threads)
        self._tensor = np.zeros((num_envs, *self.single_observation_space.shape), np.float32)
        self._mask = np.zeros((num_envs, actions), np.bool_)
        self._fallback, self._seats = np.zeros((2, num_envs), np.int64)
        self._chosen_seats = np.full(num_envs, self._seat)
        self._done = np.zeros(num_envs, np.bool_)
        self._begun = False

    @property
    def seats(self) -> Int64s:
        """The learner's seat in each game."""
        return self._seats.copy()

    def reset(  # a list of seeds as well, as Gymnasium's own SyncVectorEnv takes it
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Float32s, dict[str, Any]]:
        """Begin all games, or those of ``reset_mask``.

        Args:
            seed: the seed of a run; the games of the batch are its first games. A sequence has one seed for each game
                (``None``: random), and each game is then a run of its own, as in Gymnasium's ``SyncVectorEnv``.
            options: ``"reset_mask"``, a boolean array of the games to begin (the first call begins all games);
                ``"seat"``, the learner's seat in these games, also after they restart, until they are reset again.

        Raises:
            ParlourError: a seed is not an integer from 0, the number of seeds is wrong, a seed is combined with a
                partial ``reset_mask``, or an option or the seat is invalid.
        """
        chosen = check_reset_options(options, ("reset_mask", "seat"))
        seat = self._seat if chosen.get("seat") is None else check_seat(self.setup, chosen["seat"])
        which = self._which(chosen.get("reset_mask"))
        if seed is not None and not which.all():
            raise ParlourError("a seed is for all games: call reset with a seed or with a reset_mask, not with both")
        if seed is not None:
            self._seed(seed)
        self._chosen_seats[which] = seat
        if not self._begun:
            which = np.ones_like(which)
        if seed is None:
            self._begin(which)
        else:
            self._play_others(which)
            self._begin(self._batch.over)
        self._done = self._done & ~which
        self._begun = True
        self._show()
        return self._observe()

    def _which(self, mask: Any) -> Bools:
        """Return a mask of the games to reset, by default all. Raises :class:`ParlourError` for an invalid mask."""
        which = np.ones(self.num_envs, np.bool_) if mask is None else np.asarray(mask)
        if which.dtype != np.bool_ or which.shape != (self.num_envs,):
            raise ParlourError(f"reset_mask must be {self.num_envs} bools, not {which.dtype} of {which.shape}")
        return which

    def _seed(self, seed: int | Sequence[int | None]) -> None:
        """Begin all games of the batch: the first games of one run, or game 0 of a run for each."""
        if not is_seed_list(seed):
            first = check_seed(seed)
            assert first is not None
            super().reset(seed=first)
            self._batch.reset(first)
            return
        seeds = [check_seed(each) for each in seed]
        super().reset(seed=next((each for each in seeds if each is not None), None))
        self._batch.reset([secrets.randbits(63) if each is None else each for each in seeds])

    def _begin(self, which: Bools) -> None:
        """Begin these games, up to the learner's first turn; skip games that end before it."""
        while which.any():
            self._batch.renew(which)
            self._play_others(which)
            which = which & self._batch.over

    def _play_others(self, begun: Bools) -> None:
        """Play on to the learner's turn in each game; games that have just begun get the learner's seat."""
        by_run = (self._batch.seeds + self._batch.numbers) % self.setup.players
        seats = np.where(self._chosen_seats == BY_RUN, by_run, self._chosen_seats)
        self._seats = np.where(begun, seats, self._seats)
        self._batch.play_others(self._seats, self._by_heuristic)

    def step(self, actions: Int64s) -> tuple[Float32s, Any, Any, Any, dict[str, Any]]:
        """Act in each game, and let the opponents act until it is the learner's turn again or the game is over.

        Raises:
            ResetNeeded: no game has begun.
            ParlourError: the number of actions is not ``num_envs``, they are not integers, or a game is over and has
                not been reset while ``autoreset_mode`` is ``DISABLED``.
        """
        if not self._begun:
            raise ResetNeeded("no game has begun: call reset() before step()")
        waiting = self._done
        if waiting.any() and self.autoreset_mode == AutoresetMode.DISABLED:
            raise ParlourError(f"game {waiting.argmax()} is over: reset it with options={{'reset_mask': …}}")
        illegal = self._play(wholes("actions", actions), waiting)
        over = (self._batch.over | illegal) & ~waiting
        rewards = self._batch.rewards(self._kind)[np.arange(self.num_envs), self._seats].astype(np.float64)
        rewards[illegal], rewards[waiting] = self._illegal_reward, 0.0
        more: dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            more = self._finals(over, illegal) if over.any() else {}
            self._begin(over)
            illegal = np.zeros_like(over)
        elif waiting.any():
            self._begin(waiting)
        self._done = over if self.autoreset_mode != AutoresetMode.SAME_STEP else np.zeros_like(over)
        tensor, infos = self._observe(illegal)
        self._show()
        return tensor, rewards, over, np.zeros_like(over), {**infos, **more}

    def _play(self, actions: Int64s, waiting: Bools) -> Bools:
        """Play these actions, then the opponents'; return the games of illegal actions, which stay as they were."""
        if actions.shape != (self.num_envs,):
            raise ParlourError(
                f"one action per game is required, {self.num_envs} in all, not an array of {actions.shape}"
            )
        known = (actions >= 0) & (actions < self._mask.shape[1])
        legal = known & self._mask[np.arange(self.num_envs), np.where(known, actions, 0)]
        illegal: Bools = ~legal & ~waiting
        kept: Any = self._batch.save(illegal) if illegal.any() else None
        self._batch.step(np.where(legal, actions, self._fallback))
        self._batch.play_others(self._seats, self._by_heuristic)
        if kept is not None:
            self._batch.restore(kept, illegal)
        return illegal

    def _observe(self, illegal: Bools | None = None) -> tuple[Float32s, dict[str, Any]]:
        """Return tensors and infos; games with an illegal action get an empty mask."""
        if not self._copy:
            self._mask[:] = False  # the batch clears only its own marks, but the caller may have made others
        self._batch.observe(self._seats, self._tensor, self._mask)
        self._fallback = self._mask.argmax(axis=1)
        if illegal is not None:
            self._mask[illegal] = False
        mask = self._mask.view(np.int8)
        every = np.ones(self.num_envs, np.bool_)
        infos = {"action_mask": mask.copy() if self._copy else mask, "_action_mask": every}
        return self._tensor.copy() if self._copy else self._tensor, {**infos, "seat": self.seats, "_seat": every}

    def _finals(self, over: Bools, illegal: Bools) -> dict[str, Any]:
        """Return the final observations and infos of finished games, before they restart."""
        tensor, infos = self._observe(illegal)
        finals = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(over):
            finals[game] = tensor[game].copy()
        info = {"seat": infos["seat"], "_seat": over, "action_mask": infos["action_mask"].copy(), "_action_mask": over}
        return {"final_obs": finals, "_final_obs": over, "final_info": info, "_final_info": over}

    def action_masks(self) -> Bools:
        """Return masks of the legal actions, games × actions."""
        return self._mask.copy() if self._copy else self._mask

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> tuple[Any, ...] | None:
        """Render each game's table as the learner's seat sees it, or with all cards laid open when it is over."""
        if self.render_mode is None:
            return None
        match = Match(self.setup)
        games = zip(self._batch.states, self._seats, self._done.tolist(), strict=True)
        return tuple(render(self.render_mode, match.imagined(state), int(seat), done) for state, seat, done in games)
