"""TorchRL learns a game against a built-in bot by PPO, in many simultaneous games, with illegal actions masked.

pip install 'parlour[torchrl]'
python examples/train_torchrl.py trime-kicker --steps 500000     # writes runs/trime-kicker-torchrl.pt
PARLOUR_MODEL=runs/trime-kicker-torchrl.pt parlour match examples.train_torchrl:Trained thumb trime-kicker

TorchRL steps the games by its own wrapper for Gymnasium's vector environments.
"""

import argparse
import hashlib
import os
from functools import lru_cache
from pathlib import Path

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.data import Binary, Composite
from torchrl.envs import ActionMask, GymWrapper, TransformedEnv
from torchrl.envs.gym_like import BaseInfoDictReader
from torchrl.envs.utils import ExplorationType, set_exploration_type
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import parlour
from parlour.envs.vector import CardGames

MODEL = Path(os.environ.get("PARLOUR_MODEL", "runs/torchrl.pt"))
"""The model file that `Trained` plays."""


class MaskReader(BaseInfoDictReader):
    """Reader of the legal actions, which the environment returns among its infos."""

    def __init__(self, games, actions):
        self._spec = Composite(action_mask=Binary(actions, shape=(games, actions), dtype=torch.bool), shape=(games,))

    @property
    def info_spec(self):
        """Return the key of the mask with its shape."""
        return self._spec

    def __call__(self, info, tensordict):
        """Add the mask to a step."""
        return tensordict.set("action_mask", torch.from_numpy(info["action_mask"]).bool())


def table(game, games, players=None, opponents="thumb"):
    """Return many games as an environment of TorchRL."""
    vector = CardGames(game, games, players, opponents, autoreset_mode="Disabled")
    wrapped = GymWrapper(vector, categorical_action_encoding=True)
    wrapped.set_info_dict_reader(MaskReader(games, int(vector.single_action_space.n)))
    return TransformedEnv(wrapped, ActionMask())  # for actions of TorchRL's own, such as those of rand_step


def policy_of(setup):
    """Return a policy that draws legal actions only."""
    net = MLP(in_features=setup.observation_shape[0], out_features=setup.num_actions, num_cells=[128, 128])
    return ProbabilisticActor(
        TensorDictModule(net, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )


class Trained:
    """The policy of the file `PARLOUR_MODEL` as a bot: it plays its most probable action."""

    version = hashlib.sha256(MODEL.read_bytes()).hexdigest()[:16] if MODEL.exists() else "untrained"

    def begin(self, setup, seat):
        """Refuse a setup that the policy has not learned."""
        if load_cached(MODEL)[0] != setup:
            raise ValueError(f"{MODEL} has learned {load_cached(MODEL)[0].label}, not {setup.label}")

    def choose(self, observation):
        """Return the number of the most probable action."""
        mask = torch.from_numpy(observation.legal_mask)
        seen = TensorDict({"observation": torch.from_numpy(observation.tensor), "action_mask": mask})
        with torch.no_grad(), set_exploration_type(ExplorationType.DETERMINISTIC):
            return int(load_cached(MODEL)[1](seen)["action"])


@lru_cache
def load_cached(path):
    """Return the setup and the policy of a file, cached for many games."""
    torch.set_num_threads(1)
    saved = torch.load(path, weights_only=True)
    setup = parlour.Setup.from_json(saved["setup"])
    if saved["tensors"] != setup.tensor_version:
        raise ValueError(f"{path}: this net reads tensors of version {saved['tensors']}, not {setup.tensor_version}")
    policy = policy_of(setup)
    policy.load_state_dict(saved["policy"])
    return setup, policy


def main(argv=None):
    """Train, print the mean reward of finished games after each batch, and write the policy; Ctrl-C ends it early."""
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("game", nargs="?", default="trime-kicker")
    parser.add_argument("--players", type=int, help="the number of players; by default the game's usual number")
    parser.add_argument("--opponents", default="thumb", choices=["thumb", "random"])
    parser.add_argument("--steps", type=int, default=500_000, help="own decisions to learn from")
    parser.add_argument("--games", type=int, default=64, help="number of simultaneous games")
    parser.add_argument("--length", type=int, default=128, help="decisions in each game between two updates")
    parser.add_argument("--minibatch", type=int, default=1024, help="decisions in a step of gradient descent")
    parser.add_argument("--file", type=Path, help="the model (default: runs/GAME-torchrl.pt)")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(argv)
    file = chosen.file or Path(f"runs/{chosen.game}-torchrl.pt")
    file.parent.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(chosen.seed)
    env = table(chosen.game, chosen.games, chosen.players, chosen.opponents)
    env.set_seed(chosen.seed)
    setup = parlour.make(chosen.game, chosen.players)
    policy = policy_of(setup)
    value = ValueOperator(MLP(in_features=setup.observation_shape[0], out_features=1, num_cells=[128, 128]))
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=value)
    loss = ClipPPOLoss(policy, value, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3, eps=1e-5)
    batches = Collector(
        env,
        policy,
        frames_per_batch=chosen.games * chosen.length,
        total_frames=chosen.steps,
        auto_register_policy_transforms=False,
    )
    done = 0
    try:
        for batch in batches:
            rewards = batch["next", "reward"][batch["next", "done"]]
            with torch.no_grad():
                advantage(batch)
            decisions = batch.reshape(-1)
            for _ in range(4):
                for at in torch.randperm(len(decisions)).split(chosen.minibatch):
                    losses = loss(decisions[at])
                    optimizer.zero_grad()
                    sum(losses[part] for part in ("loss_objective", "loss_entropy", "loss_critic")).backward()
                    torch.nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                    optimizer.step()
            done += len(decisions)
            print(f"{done:,} decisions: mean reward {rewards.mean():+.3f} in {len(rewards)} games", flush=True)
    except KeyboardInterrupt:
        print("stopped early")
    finally:
        batches.shutdown()
    torch.save({"setup": setup.to_json(), "tensors": setup.tensor_version, "policy": policy.state_dict()}, file)
    print(f"{done:,} decisions; written to {file}")


if __name__ == "__main__":
    main()
