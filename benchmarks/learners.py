"""Speed of learning with Stable-Baselines3. :mod:`figures` runs this module in a virtual environment of its own.

The unit is a decision of the learner, from the observation to the update that learns from it.
"""

from functools import partial
from importlib.metadata import version
from typing import Any

import torch
from measurement import Measure, Work, serve
from sb3_contrib import MaskablePPO

import parlour
from parlour.envs.gymnasium import CardGame
from parlour.envs.sb3 import VecCardGames

DECISIONS = 4096
"""Number of decisions between two updates."""
MOST_ACTIONS = 1000
"""Size of the action space above which actions are chosen word by word."""


def is_factored(game: str) -> bool:
    """Return whether a decision in this game is the choice of one word of an action."""
    return parlour.make(game).num_actions > MOST_ACTIONS


def ppo_work(games: Any, at_once: int) -> Work:
    """Return the work of ``MaskablePPO``: decisions against the bot ``thumb`` in ``at_once`` games, and an update."""
    torch.set_num_threads(1)
    model = MaskablePPO("MlpPolicy", games, n_steps=DECISIONS // at_once, batch_size=1024, n_epochs=4, device="cpu")

    def work() -> int:
        model.learn(DECISIONS, reset_num_timesteps=False)
        return DECISIONS

    return work


def single_game(game: str) -> Work:
    """Return the work in a single Gymnasium environment, which Stable-Baselines3 wraps."""
    return ppo_work(CardGame(game, factored=is_factored(game)), 1)


def batch_of_games(game: str, games: int = 64) -> Work:
    """Return the work in a vector environment over a batch of games."""
    return ppo_work(VecCardGames(game, games, threads=1, factored=is_factored(game)), games)


MEASURES = {
    f"{kind} {game}": Measure(partial(prepare, game))
    for game in parlour.games()
    for kind, prepare in {"ppo one": single_game, "ppo": batch_of_games}.items()
}
FACTS = {
    "factored": lambda: [game for game in parlour.games() if is_factored(game)],
    "versions": lambda: {name: version(name) for name in ("stable-baselines3", "sb3-contrib", "torch")},
}

if __name__ == "__main__":
    serve(MEASURES, FACTS)
