"""History tensors: all that a seat has seen and done, nothing else, and no longer than the bound of the game."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.authors.histories import record_of
from parlour.authors.laws import choose_setup, viewers
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError
from parlour.engine.events import Event
from parlour.engine.information.determinization import determinize
from parlour.engine.match import Match
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from tests.helpers import play_at_random
from tests.laws.walks import GAMES, SEEDS, seats, setups, some_moments
from tests.sample_size import sample_size

pytestmark = pytest.mark.slow

FEW = settings(max_examples=sample_size(3))
every_game = pytest.mark.parametrize("game_id", GAMES)
ROWS = 800
"""More rows than a game of these tests has."""


def as_bytes(match, viewer):
    return match.information_state_tensor(viewer, ROWS).tobytes()


@every_game
class TestAnInformationStatesTensor:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_is_the_same_exactly_if_the_information_state_is(self, game_id, data, seed):
        """Over the moments of two games that begin alike, and of a game with other cards."""
        setup, seen, tensors = data.draw(setups(GAMES[game_id])), {}, {}
        for number in (seed, seed, seed + 1):
            match = Match(setup, COMPILED, recall=True)
            for at, _ in enumerate(play_at_random(match, number)):
                if at == 12:
                    break
                for viewer in viewers(match):
                    state, tensor = match.information_state(viewer), (viewer, as_bytes(match, viewer))
                    assert seen.setdefault(state, tensor) == tensor
                    assert tensors.setdefault(tensor, state) == state

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_differs_between_games_exactly_if_the_seat_saw_a_difference(self, game_id, data, seed):
        """A determinization has the current cards; earlier observations may differ."""
        moments = some_moments(data.draw(setups(GAMES[game_id])), seed, 1)
        *_, match, _ = (moment.copy() for moment in moments)
        for viewer in seats(match):
            sampled = determinize(match.observed(viewer), viewer, new_stream(seed))
            ours, other = (replay(record) for record in (match.record(), record_of(match, sampled)))
            same = ours.information_state(viewer) == other.information_state(viewer)
            assert (as_bytes(ours, viewer) == as_bytes(other, viewer)) == same

    def test_begins_with_the_observation_and_ends_with_the_rows(self, game_id):
        setup = Setup(GAMES[game_id], GAMES[game_id].usual_players)
        match = setup.start(seed=3)
        match.act(match.legal()[0])
        tensor, rows = match.information_state_tensor(0, 50), match.history(0).tensor(50)
        cells = setup.observation_shape[0]
        assert tensor.shape == (setup.information_state_size(50),)
        assert np.array_equal(tensor[:cells], match.observation(0).tensor)
        assert tensor[cells] == 0
        assert np.array_equal(tensor[cells + 1 :], rows.reshape(-1))


def replay(record):
    match = Match(Setup.from_json(record), COMPILED, recall=True)
    for event in record["events"]:
        match.apply_event(Event.from_json(event))
    return match


@every_game
class TestAHistory:
    def test_is_no_longer_than_the_bound_of_its_game(self, game_id):
        rng = random.Random(game_id)
        for seed in range(4):
            setup = choose_setup(GAMES[game_id], rng.choice)
            match, bound = Match(setup, COMPILED, recall=True), setup.game.longest_history(setup.players, setup.options)
            for at, _ in enumerate(play_at_random(match, seed)):
                if at == 400:
                    break
            for viewer in viewers(match):
                assert len(match.events) <= len(match.history(viewer))
                assert len(match.history(viewer)) <= bound or bound == 0

    def test_keeps_its_rows(self, game_id):
        """Rows computed early equal those computed at the end; a copy continues by itself."""
        match = Setup(GAMES[game_id], GAMES[game_id].players[0]).start(seed=1)
        early = [match.history(0)]
        for _ in range(3):
            match.act(match.legal()[0])
            early.append(match.history(0))
        fresh = replay(match.record())
        assert match.history(0).rows == fresh.history(0).rows
        for history in early:
            assert history.rows == fresh.history(0).rows[: len(history)]
        other = match.copy()
        other.act(other.legal()[-1])
        assert other.history(0).rows[: len(early[-1])] == early[-1].rows == match.history(0).rows

    def test_has_cells_with_names_and_limits(self, game_id):
        setup = Setup(GAMES[game_id], GAMES[game_id].usual_players)
        match, at = setup.start(seed=2), 0
        for plane in setup.history_planes:
            assert plane.start == at
            at += len(plane.cells)
        assert at == setup.history_width
        for _ in range(8):
            match.act(match.legal()[0])
        for viewer in viewers(match):
            rows = match.history(viewer).tensor(60)
            for plane in setup.history_planes:
                assert plane.limits[0] <= rows[:, plane.slice].min() <= rows[:, plane.slice].max() <= plane.limits[1]


def cells(setup, row):
    """Return the cells of a row that are not 0, by plane."""
    return {
        plane.name: [plane.cells[at] for at in np.flatnonzero(row[plane.slice])]
        for plane in setup.history_planes
        if row[plane.slice].any()
    }


class TestRows:
    """The content of a row, in Trick Walls and Tricky Tribes."""

    def test_a_deal_shows_ones_own_cards_and_no_others(self):
        match = parlour.make("trick-walls", players=4).start(seed=7)
        for seat in range(4):
            row = cells(match.setup, match.history(seat).tensor()[2])
            hand = match.observation(seat).zone("hand", seat).texts
            assert (row["by"], row["form"], row["place"]) == (["chance"], ["shuffle"], ["hand 0"])
            assert sorted(row["shown"]) == hand
        assert cells(match.setup, match.history(SPECTATOR).tensor()[2]) == {"by": ["chance"], "form": ["shuffle"]}

    def test_a_dummys_cards_have_a_row_of_their_own(self):
        match = parlour.make("trick-walls", players=3).start(seed=1)
        rows = [cells(match.setup, row) for row in match.history(0).tensor()[2:4]]
        assert [row["place"] for row in rows] == [["hand 0"], ["hand 3"]]
        assert sorted(rows[1]["shown"]) == match.observation(0).zone("hand", 3).texts

    def test_an_action_has_its_seat_counted_from_the_viewer_its_form_and_its_cards(self):
        match = parlour.make("trick-walls", players=4).start(seed=7)
        match.act("KH")
        for seat in range(4):
            row = cells(match.setup, match.history(seat).tensor()[3])
            assert row == {"by": [str((0 - seat) % 4)], "form": ["_"], "cards": ["KH"]}

    def test_a_hidden_card_is_marked_and_shown_when_it_is_turned_up(self):
        match = parlour.make("tricky-tribes", players=3, rounds=1).start(seed=1)
        while len(match.events) < 5:
            match.act("keep")
        for _ in range(3):
            match.act(match.legal()[0])
        rows = [cells(match.setup, row) for row in match.history(match.setup.players - 1).tensor(30)]
        seen = match.seen_by(2)
        for event, row in list(zip(seen, rows, strict=False))[5:8]:
            assert ("hidden" in row) == ("??" in event.do)
        shown = [card for row in rows for card in row.get("shown", []) if row.get("place") == ["last_trick"]]
        played = {event.do.split()[-1] for event in match.events[5:8]}
        assert set(shown) == played - {event.do.split()[-1] for event in seen[5:8]}


class TestItsLength:
    def test_is_by_default_a_bound_that_the_game_knows(self):
        setup = parlour.make("trick-walls", players=4, rounds=1)
        assert setup.history_length == 39
        assert setup.start(seed=1).history(0).tensor().shape == (39, setup.history_width)

    def test_has_to_be_chosen_without_a_bound(self):
        setup = parlour.make("castle-walls", turn_limit=0)
        assert setup.history_length is None
        with pytest.raises(
            ParlourError, match=r"no bound up to 1000 rows is known for histories of Castle Walls, .*: "
        ):
            setup.information_state_size()
        with pytest.raises(ParlourError, match="the number of rows"):
            setup.information_state_size(0)

    def test_is_never_exceeded_in_silence(self):
        match = parlour.make("trick-walls", players=4).start(seed=1)
        for _ in range(4):
            match.act(match.legal()[0])
        history = match.history(1)
        with pytest.raises(ParlourError, match="this history has 7 rows, but the tensor 5: choose a greater length"):
            history.tensor(5)
        assert np.array_equal(history.tensor(5, truncate=True), history.tensor(7)[2:])
        cut = match.information_state_tensor(1, 5, truncate=True)
        assert cut[match.setup.observation_shape[0]] == history.left_out(5) == 2

    def test_needs_a_match_with_recall(self):
        match = Match(parlour.make("trick-walls"))
        with pytest.raises(ParlourError, match="only a match with recall"):
            match.history(0)
        with pytest.raises(ParlourError, match="there is no seat 9"):
            match.history(9)
