"""A single compiled game that converts to a match on demand."""

import secrets
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from parlour.bots.compiled_observation import CompiledObservation
from parlour.engine.arrays import Float32s, Int8s, Stream
from parlour.engine.chance import as_seed, new_stream, start_stream
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.moves import Move
from parlour.engine.rewards import POINTS, check_rewards, rewards_of
from parlour.engine.rules import MAX_SEATS, OVER
from parlour.engine.setup import Setup
from parlour.engine.simulation.actions import numbers_of
from parlour.engine.simulation.policy import NO_POLICY
from parlour.engine.simulation.stepper import ACTING_SEAT, ILLEGAL, NO_INDEX, WAITING, Stepper
from parlour.engine.validation import whole

_STREAMS_A_SEAT = 1 << 32
"""Number of random streams for the bot of a seat: one for each game of a run."""


@lru_cache(maxsize=1024)
def _rewards_of_winners(setup: Setup, winners: int) -> tuple[float, ...]:
    """Return the reward of each seat for a set of winners, cached since the arrays take longer than some actions."""
    return tuple(rewards_of(setup, np.zeros((1, setup.players), np.int64), np.array([winners]))[0].tolist())


class SingleGame:
    """The successive games of a run, each compiled and available as a match.

    Attributes:
        setup: the game, number of players and options.
        seed: the run's seed.
        number: the number of the current game in the run.
        num_actions: the size of the action space.
        actor: the seat to act, or ``OVER``.
        waiting: in a game against policies, whether the seat to act has no policy and is not the observer.
    """

    actor: int
    waiting: bool

    def __init__(self, setup: Setup, rewards: str) -> None:
        """``rewards`` are ``"win"`` or ``"points"``. Raises :class:`ParlourError`."""
        check_rewards(rewards)
        self.setup, self._kind = setup, rewards
        self._stepper: Stepper | None = None
        self._match: Match | None = None
        self._replayed = 0
        self._shapes = (1, *setup.observation_shape), (1, setup.num_actions)
        self.num_actions = setup.num_actions
        self._viewer, self._against = ACTING_SEAT, False
        self.actor, self.waiting = OVER, False
        self._seen: tuple[int, Float32s, Int8s] | None = None
        self.seed = self.number = 0

    def begin(self, seed: int | None = None) -> None:
        """Begin the first game of the run with this seed; without one the next game, or the first of a random run.

        Game 0 of a run is ``setup.start(seed)``. Raises :class:`ParlourError` if the seed is not an integer.
        """
        if self._stepper is not None and seed is None:
            self.number += 1
        else:
            self.seed, self.number = secrets.randbits(63) if seed is None else as_seed(seed), 0
        if self._stepper is None:
            self._stepper = Stepper(self.setup, numbers_of(self.setup))
        self._stepper.begin_game(self.seed, self.number)
        self._match, self._replayed = None, 0
        self._viewer, self._against = ACTING_SEAT, False
        self.actor, self.waiting, self._seen = self._stepper.actor, False, None

    @property
    def _game(self) -> Stepper:
        if self._stepper is None:
            raise ParlourError("no game has begun: call reset()")
        return self._stepper

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.actor == OVER

    # Opponents

    def play_against(self, policies: Mapping[int, int], seat: int) -> None:
        """Let each seat in ``policies`` follow its policy in this game, and play until ``seat`` is to act.

        The random streams of the policies are those of :meth:`stream_of`.
        """
        game = self._game
        for other in range(self.setup.players):
            game.policies[other] = policies.get(other, NO_POLICY)
            if other != seat:
                number = (other + 1) * _STREAMS_A_SEAT + self.number
                start_stream(game.own_streams[other : other + 1], self.seed, number)
        self._viewer, self._against = seat, True
        self.play(NO_INDEX)

    def stream_of(self, seat: int) -> Stream:
        """Return the random stream of a seat's bot, separate from the game's."""
        return self._game.own_streams[seat : seat + 1]

    def compiled_observation(self) -> CompiledObservation:
        """Return the observation of the seat to act, for a built-in bot."""
        seat = self.actor
        moves = self._game.moves()
        observed = self._game.observed(seat)
        return CompiledObservation(self.setup.game.id, observed, seat, moves, self.stream_of(seat))

    # Actions and observations

    def act(self, action: Any) -> None:
        """Carry out an action of the seat to act by its number; seats with a policy then play.

        Raises:
            ParlourError: the action is not an integer; the game is unchanged.
            IllegalError: the action is not legal.
        """
        number = whole("an action", action)
        if not 0 <= number < self.num_actions or not self.play(number):
            raise self.illegal(number)

    def illegal(self, number: int) -> IllegalError:
        """Return the error for an action that is not legal now."""
        return IllegalError(f"{self.setup.action_name(number)!r} is not legal now")

    def explain_illegal(self, number: int) -> IllegalError:
        """Return the error for an action that is not legal now, with the reason and the legal actions."""
        return self.match.illegal(self.setup.action_name(number))

    def play(self, number: int) -> bool:
        """Carry out an action like :meth:`act`, or none for ``NO_INDEX``; return False if it is not legal."""
        tensor, mask = np.empty(self._shapes[0], np.float32), np.zeros(self._shapes[1], np.int8)
        actor = self._game.take_turn(number, self._viewer, self._against, tensor, mask)
        if actor > ILLEGAL:  # compute the observer's tensor and mask in the same call: they are usually requested next
            self.actor, self.waiting = actor, False
            self._seen = actor if self._viewer == ACTING_SEAT else self._viewer, tensor[0], mask[0]
        elif actor == WAITING:
            self.actor, self.waiting, self._seen = self._game.actor, True, None
        return actor != ILLEGAL

    def play_move(self, move: int) -> None:
        """Carry out one of the moves of :meth:`compiled_observation`."""
        self.play(self._game.number_of(move))

    def play_action(self, number: int) -> None:
        """Carry out a whole legal action of a bot, by its index in the setup's action space."""
        self.play(number)

    def observe(self, seat: int) -> tuple[Float32s, Int8s]:
        """Return a seat's tensor and action mask in new arrays; the mask is all 0 unless the seat is to act."""
        if self._seen is not None and seat == self._seen[0]:
            _, seen, legal = self._seen
            self._seen = None
            return seen, legal
        tensor, mask = np.empty(self._shapes[0], np.float32), np.zeros(self._shapes[1], np.int8)
        self._game.take_turn(NO_INDEX, seat, False, tensor, mask)
        return tensor[0], mask[0]

    def state_tensor(self) -> Float32s:
        """Return the tensor of the full state, seen from seat 0."""
        tensor = np.empty((1, *self.setup.state_shape), np.float32)
        self._game.lay_open(np.zeros(1, np.int64), tensor)
        full: Float32s = tensor[0]
        return full

    def rewards(self) -> list[float]:
        """Return the reward of each seat at the end of the game."""
        scores, winners = np.zeros((1, MAX_SEATS), np.int64), np.zeros(1, np.int64)
        self._game.score(scores, winners)
        if self._kind == POINTS:
            return [float(score) for score in scores[0, : self.setup.players]]
        return list(_rewards_of_winners(self.setup, winners.item()))

    @property
    def match(self) -> Match:
        """The game as a match, brought up to date by replaying new moves."""
        if self._match is None:
            chance = StreamRandomness(new_stream(self.seed, self.number))
            self._match = Match(self.setup, chance=chance, recall=True)
        log = self._game.log
        for move in log[self._replayed :].tolist():
            self._match.apply_move(Move(move))
        self._replayed = len(log)
        return self._match
