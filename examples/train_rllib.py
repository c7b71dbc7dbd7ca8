"""RLlib learns a game through its own wrapper for PettingZoo: one network for all seats, illegal actions masked.

pip install 'parlour[rllib]'
python examples/train_rllib.py trime-kicker --iterations 20
"""

import argparse

import numpy as np
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from parlour.envs.pettingzoo import env


class Table(PettingZooEnv):
    """A game whose observations have the names and types that RLlib's masking net reads."""

    def __init__(self, config):
        super().__init__(env(**config))
        self.observation_spaces = {agent: rename_space(space) for agent, space in self.observation_spaces.items()}
        self.observation_space = spaces.Dict(self.observation_spaces)

    def reset(self, *, seed=None, options=None):
        """Return the first observation, and infos."""
        seen, infos = super().reset(seed=seed, options=options)
        return {agent: rename_observation(each) for agent, each in seen.items()}, infos

    def step(self, action):
        """Return the next observation, at the end of the game those of all agents, and the other values."""
        seen, *others = super().step(action)
        return {agent: rename_observation(each) for agent, each in seen.items()}, *others


def rename_space(space):
    """Return the space of observations with RLlib's names."""
    mask = spaces.Box(0, 1, space["action_mask"].shape, np.float32)
    return spaces.Dict({"observations": space["observation"], "action_mask": mask})


def rename_observation(seen):
    """Return an observation with RLlib's names."""
    return {"observations": seen["observation"], "action_mask": seen["action_mask"].astype(np.float32)}


def learner(game, players=None, decisions=4000):
    """Return PPO with this number of decisions in a training batch."""
    net = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [128, 128]})
    return (
        PPOConfig()
        .environment(Table, env_config={"game": game, "players": players})
        .multi_agent(policies={"every_seat"}, policy_mapping_fn=lambda agent, *others, **more: "every_seat")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"every_seat": net}))
        .env_runners(num_env_runners=0)
        .training(gamma=1.0, train_batch_size_per_learner=decisions, minibatch_size=min(512, decisions), num_epochs=4)
        .build_algo()
    )


def main():
    """Train, and print the entropy of the policy and the explained variance of the value."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game", nargs="?", default="trime-kicker")
    parser.add_argument("--players", type=int)
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument(
        "--decisions", type=int, default=1000, help="of an iteration; RLlib takes some hundred a second"
    )
    args = parser.parse_args()
    algorithm = learner(args.game, args.players, args.decisions)
    try:
        for iteration in range(1, args.iterations + 1):
            result = algorithm.train()
            net, steps = result["learners"]["every_seat"], result["num_env_steps_sampled_lifetime"]
            numbers = {name: round(float(net[name]), 3) for name in ("entropy", "vf_explained_var")}
            print(f"{iteration} of {args.iterations}: {steps:.0f} decisions, {numbers}", flush=True)
    except KeyboardInterrupt:
        print("stopped")
    finally:
        algorithm.stop()


if __name__ == "__main__":
    main()
