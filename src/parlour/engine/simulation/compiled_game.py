"""One game in progress, stepped by compiled code: for a loop in Python over a single game."""

import secrets
from typing import NoReturn, Self

import numpy as np

from parlour.engine.arrays import Int64s
from parlour.engine.chance import as_seed, new_stream
from parlour.engine.errors import TurnError
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.moves import Action, Move
from parlour.engine.rewards import WIN, rewards_of
from parlour.engine.rules import MAX_SEATS, OVER
from parlour.engine.setup import Setup, as_setup
from parlour.engine.simulation.actions import numbers_of
from parlour.engine.simulation.stepper import ACTING_SEAT, ILLEGAL, NO_INDEX, Stepper
from parlour.engine.validation import as_whole


class CompiledGame:
    """A game in progress: the actions and chance of a :class:`Match` with the same seed, and one compiled call a step.

    Attributes:
        setup: the game, number of players and options.
        seed: the seed of the run.
        number: the number of the game in its run.
        actor: the seat to act, or ``OVER``.
        tensor: the observation of the seat to act, ``float32``; zeros if the game is over. The next action overwrites
            it.
        legal_mask: a bool for each action of the action space, False if the game is over. The next action overwrites
            it.
    """

    def __init__(self, setup: Setup, seed: int | None = None) -> None:
        """Begin the first game of the run with this seed, by default a random one.

        Raises:
            ParlourError: an argument is of another type, or the game does not list its actions.
        """
        self.setup = as_setup(setup)
        self._stepper = Stepper(self.setup, numbers_of(self.setup))
        self._lay_out()
        self.reset(seed)

    def _lay_out(self) -> None:
        """Make the arrays of observations."""
        self._cells = np.zeros((1, *self.setup.observation_shape), np.float32)
        self._num_actions = self.setup.num_actions
        self._marks = np.zeros((1, self._num_actions), np.int8)
        self.tensor, self.legal_mask = self._cells[0], self._marks[0].view(np.bool_)

    def __repr__(self) -> str:
        turn = "over" if self.over else f"seat {self.actor} to act"
        return f"<{type(self).__name__}: {self.setup.label}; game {self.number} of seed {self.seed}, {turn}>"

    def reset(self, seed: int | None = None) -> None:
        """Begin the first game of the run with this seed, by default a random one.

        Raises:
            ParlourError: the seed is not an integer.
        """
        self.seed = secrets.randbits(63) if seed is None else as_seed(seed)
        self._begin(0)

    def renew(self) -> None:
        """Begin the next game of the run."""
        self._begin(self.number + 1)

    def _begin(self, number: int) -> None:
        self.number = number
        self._stepper.begin_game(self.seed, number)
        self._observe()

    def _observe(self) -> None:
        self._marks.fill(0)
        self.actor = self._stepper.take_turn(NO_INDEX, ACTING_SEAT, False, self._cells, self._marks)

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.actor == OVER

    def legal_actions(self) -> list[Action]:
        """Return the legal actions of the seat to act as indices in :attr:`Setup.actions`, in the order of the rules.

        The list is empty if the game is over.
        """
        return self._stepper.listed_actions()

    def act(self, action: str | int) -> None:
        """Carry out an action of the seat to act, and the chance events that follow.

        Args:
            action: the index in :attr:`Setup.actions`, which is faster, or the text there.

        Raises:
            TurnError: the game is over.
            IllegalError: the action is not legal, with the reason; the game is unchanged.
        """
        number = action if type(action) is int else self._number_of(action)
        if not 0 <= number < self._num_actions:
            self._refuse(action)
        self._marks.fill(0)
        actor = self._stepper.take_turn(number, ACTING_SEAT, False, self._cells, self._marks)
        if actor == ILLEGAL:
            self._observe()
            self._refuse(action)
        self.actor = actor

    def _number_of(self, action: str | int) -> int:
        """Return the index of an action, −1 if there is none."""
        number = self.setup.action_numbers.get(action) if isinstance(action, str) else as_whole(action)
        return NO_INDEX if number is None else number

    def _refuse(self, action: str | int) -> NoReturn:
        """Raise the error for an illegal action."""
        if self.over:
            raise TurnError("no seat can act now: the game is over")
        raise self.match.illegal(action if isinstance(action, str) else self.setup.action_name(action))

    def scores(self) -> tuple[Int64s, int]:
        """Return the current scores by seat, and the set of winners, a bit for each seat that shares first place."""
        scores, winners = np.zeros((1, MAX_SEATS), np.int64), np.zeros(1, np.int64)
        self._stepper.score(scores, winners)
        return scores[0, : self.setup.players], int(winners[0])

    def rewards(self, kind: str = WIN) -> list[float]:
        """Return the reward of each seat, zeros if the game is not over.

        ``kind`` is ``"win"`` or ``"points"``; :func:`parlour.engine.rewards.rewards_of` defines both.
        """
        scores, winners = self.scores()
        rewards: list[float] = rewards_of(self.setup, scores[None], np.array([winners]), kind)[0].tolist()
        return rewards if self.over else [0.0] * self.setup.players

    @property
    def match(self) -> Match:
        """The game as a match with all events, made anew by a replay at each access."""
        match = Match(self.setup, chance=StreamRandomness(new_stream(self.seed, self.number)), recall=True)
        for move in self._stepper.log.tolist():
            match.apply_move(Move(move))
        return match

    def copy(self) -> Self:
        """Return an independent game with the same course and the same future chance."""
        made = type(self).__new__(type(self))
        made.setup, made.seed, made.number = self.setup, self.seed, self.number
        made._stepper = self._stepper.copy()
        made._lay_out()
        made._observe()
        return made

    __copy__ = copy

    def __getstate__(self) -> dict[str, object]:
        """Return the attributes except the arrays of observations."""
        arrays = "tensor", "legal_mask", "_cells", "_marks"
        return {name: value for name, value in vars(self).items() if name not in arrays}

    def __setstate__(self, values: dict[str, object]) -> None:
        vars(self).update(values)
        self._lay_out()
        self._observe()
