"""Gymnasium's interface for many games at once, over a batch: no Python for each of them."""

import secrets
from typing import Any

import numpy as np

from parlour.engine.batch import Batch
from parlour.engine.errors import ParlourError
from parlour.engine.game import Value
from parlour.engine.given import whole, wholes
from parlour.engine.part import Bools
from parlour.engine.rewards import check_rewards
from parlour.envs import missing
from parlour.envs.single import Float32s
from parlour.front import make

try:
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from parlour.envs.spaces import ActionSpace, checked_seat, observation_box
except ModuleNotFoundError as error:
    raise missing("Gymnasium", "rl") from error

Int64s = np.ndarray[Any, np.dtype[np.int64]]
COMPILED = ("thumb", "random")
"""The bots that play in a batch."""


class CardGames(VectorEnv[Float32s, Int64s, Any]):
    """Games from one seat each, of which an observation is as in :class:`parlour.envs.gymnasium.CardGame`.

    ``info["action_mask"]`` and :meth:`action_masks` have a row for each game, ``info["seat"]`` the own seats. An action
    that is not legal ends its game.

    Attributes:
        setup: what is played.
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
        **options: Value,
    ) -> None:
        """Raises :class:`ParlourError` if something cannot be so.

        Args:
            game: the game's id.
            num_envs: how many games.
            players: how many in each; the game's usual number if none is given.
            opponents: ``"thumb"`` or ``"random"``, which run compiled.
            seat: the own seat; if none is given, game *n* of the run is played from seat *n* modulo the players.
            rewards: ``"win"`` or ``"points"`` (:func:`parlour.engine.rewards.rewards_of`), paid when the game is over.
            illegal_reward: what an illegal action brings.
            autoreset_mode: when a game that is over begins anew; with ``DISABLED`` when ``reset`` is called with its
                ``reset_mask``.
            threads: how many cores play; all of them by default. The games do not depend on it.
            copy: whether observations and masks are copies; otherwise the next call overwrites them.
            **options: the game's.
        """
        if opponents not in COMPILED:
            raise ParlourError(
                f"many games at once are played against {' or '.join(map(repr, COMPILED))}, not {opponents!r}; other"
                " bots play in gymnasium.make, and in gymnasium.make_vec with vectorization_mode='sync' or 'async'"
            )
        num_envs = whole("num_envs", num_envs, 1)
        check_rewards(rewards)
        self.setup = make(game, players, **options)
        checked_seat(self.setup, seat)
        self._seat, self._kind, self._illegal_reward = seat, rewards, illegal_reward
        self._by_heuristic, self._copy = opponents == "thumb", copy
        self._autoreset = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self._autoreset, "render_modes": []}
        self.num_envs = num_envs
        self.single_observation_space = observation_box(self.setup)
        self.single_action_space = ActionSpace(self.setup)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._batch = Batch(self.setup, num_envs, secrets.randbits(63), threads)
        self._tensor = np.zeros((num_envs, *self.setup.observation_shape), np.float32)
        self._mask = np.zeros((num_envs, self.setup.num_actions), np.bool_)
        self._done = np.zeros(num_envs, np.bool_)
        self._begun = False

    @property
    def seats(self) -> Int64s:
        """The own seat in each game."""
        numbers: Int64s = self._batch.numbers % self.setup.players
        return numbers if self._seat is None else np.full(self.num_envs, self._seat)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Float32s, dict[str, Any]]:
        """Begin all games, or those of ``options["reset_mask"]``: with a seed the first ones of its run."""
        super().reset(seed=seed)
        which = np.ones(self.num_envs, np.bool_) if options is None else options.get("reset_mask")
        which = np.ones(self.num_envs, np.bool_) if which is None else np.asarray(which, np.bool_)
        if seed is not None and which.all():
            self._batch.reset(seed)
            self._batch.play_others(self.seats, self._by_heuristic)
            self._begin(self._batch.over)
        else:
            self._begin(which)
        self._done = self._done & ~which
        self._begun = True
        return self._seen()

    def _begin(self, which: Bools) -> None:
        """Begin these games, each at the own first turn; one that is over before that is passed over."""
        while which.any():
            self._batch.renew(which)
            self._batch.play_others(self.seats, self._by_heuristic)
            which = which & self._batch.over

    def step(self, actions: Int64s) -> tuple[Float32s, Any, Any, Any, dict[str, Any]]:
        """Act in each game, and let the others act until it is the own turn again or the game is over.

        Raises:
            ResetNeeded: no game has begun.
            ParlourError: there is not one action a game, or something is no action's number, or a game is over that
                nobody has begun anew.
        """
        if not self._begun:
            raise ResetNeeded("no game has begun: call reset() before step()")
        waiting = self._done
        if waiting.any() and self._autoreset == AutoresetMode.DISABLED:
            raise ParlourError(f"game {waiting.argmax()} is over: reset it with options={{'reset_mask': …}}")
        illegal = self._play(wholes("actions", actions), waiting)
        over = (self._batch.over | illegal) & ~waiting
        rewards = self._batch.rewards(self._kind)[np.arange(self.num_envs), self.seats].astype(np.float64)
        rewards[illegal], rewards[waiting] = self._illegal_reward, 0.0
        more: dict[str, Any] = {}
        if self._autoreset == AutoresetMode.SAME_STEP:
            more = self._finals(over) if over.any() else {}
            self._begin(over)
        elif waiting.any():
            self._begin(waiting)
        self._done = over if self._autoreset != AutoresetMode.SAME_STEP else np.zeros_like(over)
        tensor, infos = self._seen()
        return tensor, rewards, over, np.zeros_like(over), {**infos, **more}

    def _play(self, actions: Int64s, waiting: Bools) -> Bools:
        """Play these actions, and the others' then; tells where one is not legal, and another one has been played."""
        if actions.shape != (self.num_envs,):
            raise ParlourError(f"one action a game is wanted, {self.num_envs} in all, not an array of {actions.shape}")
        known = (actions >= 0) & (actions < self.setup.num_actions)
        legal = known & self._mask[np.arange(self.num_envs), np.where(known, actions, 0)]
        self._batch.step(np.where(legal, actions, self._mask.argmax(axis=1)))
        self._batch.play_others(self.seats, self._by_heuristic)
        illegal: Bools = ~legal & ~waiting
        return illegal

    def _seen(self) -> tuple[Float32s, dict[str, Any]]:
        self._batch.observe(self.seats, self._tensor, self._mask)
        mask = self._mask.view(np.int8)
        every = np.ones(self.num_envs, np.bool_)
        infos = {"action_mask": mask.copy() if self._copy else mask, "_action_mask": every}
        return self._tensor.copy() if self._copy else self._tensor, {**infos, "seat": self.seats, "_seat": every}

    def _finals(self, over: Bools) -> dict[str, Any]:
        """What is to be known of games that are over, before they begin anew."""
        tensor, infos = self._seen()
        finals = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(over):
            finals[game] = tensor[game].copy()
        info = {"seat": infos["seat"], "_seat": over, "action_mask": infos["action_mask"].copy(), "_action_mask": over}
        return {"final_obs": finals, "_final_obs": over, "final_info": info, "_final_info": over}

    def action_masks(self) -> Bools:
        """Which actions are legal now: a row for each game."""
        return self._mask.copy() if self._copy else self._mask
