"""Actions (indices in the action space) and moves (the rules' encoding) cannot be confused."""

import copy
import pickle

import numpy as np
import pytest

import parlour
from parlour.bots import find_bot
from parlour.bots.compiled_observation import compiled_observation_of
from parlour.bots.protocol import NoAction, answer_of
from parlour.engine.chance import new_stream
from parlour.engine.errors import IllegalError, ParlourError, TurnError
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.steps import COMPILED, PLAIN
from parlour.engine.moves import Move
from parlour.engine.rules import CHANCE
from parlour.envs.single import SingleGame

SETUP = parlour.make("trick-walls", players=4, rounds=1)


def started_match():
    return SETUP.start(seed=1)


class TestTheTwoLists:
    def test_a_match_lists_the_same_actions_as_texts_indices_and_moves(self):
        match = started_match()
        assert [SETUP.action_name(action) for action in match.legal_actions()] == [
            text for text in SETUP.actions if text in match.legal()
        ]
        assert sorted(map(match.notation, match.moves())) == match.legal()
        assert {text: match.parse_move(text) for text in match.legal()} == match.moves_by_text()

    def test_an_observation_lists_the_actions_of_its_seat_alone(self):
        match = started_match()
        assert match.observation().legal_actions == match.legal_actions()
        assert match.observation((match.actor + 1) % 4).legal_actions == []

    def test_chance_and_a_finished_game_have_no_actions_and_no_moves(self):
        waiting, finished = Match(SETUP), started_match()
        assert waiting.actor == CHANCE
        while not finished.over:
            finished.act(finished.legal()[0])
        for match in (waiting, finished):
            assert match.legal() == match.legal_actions() == match.moves() == []

    @pytest.mark.parametrize("steps", [PLAIN, COMPILED])
    def test_every_way_of_stepping_has_the_same_moves(self, steps):
        matches = [Match(SETUP), Match(SETUP, steps)]
        for match in matches:
            for event in started_match().events:
                match.apply_event(event)
        assert matches[0].moves() == matches[1].moves()
        assert all(type(move) is Move for match in matches for move in match.moves())

    def test_changes_to_a_list_of_moves_do_not_affect_the_match(self):
        match = started_match()
        match.moves().clear()
        match.legal().clear()
        assert match.moves()
        assert match.legal()


class TestMoveForAction:
    """A move passed for an action."""

    @pytest.mark.parametrize(
        "take",
        [
            lambda match, move: match.act(move),
            lambda match, move: SETUP.action_name(move),
        ],
    )
    def test_is_refused_and_changes_nothing(self, take):
        match = started_match()
        move = match.moves()[0]
        with pytest.raises(IllegalError, match=r"not Move\(\d+\); match.apply_move and match.notation take moves"):
            take(match, move)
        assert match.events == started_match().events

    def test_is_refused_by_a_batch(self):
        batch = parlour.Batch(SETUP, 2, seed=1, threads=1)
        with pytest.raises(ParlourError, match="actions must be whole numbers, not moves of the rules"):
            batch.step([Move(1), Move(2)])

    def test_is_refused_in_nested_lists(self):
        match = started_match()
        worlds = match.observation(match.actor).determinize(3, seed=1)
        with pytest.raises(ParlourError, match="actions must be whole numbers, not moves of the rules"):
            worlds.try_actions([match.moves()] * 3)

    def test_is_refused_by_an_environment(self):
        game = SingleGame(SETUP, "win")
        game.begin(1)
        with pytest.raises(ParlourError, match=r"an action must be a whole number, not Move\(1\)"):
            game.act(Move(1))

    def test_is_refused_from_a_bot(self):
        assert answer_of(Move(1)) == NoAction("Move(1)")
        assert answer_of(1) == 1


class TestActionForMove:
    """An action, or another number, passed for a move."""

    @pytest.mark.parametrize("number", [0, np.int64(3), True, "7H", None, 2.0])
    @pytest.mark.parametrize("take", [Match.notation, Match.apply_move])
    def test_is_refused_and_changes_nothing(self, take, number):
        match = started_match()
        with pytest.raises(ParlourError, match=r"a move is one of match\.moves\(\), not "):
            take(match, number)
        assert match.events == started_match().events

    def test_the_same_number_may_be_another_action(self):
        match = parlour.make("castle-walls").start(seed=1)
        numbers = range(match.setup.num_actions)
        texts = [
            (match.setup.action_name(int(move)), match.notation(move)) for move in match.moves() if move in numbers
        ]
        assert any(by_number != by_move for by_number, by_move in texts)


class TestVerbs:
    def test_a_text_an_action_and_a_move_have_the_same_effect(self):
        by_text, by_action, by_move = (started_match() for _ in range(3))
        text = by_text.legal()[-1]
        by_text.act(text)
        by_action.act(SETUP.action_numbers[text])
        by_move.apply_move(by_move.parse_move(text))
        assert by_text.record() == by_action.record() == by_move.record()

    def test_a_move_of_another_position_is_not_legal(self):
        match = started_match()
        move = match.moves()[0]
        match.apply_move(move)
        with pytest.raises(
            IllegalError, match=rf"^Move\({int(move)}\) is not legal: it is the turn of seat {match.actor}"
        ):
            match.apply_move(move)

    def test_an_event_has_the_exact_text_of_the_notation(self):
        match = started_match()
        text = match.legal()[0]
        with pytest.raises(IllegalError, match=f"Write it as '{text}'"):
            match.apply_event(Event(match.actor, text.lower()))
        match.act(text.lower())
        assert match.events[-1].do == text

    def test_an_event_must_be_of_the_seat_to_act_or_chance(self):
        match = started_match()
        other = (match.actor + 1) % 4
        with pytest.raises(TurnError, match=f"not the turn of seat {other}: it is the turn of seat {match.actor}"):
            match.apply_event(Event(other, match.legal()[0]))
        with pytest.raises(TurnError, match=f"not the turn of chance: it is the turn of seat {match.actor}"):
            match.apply_event(Event(CHANCE, "dealer A"))

    def test_events_read_from_a_record_replay_it(self):
        match, again = started_match(), Match(SETUP)
        match.act(match.legal()[0])
        for event in match.record()["events"]:
            again.apply_event(Event.from_json(event))
        assert again.record() == match.record()

    def test_a_copy_lists_the_moves_of_its_position(self):
        match = started_match()
        assert match.legal()
        twins = [match.copy(), copy.deepcopy(match), pickle.loads(pickle.dumps(match))]
        match.act(match.legal()[0])
        for twin in twins:
            assert twin.legal() == started_match().legal()


class TestMoves:
    def test_the_repr_of_a_move_names_its_type(self):
        assert repr(Move(5)) == "Move(5)"

    @pytest.mark.parametrize("bot", ["random", "thumb", "beginner"])
    def test_a_built_in_bot_chooses_a_move(self, bot):
        match = started_match()
        chosen = find_bot(bot).choose(compiled_observation_of(match, new_stream(1)))
        assert type(chosen) is Move
        assert chosen in match.moves()
