"""Files of learned policies: small JSON texts with the weights and their provenance."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np

from parlour.engine.arrays import Float32s, Floats
from parlour.engine.errors import ParlourError
from parlour.engine.files import read_json
from parlour.engine.setup import Setup
from parlour.games import file_of
from parlour.learning.policy_loop import number_of_features

FORMAT = "parlour-policy/1"
LARGEST_FILE = 200_000
"""Maximum size of a file, in bytes."""
_DIGITS = 5
"""Significant digits of a weight."""
CLEAR_MARGIN = 0.1
"""Smallest :attr:`LearnedPolicy.margin` with which a policy takes the heuristic's place in levels and searches."""


@dataclass(frozen=True)
class LearnedPolicy:
    """A linear policy for a setup.

    Attributes:
        setup: the setup whose games were played in training. The policy also plays with other options, but not with
            other numbers of players.
        weights: one for each feature of an action (:mod:`parlour.learning.policy_loop`).
        scales: the units of heuristic values and of leads.
        about: its provenance: command, seed, games, CPU minutes, learning curve and check.
    """

    setup: Setup
    weights: Float32s
    scales: Floats
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def margin(self) -> float:
        """Return the share of wins less the even share, in the check against the heuristic; 0 without a check."""
        check = self.about.get("check", {})
        try:
            return float(check["wins"][0]) - float(check["even"])
        except (KeyError, IndexError, TypeError, ValueError):
            return 0.0

    @property
    def is_clearly_better(self) -> bool:
        """Whether levels and searches use this policy instead of the heuristic."""
        return self.margin >= CLEAR_MARGIN

    @property
    def version(self) -> str:
        """Return a hash of the weights and scales, on which the policy's choices depend."""
        return hashlib.sha256(self.weights.tobytes() + self.scales.tobytes()).hexdigest()[:16]

    def to_text(self) -> str:
        """Return the content of its file."""
        rounded = [float(f"{weight:.{_DIGITS}g}") for weight in self.weights.tolist()]
        values = {
            "format": FORMAT,
            **self.setup.to_json(),
            "tensor_version": self.setup.tensor_version,
            "about": self.about,
            "scales": self.scales.tolist(),
            "weights": rounded,
        }
        return "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in values.items()) + "\n}\n"


def read_policy(file: Path | Traversable, name: str) -> LearnedPolicy:
    """Return the policy of a file; ``name`` is its name in messages. Raises :class:`ParlourError`."""
    return policy_from(read_json(file, name, "a learned policy", LARGEST_FILE), name)


def policy_from(values: Any, name: str) -> LearnedPolicy:
    """Return the policy of a file's values. Raises :class:`ParlourError`."""
    if not isinstance(values, Mapping) or values.get("format") != FORMAT:
        raise ParlourError(f"{name} is no file of a learned policy, which begins with the format {FORMAT!r}")
    try:
        setup = Setup.from_json(values)
    except ParlourError as error:
        raise ParlourError(f"{name}: {error}") from None
    if values.get("tensor_version") != setup.tensor_version:
        raise ParlourError(f"{name} was learned with another version of {setup.game.title}: learn it anew")
    features = number_of_features(setup)
    weights = _numbers(values.get("weights"), features, f"{name}: the weights are not {features:,} numbers")
    scales = _numbers(values.get("scales"), 2, f"{name}: the scales are not two numbers")
    if not (scales > 0).all():
        raise ParlourError(f"{name}: a scale is not positive")
    about = values.get("about")
    return LearnedPolicy(setup, weights.astype(np.float32), scales, about if isinstance(about, Mapping) else {})


def _numbers(values: Any, number: int, otherwise: str) -> Floats:
    """Return a list of numbers, each less than 10⁹ in magnitude, as an array. Raises :class:`ParlourError`."""
    if not isinstance(values, list) or len(values) != number:
        raise ParlourError(otherwise)
    if not all(type(value) in (int, float) and abs(value) < 1e9 for value in values):  # false for infinity and NaN
        raise ParlourError(otherwise)
    return np.array(values, np.float64)


def shipped_name(players: int) -> str:
    """Return the name of the file, in a game's folder, with the policy for a number of players."""
    return f"learned_{players}.json"


@lru_cache(maxsize=64)
def shipped_policy(game_id: str, players: int) -> LearnedPolicy | None:
    """Return the policy that a game ships for a number of players; ``None`` without one, or if its file is invalid."""
    file = file_of(game_id, shipped_name(players))
    if file is None:
        return None
    try:
        policy = read_policy(file, shipped_name(players))
    except ParlourError:
        return None
    return policy if (policy.setup.game.id, policy.setup.players) == (game_id, players) else None
