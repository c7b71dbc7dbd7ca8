"""A run of training: limits of time and games, files, Ctrl-C, and the report."""

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from parlour.engine.compiled import source_hash
from parlour.engine.errors import ParlourError
from parlour.engine.files import write_whole
from parlour.engine.setup import Setup
from parlour.interrupts import defer_interrupts
from parlour.learning.policy_file import LearnedPolicy
from parlour.learning.training import CurvePoint, PlayedGames, PolicyGames, PolicyScore, Training

CHECK_DEALS = 4000
"""Deals of the check at the end."""
USUAL_MINUTES = 5.0
"""Minutes of training, unless another limit is chosen."""
CHECKPOINT = "parlour-training/1"

Advance = Callable[..., None]


@dataclass(frozen=True)
class TrainingLimits:
    """Limits of training, in CPU minutes (``math.inf`` for no limit) and in games (``None``); the first one ends it."""

    minutes: float
    games: int | None = None

    @classmethod
    def chosen(cls, minutes: float | None, games: int | None, usual: float) -> "TrainingLimits":
        """Return the limits that a user chose; without a choice there are ``usual`` minutes."""
        if minutes is None:
            minutes = usual if games is None else math.inf
        return cls(minutes, games)

    def reached_by(self, training: Training) -> bool:
        """Return whether a limit is reached."""
        return training.minutes >= self.minutes or (
            self.games is not None and training.iteration * training.size >= self.games
        )


class TrainingRun:
    """Training with its files: the policy, and beside it a checkpoint from which another run can continue.

    Attributes:
        training: the policy in training.
        check_deals: deals of the check at the end.
        checked: the result of the best policy in fresh deals, at the end of the run.
    """

    def __init__(
        self,
        setup: Setup,
        seed: int,
        out: Path,
        command: str,
        interpret: bool = False,
        training: Training | None = None,
    ) -> None:
        """``training`` is a new one by default; ``interpret`` runs its games in the interpreter."""
        self.training = training or Training(PolicyGames(setup, interpret), seed)
        self.check_deals = CHECK_DEALS
        self.checked: PolicyScore | None = None
        self._setup, self._out, self._command = setup, out, command
        self._written: tuple[int, int] | None = None

    @property
    def checkpoint(self) -> Path:
        """The file from which another run can continue."""
        return self._out.with_name(f"{self._out.name}.checkpoint")

    def continue_from_checkpoint(self) -> None:
        """Continue from the end of an earlier run of the same setup and seed. Raises :class:`ParlourError`."""
        name = str(self.checkpoint)
        try:
            with np.load(BytesIO(self.checkpoint.read_bytes()), allow_pickle=False) as kept:
                arrays = {key: kept[key] for key in kept.files}
            self._written = self._version_of_checkpoint()
            about = json.loads(str(arrays.pop("about")))
            if arrays.keys() != self.training.arrays().keys():
                raise KeyError
            curve, minutes = [CurvePoint.from_json(point) for point in about["curve"]], float(about["minutes"])
        except OSError as error:
            raise ParlourError(f"{name} cannot be read: {error.strerror or error}") from None
        except Exception:  # NumPy raises errors of zipfile, zlib, struct and others
            raise ParlourError(f"{name} is damaged, or no checkpoint of a training") from None
        own = self._identity()
        differs = [key for key in own if about.get(key) != own[key]]
        if differs:
            key = differs[0]
            raise ParlourError(f"{name} is of another training ({key}: {about.get(key)!r} there, {own[key]!r} here)")
        self.training.restore(arrays, curve, minutes)

    def _identity(self) -> dict[str, Any]:
        """Return the values that a checkpoint must have in common with this run."""
        training = self.training
        return {
            "format": CHECKPOINT,
            **self._setup.to_json(),
            "tensor_version": self._setup.tensor_version,
            "code": source_hash(self._setup.game.dtype),
            "seed": training.seed,
            "games_an_iteration": training.size,
        }

    def work(self, limits: TrainingLimits, advance: Advance, tell: Callable[[str], None]) -> None:
        """Train until a limit; ``advance`` receives seconds, ``tell`` the points of the curve and notes.

        Ctrl-C ends training after the iteration in progress, which the files then include. Raises :class:`ParlourError`
        if they cannot be written.
        """
        training = self.training
        if limits.reached_by(training):
            tell(f"The training has {self._spent()} already; a greater limit continues it.")
        self.save()  # so that an error comes now, not after minutes
        training.prepare()
        try:
            while not limits.reached_by(training):
                before = training.minutes
                self._go_on(limits, tell)
                advance(60 * (training.minutes - before), lambda: f"{training.iteration * training.size:,} games")
        except KeyboardInterrupt:
            self.save()
            raise

    def _go_on(self, limits: TrainingLimits, tell: Callable[[str], None]) -> None:
        with defer_interrupts():
            self._improve(self.training.play(), limits, tell)

    def _improve(self, played: PlayedGames, limits: TrainingLimits, tell: Callable[[str], None]) -> None:
        self.training.improve(played)
        if self.training.iteration % self.training.every == 0 or limits.reached_by(self.training):
            tell(self.training.measure().text())
            self.save()

    def check(self) -> None:
        """Play the best policy in fresh deals, and store the result with the policy."""
        self.checked = self.training.check(self.check_deals)
        self.save()

    def save(self) -> None:
        """Write both files. Raises :class:`ParlourError`, also if another run has written them meanwhile."""
        if self._written and self._version_of_checkpoint() not in (None, self._written):
            raise ParlourError(f"{self.checkpoint} was changed by another run, so this one stops")
        about = {**self._identity(), "minutes": self.training.minutes}
        about["curve"] = [asdict(point) for point in self.training.curve]
        kept = BytesIO()
        np.savez(kept, about=np.array(json.dumps(about)), **self.training.arrays())
        try:
            # The checkpoint comes first: a run that finds a policy requires it, and it has the policy.
            write_whole(self.checkpoint, kept.getvalue(), 0o644)
            self._written = self._version_of_checkpoint()
            write_whole(self._out, self.policy().to_text(), 0o644)
        except OSError as error:
            raise ParlourError(f"{self._out} cannot be written: {error.strerror or error}") from None

    def _version_of_checkpoint(self) -> tuple[int, int] | None:
        """Return the number and time of the checkpoint's file, which each write changes; ``None`` without a file."""
        try:
            found = self.checkpoint.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    def policy(self) -> LearnedPolicy:
        """Return the best policy so far."""
        return LearnedPolicy(self._setup, self.training.best, self.training.games.scales, self._about())

    def _about(self) -> dict[str, Any]:
        training = self.training
        return {
            "command": self._command,
            "seed": training.seed,
            "games": training.iteration * training.size,
            "minutes": round(training.minutes, 2),
            "curve": [point.to_json() for point in training.curve],
            "check": self.checked.to_json() if self.checked else None,
        }

    def _spent(self) -> str:
        training = self.training
        return f"{training.iteration * training.size:,} games in {training.minutes:.1f} minutes of a core"

    @property
    def has_results(self) -> bool:
        """Whether there is a learning curve to report."""
        return bool(self.training.curve)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        return {**self._setup.to_json(), **self._about(), "file": str(self._out)}

    def text(self) -> str:
        """Return the report as text."""
        lines = [f"{self._setup.label}: {self._spent()}; the best policy so far is in {self._out}."]
        if self.checked:
            verdict = "stronger than the heuristic" if self.checked.is_stronger else "not shown to be stronger"
            lines.append(f"In fresh deals against the heuristic: {self.checked.text()}: {verdict}.")
        return "\n".join(lines)
