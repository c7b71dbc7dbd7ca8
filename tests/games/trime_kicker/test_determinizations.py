"""TK-19: inferences from draws, orders and laid cards, and uniform determinizations of the rest.

Two properties are tested separately: the possible layouts as the game describes them are exactly those with which the
whole game replays, and determinizations are spread evenly over the described layouts.
"""

import random
from collections import Counter
from math import sqrt

import numba
import numpy as np
import pytest

from parlour.cards import cards_of, parse_card, set_of
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import determinize_many, hidden_from, new_table, observed_state
from parlour.engine.match import Match
from parlour.engine.rules import MAX_ACTIONS, MAX_CARDS, MAX_SLOTS, SPECTATOR, copy_state, new_states
from parlour.engine.setup import Setup
from parlour.games.trime_kicker.rules import FREE, ORDERED, RANK_SETS
from tests.games.trime_kicker.tables import TRIME_KICKER, table
from tests.helpers import play_at_random
from tests.sample_size import sample_size

FOURS = RANK_SETS[2] | RANK_SETS[6] | RANK_SETS[10]
"""Set of the multiples of four (TK-5)."""

pytestmark = pytest.mark.slow

VIEWERS = (0, 1)


@numba.njit
def is_legal(states, start, deck, actions, actors, numbers):
    """Return whether these events can follow this deal; the last of ``actors`` must be to act after them."""
    states[0] = start[0]
    state = states[0]
    rules.deal(state, deck)
    for index in range(len(actions)):
        if state.actor != actors[index]:
            return False
        if index > 0:
            found = False
            for which in range(rules.legal(state, numbers)):
                found = found or numbers[which] == actions[index]
            if not found:
                return False
        rules.play(state, actions[index])
    return state.actor == actors[len(actions)]


class Checker:
    """Replays the events of a match with other deals."""

    def __init__(self, match):
        self.states, self.start = new_states(TRIME_KICKER.dtype, 1), new_states(TRIME_KICKER.dtype, 1)
        self.start[0] = match.setup.new_state()
        again = Match(match.setup)
        actions, actors = [], []
        for number, event in enumerate(match.events):
            if number:
                actors.append(again.actor)
                actions.append(int(event.do[-1]) if number == 1 else again.parse_move(event.do))
            again.apply_event(event)
        self.actions, self.actors = np.array(actions), np.array([*actors, again.actor])
        self.numbers = np.zeros(MAX_ACTIONS, np.int64)
        self.truth = np.array([parse_card(card) for card in match.events[0].do.split()[1:]])

    def allows(self, deck):
        return is_legal(self.states, self.start, deck, self.actions, self.actors, self.numbers)


def present_hand(match, seat):
    """Return the number of the draw before the present main pile, or 0, and the number of earlier empty piles."""
    held, drawn, began, emptied = 12, 0, 0, 0
    for event in match.events:
        if event.by == seat:
            held += (event.do == "draw") - (" on " in event.do)
            drawn += event.do == "draw"
            if held == 0:
                held, began, emptied, drawn = (12 - drawn) * (emptied == 0), drawn, emptied + 1, 12
    return began, emptied


def hidden_positions(match, viewer):
    """Return for each place, in the engine's order, its positions in the deck."""
    chains, rests = [], []
    for seat in range(2):
        main, backup = list(range(12 * seat, 12 * seat + 12)), list(range(24 + 12 * seat, 36 + 12 * seat))
        drawn, (began, emptied) = int(match.state.drawn[seat]), present_hand(match, seat)
        if emptied:
            chain, rest = [backup[began:] if emptied == 1 else []], []
        else:
            chain, rest = [main, *([position] for position in backup[:drawn])], backup[drawn:]
        chains += chain if seat != viewer else []
        rests.append(rest)
    return chains + rests


def places_of(match, viewer):
    sizes, allowed = np.zeros(MAX_SLOTS, np.int64), np.zeros(MAX_SLOTS, np.int64)
    number = rules.hidden_slots(match.observed(viewer), viewer, sizes, allowed)
    return [(int(sizes[index]), int(allowed[index])) for index in range(number)]


def state_with(match, viewer, layout):
    """Return the state with these cards in the places."""
    state = match.observed(viewer)
    for index, held in enumerate(layout):
        cards = np.zeros(MAX_CARDS, np.int64)
        cards[: len(held)] = held
        rules.assign(state, viewer, index, cards, len(held))
    return state


def is_described(match, viewer, layout):
    """Return whether the game's description of possible layouts permits these cards in these places."""
    hidden_slots = places_of(match, viewer)
    fitting = all(set_of(held) & ~allowed == 0 for held, (_, allowed) in zip(layout, hidden_slots, strict=True))
    return fitting and rules.is_consistent(state_with(match, viewer, layout), viewer, new_stream(0))


def moments(seed, options, every=3):
    match = Match(Setup(TRIME_KICKER, 2, options))
    for number, _ in enumerate(play_at_random(match, seed)):
        if number > 1 and number % every == 0:
            yield match


OPTIONS = [{}, {"ace": "low"}, {"ace": "high", "judge": "leader"}, {"judge": "leader"}]


class TestWhatIsPossible:
    @pytest.mark.parametrize("options", OPTIONS)
    def test_a_layout_is_described_as_possible_exactly_if_the_game_replays_with_it(self, options):
        """One to three pairs of cards of the true layout change places."""
        rng, seen = random.Random(5), Counter()
        for seed in range(sample_size(1)):
            for match in moments(seed, options):
                checker = Checker(match)
                assert checker.allows(checker.truth), "what happened can happen"
                for viewer in VIEWERS:
                    positions = hidden_positions(match, viewer)
                    flat = [position for place in positions for position in place]
                    assert [len(place) for place in positions] == [size for size, _ in places_of(match, viewer)]
                    assert set_of(checker.truth[flat]) == hidden_from(match.observed(viewer), viewer)
                    for _ in range(12 if flat else 0):
                        deck = checker.truth.copy()
                        for _ in range(rng.choice([1, 1, 1, 2, 3])):
                            one, other = rng.choice(flat), rng.choice(flat)
                            deck[one], deck[other] = deck[other], deck[one]
                        possible = checker.allows(deck)
                        layout = [[int(card) for card in deck[place]] for place in positions]
                        assert is_described(match, viewer, layout) == possible, (seed, len(match.events), viewer)
                        seen[viewer, possible, match.state.order != FREE] += 1
        assert len(seen) == 8, "possible and not, by order and not, for every viewer"
        assert min(seen.values()) > 5

    @pytest.mark.parametrize("options", OPTIONS)
    def test_every_determinization_replays(self, options):
        table_, stream = new_table(), new_stream(1)
        determinizations = new_states(TRIME_KICKER.dtype, 20)
        for seed in range(20, 20 + sample_size(2)):
            for match in moments(seed, options, every=7):
                checker = Checker(match)
                for viewer in VIEWERS:
                    positions, observed = hidden_positions(match, viewer), match.observed(viewer)
                    determinize_many(observed, viewer, determinizations, table_, stream)
                    for determinization in determinizations:
                        assert observed_state(determinization, viewer).tobytes() == observed.tobytes()
                        assert checker.allows(deck_with(checker.truth, positions, layout_in(determinization, viewer)))


def layout_in(state, viewer):
    """Return the cards in each place of a state."""
    chains = [
        held
        for seat in range(2)
        if seat != viewer
        for held in [
            list(cards_of(state.first[seat])),
            *([int(card)] for card in state.backup[seat][: state.drawn[seat]]),
        ]
    ]
    return chains + [
        [int(card) for card in state.backup[seat][state.drawn[seat] : state.drawn[seat] + state.left[seat]]]
        for seat in range(2)
    ]


def deck_with(truth, positions, layout):
    deck = truth.copy()
    for place, held in zip(positions, layout, strict=True):
        deck[place] = held
    return deck


def all_layouts(match, viewer, limit):
    """Return all layouts that the game describes as possible, or ``None`` if there are more than ``limit``.

    The first places hold sets, the last two are in order.
    """
    hidden_slots = places_of(match, viewer)
    cards = list(cards_of(hidden_from(match.observed(viewer), viewer)))
    ordered = len(hidden_slots) - 2
    cards.sort(key=lambda card: sum(allowed >> card & 1 for _, allowed in hidden_slots))
    layout = [[None] * size if index >= ordered else [] for index, (size, _) in enumerate(hidden_slots)]
    found, steps = [], [0]

    def put(at):
        steps[0] += 1
        if len(found) > limit or steps[0] > 400 * limit:
            return
        if at == len(cards):
            found.append([list(held) for held in layout])
            return
        for index, (size, allowed) in enumerate(hidden_slots):
            if not allowed >> cards[at] & 1:
                continue
            if index < ordered and len(layout[index]) < size:
                layout[index].append(cards[at])
                put(at + 1)
                layout[index].pop()
            elif index >= ordered:
                for which in range(size):
                    if layout[index][which] is None:
                        layout[index][which] = cards[at]
                        put(at + 1)
                        layout[index][which] = None

    put(0)
    if len(found) > limit or steps[0] > 400 * limit:
        return None
    return [held for held in found if rules.is_consistent(state_with(match, viewer, held), viewer, new_stream(0))]


def key_of(state):
    """Return a hashable layout, without what the seats remember."""
    state = copy_state(state)
    state.private[:] = 0
    return state.tobytes()


def check_even(match, viewer, layouts, each=60):
    """Check that determinizations are uniform over these layouts: chi-square within five standard deviations."""
    expected = {key_of(state_with(match, viewer, layout)) for layout in layouts}
    assert len(expected) == len(layouts)
    determinizations = new_states(TRIME_KICKER.dtype, each * len(layouts))
    determinize_many(match.observed(viewer), viewer, determinizations, new_table(), new_stream(len(match.events)))
    times = Counter(key_of(determinization) for determinization in determinizations)
    assert set(times) == expected
    freedom = len(expected) - 1
    chi_square = sum((number - each) ** 2 / each for number in times.values())
    assert chi_square <= freedom + 5 * sqrt(2 * freedom) + 5 * (freedom > 0)


def has_open_origins(match, viewer):
    """Return whether a laid card may have been drawn at different times, so that a layout is more than the hands."""
    hidden_slots = places_of(match, viewer)
    cards_of_unknown_origin = rules.cards_of_unknown_origin(match.observed(viewer), viewer)
    return any(
        sum(allowed >> card & 1 for size, allowed in hidden_slots if size) > 1
        for card in cards_of(cards_of_unknown_origin)
    )


class TestDeterminizationsAreEven:
    def test_over_every_layout_that_is_possible(self):
        """Late in random games, where all layouts can be listed."""
        rng, kinds = random.Random(3), Counter()
        for seed in range(100, 124):
            for match in moments(seed, OPTIONS[seed % 4], every=2):
                for viewer in VIEWERS:
                    if rng.random() < 0.5 or kinds[viewer, has_open_origins(match, viewer)] >= 3:
                        continue
                    layouts = all_layouts(match, viewer, 150)
                    if layouts is not None and len(layouts) > 1:
                        check_even(match, viewer, layouts)
                        kinds[viewer, has_open_origins(match, viewer)] += 1
            if all(kinds[viewer, True] >= 3 for viewer in VIEWERS):
                return
        raise AssertionError(kinds)

    def test_over_every_layout_while_an_order_stands(self):
        """In games whose seats decline in every second turn in which they may, so that the judge decides often."""
        done = 0
        for seed in range(60):
            rng, match = random.Random(seed), Match(Setup(TRIME_KICKER, 2, OPTIONS[seed % 4]))
            deck = [card for card in range(52) if card % 13 != 1]
            rng.shuffle(deck)
            names = [f"{'23456789TJQKA'[card % 13]}{'CDHS'[card // 13]}" for card in deck]
            match.apply_chance("deal " + " ".join(names))
            match.apply_chance(f"first {seed % 2}")
            while not match.over:
                legal = match.legal()
                decline = "decline" in legal and rng.random() < 0.5
                match.act("decline" if decline else rng.choice(legal))
                if match.state.order != ORDERED or match.over or done >= 12:
                    continue
                for viewer in VIEWERS:
                    layouts = all_layouts(match, viewer, 100)
                    if layouts is not None and len(layouts) > 1:
                        check_even(match, viewer, layouts)
                        done += 1
            if done >= 12:
                return
        raise AssertionError(f"only {done} positions with an order were found")


def share(match, viewer, true_of, number=4000):
    """Return the frequency of a property among determinizations."""
    determinizations = new_states(TRIME_KICKER.dtype, number)
    determinize_many(match.observed(viewer), viewer, determinizations, new_table(), new_stream(9))
    return sum(bool(true_of(determinization)) for determinization in determinizations) / number


def bit_of(card):
    return 1 << parse_card(card)


class TestWhatADrawProves:
    def test_no_card_of_the_hand_fitted_any_pile(self):
        match = table(line="draw")
        assert share(match, 1, lambda determinization: determinization.first[0] & FOURS) == 0

    def test_the_card_drawn_may_fit(self):
        match = table(line="draw")
        assert share(match, 1, lambda determinization: (1 << int(determinization.backup[0][0])) & FOURS) > 0.2

    def test_a_card_laid_straight_after_a_draw_is_the_one_drawn(self):
        match = table(backups=["QS"], line="draw, QS on 1")
        assert share(match, 1, lambda determinization: determinization.backup[0][0] == parse_card("QS")) == 1

    def test_a_card_laid_later_was_in_the_hand_before_or_drawn_since(self):
        """Player 0 draws in vain, player 1 lays a four, player 0 a five on it: it was one of thirteen cards."""
        match = table(["5C", "4D"], ["7S"], line="draw, decline, 4D on 2, 5C on 2")
        was_drawn = share(match, 1, lambda determinization: determinization.backup[0][0] == parse_card("5C"), 20000)
        unknown = 48 - 12 - 1  # not seen by player 1, the five apart
        fours = 12 - 1
        first, later = unknown - fours, unknown
        # the five drawn and twelve cards without fours; or the five first, eleven such cards, and any card drawn
        odds = ((first - 11) / 12) / ((later - 11) * 1)
        assert abs(was_drawn - odds / (1 + odds)) < 5 * sqrt(was_drawn / 20000)

    def test_a_draw_says_nothing_about_what_was_laid_before(self):
        match = table(["4C", "8D"], ["9S"], line="4C on 4, 8D on 4, decline, decline")
        assert share(match, 1, lambda determinization: determinization.first[0] & bit_of("4C")) == 1

    def test_a_decline_proves_nothing(self):
        match = table(["4C"], line="decline")
        assert share(match, 1, lambda determinization: determinization.hand[0] & FOURS) > 0.9

    def test_the_backup_taken_up_makes_a_new_hand(self):
        """Knowledge about the first hand does not apply to the backup."""
        taken_up = 0
        for seed in range(12):
            proved = False
            for match in moments(seed, {}, every=1):
                if 0 < match.state.first_size[0] < 12:
                    (size, allowed), *_ = places_of(match, 1)
                    assert size == match.state.first_size[0]
                    assert hidden_from(match.observed(1), 1) & ~allowed == 0
                    taken_up += proved
                    break
                proved = proved or match.state.drawn[0] > 0
        assert taken_up > 1

    def test_all_viewers_remember_the_same_proofs(self):
        before, after = (
            [table(line=line).observed(viewer).may.tobytes() for viewer in (0, 1, SPECTATOR)] for line in ("", "draw")
        )
        assert len(set(after)) == 1
        assert after != before


class TestWhatAnOrderProves:
    def test_an_order_to_the_seat_not_favoured_shows_that_only_it_can_lay(self):
        """Player 0 declined first and would be favoured."""
        match = table(["", "8D"], line="decline, decline")
        assert match.actor == 1
        assert share(match, 1, lambda determinization: determinization.hand[0] & FOURS) == 0
        assert share(match, 0, lambda determinization: determinization.hand[1] & FOURS) == 1

    def test_a_seat_ordered_to_draw_knows_that_the_other_cannot_lay_either(self):
        match = table(line="decline, decline")
        assert match.actor == 0
        assert share(match, 0, lambda determinization: determinization.hand[1] & FOURS) == 0
        assert share(match, 1, lambda determinization: determinization.hand[0] & FOURS) > 0.9

    def test_the_draw_proves_the_same_to_the_other_seat(self):
        match = table(line="decline, decline, draw")
        assert share(match, 0, lambda determinization: determinization.first[1] & FOURS) == 0
        assert share(match, 1, lambda determinization: determinization.first[0] & FOURS) == 0

    def test_a_favoured_seat_that_lays_discloses_nothing_about_the_other(self):
        match = table(["4C", "8D"], line="decline, decline, 4C on 1")
        assert share(match, 0, lambda determinization: determinization.hand[1] & FOURS) > 0.9

    def test_a_seat_that_lays_though_the_other_was_favoured_shows_that_the_other_could_not(self):
        match = table(["", "8D 9D"], line="decline, decline, 8D on 1, decline, 9D on 1")
        assert share(match, 1, lambda determinization: determinization.first[0] & FOURS) == 0
