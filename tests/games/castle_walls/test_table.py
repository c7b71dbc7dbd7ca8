"""The table of Castle Walls: log lines and choices of an attack, and the rule of thumb."""

import pytest

from parlour.bots import choose_for, find_bot
from parlour.cards import card_name
from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.observation import EVERYTHING
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.render.layouts import find_layout
from parlour.render.words import in_signs
from tests.games.castle_walls.tables import facts, table
from tests.helpers import play, play_at_random

NAMES = ["Ann", "Bo"]


def scene(match, seat=0, before=None):
    return find_layout("castle-walls").lay_out(match.observation(seat), NAMES, before)


def log_of(match, action, seat=0):
    """Return the log line of an action."""
    before = match.observation(seat)
    play(match, action + ",")
    return scene(match, seat, before).log[0]


def tokens(match, action, seat=0):
    """Return the tokens to be selected for an action."""
    return next(list(choice.tokens) for choice in scene(match, seat).choices if choice.do == action)


FACING = "up KH 2, end, up 7C 3, end"
BLACK_TRAP = "up KH 2, end, down 2C 3, end, up 5H 1, attack 2 3"


class TestAnAttack:
    def test_it_goes_from_a_slot_of_ones_own_to_one_of_the_others(self):
        match = table(["KH", "7C"], actions=FACING)
        assert tokens(match, "attack 2 3") == ["own-2", "their-3"]

    def test_a_red_trap_is_named_and_not_the_attacker_that_it_takes_along(self):
        match = table(["KH", "2D"], actions="up KH 2, end, down 2D 3, end")
        assert log_of(match, "attack 2 3") == (
            "You attack slot 3 with the king of hearts: the two of diamonds is a red trap: both cards are destroyed."
        )

    def test_the_slot_that_attacked_a_black_trap_is_marked(self):
        match = table(["KH 5H", "2C"], actions=BLACK_TRAP)
        assert facts(match)["attacker"] == 2
        assert match.legal() == ["destroy 1u"]


class TestThePromptAfterAnAttack:
    def prompt(self, actions):
        return scene(table(["KH QH", "7C 8C"], actions=f"up KH 1, end, up 7C 3, end, up QH 2{actions}")).prompt

    def test_invites_to_attack_again_while_there_is_an_attack(self):
        assert self.prompt(", attack 1 3") == "Your turn: attack again, or end the turn."

    def test_invites_to_end_the_turn_once_there_is_none(self):
        assert self.prompt(", attack 1 3, attack 2 life") == "Your turn: you can attack no more, so end it."


class TestTheOutcome:
    @pytest.mark.parametrize(
        ("seat", "outcome"),
        [
            (0, "You win: the turns are used up, you have 6 life cards left, and Bo has 5."),
            (1, "You lose: the turns are used up, Ann has 6 life cards left, and you have 5."),
            (SPECTATOR, "Ann wins: the turns are used up, with 6 life cards to 5."),
        ],
    )
    def test_names_the_turn_limit_as_the_reason(self, seat, outcome):
        match = table(["KH", "7C"], actions="up KH 1, end, end, attack 1 life, end, end", turn_limit=4)
        assert scene(match, seat).outcome == outcome


class TestADraw:
    def walled(self):
        """Return a match in which player 0 is about to attack a wall; it knows that player 1 has 9H and TH.

        One of the two lies in slot 2. Once it is turned up, the other is known to be in the hand.
        """
        taken = "up 9H 1, end, end, up TH 2, attack 1 life, end, joker"
        return table(["9H TH 2S", "XB 2C 3C"], "4S 5S 6S 7S 8S KD", f"{taken}, down TH 2, end, up 2S 1")

    @pytest.mark.parametrize("viewer", [0, SPECTATOR])
    def test_a_card_that_was_in_the_hand_before_is_not_called_drawn(self, viewer):
        match = self.walled()
        before = match.observation(viewer)
        play(match, "attack 1 2,")
        assert {card_name(card) for card in match.observation(viewer).zone("hand", 1).known} == {"9H"}
        assert scene(match, viewer, before).log[1:] == ["", "Bo draws a card."]

    def test_ones_own_card_is_named(self):
        match = self.walled()
        before = match.observation(1)
        play(match, "attack 1 2,")
        assert scene(match, 1, before).log[1:] == ["", "You draw the king of diamonds."]

    @pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
    def test_each_turning_over_of_the_graveyard_has_a_line_before_the_card_drawn_from_it(self, viewer):
        match, turnings = table(turn_limit=0), 0
        while turnings < 3:
            before, deck = match.observation(viewer), int(match.state.deck_left)
            play(match, f"{match.legal()[0] if facts(match)['stage'] == 'discards' else 'end'},")
            log = scene(match, viewer, before).log
            turned = int(match.state.deck_left) > deck
            assert ("The graveyard is turned over to become the deck." in log) is turned
            assert not turned or not log[-1].endswith("a card.")
            turnings += turned


class TestAllCardsOpen:
    """A replay with open cards does not show which seat knew them."""

    def noted_facts(self, match, viewer):
        observation = match.observation(viewer, ended=True)
        return {
            note for area in find_layout("castle-walls").lay_out(observation, NAMES, None).areas for note in area.notes
        }

    def test_the_deck_is_the_old_graveyard_only_after_that_was_turned_over(self):
        match, known_deck = table(["KH", "7C"]), "the deck is the old graveyard: anybody may look through it"
        assert known_deck not in self.noted_facts(match, EVERYTHING)
        match.state.turned = 1
        assert known_deck in self.noted_facts(match, EVERYTHING)

    def test_a_life_pile_is_listed_from_its_top(self):
        match = table(["KH", "7C"])
        pile = match.state.life[0, : match.state.left[0]]
        listed = ", ".join(in_signs(card_name(card)) for card in reversed(pile.tolist()))
        assert len(pile) == 6
        assert f"life pile from the top: {listed}" in self.noted_facts(match, EVERYTHING)
        assert not any("life pile" in note for note in self.noted_facts(match, SPECTATOR))

    def test_a_card_that_lies_open_is_not_guessed(self):
        match = next(
            match
            for seed in range(1, 9)
            for match in play_at_random(Match(Setup(find_game("castle-walls"), 2)), seed)
            if match.actor >= 0 and self.guessed_cards(match)
        )
        assert any("may hold" in note for note in self.noted_facts(match, SPECTATOR))
        assert not any("may hold" in note for note in self.noted_facts(match, EVERYTHING))

    def guessed_cards(self, match):
        return any("may hold" in note for note in self.noted_facts(match, SPECTATOR))


class TestTheRuleOfThumb:
    def thumb_choice(self, match):
        return choose_for(match, find_bot("thumb"), new_stream(1))

    def test_a_strong_card_goes_face_up_and_a_weak_one_face_down(self):
        assert self.thumb_choice(table(["KH 2C 3C"], draws="5S")).startswith("up KH")
        assert self.thumb_choice(table(["2D 3C 4C"], draws="5S")).startswith("down 2D")

    def test_it_attacks_a_weaker_card_and_no_wall_that_it_knows(self):
        """Everyone knows that the nine of hearts lies face down in slot 3, since it came from a known hand."""
        known = table(
            ["9H TH", "5C 6C 7C"],
            "2S 8C 3S XB",
            "up 9H 1, end, end, up TH 2, attack 1 life, end,"
            "straight 5, discard 8C, discard 7C, discard 6C, discard 5C, destroy 2u, joker, down 9H 3, end, up 3S 1",
        )
        assert "attack 1 3" in known.legal()
        assert self.thumb_choice(known) == "end"
        assert self.thumb_choice(table(["KH", "7C"], actions="up KH 2, end, up 7C 3, end, up 2C 1")) == "attack 2 3"
