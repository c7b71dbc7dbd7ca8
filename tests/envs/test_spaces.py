"""The action space samples exactly like Gymnasium's."""

import pickle

import numpy as np
import pytest
from gymnasium import spaces

import parlour
from parlour.envs.spaces import ActionSpace

SETUP = parlour.make("trick-walls")


def both(seed=1):
    """Return our space and Gymnasium's of the same size, both with this seed."""
    pair = ActionSpace(SETUP.num_actions), spaces.Discrete(SETUP.num_actions)
    for space in pair:
        space.seed(seed)
    return pair


def mask_of(*numbers):
    mask = np.zeros(SETUP.num_actions, np.int8)
    mask[list(numbers)] = 1
    return mask


def test_samples_with_a_mask_are_the_same():
    ours, theirs = both()
    for numbers in [(3,), (0, 52, 104), range(105)] * 10:
        mask = mask_of(*numbers)
        drawn = ours.sample(mask)
        assert drawn == theirs.sample(mask)
        assert type(drawn) is np.int64


@pytest.mark.parametrize("size", [7, 8, 9, 600])
def test_every_size_and_layout_of_a_mask_is_read_to_its_end(size):
    ours, theirs = ActionSpace(size), spaces.Discrete(size)
    ours.seed(2), theirs.seed(2)
    every, last = np.ones(2 * size, np.int8)[::2], np.zeros(size, np.int8)
    last[-1] = 1
    for mask in (every, last, every):
        assert ours.sample(mask) == theirs.sample(mask)


def test_samples_without_a_mask_or_by_probabilities_are_the_same():
    ours, theirs = both()
    chances = np.full(SETUP.num_actions, 1 / SETUP.num_actions)
    assert [ours.sample() for _ in range(9)] == [theirs.sample() for _ in range(9)]
    assert ours.sample(probability=chances) == theirs.sample(probability=chances)
    assert ours.sample(mask_of()) == theirs.sample(mask_of()) == 0


@pytest.mark.parametrize(
    "mask", [mask_of(1).astype(np.int64), mask_of(1)[:50], [0, 1], mask_of(1) * 2, mask_of(1) - mask_of(2)]
)
def test_a_malformed_mask_is_refused_in_the_same_words(mask):
    messages = []
    for space in both():
        with pytest.raises(AssertionError) as refused:
            space.sample(mask)
        messages.append(str(refused.value))
    assert messages[0] == messages[1]


def test_it_is_equal_to_gymnasiums_and_can_be_pickled():
    ours, theirs = both()
    assert ours == theirs
    handed = pickle.loads(pickle.dumps(ours))
    assert handed == ours
    assert handed.sample(mask_of(1, 2, 3)) == theirs.sample(mask_of(1, 2, 3))
