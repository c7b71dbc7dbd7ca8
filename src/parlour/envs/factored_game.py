"""A single compiled game in which a seat chooses an action word by word, one word in each step."""

from typing import Any

import numpy as np

from parlour.engine.arrays import Bools, Float32s, Int8s
from parlour.engine.errors import IllegalError
from parlour.engine.setup import Setup
from parlour.engine.simulation.factored import OneChoice, action_words
from parlour.engine.simulation.stepper import NO_INDEX
from parlour.envs.single import SingleGame


class FactoredGame(SingleGame):
    """The games of :class:`SingleGame`, stepped by the words of :mod:`parlour.engine.simulation.factored`.

    A tensor is that of the observation, followed by cells for the words that the seat to act has chosen so far; for
    other seats these cells are 0.
    """

    def __init__(self, setup: Setup, rewards: str) -> None:
        """``rewards`` are ``"win"`` or ``"points"``. Raises :class:`ParlourError`."""
        super().__init__(setup, rewards)
        self._choice = OneChoice(setup)
        words = action_words(setup)
        self.num_actions = len(words.words)
        self._cells = setup.observation_shape[0]
        self._all_cells = self._cells + words.cells

    def action_name(self, number: int) -> str:
        """Return a word by its number; for a number without a word, a text with the number."""
        words = action_words(self.setup).words
        return words[number] if 0 <= number < len(words) else f"word {number}"

    def illegal(self, number: int) -> IllegalError:
        """Return the error for a word that cannot be chosen now."""
        return IllegalError(f"{self.action_name(number)!r} cannot be chosen now")

    explain_illegal = illegal

    def begin(self, seed: int | None = None) -> None:
        """Begin a game, as :meth:`SingleGame.begin` does."""
        super().begin(seed)
        self._choice.forget()

    def play(self, number: int) -> bool:
        """Choose a word, and carry out the action if it is complete; return False if the word cannot be chosen."""
        if number == NO_INDEX:
            return super().play(number)
        if not self._ask()[number]:
            return False
        action = self._choice.choose(self._legal_list(), number)
        if action is not None:
            return super().play(action)
        self._seen = None
        return True

    def play_move(self, move: int) -> None:
        """Carry out a whole move of a bot."""
        super().play(self._game.number_of(move))

    def play_action(self, number: int) -> None:
        """Carry out a whole action of a bot, by its index in the action space."""
        super().play(number)

    def observe(self, seat: int) -> tuple[Float32s, Int8s]:
        """Return a seat's tensor and the mask of words; the mask is all 0 unless the seat is to act."""
        observed, _ = super().observe(seat)
        tensor = np.zeros(self._all_cells, np.float32)
        tensor[: self._cells] = observed
        mask = np.zeros(self.num_actions, np.int8)
        if seat == self.actor:
            mask[:] = self._ask()
            self._choice.write_words(tensor[self._cells :])
        return tensor, mask

    def _legal_list(self) -> tuple[Any, Any]:
        """Return the legal actions of the seat to act: their list and its length."""
        while self._game.list_actions():
            self._game.ask()
        return self._game.listing.listed, self._game.listing.counts

    def _ask(self) -> Bools:
        """Return the mask of the words that the seat to act may choose."""
        return self._choice.mask(self._legal_list())
