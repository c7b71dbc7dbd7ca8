"""Castle Walls with other numbers than the published ones: each option does what its clause says."""

import numpy as np
import pytest

from parlour.cards import card_name
from parlour.engine.chance import new_stream
from parlour.engine.errors import IllegalError, OptionError
from parlour.engine.match import Match
from parlour.engine.rules import MAX_ACTIONS, heuristic_action
from parlour.engine.setup import Setup
from tests.games.castle_walls.tables import CASTLE_WALLS, facts, legal, seen
from tests.helpers import play, refused

HIGH = ["AC", "KC", "QC", "JC", "TC", "9C", "8C", "7C"]


def table(actions="", mine=HIGH, other=(), **options):
    """Return a match in which player 0 begins, and is dealt and draws the cards ``mine`` in order."""
    match = Match(Setup(CASTLE_WALLS, 2, options))
    lives, held = match.options["life_cards"], match.options["hand_cards"]
    cards = [card_name(card) for card in range(52 + match.options["jokers"])]
    rest = [card for card in cards[::-1] if card not in mine and card not in other]
    first, second = [*mine, *rest][:held], [*other, *rest[::-1]][:held]
    rest = [card for card in rest if card not in first and card not in second and card not in mine]
    hands = [hand[turn] for turn in range(held) for hand in (first, second)]
    drawn = [card for card in mine if card not in first]
    deck = [*rest[: 2 * lives], *hands, *drawn, *rest[2 * lives :]]
    match.apply_chance(" ".join(["deal", *deck]))
    match.apply_chance("first 0")
    return play(match, actions + ",") if actions else match


class TestDealing:
    @pytest.mark.parametrize("number", [1, 2, 12])
    def test_a_life_pile_has_this_number_of_cards(self, number):
        match = table(life_cards=number)
        assert [len(seen(match, "life", player).split()) for player in range(2)] == [number, number]

    def test_the_only_life_card_decides(self):
        match = table("up AC 1, end, end, attack 1 life", life_cards=1)
        assert match.result.to_json() == {"scores": [1, 0], "winners": [0]}

    @pytest.mark.parametrize("number", [0, 5, 10])
    def test_a_hand_has_this_number_of_cards_before_the_first_draw(self, number):
        assert facts(table(hand_cards=number))["held"] == [number + 1, number]


class TestSlots:
    @pytest.mark.parametrize("number", [1, 5])
    def test_a_field_has_this_number_of_slots(self, number):
        match = table(slots=number)
        assert [action for action in match.legal() if "AC" in action] == [
            f"{way} AC {slot + 1}" for way in ("down", "up") for slot in range(number)
        ]
        with pytest.raises(IllegalError, match="not an action of Castle Walls"):
            match.act(f"flip {number + 1}")

    def test_the_last_slot_fights_like_the_first(self):
        match = table("up AC 5, end, up KD 5, end", other=["KD"], slots=5)
        assert legal(match, "attack") == ["attack 5 5"]
        assert seen(play(match, "attack 5 5,"), "graveyard") == "KD"


class TestDrawing:
    @pytest.mark.parametrize("number", [2, 3])
    def test_a_player_draws_this_number_of_cards_a_turn(self, number):
        assert facts(table(draws=number))["held"] == [3 + number, 3]

    def test_no_card_is_drawn_if_deck_and_graveyard_are_empty(self):
        match = table(life_cards=12, hand_cards=10, hand_limit=20, draws=3, jokers=0, turn_limit=40)
        while sum(len(seen(match, pile).split()) for pile in ("deck", "graveyard")):
            play(match, "end,")
        held = facts(match)["held"]
        assert sum(held) == 28
        assert facts(play(match, "end,"))["held"] == held


class TestPlacings:
    def test_two_cards_a_turn_are_put_down_and_no_third(self):
        match = table("down KC 1, up AC 2", placings=2)
        assert refused(match, "up QC 3") == "CW-7"
        assert {action.split()[0] for action in match.legal()} == {"end"}

    def test_neither_card_may_be_flipped_in_the_same_turn(self):
        match = table("down KC 1, down AC 2", placings=2)
        assert refused(match, "flip 1") == refused(match, "flip 2") == "CW-9"
        assert legal(play(match, "end, end,"), "flip") == ["flip 1", "flip 2"]

    @pytest.mark.parametrize(("slots", "best"), [(1, {"up 3C 1"}), (3, {"up 3C 2", "up 3C 3"})])
    def test_the_heuristic_does_not_flip_a_card_put_down_in_the_same_turn(self, slots, best):
        match = table("down 2C 1", ["2C", "3C", "4C", "5C"], placings=2, quiet_turns=0, slots=slots)
        action = heuristic_action(match.state, np.zeros(MAX_ACTIONS, np.int64), 0, new_stream(1))
        assert match.game.name(match.state, int(action)) in best


class TestFirstTurns:
    def test_without_quiet_turns_the_first_card_attacks_at_once(self):
        assert legal(table("up AC 1", quiet_turns=0), "attack") == ["attack 1 life"]

    def test_with_three_the_fourth_turn_has_the_first_battle(self):
        match = table("up AC 1, end, end", quiet_turns=3)
        assert refused(match, "attack 1 life") == "CW-11"
        assert legal(play(match, "end, end, end, end,"), "attack") == ["attack 1 life"]


class TestHandLimit:
    def test_the_hand_is_cut_to_the_limit(self):
        match = table("end", hand_limit=2)
        assert facts(match)["stage"] == "discards"
        play(match, "discard AC, discard KC,")
        assert facts(match)["held"][0] == 2
        assert match.actor == 1

    def test_a_greater_one_lets_all_cards_stay(self):
        assert table("end", hand_cards=10, hand_limit=20).actor == 1


class TestStraights:
    def test_a_straight_may_have_three_cards(self):
        match = table("end, up 2D 1, end", other=["2D"], straight_cards=3)
        assert legal(match, "straight") == ["straight J", "straight Q"]
        match = play(match, "straight Q, discard AC, discard KC, discard QC, destroy 1u,")
        assert facts(match)["stage"] == "main"
        assert refused(match, "straight Q") == "CW-22"


class TestJokers:
    @pytest.mark.parametrize("number", [0, 1])
    def test_the_deck_has_this_number_of_jokers(self, number):
        match = table(jokers=number)
        assert len(seen(match, "deck").split()) == 52 + number - 19
        assert match.setup.actions.count("discard XR") == 0
        assert match.setup.actions.count("discard XB") == number


def test_a_number_beyond_its_limits_is_refused_with_its_clause():
    with pytest.raises(OptionError, match=r"slots is 6, but may be 1 to 5 \(CW-4\)"):
        table(slots=6)
