"""Trick Walls, TW-23 and TW-24: the long run and its exchange."""

import pytest

from parlour.cards import cards_of, parse_card
from parlour.engine.chance import new_stream
from parlour.engine.errors import IllegalError, OptionError
from parlour.engine.information.determinization import determinize
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.rules import SPECTATOR, UNSEEN
from parlour.engine.setup import Setup
from parlour.render.layouts import find_layout
from tests.games.trick_walls.tables import TRICK_WALLS, begin, deal, table
from tests.helpers import play, play_at_random, zone_text

LONG = {"long_run": True}
HEARTS_TO_0 = ["2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", "2D", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", "2C"]


def givers(match):
    """Return the cities that give before the first trick, in order."""
    found = []
    while match.observation(SPECTATOR).facts["stage"] == "exchange":
        found.append(match.actor)
        play(match, match.legal()[0] + ",")
    return found


class TestTW23LongRun:
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_each_of_four_cities_plays_thirteen_cards(self, players):
        match = begin(players, {**LONG, "exchange": False, "rounds": 1})
        for _ in play_at_random(match, 1):
            pass
        assert sum(event.by >= 0 for event in match.events) == 52

    def test_nothing_stays_out_of_play(self):
        assert zone_text(table([], options=LONG), "out of play") == ""

    @pytest.mark.parametrize("players", [5, 6])
    def test_it_is_not_for_five_or_six(self, players):
        with pytest.raises(OptionError) as caught:
            Setup(TRICK_WALLS, players, LONG)
        assert str(caught.value) == (
            f"long_run=true is not for {players} players: a long run is for two to four players (TW-23)"
        )

    @pytest.mark.parametrize("players", [5, 6])
    def test_its_default_may_be_given_with_any_number_of_players(self, players):
        assert Setup(TRICK_WALLS, players, {"long_run": False}).options["long_run"] is False

    def test_it_is_off_by_default(self):
        assert Setup(TRICK_WALLS, 4).options["long_run"] is False


class TestTW24Exchange:
    def test_each_gives_a_card_to_the_player_opposite(self):
        match = play(table(HEARTS_TO_0, options=LONG), "give AH, give 2D, give 2S, give 2C")
        assert zone_text(match, "hand", 0, seat=0) == "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH 2S"
        assert zone_text(match, "hand", 2, seat=2) == "AH 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
        assert "2C" in zone_text(match, "hand", 1, seat=1)
        assert "2D" in zone_text(match, "hand", 3, seat=3)

    def test_it_is_a_card_of_their_choice(self):
        match = table(HEARTS_TO_0, options=LONG)
        assert match.legal() == sorted(f"give {card}" for card in HEARTS_TO_0[0].split())

    def test_all_choose_before_any_card_changes_hands(self):
        match = play(table(HEARTS_TO_0, options=LONG), "give AH, give 2D")
        assert "give AH" not in match.legal(), "seat 2 cannot give back what it is going to receive"
        assert len(match.legal()) == 13
        assert zone_text(match, "hand", 0, seat=0).split()[-1] == "AH"

    @pytest.mark.parametrize(("dealer", "order"), [("B", [0, 1, 2, 3]), ("A", [2, 3, 0, 1])])
    def test_cards_are_given_in_clockwise_order_from_the_starter(self, dealer, order):
        match = table([], options=LONG, dealer=dealer)
        assert givers(match) == order
        assert match.actor == order[0], "who then starts the first trick"

    @pytest.mark.parametrize(
        ("players", "dealer", "order"), [(3, "B", [0, 2]), (3, "A", [2, 0]), (2, "B", [0, 1]), (2, "A", [1, 0])]
    )
    def test_a_city_opposite_a_dummy_exchanges_no_card(self, players, dealer, order):
        """With three players city 1 stands opposite the dummy; with two the players stand opposite each other."""
        assert givers(table([], players=players, options=LONG, dealer=dealer)) == order

    def test_players_who_are_opposite_in_a_round_exchange_before_its_first_trick(self):
        match = begin(3, {**LONG, "rounds": 4})
        rounds = []
        for number in range(4):
            deal(match, [], starter=(0, 2)[number % 2])
            rounds.append(givers(match))
            for _ in play_at_random(match, 1, until_chance=True):
                pass
        assert rounds == [[0, 2], [2, 0], [1, 2], [2, 1]]

    @pytest.mark.parametrize("options", [{}, {"exchange": True}, {"long_run": True, "exchange": False}])
    def test_cards_are_exchanged_only_in_a_long_run_with_exchange(self, options):
        assert givers(table([], options=options)) == []

    def test_a_card_is_given_not_played(self):
        match = table(HEARTS_TO_0, options=LONG)
        for wrong in ("AH", "top", "give 2D", "give XB", "give", "give AH KH", "give AH AH"):
            with pytest.raises(IllegalError):
                match.act(wrong, 0)
        with pytest.raises(IllegalError, match=r"you give a card to the player opposite\. \(TW-24\)"):
            match.act("AH", 0)
        with pytest.raises(IllegalError, match=r"You do not hold the two of diamonds\. \(TW-24\)"):
            match.act("give 2D", 0)

    def test_a_gift_lies_face_down_in_the_hand_opposite(self):
        match = play(table(HEARTS_TO_0, options=LONG), "give AH, give 2D, give 2S, give 2C")
        areas = find_layout("trick-walls").lay_out(match.observation(0), ["Ann", "Bo", "Cy", "Di"], None).areas
        hands = {row.id: {card.card: card.face_up for card in row.cards} for area in areas for row in area.rows}
        assert hands["city-2-hand"] == {"AH": False}
        assert set(hands["city-0-hand"].values()) == {True}

    @pytest.mark.parametrize(
        ("seat", "last"),
        [
            (0, "You receive the two of spades."),
            (3, "You receive the two of diamonds."),
            (SPECTATOR, "The exchanged cards change hands."),
        ],
    )
    def test_the_last_gift_tells_each_receiver_its_card(self, seat, last):
        match = play(table(HEARTS_TO_0, options=LONG), "give AH, give 2D, give 2S")
        before = match.observation(seat)
        play(match, "give 2C,")
        after = match.observation(seat)
        log = find_layout("trick-walls").lay_out(after, ["Ann", "Bo", "Cy", "Di"], before).log
        assert log[-1] == last
        assert "The exchanged cards change hands." in log
        assert sum("receive" in line for line in log) == (seat >= 0)

    def test_no_card_is_given_where_there_is_no_exchange(self):
        match = table(["AH"])
        with pytest.raises(IllegalError, match="No cards are exchanged now"):
            match.act("give AH", 0)

    def test_a_giver_knows_where_the_card_is(self):
        match = play(table(HEARTS_TO_0, options=LONG), "give AH, give 2D, give 2S, give 2C")
        assert zone_text(match, "hand", 2, seat=0) == "AH " + " ".join(["??"] * 12)

    @pytest.mark.parametrize("seat", [SPECTATOR, 1, 3])
    def test_exchanged_cards_stay_hidden_from_all_other_seats(self, seat):
        match = table(HEARTS_TO_0, options={**LONG, "rounds": 1})
        play(match, "give AH, give 2D, give 2S, give 2C")
        seen = [event.do for event in match.seen_by(seat) if event.by in (0, 2)]
        assert seen == ["give ??", "give ??"]
        for _ in play_at_random(match, 2):
            pass
        seen = [event.do for event in match.seen_by(seat) if event.by in (0, 2)]
        assert seen[:2] == ["give ??", "give ??"], "not even when every card has been played"

    def test_a_gift_is_secret_from_its_receiver_until_all_have_chosen(self):
        match = play(table(HEARTS_TO_0, options=LONG), "give AH, give 2D")
        assert match.seen_by(2)[-2].do == "give ??"
        assert zone_text(match, "hand", 0, seat=2) == " ".join(["??"] * 13)

    def test_a_gift_is_an_event_of_its_giver(self):
        match = play(table(HEARTS_TO_0, options=LONG), "give AH, give 2D, give 2S, give 2C")
        assert [(event.by, event.do) for event in match.events[3:]] == [
            (0, "give AH"),
            (1, "give 2D"),
            (2, "give 2S"),
            (3, "give 2C"),
        ]

    @pytest.mark.slow
    @pytest.mark.parametrize("seat", [1, 3])
    def test_every_card_that_a_receiver_has_held_may_have_been_the_gift(self, seat):
        """A bystander's determinizations contain each of the thirteen, played or not, equally often."""
        match = begin(4, LONG)
        match.apply_chance(match.sample_chance(StreamRandomness(new_stream(1))))
        for _ in range(4 + 8):
            match.act(match.legal()[0])
        observed, stream = match.observed(seat), new_stream(5)
        gifts = []
        for _ in range(1300):
            sampled = determinize(observed, seat, stream)
            held = sorted(cards_of(sampled.hand[2] | sampled.face_up[2] | sampled.face_down[2]))
            gifts.append(held.index(sampled.gift[0]))
        assert all(60 < gifts.count(index) < 140 for index in range(13))

    @pytest.mark.parametrize("seat", [1, 2, 3])
    def test_before_all_have_chosen_any_card_may_be_the_gift_for_all_but_its_giver(self, seat):
        """Also for the receiver: its observation does not show the gift."""
        match = play(table(HEARTS_TO_0, options=LONG), "give AH, give 2D")
        assert match.observed(seat).gift[0] == match.observed(SPECTATOR).gift[0] == UNSEEN
        stream = new_stream(4)
        gifts = {int(determinize(match.observed(seat), seat, stream).gift[0]) for _ in range(100)}
        assert len(gifts) > 20

    def test_a_giver_remembers_the_gift(self):
        match = play(table(HEARTS_TO_0, options=LONG), "give AH, give 2D")
        assert match.observed(0).gift[0] == parse_card("AH")
