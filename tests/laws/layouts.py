"""Tables of places for cards, exact counts of layouts over places, and the comparison of sampled layouts with them."""

from collections import Counter
from math import sqrt

from parlour.cards import cards_of
from parlour.engine.information.determinization import new_table


def table_of_places(places):
    """Return a table with the places, each with its size and the cards that it may hold."""
    table = new_table()
    for index, (size, allowed) in enumerate(places):
        table.sizes[index], table.allowed[index] = size, allowed
    return table


def assert_frequencies(times, number, expected):
    """Check the number of layouts, of ``number``, with each card in each place against its probability."""
    assert set(times) <= set(expected)
    for key, chance in expected.items():
        assert abs(times[key] - number * chance) <= 4.5 * sqrt(number * chance * (1 - chance)) + 1e-9, key


def chances(pool, places):
    """Return the probability of each card of the pool in each place, all layouts being equally likely."""
    cards = list(cards_of(pool))
    allowed = [[index for index, (_, may) in enumerate(places) if may >> card & 1] for card in cards]
    ways = [Counter({tuple(size for size, _ in places): 1})]
    for card_allowed in allowed:
        following = Counter()
        for room, number in ways[-1].items():
            for index in card_allowed:
                if room[index]:
                    following[less(room, index)] += number
        ways.append(following)
    after = Counter({tuple(0 for _ in places): 1})
    total, found = ways[-1][tuple(0 for _ in places)], {}
    for at in reversed(range(len(cards))):
        before = Counter()
        for room, number in ways[at].items():
            for index in allowed[at]:
                if room[index] and (rest := after[less(room, index)]):
                    before[room] += rest
                    found[cards[at], index] = found.get((cards[at], index), 0) + number * rest
        after = before
    return {key: number / total for key, number in found.items()}


def less(room, index):
    """Return the rooms of all places after one card was put into the place ``index``."""
    return (*room[:index], room[index] - 1, *room[index + 1 :])
