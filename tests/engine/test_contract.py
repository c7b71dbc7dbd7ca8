"""Games made of modules: each function of the contract is found by its name, and faults are reported."""

import sys
from importlib import import_module
from types import ModuleType

import pytest

from parlour.cards import FULL_DECK
from parlour.engine import rules
from parlour.engine.errors import CompileError, GameError
from parlour.engine.game import RULES, Game, Option, Refusal
from parlour.engine.lint import check_names
from parlour.engine.match import Match
from parlour.engine.matches.randomness import SystemRandomness
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import CERTAIN, state_type
from parlour.engine.setup import Setup

ABOUT = {
    "id": "no-game",
    "title": "No Game",
    "prefix": "NG",
    "summary": "Nothing is played.",
    "credit": "By Ann.",
    "players": range(2, 3),
    "options": (),
}
WORDS = {
    "setup": lambda state, players, options: None,
    "zones": lambda state: [],
    "facts": lambda state: {},
    "name": lambda state, action: "",
    "chance_name": lambda state, outcome: "",
    "refusal": lambda state, text: Refusal("", ""),
}
DEFAULTS = {
    "is_consistent": rules.always_consistent,
    "cards_of_unknown_origin": rules.no_cards_of_unknown_origin,
    "hide_rest": rules.hide_nothing_else,
}


def module(module_name, **content):
    made = ModuleType(module_name)
    vars(made).update(content)
    return made


def whole(field, **changes):
    """Return a module with all rules, the defaults aside; its state has a field of this name, which must be unique.

    ``changes`` replace rules, or remove them by ``None``.
    """
    content = {name: getattr(rules, name) for name in RULES if name not in DEFAULTS}
    content = {**content, "STATE": state_type([(field, "i8")]), **changes}
    return module("rules_of_none", **{name: value for name, value in content.items() if value is not None})


class TestMadeOf:
    def test_functions_are_taken_from_the_modules_by_their_names(self):
        made = Game.made_of(whole("taken"), module("words_of_none", **WORDS), **ABOUT)
        assert made.legal is rules.legal
        assert made.zones is WORDS["zones"]
        assert made.dtype.names[-1] == "taken"

    def test_optional_functions_have_defaults(self):
        made = Game.made_of(whole("defaulted"), module("words_of_none", **WORDS), **ABOUT)
        assert {name: getattr(made, name) for name in DEFAULTS} == DEFAULTS
        assert made.lines(None) == []
        assert made.deck_word(None) == "deal"

    def test_a_missing_function_is_named(self):
        words = {name: value for name, value in WORDS.items() if name != "name"}
        with pytest.raises(GameError, match="rules_of_none and words_of_none should have STATE, deal, name: "):
            Game.made_of(whole("", STATE=None, deal=None), module("words_of_none", **words), **ABOUT)

    @pytest.mark.parametrize("lacking", ["hidden_slots", "assign"])
    def test_hidden_slots_need_both_functions(self, lacking):
        with pytest.raises(GameError, match="no-game has only one of hidden_slots and assign"):
            Game.made_of(whole(f"no_{lacking}", **{lacking: None}), module("words_of_none", **WORDS), **ABOUT)

    def test_a_game_with_hidden_cards_needs_the_function_that_hides_them_in_texts(self):
        with pytest.raises(GameError, match="should have hides: "):
            Game.made_of(whole("unsaid", hides=None), module("words_of_none", **WORDS), **ABOUT)

    def test_a_missing_function_is_named_with_a_similar_name_that_is_defined(self):
        rules_of_none = whole("misspelt", hides=None, hidess=rules.hides_nothing)
        with pytest.raises(GameError, match=r"should have hides \(is 'hidess' meant\?\): see docs/contract.md"):
            Game.made_of(rules_of_none, module("words_of_none", **WORDS), **ABOUT)

    def test_a_game_that_hides_cards_in_texts_needs_hidden_slots(self):
        rules_of_none = whole("unhidden", hidden_slots=None, assign=None)
        with pytest.raises(GameError, match="no-game has hides, but not hidden_slots and assign: every seat would"):
            Game.made_of(rules_of_none, module("words_of_none", **WORDS), **ABOUT)

    def test_two_functions_of_one_name_are_refused(self):
        words = module("words_of_none", legal=lambda state, actions: 0, **WORDS)
        with pytest.raises(GameError, match="rules_of_none and words_of_none have different legal"):
            Game.made_of(whole("twice"), words, **ABOUT)

    def test_a_function_imported_by_two_modules_counts_once(self):
        words = module("words_of_none", legal=rules.legal, **WORDS)
        assert Game.made_of(whole("shared"), words, **ABOUT).legal is rules.legal

    def test_a_function_with_other_arguments_is_refused(self):
        def legal(state, moves):
            """Name the second argument otherwise."""

        with pytest.raises(GameError, match=r"legal takes \(state, moves\), but should take \(state, actions\)"):
            Game.made_of(whole("other", legal=legal), module("words_of_none", **WORDS), **ABOUT)

    @pytest.mark.parametrize("name", ["zones", "facts", "advice", "chance_name", "longest_history"])
    def test_a_function_of_words_with_another_number_of_arguments_is_refused(self, name):
        words = module("words_of_many", **WORDS | {name: lambda one, two, three: None})
        with pytest.raises(GameError, match=rf"{name} takes \(one, two, three\), but should take \("):
            Game.made_of(whole(f"many_{name}"), words, **ABOUT)


def defined_in(fast, function):
    """Return the function as if this module defined it."""
    function.__module__ = fast.__name__
    vars(fast)[function.__name__] = function
    return function


class TestFastModule:
    """``fast.py``, an optional module of a game."""

    @pytest.fixture
    def fast(self):
        return module("fast_of_none", legal=rules.legal)

    def test_replaces_the_defaults(self, fast):
        def random_action(state, actions, random):
            """Return the first."""

        defined_in(fast, random_action)
        made = Game.made_of(whole("faster"), module("words_of_none", **WORDS), fast=fast, **ABOUT)
        assert made.random_action is random_action
        assert made.heuristic_action is rules.best_of_legal

    def test_may_import_other_functions_but_not_define_them(self, fast):
        def play(state, action):
            """Do nothing."""

        assert Game.made_of(whole("importing"), module("words_of_none", **WORDS), fast=fast, **ABOUT)
        defined_in(fast, play)
        with pytest.raises(GameError, match=r"fast_of_none has play: it may have random_action, .* only"):
            Game.made_of(whole("defining"), module("words_of_none", **WORDS), fast=fast, **ABOUT)

    def test_its_functions_are_refused_in_another_module(self):
        def random_action(state, actions, random):
            """Return the first."""

        misplaced = whole("misplaced")
        defined_in(misplaced, random_action)
        with pytest.raises(GameError, match="rules_of_none has random_action: only the module 'fast' may have them"):
            Game.made_of(misplaced, module("words_of_none", **WORDS), **ABOUT)


class TestFiveFunctions:
    """A game of only the five required functions has a default for everything else."""

    @pytest.fixture
    def game(self):
        content = {name: getattr(rules, name) for name in ("legal", "play", "score")}
        state = state_type([("rounds", "i8"), ("pot", "i8", (2,))])
        own = module("five", STATE=state, deal=rules.deal, name=lambda state, action: str(action), **content)
        rounds = Option("rounds", range(1, 9), 3, "HF-1", "how many rounds")
        return Game.made_of(own, id="high-five", players=range(2, 3), options=(rounds,))

    def test_title_and_prefix_follow_from_the_id(self, game):
        assert (game.title, game.prefix) == ("High Five", "HF")

    def test_options_are_copied_into_fields_of_their_names(self, game):
        assert Setup(game, 2, {"rounds": 5}).new_state().rounds == 5

    def test_all_cards_are_open_and_the_facts_are_all_fields(self, game):
        state = Setup(game, 2).new_state()
        assert game.is_open
        assert state.public == FULL_DECK
        assert game.facts(state) == {"rounds": 3, "pot": [0, 0]}

    def test_all_actions_have_equal_value_and_choices_exclude_nothing(self, game):
        state = Setup(game, 2).new_state()
        assert {game.action_value(state, action) for action in range(52)} == {0}
        assert game.likelihood(state, 0) == CERTAIN


BADLY = """
from parlour.engine.compiled import rule

@rule
def points(state):
    return state.actor + open("x")

@rule
def legal(state, actions):
    return points(state)

@rule
def deal(state, deck):
    state.actor = 0

@rule
def play(state, action):
    state.actor = 1

@rule
def score(state, scores):
    return 3

def name(state, action):
    return "go"
"""


class TestARuleThatCannotBeCompiled:
    def test_is_reported_by_file_line_and_rule(self, tmp_path, monkeypatch):
        (tmp_path / "badly.py").write_text(BADLY)
        monkeypatch.syspath_prepend(tmp_path)
        try:
            own = import_module("badly")
            game = Game.made_of(own, id="badly", players=range(2, 3), dtype=state_type([("bad", "i8")]))
            match = Match(Setup(game, 2), COMPILED, chance=SystemRandomness())
            with pytest.raises(CompileError) as caught:
                match.moves()
        finally:
            sys.modules.pop("badly", None)
        message = str(caught.value)
        assert message.startswith(f"{tmp_path}/badly.py, line 6, in points: this cannot be compiled: ")
        assert "'open'" in message


RULES_TEXT = """
from typing import Any
from parlour.engine.compiled import rule

@rule
def legal(state: Any, actions: Any) -> int:
    hand = state.hnad[state.actor]
    return helper(state) + hand

@rule
def helper(state: Any) -> int:
    return TOP + sum(card for card in range(3))
"""


class TestNames:
    """Undefined names are reported with file, line and function before anything is compiled."""

    @pytest.fixture
    def legal(self, tmp_path, monkeypatch):
        (tmp_path / "misspelt.py").write_text(RULES_TEXT)
        monkeypatch.syspath_prepend(tmp_path)
        yield import_module("misspelt").legal
        del sys.modules["misspelt"]

    def test_a_misspelt_field_and_an_undefined_name_are_reported(self, legal, tmp_path):
        with pytest.raises(GameError) as caught:
            check_names([legal], state_type([("hand", "i8", (4,))]))
        field, name = str(caught.value).splitlines()
        assert field == f"{tmp_path}/misspelt.py, line 7, in legal: a state has no field 'hnad'; is 'hand' meant?"
        assert name == f"{tmp_path}/misspelt.py, line 12, in helper: 'TOP' is not defined"

    def test_correct_names_are_not_reported(self, legal, monkeypatch):
        monkeypatch.setitem(legal.__globals__, "TOP", 3)
        check_names([legal], state_type([("hnad", "i8", (4,))]))
