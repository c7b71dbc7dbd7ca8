"""How many layouts there are of cards over places, and how many of them put a card where: by counting, exactly."""

from collections import Counter

from parlour.cards import cards_of


def chances(pool, places):
    """How likely each card of the pool lies in each place, all layouts being equally likely: by counting them."""
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
    """One card fewer fits into this place."""
    return (*room[:index], room[index] - 1, *room[index + 1 :])
