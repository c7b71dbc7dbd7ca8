"""Tensors, masks and texts against an observer in plain Python, over all games and several setups."""

import numpy as np
import pytest

from parlour.engine.chance import new_stream, random_below
from parlour.engine.information.planes import tensor_of
from parlour.engine.match import Match
from parlour.engine.observation import EVERYTHING
from parlour.engine.rules import SPECTATOR, known_to
from parlour.engine.setup import Setup
from parlour.engine.simulation.batch import Batch
from tests.helpers import play_at_random
from tests.laws.walks import GAMES
from tests.observer import Observer, mask_of, shown_in

pytestmark = pytest.mark.slow

SETUPS = [
    ("castle-walls", 2, {}),
    ("castle-walls", 2, {"turn_limit": 30}),
    ("three-tricks", 2, {}),
    ("three-tricks", 2, {"rank_block": "any"}),
    ("trick-walls", 2, {}),
    ("trick-walls", 3, {"kill_balance": True}),
    ("trick-walls", 4, {"long_run": True}),
    ("trick-walls", 5, {"rounds": 2}),
    ("trick-walls", 6, {"city_keepers": True, "rounds": 2}),
    ("tricky-tribes", 2, {}),
    ("tricky-tribes", 3, {"jokers": 2}),
    ("tricky-tribes", 4, {"teams": "pairs"}),
    ("tricky-tribes", 5, {"teams": "pairs", "rounds": 2}),
    ("tricky-tribes", 6, {"teams": "ABACBC", "rounds": 2}),
    ("trime-kicker", 2, {}),
    ("trime-kicker", 2, {"ace": "low"}),
]
every_setup = pytest.mark.parametrize(
    ("game", "players", "options"), SETUPS, ids=lambda value: str(value).replace(" ", "")
)


def moments(setup, seed, most=14):
    """Return moments of a random game up to its end, more of them near the beginning."""
    for number, match in enumerate(play_at_random(Match(setup), seed)):
        if number % (1 + number // 6) == 0 or match.over:
            yield match
            most -= not match.over
        if most == 0:
            return


def viewers(match):
    return [SPECTATOR, *range(match.players)]


@every_setup
class TestCells:
    def test_every_cell_equals_the_observers_and_is_within_the_limits(self, game, players, options):
        setup = Setup(GAMES[game], players, options)
        for seed in range(2):
            for match in moments(setup, seed):
                for seat in viewers(match):
                    known = match.observed(seat)
                    tensor, expected = tensor_of(setup, known, seat), Observer(setup, known, seat).cells()
                    assert {plane.name for plane in setup.observation_planes} == expected.keys()
                    for plane in setup.observation_planes:
                        cells = tensor[plane.slice]
                        assert cells.tolist() == expected[plane.name], (plane.name, seat, match.events)
                        assert plane.limits[0] <= cells.min() <= cells.max() <= plane.limits[1], plane

    def test_a_batch_has_the_same_cells(self, game, players, options):
        setup = Setup(GAMES[game], players, options)
        batch = Batch(setup, 5, seed=3)
        for step in range(40):
            if step % 8 == 0:
                for seat in range(players):
                    tensor = batch.observe(seat).tensor
                    for index, state in enumerate(batch.states):
                        known = Match(setup).imagined(state).observed(seat)
                        expected = Observer(setup, known, seat).cells()
                        for plane in setup.observation_planes:
                            assert tensor[index, plane.slice].tolist() == expected[plane.name], plane.name
            batch.step(batch.random_actions())


@every_setup
class TestHiddenCards:
    def test_hands_have_their_known_cards(self, game, players, options):
        setup = Setup(GAMES[game], players, options)
        planes = {plane.name: plane for plane in setup.observation_planes}
        for match in moments(setup, 5):
            for seat in range(players):
                tensor, known = match.observation(seat).tensor, int(known_to(match.state, seat))
                own = Observer(setup, match.state, seat)
                places = own.chairs if "holder" in match.state.dtype.names else own.seats
                for step, place in enumerate(places):
                    if f"hand {step}" in planes:
                        cards = int(match.state.hand[place]) & known
                        shown = np.flatnonzero(tensor[planes[f"hand {step}"].slice])
                        assert sum(1 << int(card) for card in shown) == cards

    def test_texts_show_the_known_cards_of_each_place_and_count_the_others(self, game, players, options):
        setup = Setup(GAMES[game], players, options)
        for match in moments(setup, 6):
            truth = match.observation(EVERYTHING, ended=True)
            for seat in viewers(match):
                observation, known = match.observation(seat), int(known_to(match.state, seat))
                for zone, whole in zip(observation.zones, truth.zones, strict=True):
                    shown, others = shown_in(whole, known)
                    assert (zone.name, zone.at) == (whole.name, whole.at)
                    hidden = zone.hidden + sum(card is None for card in zone.cards)
                    assert (sorted(zone.texts), hidden) == (shown, others), zone

    def test_masks_and_final_lines_give_the_turn_and_the_legal_actions(self, game, players, options):
        setup = Setup(GAMES[game], players, options)
        for match in moments(setup, 7):
            for seat in viewers(match):
                observation = match.observation(seat)
                assert observation.legal_mask.tolist() == mask_of(match, seat)
                lines = observation.text.splitlines()
                if match.actor == seat:
                    assert lines[-1] == f"legal: {', '.join(sorted(match.legal()))}"
                else:
                    assert not lines[-1].startswith("legal:")


class TestRareKinds:
    def test_a_card_in_eight_sets_or_more_is_counted_in_all_of_them(self):
        setup = Setup(GAMES["trime-kicker"], 2)
        match = next(moments(setup, 1))
        counts = [
            int(each)
            for plane in setup.observation_planes
            for each in tensor_of(setup, match.observed(0), 0)[plane.slice]
            if plane.name.startswith("may")
        ]
        assert max(counts) >= 8
        match.state.may[1, :] = 0
        for number in range(14):
            plane = next(plane for plane in setup.observation_planes if plane.name == "may 1")
            assert tensor_of(setup, match.state, 0)[plane.slice][5] == min(number, 13)
            match.state.may[1, min(number, 12)] |= 1 << 5

    @pytest.mark.parametrize(("players", "seat"), [(players, seat) for players in (2, 4, 5) for seat in range(players)])
    def test_the_observers_colour_is_given_and_leads_are_relative_to_its_side(self, players, seat):
        setup = Setup(GAMES["trick-walls"], players)
        planes = {plane.name: plane.slice for plane in setup.observation_planes}
        match = next(match for match in play_at_random(Match(setup), 1) if match.actor >= 0)
        for red in range(2):
            match.state.red_team, match.state.lead = red, 7
            tensor, own = tensor_of(setup, match.state, seat), int(match.state.team[seat]) == red
            assert tensor[planes["red_team"]].tolist() == [own, not own]
            assert tensor[planes["lead"]].tolist() == [7 if own else -7]
            assert tensor[planes["team 0"]].tolist() == [1, 0]

    def test_partners_have_the_same_cells_from_every_seat(self):
        setup = Setup(GAMES["tricky-tribes"], 6, {"teams": "pairs"})
        planes = {plane.name: plane.slice for plane in setup.observation_planes}
        match = next(match for match in play_at_random(Match(setup), 1) if match.actor >= 0)
        for seat in range(6):
            tensor = tensor_of(setup, match.observed(seat), seat)
            sides = [tensor[planes[f"side {step}"]].tolist().index(1) for step in range(6)]
            assert sides == [0, 1, 2, 0, 1, 2]

    def test_no_number_of_a_game_is_without_limits(self):
        for game in GAMES.values():
            for players in game.players:
                for plane in Setup(game, players).observation_planes:
                    assert max(map(abs, plane.limits)) < 2**12, plane

    def test_a_number_beyond_its_limits_is_written_as_the_limit(self):
        """Castle Walls without a limit of turns may have 40,000 of them."""
        setup = Setup(GAMES["castle-walls"], 2, {"turn_limit": 0})
        batch = Batch(setup, 1, seed=1)
        batch._states["turns"] = 40_000
        plane = next(plane for plane in setup.observation_planes if plane.name == "turns")
        assert plane.limits[1] == 2**15 - 1
        for kind in (np.float32, np.int16):
            assert batch.observe(tensor=batch.new_tensor(kind)).tensor[0, plane.slice].tolist() == [2**15 - 1]
        assert tensor_of(setup, batch._states[0], 0)[plane.slice].tolist() == [2**15 - 1]

    def test_random_numbers_reach_no_cell_beyond_its_limits(self):
        """Uses many positions of a batch; tests of single matches have too few."""
        for game in GAMES.values():
            setup = Setup(game, game.players[-1])
            batch, stream = Batch(setup, 64, seed=5), new_stream(5)
            low = np.array([plane.limits[0] for plane in setup.observation_planes for _ in plane.cells])
            high = np.array([plane.limits[1] for plane in setup.observation_planes for _ in plane.cells])
            for _ in range(300):
                batch.step(batch.random_actions())
                batch.renew()
                if random_below(stream, 8) == 0:
                    tensor = batch.observe(random_below(stream, setup.players)).tensor
                    assert (low <= tensor.min(axis=0)).all()
                    assert (tensor.max(axis=0) <= high).all()
