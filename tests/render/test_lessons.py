"""Lessons: each can be played through as scripted, cites existing rules, and answers every action."""

import re
from dataclasses import replace

import pytest

from parlour.engine.matches.records import replay
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.languages import LANGUAGES, in_language
from parlour.languages.markdown import translate_markdown
from parlour.render.layouts import find_layout, find_lesson, guide_of, rules_text
from parlour.render.lesson import Guide, Hand, Lesson, LessonError, Step, parse_lesson
from tests.game_modules import module_of

GAMES = [game for game in all_games() if find_lesson(game.id)]

steps = [
    pytest.param(game.id, hand, step, id=f"{game.id}-{hand}-{step}")
    for game in GAMES
    for hand, taught in enumerate(find_lesson(game.id).hands)
    for step in range(len(taught.steps))
]


def match_at(game_id, hand, step):
    """Return the game at a step."""
    return guide_of(game_id).match_at(hand, step)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
class TestEveryLesson:
    def test_every_hand_is_a_record_of_its_whole_script_that_replays(self, game):
        hands = find_lesson(game.id).hands
        tasks = [next(number for number, step in enumerate(hand.steps, 1) if step.do) for hand in hands]
        cut = [replace(hand, steps=hand.steps[:number]) for hand, number in zip(hands, tasks, strict=True)]
        every = [*hands, *cut]  # as they are, and each up to its first task
        guide = Guide(replace(find_lesson(game.id), hands=every), game, find_layout(game.id))
        for number, hand in enumerate(every):
            record = guide.record(number)
            scripted = [*hand.setting, *(text for step in hand.steps for text in (*step.then, step.do) if text)]
            assert [event.do for event in replay(record).events] == scripted
            assert record["game"] == game.id

    def test_its_points_are_the_rules_that_a_first_game_needs(self, game):
        taught = " ".join(step.say for hand in find_lesson(game.id).hands for step in hand.steps)
        cited = {int(number) for number in re.findall(rf"\b{game.prefix}-(\d+)\b", taught)}
        clauses = {int(number) for number in re.findall(rf"\b{game.prefix}-(\d+)\b", rules_text(game.id))}
        assert clauses - cited == getattr(module_of(game, "reference"), "UNTAUGHT", set())

    def test_it_takes_five_to_twelve_minutes(self, game):
        lesson = find_lesson(game.id)
        words = sum(len(step.say.split()) for hand in lesson.hands for step in hand.steps)
        actions = sum(bool(step.do) for hand in lesson.hands for step in hand.steps)
        assert 5 <= lesson.minutes <= 12
        assert abs(words / 160 + actions / 6 + 1 - lesson.minutes) < 4, "160 words and 6 actions a minute"

    def test_every_hand_has_an_action_and_only_short_texts(self, game):
        for hand in find_lesson(game.id).hands:
            assert sum(bool(step.do) for step in hand.steps) >= 2
            assert max(len(step.say.split()) for step in hand.steps) < 110

    def test_no_text_names_a_gesture_that_the_terminal_lacks(self, game):
        texts = [text for hand in find_lesson(game.id).hands for step in hand.steps for text in (step.say, step.other)]
        gestures = re.compile(r"\b(tap|click|drag|touch|press)\b", re.IGNORECASE)
        assert [text for text in texts if gestures.search(text)] == []

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_clauses_stand_in_brackets_since_a_page_shows_them_as_rule_9_without_an_article_or_case(self, game, code):
        hands = find_lesson(game.id).hands
        texts = [text for hand in hands for step in hand.steps for text in (step.say, step.other)]
        with in_language(code):
            shown = [re.sub(r"\([^()]*\)", "", translate_markdown(text)) for text in texts if text]
        assert shown
        assert [text for text in shown if re.search(rf"\b{game.prefix}-\d", text)] == []


@pytest.mark.parametrize(("game_id", "hand", "step"), steps)
class TestEveryStep:
    def test_the_intended_action_is_legal_and_confirmed(self, game_id, hand, step):
        guide = guide_of(game_id)
        meant = guide.step(hand, step).do
        assert guide.scenes(hand, step), "a step shows how things stand, even if nothing has happened since the last"
        if not meant:
            with pytest.raises(LessonError, match="nothing to do"):
                guide.answer(hand, step, "7H")
            return
        match = match_at(game_id, hand, step)
        assert match.actor == guide.lesson.hands[hand].seat
        assert guide.answer(hand, step, meant.lower()).done

    def test_every_other_legal_action_is_shown_and_explained(self, game_id, hand, step):
        guide = guide_of(game_id)
        match = match_at(game_id, hand, step)
        meant = guide.step(hand, step)
        if not meant.do:
            return
        others = [action for action in match.legal() if action != meant.do]
        assert bool(others) == bool(meant.other), "why this and not that, and only where there is a choice"
        for action in others[:3]:
            answer = guide.answer(hand, step, action)
            assert not answer.done
            assert answer.refusal is None
            assert answer.scene.seen == len(match.events) + 1

    def test_illegal_actions_are_refused_by_the_rules(self, game_id, hand, step):
        guide = guide_of(game_id)
        if guide.step(hand, step).do:
            answer = guide.answer(hand, step, "lay everything")
            assert not answer.done
            assert answer.refusal.reason
            assert answer.scene is None


class TestGuide:
    def test_refuses_with_a_clause(self):
        step = next(n for n, one in enumerate(find_lesson("trick-walls").hands[0].steps) if one.do == "9D")
        refusal = guide_of("trick-walls").answer(0, step, "7H").refusal
        assert refusal.clause == "TW-7"

    def test_gives_the_reasons_against_a_selection_with_their_clauses(self):
        step = next(n for n, one in enumerate(find_lesson("trick-walls").hands[0].steps) if one.do == "9D")
        guide = guide_of("trick-walls")
        assert [each.clause for each in guide.reasons_against(0, step, ["7H"])] == ["TW-7"]
        for tokens in ([], ["elsewhere"], ["9D"]):
            assert [each.reason for each in guide.reasons_against(0, step, tokens)] == [
                "These do not go together: nothing can be done with them."
            ]

    def test_gives_no_reasons_at_a_step_without_a_task(self):
        with pytest.raises(LessonError, match="nothing to do at this step"):
            guide_of("trick-walls").reasons_against(0, 0, ["7H"])

    def test_shows_an_action_and_its_consequences(self):
        step = next(n for n, one in enumerate(find_lesson("trick-walls").hands[0].steps) if "6H" in one.then)
        lines = [scene.log[0] for scene in guide_of("trick-walls").scenes(0, step)]
        assert lines[0] == "You lead the four of hearts."
        assert len(lines) == 4

    @pytest.mark.parametrize(("hand", "step"), [(0, 99), (9, 0), (-1, 0), (0, -1)])
    def test_refuses_an_unknown_step(self, hand, step):
        with pytest.raises(LessonError, match="no step"):
            guide_of("trick-walls").step(hand, step)


LESSON = """
title = "A lesson"
minutes = 5
[[hands]]
title = "A hand"
players = 2
names = ["You", "Bo"]
seat = 0
setting = []
steps = [{say = "Look."}, {say = "Lead.", do = "7H"}]
"""


class TestAFile:
    def test_has_the_attributes_of_a_lesson_its_hands_and_its_steps_as_keys(self):
        steps = [Step("Look."), Step("Lead.", do="7H")]
        assert parse_lesson(LESSON) == Lesson("A lesson", 5, [Hand("A hand", 2, ["You", "Bo"], 0, [], steps)])

    @pytest.mark.parametrize(
        ("right", "wrong", "reason"),
        [
            ("minutes", "minute", "the lesson has the key 'minute', but its keys are title, minutes, hands"),
            ("minutes = 5", "", "the lesson lacks the key 'minutes'"),
            ("hands", "parts", "the lesson has the key 'parts', but its keys are title, minutes, hands"),
            ("seat = 0", "place = 0", "hand 1 has the key 'place', but its keys are title, players, names, seat, "
             "setting, steps, options"),
            ("steps", "options = {}\n#", "hand 1 lacks the key 'steps'"),
            ('say = "Lead."', 'text = "Lead."', "hand 1, step 2 has the key 'text', but its keys are say, then, do, "
             "other"),
            ('say = "Lead.", ', "", "hand 1, step 2 lacks the key 'say'"),
        ],
    )  # fmt: skip
    def test_with_another_key_is_refused_with_its_place_and_the_keys_that_it_may_have(self, right, wrong, reason):
        with pytest.raises(LessonError, match=f"^{reason}$"):
            parse_lesson(LESSON.replace(right, wrong))


@pytest.mark.parametrize(
    ("players", "options"),
    [(2, {}), (3, {}), (2, {"rounds": 1}), (4, {"rounds": 1, "city_keepers": True}), (4, {"city_keepers": True})],
)
def test_a_hand_is_a_game_for_its_players_with_its_options(players, options):
    game = find_game("trick-walls")
    hand = Hand("A hand", players, ["You", "Bo", "Cy", "Di"][:players], 0, [], [Step("Look.")], options)
    record = Guide(Lesson("A lesson", 5, [hand]), game, find_layout(game.id)).record(0)
    assert (record["players"], Setup.from_json(record).chosen) == (players, options)
