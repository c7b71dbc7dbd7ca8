"""The phrase of an action has the words of its log line in every game, or else those of its choices."""

from dataclasses import replace

import pytest

from parlour.cards import CARD_NUMBERS
from parlour.engine.chance import new_stream, random_below
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.setup import Setup
from parlour.games import all_games
from parlour.languages import in_language
from parlour.render.layouts import find_layout
from parlour.render.phrases import phrase_by_choice, phrase_of
from parlour.render.scene import Area, CardSeen, Choice, Row, Scene
from parlour.render.words import the_card

NAMES = ["Ann", "Bob", "Cyd", "Dan", "Eve", "Fay"]


def decisions(game, seed):
    """Yield the match at each decision of a random game, the action taken, and its log lines."""
    match, random = Match(Setup(game, game.usual_players)), new_stream(seed)
    lay_out = find_layout(game.id).lay_out
    while not match.over:
        if match.actor < 0:
            match.apply_chance(match.sample_chance(StreamRandomness(random)))
            continue
        seat, legal = match.actor, match.legal()
        action = legal[random_below(random, len(legal))]
        before = match.observation(seat)
        match.act(action, seat)
        after = match.observation(seat)
        yield before, action, lay_out(after, NAMES[: match.players], before).log


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
class TestPhrases:
    def test_they_begin_like_the_log_line_and_name_the_cards(self, game):
        for before, action, log in decisions(game, 3):
            said = phrase_of(find_layout(game.id), before, NAMES, action)
            words = [the_card(word) for word in action.split() if word in CARD_NUMBERS]
            assert all(card in said for card in words), (action, said)
            lines = " ".join(log)
            verb = said.split()[0]
            assert f"You {verb}" in lines or f" {verb}" in lines, (action, said, log)

    def test_they_contain_no_notation(self, game):
        for before, action, _ in decisions(game, 4):
            said = phrase_of(find_layout(game.id), before, NAMES, action)
            assert not {word for word in said.split() if word in CARD_NUMBERS}
            assert said[0].islower()

    def test_a_layout_without_phrases_uses_the_labels_of_choices(self, game):
        table = replace(find_layout(game.id), phrase=None)
        for before, action, _ in list(decisions(game, 5))[:40]:
            said = phrase_of(table, before, NAMES, action)
            assert not {word for word in said.split() if word in CARD_NUMBERS}
            assert said[0].islower()


class TestAPhraseByTheLabelsOfThings:
    CHOICES = (
        Choice("pass", "Pass"),
        Choice("lead 7H", "Lead", ["7H"]),
        Choice("swap 7H XR", "Swap", ["XR", "7H"]),
        Choice("draw", "Draw", ["heap"]),
        Choice("put 2C heap", "Put", ["2C", "heap"]),
        Choice("end", "End Turn", ["no such row"]),
    )
    ROWS = (Row("1", "Discard Pile", "pile", token="heap"), Row("2", "Hand", "hand", [CardSeen("7H", token="7H")]))
    SCENE = Scene(
        "g", "Game", "", "", [Area("all", "Table", None, ROWS)], (), (), (), (), 0, 0, 0, False, choices=CHOICES
    )

    @pytest.mark.parametrize(
        ("action", "phrase"),
        [
            ("pass", "pass"),
            ("lead 7H", "lead the seven of hearts"),
            ("swap 7H XR", "swap the red joker and the seven of hearts"),
            ("draw", "draw the discard Pile"),
            ("put 2C heap", "put the two of clubs and the discard Pile"),
            ("end", "end Turn"),
            ("ask TS", "ask 10♠"),
        ],
    )
    def test_is_the_button_and_its_things_within_a_sentence(self, action, phrase):
        assert str(phrase_by_choice(self.SCENE, action)) == phrase

    def test_keeps_the_capital_letters_of_other_languages(self):
        with in_language("de"):
            assert str(phrase_by_choice(self.SCENE, "draw")) == "Draw: „Discard Pile“"
