"""A guided game: hands with every card laid beforehand, in which the rules come up one by one and the learner plays.

A lesson knows no game and no rule: what it shows is a match like any other, whose chance and whose other players do
what its script says. Whatever is legal may be tried; what is not is refused by the rules, with their clause.
"""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from parlour.engine.errors import ParlourError
from parlour.engine.game import Game, Refusal, Value
from parlour.engine.match import Match
from parlour.engine.observation import Observation, observation_of
from parlour.engine.records import Record
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.render.scene import Scene


class LessonError(ParlourError):
    """There is no such lesson, or no such step in it."""


@dataclass(frozen=True)
class Step:
    """One thing that is said, and perhaps done.

    Attributes:
        say: what is explained, in Markdown, clauses in brackets.
        then: what happens before it is said: actions and chance outcomes in the notation, by whoever is to act.
        do: what the learner is to do; empty if there is only something to read.
        other: said when the learner does something else that is legal: why this and not that.
    """

    say: str
    then: Sequence[str] = ()
    do: str = ""
    other: str = ""


@dataclass(frozen=True)
class Hand:
    """A game set up for learning.

    Attributes:
        title: what it is about.
        players: how many seats.
        names: what they are called.
        seat: the learner's.
        setting: what has happened before the learner comes, from the first event on.
        steps: what is said and done.
        options: those that differ from the game's defaults.
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
    """A guided first game: ``minutes`` is what it takes, about."""

    title: str
    minutes: int
    hands: Sequence[Hand]


def parse_lesson(text: str) -> Lesson:
    """A lesson as a game's ``lesson.toml`` holds it: the keys are the attributes of the classes above."""
    data = tomllib.loads(text)
    hands = [Hand(**{**hand, "steps": [Step(**step) for step in hand["steps"]]}) for hand in data.pop("hands")]
    return Lesson(**data, hands=hands)


@dataclass(frozen=True)
class Answer:
    """What comes of something the learner does: it is what was meant, or something else, or it is refused."""

    done: bool
    refusal: Refusal | None = None
    scene: Scene | None = None


LayOut = Callable[[Observation, Sequence[str], Observation | None], Scene]


class Guide:
    """A lesson being taken: shows each step and judges what the learner does. Remembers nothing from call to call."""

    def __init__(self, lesson: Lesson, game: Game, lay_out: LayOut) -> None:
        self.lesson = lesson
        self.game = game
        self._lay_out = lay_out

    def step(self, hand: int, step: int) -> Step:
        """A step of a hand. Raises :class:`LessonError` if there is none of these numbers."""
        if hand not in range(len(self.lesson.hands)) or step not in range(len(self.lesson.hands[hand].steps)):
            raise LessonError(f"the lesson has no step {step} in a hand {hand}")
        return self.lesson.hands[hand].steps[step]

    def scenes(self, hand: int, step: int) -> list[Scene]:
        """What the learner sees happen up to a step: what was done at the step before, and what follows upon it.

        Raises:
            LessonError: there is no such step.
        """
        match, shown = self.match_before(hand, step)
        seat = self.lesson.hands[hand].seat
        before = observation_of(match, seat)
        scenes = [self._scene(hand, before, None)] if not shown else []
        for text in shown:
            happen(match, text)
            observation = observation_of(match, seat)
            scenes.append(self._scene(hand, observation, before))
            before = observation
        return scenes

    def answer(self, hand: int, step: int, typed: str) -> Answer:
        """Judge what the learner does at a step. Raises :class:`LessonError` if there is nothing to do there."""
        meant = self.step(hand, step).do
        if not meant:
            raise LessonError("there is nothing to do at this step but to read on")
        match, shown = self.match_before(hand, step)
        for text in shown:
            happen(match, text)
        action = match.complete_action(typed)
        if action == meant:
            return Answer(True)
        if action not in match.legal():
            return Answer(False, match.refusal(action))
        seat = self.lesson.hands[hand].seat
        before = observation_of(match, seat)
        happen(match, action)
        return Answer(False, None, self._scene(hand, observation_of(match, seat), before))

    def record(self, hand: int) -> Record:
        """The hand as a record: everything that happens in it if the learner does what is suggested."""
        last = len(self.lesson.hands[hand].steps) - 1
        match, shown = self.match_before(hand, last)
        for text in (*shown, *filter(None, [self.step(hand, last).do])):
            happen(match, text)
        return match.record()

    def match_before(self, hand: int, step: int) -> tuple[Match, list[str]]:
        """The game at the step before, and what happens from there until this step is said."""
        wanted = self.step(hand, step)
        played = self.lesson.hands[hand]
        match = Match(Setup(self.game, played.players, played.options))
        for text in played.setting:
            happen(match, text)
        last = ""
        for earlier in played.steps[:step]:
            for text in (*([last] if last else []), *earlier.then):
                happen(match, text)
            last = earlier.do
        return match, [*([last] if last else []), *wanted.then]

    def _scene(self, hand: int, observation: Observation, before: Observation | None) -> Scene:
        return self._lay_out(observation, self.lesson.hands[hand].names, before)


def happen(match: Match, text: str) -> None:
    """Let something happen, by whoever is to act. Raises :class:`parlour.engine.errors.IllegalError`."""
    if match.actor == CHANCE:
        match.play_chance(text)
    else:
        match.play(text, match.actor)


def outline(lesson: Lesson) -> dict[str, Any]:
    """What a lesson consists of, as JSON values: its hands by title, with the number of their steps."""
    return {
        "title": lesson.title,
        "minutes": lesson.minutes,
        "hands": [{"title": hand.title, "steps": len(hand.steps)} for hand in lesson.hands],
    }
