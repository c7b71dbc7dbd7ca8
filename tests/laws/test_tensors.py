"""Observation tensors: all that a seat knows now and no more, its seat first, equal for one game and in batches."""

import json
import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.authors.laws import choose_setup, redraw_unknown, viewers, walk
from parlour.cards import CARD_NAMES, SUIT_SETS
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError
from parlour.engine.information.plane_cells import gather, new_flags, store_row
from parlour.engine.information.planes import tensor_of
from parlour.engine.match import Match
from parlour.engine.matches.steps import COMPILED
from parlour.engine.observation import EVERYTHING
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.engine.simulation.batch import Batch
from tests.laws.walks import GAMES, SEEDS, setups, some_moments

pytestmark = pytest.mark.slow

FEW = settings(max_examples=5)
every_game = pytest.mark.parametrize("game_id", GAMES)
OWN_HAND = {"trime-kicker": "main pile"}
"""Names of the zone of a player's own cards in games without a hand."""


def content_of(observation):
    """Return the content of an observation: places of cards, facts, running score."""
    sent = observation.to_json()
    return json.dumps([sent["zones"], sent["facts"], sent["lines"], sent["standing"], sent["actor"]])


def cards_in(tensor, plane):
    """Return the names of the cards whose cells are not 0."""
    return sorted(plane.cells[at] for at in np.flatnonzero(tensor[plane.slice]))


def plane_of(setup, name):
    return next(plane for plane in setup.observation_planes if re.fullmatch(rf"(\w+_)?{name}", plane.name))


@every_game
class TestSecrecy:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_hidden_cards_change_no_number(self, game_id, data, seed):
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 6):
            for viewer in viewers(match):
                other = match.imagined(redraw_unknown(match.state, viewer, new_stream(seed)))
                assert other.observation(viewer).tensor.tobytes() == match.observation(viewer).tensor.tobytes()

    def test_hidden_cards_change_no_number_in_a_batch(self, game_id):
        rng = random.Random(game_id)
        for _ in range(4):
            setup, differed = choose_setup(GAMES[game_id], rng.choice), False
            batch, stream = Batch(setup, 6, seed=rng.getrandbits(32)), new_stream(1)
            for _ in range(5):
                for seat in range(setup.players):
                    seen, truth = batch.observe(seat).tensor, batch.states.copy()
                    saved, other = batch.save(), batch.save()
                    for index in range(6):
                        other.states[index] = redraw_unknown(truth[index], seat, stream)
                    batch.restore(other)
                    differed |= batch.states.tobytes() != truth.tobytes()
                    assert batch.observe(seat).tensor.tobytes() == seen.tobytes()
                    batch.restore(saved)
                for _ in range(3):
                    batch.step(batch.random_actions())
            assert differed

    def test_an_observation_of_all_cards_has_no_tensor(self, game_id):
        *_, last = walk(Setup(GAMES[game_id], GAMES[game_id].players[0]), 1)
        with pytest.raises(ParlourError, match="this one shows all cards"):
            _ = last.observation(EVERYTHING).tensor


@every_game
class TestContent:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_different_observations_have_different_numbers(self, game_id, data, seed):
        setup, observations = data.draw(setups(GAMES[game_id])), {}
        for match in some_moments(setup, seed, 30):
            if match.actor >= 0 or match.over:
                for viewer in viewers(match):
                    observation = match.observation(viewer)
                    assert observations.setdefault(
                        (viewer, observation.tensor.tobytes()), content_of(observation)
                    ) == content_of(observation)

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_it_has_the_shape_of_the_setup_and_every_number_is_exact(self, game_id, data, seed):
        setup = data.draw(setups(GAMES[game_id]))
        for match in some_moments(setup, seed, 6):
            for viewer in viewers(match):
                tensor = match.observation(viewer).tensor
                assert (tensor.shape, tensor.dtype) == (setup.observation_shape, np.float32)
                assert np.array_equal(tensor, np.round(tensor))
                assert np.abs(tensor).max() < 1 << 15

    def test_every_plane_has_a_name_of_its_own_and_the_next_begins_where_it_ends(self, game_id):
        for players in GAMES[game_id].players:
            setup = Setup(GAMES[game_id], players)
            planes, at = setup.observation_planes, 0
            for plane in planes:
                assert plane.start == at
                at += len(plane.cells)
                assert plane.meaning
            assert (at,) == setup.observation_shape
            assert len({plane.name for plane in planes}) == len(planes)

    def test_the_planes_of_cards_come_first_and_have_a_cell_for_each_card_of_the_deck(self, game_id):
        planes = Setup(GAMES[game_id], GAMES[game_id].players[0]).observation_planes
        about_cards = [plane.cells[:1] == (CARD_NAMES[0],) for plane in planes]
        assert about_cards == sorted(about_cards, reverse=True)
        assert len({plane.cells for plane, of_cards in zip(planes, about_cards, strict=True) if of_cards}) == 1

    def test_the_first_hand_is_the_observers(self, game_id):
        for players in GAMES[game_id].players:
            setup = Setup(GAMES[game_id], players)
            match = next(match for match in walk(setup, players) if match.actor >= 0)
            for seat in range(players):
                observation = match.observation(seat)
                own = [
                    sorted(zone.texts)
                    for zone in observation.zones
                    if zone.name == OWN_HAND.get(game_id, "hand") and not zone.hidden and not zone.face_up
                ]
                assert own == [cards_in(observation.tensor, plane_of(setup, "hand 0"))]

    def test_the_seat_to_act_is_counted_from_the_observer(self, game_id):
        setup = Setup(GAMES[game_id], GAMES[game_id].players[-1])
        actor = plane_of(setup, "actor")
        for match in some_moments(setup, 1, 12):
            for seat in range(setup.players):
                marked = np.flatnonzero(match.observation(seat).tensor[actor.slice])
                expected = [(match.actor - seat) % setup.players] if match.actor >= 0 else []
                assert marked.tolist() == expected


@every_game
class TestManyGames:
    def test_each_has_the_tensor_of_the_single_game(self, game_id):
        rng, games = random.Random(game_id), 4
        for _ in range(6):
            setup = choose_setup(GAMES[game_id], rng.choice, whole=False)
            batch = Batch(setup, games, seed=rng.getrandbits(32), threads=rng.choice([1, 3]))
            for _ in range(4):
                for _ in range(rng.randrange(12)):
                    batch.step(batch.random_actions())
                seen = [batch.observe(seat) for seat in range(setup.players)]
                of_actors = batch.observe()
                for index in range(games):
                    match = Match(setup, COMPILED).imagined(batch.states[index])
                    for seat in range(setup.players):
                        alone = match.observation(seat)
                        assert seen[seat].tensor[index].tobytes() == alone.tensor.tobytes()
                        assert np.array_equal(seen[seat].legal_mask[index], alone.legal_mask)
                    if match.actor >= 0:
                        assert of_actors.tensor[index].tobytes() == seen[match.actor].tensor[index].tobytes()
                        assert np.array_equal(of_actors.legal_mask[index], seen[match.actor].legal_mask[index])
                    else:
                        assert not of_actors.tensor[index].any()
                        assert not of_actors.legal_mask[index].any()


def test_a_spectator_sees_from_the_first_seat_on():
    match = Setup(GAMES["trick-walls"], 4).start(seed=7)
    seen = match.observation(SPECTATOR)
    first = plane_of(seen.setup, "actor").slice
    assert seen.tensor[first].tolist() == match.observation(0).tensor[first].tolist()
    assert cards_in(seen.tensor, plane_of(seen.setup, "hand 0")) == []


def test_in_the_second_half_the_observers_city_is_still_the_first():
    setup = Setup(GAMES["trick-walls"], 3, {"rounds": 3})
    for match in walk(setup, 5):
        if match.actor >= 0:
            observation = match.observation()
            city = next(
                city for city, facts in enumerate(observation.facts["cities"]) if facts["holder"] == observation.seat
            )
            for name, zone in (("face_up 0", "face up"), ("face_down 0", "face down")):
                assert cards_in(observation.tensor, plane_of(setup, name)) == sorted(observation.zone(zone, city).texts)


class TestPlaces:
    """The last entries of a field, and the last seats of the table, are in the tensor like all others."""

    def test_a_joker_lies_in_a_hand_like_any_other_card(self):
        match = Setup(GAMES["tricky-tribes"], 4, {"jokers": 2}).start(seed=1)
        hands = [cards_in(match.observation(seat).tensor, plane_of(match.setup, "hand 0")) for seat in range(4)]
        assert hands == [sorted(match.observation(seat).zone("hand", seat).texts) for seat in range(4)]
        assert {"XB", "XR"} & {card for hand in hands for card in hand}

    def test_the_first_of_two_places_in_an_order_counts(self):
        """A later one belongs to the previous trick."""
        match = Setup(GAMES["trick-walls"], 4).start(seed=1)
        match.state.trick[:4] = [7, 3, 7, 9]
        tensor = tensor_of(match.setup, match.state, 0)[plane_of(match.setup, "trick").slice]
        assert {int(at): int(tensor[at]) for at in np.flatnonzero(tensor)} == {7: 1, 3: 2, 9: 4}

    def test_the_last_suit_that_a_hand_lacks_has_its_cell(self):
        match = Setup(GAMES["trick-walls"], 4).start(seed=1)
        match.state.lacks[0] = SUIT_SETS[3] | SUIT_SETS[1]
        assert tensor_of(match.setup, match.state, 0)[plane_of(match.setup, "lacks 0").slice].tolist() == [0, 1, 0, 1]

    def test_the_cards_of_a_dummy_come_after_those_of_the_seats(self):
        match = Setup(GAMES["trick-walls"], 3).start(seed=1)
        observation = match.observation(0)
        hands = [cards_in(observation.tensor, plane_of(match.setup, f"hand {city}")) for city in range(4)]
        assert hands[3] == sorted(observation.zone("hand", 3).texts) != []


class TestRows:
    """The bits of an observation are written 64 at a stroke; the last stroke begins earlier if it must."""

    @pytest.mark.parametrize("size", [5, 64, 65, 100, 128, 150])
    def test_every_bit_has_its_cell_at_any_length(self, size):
        bits = np.arange(size) % 3 == 1
        flags, cells = new_flags(2, size), np.full((2, size), 7, np.float32)
        for cell in np.flatnonzero(bits):
            flags[1, cell >> 6] |= np.int64(1) << np.int64(cell & 63)
        store_row(flags, cells, 1, size)
        assert cells[1].tolist() == bits.tolist()
        assert (cells[0] == 7).all()

    def test_the_highest_of_64_flags_has_no_other_cell(self):
        flags = new_flags(1, 128)
        gather(flags, 0, 10, 64, np.int64(-1 << 63))
        cells = np.zeros((1, 128), np.int16)
        store_row(flags, cells, 0, 128)
        assert cells[0].nonzero()[0].tolist() == [73]
