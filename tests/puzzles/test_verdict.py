"""The exercise that a puzzle shows, and the verdict on an answer."""

from dataclasses import replace

import pytest

from parlour.engine.errors import IllegalError
from parlour.engine.match import Match
from parlour.puzzles.exercise import EVENTS_BEFORE, exercise_of
from parlour.puzzles.puzzle import ActionValue, Puzzle
from parlour.puzzles.verdict import verdict_of
from parlour.render.bot_names import seat_names
from parlour.render.layouts import find_layout
from tests.puzzles.known_search import GAME, SETUP


class TestExercise:
    def test_it_shows_the_last_events_and_all_of_them_early_in_a_game(self):
        game, layout = SETUP.start(seed=3), find_layout(GAME)
        while len(game.events) < EVENTS_BEFORE + 4:
            seat, events = game.actor, [event.do for event in game.events]
            names, early, lines = seat_names(2, seat), Match(SETUP), []
            for event in game.events:
                before = early.observation(seat)
                early.apply_event(event)
                scene = layout.lay_out(early.observation(seat), names, before)
                lines.append([line for line in scene.log if line])
            shown = exercise_of(Puzzle(SETUP, 0, events, (), {}, 0, (), False, ()))
            assert shown.log == [line for of_event in lines[-EVENTS_BEFORE:] for line in of_event]
            assert shown.scene == layout.lay_out(game.observation(seat), names, None)
            game.act(game.legal()[0])


class TestVerdict:
    def test_the_best_action_is_right(self, first_puzzle):
        verdict = verdict_of(first_puzzle, first_puzzle.best.do)
        assert verdict.right
        assert verdict.words[0].startswith("It is best to ")

    def test_another_shows_its_cost_and_the_best(self, first_puzzle):
        worst = first_puzzle.actions[-1]
        verdict = verdict_of(first_puzzle, worst.do)
        assert (verdict.right, verdict.best) == (False, first_puzzle.best.do)
        assert [each.do for each in verdict.actions if each.tried] == [worst.do]
        assert "less" in verdict.actions[-1].less
        assert verdict.others == max(0, len(first_puzzle.actions) - 4)

    def test_the_shown_actions_and_the_number_of_others_add_up(self, first_puzzle):
        assert len(first_puzzle.actions) > 4
        for number in (2, 4, 5):
            puzzle = replace(first_puzzle, actions=first_puzzle.actions[:number])
            for tried in puzzle.actions:
                verdict = verdict_of(puzzle, tried.do)
                assert (len(verdict.actions), verdict.others) == (min(4, number), max(0, number - 4))
                assert [each.do for each in verdict.actions if each.tried] == [tried.do]
                assert verdict.actions[0].do == puzzle.best.do

    def test_an_illegal_one_is_refused(self, first_puzzle):
        with pytest.raises(IllegalError, match="not legal here"):
            verdict_of(first_puzzle, "lay 99")

    def test_an_exact_value_has_no_interval(self, first_puzzle):
        actions = [ActionValue("pass", 600, 0, 0, 0), ActionValue(first_puzzle.actions[1].do, 400, 200, 200, 200)]
        exact = Puzzle(
            SETUP,
            0,
            first_puzzle.events,
            tuple(actions),
            first_puzzle.levels,
            1500,
            (),
            True,
            (),
        )
        assert verdict_of(exact, actions[1].do).actions[1].less == "20 points less"
