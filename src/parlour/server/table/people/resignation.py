"""Resignations: whether one ends the game, the winners among the seats that have not resigned, and the last scene.

A side, the seats that win and lose together, has resigned when all its people have. The game ends when at most one
side has not resigned, or when only bots are left to play; otherwise a bot plays the seat to the end. Then the sides
that have not resigned compare their results as if the others had come last.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from parlour.engine.events import Event, current_result
from parlour.engine.match import Match
from parlour.engine.observation import Observation
from parlour.engine.rewards import sides_of
from parlour.languages import gettext
from parlour.render.scene import Scene
from parlour.render.words import sentence_about, winners_sentence
from parlour.server.store.stored_table import RESIGN, StoredSeat, StoredTable, game_event_numbers, game_events


@dataclass(frozen=True)
class Ending:
    """The end of a game by resignation: the seat that resigned last, and the winning seats."""

    seat: int
    winners: tuple[int, ...]


@dataclass(frozen=True)
class Resignations:
    """The resignations at a table.

    Attributes:
        seats: the seats that have resigned, in order.
        ending: the end of the game by them, if it has ended so.
        winners: the seats that have won a finished game, none of which has resigned; all seats if it is a draw.
    """

    seats: tuple[int, ...] = ()
    ending: Ending | None = None
    winners: tuple[int, ...] = ()


NO_RESIGNATIONS = Resignations()


@dataclass(frozen=True)
class BotDecisions:
    """The decisions of bots for people in a game.

    Attributes:
        resigned: each seat that has resigned, in order, with the number of the game's events before that.
        stood_in: the numbers of the game's events that a bot decided for a person.
    """

    resigned: tuple[tuple[int, int], ...] = ()
    stood_in: frozenset[int] = frozenset()

    def resignations_until(self, seen: int) -> Resignations:
        """Return the resignations in a game that goes on after ``seen`` events."""
        return Resignations(tuple(seat for seat, after in self.resigned if after <= seen))


NO_BOT_DECISIONS = BotDecisions()


def bot_decisions_of(events: Sequence[Event], stood_in: Set[int]) -> BotDecisions:
    """Return the decisions of bots for people in a game, from the stored events and the numbers of a bot's events."""
    resigned = tuple(
        (event.by, len(game_events(events[:number]))) for number, event in enumerate(events) if event.do == RESIGN
    )
    played = enumerate(game_event_numbers(events)) if stood_in else ()
    return BotDecisions(resigned, frozenset(place for place, number in played if number in stood_in))


def ending_of(match: Match, seats: Mapping[int, StoredSeat], resigned: Sequence[int]) -> Ending | None:
    """Return the end of a game by the resignations of these seats, in their order; ``None`` if it goes on."""
    if not resigned or match.over:
        return None
    people = {number for number, seat in seats.items() if seat.bot is None}
    playing = people - set(resigned)
    left, sides = _sides_left(match, people, resigned), sides_of(match.setup)
    if playing and (len(left) == len(sides) or len(left) > 1):
        return None
    return Ending(resigned[-1], tuple(sorted({seat for side in left for seat in side} - set(resigned))))


def resignations_of(match: Match, seats: Mapping[int, StoredSeat], resigned: Sequence[int]) -> Resignations:
    """Return the resignations of these seats, in their order, and the winners of a game that is over."""
    ending = ending_of(match, seats, resigned)
    if ending is not None:
        return Resignations(tuple(resigned), ending, ending.winners)
    return Resignations(tuple(resigned), None, _winners_at_end(match, seats, resigned) if match.over else ())


def _winners_at_end(match: Match, seats: Mapping[int, StoredSeat], resigned: Sequence[int]) -> tuple[int, ...]:
    """Return the winners of a game that was played to its end.

    They are the winners by its rules that have not resigned. If all of these have, the winners are the sides with the
    most points among those that have not resigned. A draw of all sides stays a draw unless a side has resigned.
    """
    result = current_result(match.state)
    left = _sides_left(match, {number for number, seat in seats.items() if seat.bot is None}, resigned)
    if len(left) == len(sides_of(match.setup)) and len(result.winners) == match.players:
        return result.winners
    scores = {seat: result.scores[seat] for side in left for seat in side if seat not in resigned}
    first = tuple(seat for seat in result.winners if seat in scores)
    return first or tuple(seat for seat in sorted(scores) if scores[seat] == max(scores.values()))


def _sides_left(match: Match, people: Set[int], resigned: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the sides that have not resigned."""
    playing = people - set(resigned)
    return [side for side in sides_of(match.setup) if not people & set(side) or playing & set(side)]


def has_ended(table: StoredTable, match: Match) -> bool:
    """Return whether the game of a stored table is over, by its rules or by resignation."""
    return match.over or ending_of(match, table.seats, table.resigned) is not None


def record_keys(bot_decisions: BotDecisions, resignations: Resignations) -> dict[str, Any]:
    """Return the keys of a finished game's record on the decisions of bots for people; none if there are none.

    ``stood_in`` has the numbers of these events, ``resigned`` each seat with the number of the record's events before
    its resignation, ``ending`` the end by resignation, and ``winners`` the winners of a game that was played to its
    end.
    """
    stood_in = {"stood_in": sorted(bot_decisions.stood_in)} if bot_decisions.stood_in else {}
    resigned = [{"seat": seat, "after": after} for seat, after in bot_decisions.resigned]
    ending = resignations.ending
    if not resigned:
        return stood_in
    if ending is None:
        return {**stood_in, "resigned": resigned, "winners": list(resignations.winners)}
    return {
        **stood_in,
        "resigned": resigned,
        "ending": {"by": "resignation", "seat": ending.seat, "winners": list(ending.winners)},
    }


def resignation_line(observation: Observation, names: Sequence[str], seat: int, ending: Ending | None) -> str:
    """Return the log line of a seat's resignation for the viewer of an observation."""
    if ending:
        you, other = gettext("You resign."), gettext("{name} resigns.")
    else:
        you = gettext("You resign: a bot plays on to the end.")
        other = gettext("{name} resigns: a bot plays on to the end.")
    return sentence_about(observation, names, seat, you, other)


def stand_in_lines(observation: Observation, names: Sequence[str], seat: int, lines: Sequence[str]) -> list[str]:
    """Return the log lines of an event that a bot decided for the player of a seat: the first one names the bot."""
    if not lines:
        return []
    you, other = gettext("A bot plays for you: {line}"), gettext("A bot plays for {name}: {line}")
    return [sentence_about(observation, names, seat, you, other, line=lines[0]), *lines[1:]]


def scene_after(scene: Scene, observation: Observation, names: Sequence[str], resignations: Resignations) -> Scene:
    """Return a scene after resignations: that of a game that has ended, or of a viewer who has resigned."""
    if resignations.ending is not None:
        return _ended_scene(scene, observation, names, resignations.ending)
    if not resignations.seats:
        return scene
    if observation.over:
        return _last_scene(scene, observation, names, resignations)
    if observation.seat in resignations.seats:
        return replace(scene, legal=(), choices=(), prompt=gettext("You have resigned: a bot plays on to the end."))
    return scene


def _last_scene(scene: Scene, observation: Observation, names: Sequence[str], resignations: Resignations) -> Scene:
    """Return the last scene of a game that was played to its end after resignations.

    Its outcome names the winners anew if winners by the rules of the game have resigned.
    """
    by_rules = observation.standing.winners
    if resignations.winners == tuple(by_rules):
        return scene
    gone = [seat for seat in resignations.seats if seat in by_rules]
    you, other = gettext("You have resigned."), gettext("{name} has resigned.")
    sentences = [sentence_about(observation, names, seat, you, other) for seat in gone]
    outcome = " ".join([*sentences, winners_sentence(observation, names, resignations.winners)])
    return replace(scene, outcome=outcome)


def _ended_scene(scene: Scene, observation: Observation, names: Sequence[str], ending: Ending) -> Scene:
    """Return the scene of a game that has ended by resignation: without actions, with the outcome."""
    outcome = resignation_line(observation, names, ending.seat, ending)
    if ending.winners:
        outcome = f"{outcome} {winners_sentence(observation, names, ending.winners)}"
    areas = [replace(area, active=False) for area in scene.areas]
    return replace(
        scene, over=True, outcome=outcome, prompt=outcome, areas=areas, actor=None, legal=(), choices=(), pause=""
    )
