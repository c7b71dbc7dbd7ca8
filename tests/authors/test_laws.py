"""Sentences of the laws: one for a law that does not hold, none otherwise."""

import re
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest

from parlour.authors import histories, laws, source_laws, text_laws
from parlour.authors.check import EVERY_MOMENT, SOME_MOMENTS, CheckResults, Violation, _Run, check, place_text
from parlour.authors.failures import failure_text
from parlour.authors.histories import record_of, relabel_events
from parlour.authors.laws import (
    check_card_counts,
    check_conservation,
    check_determinizations,
    check_knowledge,
    check_layout,
    check_limits,
    check_masks,
    check_memory,
    check_replay,
    check_secrecy,
    walk,
)
from parlour.authors.source_laws import options_without_effect
from parlour.authors.text_laws import check_refusals
from parlour.cards import card_name, lowest
from parlour.engine.errors import GameError
from parlour.engine.fields import CARD, fields_of, hidden
from parlour.engine.game import MAX_EVENTS, Refusal, Zone
from parlour.engine.match import Match
from parlour.engine.matches.steps import INTERPRETED
from parlour.engine.rules import NOBODY, SPECTATOR
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game, folder_of
from parlour.render.layouts import find_layout
from parlour.render.scene import Area, CardSeen, Row, ScoreLine

GAME = find_game("three-tricks")


@pytest.fixture
def match() -> Match:
    """Return a game after a few turns, interpreted."""
    return next(match for match in walk(Setup(GAME, 2), 1, INTERPRETED) if len(match.events) == 5)


def one_of(cards: int) -> tuple[int, str]:
    """Return a card of a set, as a set and as text."""
    number = lowest(cards)
    return 1 << number, card_name(number)


def laws_asked(match, monkeypatch, broken):
    """Return the laws of some moments that are checked after a violation of one law, or of none."""
    asked = []
    for law in SOME_MOMENTS:
        monkeypatch.setitem(SOME_MOMENTS, law, lambda match, law=law: asked.append(law))
    for law in ("determinizations", "layout"):
        monkeypatch.setattr(laws, f"check_{law}", lambda *_, law=law, **options: asked.append(law))
    known = {broken: Violation(broken, "a fault", "here")} if broken else {}
    _Run(match.setup, 1, INTERPRETED, CheckResults(violations=known), match)._check_thoroughly(None)
    return asked


class TestAMoment:
    @pytest.mark.parametrize("broken", ["", "actions", "conservation"])
    def test_after_a_missing_card_only_laws_on_texts_are_checked(self, match, monkeypatch, broken):
        expected = ["refusals", "clauses"] if broken == "conservation" else [*SOME_MOMENTS]
        assert laws_asked(match, monkeypatch, broken) == expected

    def test_where_the_true_layout_is_impossible_no_law_draws_a_determinization(self, match, monkeypatch):
        drawing, order = {"secrecy", "determinizations", "heuristic"}, [*SOME_MOMENTS]
        assert laws_asked(match, monkeypatch, "possibility") == [
            law for law in order if law not in {"possibility", *drawing}
        ]
        assert order.index("possibility") < min(order.index(law) for law in drawing)


class TestAViolation:
    @pytest.mark.parametrize(
        ("verdicts", "asked", "known"),
        [
            (["", "", ""], 3, None),
            (["", "one fault", "another"], 2, ("one fault", 1)),
            (["one fault", "", "another"], 1, ("one fault", 0)),
            (["one fault", "one fault", "one fault"], 1, ("one fault", 0)),
        ],
    )
    def test_of_a_law_is_the_first_and_ends_its_checks(self, match, verdicts, asked, known):
        results, waiting = CheckResults(), list(verdicts)
        for seed in range(len(verdicts)):
            results.note("a law", lambda _: waiting.pop(0), match, seed)
        assert len(verdicts) - len(waiting) == asked
        expected = {"a law": Violation("a law", known[0], place_text(match, known[1]))} if known else {}
        assert results.violations == expected

    def test_of_one_law_leaves_the_others_to_be_checked(self, match):
        results = CheckResults()
        for law in ("one", "other", "one"):
            results.note(law, lambda match, law=law: f"breaks {law}", match, 1)
        assert [(law, each.law, each.sentence) for law, each in results.violations.items()] == [
            ("one", "one", "breaks one"),
            ("other", "other", "breaks other"),
        ]


class TestAnError:
    @pytest.fixture
    def fail_in(self, monkeypatch):
        """Return a function that lets one game's check fail, after a violation in another game or in none."""

        def prepare(failing, violating=None, error=ZeroDivisionError):
            numbers = iter(range(1, 9))

            def check_game(run):
                number = next(numbers)
                if number == violating:
                    run.results.violations["a law"] = Violation("a law", "a fault", "here")
                if number == failing:
                    raise error("no cards")

            monkeypatch.setattr(_Run, "ends", lambda self: True)
            monkeypatch.setattr(_Run, "check", check_game)
            monkeypatch.setattr("parlour.authors.check.options_without_effect", lambda game: "")

        return prepare

    @pytest.mark.parametrize("failing", [1, 2])
    def test_without_a_violation_ends_the_check_with_its_place(self, fail_in, failing):
        fail_in(failing)
        with pytest.raises(GameError, match=rf"3 Tricks.*, seed {4 + failing}: ZeroDivisionError: no cards"):
            check(GAME, 3, 5)

    def test_of_the_engine_keeps_its_own_sentence(self, fail_in):
        fail_in(2, error=GameError)
        with pytest.raises(GameError, match=r"^no cards$"):
            check(GAME, 3, 5)
        fail_in(2, 1, GameError)
        results = check(GAME, 3, 5)
        assert ([*results.violations], results.failure) == (["a law"], "no cards")

    @pytest.mark.parametrize(("violating", "failing", "games"), [(1, 1, 0), (1, 2, 1), (2, 3, 2)])
    def test_after_a_violation_is_kept_beside_it(self, fail_in, violating, failing, games):
        fail_in(failing, violating)
        done = []
        results = check(GAME, 5, 5, done.append)
        assert (results.games, [*results.violations], done) == (games, ["a law"], [*range(1, games + 1)])
        assert results.failure.endswith(f", seed {4 + failing}: ZeroDivisionError: no cards")


class TestAnInterrupt:
    def test_leaves_the_results_of_the_games_so_far(self, monkeypatch):
        games = iter(["", "a law", None])

        def check_game(run):
            if (violated := next(games)) is None:
                raise KeyboardInterrupt
            run.results.violations.update({violated: Violation(violated, "a fault", "here")} if violated else {})

        monkeypatch.setattr(_Run, "ends", lambda self: True)
        monkeypatch.setattr(_Run, "check", check_game)
        monkeypatch.setattr("parlour.authors.check.options_without_effect", lambda game: "")
        results = CheckResults()
        with pytest.raises(KeyboardInterrupt):
            check(GAME, 5, results=results)
        assert (results.games, [*results.violations]) == (2, ["a law"])


class TestAnEndlessGame:
    @pytest.mark.parametrize(("endless", "played"), [(1, 1), (3, 3), (9, 5)])
    def test_is_the_last_one(self, monkeypatch, endless, played):
        ends = iter(number != endless for number in range(1, 10))
        monkeypatch.setattr(_Run, "ends", lambda self: next(ends))
        monkeypatch.setattr(_Run, "check", lambda self: None)
        monkeypatch.setattr("parlour.authors.check.options_without_effect", lambda game: "")
        done = []
        assert check(GAME, 5, 0, done.append).games == played
        assert done == list(range(1, played + 1))

    @pytest.mark.parametrize(("most", "ends"), [(MAX_EVENTS, False), (9, False), (5000, True)])
    def test_is_one_with_more_events_than_the_check_or_its_own_limit_allows(self, monkeypatch, most, ends):
        monkeypatch.setattr("parlour.authors.check.ENDLESS", 8)
        results = CheckResults()
        assert _Run(Setup(replace(GAME, max_events=most), 2), 1, INTERPRETED, results).ends() == ends
        assert [*results.violations] == ([] if ends else ["end"])


class TestAnIntactGame:
    @pytest.mark.parametrize("law", [*EVERY_MOMENT, *SOME_MOMENTS])
    def test_a_law_that_holds_has_no_sentence(self, match, law):
        holds = {**EVERY_MOMENT, **SOME_MOMENTS}[law]
        verdict = check_determinizations(match, INTERPRETED) if law == "determinizations" else holds(match)
        assert verdict == ""

    @pytest.mark.parametrize("events", [0, 1, 2, 7])
    def test_a_place_leads_to_the_event_in_the_walk_that_it_names(self, events):
        match = next(match for match in walk(Setup(GAME, 2), 4, INTERPRETED) if len(match.events) == events)
        place = re.fullmatch(r"(.+), seed (\d+), after (\d+) events?(?:, the last '(.+)')?", place_text(match, 4))
        assert place is not None
        label, seed, number, last = place.groups()
        assert label == match.setup.label
        again = [list(each.events) for each in islice(walk(match.setup, int(seed), INTERPRETED), 9)][int(number)]
        assert again == match.events
        assert (last is None) == (events == 0)
        assert (" 1 event," in place.string) == (events == 1)
        assert last is None or again[-1].do.startswith(last)

    def test_the_record_rebuilt_from_the_true_state_is_the_true_record(self, match):
        assert record_of(match, match.state)["events"] == match.record()["events"]


class TestOptions:
    @pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
    def test_each_value_of_every_game_has_an_effect_if_only_beside_that_of_another_option(self, game):
        assert options_without_effect(game) == ""

    @pytest.mark.parametrize(
        ("defaults", "without", "named"),
        [
            ({2: 1, 3: 1}, {2, 3}, "size=2"),
            ({2: 1, 3: 1}, {1, 3}, "size=3"),
            ({2: 1, 3: 1}, {1}, ""),
            ({2: 1, 3: 2}, {1, 2}, ""),
            ({2: 1, 3: 2}, {3}, "size=3"),
            ({2: 1, 3: 1}, {1, 2, 3}, "size=1"),
        ],
    )
    def test_a_value_without_effect_is_named_unless_it_is_a_default_beside_one_with_an_effect(
        self, monkeypatch, defaults, without, named
    ):
        """``defaults`` are by number of players, ``without`` are the values that change no field."""
        option = SimpleNamespace(name="size", trials=lambda players: (1, 2, 3))
        game = SimpleNamespace(players=(2, 3), options=(option,))
        monkeypatch.setattr(
            source_laws, "Setup",
            lambda game, players, chosen=None: SimpleNamespace(players=players, options={"size": defaults[players]}),
        )  # fmt: skip
        monkeypatch.setattr(
            source_laws, "_changed_fields", lambda context, option, value: set() if value in without else {"held"}
        )
        monkeypatch.setattr(source_laws, "_fields_read", lambda game: {"held"})
        problem = options_without_effect(game)
        assert problem.partition(" has no effect")[0] == (f"option {named}" if named else "")

    @pytest.mark.parametrize("all_are_defaults", [True, False])
    def test_an_option_whose_values_are_all_defaults_has_an_effect_too(self, monkeypatch, all_are_defaults):
        option = SimpleNamespace(name="size", trials=lambda players: (1, 2) if all_are_defaults else (1, 2, 3))
        game = SimpleNamespace(players=(2, 3), options=(option,))
        monkeypatch.setattr(
            source_laws, "Setup",
            lambda game, players, chosen=None: SimpleNamespace(players=players, options={"size": players - 1}),
        )  # fmt: skip
        monkeypatch.setattr(source_laws, "_changed_fields", lambda *arguments: set())
        assert options_without_effect(game).startswith("option size=1 has no effect")

    def test_without_rules_that_read_it_an_option_is_named(self, monkeypatch):
        monkeypatch.setattr(source_laws, "READERS", ())
        assert re.fullmatch(
            r"option '\w+' has no effect: setup\(\) writes .*, which no rule reads", options_without_effect(GAME)
        )


class TestFailures:
    def test_the_innermost_function_of_the_game_is_named(self):
        file, functions = f"{folder_of(GAME.id)}/rules.py", {}
        exec(compile("def play(call):\n    lay(call)\ndef lay(call):\n    call()\n", file, "exec"), functions)
        with pytest.raises(KeyError) as caught:
            functions["play"](lambda: {}["7H"])
        assert failure_text(caught.value, GAME) == f"{file}, line 4, in lay: KeyError: '7H'"

    def test_without_a_function_of_the_game_the_error_stands_alone(self):
        assert failure_text(KeyError("7H"), GAME) == "KeyError: '7H'"


class TestTexts:
    def test_a_missing_card(self, match):
        card, text = one_of(int(match.state.hand[0]))
        match.state.hand[0] &= ~card
        assert check_conservation(match) == f"{text} lies in no zone"

    def test_a_card_in_two_places(self, match):
        card, text = one_of(int(match.state.hand[0]))
        match.state.hand[1] |= card
        assert check_conservation(match) == f"{text} lies in several places: hand 0, hand 1"

    def test_a_hidden_slot_that_is_too_small(self, match):
        card, _ = one_of(int(match.state.hand[0]))
        match.state.hand[1] |= card
        assert check_card_counts(match) == "seat 1 sees a negative number of hidden cards in a zone"

    def test_a_card_unknown_to_its_holder(self, match):
        card, _ = one_of(int(match.state.hand[0]))
        match.state.private[0] &= ~card
        assert check_knowledge(match).startswith("seat 0 ")

    def test_a_forgotten_card(self, match):
        card, text = one_of(int(match.state.hand[0]))
        assert check_memory(match, {0: card, SPECTATOR: 0}, {0: 0, SPECTATOR: 0}) == f"seat 0 forgets where {text} lies"
        assert check_memory(match, {0: card}, {0: card}) == ""

    def test_a_mask_that_changes_when_it_is_applied_twice(self, match, monkeypatch):
        monkeypatch.setattr(match, "observed", lambda seat: match.state)
        assert check_masks(match).endswith("changes when a spectator is masked a second time")

    def test_a_seat_that_learns_a_face_down_card(self, match, monkeypatch):
        seen_by = match.seen_by
        all_disclosed = lambda viewer: [  # noqa: E731
            ours if ours.by >= 0 else seen for ours, seen in zip(match.events, seen_by(viewer), strict=True)
        ]
        monkeypatch.setattr(match, "seen_by", all_disclosed)
        verdict = check_determinizations(match, INTERPRETED)
        assert re.fullmatch(
            r".* can tell a determinization of seat 0 from the truth: "
            r"event \d reads 'swap .*\?'; hides may return too few cards",
            verdict,
        )

    @pytest.mark.parametrize("wrong", ["7H", "pass", "bid 3"])
    def test_a_refusal_of_a_rare_kind_of_action(self, monkeypatch, wrong):
        gifts = [f"give {card_name(low)} {card_name(high)}" for low in range(52) for high in range(52)]
        unknown = f"{GAME.prefix}-99"
        game = replace(GAME, refusal=lambda state, text: Refusal(unknown if text == wrong else "", "You may not."))
        setup = SimpleNamespace(actions=("7H", "KS", *gifts, "bid 3", "pass"))
        match = SimpleNamespace(
            actor=0, events=[], state=None, setup=setup, game=game, moves_by_text=lambda: {"KS": 0, gifts[1]: 1}
        )
        monkeypatch.setattr(text_laws, "observed_state", lambda state, viewer: state)
        assert f"the refusal of {wrong!r} cites {unknown}, but rules.md has no such clause" in check_refusals(match)

    @pytest.mark.parametrize(
        ("scored", "came_from", "text"),
        [
            ("middle", "seat-1", ""),
            ("seat--1", "", "the score line 'tricks' names the area 'seat--1', which the layout lacks: a Line "
             "that score_of shows needs a seat as its at"),
            ("pot", "", "the score line 'tricks' names the area 'pot', which the layout lacks"),
            ("seat-0", "seat-9", "the card 7H names the area 'seat-9', which the layout lacks"),
        ],
    )  # fmt: skip
    def test_an_area_that_the_layout_does_not_have(self, match, monkeypatch, scored, came_from, text):
        lay_out = find_layout(GAME.id).lay_out

        def altered(observation, names, before):
            scene = lay_out(observation, names, before)
            row = Row("more", "More", "trick", [CardSeen("7H", area=came_from)])
            score = [ScoreLine("seat-1", "tricks", 1, "X-1"), ScoreLine(scored, "tricks", 2, "X-1")]
            return replace(scene, areas=[*scene.areas, Area("middle", "Middle", None, [row])], score=score)

        monkeypatch.setattr(laws, "find_layout", lambda game_id: replace(find_layout(game_id), lay_out=altered))
        assert check_layout(match) == text

    def test_a_layout_that_fails_names_the_viewer_and_ends_no_check(self, match, monkeypatch):
        def fails(observation, names, before):
            return {}["giving"]

        monkeypatch.setattr(laws, "find_layout", lambda game_id: replace(find_layout(game_id), lay_out=fails))
        assert check_layout(match) == "KeyError: 'giving', when a spectator is shown this moment"

    def test_a_number_in_a_zone_that_is_no_card(self, match):
        zones = [Zone("pile", NOBODY, [NOBODY, NOBODY, None])]
        assert laws._find_misplaced_card(SimpleNamespace(zones=lambda state: zones), match.state) == (
            "pile contains -1, which is no card"
        )

    @pytest.mark.parametrize(
        ("adds", "text"),
        [
            (True, ": private[1] has 2C in a determinization but not in the game, so sample_rest and the rules differ"),
            (
                False,
                ": private[1] has 2C in the game but not in a determinization, so sample_rest and the rules differ",
            ),
        ],
    )
    def test_a_determinization_with_other_known_cards_names_them_and_their_seat(self, match, adds, text):
        sampled = match.state.copy()
        for state, known in ((sampled, adds), (match.state, not adds)):
            state.private[1] = 1 if known else 0
        assert laws._private_difference(1, sampled, match.state) == text
        assert laws._private_difference(1, sampled, sampled) == ""
        assert laws._private_difference(SPECTATOR, sampled, match.state) == ""

    def test_a_record_of_another_game(self, match):
        match.events.pop()
        assert check_replay(match).startswith("replayed, ")

    def test_an_observation_that_depends_on_hidden_cards(self, match, monkeypatch):
        facts = GAME.facts
        seen = iter(range(1000))
        monkeypatch.setitem(vars(GAME), "facts", lambda state: {**facts(state), "leak": next(seen)})
        assert (
            check_secrecy(match) == "a spectator is sent something else when only cards that it cannot know are moved"
        )

    @pytest.mark.parametrize(
        ("numbers", "variation_of", "wrong"),
        [((1, 3), "", 3), ((-1, 2), "", -1), ((0, 2), "", None), ((4, 3), "", 4), ((3, 3), "whist", None)],
    )
    def test_a_number_outside_its_limits_but_not_in_a_variation_which_cannot_change_them(
        self, numbers, variation_of, wrong
    ):
        planes = [SimpleNamespace(name="points 0", slice=slice(1, 3), limits=(0.0, 2.0))]
        match = SimpleNamespace(
            players=1,
            game=SimpleNamespace(variation_of=variation_of),
            setup=SimpleNamespace(observation_planes=planes),
            observation=lambda seat: SimpleNamespace(tensor=np.array([9, *numbers, -9])),
        )
        sentence = f"seat 0 observes {wrong} in points 0, outside the limits 0 to 2 that STATE declares"
        assert check_limits(match) == ("" if wrong is None else sentence)

    @pytest.mark.parametrize(
        ("fields", "more"),
        [
            (["stage"], ""),
            (["stage", "actor"], " (actor differs too)"),
            (["stage", "actor", "hand"], " (actor, hand differ too)"),
        ],
    )
    def test_a_difference_has_both_values_and_the_names_of_the_others(self, match, fields, more):
        other = match.state.copy()
        before, other.stage = int(match.state.stage), int(match.state.stage) + 1
        sentence = f"stage is {before} in the game, but {before + 1} in the replay{more}"
        assert histories._values(fields, match.state, "in the game", other) == sentence

    @pytest.mark.parametrize("events", [None, [], [("0", "7H")], [{"by": 0}] * 5])
    def test_a_history_that_is_no_list_of_events(self, match, monkeypatch, events):
        monkeypatch.setattr(histories, "module_of", lambda *names: SimpleNamespace(rebuild=lambda match, state: events))
        said = "0 events for the 5 of the game" if events == [] else f"{events!r}, but should return a list of"
        assert check_determinizations(match, INTERPRETED).startswith(f"rebuild.py, rebuild(): returns {said}")

    def test_a_set_of_uncertain_cards_that_is_no_set(self, match, monkeypatch):
        module = SimpleNamespace(may_become_uncertain=lambda match, viewer: None)
        monkeypatch.setattr(histories, "module_of", lambda *names: module)
        with pytest.raises(GameError, match=r"^rebuild.py, may_become_uncertain\(\): returns None, but should"):
            check_memory(match, {0: 1}, {0: 0})

    @pytest.mark.parametrize(("change", "advised"), [("swap", True), ("replace", False)])
    def test_cards_in_another_order_advise_an_ordered_zone(self, monkeypatch, change, advised):
        state = Setup(find_game("trick-walls"), 2).new_state()
        kinds = {"trick": hidden(CARD)}
        fields = [replace(each, kind=kinds.get(each.name, each.kind)) for each in fields_of(state.dtype.names)]
        monkeypatch.setattr(histories, "fields_of", lambda names: fields)
        sampled, replayed = state.copy(), state.copy()
        sampled.trick[:2], replayed.trick[:2] = (3, 5), (5, 3) if change == "swap" else (5, 4)
        hint = " (trick keeps an order, so its zone needs ordered=True: see Zone in docs/contract.md)"
        assert histories._order_advice(sampled, replayed) == (hint if advised else "")

    @pytest.mark.parametrize(
        ("has_rebuild", "differing", "advice"),
        [
            (True, ["stage", "known to 1"], ""),
            (False, ["stage"], " (other events may lead there: see rebuild.py in docs/contract.md)"),
            (False, ["known to 1"], " (sample_rest may lack what the others know: see docs/contract.md)"),
        ],
    )
    def test_a_determinization_with_another_history(self, match, monkeypatch, has_rebuild, differing, advice):
        module = SimpleNamespace(rebuild=relabel_events) if has_rebuild else None
        monkeypatch.setattr(histories, "module_of", lambda *names: module)
        monkeypatch.setattr(histories, "state_differences", lambda state, other: differing)
        monkeypatch.setattr(histories, "first_departure", lambda *arguments: "the stage differs")
        sentence = "a determinization of seat 0 cannot have come about: the stage differs"
        assert check_determinizations(match, INTERPRETED) == sentence + advice
