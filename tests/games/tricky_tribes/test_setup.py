"""Tricky Tribes, TT-1 to TT-5 and TT-22 to TT-24: dealers, the deal, the exchange, other decks, the dummy's place."""

import pytest

from parlour.engine.chance import new_stream
from parlour.engine.errors import IllegalError, PlayersError
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.setup import Setup
from tests.games.tricky_tribes.tables import (
    TRICKY_TRIBES,
    begin,
    cards_at,
    cards_in_use,
    deal,
    facts,
    keep,
    resolved,
    table,
    wrong_options,
)
from tests.helpers import ALL_CARDS, play, play_at_random, refused


def dealers(players, rounds=6, **options):
    """Return the dealer and the first seat to decide in each round of a game."""
    match, found = begin(players, {"rounds": rounds, **options}, dealer=1), []
    for _ in play_at_random(match, 3):
        if match.events[-1].do.startswith("deal "):
            found.append((facts(match)["dealer"], match.actor))
    return found


class TestTT1Dealers:
    @pytest.mark.parametrize("players", [2, 3, 6])
    def test_the_first_dealer_is_one_of_the_players_each_equally_often(self, players):
        drawn = []
        for number in range(600):
            match = Match(Setup(TRICKY_TRIBES, players))
            match.apply_chance(match.sample_chance(StreamRandomness(new_stream(4, number))))
            drawn.append(match.events[-1].do)
        assert set(drawn) == {f"dealer {player}" for player in range(players)}
        assert all(0.6 < drawn.count(text) * players / 600 < 1.4 for text in set(drawn))

    @pytest.mark.parametrize("wrong", ["dealer 4", "dealer", "dealer A", "deal", ""])
    def test_only_the_dealer_deals(self, wrong):
        with pytest.raises(IllegalError, match="it must be one of dealer 0, dealer 1, dealer 2, dealer 3"):
            Match(Setup(TRICKY_TRIBES, 4)).apply_chance(wrong)

    def test_the_deal_moves_clockwise_and_the_player_on_the_left_begins(self):
        assert dealers(4) == [(1, 2), (2, 3), (3, 0), (0, 1), (1, 2), (2, 3)]

    def test_it_passes_over_a_dummy(self):
        assert dealers(3, dummy=True) == [(1, 2), (2, 0), (0, 1), (1, 2), (2, 0), (0, 1)]
        assert dealers(2, rounds=3) == [(1, 0), (0, 1), (1, 0)]

    @pytest.mark.parametrize("dealer", [0, 1, 2])
    def test_the_player_on_the_dealers_left_starts_the_first_trick(self, dealer):
        match = table([], players=3, dealer=dealer)
        assert facts(match)["stage"] == "tricks"
        assert match.actor == (dealer + 1) % 3

    @pytest.mark.parametrize("players", [1, 7, 0, True])
    def test_it_is_for_two_to_six_players(self, players):
        with pytest.raises(PlayersError, match="2 to 6 players"):
            Setup(TRICKY_TRIBES, players)


class TestTT2TheDeal:
    @pytest.mark.parametrize(
        ("players", "options", "each", "rest"),
        [
            (2, {}, 9, 26),
            (3, {}, 9, 17),
            (4, {}, 9, 16),
            (5, {}, 9, 7),
            (5, {"jokers": 2}, 9, 9),
            (6, {"jokers": 2}, 8, 6),
        ],
    )
    def test_each_player_has_that_number_of_cards_and_the_rest_is_the_deck(self, players, options, each, rest):
        match = deal(begin(players, options), [])
        for player in range(players):
            assert cards_at(match, "hand", player) == " ".join(["??"] * each)
            assert "??" not in cards_at(match, "hand", player, player)
        assert cards_at(match, "deck") == " ".join(["??"] * rest)

    def test_cards_are_dealt_one_at_a_time_clockwise_from_the_dealers_left(self):
        match = begin(4, dealer=1)
        match.apply_chance("deal " + " ".join(ALL_CARDS))
        assert cards_at(match, "hand", 2, 2) == "2C 6C TC AC 5D 9D KD 4H 8H"
        assert cards_at(match, "hand", 3, 3) == "3C 7C JC 2D 6D TD AD 5H 9H"
        assert cards_at(match, "hand", 0, 0) == "4C 8C QC 3D 7D JD 2H 6H TH"
        assert cards_at(match, "hand", 1, 1) == "5C 9C KC 4D 8D QD 3H 7H JH"

    def test_a_dummy_is_dealt_nothing(self):
        match = begin(2, {"cut_deck": False}, dealer=0)
        match.apply_chance("deal " + " ".join(ALL_CARDS))
        assert cards_at(match, "hand", 1, 1) == "2C 4C 6C 8C TC QC AC 3D 5D"
        assert cards_at(match, "hand", 0, 0) == "3C 5C 7C 9C JC KC 2D 4D 6D"
        assert cards_at(match, "hand", 2) == ""

    def test_each_round_is_dealt_from_all_cards(self):
        match = deal(begin(4, {"rounds": 2}), ["2H 3H"])
        for _ in play_at_random(match, 1, until_chance=True):
            pass
        deal(match, ["2H 3H"])
        assert cards_at(match, "hand", 0, 0).split()[-2:] == ["2H", "3H"]
        assert cards_at(match, "discarded") == cards_at(match, "collected", 0) == ""

    def test_a_deal_has_every_card_in_use_once(self):
        with pytest.raises(IllegalError, match="AS missing"):
            begin().apply_chance("deal " + " ".join(ALL_CARDS[:-1]))
        with pytest.raises(IllegalError, match="XB not in the deck"):
            begin().apply_chance("deal " + " ".join(ALL_CARDS) + " XB")


class TestTT3Exchange:
    HANDS = ("7H 2C 2D 2S 3C 3D 3S 4C 4D", "8H")

    def test_a_player_may_keep_or_put_any_one_card_away(self):
        match = deal(begin(), list(self.HANDS))
        held = cards_at(match, "hand", 0, 0).split()
        assert match.legal() == sorted(["keep", *(f"swap {card}" for card in held)])

    def test_the_top_card_of_the_deck_is_taken_instead(self):
        match = play(deal(begin(), list(self.HANDS), "AS KS"), "swap 7H, swap 8H")
        assert "AS" in cards_at(match, "hand", 0, 0)
        assert "KS" in cards_at(match, "hand", 1, 1)
        assert len(cards_at(match, "hand", 0, 0).split()) == 9
        assert len(cards_at(match, "deck").split()) == 14

    def test_the_card_put_away_is_out_of_the_round(self):
        match = play(deal(begin(4, {"rounds": 1}), list(self.HANDS), "AS"), "swap 7H, keep, keep, keep")
        assert cards_at(match, "away", 0, 0) == "7H"
        for _ in play_at_random(match, 5):
            assert "7H" not in match.events[-1].do or match.events[-1].do.startswith("swap")
            assert cards_at(match, "away", 0, 0) == "7H"

    def test_keeping_draws_nothing(self):
        match = play(deal(begin(), list(self.HANDS), "AS KS"), "keep, swap 8H")
        assert "AS" in cards_at(match, "hand", 1, 1)
        assert cards_at(match, "away", 0, 0) == ""

    @pytest.mark.parametrize(("dealer", "order"), [(3, [0, 1, 2, 3]), (1, [2, 3, 0, 1])])
    def test_they_decide_clockwise_from_the_dealers_left(self, dealer, order):
        match, found = deal(begin(dealer=dealer), []), []
        while facts(match)["stage"] == "exchange":
            found.append(match.actor)
            play(match, "keep")
        assert found == order

    @pytest.mark.parametrize("seat", [-1, 1, 2])
    def test_the_others_learn_only_whether_there_was_an_exchange(self, seat):
        match = play(deal(begin(), list(self.HANDS), "AS"), "swap 7H, keep,")
        assert [event.do for event in match.seen_by(seat)[2:]] == ["swap ??", "keep"]
        assert facts(match, seat)["put_away"] == [0]
        assert cards_at(match, "away", 0, seat) == "??"

    def test_cards_are_exchanged_only_before_the_first_trick(self):
        match = keep(deal(begin(), []))
        assert refused(match, "keep") == "TT-3"
        assert refused(match, "swap 2C") == "TT-3"

    def test_only_exchanges_are_legal_then(self):
        match = deal(begin(), list(self.HANDS))
        for action in ("7H", "open 7H", "dark 7H", "discard 7H", "swap 8H"):
            assert refused(match, action) == "TT-3"

    def test_six_players_with_two_jokers_exchange(self):
        match = deal(begin(6, {"jokers": 2}), ["7H"], "XB XR")
        play(match, "swap 7H,")
        assert "XB" in cards_at(match, "hand", 0, 0)


class TestTT4SixPlayersPutCardsAway:
    @pytest.mark.parametrize(("jokers", "nines"), [(0, [1, 2, 3, 4]), (1, [1, 2, 3, 4, 5])])
    def test_players_with_nine_cards_put_one_away_in_clockwise_order(self, jokers, nines):
        match, found = deal(begin(6, {"jokers": jokers}, dealer=0), []), []
        sizes = [len(cards_at(match, "hand", player).split()) for player in range(6)]
        assert sizes == [9 if player in nines else 8 for player in range(6)]
        while facts(match)["stage"] == "exchange":
            found.append(match.actor)
            held = cards_at(match, "hand", match.actor, match.actor).split()
            assert match.legal() == sorted(f"discard {card}" for card in held)
            play(match, match.legal()[0] + ",")
        assert found == nines
        assert [len(cards_at(match, "hand", player).split()) for player in range(6)] == [8] * 6
        assert match.actor == 1

    def test_the_whole_deck_is_dealt(self):
        for jokers in (0, 1):
            assert cards_at(deal(begin(6, {"jokers": jokers}), []), "deck") == ""

    @pytest.mark.parametrize("seat", [-1, 1, 5])
    def test_it_is_put_away_unseen(self, seat):
        match = play(deal(begin(6), ["7H"]), "discard 7H,")
        assert match.seen_by(seat)[-1].do == "discard ??"
        assert (cards_at(match, "away", 0, seat), cards_at(match, "away", 0, 0)) == ("??", "7H")

    def test_it_must_be_done(self):
        match = deal(begin(6), ["7H", "8H"])
        for action in ("keep", "swap 7H", "7H", "discard 8H"):
            assert refused(match, action) == "TT-4"


class TestTT5Tricks:
    @pytest.mark.parametrize(
        ("players", "options", "tricks"),
        [(2, {}, 9), (3, {"hand_cards": 10}, 10), (4, {}, 9), (5, {"jokers": 1}, 9), (6, {}, 8), (6, {"jokers": 2}, 8)],
    )
    def test_a_round_has_as_many_as_cards_in_a_hand(self, players, options, tricks):
        match = begin(players, {**options, "rounds": 1})
        for _ in play_at_random(match, 6):
            pass
        played = [
            event for event in match.events if event.do.split()[0] not in ("dealer", "deal", "keep", "swap", "discard")
        ]
        assert len(played) == tricks * players
        assert facts(match)["tricks"] == tricks
        assert all(cards_at(match, "hand", player) == "" for player in range(players))


class TestTT22CutDeck:
    @pytest.mark.parametrize("players", [2, 3])
    def test_the_twos_and_threes_are_left_out(self, players):
        match = begin(players, {"cut_deck": True, "jokers": 1})
        used = cards_in_use(match)
        assert len(used) == 45
        assert not {card[0] for card in used} & set("23")
        match.apply_chance("deal " + " ".join(used))
        with pytest.raises(IllegalError, match="not in the deck"):
            begin(players, {"cut_deck": True}).apply_chance("deal " + " ".join(ALL_CARDS))

    @pytest.mark.parametrize(("players", "default"), [(2, True), (3, True), (4, False), (5, False), (6, False)])
    def test_it_is_usual_with_two_or_three_players(self, players, default):
        assert resolved(players)["cut_deck"] is default
        assert resolved(players, cut_deck=default)["cut_deck"] is default

    @pytest.mark.parametrize("players", [4, 5, 6])
    def test_it_is_not_for_more(self, players):
        assert wrong_options(players, cut_deck=True).startswith(f"cut_deck=true is not for {players} players")

    def test_the_whole_deck_may_be_chosen(self):
        assert len(cards_in_use(begin(2, {"cut_deck": False}))) == 52


def deal_evenly(match):
    """Deal the whole deck in order."""
    match.apply_chance("deal " + " ".join(cards_in_use(match)))
    return match


class TestTT23HandCards:
    @pytest.mark.parametrize("players", [2, 3])
    def test_two_or_three_players_may_have_ten_cards_and_tricks(self, players):
        match = deal(begin(players, {"hand_cards": 10}), [])
        assert len(cards_at(match, "hand", 0).split()) == facts(match)["tricks"] == 10

    @pytest.mark.parametrize(("players", "most"), [(4, 13), (5, 10), (6, 9)])
    def test_no_more_than_the_deck_has(self, players, most):
        assert f"may be 1 to {most} for {players} players" in wrong_options(players, hand_cards=most + 1)
        assert resolved(players, hand_cards=9)["hand_cards"] == 9

    def test_the_cards_that_other_options_need_are_counted(self):
        refused = "hand_cards=11 needs 47 cards with these options; the deck has 44 (TT-23)"
        assert wrong_options(3, hand_cards=11, dummy=True) == refused

    @pytest.mark.parametrize(("players", "cards", "extra"), [(3, 14, 2), (5, 10, 2), (6, 8, 4)])
    def test_where_the_deck_is_too_small_for_an_exchange_it_is_dealt_as_in_tt_4(self, players, cards, extra):
        match = deal_evenly(begin(players, {"hand_cards": cards}))
        assert facts(match)["tricks"] == cards
        sizes = [len(cards_at(match, "hand", player).split()) for player in range(players)]
        assert sorted(sizes) == [cards] * (players - extra) + [cards + 1] * extra
        assert {action.split()[0] for action in match.legal()} == {"discard"}

    @pytest.mark.parametrize("number", [0, 17, True, "9", 9.0])
    def test_any_other_number_is_refused(self, number):
        assert " 1 to 16 (TT-23)" in wrong_options(2, hand_cards=number)


class TestTT24TheDummysPlace:
    @pytest.mark.parametrize(
        ("players", "dealer", "ring"),
        [(2, 0, [2, 1, 0]), (2, 1, [2, 0, 1]), (3, 1, [3, 2, 0, 1]), (3, 2, [3, 0, 1, 2])],
    )
    def test_the_dummy_sits_on_the_dealers_left_wherever_the_dealer_is(self, players, dealer, ring):
        match = deal(begin(players, {"dummy": True}, dealer), [])
        assert facts(match)["ring"] == ring
        assert facts(match)["dummy"] == players

    def test_it_moves_on_with_the_deal(self):
        match, rings = begin(2, {"rounds": 3}, dealer=0), []
        for _ in play_at_random(match, 2):
            if match.events[-1].do.startswith("deal "):
                rings.append(facts(match)["ring"])
        assert rings == [[2, 1, 0], [2, 0, 1], [2, 1, 0]]

    def test_it_takes_no_part_in_the_exchange_and_starts_the_first_trick(self):
        match = play(deal(begin(2), []), "keep,")
        assert facts(match)["trick"] == []
        play(match, "keep,")
        assert facts(match)["trick"] == [2]
        assert match.actor == 0

    def test_two_players_need_a_dummy(self):
        assert resolved(2)["dummy"] is True
        assert resolved(2, dummy=True)["dummy"] is True
        assert (
            wrong_options(2, dummy=False)
            == "dummy=false is not for 2 players: two players need the dummy tribe (TT-24)"
        )

    def test_three_players_may_have_a_dummy(self):
        assert resolved(3)["dummy"] is False
        assert resolved(3, dummy=True)["dummy"] is True

    @pytest.mark.parametrize("players", [4, 5, 6])
    def test_more_than_three_players_may_not_have_a_dummy(self, players):
        assert wrong_options(players, dummy=True).startswith(f"dummy=true is not for {players} players")
        assert resolved(players, dummy=False)["dummy"] is False
