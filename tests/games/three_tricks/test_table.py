"""The table of 3 Tricks: scene, choices and log lines; and the rule of thumb."""

from itertools import groupby

import pytest
from click.testing import CliRunner

from parlour.bots import choose_for, find_bot
from parlour.cli import main
from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.rules import CHANCE, SPECTATOR
from parlour.engine.setup import Setup
from parlour.render.layouts import find_layout
from tests.games.three_tricks.tables import THREE_TRICKS, do, shuffle, table, to_shuffle, walk_of

NAMES = ["Ann", "Bo"]
BLOCKED = "4C 5C 9D TD", "7D 8D", "lay 4C 5C, pass, lay 9D TD"


def scene(match, seat=0, before=None):
    return find_layout("three-tricks").lay_out(match.observation(seat), NAMES, before)


def log_of(match, line, seat=0):
    """Return the log line of the last of these actions."""
    *first, last = [part.strip() for part in line.split(",")]
    for action in first:
        do(match, action)
    before = match.observation(seat)
    do(match, last)
    return scene(match, seat, before).log


def row(found, name):
    return next(row for area in found.areas for row in area.rows if row.id == name)


class TestWhatLiesOnTheTable:
    def test_tricks_lie_in_a_row_before_their_player(self):
        found = scene(table("4C 5C 9D TD", "7S 8S", "lay 4C 5C, pass, lay 9D TD"))
        assert [card.card for card in row(found, "trick-0-1").cards] == ["9D", "TD"]
        assert row(found, "trick-0-0").style == "meld"
        assert [area.at for area in found.areas] == [None, 0, 1]

    def test_the_other_hand_is_only_counted(self):
        found = row(scene(table()), "hand-1")
        assert (found.cards, found.hidden) == ([], 7)

    def test_blocked_tricks_lie_face_down_and_are_remembered(self):
        found = row(scene(do(table(*BLOCKED), "lay 7D 8D"), seat=1), "blocked-0")
        assert {card.card for card in found.cards} == {"4C", "5C", "9D", "TD"}
        assert not any(card.face_up for card in found.cards)

    def test_the_viewers_cards_in_the_second_stock_are_remembered_and_the_others_counted(self):
        found = row(scene(table("2C 3C", "2D 3D", "swap 2C 3C, swap 2D")), "second")
        assert ([card.card for card in found.cards], found.hidden) == (["2C", "3C"], 1)

    def test_a_trick_that_can_still_be_blocked_is_pointed_out(self):
        match = table("4C 5C", "7C 8C", "lay 4C 5C")
        notes = [area.notes for area in scene(match, 1).areas if area.seat == 0]
        assert "4♣ 5♣ can still be blocked" in notes[0]
        do(match, "pass")
        assert not any("blocked" in note for area in scene(match).areas for note in area.notes)

    def test_the_heading_counts_the_turns(self):
        headings = [heading for heading, _ in groupby(scene(match).heading for match in walk_of(20))]
        assert headings == ["Before the deal", *(f"Turn {number}" for number in range(1, len(headings)))]
        assert len(headings) > 3

    @pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1])
    def test_there_is_a_scene_of_every_moment(self, viewer):
        before = None
        for match in walk_of(20):
            found = scene(match, viewer, before)
            before = match.observation(viewer)
            assert found.heading
            assert found.prompt
            assert bool(found.outcome) is match.over


class TestWhatCanBeChosen:
    def test_every_legal_action_can_be_put_together(self):
        for match in walk_of(3):
            if match.actor == CHANCE or match.over:
                continue
            found = scene(match, match.actor)
            tokens = found.tokens
            assert sorted({choice.do for choice in found.choices}) == match.legal()
            for choice in found.choices:
                assert set(choice.tokens) <= tokens
                assert choice.tokens or choice.do == "pass"
            assert [choice.do for choice in found.choices if not choice.tokens] == ["pass"]

    def test_cards_that_go_nowhere_are_meant_to_be_laid_only_upon_the_place_of_a_trick(self):
        observation = table("4C 7S").observation(0)
        assert find_layout("three-tricks").interpret(observation, ["7S", "4C"]) == ["swap 4C 7S"]
        assert find_layout("three-tricks").interpret(observation, ["7S", "place", "4C"]) == ["lay 4C 7S"]

    def test_the_same_two_cards_may_be_laid_or_swapped(self):
        found = scene(table("4C 5C"))
        both = [choice.label for choice in found.choices if set(choice.tokens) == {"4C", "5C"}]
        assert sorted(both) == ["Lay", "Swap"]

    def test_the_other_seat_has_no_choices(self):
        found = scene(table("4C 5C"), seat=1)
        assert (found.choices, found.legal) == ([], [])


class TestTexts:
    def test_a_trick_has_a_log_line(self):
        assert log_of(table("4C 5C"), "lay 4C 5C", seat=1) == [
            "Ann lays the four of clubs and the five of clubs: trick 1 of 3."
        ]

    def test_a_block_has_log_lines(self):
        match = table(*BLOCKED, stock="KH KS QH QS")
        assert log_of(match, "lay 7D 8D") == [
            "Bo lays the seven of diamonds and the eight of diamonds: trick 1 of 3.",
            "That blocks your second trick, and the first goes with it.",
            "Drawing new cards is your turn, so Bo plays again.",
            "You draw the queen of spades, the king of spades, the queen of hearts and the king of hearts.",
        ]

    def test_a_swap_tells_others_only_the_number(self):
        line = "swap 4C 7D"
        assert log_of(table("4C 7D", stock="AS AH"), line)[0] == "You swap the four of clubs and the seven of diamonds."
        assert log_of(table("4C 7D", stock="AS AH"), line)[1] == "You draw the ace of spades and the ace of hearts."
        assert log_of(table("4C 7D"), line, seat=1) == ["Ann swaps 2 cards."]
        assert log_of(table("4C 7D"), "swap 4C", seat=SPECTATOR) == ["Ann swaps 1 card."]

    def test_passing_has_a_log_line(self):
        assert log_of(table(), "pass") == ["You pass."]
        assert log_of(table(), "pass", seat=1) == ["Ann passes."]

    def test_a_shuffle_and_the_cards_drawn_after_it_have_log_lines(self):
        match = to_shuffle(table())
        seat = 1 - int(match.state.turn)
        before = match.observation(seat)
        shuffle(match, "2C")
        assert scene(match, seat, before).log == [
            "The stock is used up: the second stock is shuffled and takes its place.",
            "You draw the two of clubs.",
        ]

    @pytest.mark.parametrize(("seed", "again"), [(58, True), (20, False)], ids=["the game goes on", "the game ends"])
    def test_a_blocker_plays_again_once_the_shuffle_that_interrupts_the_draw_is_over(self, seed, again):
        """3T-14, 3T-15, 3T-19: in both games the shuffle follows a block of a second trick."""
        before, interrupted = None, []
        for match in walk_of(seed):
            log = scene(match, SPECTATOR, before).log
            before = match.observation(SPECTATOR)
            promised = [line for line in log if line.endswith("plays again.")]
            assert not promised or match.actor == next(event.by for event in match.events[::-1] if event.by != CHANCE)
            if match.events[-1].do.startswith("shuffle") and match.events[-2].do.startswith("lay"):
                interrupted.append((bool(promised), match.over))
        assert interrupted == [(again, not again)]

    def test_the_outcome_says_how_the_game_ended(self):
        match = table("2C 2D 4C 4D 5H 6H 7H", "9S TS KC KD QS 8H JH", "lay 2C 2D, pass, lay 4C 4D, pass, lay 5H 6H 7H")
        assert scene(match).outcome == "You win with a third trick."
        assert scene(match, 1).outcome == "You lose: Ann wins with a third trick."
        match = do(table("4C 5C", "7C 8C", "lay 4C 5C, lay 7C 8C", options={"stall_turns": 1}), "pass")
        assert scene(match, 1).outcome == "You lose: Ann wins with 1 blocked trick to 0."
        assert scene(do(table(options={"stall_turns": 1}), "pass")).outcome == "A draw, with 0 blocked tricks each."

    def test_an_end_without_a_third_trick_is_explained(self):
        assert log_of(table(options={"stall_turns": 1}), "pass")[-1] == "Nobody has laid a trick for too long."
        both = table(options={"stall_turns": 1})
        both.state.left = 5
        assert log_of(both, "pass")[-1] == "The stock is used up."

    def test_the_prompt_names_what_can_be_done(self):
        match = table("4C 5C", "7C 8C", "lay 4C 5C")
        assert scene(match, 1).prompt == "Your turn: block 4♣ 5♣, swap or pass."
        assert scene(match).prompt == "Bo is to play."
        assert scene(table("4C 5C", "7D 8D 2H 3S TS QS KH", "lay 4C 5C"), 1).prompt == (
            "Your turn: you have nothing that blocks 4♣ 5♣; swap or pass."
        )


def bot_choice(match, bot="thumb"):
    return choose_for(match, find_bot(bot), new_stream(1))


class TestTheRuleOfThumb:
    def test_it_lays_a_third_trick(self):
        match = table("2C 2D 4C 4D 5H 6H 7H", "9S TS KC KD QS 8H JH", "lay 2C 2D, pass, lay 4C 4D, pass")
        assert bot_choice(match) == "lay 5H 6H 7H"

    def test_it_blocks_a_second_trick_with_enough_left_for_its_own(self):
        line = "lay 4C 5C, pass, lay 6D 7D"
        assert bot_choice(table("4C 5C 6D 7D", "8D 9D 2H 2S TS QS KH", line)) == "lay 8D 9D"
        assert bot_choice(table("4C 5C 6D 7D", "8D 9D 2H 4S TC QS KH", line)).startswith("swap")

    def test_it_lets_a_first_trick_stand_until_it_could_lay_its_own(self):
        assert bot_choice(table("4C 5C", "7C 8C 2H 4D TS QS KH", "lay 4C 5C")).startswith("swap")
        assert bot_choice(table("4C 5C", "7C 8C 2H 2D TS JS QS", "lay 4C 5C")) == "lay 7C 8C"

    def test_it_swaps_what_fits_with_nothing(self):
        assert bot_choice(table("5C 6C 9D 9H 2S KS QH")) in ("swap 2S", "swap 2S QH", "swap 2S KS", "swap QH 2S KS")

    def test_it_lays_first_what_leaves_a_complete_hand(self):
        assert bot_choice(table("5C 6C 9D 9H 2S 3S 4S")) in ("lay 5C 6C", "lay 9D 9H")

    def test_it_waits_with_a_complete_third_trick_that_may_not_be_laid(self):
        line = "lay 2C 2D, pass, lay 4C 4D, pass, pass, lay 9S TS"
        assert bot_choice(table("2C 2D 4C 4D 5H 6H 7H", "9S TS KC KD QS 8H JH", line)) == "pass"

    def test_it_beats_chance(self):
        won = 0
        for seed in range(40):
            match, stream = Match(Setup(THREE_TRICKS, 2)), new_stream(seed + 1000)
            chance = StreamRandomness(new_stream(seed))
            while not match.over:
                if match.actor == CHANCE:
                    match.apply_chance(match.sample_chance(chance))
                else:
                    match.act(choose_for(match, find_bot("thumb" if match.actor == 0 else "random"), stream))
            won += match.result.winners == (0,)
        assert won >= 36


class TestInTheTerminal:
    def run(self, tmp_path, typed):
        arguments = ["play", "three-tricks", "--seed", "1", "--record", str(tmp_path / "game.json")]
        return CliRunner().invoke(main, arguments, input=typed, env={"COLUMNS": "300"}).output

    def test_the_many_swaps_are_counted_and_listed_when_asked_for(self, tmp_path):
        output = self.run(tmp_path, "m\nq\n")
        prompt, answer = output.split("You may: ")
        assert "swap … (63 ways; m lists them)" in prompt
        assert "swap " not in prompt.replace("swap …", "").replace("swap one", "").replace("swap or", "")
        assert " ".join(answer.split("Your turn")[0].split()).count("swap ") == 63, "wherever the lines break"

    def test_a_whole_game_can_be_played_by_passing(self, tmp_path):
        output = self.run(tmp_path, "pass\n" * 200)
        assert "wins with" in output or "A draw" in output or "win with" in output
