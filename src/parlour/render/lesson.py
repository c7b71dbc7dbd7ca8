"""Lessons: guided games with prearranged deals, which introduce the rules one by one while the learner plays.

This module knows no game and no rule: a lesson shows an ordinary match whose chance outcomes and other players follow a
script. The learner may try any legal action; the rules refuse illegal ones, with their clause.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import partial
from typing import Any

from parlour.engine.errors import ParlourError
from parlour.engine.events import Event
from parlour.engine.game import Game, Refusal, Value
from parlour.engine.match import Match
from parlour.engine.matches.records import Record
from parlour.engine.observation import Observation
from parlour.engine.setup import Setup
from parlour.languages import gettext
from parlour.render.scene import Layout, Scene
from parlour.render.selection import reasons_against, refusal_of


class LessonError(ParlourError):
    """A lesson, or a step in it, does not exist."""


@dataclass(frozen=True)
class Step:
    """One explanation, with an optional task for the learner.

    Attributes:
        say: the explanation, in Markdown, with clauses in brackets.
        then: the events before the explanation, in notation: actions of the seats to act, and chance outcomes.
        do: the action expected from the learner; empty for a step of text only.
        other: the reply to another legal action, with the advantage of the expected one.
    """

    say: str
    then: Sequence[str] = ()
    do: str = ""
    other: str = ""


@dataclass(frozen=True)
class Hand:
    """A game prepared for learning.

    Attributes:
        title: the subject.
        players: the number of seats.
        names: the seats' names.
        seat: the learner's seat.
        setting: the events before the first step, from the start of the game.
        steps: the explanations and tasks, in order.
        options: the options that differ from the game's defaults.
    """

    title: str
    players: int
    names: Sequence[str]
    seat: int
    setting: Sequence[str]
    steps: Sequence[Step]
    options: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Lesson:
    """A guided first game; ``minutes`` is its approximate duration."""

    title: str
    minutes: int
    hands: Sequence[Hand]


def parse_lesson(text: str) -> Lesson:
    """Parse the text of a ``lesson.toml``, whose keys are the attributes of the classes above.

    Raises:
        LessonError: a table has a key that is not an attribute, or lacks one without a default.
    """
    data = _with_keys_of(Lesson, tomllib.loads(text), "the lesson")
    return Lesson(**{**data, "hands": [_parse_hand(hand, number) for number, hand in enumerate(data["hands"], 1)]})


def _parse_hand(data: dict[str, Any], number: int) -> Hand:
    """Return the hand with a number, which counts from 1."""
    data = _with_keys_of(Hand, data, f"hand {number}")
    steps = [
        Step(**_with_keys_of(Step, step, f"hand {number}, step {place}")) for place, step in enumerate(data["steps"], 1)
    ]
    return Hand(**{**data, "steps": steps})


def _with_keys_of(kind: type[Lesson | Hand | Step], data: dict[str, Any], place: str) -> dict[str, Any]:
    """Return a table of the file, whose keys are attributes of a class.

    Raises:
        LessonError: a key is unknown or lacking.
    """
    known = {each.name: each.default is MISSING and each.default_factory is MISSING for each in fields(kind)}
    if unknown := [key for key in data if key not in known]:
        raise LessonError(f"{place} has the key {unknown[0]!r}, but its keys are {', '.join(known)}")
    if lacking := [name for name, needed in known.items() if needed and name not in data]:
        raise LessonError(f"{place} lacks the key {lacking[0]!r}")
    return data


@dataclass(frozen=True)
class Answer:
    """The answer to the learner's action.

    Attributes:
        done: whether it was the expected action.
        refusal: the reason why it is not legal; ``None`` for a legal action.
        scene: the table after a legal action that was not the expected one, otherwise ``None``.
    """

    done: bool
    refusal: Refusal | None = None
    scene: Scene | None = None


class Guide:
    """A stateless runner of a lesson: computes the scenes of each step and judges the learner's actions."""

    def __init__(self, lesson: Lesson, game: Game, layout: Layout) -> None:
        self.lesson = lesson
        self.game = game
        self._layout = layout

    def step(self, hand: int, step: int) -> Step:
        """Return a step of a hand. Raises :class:`LessonError` if there is none with these numbers."""
        if hand not in range(len(self.lesson.hands)) or step not in range(len(self.lesson.hands[hand].steps)):
            raise LessonError(f"the lesson has no step {step} in a hand {hand}")
        return self.lesson.hands[hand].steps[step]

    def scenes(self, hand: int, step: int) -> list[Scene]:
        """Return the scenes that lead to a step: the action of the previous step, then the events of this step.

        Raises:
            LessonError: there is no such step.
        """
        match, shown = self.match_before(hand, step)
        seat = self.lesson.hands[hand].seat
        before = match.observation(seat)
        scenes = [self._scene(hand, before, None)] if not shown else []
        for text in shown:
            apply_text(match, text)
            observation = match.observation(seat)
            scenes.append(self._scene(hand, observation, before))
            before = observation
        return scenes

    def answer(self, hand: int, step: int, typed: str) -> Answer:
        """Judge the learner's action at a step. Raises :class:`LessonError` without such a step, or a task in it."""
        match = self._match_at_task(hand, step)
        action = match.complete_action(typed)
        if action == self.step(hand, step).do:
            return Answer(True)
        if action not in match.legal():
            return Answer(False, match.refusal(action))
        seat = self.lesson.hands[hand].seat
        before = match.observation(seat)
        apply_text(match, action)
        return Answer(False, None, self._scene(hand, match.observation(seat), before))

    def reasons_against(self, hand: int, step: int, tokens: Sequence[str]) -> list[Refusal]:
        """Return the reasons why the learner's selection on the table is not legal at a step, at least one.

        Raises:
            LessonError: there is no such step, or no task in it.
        """
        match = self._match_at_task(hand, step)
        observation = match.observation(self.lesson.hands[hand].seat)
        scene = self._scene(hand, observation, None)
        return reasons_against(tokens, scene, observation, self._layout, partial(refusal_of, match))

    def _match_at_task(self, hand: int, step: int) -> Match:
        if not self.step(hand, step).do:
            raise LessonError(gettext("there is nothing to do at this step but to read on"))
        return self.match_at(hand, step)

    def record(self, hand: int) -> Record:
        """Return the hand as a record, with the expected action at every step."""
        last = len(self.lesson.hands[hand].steps) - 1
        match = self.match_at(hand, last)
        if action := self.step(hand, last).do:
            apply_text(match, action)
        return match.record()

    def match_at(self, hand: int, step: int) -> Match:
        """Return the game at a step's explanation. Raises :class:`LessonError` if there is no such step."""
        match, shown = self.match_before(hand, step)
        for text in shown:
            apply_text(match, text)
        return match

    def match_before(self, hand: int, step: int) -> tuple[Match, list[str]]:
        """Return the game at the previous step, and the events between it and this step's explanation."""
        target = self.step(hand, step)
        played = self.lesson.hands[hand]
        match = Match(Setup(self.game, played.players, played.options))
        for text in played.setting:
            apply_text(match, text)
        last = ""
        for earlier in played.steps[:step]:
            for text in (*([last] if last else []), *earlier.then):
                apply_text(match, text)
            last = earlier.do
        return match, [*([last] if last else []), *target.then]

    def _scene(self, hand: int, observation: Observation, before: Observation | None) -> Scene:
        return self._layout.lay_out(observation, self.lesson.hands[hand].names, before)


def apply_text(match: Match, text: str) -> None:
    """Apply an action of the seat to act, or a chance outcome. Raises :class:`parlour.engine.errors.IllegalError`."""
    match.apply_event(Event(match.actor, text))


def outline(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson's outline as JSON values: the translated title and the number of steps of each hand."""
    return {
        "title": gettext(lesson.title),
        "minutes": lesson.minutes,
        "hands": [{"title": gettext(hand.title), "steps": len(hand.steps)} for hand in lesson.hands],
    }
