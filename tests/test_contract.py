"""A game is made of its modules: each function of the contract is found by its name, and what is wrong is told."""

from types import ModuleType

import pytest

from parlour.engine import rules
from parlour.engine.game import RULES, Game, Refusal
from parlour.engine.rules import state_type

ABOUT = {
    "id": "no-game",
    "title": "No Game",
    "prefix": "NG",
    "summary": "Nothing is played.",
    "credit": "Nobody's.",
    "players": range(2, 3),
    "options": (),
}
WORDS = {
    "setup": lambda state, players, options: None,
    "zones": lambda state, seat: [],
    "facts": lambda state: {},
    "name": lambda state, action: "",
    "chance_name": lambda state, outcome: "",
    "refusal": lambda state, text: Refusal("", ""),
}
DEFAULTS = {"fits": rules.always_fits, "ghosts": rules.no_ghosts, "forget": rules.forget_nothing}


def module(module_name, **content):
    made = ModuleType(module_name)
    vars(made).update(content)
    return made


def whole(field, **changes):
    """Modules that lack nothing; a state with a field of this name, which is to be used only once."""
    content = {name: getattr(rules, name) for name in RULES if name not in DEFAULTS}
    content = {**content, "STATE": state_type([(field, "i8")]), **changes}
    return module("rules_of_none", **{name: value for name, value in content.items() if value is not None})


class TestMadeOf:
    def test_functions_are_taken_from_the_modules_by_their_names(self):
        made = Game.made_of(whole("taken"), module("words_of_none", **WORDS), **ABOUT)
        assert made.legal is rules.legal
        assert made.zones is WORDS["zones"]
        assert made.dtype.names[-1] == "taken"

    def test_what_a_game_may_leave_out_has_a_default(self):
        made = Game.made_of(whole("defaulted"), module("words_of_none", **WORDS), **ABOUT)
        assert {name: getattr(made, name) for name in DEFAULTS} == DEFAULTS
        assert made.lines(None) == []
        assert made.deck_word(None) == "deal"

    def test_what_is_missing_is_named(self):
        words = {name: value for name, value in WORDS.items() if name != "zones"}
        with pytest.raises(ValueError, match="rules_of_none and words_of_none should have STATE, places, zones: "):
            Game.made_of(whole("", STATE=None, places=None), module("words_of_none", **words), **ABOUT)

    def test_two_functions_of_one_name_are_refused(self):
        words = module("words_of_none", legal=lambda state, actions: 0, **WORDS)
        with pytest.raises(ValueError, match="rules_of_none and words_of_none have different legal"):
            Game.made_of(whole("twice"), words, **ABOUT)

    def test_one_function_that_two_modules_know_is_not_two(self):
        words = module("words_of_none", legal=rules.legal, **WORDS)
        assert Game.made_of(whole("shared"), words, **ABOUT).legal is rules.legal

    def test_a_function_with_other_arguments_is_refused(self):
        def legal(state, moves):
            """What is legal."""

        with pytest.raises(ValueError, match=r"legal takes \(state, moves\), but should take \(state, actions\)"):
            Game.made_of(whole("other", legal=legal), module("words_of_none", **WORDS), **ABOUT)
