"""Threads that share a search: the same choices with any number of them, and no lost or repeated work."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import parlour
from parlour.bots import compiled_observation_of, find_bot
from parlour.bots import search as search_module
from parlour.bots.levels import search_for
from parlour.bots.search_threads import PIECES_A_THREAD, SearchThreads, in_pieces, search_threads
from parlour.engine.chance import new_stream
from parlour.engine.errors import GameError, ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.games import all_games
from tests.helpers import play_at_random
from tests.server.card_room import PATIENCE

GAMES = [pytest.param(game, id=game.id) for game in all_games()]


def position_with_a_choice(game: Game) -> Match:
    matches = play_at_random(Match(parlour.make(game.id)), 4)
    return next(match for number, match in enumerate(matches) if number >= 12 and len(match.moves()) > 2)


def halved(match: Match) -> dict[str, object]:
    search = search_for(compiled_observation_of(match, new_stream(6)))
    search.halve(4000)
    return {"values": search.values.tolist(), "visits": search.visits.tolist(), "steps": search.steps}


@pytest.mark.parametrize("game", GAMES)
class TestResults:
    def test_a_search_finds_the_same_with_any_number_of_threads(self, game: Game, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(search_module, "SHARED_PLAYOUTS", 1)
        match = position_with_a_choice(game)
        alone = halved(match)
        for number in (1, 2, 3, 7):
            with search_threads(number):
                assert halved(match) == alone

    def test_a_bot_chooses_the_same_with_any_number_of_threads(self, game: Game, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(search_module, "SHARED_PLAYOUTS", 1)
        observation = compiled_observation_of(position_with_a_choice(game), new_stream(8))
        bot, found = find_bot("search:effort=3000,tree=1,temperature=0.02"), []
        for number in (1, 4):
            observation.random[:] = new_stream(8)
            with search_threads(number):
                found.append((bot.choose(observation), observation.random[0]))
        assert found[0] == found[1]


class TestFaults:
    def test_a_game_that_does_not_end_is_reported_from_any_thread(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(search_module, "SHARED_PLAYOUTS", 1)
        match = position_with_a_choice(all_games()[0])
        search = search_for(compiled_observation_of(match, new_stream(6)))
        monkeypatch.setattr(search, "_try_piece", lambda *_: search_module.TOO_LONG)
        with search_threads(2), pytest.raises(GameError, match="has not ended"):
            search.try_out(np.arange(2), 40)

    def test_an_exception_in_another_thread_is_raised_here(self):
        threads, both, here = SearchThreads(2), threading.Barrier(2, timeout=PATIENCE), threading.current_thread()

        def work(rows: slice) -> int:
            both.wait()
            if threading.current_thread() is not here:
                raise ValueError("a fault elsewhere")
            return 0

        with pytest.raises(ValueError, match="elsewhere"):
            threads.share(2, work)
        threads.close()


class TestSharing:
    @given(rows=st.integers(0, 300), number=st.integers(1, 9))
    def test_each_row_is_worked_on_once(self, rows: int, number: int):
        done = np.zeros(rows, np.int64)

        def work(piece: slice) -> int:
            done[piece] += 1
            return piece.stop - piece.start

        threads = SearchThreads(number)
        sizes = threads.share(rows, work)
        threads.close()
        assert (sum(sizes), done.tolist()) == (rows, [1] * rows)
        assert len(sizes) <= PIECES_A_THREAD * number

    def test_threads_work_at_once(self):
        threads, both = SearchThreads(2), threading.Barrier(2, timeout=PATIENCE)
        assert len(threads.share(2, lambda _: both.wait())) == 2
        threads.close()

    def test_a_closed_pool_leaves_the_work_to_the_caller(self):
        threads = SearchThreads(3)
        threads.close()
        assert sorted(threads.share(5, lambda rows: rows.start)) == [0, 1, 2, 3, 4]

    def test_without_threads_in_use_the_work_is_one_piece(self):
        with search_threads(2):
            assert len(in_pieces(8, lambda rows: 0)) > 1
        assert in_pieces(8, lambda rows: rows.stop) == [8]

    @pytest.mark.parametrize("number", [0, -1, 10**6, 1.5, "2"])
    def test_a_wrong_number_is_refused(self, number: object):
        with pytest.raises(ParlourError, match="threads"), parlour.search_threads(number):
            raise AssertionError
