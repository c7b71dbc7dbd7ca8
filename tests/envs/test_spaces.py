"""The space of actions draws what Gymnasium's own draws."""

import pickle

import numpy as np
import pytest
from gymnasium import spaces

import parlour
from parlour.envs.spaces import ActionSpace

SETUP = parlour.make("trick-walls")


def both(seed=1):
    """Ours, and Gymnasium's own of the same size, each with this seed."""
    pair = ActionSpace(SETUP), spaces.Discrete(SETUP.num_actions)
    for space in pair:
        space.seed(seed)
    return pair


def mask_of(*numbers):
    mask = np.zeros(SETUP.num_actions, np.int8)
    mask[list(numbers)] = 1
    return mask


def test_with_a_mask_it_draws_the_same_numbers():
    ours, theirs = both()
    for numbers in [(3,), (0, 52, 104), range(105)] * 10:
        mask = mask_of(*numbers)
        drawn = ours.sample(mask)
        assert drawn == theirs.sample(mask)
        assert type(drawn) is np.int64


def test_so_it_does_without_one_or_by_chances():
    ours, theirs = both()
    chances = np.full(SETUP.num_actions, 1 / SETUP.num_actions)
    assert [ours.sample() for _ in range(9)] == [theirs.sample() for _ in range(9)]
    assert ours.sample(probability=chances) == theirs.sample(probability=chances)
    assert ours.sample(mask_of()) == theirs.sample(mask_of()) == 0


@pytest.mark.parametrize(
    "mask", [mask_of(1).astype(np.int64), mask_of(1)[:50], [0, 1], mask_of(1) * 2, mask_of(1) - mask_of(2)]
)
def test_what_is_no_mask_is_refused_in_the_same_words(mask):
    messages = []
    for space in both():
        with pytest.raises(AssertionError) as refused:
            space.sample(mask)
        messages.append(str(refused.value))
    assert messages[0] == messages[1]


def test_it_is_equal_to_theirs_and_can_be_handed_on():
    ours, theirs = both()
    assert ours == theirs
    handed = pickle.loads(pickle.dumps(ours))
    assert handed == ours
    assert handed.sample(mask_of(1, 2, 3)) == theirs.sample(mask_of(1, 2, 3))
