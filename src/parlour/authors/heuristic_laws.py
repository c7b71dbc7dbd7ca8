"""Laws on a game's heuristic and its shortcuts: legal, consistent, without side effects or hidden information.

A law takes a match and returns a sentence about the fault, or an empty string.
"""

from typing import Any

import numpy as np

from parlour.authors.failures import source_of
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError
from parlour.engine.events import current_result
from parlour.engine.fields import CARD, fields_of
from parlour.engine.information.determinization import determinize, observed_state
from parlour.engine.match import Match
from parlour.engine.moves import Move
from parlour.engine.rules import (
    ACTION_ROOM,
    CERTAIN,
    CHANCE,
    LOOKED_UP,
    MAX_CARDS,
    OVER,
    RESULT_BY_HEURISTIC,
    copy_state,
    play,
)
from parlour.engine.simulation.playouts import take_chance
from parlour.engine.typed_state import OwnState

MOST = 40
"""Maximum number of actions whose values or numbers are checked at a moment."""
PLAYOUT_EVERY, PLAYOUT_STEPS = 5, 60
"""Number of events between two moments from which a playout is compared, and its greatest length in steps."""


def check_heuristic(match: Match) -> str:
    """The heuristic returns a legal action of the greatest value, changes no state, and reads nothing hidden."""
    if match.actor < 0:
        return ""
    laws = (
        _check_value,
        _check_choice,
        _check_heuristic_action,
        _check_random_action,
        _check_action_number,
        _check_likelihood,
        _check_playout,
    )
    return next(filter(None, (law(match) for law in laws)), "")


def _check_value(match: Match) -> str:
    """Check that ``action_value`` changes nothing, and is the same where only hidden information differs."""
    seat, where = match.actor, source_of(match.game.action_value)
    stream = new_stream(len(match.events))
    observed = match.observed(seat)
    twins = [observed, observed_state(determinize(observed, seat, stream), seat), determinize(observed, seat, stream)]
    for action in match.moves()[:MOST]:
        state = copy_state(match.state)
        value = int(rules.action_value(state, action))
        if changed := changes(match, state):
            return f"{where}: changes the state: {changed}"
        values = {int(rules.action_value(copy_state(twin), action)) for twin in twins}
        if values != {value}:
            other = next(iter(values - {value}))
            text = match.notation(action)
            return (
                f"{where}: values {text!r} at {value}, but at {other} where only what seat {seat} cannot know differs"
            )
    return ""


def changes(match: Match, state: OwnState) -> str:
    """Return the names of the fields that a function has changed in a copy of a match's state, or an empty string.

    Unused items of an array of cards may hold scratch values; such arrays count only if zones, facts, lines or the
    result change.
    """
    kinds = {field.name: field for field in fields_of(state.dtype.names)}
    differing = [name for name in state.dtype.names if state[name].tobytes() != match.state[name].tobytes()]
    lists = [name for name in differing if kinds[name].kind == CARD and kinds[name].axes]
    if not differing or (lists == differing and _visible_values(match, state) == _visible_values(match, match.state)):
        return ""
    return ", ".join(differing)


def _visible_values(match: Match, state: OwnState) -> tuple[Any, ...]:
    """Return everything visible of a state with all cards open."""
    game = match.game
    return game.zones(state), game.facts(state), game.lines(state), current_result(state)


def _best(match: Match) -> tuple[dict[Move, int], int]:
    """Return the values of all legal actions, and the greatest."""
    values = {move: int(rules.action_value(copy_state(match.state), int(move))) for move in match.moves()}
    return values, max(values.values())


def _check_choice(match: Match) -> str:
    """Check that ``heuristic_choice`` returns the index of an action of the greatest value."""
    if match.game.heuristic_choice is rules.best_by_value:
        return ""
    where, listed = source_of(match.game.heuristic_choice), np.array(match.moves(), np.int64)
    state = copy_state(match.state)
    index = int(rules.heuristic_choice(state, listed, len(listed), new_stream(len(match.events))))
    if changed := changes(match, state):
        return f"{where}: changes the state: {changed}"
    if not 0 <= index < len(listed):
        return f"{where}: returns {index}, which is not an index of {len(listed)} actions"
    return _better_action(match, where, Move(listed[index]))


def _better_action(match: Match, where: str, action: Move) -> str:
    """Return a sentence that names a better action than the chosen one; an empty string if there is none."""
    values, best = _best(match)
    if values[action] == best:
        return ""
    better = next(each for each, value in values.items() if value == best)
    names = match.notation(action), match.notation(better)
    return f"{where}: chooses {names[0]!r}, whose action_value is {values[action]}, not {names[1]!r} with {best}"


def _check_heuristic_action(match: Match) -> str:
    """Check that ``heuristic_action`` returns a legal action: one of the greatest value, or any if it is careless."""
    if match.game.heuristic_action is rules.best_of_legal:
        return ""
    where = source_of(match.game.heuristic_action)
    for careless in (0, CERTAIN):
        state, room = copy_state(match.state), np.zeros(ACTION_ROOM, np.int64)
        action = Move(rules.heuristic_action(state, room, careless, new_stream(len(match.events))))
        if changed := changes(match, state):
            return f"{where}: changes the state: {changed}"
        if action not in match.moves():
            return f"{where}: returns {_text(match, action)}, which is not legal for seat {match.actor}"
        if careless == 0 and (worse := _better_action(match, where, action)):
            return worse
    return ""


def _check_random_action(match: Match) -> str:
    """Check that ``random_action`` returns the action at a random index of the list."""
    if match.game.random_action is rules.any_of_legal:
        return ""
    where, room = source_of(match.game.random_action), np.zeros((2, ACTION_ROOM), np.int64)
    streams = [new_stream(len(match.events)) for _ in range(2)]
    drawn = Move(rules.random_action(copy_state(match.state), room[0], streams[0]))
    listed = Move(rules.any_of_legal(copy_state(match.state), room[1], streams[1]))
    if drawn == listed:
        return ""
    return f"{where}: returns {_text(match, drawn)}, but the same random index of legal() gives {_text(match, listed)}"


def _check_action_number(match: Match) -> str:
    """Check that ``action_number`` returns an action's index in the action space, or ``LOOKED_UP``."""
    if match.game.action_number is rules.looked_up:
        return ""
    try:
        numbers = match.setup.action_numbers
    except ParlourError:
        return ""
    for action in match.moves()[:MOST]:
        number, text = int(rules.action_number(match.state, int(action))), match.notation(action)
        if number not in (numbers.get(text), LOOKED_UP):
            where = source_of(match.game.action_number)
            return f"{where}: gives {text!r} number {number}, but in actions() it is {numbers.get(text)}"
    return ""


def _check_likelihood(match: Match) -> str:
    """Check that ``likelihood`` is an integer from 1 to ``CERTAIN``."""
    if match.game.likelihood is rules.always_likely:
        return ""
    seat = match.actor
    sampled = determinize(match.observed(seat), seat, new_stream(len(match.events)))
    found = int(rules.likelihood(sampled, seat))
    where = source_of(match.game.likelihood)
    return "" if 1 <= found <= CERTAIN else f"{where}: is {found}, but should be from 1 to {CERTAIN}"


def _check_playout(match: Match) -> str:
    """Check a playout of some actions from every fifth moment."""
    return "" if len(match.events) % PLAYOUT_EVERY else check_playout(match, PLAYOUT_STEPS)


def check_playout(match: Match, steps: int) -> str:
    """A playout for the result only takes the course of a game by the heuristic, for a number of steps."""
    whole, playout = copy_state(match.state), copy_state(match.state)
    playout.result_only = RESULT_BY_HEURISTIC
    random, room, deck = new_stream(len(match.events)), np.zeros(ACTION_ROOM, np.int64), np.zeros(MAX_CARDS, np.int64)
    for _ in range(steps):
        again = random.copy()
        if whole.actor == OVER:
            break
        if whole.actor == CHANCE:
            take_chance(whole, deck, random)
            take_chance(playout, deck, again)
            continue
        action = Move(rules.heuristic_action(whole, room, 0, random))
        if (other := Move(rules.heuristic_action(playout, room, 0, again))) != action:
            name = match.game.name
            return (
                f"{source_of(match.game.action_value)}: chooses {name(whole, action)!r} in a game, but "
                f"{name(whole, other)!r} in a playout, where `result_only` is set: the rules skip what it reads"
            )
        play(whole, action)
        play(playout, action)
    return ""


def _text(match: Match, action: Move) -> str:
    """Return an action's text, or its number if the game has no name for it."""
    try:
        return repr(match.notation(action))
    except Exception:  # an illegal number need not have a name
        return f"the number {int(action)}"
