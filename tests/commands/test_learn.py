"""``parlour learn``: the lessons of the page, in the terminal."""

import pytest
from click.testing import CliRunner

from parlour.cli import main
from parlour.games import all_games
from parlour.render.layouts import find_lesson


def learn(game_id, *typed, options=()):
    return CliRunner().invoke(main, ["learn", game_id, *options], input="\n".join(typed) + "\n")


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_whole_lesson_is_typed_through(game):
    lesson = find_lesson(game.id)
    typed = [step.do for hand in lesson.hands for step in hand.steps]
    done = learn(game.id, *typed)
    assert done.exit_code == 0, done.output
    assert "That was the lesson." in done.output
    assert "**" not in done.output
    assert "[bold]" not in done.output


def test_the_command_after_the_lesson_repeats_its_options():
    lesson = find_lesson("trick-walls")
    typed = [step.do for hand in lesson.hands for step in hand.steps]
    done = learn("trick-walls", *typed, options=["--plain", "--language", "en"])
    assert done.output.endswith("\nThat was the lesson. Now play:\n  parlour play trick-walls --plain --language=en\n")


def test_other_actions_are_answered():
    done = learn("trick-walls", "", "2c", "7h", "", "m", "4h", "q")
    assert "You do not hold the two of clubs. (TW-7)" in done.output
    assert "You lead the seven of hearts." in done.output
    assert "You may: 4H" in done.output
    assert "Ilse plays the six of hearts" in done.output


def test_b_goes_a_step_back_and_y_does_the_suggested_action():
    done = learn("trick-walls", "", "b", "", "7h", "y", "q")
    assert done.output.count("Nine cards each") == 2
    assert "y goes on with" in done.output
    assert "Ilse plays the six of hearts" in done.output


class TestAnActionTypedInsteadOfTakingTheOtherBack:
    """``learn trick-walls`` suggests 4H; the learner has played 7H and is asked to take it back."""

    ASKED = "Enter takes it back"

    def test_is_the_suggested_one_and_ends_the_step(self):
        done = learn("trick-walls", "", "7h", "4h", "q")
        assert done.output.count(self.ASKED) == 1
        assert "Ilse plays the six of hearts" in done.output

    def test_is_a_third_one_and_is_answered(self):
        done = learn("castle-walls", "", "up 9c 1", "up 2h 2", "", "q")
        assert done.output.count(self.ASKED) == 2
        assert "You put the two of hearts face up into slot 2." in done.output

    def test_is_illegal_and_is_refused(self):
        done = learn("trick-walls", "", "7h", "2c", "4h", "q")
        assert "You do not hold the two of clubs. (TW-7)" in done.output
        assert "Ilse plays the six of hearts" in done.output

    def test_is_a_step_back(self):
        assert learn("trick-walls", "", "7h", "b", "q").output.count("Welcome to the ring") == 2


def test_the_instruction_is_shown_again_after_an_action_is_taken_back():
    shown = learn("trick-walls", "", "7h", "", "q").output
    assert shown.count("In the notation: 4H") == 2


def test_plain_titles_have_no_lines():
    shown = learn("castle-walls", "q", options=["--plain"]).output
    title = find_lesson("castle-walls").hands[0].title
    assert title in shown.splitlines()
    assert "--" not in shown


@pytest.mark.parametrize("backward", [1, 2, 3])
def test_b_at_the_first_step_shows_it_again(backward):
    once, again = (learn("trick-walls", *["b"] * times, "q").output for times in (0, backward))
    assert again.count("Welcome to the ring") == 1 + backward
    assert once.splitlines()[-1] == again.splitlines()[-1]


def test_an_unknown_game_has_no_lesson():
    done = learn("poker")
    assert done.exit_code == 1
    assert "poker" in done.output
