"""Factored actions: an action chosen word by word, from a small action space.

The words of the notation (``swap 4C 9H`` has three) form a tree, whose paths are the actions. A seat chooses one word
after another until one legal action is left; words that all remaining legal actions have in common are skipped.
So every choice leads to a legal action, and every legal action has exactly one sequence of choices.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from parlour.engine.arrays import Bools, Float32s, Floats, Int16s, Int32s, Int64s, States
from parlour.engine.compiled import compiled, rule
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.rewards import WIN
from parlour.engine.setup import Setup
from parlour.engine.simulation.batch import Batch
from parlour.engine.simulation.output_arrays import Observations, check_fit
from parlour.engine.simulation.saved_games import SavedGames, Which, places_of
from parlour.engine.validation import shown, wholes

DONE = "."
"""The last word of an action that is the beginning of other actions, such as ``swap 4C``."""
NOT_COMPLETE = -1
"""Returned in place of an action for a game whose action lacks further words."""
_NONE = -1
"""No word: the end of a path."""


@dataclass(frozen=True)
class ActionWords:
    """The words of a setup's action space, and the path of each action.

    Attributes:
        words: the words; the number of a word is its index.
        paths: for each action the numbers of its words, filled up with −1: actions × longest path.
    """

    words: tuple[str, ...]
    paths: Int16s

    @property
    def cells(self) -> int:
        """The number of cells for the words chosen so far: one for each word at each place but the last."""
        return int(self.paths.shape[1] - 1) * len(self.words)


@lru_cache(maxsize=32)
def action_words(setup: Setup) -> ActionWords:
    """Return the words of a setup's action space.

    Raises:
        ParlourError: the game does not list its actions.
    """
    texts = [tuple(text.split(" ")) for text in setup.actions]
    beginnings = {text[:length] for text in texts for length in range(1, len(text))}
    texts = [(*text, DONE) if text in beginnings else text for text in texts]
    words = tuple(dict.fromkeys(word for text in texts for word in text))
    numbers = {word: number for number, word in enumerate(words)}
    paths = np.full((len(texts), max(map(len, texts))), _NONE, np.int16)
    for row, text in zip(paths, texts, strict=True):
        row[: len(text)] = [numbers[word] for word in text]
    return ActionWords(words, paths)


@rule
def _fits(path: Int16s, chosen: Int16s, depth: int) -> bool:
    """Return whether a path begins with the words chosen so far."""
    same = True
    for place in range(depth):
        same = same and path[place] == chosen[place]
    return same


@rule
def _pass_over_forced(listed: Int32s, count: int, paths: Int16s, chosen: Int16s, depth: int) -> tuple[int, int, int]:
    """Add the words that all remaining actions have in common, while several actions remain.

    Returns the number of chosen words, the number of remaining actions, and one of them.
    """
    while True:
        left = 0
        last = 0
        common = True
        for index in range(count):
            path = paths[listed[index]]
            if _fits(path, chosen, depth):
                common = common and (left == 0 or path[depth] == paths[last, depth])
                last = listed[index]
                left += 1
        if left < 2 or not common:
            return depth, left, last
        chosen[depth] = paths[last, depth]
        depth += 1


@compiled
def _ask(listed: Int32s, counts: Int64s, paths: Int16s, chosen: Int16s, depths: Int64s, mask: Bools) -> None:
    """Mark the words that each game's seat may choose next; games without legal actions have none."""
    for game in range(len(counts)):
        mask[game, :] = False
        depth = _pass_over_forced(listed[game], counts[game], paths, chosen[game], depths[game])[0]
        depths[game] = depth
        for index in range(counts[game]):
            path = paths[listed[game, index]]
            if _fits(path, chosen[game], depth):
                mask[game, path[depth]] = True


@compiled
def _choose(
    listed: Int32s,
    counts: Int64s,
    paths: Int16s,
    chosen: Int16s,
    depths: Int64s,
    words: Int64s,
    actions: Int64s,
    complete: Bools,
) -> None:
    """Add a word to each game's choice; write the action where only one action is left."""
    for game in range(len(counts)):
        complete[game] = False
        if counts[game] > 0:
            chosen[game, depths[game]] = words[game]
            depth, left, last = _pass_over_forced(listed[game], counts[game], paths, chosen[game], depths[game] + 1)
            depths[game] = depth
            if left == 1:
                actions[game] = last
                complete[game] = True
                depths[game] = 0


@compiled
def _draw(
    listed: Int32s, counts: Int64s, paths: Int16s, chosen: Int16s, depths: Int64s, drawn: Floats, words: Int64s
) -> None:
    """Write the next word of an action that fits each game's choice; ``drawn`` are random numbers from 0 to 1."""
    for game in range(len(counts)):
        left = 0
        for index in range(counts[game]):
            left += _fits(paths[listed[game, index]], chosen[game], depths[game])
        which = int(drawn[game] * left)
        for index in range(counts[game]):
            path = paths[listed[game, index]]
            if _fits(path, chosen[game], depths[game]):
                if which == 0:
                    words[game] = path[depths[game]]
                which -= 1


class OneChoice:
    """The words chosen so far by the seat to act in one game. The caller passes the game's legal actions."""

    def __init__(self, setup: Setup) -> None:
        """Begin a choice. Raises :class:`ParlourError` if the game does not list its actions."""
        space = action_words(setup)
        self._paths, self._words = space.paths, len(space.words)
        self._chosen = np.zeros((1, self._paths.shape[1]), np.int16)
        self._depths, self._action = np.zeros((2, 1), np.int64)
        self._mask, self._complete = np.zeros((1, self._words), np.bool_), np.zeros(1, np.bool_)

    def forget(self) -> None:
        """Drop the words chosen so far."""
        self._depths[0] = 0

    def mask(self, listing: tuple[Int32s, Int64s]) -> Bools:
        """Return the mask of the words that may be chosen next, valid until the next call.

        Args:
            listing: the list of legal actions, 1 × actions, and an array of its length.
        """
        _ask(*listing, self._paths, self._chosen, self._depths, self._mask)
        mask: Bools = self._mask[0]
        return mask

    def choose(self, listing: tuple[Int32s, Int64s], word: int) -> int | None:
        """Add a word of the mask; return the action if it is complete, and otherwise ``None``."""
        words = np.array([word])
        _choose(*listing, self._paths, self._chosen, self._depths, words, self._action, self._complete)
        return int(self._action[0]) if self._complete[0] else None

    def write_words(self, cells: Float32s) -> None:
        """Mark the words chosen so far: a cell for each word at each place but the last."""
        for place in range(self._depths[0]):
            cells[place * self._words + self._chosen[0, place]] = 1.0


@dataclass(frozen=True)
class SavedChoices:
    """A snapshot of games of a :class:`FactoredBatch`, with the choices under way in them.

    Attributes:
        games: the games.
        chosen: the words chosen so far in each game, in the first cells of its row.
        depths: the number of words chosen so far in each game.
    """

    games: SavedGames
    chosen: Int16s
    depths: Int64s


class FactoredBatch:
    """A batch whose actions are chosen word by word, in several steps of the same seat.

    A tensor is that of the observation, followed by a cell for each word at each place of the choice under way. A step
    that completes an action plays it in the underlying batch, so both batches have the same chance events.

    Attributes:
        batch: the underlying :class:`parlour.engine.simulation.batch.Batch`. Only methods of this class may change it.
        words: the action space.
    """

    def __init__(self, setup: Setup, games: int, seed: int | Sequence[int] = 0, threads: int | None = None) -> None:
        """Begin ``games`` games. Raises :class:`ParlourError` for an argument that is not a valid number."""
        space = action_words(setup)
        self.batch, self.words, self._paths = Batch(setup, games, seed, threads), space.words, space.paths
        self._chosen = np.zeros((games, self._paths.shape[1]), np.int16)
        self._depths = np.zeros(games, np.int64)
        self._mask = np.zeros((games, len(self.words)), np.bool_)
        self._asked = False
        self._generator = np.random.default_rng(self.batch.seed % 2**64 if isinstance(self.batch.seed, int) else None)
        self._tensor: Float32s = self.batch.new_tensor()  # type: ignore[assignment]
        self._full_mask = np.zeros((games, setup.num_actions), np.bool_)

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def setup(self) -> Setup:
        """The game, number of players and options."""
        return self.batch.setup

    @property
    def num_actions(self) -> int:
        """The size of the action space: the number of words."""
        return len(self.words)

    @property
    def observation_shape(self) -> tuple[int]:
        """The shape of one game's tensor."""
        return (self._tensor.shape[1] + action_words(self.setup).cells,)

    @property
    def seeds(self) -> Int64s:
        """The seed of the run of each game."""
        return self.batch.seeds

    @property
    def numbers(self) -> Int64s:
        """The number of each game in its run."""
        return self.batch.numbers

    @property
    def states(self) -> States:
        """The true states, a read-only structured array."""
        states: States = self.batch.states
        return states

    @property
    def actors(self) -> Int64s:
        """The seat to act in each game, or ``OVER``."""
        return self.batch.actors

    @property
    def over(self) -> Bools:
        """*n* bools, True for each game that has ended."""
        return self.batch.over

    def legal_mask(self) -> Bools:
        """Return the words that each game's seat may choose next, games × words."""
        if not self._asked:
            for at, listed, counts in self.batch.listings():
                _ask(listed, counts, self._paths, self._chosen[at], self._depths[at], self._mask[at])
            self._asked = True
        return self._mask.copy()

    def observe(
        self,
        seats: "int | Int64s | None" = None,
        tensor: Float32s | None = None,
        legal_mask: Bools | None = None,
    ) -> Observations:
        """Return the tensor and the mask of words of one seat in each game; by default of the seat to act.

        The choice under way is that of the seat to act: for other seats its cells and the mask are all 0.

        Args:
            seats: one seat for all games, or one for each.
            tensor: the output for the tensors, games × ``observation_shape``, ``float32``; a new array by default.
            legal_mask: the output for the masks, games × words, ``bool``; a new array by default.

        Raises:
            ParlourError: a seat is out of range, or an array has the wrong shape, type or memory order.
        """
        actors = self.actors
        self.batch.observe(seats, self._tensor, self._full_mask)
        mask = self.legal_mask()
        if legal_mask is not None:
            check_fit("legal_mask", legal_mask, mask.shape, (np.dtype(np.bool_),))
            legal_mask[...] = mask
            mask = legal_mask
        shape = len(self), *self.observation_shape
        if tensor is None:
            tensor = np.zeros(shape, np.float32)
        else:
            check_fit("tensor", tensor, shape, (np.dtype(np.float32),))
            tensor[:, self._tensor.shape[1] :] = 0.0
        tensor[:, : self._tensor.shape[1]] = self._tensor
        for place in range(self._paths.shape[1] - 1):
            games = np.flatnonzero(self._depths > place)
            cells = self._tensor.shape[1] + place * self.num_actions + self._chosen[games, place]
            tensor[games, cells] = 1.0
        if seats is not None:
            others = actors != seats
            mask[others], tensor[others, self._tensor.shape[1] :] = False, 0.0
        return Observations(tensor, mask)

    def step(self, words: Int64s) -> Int64s:
        """Choose a word in each game that is not over, and play the actions that are complete.

        Args:
            words: *n* numbers of words; those of games that are over are ignored.

        Returns:
            the action that was played in each game, an index in the setup's action space; −1 where none was complete.

        Raises:
            IllegalError: a word cannot be chosen now; nothing has changed.
            ParlourError: the number of words is not the number of games, or a word is not a number.
        """
        numbers, mask, going = self._one_each("word", words), self.legal_mask(), ~self.over
        known = (numbers >= 0) & (numbers < self.num_actions)
        for game in np.flatnonzero(going & ~(known & mask[np.arange(len(self)), np.where(known, numbers, 0)]))[:1]:
            number = numbers[game]
            named = repr(self.words[number]) if known[game] else f"word {number}"
            raise IllegalError(f"{named} cannot be chosen in game {game} of the batch")
        actions, complete = np.zeros(len(self), np.int64), np.zeros(len(self), np.bool_)
        for at, listed, counts in self.batch.listings():
            arrays = self._chosen[at], self._depths[at], numbers[at], actions[at], complete[at]
            _choose(listed, counts, self._paths, *arrays)
        if complete.any():
            self.batch.step(actions, complete)
        self._asked = False
        return np.where(complete, actions, NOT_COMPLETE)

    def words_of(self, actions: Int64s) -> Int64s:
        """Return the next word on the way to an action of each game; 0 if the game is over.

        Args:
            actions: *n* legal actions that begin with the words chosen so far; those of games that are over are
                ignored.

        Raises:
            IllegalError: an action is not legal, or does not begin with the words chosen so far.
            ParlourError: the number of actions is not the number of games, or an action is not a number.
        """
        numbers = np.where(self.over, 0, self._one_each("action", actions))
        for at, listed, counts in self.batch.listings():
            valid = np.arange(listed.shape[1]) < counts[:, np.newaxis]
            legal = ((listed == numbers[at, np.newaxis]) & valid).any(axis=1) | self.over[at]
            if not legal.all():
                game = at.start + int(np.argmin(legal))
                raise IllegalError(f"action {numbers[game]} is not legal in game {game} of the batch")
        self._check_beginnings(numbers)
        return np.where(self.over, 0, self._paths[numbers, self._depths].astype(np.int64))

    def _one_each(self, what: str, values: Int64s) -> Int64s:
        """Return one number for each game as an array. Raises :class:`ParlourError` for other shapes or types."""
        numbers = wholes(f"{what}s", values)
        if numbers.shape != (len(self),):
            raise ParlourError(f"one {what} per game is required, {len(self)} in all, not an array of {numbers.shape}")
        return numbers

    def _check_beginnings(self, actions: Int64s) -> None:
        """Raise :class:`IllegalError` unless each action begins with the words chosen in its game."""
        for place in range(self._paths.shape[1] - 1):
            other = (self._depths > place) & (self._paths[actions, place] != self._chosen[:, place]) & ~self.over
            for game in np.flatnonzero(other)[:1]:
                text = self.setup.actions[actions[game]]
                raise IllegalError(
                    f"{text!r} does not begin with the words chosen in game {game} of the batch: "
                    "keep the action until step has played it"
                )

    def random_actions(self) -> Int64s:
        """Return a word for each game, drawn so that each legal action is equally likely; 0 if the game is over.

        The words come from a generator of this batch, not from the games' streams. Its seed is the first seed of the
        batch, or random if each game has a seed of its own; :meth:`reset` does not change it.
        """
        self.legal_mask()
        words, drawn = np.zeros(len(self), np.int64), self._generator.random(len(self))
        for at, listed, counts in self.batch.listings():
            _draw(listed, counts, self._paths, self._chosen[at], self._depths[at], drawn[at], words[at])
        return words

    def renew(self, which: Which | None = None) -> Bools:
        """Replace games by the next ones, as :meth:`Batch.renew` does."""
        renewed = self.batch.renew(which)
        self._forget(renewed)
        return renewed

    def reset(self, seed: int | Sequence[int]) -> None:
        """Begin all games anew, as :meth:`Batch.reset` does."""
        self.batch.reset(seed)
        self._forget(np.ones(len(self), np.bool_))

    def save(self, which: Which | None = None) -> SavedChoices:
        """Return a snapshot for :meth:`restore`, as :meth:`Batch.save` does, with the choices under way."""
        at = np.arange(len(self)) if which is None else places_of(which, len(self))
        return SavedChoices(self.batch.save(which), self._chosen[at], self._depths[at])

    def restore(self, saved: SavedChoices, places: Which | None = None, seed: int | None = None) -> None:
        """Replace games of this batch by saved games, as :meth:`Batch.restore` does."""
        if not isinstance(saved, SavedChoices):
            raise ParlourError(f"restore takes what save() of a FactoredBatch has returned, not {shown(saved)}")
        self.batch.restore(saved.games, places, seed)
        at = np.arange(len(self)) if places is None else places_of(places, len(self))
        self._chosen[at], self._depths[at], self._asked = saved.chosen, saved.depths, False

    def play_others(self, seats: "int | Int64s", by_heuristic: bool = True) -> None:
        """Play the whole actions of the other seats, as :meth:`Batch.play_others` does."""
        actors = self.actors
        self.batch.play_others(seats, by_heuristic)
        self._forget(actors != seats)

    def _forget(self, which: Bools) -> None:
        """Drop the choices under way in these games."""
        self._depths[which] = 0
        self._asked = False

    def scores(self) -> tuple[Int64s, Int64s]:
        """Return the current scores of each game and its winners, as :meth:`Batch.scores` does."""
        return self.batch.scores()

    def rewards(self, kind: str = WIN) -> Float32s:
        """Return the rewards of each seat, as :meth:`Batch.rewards` does."""
        return self.batch.rewards(kind)
