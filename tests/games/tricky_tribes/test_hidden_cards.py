"""Tricky Tribes, TT-28: what each seat knows; the table shows no more."""

import re
from collections import Counter

import numpy as np
import pytest

from parlour.cards import card_name, cards_of, count
from parlour.engine import rules
from parlour.engine.chance import new_stream, random_below
from parlour.engine.information.determinization import determinize, determinize_many, new_table, observed_state
from parlour.engine.observation import EVERYTHING
from parlour.engine.rules import CHANCE, SPECTATOR, copy_state, known_to, new_states
from parlour.render.layouts import find_layout
from tests.games.tricky_tribes.tables import begin, cards_at, deal, facts, keep, table, trick_text
from tests.helpers import play, play_at_random

NAMES = ["Ann", "Ben", "Cleo", "Dag", "Eeva", "Finn"]
LAY_OUT = find_layout("tricky-tribes").lay_out


def known_cards(match, seat):
    return " ".join(card_name(card) for card in cards_of(int(known_to(match.state, seat))))


class TestTT28WhatIsHidden:
    def test_a_player_knows_only_their_own_hand(self):
        match = deal(begin(), ["7H 8H"])
        assert known_cards(match, 0) == cards_at(match, "hand", 0, 0)
        assert cards_at(match, "hand", 0, 1) == cards_at(match, "hand", 0) == " ".join(["??"] * 9)
        assert known_cards(match, SPECTATOR) == ""

    def test_an_offered_card_is_public_and_only_the_player_of_a_face_down_card_knows_it(self):
        match = table([], "open 7H, 2C, 3C")
        assert [trick_text(match, seat) for seat in (SPECTATOR, 0, 1, 2, 3)] == [
            "7H ?? ??",
            "7H ?? ??",
            "7H 2C ??",
            "7H ?? 3C",
            "7H ?? ??",
        ]

    def test_only_the_player_of_a_dark_first_card_knows_it(self):
        match = table([], "dark 7H, 2C")
        assert [trick_text(match, seat) for seat in (SPECTATOR, 0, 1, 2)] == ["?? ??", "7H ??", "?? 2C", "?? ??"]
        assert [event.do for event in match.seen_by(2)[-2:]] == ["dark ??", "??"]
        assert [event.do for event in match.seen_by(0)[-2:]] == ["dark 7H", "??"]

    def test_when_the_trick_is_turned_up_everyone_knows_all_of_it(self):
        match = table([], "dark 7H, 2C, 3C, 4C")
        assert known_cards(match, SPECTATOR) == "2C 3C 4C 7H"

    def test_only_the_player_who_swaps_knows_the_card_drawn_and_the_card_put_away(self):
        match = play(deal(begin(), ["7H"], "AS"), "swap 7H,")
        assert {"7H", "AS"} <= set(known_cards(match, 0).split())
        assert not {"7H", "AS"} & set(known_cards(match, 1).split())
        for _ in play_at_random(match, 4, until_chance=True):
            assert "7H" in known_cards(match, 0)
            assert "7H" not in known_cards(match, 1)

    @pytest.mark.parametrize("seat", [SPECTATOR, 0, 1])
    def test_the_deck_is_unknown(self, seat):
        match = deal(begin(2), [])
        assert cards_at(match, "deck", -1, seat) == " ".join(["??"] * 26)

    def test_a_refusal_uses_only_the_players_hand(self):
        match = table(["7H"], "", players=2, deck="9S")
        assert match.refusal("9S").reason == match.refusal("AS").reason.replace("ace", "nine")


def determinizations_of(match, seat, number):
    determinizations = new_states(match.game.dtype, number)
    determinize_many(match.observed(seat), seat, determinizations, new_table(), new_stream(3))
    return determinizations


class TestDeterminizations:
    def test_every_place_holds_every_unknown_card_equally_often(self):
        """34 cards are unknown. With equal frequencies chi-squared (33 degrees of freedom) exceeds 70 once in 5,000."""
        match = play(deal(begin(2), ["7H", "8H"], "9S AS"), "swap 7H, swap 8H, 4C,")
        number = 6000
        determinizations = determinizations_of(match, 1, number)
        unknown = list(cards_of(match.state.in_use & ~int(known_to(match.state, 1))))
        assert len(unknown) == 44 - 10
        places = {
            "the dummy's card": [int(state.trick[0]) for state in determinizations],
            "the covered card": [int(state.trick[1]) for state in determinizations],
            "the card put away": [next(cards_of(int(state.away[0]))) for state in determinizations],
            "the top of the deck": [int(state.deck[state.drawn]) for state in determinizations],
            "the bottom of the deck": [int(state.deck[state.deck_size - 1]) for state in determinizations],
        }
        for place, cards in places.items():
            seen = Counter(cards)
            assert set(seen) == set(unknown), place
            expected = number / len(unknown)
            assert sum((seen[card] - expected) ** 2 / expected for card in unknown) < 70, place
        held = Counter(card for state in determinizations for card in cards_of(int(state.hand[0])))
        assert set(held) == set(unknown)
        assert all(abs(held[card] / number - 8 / 34) < 0.03 for card in unknown)

    def test_known_cards_keep_their_places(self):
        match = play(deal(begin(2), ["7H", "8H"], "9S AS"), "swap 7H, swap 8H, 4C,")
        for state in determinizations_of(match, 0, 50):
            assert (state.hand[0], state.away[0], state.trick[1]) == (
                match.state.hand[0],
                match.state.away[0],
                match.state.trick[1],
            )

    @pytest.mark.parametrize(
        ("players", "options"), [(2, {"jokers": 2}), (3, {"dummy": True}), (6, {}), (6, {"jokers": 2})]
    )
    def test_each_player_knows_as_many_cards_in_a_determinization_as_in_the_match(self, players, options):
        match, random = begin(players, {**options, "rounds": 1}), new_stream(5)
        for _ in play_at_random(match, 8):
            for seat in (0, players - 1):
                sampled = determinize(match.observed(seat), seat, random)
                for other in range(players):
                    assert count(int(known_to(sampled, other))) == count(int(known_to(match.state, other)))
                assert observed_state(sampled, seat).tobytes() == match.observed(seat).tobytes()


def thumb_of(state, actions):
    return int(rules.heuristic_choice(state, np.array(actions, np.int64), len(actions), new_stream(1)))


def win_share(players, options, games, seat):
    """Return the rule of thumb's share of wins in this seat against random players."""
    won = 0.0
    for number in range(games):
        match, random = begin(players, {**options, "rounds": 2}, number % players), new_stream(number, seat)
        while not match.over:
            if match.actor == CHANCE:
                deck = list(cards_of(int(rules.wanted(match.state))))
                order = sorted(deck, key=lambda card: random_below(random, 1 << 30))
                match.apply_chance("deal " + " ".join(card_name(card) for card in order))
                continue
            actions = match.moves()
            index = random_below(random, len(actions))
            if match.actor == seat:
                index = thumb_of(match.observed(seat), actions)
            match.apply_move(actions[index])
        won += (seat in match.result.winners) / len(match.result.winners)
    return won / games


class TestTheRuleOfThumb:
    @pytest.mark.parametrize(("players", "options"), [(2, {}), (5, {"teams": "pairs", "jokers": 1}), (6, {})])
    def test_it_decides_the_same_by_the_observed_and_the_full_state(self, players, options):
        match = begin(players, {**options, "rounds": 1})
        for _ in play_at_random(match, 6):
            if match.actor >= 0:
                actions = match.moves()
                assert thumb_of(match.state, actions) == thumb_of(match.observed(match.actor), actions)

    @pytest.mark.parametrize("options", [{}, {"exchange": False}, {"jokers": 2}])
    def test_twice_the_points_are_worth_twice_as_much(self, options):
        """Otherwise it would choose differently, though the game is the same. Divisions round by less than 16."""
        match = begin(4, {**options, "rounds": 1})
        for _ in play_at_random(match, 5):
            if match.actor >= 0:
                state, value = match.observed(match.actor), match.game.action_value
                doubled = copy_state(state)
                for color in ("red", "black"):
                    for name in (f"{color}_points", f"{color}_court_points"):
                        setattr(doubled, name, 2 * int(getattr(state, name)))
                doubled.joker_points = 2 * int(state.joker_points)
                for move in match.moves():
                    assert value(doubled, move) == pytest.approx(2 * value(state, move), abs=16)

    @pytest.mark.slow
    def test_it_beats_random_players(self):
        shares = [win_share(4, {}, 60, seat) for seat in range(4)]
        assert sum(shares) / 4 > 0.4, "the even share is a quarter"

    def test_it_offers_a_red_court_card_only_if_it_must(self):
        match = table(["AH KD 7C 8S 5S 4C TC 9C 6S"])
        chosen = match.notation(match.moves()[thumb_of(match.observed(0), match.moves())])
        assert chosen not in ("open AH", "open KD")


class TestTheTable:
    @pytest.mark.parametrize(
        ("players", "options"),
        [(2, {}), (3, {"dummy": True, "jokers": 2}), (5, {"teams": "pairs"}), (6, {}), (4, {"teams": "ABAC"})],
    )
    def test_every_legal_action_can_be_composed_and_has_a_log_line(self, players, options):
        match, before = begin(players, {**options, "rounds": 2}), {}
        for _ in play_at_random(match, 12):
            for seat in (SPECTATOR, *range(players)):
                observation = match.observation(seat)
                scene = LAY_OUT(observation, NAMES, before.get(seat))
                tokens = {seen.token for area in scene.areas for row in area.rows for seen in row.cards}
                assert sorted(choice.do for choice in scene.choices) == observation.legal
                assert all(set(choice.tokens) <= tokens for choice in scene.choices)
                assert scene.log or seat not in before
                assert scene.prompt
                before[seat] = observation

    def test_the_areas_lie_clockwise_from_the_viewer_with_the_dummy_in_its_place(self):
        match = keep(deal(begin(3, {"dummy": True}, 0), []))
        scene = LAY_OUT(match.observation(2), NAMES, None)
        assert [(area.title, area.at) for area in scene.areas if area.at is not None] == [
            ("You", 0),
            ("Ann", 1),
            ("Dummy", 2),
            ("Ben", 3),
        ]

    def test_partners_are_called_a_team(self):
        scene = LAY_OUT(deal(begin(5, {"teams": "pairs"}), []).observation(1), NAMES, None)
        assert {area.title: area.subtitle for area in scene.areas if area.at is not None} == {
            "Ann": "team A",
            "You": "team B",
            "Cleo": "team A",
            "Dag": "team B",
            "Eeva": "alone, counts double",
        }

    def test_a_round_that_ends_pauses_and_a_game_that_ends_has_an_outcome(self):
        match = table(["7H"], options={"rounds": 1})
        for _ in play_at_random(match, 2):
            assert (LAY_OUT(match.observation(0), NAMES, None).outcome != "") == match.over
        scene = LAY_OUT(match.observation(0), NAMES, None)
        assert scene.pause == "The round is over."
        assert scene.standings[0].now == match.result.scores[0]
        assert scene.standings[0].before == 0

    @pytest.mark.parametrize(
        ("players", "headline"), [(3, r"The round is over: \w+ .*;.*;.*\."), (6, r"The round is over\.")]
    )
    def test_the_headline_of_a_round_does_not_repeat_a_long_list(self, players, headline):
        match = begin(players, {"rounds": 1})
        for _ in play_at_random(match, 2):
            pass
        scene = LAY_OUT(match.observation(0), NAMES[:players], None)
        assert re.fullmatch(headline, scene.pause)
        assert len(scene.standings) == players

    def test_an_open_trick_has_log_lines(self):
        match = table(["7H", "2C", "9D", "AS"], "open 7H, 2C, 9D")
        earlier = match.observation(1)
        play(match, "AS,")
        assert LAY_OUT(match.observation(1), NAMES, earlier).log == [
            "Dag plays a card face down.",
            "The cards are turned up: Ann 7♥, You 2♣, Cleo 9♦, Dag A♠.",
            "Cleo wins with the nine of diamonds and collects the seven of hearts.",
        ]

    def test_a_burden_has_a_log_line(self):
        match = table(["7S", "2C", "9C", "AS"], "open 7S, 2C, 9C")
        earlier = match.observation(1)
        play(match, "AS,")
        assert LAY_OUT(match.observation(1), NAMES, earlier).log[-1] == (
            "Nobody plays red. You lose with the two of clubs and must take the seven of spades."
        )

    def test_a_covered_card_of_another_seat_is_not_in_the_log(self):
        match = table(["7H", "2C"], "dark 7H")
        earlier = match.observation(0)
        play(match, "2C,")
        assert LAY_OUT(match.observation(0), NAMES, earlier).log == ["Ben plays a card face down."]
        assert facts(match)["open"] is False

    @pytest.mark.parametrize(
        ("players", "action", "open_line", "line"),
        [
            (4, "swap 7H", "Ann puts the seven of hearts away and draws the two of clubs.", "Ann exchanges a card."),
            (6, "discard 7H", "Ann puts the seven of hearts away.", "Ann puts a card away."),
        ],
    )
    def test_an_exchange_names_its_cards_only_where_all_cards_are_open(self, players, action, open_line, line):
        match = deal(begin(players), ["7H"], deck="2C" if players < 6 else "")
        before = {viewer: match.observation(viewer, ended=True) for viewer in (EVERYTHING, SPECTATOR, 1)}
        play(match, f"{action},")
        logs = {
            viewer: LAY_OUT(match.observation(viewer, ended=True), NAMES, earlier).log
            for viewer, earlier in before.items()
        }
        assert logs == {EVERYTHING: [open_line], SPECTATOR: [line], 1: [line]}

    @pytest.mark.parametrize(
        ("played", "action", "open_line"),
        [
            ("", "dark 7H", "Ann plays the seven of hearts face down: a dark trick."),
            ("dark 7H", "2C", "Ben plays the two of clubs face down."),
        ],
    )
    def test_a_covered_card_is_in_the_log_where_all_cards_are_open(self, played, action, open_line):
        match = table(["7H", "2C"], played)
        earlier = match.observation(EVERYTHING, ended=True)
        play(match, f"{action},")
        assert LAY_OUT(match.observation(EVERYTHING, ended=True), NAMES, earlier).log == [open_line]

    @pytest.mark.parametrize(
        ("players", "options", "start"),
        [
            (3, {"dummy": True}, "The dummy starts the first trick."),
            (3, {}, "You start the first trick."),
            (4, {"hand_cards": 13}, "You start the first trick."),
        ],
        ids=["a dummy", "no dummy", "the whole deck dealt"],
    )
    def test_the_deal_says_who_starts_where_no_card_is_exchanged(self, players, options, start):
        exchange = {} if "hand_cards" in options else {"exchange": False}
        match = begin(players, {**options, **exchange})
        earlier = match.observation(0)
        log = LAY_OUT(deal(match, []).observation(0), NAMES, earlier).log
        assert log[:2] == [f"Round 1: {NAMES[players - 1]} deals.", start]
        dark = ["The dummy plays the top of the deck, face down: a dark trick."]
        assert log[2:] == (dark if match.options["dummy"] else [])

    def test_the_deal_says_nothing_of_a_start_before_the_exchange(self):
        match = begin()
        earlier = match.observation(0)
        assert LAY_OUT(deal(match, []).observation(0), NAMES, earlier).log == ["Round 1: Dag deals."]

    @pytest.mark.parametrize(
        ("offered", "outcomes"),
        [
            ("QS", ["Ben and Dag win with −1 point; you have −2.", "You and Dag win with −1 point."]),
            ("8S", ["All win together, with −1 point.", "All win together, with −1 point."]),
        ],
    )
    def test_points_below_nought_have_a_minus_sign(self, offered, outcomes):
        """TT-27: first player 3 and then player 0 takes a black card."""
        hands = ["7C 3S", "8C 4S", "9S 5S", f"3C {offered}"]
        match = table(hands, "open 7C, 8C, 9S, 3C", options={"teams": "pairs", "hand_cards": 2, "rounds": 1})
        play(match, f"open {offered}, 3S, 4S, 5S")
        assert [LAY_OUT(match.observation(seat), NAMES, None).outcome for seat in (0, 1)] == outcomes
