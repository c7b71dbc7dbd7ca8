"""Trime Kicker, clause by clause.

Player 0 begins by default. The threes lie open, so at first only multiples of four can be laid; an unspecified main
pile has none.
"""

import pytest

from parlour.engine.chance import new_stream
from parlour.engine.errors import IllegalError, OptionError, PlayersError
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.rules import OVER, SPECTATOR
from parlour.engine.setup import Setup
from parlour.render.layouts import find_layout
from tests.games.trime_kicker.tables import TRIME_KICKER, actions, deck_of, facts, owners, position, table, tops
from tests.helpers import play, play_at_random, refused, zone_text


class TestTK1ThePiles:
    def test_the_four_threes_lie_open_in_a_row(self):
        assert tops(table()) == "3C 3D 3H 3S"

    def test_there_are_two_players(self):
        for players in (1, 3):
            with pytest.raises(PlayersError):
                Match(Setup(TRIME_KICKER, players))

    def test_the_threes_are_not_dealt(self):
        match = Match(Setup(TRIME_KICKER, 2))
        with pytest.raises(IllegalError, match="missing"):
            match.apply_chance("deal 3C " + deck_of()[3:])


class TestTK2TheStacks:
    def test_each_player_gets_twelve_cards_as_main_pile_and_twelve_as_backup(self):
        match = Match(Setup(TRIME_KICKER, 2))
        deck = deck_of().split()
        match.apply_chance("deal " + " ".join(deck))
        for seat in range(2):
            assert sorted(zone_text(match, "main pile", seat, seat).split()) == sorted(deck[12 * seat : 12 * seat + 12])
            assert [int(card) for card in match.state.backup[seat, :12]] == [
                ("CDHS".index(card[1])) * 13 + "23456789TJQKA".index(card[0])
                for card in deck[24 + 12 * seat : 36 + 12 * seat]
            ]

    def test_only_its_player_sees_a_main_pile(self):
        match = table(["4C"])
        assert "4C" in zone_text(match, "main pile", 0, 0)
        for viewer in (1, SPECTATOR):
            assert zone_text(match, "main pile", 0, viewer) == " ".join(["??"] * 12)

    def test_a_backup_is_hidden_from_both_seats(self):
        for viewer in (0, 1, SPECTATOR):
            assert zone_text(table(), "backup", 0, viewer) == " ".join(["??"] * 12)


class TestTK3WhoBegins:
    @pytest.mark.parametrize("first", [0, 1])
    def test_a_coin_decides(self, first):
        assert table(first=first).actor == first

    def test_turns_alternate(self):
        match = table(["4C 5C", "8H"], line="4C on 1, 8H on 2, 5C on 1")
        assert [event.by for event in match.events[2:]] == [0, 1, 0]
        assert match.actor == 1


class TestTK4ATurn:
    def test_one_card_is_laid_on_one_pile_and_the_turn_is_over(self):
        match = table(["4C"], line="4C on 2")
        assert tops(match) == "3C 4C 3H 3S"
        assert match.actor == 1

    def test_only_cards_of_the_main_pile_are_laid(self):
        assert refused(table(["4C"], ["8C"]), "8C on 1") == "TK-4"

    @pytest.mark.parametrize("pile", ["0", "5", "four"])
    def test_there_are_piles_1_to_4(self, pile):
        assert refused(table(["4C"]), f"4C on {pile}") == "TK-4"


class TestTK5WhatGoesOnWhat:
    @pytest.mark.parametrize("card", ["4D", "8H", "QS"])
    def test_a_multiple_of_four_goes_on_anything(self, card):
        match = table([f"4C 9C {card}"], line="4C on 1, decline")
        assert {f"{card} on {pile}" for pile in range(1, 5)} <= set(match.legal())
        assert {f"{card} on {pile}" for pile in range(1, 5)} <= set(
            position("KC 9C TH 2S", "0 0 0 0", [card, "5C"]).legal()
        )

    def test_a_card_of_the_same_rank_goes_on_a_pile(self):
        assert actions(position("7C KD KH KS", "1 1 1 1", ["7H", "6D"])) == "7H on 1, decline"

    def test_a_card_one_higher_goes_on_a_pile(self):
        assert actions(position("6C KD KH KS", "1 1 1 1", ["7H", "2D"])) == "7H on 1, decline"

    def test_no_other_card_does(self):
        match = position("7C KD KH KS", "1 1 1 1", ["6H 9H 5S JC 7D", "2D"])
        assert actions(match) == "7D on 1, decline"
        for card in ("6H", "9H", "5S", "JC"):
            assert refused(match, f"{card} on 1") == "TK-5"

    def test_the_card_covers_the_one_that_lay_on_top(self):
        match = table(["4C 5H"], line="4C on 3, decline, 5H on 3")
        assert zone_text(match, "pile", 2).split()[-1] == "5H"
        assert set(zone_text(match, "pile", 2).split()) == {"3H", "4C", "5H"}


class TestTK6TheAce:
    @pytest.mark.parametrize(("ace", "goes"), [("around", True), ("high", True), ("low", False)])
    def test_the_ace_goes_on_a_king_unless_it_is_low(self, ace, goes):
        match = position("KC 7D 7H 7S", "1 1 1 1", ["AH 7C", "2D"], options={"ace": ace})
        assert ("AH on 1" in match.legal()) is goes

    @pytest.mark.parametrize(("ace", "goes"), [("around", True), ("high", False)])
    def test_a_two_goes_on_an_ace_if_the_ranks_go_around(self, ace, goes):
        match = position("AC 7D 7H 7S", "1 1 1 1", ["2H 7C", "5D"], options={"ace": ace})
        assert ("2H on 1" in match.legal()) is goes

    @pytest.mark.parametrize("ace", ["around", "high"])
    def test_an_ace_goes_on_an_ace(self, ace):
        assert "AH on 1" in position("AC 7D 7H 7S", "1 1 1 1", ["AH", "5D"], options={"ace": ace}).legal()

    @pytest.mark.parametrize("ace", ["around", "high", "low"])
    def test_a_king_goes_on_a_queen_and_on_a_king(self, ace):
        match = position("QC KD 7H 7S", "1 1 1 1", ["KH", "5D"], options={"ace": ace})
        assert actions(match) == "KH on 1, KH on 2, decline"

    @pytest.mark.parametrize(("ace", "never"), [("high", "2"), ("low", "2A")])
    def test_some_cards_can_never_be_laid(self, ace, never):
        for seed in range(8):
            match = Match(Setup(TRIME_KICKER, 2, {"ace": ace}))
            for _ in play_at_random(match, seed):
                pass
            laid = [event.do for event in match.events[2:] if " on " in event.do]
            assert laid
            assert not [text for text in laid if text[0] in never]

    def test_with_ranks_that_go_around_every_rank_can_be_laid(self):
        laid = set()
        for seed in range(4):
            match = Match(Setup(TRIME_KICKER, 2))
            for _ in play_at_random(match, seed):
                pass
            laid |= {event.do[0] for event in match.events[2:] if " on " in event.do}
        assert laid == set("2456789TJQKA")

    def test_the_ace_may_be_nothing_else(self):
        with pytest.raises(OptionError, match="TK-6"):
            Match(Setup(TRIME_KICKER, 2, {"ace": "middle"}))


class TestTK7Control:
    def test_the_player_who_laid_the_top_card_controls_the_pile(self):
        match = table(["4C", "8H QS"], line="4C on 1, 8H on 1, decline, QS on 2")
        assert owners(match) == "1 1 - -"

    def test_a_three_never_covered_has_no_owner(self):
        assert owners(table()) == "- - - -"


class TestTK8Drawing:
    def test_a_player_who_can_lay_no_card_may_draw(self):
        assert actions(table()) == "decline, draw"

    def test_the_top_card_of_the_backup_comes_into_the_main_pile_in_the_same_turn(self):
        match = table(backups=["QS 8D"], line="draw")
        assert match.actor == 0
        assert "QS" in zone_text(match, "main pile", 0, 0)
        assert facts(match)["players"][0] == {"held": 13, "backup": 11, "drawn": 1, "laid": 0, "tie_break": 0}

    def test_a_player_may_draw_again_while_no_card_fits(self):
        match = table(backups=["9S 7S 8D"], line="draw, draw")
        assert actions(match) == "decline, draw"
        play(match, "draw,")
        assert actions(match) == "8D on 1, 8D on 2, 8D on 3, 8D on 4, decline"

    def test_a_player_who_can_lay_may_not_draw(self):
        assert refused(table(["4C"]), "draw") == "TK-8"

    def test_nothing_is_drawn_from_an_empty_backup(self):
        assert refused(position("KC KD KH KS", "1 1 1 1", ["5C", "4D"]), "draw") == "TK-8"

    def test_only_the_player_who_draws_sees_the_card(self):
        match = table(backups=["QS"], line="draw")
        assert "QS" in zone_text(match, "main pile", 0, 0)
        for viewer in (1, SPECTATOR):
            assert zone_text(match, "main pile", 0, viewer) == " ".join(["??"] * 13)


class TestTK9TakingUpTheBackup:
    def test_an_empty_main_pile_takes_up_the_whole_backup_at_once(self):
        match = position("KC KD KH KS", "1 1 1 1", ["4C", "5D"], ["7H 7S 9C", "2D"])
        play(match, "4C on 1,")
        assert zone_text(match, "main pile", 0, 0) == "9C 7H 7S"
        assert facts(match)["players"][0]["backup"] == 0
        assert match.actor == 1

    def test_the_other_player_takes_up_nothing(self):
        match = position("KC KD KH KS", "1 1 1 1", ["4C", "5D"], ["7H 7S 9C", "2D"])
        play(match, "4C on 1,")
        assert facts(match)["players"][1]["backup"] == 1

    def test_the_others_see_how_many_cards_but_not_which(self):
        match = play(position("KC KD KH KS", "1 1 1 1", ["4C", "5D"], ["7H 7S 9C", "2D"]), "4C on 1,")
        assert match.observed(1).hand[0] == 0
        assert match.observed(1).first_size[0] == 3

    def test_an_empty_backup_leaves_nothing_to_take_up(self):
        match = play(position("KC KD KH KS", "1 1 1 1", ["4C", "8D"]), "4C on 1,")
        assert zone_text(match, "main pile", 0, 0) == ""
        assert not match.over


class TestTK10Declining:
    def test_a_player_who_could_lay_may_decline(self):
        assert play(table(["4C"]), "decline,").actor == 1

    def test_a_player_may_decline_after_drawing(self):
        match = table(backups=["9S"], line="draw, decline")
        assert match.actor == 1


class TestTK11BothDecline:
    def test_one_straight_after_the_other_calls_the_judge(self):
        assert facts(table(["4C", ""], line="decline, decline"))["ordered"]

    def test_a_card_laid_between_them_prevents_it(self):
        match = table(["4C", "8C"], line="decline, 8C on 1, decline")
        assert match.actor == 1
        assert not facts(match)["ordered"]

    def test_drawing_before_declining_does_not_prevent_it(self):
        assert facts(table(["4C", ""], line="decline, draw, decline"))["ordered"]

    def test_both_declines_are_used_up(self):
        match = table(["4C 5C", "8C"], line="decline, decline, 4C on 1, decline")
        assert match.actor == 0
        assert not facts(match)["ordered"]


class TestTK12TheGameIsOver:
    def test_when_neither_can_lay_nor_draw_at_the_start_of_a_turn(self):
        match = play(position("KC KD KH KS", "1 1 1 1", ["4C 6H", "7D"]), "4C on 1,")
        assert match.over

    def test_no_decline_is_needed_and_a_fitting_card_continues_the_game(self):
        assert not play(position("KC KD KH KS", "1 1 1 1", ["4C 6H", "5D"]), "4C on 1,").over

    def test_a_backup_that_can_be_drawn_from_keeps_it_going(self):
        assert not play(position("KC KD KH KS", "1 1 1 1", ["4C 6H", "7D"], ["", "9D"]), "4C on 1,").over

    def test_this_is_checked_only_at_the_start_of_a_turn(self):
        match = play(position("KC KD KH KS", "1 1 1 1", ["6H", "7D"], ["9D", ""]), "draw,")
        assert actions(match) == "decline"
        assert play(match, "decline,").over

    def test_the_judge_ends_the_game_too(self):
        """Player 1 draws the last card in vain and declines after player 0's decline."""
        match = position("KC KD KH KS", "1 1 1 1", ["6H", "7D"], ["", "9D"])
        play(match, "decline, draw, decline")
        assert match.over
        assert not facts(match)["ordered"]


class TestTK13WhomTheJudgeOrders:
    def test_the_only_seat_that_can_lay(self):
        for able in range(2):
            hands = ["5C", "6D"]
            hands[able] += " 4H"
            for first in range(2):
                match = play(position("KC KD KH KS", "1 1 1 1", hands, actor=first), "decline, decline")
                assert match.actor == able

    def test_the_only_seat_that_can_draw_if_none_can_lay(self):
        for able in range(2):
            backups = ["", ""]
            backups[able] = "4H"
            for first in range(2):
                match = play(position("KC KD KH KS", "1 1 1 1", ["5C", "6D"], backups, first), "decline, decline")
                assert match.actor == able

    def test_a_player_who_can_lay_is_ordered_before_a_player_who_can_only_draw(self):
        match = play(position("KC KD KH KS", "1 1 1 1", ["4C", "6D"], ["", "9D"]), "decline, decline")
        assert match.actor == 0

    @pytest.mark.parametrize("hands", [["4C 5C", "8D 6D"], ["5C", "6D"]])
    @pytest.mark.parametrize(("laid", "ordered"), [((5, 6), 0), ((6, 5), 1)])
    def test_judge_behind_orders_the_player_who_has_laid_fewer_cards(self, hands, laid, ordered):
        for first in range(2):
            match = position("KC KD KH KS", "1 1 1 1", hands, ["7C 7D", "7H 7S"], first, laid=laid)
            assert play(match, "decline, decline").actor == ordered

    def test_cards_laid_count_though_they_are_covered(self):
        match = table(["4C", "8C QD"], line="4C on 1, 8C on 1, decline, QD on 1, decline, decline")
        assert facts(match)["players"][0]["laid"] == 1
        assert match.actor == 0

    @pytest.mark.parametrize("hands", [["4C 5C", "8D 6D"], ["5C", "6D"]])
    @pytest.mark.parametrize(("control", "ordered"), [("0 0 0 1", 0), ("1 1 0 1", 1)])
    def test_judge_leader_orders_the_player_who_has_more_points(self, hands, control, ordered):
        for first in range(2):
            options = {"judge": "leader"}
            match = position("KC KS KD KH", control, hands, ["7C 7D", "7H 7S"], first, options, laid=(9, 9))
            assert play(match, "decline, decline").actor == ordered

    @pytest.mark.parametrize(("control", "judge"), [("0 0 1 1", "leader"), ("0 0 0 1", "behind")])
    def test_between_equal_players_the_one_who_declined_first_is_ordered(self, control, judge):
        for first in range(2):
            match = position("KD KC KS KH", control, ["4C", "8D"], actor=first, options={"judge": judge}, laid=(3, 3))
            assert play(match, "decline, decline").actor == first

    def test_the_player_who_has_just_declined_may_be_ordered(self):
        assert play(position("KC KD KH KS", "1 1 1 1", ["5C", "4D"]), "decline, decline").actor == 1


class TestTK14ByOrder:
    def test_an_ordered_player_may_not_decline(self):
        match = table(["4C", ""], line="decline, decline")
        assert actions(match) == "4C on 1, 4C on 2, 4C on 3, 4C on 4"
        assert refused(match, "decline") == "TK-14"

    def test_drawing_goes_on_until_a_card_can_be_laid_which_must_be_laid(self):
        match = table(backups=["9S 8D"], line="decline, decline")
        assert actions(match) == "draw"
        assert actions(play(match, "draw,")) == "draw"
        assert actions(play(match, "draw,")) == "8D on 1, 8D on 2, 8D on 3, 8D on 4"

    def test_an_empty_backup_ends_the_turn_without_an_event(self):
        match = position("KC KD KH KS", "1 1 1 1", ["5C", "6D"], ["9D 9H", "7D 7H"], laid=(1, 2))
        play(match, "decline, decline, draw")
        assert (match.actor, actions(match)) == (0, "draw")
        play(match, "draw,")
        assert match.actor == 1
        assert actions(match) == "decline, draw"

    def test_a_turn_ended_so_does_not_count_as_declined(self):
        match = position("KC KD KH KS", "1 1 1 1", ["5C", "6D"], ["9D", "7D 7H"], laid=(1, 2))
        play(match, "decline, decline, draw, decline")
        assert match.actor == 0
        assert not facts(match)["ordered"]
        assert facts(match)["declined"]

    def test_then_the_turn_passes_and_the_next_is_free(self):
        match = table(["4C", ""], line="decline, decline, 4C on 1")
        assert match.actor == 1
        assert "decline" in match.legal()

    def test_the_game_may_end_after_such_a_turn(self):
        match = position("KC KD KH KS", "1 1 1 1", ["5C", "6D"], ["9D", ""])
        assert play(match, "decline, decline, draw").over


class TestTK15OnlyDeclining:
    def test_a_player_who_can_neither_lay_nor_draw_has_one_action(self):
        assert actions(position("KC KD KH KS", "1 1 1 1", ["5C", "4D"])) == "decline"

    def test_a_player_has_one_action_in_mid_turn_after_drawing(self):
        match = play(position("KC KD KH KS", "1 1 1 1", ["5C", "4D"], ["7D", ""]), "draw,")
        assert actions(match) == "decline"

    def test_a_player_without_cards_declines(self):
        match = play(position("KC KD KH KS", "1 1 1 1", ["4C", "8D 5H"]), "4C on 1, decline")
        assert actions(match) == "decline"

    def test_it_counts_for_the_judge(self):
        match = play(position("KC KD KH KS", "1 1 1 1", ["5C", "4D"]), "decline, decline")
        assert facts(match)["ordered"]


class TestTK16Points:
    def test_each_pile_gives_five_points_and_two_more_in_the_suit_of_its_three(self):
        match = table(["4C 8D", "QS"], line="4C on 1, QS on 2, 8D on 4")
        assert match.observation(SPECTATOR).standing.scores == (12, 5)
        assert [(line.what, line.points, line.clause) for line in match.observation(SPECTATOR).lines] == [
            ("pile 1", [5, 0], "TK-16"),
            ("bonus on pile 1", [2, 0], "TK-16"),
            ("pile 2", [0, 5], "TK-16"),
            ("pile 4", [5, 0], "TK-16"),
        ]

    def test_an_uncovered_three_scores_nothing(self):
        assert table().observation(SPECTATOR).standing.scores == (0, 0)


def result(tops, control, options=None):
    """Return scores and winners as the piles stand."""
    standing = position(tops, control, ["5C", "6D"], options=options).observation(SPECTATOR).standing
    return standing.scores, standing.winners


class TestTK17WhoWins:
    def test_more_points_win(self):
        assert result("KC KS KD KH", "0 0 0 1") == ((17, 5), (0,))

    def test_equal_points_without_bonus_are_decided_by_the_sum_of_the_top_cards(self):
        assert result("KD 7C 9S TH", "0 0 1 1") == ((10, 10), (0,))

    def test_the_sum_also_decides_equal_points_with_a_bonus_each(self):
        assert result("KC 7C 9S TS", "0 0 1 1") == ((12, 12), (0,))

    @pytest.mark.parametrize(("ace", "winners"), [("around", (0,)), ("high", (0,)), ("low", (1,))])
    def test_the_ace_counts_fourteen_or_if_low_one(self, ace, winners):
        assert result("AD 7C 9S TH", "0 0 1 1", {"ace": ace})[1] == winners

    def test_jack_queen_and_king_count_eleven_to_thirteen(self):
        assert result("JD 2C KS 2H", "0 0 1 1")[1] == (1,)
        assert result("QD 2C JS 2H", "0 0 1 1")[1] == (0,)

    def test_all_equal_is_a_draw_announced_as_the_fistfight_it_would_have_been(self):
        match = position("KD 7C 7S KH", "0 0 1 1", ["5C", "6D"])
        assert match.observation(SPECTATOR).standing.winners == (0, 1)
        match.state.actor = OVER
        scene = find_layout("trime-kicker").lay_out(match.observation(0), ["Ann", "Bob"], None)
        assert "fistfight" in scene.outcome
        assert "draw" in scene.outcome


class TestTK18Scores:
    def test_scores_are_the_points_of_the_piles(self):
        match = play(position("KC KS KH KD", "0 1 0 1", ["4S 6H", "7D"]), "4S on 4,")
        assert match.over
        assert match.result.scores == (5 + 2 + 5 + 2 + 5 + 2, 5)


class TestTK19WhatIsHidden:
    def test_every_draw_decline_and_card_laid_is_seen_by_all(self):
        match = table(["", "QS"], ["9S"], line="draw, decline, QS on 4")
        for viewer in (0, 1, SPECTATOR):
            assert [event.do for event in match.seen_by(viewer)] == ["deal", "first 0", "draw", "decline", "QS on 4"]

    def test_how_many_cards_each_holds_and_has_in_the_backup_is_public(self):
        match = table(["", "QS"], ["9S"], line="draw, decline, QS on 4")
        held = [(player["held"], player["backup"]) for player in facts(match)["players"]]
        assert held == [(13, 11), (11, 12)]


class TestNotation:
    def test_small_letters_and_10_are_understood(self):
        assert table(["4C"]).complete_action("4c ON 3") == "4C on 3"
        assert table(["TC"], options={"multiple": 5}).complete_action("10c on 3") == "TC on 3"

    def test_nonsense_is_refused(self):
        assert refused(table(), "fold") == ""

    def test_chance_deals_and_then_names_the_first_player(self):
        match = Match(Setup(TRIME_KICKER, 2))
        randomness = StreamRandomness(new_stream(3))
        match.apply_chance(match.sample_chance(randomness))
        match.apply_chance(match.sample_chance(randomness))
        deal, first = (event.do for event in match.events)
        assert deal.startswith("deal ")
        assert first in ("first 0", "first 1")
