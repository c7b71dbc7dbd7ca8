"""MaskablePPO of sb3-contrib learns a game against a built-in bot, in many simultaneous games.

pip install 'parlour[sb3]'
python examples/train_sb3.py trime-kicker --steps 500000     # writes runs/trime-kicker-sb3.zip; --resume goes on
python examples/train_sb3.py three-tricks --factored         # chooses the words of an action, not one of 24,787 actions
PARLOUR_MODEL=runs/trime-kicker-sb3.zip parlour match examples.train_sb3:Trained thumb trime-kicker
"""

import argparse
import hashlib
import os
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import set_random_seed

from parlour.engine.simulation.factored import OneChoice, action_words
from parlour.envs.sb3 import VecCardGames

MODEL = Path(os.environ.get("PARLOUR_MODEL", "runs/sb3.zip"))
"""The model file that `Trained` plays."""


class Trained:
    """The model of the file `PARLOUR_MODEL` as a bot: it plays its most probable action."""

    version = hashlib.sha256(MODEL.read_bytes()).hexdigest()[:16] if MODEL.exists() else "untrained"

    def begin(self, setup, seat):
        """Refuse a setup with other tensors than those that the model has learned from."""
        if load_cached(MODEL).tensors != setup.tensor_version:
            raise ValueError(
                f"{MODEL} reads tensors of version {load_cached(MODEL).tensors}, not {setup.tensor_version}"
            )

    def choose(self, observation):
        """Return the number of the most probable action."""
        model, masks = load_cached(MODEL), observation.legal_mask
        if model.factored:
            return choose_words(model, observation)
        return int(model.predict(observation.tensor, action_masks=masks, deterministic=True)[0])


def choose_words(model, observation):
    """Return the number of the action whose words the model chooses, one at a time."""
    legal = observation.legal_actions
    listing = np.array([legal], np.int32), np.array([len(legal)])
    choice, action = OneChoice(observation.setup), None
    while action is None:
        words = np.zeros(action_words(observation.setup).cells, np.float32)
        masks = choice.mask(listing)
        choice.write_words(words)
        tensor = np.concatenate([observation.tensor, words])
        action = choice.choose(listing, int(model.predict(tensor, action_masks=masks, deterministic=True)[0]))
    return action


@lru_cache
def load_cached(path):
    """Return the model of a file, cached for many games."""
    torch.set_num_threads(1)
    return MaskablePPO.load(path, device="cpu")


def mean_reward(model, games, decisions=20_000):
    """Return the mean reward of finished games, with its standard error."""
    rewards, seen = [], games.reset()
    for _ in range(decisions // games.num_envs):
        actions, _ = model.predict(seen, action_masks=games.action_masks(), deterministic=True)
        seen, _, over, infos = games.step(actions)
        rewards += [infos[game]["episode"]["r"] for game in over.nonzero()[0]]
    return np.mean(rewards), np.std(rewards) / max(1, len(rewards)) ** 0.5


def main(argv=None):
    """Train, save the model, and measure it; Ctrl-C ends the training early."""
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("game", nargs="?", default="trime-kicker")
    parser.add_argument("--players", type=int, help="the number of players; by default the game's usual number")
    parser.add_argument("--opponents", default="thumb", choices=["thumb", "random"])
    parser.add_argument("--steps", type=int, default=500_000, help="own decisions to learn from")
    parser.add_argument("--games", type=int, default=64, help="number of simultaneous games")
    parser.add_argument("--length", type=int, default=128, help="decisions in each game between two updates")
    parser.add_argument("--minibatch", type=int, default=1024, help="decisions in a step of gradient descent")
    parser.add_argument("--factored", action="store_true", help="choose the words of an action one at a time")
    parser.add_argument("--file", type=Path, help="the model (default: runs/GAME-sb3.zip)")
    parser.add_argument("--resume", action="store_true", help="continue with the model of the file")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(argv)
    file = chosen.file or Path(f"runs/{chosen.game}-sb3.zip")
    if chosen.resume != file.exists():
        parser.error(f"{file} exists already; --resume continues it" if file.exists() else f"{file} is not there")
    file.parent.mkdir(parents=True, exist_ok=True)
    set_random_seed(chosen.seed)

    def games_against(opponents):
        return VecCardGames(chosen.game, chosen.games, chosen.players, opponents, factored=chosen.factored)

    games = games_against(chosen.opponents)
    if chosen.resume:
        model = MaskablePPO.load(file, games, device="cpu")
    else:
        sizes = {"n_steps": chosen.length, "batch_size": chosen.minibatch, "n_epochs": 4}
        model = MaskablePPO("MlpPolicy", games, gamma=1.0, seed=chosen.seed, verbose=1, device="cpu", **sizes)
    model.tensors, model.factored = games.setup.tensor_version, chosen.factored  # saved with it
    try:
        model.learn(chosen.steps, reset_num_timesteps=not chosen.resume)
    except KeyboardInterrupt:
        print("stopped early")
    model.save(file)
    print(f"{model.num_timesteps:,} decisions; written to {file}")
    for opponents in ("random", "thumb"):
        mean, error = mean_reward(model, games_against(opponents))
        print(f"against {opponents}: mean reward {mean:+.3f} ± {1.96 * error:.3f}")


if __name__ == "__main__":
    main()
