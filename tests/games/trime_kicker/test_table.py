"""The table of Trime Kicker: scene, log lines, composition of actions; and the rule of thumb."""

import pytest

from parlour.bots import choose_for, find_bot
from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import CHANCE, SPECTATOR
from parlour.engine.setup import Setup
from parlour.render.layouts import find_layout
from tests.games.trime_kicker.tables import TRIME_KICKER, position, table
from tests.helpers import play, play_at_random

NAMES = ["Ann", "Bob"]


def scene(match, seat=0, before=None):
    return find_layout("trime-kicker").lay_out(match.observation(seat), NAMES, before)


def log_of(match, line, seat=0):
    """Return a viewer's log line of the last action of a line."""
    *first, last = line.split(", ")
    if first:
        play(match, ", ".join(first) + ",")
    before = match.observation(seat)
    play(match, last + ",")
    return scene(match, seat, before).log


class TestTexts:
    def test_a_card_laid_has_a_log_line(self):
        assert log_of(table(["4C"]), "4C on 1") == [
            "You lay the four of clubs on pile 1, the first to own it, with the bonus."
        ]
        assert log_of(table(["4C"]), "4C on 2", 1) == ["Ann lays the four of clubs on pile 2, the first to own it."]
        assert log_of(table(["4C", "8D"]), "4C on 2, 8D on 2") == [
            "Bob lays the eight of diamonds on pile 2, taking it from you, with the bonus."
        ]

    def test_a_draw_tells_the_card_to_its_player_alone(self):
        assert log_of(table(backups=["9S"]), "draw") == [
            "You can lay nothing and draw the nine of spades from the backup."
        ]
        for viewer in (1, SPECTATOR):
            assert log_of(table(backups=["9S"]), "draw", viewer) == [
                "Ann can lay nothing and draws a card from the backup."
            ]

    def test_the_judges_order_has_a_log_line(self):
        assert log_of(table(["", "4C"]), "decline, decline") == [
            "Bob declines.",
            "Both players declined: the judge looks at all cards and orders Bob to move.",
        ]

    def test_a_backup_taken_up_has_a_log_line(self):
        match = position("KC KD KH KS", "1 1 1 1", ["4C", "5D"], ["7H 7S", ""])
        assert log_of(match, "4C on 1")[1] == "You take up the whole backup as a new hand: 2 cards."

    def test_an_ordered_turn_that_ends_without_a_card_laid_has_a_log_line(self):
        match = position("KC KD KH KS", "1 1 1 1", ["5C", "6D"], ["9D", "7D 7H"], laid=(1, 2))
        assert (
            log_of(match, "decline, decline, draw")[1]
            == "It does not fit either, and your backup is empty: the turn is over."
        )

    def test_the_end_has_log_lines(self):
        match = position("KC KD KH KS", "1 1 1 1", ["4C 6H", "7D"])
        assert log_of(match, "4C on 1")[1:] == [
            "Nobody can lay or draw any more: the game is over.",
            "You lose: Bob wins, 21 points to 7.",
        ]


NOTES = {
    "nothing is noted at the beginning": (table(), [[], []]),
    "the number of cards that a seat has laid": (table(["4C"], line="4C on 1"), [["1 card laid"], []]),
    "the seat that the judge has ordered to move": (
        table(["", "4C"], line="decline, decline"),
        [[], ["ordered by the judge"]],
    ),
    "the number of cards drawn in this turn": (table(backups=["9S"], line="draw"), [["1 drawn in this turn"], []]),
    "a seat that has declined": (table(["4C", "8D"], line="decline"), [["declined"], []]),
    "several things": (
        play(position("KC KD KH KS", "1 1 1 1", ["5C", "6D"], ["9D", "7D 7H"], laid=(1, 2)), "decline, decline,"),
        [["1 card laid", "ordered by the judge"], ["2 cards laid"]],
    ),
}


@pytest.mark.parametrize("viewer", [0, 1])
@pytest.mark.parametrize("what", NOTES)
def test_notes_are_beside_the_players(what, viewer):
    match, noted = NOTES[what]
    areas = {area.seat: list(area.notes) for area in scene(match, viewer).areas}
    assert [areas[0], areas[1]] == noted


@pytest.mark.parametrize("seed", range(4))
def test_every_action_is_composed_of_tokens_on_the_table(seed):
    match = Match(Setup(TRIME_KICKER, 2))
    for _ in play_at_random(match, seed):
        for seat in (SPECTATOR, 0, 1):
            shown = scene(match, seat)
            rows = [row for area in shown.areas for row in area.rows]
            tokens = {card.token for row in rows for card in row.cards} | {row.token for row in rows}
            assert (
                sorted(choice.do for choice in shown.choices) == match.legal()
                if seat == match.actor
                else not shown.choices
            )
            assert all(token in tokens for choice in shown.choices for token in choice.tokens)
            ways = [tuple(choice.tokens) for choice in shown.choices if choice.tokens]
            assert len(set(ways)) == len(ways), "no two actions are put together alike"


def turn_after(events, actor):
    """Return the facts of the current turn from the events of a game; ``actor`` is to act, if any."""
    turn = {"declined": False, "ordered": False, "drew": 0}
    for event, next_actor in zip(events, [*(event.by for event in events[1:]), actor], strict=True):
        if event.do == "decline":
            turn = {"declined": not turn["declined"], "ordered": turn["declined"], "drew": 0}
        elif event.do == "draw" and next_actor == event.by:
            turn = {**turn, "drew": turn["drew"] + 1}
        else:
            turn = {"declined": False, "ordered": False, "drew": 0}
    return turn


@pytest.mark.parametrize("seed", range(4))
def test_the_facts_of_a_turn_follow_from_the_events_to_the_end_of_the_game(seed):
    for match in play_at_random(Match(Setup(TRIME_KICKER, 2)), seed):
        facts = match.observation(SPECTATOR).facts
        turn = turn_after(match.events, match.actor)
        assert {name: facts[name] for name in turn} == turn, match.events[-1]
    assert turn == {"declined": False, "ordered": False, "drew": 0}


class TestTheRuleOfThumb:
    def thumb_choice(self, match):
        return choose_for(match, find_bot("thumb"), new_stream(1))

    def test_it_always_declines_if_that_is_legal(self):
        assert self.thumb_choice(table(["4C"])) == "decline"

    def test_ordered_to_move_it_keeps_cards_that_go_on_anything(self):
        match = position("5C KD KH KS", "1 1 1 1", ["6H 4C", "7D"])
        play(match, "decline, decline,")
        assert "4C on 1" in match.legal()
        assert self.thumb_choice(match) == "6H on 1"


@pytest.mark.slow
def test_the_rule_of_thumb_beats_random_play():
    """It wins about nineteen games of twenty, so fewer than thirty of forty are practically impossible."""
    won = 0
    for number in range(40):
        match, stream = Match(Setup(TRIME_KICKER, 2), COMPILED), new_stream(number)
        while not match.over:
            if match.actor == CHANCE:
                match.apply_chance(match.sample_chance(StreamRandomness(stream)))
            else:
                bot = find_bot("thumb" if match.actor == number % 2 else "random")
                match.act(choose_for(match, bot, stream))
        won += match.result.winners == (number % 2,)
    assert won >= 30
