"""PettingZoo's AEC interface: agents act in turn.

``env(game, players=4)`` has an agent for each seat: ``player_0``, ``player_1``, … The environment plays chance events.
The interface: https://pettingzoo.farama.org/api/aec/
"""

import warnings
from typing import Any

import numpy as np

from parlour.engine.arrays import Float32s
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.game import Value
from parlour.envs import missing_package
from parlour.envs.factored_game import FactoredGame
from parlour.envs.rendering import MODES, render
from parlour.envs.single import SingleGame

try:
    from gymnasium import logger, spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

    from parlour.envs.spaces import ActionSpace, check_render_mode, observation_box, setup_of, state_box
except ModuleNotFoundError as error:
    raise missing_package("PettingZoo", "rl") from error


def env(
    game: str,
    players: int | None = None,
    render_mode: str | None = None,
    rewards: str = "win",
    illegal_reward: float = -1.0,
    factored: bool = False,
    **options: Value,
) -> "raw_env":
    """Return an environment in which an illegal action ends the game: its agent gets ``illegal_reward``, others 0.

    It behaves like PettingZoo's ``TerminateIllegalWrapper`` around :class:`raw_env`, in half the time, except that all
    masks are all 0 after an illegal action; the wrapper keeps the last mask.

    Args:
        game: the game's id.
        players: the number of players; by default the game's usual number.
        render_mode: ``"human"``, ``"ansi"``, ``"rgb_array"``, or ``None``.
        rewards: ``"win"`` or ``"points"`` (:func:`parlour.engine.rewards.rewards_of`), paid when the game is over.
        illegal_reward: the reward of an illegal action.
        factored: whether actions are chosen word by word, in steps of the same agent
            (:class:`parlour.engine.simulation.factored.FactoredBatch`).
        **options: the game's options.

    Raises:
        ParlourError: an argument is invalid; the message lists the valid ones.
    """
    return raw_env(game, players, render_mode, rewards, illegal_reward, factored, **options)


def parallel_env(game: str, players: int | None = None, **arguments: Any) -> "ParallelEnv":
    """Return the environment for PettingZoo's parallel interface; the arguments are those of :func:`env`.

    Each step takes an action of every agent and carries out that of the agent to act, whose mask is not all 0.

    Raises:
        ParlourError: an argument is invalid; the message lists the valid ones.
    """
    table = env(game, players, **arguments)
    table.metadata["is_parallelizable"] = True
    return _ParallelTable(table)


class _ParallelTable(turn_based_aec_to_parallel_wrapper):  # type: ignore[misc]
    """PettingZoo's adapter, which raises a ``KeyError`` if the agent to act has no action."""

    def step(self, actions: dict[str, Any]) -> Any:
        """Carry out the action of the agent to act; there is none after the game.

        Raises:
            ParlourError: ``actions`` lacks this agent, or its action is not an integer.
        """
        agent = self.aec_env.agent_selection
        if self.agents and agent not in actions:
            raise ParlourError(f"there is no action of {agent}, who is to act")
        return super().step(actions)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  # PettingZoo's name
    """A game in which an illegal action raises an error unless ``illegal_reward`` is set.

    An observation is ``{"observation": …, "action_mask": …}``: the seat's tensor (``float32``), and a mask (``int8``)
    with 1 for each action that is legal now. :class:`parlour.Setup` describes both (``observation_planes``,
    ``actions``).

    Attributes:
        setup: the game, number of players and options.
    """

    def __init__(
        self,
        game: str,
        players: int | None = None,
        render_mode: str | None = None,
        rewards: str = "win",
        illegal_reward: float | None = None,
        factored: bool = False,
        **options: Value,
    ) -> None:
        """Take the arguments of :func:`env`."""
        check_render_mode(render_mode)
        self.setup = setup_of(game, players, options, raw_env)
        self.render_mode, self._illegal_reward = render_mode, illegal_reward
        self.metadata = {
            "render_modes": list(MODES),
            "name": f"{game.replace('-', '_')}_v{self.setup.game.version}",
            "is_parallelizable": False,
            "render_fps": 2,
            "tensor_version": self.setup.tensor_version,
        }
        self._game = FactoredGame(self.setup, rewards) if factored else SingleGame(self.setup, rewards)
        self.possible_agents = [f"player_{seat}" for seat in range(self.setup.players)]
        self.terminations = dict.fromkeys(self.possible_agents, False)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._selected: str | None = None
        self.observation_spaces = {agent: self._observation_space(factored) for agent in self.possible_agents}
        self.action_spaces = {agent: ActionSpace(self._game.num_actions) for agent in self.possible_agents}
        self.state_space = state_box(self.setup)

    @property
    def agent_selection(self) -> str:
        """The agent to act, or to leave a game that is over. Raises :class:`ParlourError` before the first game."""
        if self._selected is None:
            raise ParlourError("no game has begun: call reset()")
        return self._selected

    @agent_selection.setter
    def agent_selection(self, agent: str) -> None:
        self._selected = agent

    def _observation_space(self, factored: bool) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self._game.num_actions,), np.int8)
        return spaces.Dict({"observation": observation_box(self.setup, factored), "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> ActionSpace:
        """Return the space of an agent's actions: the numbers of the setup's action space."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the first of the run with this seed (as ``setup.start(seed)``), or the next of the current run.

        Options are ignored with a warning: ``reset`` has none, but PettingZoo's own API test passes some.

        Raises:
            ParlourError: the seed is not an integer.
        """
        if options:
            names = ", ".join(map(repr, options))
            warnings.warn(f"reset has no options; ignored: {names}; pass the game's options to env", stacklevel=2)
        self._game.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._await()
        self._show()

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent to act; the action must be ``None`` once its game is over.

        Raises:
            IllegalError: the action is illegal and ``illegal_reward`` is not set; the game is unchanged.
            ParlourError: the action is not an integer, or no game has begun.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            self._game.act(action)
        except IllegalError:
            if self._illegal_reward is None:
                raise
            self._end([self._illegal_reward if each == agent else 0.0 for each in self.agents])
        self._cumulative_rewards[agent] = 0.0
        if not self.terminations[agent]:
            self._await()
        if self.terminations[agent]:
            self._accumulate_rewards()
        self._show()

    def _await(self) -> None:
        """Select the agent to act, or end the game with its rewards."""
        actor = self._game.actor
        if actor >= 0:
            self.agent_selection = self.possible_agents[actor]
        else:
            self._end(self._game.rewards())

    def _end(self, rewards: list[float]) -> None:
        """End the game for all agents, with these rewards."""
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's observation, in new arrays. The mask is all 0 unless the agent is to act."""
        tensor, mask = self._game.observe(self._seats[agent])
        if self.terminations.get(agent, True):
            mask[:] = 0  # after an illegal action the game itself still has an agent to act
        return {"observation": tensor, "action_mask": mask}

    def state(self) -> Float32s:
        """Return the full state, with all cards open, for a centralized critic: ``setup.state_planes`` describes it."""
        return self._game.state_tensor()

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Render the table as the agent to act sees it, or with all cards laid open when the game is over."""
        if self.render_mode is None:
            logger.warn("You are calling render method without specifying any render mode.")
            return None
        match = self._game.match
        ended = all(self.terminations.get(agent, True) for agent in self.possible_agents)
        return render(self.render_mode, match, max(match.actor, 0), ended)

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""
