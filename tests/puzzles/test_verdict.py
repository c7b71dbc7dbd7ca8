"""The exercise that a puzzle shows, and the verdict on an answer."""

import re
from dataclasses import replace

import pytest

from parlour.engine.errors import IllegalError
from parlour.engine.match import Match
from parlour.puzzles.exercise import EVENTS_BEFORE, exercise_of
from parlour.puzzles.puzzle import ActionValue, Puzzle, PuzzleError, PuzzleReason
from parlour.puzzles.verdict import verdict_of
from parlour.render.bot_names import seat_names
from parlour.render.layouts import find_layout
from parlour.render.words import the_card
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

    def test_a_legal_action_without_a_value_is_a_fault_of_the_puzzle(self, first_puzzle):
        missing = first_puzzle.actions[-1].do
        puzzle = replace(first_puzzle, actions=first_puzzle.actions[:-1])
        with pytest.raises(PuzzleError, match=f"puzzle {puzzle.id}: it lacks the legal action '{missing}'"):
            verdict_of(puzzle, missing)

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


LEVELS = ("beginner", "casual", "regular", "expert", "master")


class TestTheSentenceOnTheLevels:
    @pytest.mark.parametrize(
        ("shares", "sentence"),
        [
            ((100, 100, 100, 100, 100), "A beginner finds it 100 % of the time: one to see at once."),
            ((80, 90, 70, 95, 98), "A beginner finds it 80 % of the time: one to see at once."),
            ((0, 80, 81, 82, 83), "A beginner hardly ever finds it (0 %), a casual player mostly does."),
            ((19, 79, 80, 90, 91), "A beginner hardly ever finds it (19 %), a regular mostly does."),
            ((20, 30, 40, 80, 90), "A beginner sometimes finds it (20 %), an expert mostly does."),
            ((49, 50, 60, 70, 80), "A beginner sometimes finds it (49 %), a master mostly does."),
            ((50, 60, 70, 75, 85), "A beginner often finds it (50 %), a master mostly does."),
            ((79, 85, 70, 60, 50), "A beginner often finds it (79 %), a casual player mostly does."),
            ((1, 2, 3, 4, 79), "Even a master finds it only 79 % of the time."),
        ],
    )
    def test_names_the_weakest_level_that_mostly_finds_the_best_action(self, first_puzzle, shares, sentence):
        puzzle = replace(first_puzzle, levels=dict(zip(LEVELS, shares, strict=True)))
        assert verdict_of(puzzle, puzzle.best.do).words[-1] == sentence


@pytest.fixture
def valued_puzzle(first_puzzle):
    """Return a puzzle of four actions with known values."""
    best, *others = (each.do for each in first_puzzle.actions[:4])
    values = zip(others, [(395, 200, 45, 254), (390, 205, 195, 216), (40, 555, 400, 640)], strict=True)
    actions = [ActionValue(best, 595, 0, 0, 0), *(ActionValue(do, *numbers) for do, numbers in values)]
    return replace(first_puzzle, actions=tuple(actions), exact=False, reasons=())


class TestTheNumbersOfAVerdict:
    @pytest.mark.parametrize(
        ("exact", "less"),
        [
            (False, ["", "20 points less (5 to 25)", "21 points less (20 to 22)", "56 points less (40 to 64)"]),
            (True, ["", "20 points less", "21 points less", "56 points less"]),
        ],
    )
    def test_each_action_has_its_chance_and_its_loss_with_the_interval(self, valued_puzzle, exact, less):
        actions = verdict_of(replace(valued_puzzle, exact=exact), valued_puzzle.best.do).actions
        assert [each.percent for each in actions] == ["60 %", "40 %", "39 %", "4 %"]
        assert [each.less for each in actions] == less
        bounds = [(0.595, 0.595), (0.341, 0.55), (0.379, 0.4), (0, 0.195)]
        assert [(each.win.low, each.win.high) for each in actions] == bounds

    @pytest.mark.parametrize("win", [394, 395, 396, 404, 405])
    @pytest.mark.parametrize("best", [594, 595, 604, 605])
    def test_a_loss_is_the_difference_of_the_shown_chances_and_within_its_interval(self, valued_puzzle, best, win):
        behind, (first, second, *rest) = best - win, valued_puzzle.actions
        close = ActionValue(second.do, win, behind, behind - 1, behind + 1)
        puzzle = replace(valued_puzzle, actions=(replace(first, win=best), close, *rest))
        shown = verdict_of(puzzle, first.do).actions
        chances = [int(each.percent.split()[0]) for each in shown[:2]]
        loss, low, high = (int(number) for number in re.findall(r"\d+", shown[1].less))
        assert loss == chances[0] - chances[1]
        assert low <= loss <= high

    def test_the_first_sentence_compares_the_best_with_the_action_tried_or_with_the_next_best(self, valued_puzzle):
        for tried in valued_puzzle.actions:
            verdict = verdict_of(valued_puzzle, tried.do)
            best, next_best = (each.phrase for each in verdict.actions[:2])
            (own,) = (each for each in verdict.actions if each.tried)
            comparison = f"If you {own.phrase}, it is {own.percent}."
            if verdict.right:
                comparison = f"The next best, to {next_best}, leaves 40 %."
            assert verdict.words[0] == f"It is best to {best}: your chance to win is then 60 %. {comparison}"

    def test_the_certainty_is_that_of_the_search_or_of_the_solution(self, valued_puzzle):
        guessed, solved = (
            verdict_of(replace(valued_puzzle, exact=exact), valued_puzzle.best.do).words[1] for exact in (False, True)
        )
        assert guessed.startswith("Every other action is worse, with 99 % certainty")
        assert solved.startswith("The end of this game is solved")


class TestTheSentenceOnAReason:
    @pytest.mark.parametrize(
        ("share", "there", "elsewhere", "words"),
        [
            (154, 404, 164, ("15 %", "41 points better", "17 points better")),
            (154, 254, 14, ("15 %", "41 points better", "17 points better")),
            (500, 0, 410, ("50 %", "1 point better", "42 points better")),
            (500, 420, 0, ("50 %", "42 points better", "no better")),
            (5, -250, 100, ("1 %", "14 points worse", "21 points better")),
        ],
    )
    def test_has_the_place_of_the_card_both_actions_and_the_numbers(
        self, valued_puzzle, share, there, elsewhere, words
    ):
        match, other = valued_puzzle.match(), valued_puzzle.actions[2].do
        seat = match.actor
        card, owner = match.observation(1 - seat).zone("hand", 1 - seat).texts[0], seat_names(2, seat)[1 - seat]
        reason = PuzzleReason(other, card, "hand", 1 - seat, share, there, elsewhere)
        verdict = verdict_of(replace(valued_puzzle, reasons=(reason,)), other)
        best, tried = verdict.actions[0].phrase, verdict.actions[2].phrase
        assert verdict.words[1] == (
            f"With {the_card(card)} in {owner}'s hand, as in {words[0]} of what is possible, it is {words[1]} to "
            f"{best} than to {tried}; otherwise it is {words[2]}."
        )

    def test_is_left_out_if_the_card_cannot_lie_there(self, valued_puzzle, monkeypatch):
        monkeypatch.setattr("parlour.puzzles.verdict.MOST_LAYOUTS", 20)
        seat, (best, other, *_) = valued_puzzle.match().actor, (each.do for each in valued_puzzle.actions)
        own = valued_puzzle.match().observation(seat).zone("hand", seat).texts[0]
        impossible = PuzzleReason(other, own, "hand", 1 - seat, 100, 200, 300)
        with_reason, without = (replace(valued_puzzle, reasons=reasons) for reasons in ((impossible,), ()))
        assert verdict_of(with_reason, best).words == verdict_of(without, best).words
