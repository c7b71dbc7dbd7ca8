"""Stable-Baselines3 vector environments over a batch, without an environment object for each game.

The interface: https://stable-baselines3.readthedocs.io/en/master/guide/vec_envs.html
"""

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from parlour.engine.arrays import Bools, Float32s, Int64s
from parlour.engine.errors import ParlourError
from parlour.engine.game import Value
from parlour.engine.setup import Setup
from parlour.envs import missing_package

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    raise missing_package("Stable-Baselines3", "sb3") from error

from parlour.envs.spaces import setup_of
from parlour.envs.vector import CardGames

Indices = int | Iterable[int] | None
Infos = list[dict[str, Any]]


class VecCardGames(VecEnv):  # type: ignore[misc]
    """A vector environment for Stable-Baselines3; the learner plays one seat in each game.

    Finished games restart within the same step. The infos of such a game have its ``terminal_observation``, and as
    with SB3's ``Monitor`` its ``episode``: the reward ``r``, the length ``l`` in steps of the learner and the seconds
    ``t`` since the environment was made. ``info["seat"]`` is the learner's seat in the current game. sb3-contrib's
    ``MaskablePPO`` finds :meth:`action_masks`.

    Attributes:
        games: the Gymnasium vector environment that is stepped.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 64,
        players: int | None = None,
        opponents: str = "thumb",
        seat: int | None = None,
        rewards: str = "win",
        illegal_reward: float = -1.0,
        threads: int | None = None,
        render_mode: str | None = None,
        factored: bool = False,
        **options: Value,
    ) -> None:
        """The arguments are those of :class:`parlour.envs.vector.CardGames`. Raises :class:`ParlourError`."""
        setup_of(game, players, options, VecCardGames)  # whose error names the arguments of this class
        self.games = CardGames(
            game,
            num_envs,
            players=players,
            opponents=opponents,
            seat=seat,
            rewards=rewards,
            illegal_reward=illegal_reward,
            autoreset_mode="SameStep",
            threads=threads,
            copy=True,
            render_mode=render_mode,
            factored=factored,
            **options,
        )
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)
        self.metadata = dict(self.games.metadata)
        self._actions: Int64s = np.zeros(num_envs, np.int64)
        self._returns, self._lengths = np.zeros(num_envs), np.zeros(num_envs, np.int64)
        self._made = time.monotonic()

    @property
    def setup(self) -> Setup:
        """The game, number of players and options."""
        return self.games.setup

    def reset(self) -> Float32s:
        """Begin all games and return their tensors, games × cells.

        After ``seed(s)`` game *i* begins the run with seed *s* + *i*; otherwise the next game of each run begins.

        Raises:
            ParlourError: a seed or an option of ``set_options`` is invalid, or the options differ between games.
        """
        options = self._options[0] if self._options else {}
        if any(each != options for each in self._options):
            raise ParlourError("the games of a batch are reset together: give all of them the same options")
        seeds = None if all(seed is None for seed in self._seeds) else self._seeds
        tensor, infos = self.games.reset(seed=seeds, options=options)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [{"seat": seat} for seat in infos["seat"].tolist()]
        self._returns[:], self._lengths[:] = 0, 0
        return tensor

    def step_async(self, actions: Int64s) -> None:
        """Store an action for each game."""
        self._actions = actions

    def step_wait(self) -> tuple[Float32s, Float32s, Bools, Infos]:
        """Carry out the actions, and let the opponents act until it is the learner's turn or the game is over.

        Returns:
            tensors (games × cells), rewards, whether each game ended, and infos.
        """
        tensor, rewards, over, _, batch_infos = self.games.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        infos: Infos = [{"seat": seat} for seat in batch_infos["seat"].tolist()]
        if over.any():
            self._add_ends(infos, np.flatnonzero(over), batch_infos["final_obs"])
            self._returns[over], self._lengths[over] = 0, 0
        return tensor, rewards.astype(np.float32), over, infos

    def _add_ends(self, infos: Infos, ended: Int64s, finals: Any) -> None:
        """Write the last observations and the episodes of finished games into their infos."""
        seconds = round(time.monotonic() - self._made, 6)
        for game in ended.tolist():
            episode = {"r": float(self._returns[game]), "l": int(self._lengths[game]), "t": seconds}
            infos[game] |= {"terminal_observation": finals[game], "TimeLimit.truncated": False, "episode": episode}

    def action_masks(self) -> Bools:
        """Return masks of the legal actions, games × actions."""
        return self.games.action_masks()

    def get_images(self) -> Sequence[Any]:
        """Return a picture of each game's table, if ``render_mode`` is ``"rgb_array"``."""
        return self.games.render() or ()

    def close(self) -> None:
        """Do nothing: the memory and threads of a batch are released with it."""

    # Per game, as SB3 asks for them

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute of :class:`CardGames` for each game; ``seat`` is that game's. Raises AttributeError."""
        which = list(self._get_indices(indices))
        if attr_name == "seat":
            seats = self.games.seats.tolist()
            return [seats[game] for game in which]
        return [getattr(self.games, attr_name)] * len(which)

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Raise :class:`ParlourError`: the games of a batch have no attributes of their own."""
        raise ParlourError(f"{attr_name!r} cannot be set: the games of a batch have no attributes of their own")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call ``action_masks`` or ``render``; return the result of each game. Raises AttributeError for others."""
        if method_name not in ("action_masks", "render"):
            raise AttributeError(f"the games of a batch have no method {method_name!r}")
        results = getattr(self.games, method_name)(*method_args, **method_kwargs)
        return [None if results is None else results[game] for game in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """Return whether the infos are those of a wrapper: yes for ``Monitor``, since they have episodes."""
        return [issubclass(Monitor, wrapper_class)] * len(list(self._get_indices(indices)))
