"""Games with faults: each fault stops the run with one clear sentence."""

import itertools
import sys
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

import parlour
from parlour.bots import find_bot
from parlour.cards import FULL_DECK
from parlour.contests.arena import Arena
from parlour.contests.simulation import random_records
from parlour.engine.chance import new_stream
from parlour.engine.compiled import rule
from parlour.engine.errors import GameError, IllegalError
from parlour.engine.game import Game, Refusal
from parlour.engine.information import determinization
from parlour.engine.setup import Setup
from parlour.engine.simulation.batch import Batch
from parlour.engine.simulation.playouts import run_playouts
from parlour.games import find_game
from tests.tiny_package import TINY

_numbers = itertools.count()


def game_of(*changes: tuple[str, str], **about: Any) -> Setup:
    """Return the tiny game with changes to its text and its own field names; ``about`` replaces parts of the game."""
    text = TINY[: TINY.index("GAME = ")]
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    module = ModuleType(f"faulty{next(_numbers)}")
    sys.modules[module.__name__] = module
    exec(text.replace("tiny_", f"{module.__name__}_"), vars(module))
    return Setup(Game.made_of(module, id="tiny", players=range(2, 3), **about), 2)


ENDLESS = ("state.actor = 1 if state.tiny_shown == 1 else OVER", "state.actor = 1 - state.actor")
TWO_CARDS = ("return card_name(action)", 'return "lay 2C 7S"')


def raise_key_error(state, text):
    raise KeyError("clause")


class TestAnIllegalAction:
    @pytest.mark.parametrize("refusal", [raise_key_error, lambda state, text: None])
    def test_is_refused_even_if_the_games_refusal_function_fails(self, refusal):
        match = game_of(refusal=refusal).start(seed=1)
        with pytest.raises(IllegalError, match=r"'9Z' is not legal: That is not possible now\. Legal: ") as refused:
            match.act("9Z")
        assert isinstance(refused.value.__cause__, KeyError | TypeError)
        assert len(match.events) == 1

    def test_in_another_spelling_is_played_and_recorded_in_the_notation(self):
        match = game_of(TWO_CARDS).start(seed=1)
        match.act("Lay  7s 2c")
        assert match.events[-1].do == "lay 2C 7S"

    def test_in_another_spelling_does_not_call_the_games_refusal_function(self):
        match = game_of(TWO_CARDS, refusal=raise_key_error).start(seed=1)
        assert match.refusal("lay 7S 2C") == Refusal("", "Write it as 'lay 2C 7S'.")

    def test_a_spelling_that_fits_several_orders_is_refused_as_ambiguous(self):
        both = ("    actions[0] = state.tiny_card[state.actor]\n    return 1", "    actions[:2] = 0, 1\n    return 2")
        named = ("return card_name(action)", 'return ("lay 2C 7S", "lay 7S 2C", "")[action]')
        match = game_of(both, named).start(seed=1)
        assert match.complete_action("lay 7s 2c") == "lay 7S 2C"
        third = game_of(both, ("return card_name(action)", 'return ("lay 2C 7S 9H", "lay 7S 2C 9H")[action]')).start(1)
        with pytest.raises(IllegalError, match="Write it as 'lay 2C 7S 9H' or 'lay 7S 2C 9H'"):
            third.act("lay 9H 2C 7S")


class TestAGameWithoutEnd:
    def test_is_stopped_in_simulations(self):
        with pytest.raises(GameError, match=r"Tiny.*: a game has not ended after 50 actions and chance events"):
            run_playouts(game_of(ENDLESS, max_events=50), 2, threads=1, interpret=True)

    def test_is_stopped_when_records_are_written(self):
        with pytest.raises(GameError, match="has not ended after 50 actions"):
            list(random_records(game_of(ENDLESS, max_events=50), 1, 0))

    def test_is_stopped_when_bots_play_it(self):
        with pytest.raises(GameError, match="has not ended after 50 actions"):
            parlour.play(game_of(ENDLESS, max_events=50), ["random", "random"], seed=1)

    def test_is_stopped_in_batches_at_the_limit_under_every_policy(self):
        longest = 40
        for by in ("random", lambda batch: batch.random_actions()):
            batch = Batch(Setup(replace(find_game("trime-kicker"), max_events=longest), 2), 2, 1, threads=1)
            with pytest.raises(GameError, match=f"has not ended after {longest} actions"):
                batch.play_out(by)

    @pytest.mark.parametrize("limit", [2, 3])
    def test_is_recognized_only_after_the_limit_of_events(self, limit):
        """A whole game has three events; the argument ``max_events`` replaces the limit of the game."""
        setup = game_of(max_events=1)
        if limit < 3:
            with pytest.raises(GameError, match=f"has not ended after {limit} actions"):
                run_playouts(setup, 1, threads=1, interpret=True, max_events=limit)
        else:
            assert run_playouts(setup, 1, threads=1, interpret=True, max_events=limit).actions == 2


@rule
def beyond_the_list(state: Any, actions: Any, number: int, random: Any) -> int:
    return number


@rule
def not_held(state: Any, actions: Any, random: Any) -> int:
    return 60 - 60 * state.seats + 3


class TestAFaultyHeuristic:
    def test_is_stopped_at_its_first_decision_with_the_seat_named(self):
        with pytest.raises(GameError, match=r"heuristic_choice returned 1, which is no index of .* seat 0"):
            parlour.play(game_of(heuristic_choice=beyond_the_list), ["thumb", "random"], seed=1)


class TestAFaultyRandomAction:
    def test_is_found_before_games_are_simulated(self):
        with pytest.raises(
            GameError, match=r"Tiny.*: random_action returned action -57 for seat 0, which is not legal"
        ):
            run_playouts(game_of(random_action=not_held), 1, threads=1, interpret=True)


@rule
def never(state: Any, seat: int, random: Any) -> bool:
    return False


@rule
def two_cards_of_one(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    sizes[0] = 2
    allowed[0] = 1
    return 1


@rule
def all_cards(state: Any) -> int:
    return FULL_DECK


@rule
def put_nowhere(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    pass


class TestAFaultyListOfLegalActions:
    @pytest.mark.parametrize(
        ("number", "message"),
        [
            (0, r"Tiny.*: legal lists no action for the seat to act: correct the game"),
            (513, r"Tiny.*: legal lists more than 512 actions: correct the game"),
        ],
    )
    def test_is_stopped_in_simulations_and_contests_of_compiled_bots(self, number, message):
        faulty = game_of(("    return 1", f"    return {number}"))
        with pytest.raises(GameError, match=message):
            run_playouts(faulty, 2, threads=1)
        with pytest.raises(GameError, match=message):
            Arena(faulty, [find_bot("random"), find_bot("thumb")], seed=1).play(0, (0, 1))

    @pytest.mark.parametrize("bot", ["random", "thumb"])
    def test_without_an_action_is_named_with_the_seat_when_bots_play(self, bot):
        with pytest.raises(GameError, match="legal lists no action for seat 0, which is to act"):
            parlour.play(game_of(("    return 1", "    return 0")), [bot, bot], seed=1)


class TestUnknownCardsWithoutAPossibleLayout:
    REJECTED = "is_consistent rejected 1,000,000 layouts of the unknown cards in a row"
    UNFIT = "no layout of the unknown cards fits hidden_slots"

    def test_end_the_sampling_of_determinizations(self):
        observation = game_of(is_consistent=never).start(seed=1).observation()
        with pytest.raises(GameError, match=self.REJECTED):
            observation.determinize(1, seed=1)

    @pytest.mark.parametrize(
        ("faulty", "message"),
        [
            ({"is_consistent": never}, "is_consistent rejected"),
            ({"hidden_slots": two_cards_of_one, "assign": put_nowhere, "whole_deck": all_cards}, UNFIT),
        ],
    )
    def test_end_the_interpreted_sampling_too(self, faulty, message, monkeypatch):
        monkeypatch.setattr(determinization, "MOST_ATTEMPTS", 1000)
        match = game_of(**faulty).start(seed=1)
        table, stream = determinization.new_table(), new_stream(1)
        with pytest.raises(GameError, match=message):
            determinization.determinize_state(match.state, 0, table, stream)
