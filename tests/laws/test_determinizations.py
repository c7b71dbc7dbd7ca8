"""Distribution of determinizations: as often as counting predicts.

If every place may hold every unknown card, the counts are known in closed form. If few cards are unknown, every layout
is enumerated and replayed to see whether it is possible, and the determinizations must be spread evenly over the
possible ones.
"""

import random
from collections import Counter
from itertools import islice, permutations
from math import prod, sqrt

import numpy as np
import pytest

from parlour.authors.histories import record_of
from parlour.authors.laws import choose_setup
from parlour.cards import cards_of
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.errors import RecordError
from parlour.engine.information.determinization import (
    determinize,
    determinize_many,
    fill,
    hidden_from,
    new_table,
    prepare_determinization,
)
from parlour.engine.match import Match
from parlour.engine.matches.records import replay
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import MAX_CARDS, MAX_SLOTS, SPECTATOR, copy_state
from parlour.engine.setup import Setup
from tests.game_modules import module_of
from tests.helpers import play_at_random
from tests.laws.layouts import chances
from tests.laws.walks import GAMES, layout_of, seats, some_moments
from tests.sample_size import sample_size

pytestmark = pytest.mark.slow

every_game = pytest.mark.parametrize("game_id", GAMES)
FEW_CARDS = 6
"""Largest number of unknown cards for enumeration; they have at most 720 layouts."""


def counted_elsewhere(game_id, what):
    """Skip a count of layouts if the game's ``reference.py`` gives a reason under this name."""
    why = getattr(module_of(GAMES[game_id], "reference"), what, "")
    if why:
        pytest.skip(why)


def many_determinizations(match, viewer, number, seed=1):
    """Return determinizations by the compiled loop."""
    determinizations = rules.new_states(match.game.dtype, number)
    determinize_many(match.observed(viewer), viewer, determinizations, new_table(), new_stream(seed))
    return determinizations


def unknown_to(state, viewer):
    """Return the cards whose place or origin the viewer does not know."""
    return int(hidden_from(state, viewer))


def places_of(state, viewer):
    """Return for each place with unknown cards its size and the possible cards."""
    sizes, allowed = np.zeros(MAX_SLOTS, np.int64), np.zeros(MAX_SLOTS, np.int64)
    number = rules.hidden_slots(state, viewer, sizes, allowed)
    return [(int(sizes[index]), int(allowed[index])) for index in range(number)]


def is_wide(match, viewer):
    """Return whether every place may hold every card unknown to the viewer."""
    pool = unknown_to(match.state, viewer)
    return all(pool & ~allowed == 0 for size, allowed in places_of(match.observed(viewer), viewer) if size)


def places_say_all(match, viewer):
    """Return whether all layouts that the places permit are consistent: none of fifty is rejected."""
    state, table, stream = match.observed(viewer), new_table(), new_stream(5)
    prepare_determinization(state, viewer, table)
    for _ in range(50):
        fill(state, viewer, table, stream)
        if not rules.is_consistent(state, viewer, stream):
            return False
    return True


def any_card_anywhere(match, viewer):
    """Return whether every layout is possible; cards of unknown origin have known places and count in no zone."""
    cards_of_unknown_origin = int(rules.cards_of_unknown_origin(match.state, viewer))
    return not cards_of_unknown_origin and is_wide(match, viewer) and places_say_all(match, viewer)


def walk(setup, seed):
    """Play a random game; yield the match before the first event and after every event."""
    match = Match(setup, COMPILED)
    yield match
    yield from play_at_random(match, seed)


def moments_where(game_id, condition, number, attempts=60):
    """Return moments of random games and viewers that satisfy a condition, at most two from a game.

    A moment is a setup, the seed of a game and the number of events before it.
    """
    rng, found = random.Random(game_id), []
    for _ in range(attempts):
        setup, seed = choose_setup(GAMES[game_id], rng.choice, whole=False), rng.getrandbits(32)
        moments = [match.copy() for match in walk(setup, seed)]
        index = [(at, viewer) for at, match in enumerate(moments) for viewer in seats(match)]
        rng.shuffle(index)
        fitting = ((at, viewer) for at, viewer in index if condition(moments[at], viewer))
        found += [(setup, seed, *chosen) for chosen in islice(fitting, 2)]
        if len(found) >= number:
            break
    assert found, (
        "these games have no such moment: a game's reference.py may give the reason (FEW_UNKNOWN, NARROW_PLACES)"
    )
    return found[:number]


def match_at(setup, seed, at):
    """Return the match of a random game after ``at`` events."""
    return next(match for index, match in enumerate(walk(setup, seed)) if index == at)


def has_ordered_zones(game):
    """Return whether order matters in a zone of a game."""
    match = next(match for match in walk(Setup(game, game.players[0]), 1) if match.actor >= 0)
    return any(zone.ordered and not zone.face_up for zone in game.zones(match.state))


def rules_cards_out(game_id):
    """Return whether events of a game can exclude a card from a place (a hand that did not follow suit)."""
    rng = random.Random(game_id)
    for _ in range(6):
        setup, seed = choose_setup(GAMES[game_id], rng.choice, whole=False), rng.getrandbits(32)
        for match in some_moments(setup, seed, 40):
            if not all(is_wide(match, viewer) for viewer in seats(match)):
                return True
    return False


@every_game
class TestCompiledAndInterpretedDeterminizations:
    def test_there_are_none_for_a_spectator(self, game_id):
        match = next(match for match in walk(Setup(GAMES[game_id], GAMES[game_id].players[0]), 1) if match.actor >= 0)
        for make in (
            lambda: determinize(match.observed(SPECTATOR), SPECTATOR, new_stream(1)),
            lambda: many_determinizations(match, SPECTATOR, 1),
        ):
            with pytest.raises(ValueError, match="determinizations are for seats"):
                make()

    def test_they_are_the_same_for_the_same_stream(self, game_id):
        rng = random.Random(game_id)
        for _ in range(6):
            setup = choose_setup(GAMES[game_id], rng.choice, whole=False)
            for match in some_moments(setup, rng.getrandbits(32), 4):
                for viewer in seats(match):
                    stream = new_stream(7)
                    ours = [determinize(match.observed(viewer), viewer, stream).tobytes() for _ in range(5)]
                    assert ours == [state.tobytes() for state in many_determinizations(match, viewer, 5, seed=7)]


@every_game
class TestWideDeterminizations:
    """A place with k of n unknown cards holds k·k/n of its true ones on average: hypergeometric.

    The test detects a card that is in a place a tenth too often or too seldom: 4.5 standard deviations of 500
    determinizations are at most 4.5 × √(0.25 / 500) = 0.1.
    """

    DETERMINIZATIONS = 500
    SIGMAS = 4.5

    def test_every_place_has_its_true_cards_as_often_as_counting_predicts(self, game_id):
        def condition(match, viewer):
            many = unknown_to(match.state, viewer).bit_count() > FEW_CARDS
            return many and any_card_anywhere(match, viewer)

        for case in moments_where(game_id, condition, sample_size(4)):
            *moment, viewer = case
            match = match_at(*moment)
            truth = dict(layout_of(GAMES[game_id], match.state, viewer))
            determinizations = [
                dict(layout_of(GAMES[game_id], state, viewer))
                for state in many_determinizations(match, viewer, self.DETERMINIZATIONS)
            ]
            for zone, cards in truth.items():
                self.check_zone(
                    cards, [sampled[zone] for sampled in determinizations], unknown_to(match.state, viewer), case
                )

    def check_zone(self, cards, determinizations, pool, case):
        number, size = pool.bit_count(), len(cards)
        assert {len(sampled) for sampled in determinizations} == {size}
        right = [len(set(cards) & set(sampled)) for sampled in determinizations]
        share = size / number
        spread = sqrt(size * share * (1 - share) * (number - size) / (number - 1) / self.DETERMINIZATIONS)
        assert abs(np.mean(right) - size * share) <= self.SIGMAS * spread + 1e-9, case
        for card in cards_of(pool):
            times = sum(card in sampled for sampled in determinizations)
            spread = sqrt(self.DETERMINIZATIONS * share * (1 - share))
            assert abs(times - self.DETERMINIZATIONS * share) <= self.SIGMAS * spread + 1e-9, (case, card)

    def test_every_order_of_an_ordered_place_is_equally_likely(self, game_id):
        """Each unknown card is at each position of a pile equally often."""

        def condition(match, viewer):
            zones = GAMES[game_id].zones(match.observed(viewer))
            ordered = any(zone.ordered and zone.hidden > 1 for zone in zones)
            return ordered and any_card_anywhere(match, viewer)

        if not has_ordered_zones(GAMES[game_id]):
            pytest.skip("no zone of this game has an order")
        for *moment, viewer in moments_where(game_id, condition, sample_size(2)):
            match = match_at(*moment)
            number = unknown_to(match.state, viewer).bit_count()
            ordered = {(zone.name, zone.at) for zone in GAMES[game_id].zones(match.state) if zone.ordered}
            determinizations = [
                dict(layout_of(GAMES[game_id], state, viewer))
                for state in many_determinizations(match, viewer, self.DETERMINIZATIONS)
            ]
            expected = self.DETERMINIZATIONS / number
            for zone in ordered & set(determinizations[0]):
                for position in range(len(determinizations[0][zone])):
                    times = Counter(sampled[zone][position] for sampled in determinizations)
                    chi_square = sum((times[card] - expected) ** 2 / expected for card in times)
                    chi_square += expected * (number - len(times))
                    assert chi_square < number - 1 + 5 * sqrt(2 * number) + 5


def cards_in_place(game, state, viewer, index):
    """Return the cards unknown to the viewer that are in a place: those that vanish when it is emptied."""
    emptied = copy_state(state)
    rules.assign(emptied, viewer, index, np.zeros(MAX_CARDS, np.int64), 0)
    before, after = (
        {card for _, cards in layout_of(game, each, viewer) for card in cards if card >= 0} for each in (state, emptied)
    )
    return before - after


@every_game
class TestNarrowDeterminizations:
    """Some place cannot hold every card: each card is in each place as often as in all layouts."""

    DETERMINIZATIONS = 500

    @pytest.mark.slow
    def test_every_card_is_in_every_place_as_often_as_counting_predicts(self, game_id):
        game = GAMES[game_id]

        def condition(match, viewer):
            sizes = [size + 1 for size, _ in places_of(match.observed(viewer), viewer)]
            many = unknown_to(match.state, viewer).bit_count() > FEW_CARDS
            narrow = many and not is_wide(match, viewer) and prod(sizes) < 3000
            return narrow and places_say_all(match, viewer)

        counted_elsewhere(game_id, "NARROW_PLACES")
        if not rules_cards_out(game_id):
            pytest.skip("nothing that happens in this game rules a card out anywhere")
        for case in moments_where(game_id, condition, sample_size(3)):
            *moment, viewer = case
            match = match_at(*moment)
            hidden_slots = places_of(match.observed(viewer), viewer)
            times = Counter()
            for state in many_determinizations(match, viewer, self.DETERMINIZATIONS):
                for index, (size, _) in enumerate(hidden_slots):
                    if size:
                        times.update((card, index) for card in cards_in_place(game, state, viewer, index))
            expected = chances(unknown_to(match.state, viewer), hidden_slots)
            assert set(times) <= set(expected)
            for key, chance in expected.items():
                spread = sqrt(self.DETERMINIZATIONS * chance * (1 - chance))
                assert abs(times[key] - self.DETERMINIZATIONS * chance) <= 4.5 * spread + 1, (case, key)


def all_layouts(game, match, viewer):
    """Return a state for every layout of the unknown cards with the right number in every place, possible or not."""
    observed = match.observed(viewer)
    sizes = [size for size, _ in places_of(observed, viewer)]
    stream, found = new_stream(3), {}
    for order in permutations(cards_of(unknown_to(match.state, viewer))):
        state, first = copy_state(observed), 0
        for index, size in enumerate(sizes):
            cards = np.zeros(MAX_CARDS, np.int64)
            cards[:size] = order[first : first + size]
            rules.assign(state, viewer, index, cards, size)
            first += size
        rules.sample_rest(state, viewer, stream)
        found.setdefault(layout_of(game, state, viewer), state)
    return found


def could_have_happened(match, state, viewer):
    """Return whether a game with these cards and the same events is legal and looks the same to the viewer."""
    try:
        other = replay(record_of(match, state))
    except RecordError:
        return False
    return other.observed(viewer).tobytes() == match.observed(viewer).tobytes()


@every_game
class TestDeterminizationsOfFewCards:
    DETERMINIZATIONS_EACH = 60
    """Number of determinizations for each layout.

    No layout is then missed by chance, and one that is twice as likely as the others is 60 ÷ √60 ≈ 8 standard
    deviations away.
    """

    @pytest.mark.parametrize("kind", ["wide", "narrow"])
    def test_exactly_the_possible_layouts_are_sampled_equally_often(self, game_id, kind):
        counted_elsewhere(game_id, "FEW_UNKNOWN")

        def condition(match, viewer):
            # each further unknown card means about six times the work
            most = FEW_CARDS if kind == "narrow" else FEW_CARDS - 1
            few = 3 <= unknown_to(match.state, viewer).bit_count() <= most
            return few and is_wide(match, viewer) is (kind == "wide")

        if kind == "narrow" and not rules_cards_out(game_id):
            pytest.skip("nothing that happens in this game rules a card out anywhere")
        numbers = []
        for *moment, viewer in moments_where(game_id, condition, sample_size(8 if kind == "wide" else 4)):
            match = match_at(*moment)
            layouts = all_layouts(GAMES[game_id], match, viewer)
            possible = {layout for layout, state in layouts.items() if could_have_happened(match, state, viewer)}
            self.check_spread(
                possible, many_determinizations(match, viewer, self.DETERMINIZATIONS_EACH * len(possible)), viewer
            )
            assert layout_of(GAMES[game_id], match.state, viewer) in possible, "the truth is possible"
            numbers.append((len(layouts), len(possible)))
        if kind == "narrow":
            assert any(possible < layouts for layouts, possible in numbers), "no position ruled anything out"
        assert any(possible > 1 for _, possible in numbers), "no position left anything open"

    def test_the_other_seats_know_what_they_would_know_in_that_game(self, game_id):
        counted_elsewhere(game_id, "FEW_UNKNOWN")

        def condition(match, viewer):
            return 2 <= unknown_to(match.state, viewer).bit_count() <= FEW_CARDS

        for *moment, viewer in moments_where(game_id, condition, sample_size(8)):
            match = match_at(*moment)
            for state in many_determinizations(match, viewer, 12):
                game = replay(record_of(match, state))
                assert game.state.private[: match.players].tolist() == state.private[: match.players].tolist()

    def check_spread(self, possible, determinizations, viewer):
        game = next(game for game in GAMES.values() if game.dtype.names == determinizations.dtype.names)
        times = Counter(layout_of(game, state, viewer) for state in determinizations)
        assert set(times) == possible
        chi_square = sum(
            (number - self.DETERMINIZATIONS_EACH) ** 2 / self.DETERMINIZATIONS_EACH for number in times.values()
        )
        freedom = len(possible) - 1
        assert chi_square <= freedom + 5 * sqrt(2 * freedom) + 5 * (freedom > 0)
