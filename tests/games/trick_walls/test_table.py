"""Trick Walls on the table: where cities lie, when a dummy's cards can be chosen, and the rule of thumb."""

import pytest

from parlour.bots import choose_for, find_bot
from parlour.engine.chance import new_stream
from parlour.render.layouts import find_layout
from tests.games.trick_walls.tables import begin, table
from tests.helpers import play, play_at_random

NAMES = ["Ann", "Ben", "Cleo", "Dag", "Eeva", "Finn"]


def scene(match, seat=0):
    return find_layout("trick-walls").lay_out(match.observation(seat), NAMES, None)


def titles(match, seat):
    """Return the titles of the areas, clockwise from the viewer."""
    return [area.title for area in sorted(scene(match, seat).areas[1:], key=lambda area: area.at)]


class TestWhereCitiesLie:
    def test_they_lie_clockwise_from_the_viewer(self):
        assert titles(table([]), 2) == ["You", "Dag", "Ann", "Ben"]

    def test_dummies_are_numbered_where_there_are_two(self):
        assert titles(table([], players=2), 1) == ["You", "Dummy 2", "Ann", "Dummy 1"]
        assert titles(table([], players=3), 0) == ["You", "Ben", "Cleo", "Dummy"]


class TestThePromptForADummy:
    """TW-14: of a dummy's cards only the top of its pile may be of the trick suit without lying open."""

    def prompt(self, trick, dummy="8H 2C 3C", **options):
        return scene(table(["7H 9S", dummy], trick, players=2, options=options)).prompt

    def test_it_names_the_suit_that_an_open_card_follows(self):
        assert self.prompt("7H") == "Play for Dummy 1: follow hearts."

    def test_it_calls_no_unseen_card_killed(self):
        assert self.prompt("9S", "8H 2C 3C AS") == (
            "Play for Dummy 1: it shows no spades, so an open card will be killed; the top of its pile is unknown."
        )

    def test_it_says_nothing_of_open_cards_where_only_the_pile_can_be_played(self):
        assert self.prompt("7H", dummy_open=0) == "Play for Dummy 1: turn up the top card of its pile."

    def test_it_says_that_every_card_will_be_killed_once_the_pile_is_used_up(self):
        last = None
        for match in play_at_random(begin(2, {"rounds": 1}), 1):
            if match.actor >= 0 and " it has no " in (prompt := scene(match, match.actor).prompt):
                last = match.legal()
                assert "top" not in last
                assert prompt.endswith("so play any card; it will be killed.")
        assert last

    @pytest.mark.parametrize("dummy_open", [0, 3])
    def test_a_lead_from_the_pile_alone_is_named(self, dummy_open):
        leads = {
            (" ".join(match.legal()) == "top", scene(match, match.actor).prompt.split(": ")[1])
            for match in play_at_random(begin(2, {"rounds": 1, "dummy_open": dummy_open}), 1)
            if match.actor >= 0 and not match.observation(match.actor).facts["trick"] and is_dummys(match)
        }
        expected = (True, "lead the top card of its pile.") if dummy_open == 0 else (False, "lead any card.")
        assert leads == {expected}


def is_dummys(match):
    """Return whether the city to play has no player."""
    facts = match.observation(match.actor).facts
    return facts["cities"][facts["city"]]["holder"] < 0


class TestWhatCanBeChosen:
    def test_a_dummys_cards_can_be_chosen_when_it_is_to_play_and_not_before(self):
        match = table(["7H", "8H 2C 3C"], players=2)
        assert "8H" not in scene(match).tokens
        play(match, "7H")
        assert {"8H", "city-1-pile"} <= scene(match).tokens
        assert "8H" not in scene(match, 1).tokens, "it is played by the player on its right"

    @pytest.mark.parametrize(("players", "options"), [(2, {}), (3, {"long_run": True}), (4, {"long_run": True})])
    def test_every_action_is_put_together_from_what_lies_on_the_table(self, players, options):
        match = begin(players, {**options, "rounds": 1})
        for _ in play_at_random(match, 3):
            if match.actor >= 0:
                shown = scene(match, match.actor)
                assert sorted(choice.do for choice in shown.choices) == match.legal()
                assert {token for choice in shown.choices for token in choice.tokens} <= shown.tokens


class TestTheRuleOfThumb:
    def thumb_choice(self, match):
        return choose_for(match, find_bot("thumb"), new_stream(1))

    def test_it_leads_its_own_colour_low(self):
        hand = ["2H TH 5C KC 9S 8S 7C 6C 4S"]
        assert self.thumb_choice(table(hand)) == "2H"

    def test_without_a_card_of_its_colour_it_leads_a_high_card(self):
        hand = ["2S TC 5C 8S 7C 6C 4S 3C 3S"]
        assert self.thumb_choice(table(hand)) == "TC"

    def test_it_goes_above_with_its_own_colour_and_not_with_the_other(self):
        """City 2 plays for black."""
        assert self.thumb_choice(table(["5C", "", "KC 2C"], trick="5C 4C")) == "KC"
        assert self.thumb_choice(table(["5H", "", "KH 2H"], trick="5H 4H")) == "2H"
