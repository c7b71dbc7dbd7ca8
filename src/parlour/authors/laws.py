"""Laws of cards and knowledge, which hold at every moment of every game.

A game with a missing card, a leaking observation or an impossible determinization shows no other symptom. A law takes
a match and returns a sentence about the fault, or an empty string; :mod:`parlour.authors.check` checks random games
against all laws.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from parlour.authors.failures import failure_text, source_of
from parlour.authors.histories import check_history, may_become_uncertain
from parlour.cards import card_name, cards_of
from parlour.engine.arrays import Stream
from parlour.engine.chance import new_stream
from parlour.engine.errors import OptionError, ParlourError
from parlour.engine.game import LONG_RANGE, Game, Value
from parlour.engine.information.determinization import determinize, observed_plain_state, observed_state
from parlour.engine.match import Match
from parlour.engine.matches.chance_events import outcomes_of
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.records import record_text, replay
from parlour.engine.matches.steps import COMPILED, PLAIN, Steps
from parlour.engine.observation import EVERYTHING
from parlour.engine.rules import (
    CHANCE,
    MAX_CARDS,
    NOBODY,
    SPECTATOR,
    PlainState,
    copy_state,
    known_to,
    play,
    whole_deck,
)
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import at_random, drive
from parlour.engine.typed_state import OwnState
from parlour.render.layouts import find_layout
from parlour.render.scene import Scene

ACTIONS = 3
"""Number of actions, from the beginning and from the end of the legal ones, to repeat at a moment."""

REPETITIONS = 8
"""Number of times to play one action from the same state; a random choice of two is equal in all with 1 in 128."""


def choose_setup(game: Game, choose: Callable[[Sequence[Any]], Any], whole: bool = True) -> Setup:
    """Return a setup whose players and options ``choose`` picks from lists; only short games if not ``whole``.

    In two of three setups the advanced options have their defaults.
    """
    setup = Setup(game, choose(list(game.players)))
    chosen: dict[str, Value] = {}
    numbers = choose([False, False, True])
    for option in game.options:
        if option.advanced and not numbers:
            continue
        offered = option.values_for(setup.players)
        length = isinstance(offered, range) and len(offered) > LONG_RANGE and not option.advanced
        value = choose([*([None] if whole or not length else []), *option.trials(setup.players)])
        try:
            if value is not None:
                setup = Setup(game, setup.players, {**chosen, option.name: value})
                chosen[option.name] = value
        except OptionError:
            continue
    return setup


def walk(setup: Setup, seed: int, steps: Steps = COMPILED, observed: bool = True) -> Iterator[Match]:
    """Play a random game; yield the match before the first event and after every event.

    Args:
        setup: the setup to play.
        seed: decides chance and actions.
        steps: interpreted or compiled.
        observed: whether the match stores the events as each seat sees them.
    """
    match, chance = Match(setup, steps, observed=observed), StreamRandomness(new_stream(seed))
    yield match
    for _ in drive(match, at_random(chance), chance):
        yield match


def choose_moments(length: int, seed: int, number: int) -> set[int]:
    """Return the moments to check closely: ``number`` random ones, two near the beginning, and the last one."""
    rng = random.Random(seed)
    some, first = range(length), range(min(8, length))
    return {*rng.sample(some, min(number, length)), *rng.sample(first, min(2, length)), length - 1}


def viewers(match: Match) -> list[int]:
    """Return ``SPECTATOR`` and every seat."""
    return [SPECTATOR, *range(match.players)]


def known_cards(match: Match) -> dict[int, int]:
    """Return, for each viewer, the set of cards whose places it may know."""
    return {viewer: int(known_to(match.state, viewer)) for viewer in viewers(match)}


def redraw_unknown(state: OwnState, viewer: int, stream: Stream) -> OwnState:
    """Return the state with everything unknown to the viewer redrawn; for a spectator, once for each seat in turn."""
    for seat in range(int(state.seats)) if viewer == SPECTATOR else [viewer]:
        state = determinize(observed_state(state, seat), seat, stream)
    return state


def sent_bytes(match: Match, viewer: int) -> bytes:
    """Return the observation that the server sends to a viewer, as bytes."""
    return json.dumps(match.observation(viewer).to_json()).encode()


# Laws: each takes a match and returns a sentence about the fault, or an empty string


def check_conservation(match: Match) -> str:
    """Every card is in exactly one place, and zones show no more backs than there are cards."""
    return _find_misplaced_card(match.game, match.state)


def _find_misplaced_card(game: Game, state: OwnState) -> str:
    zones = game.zones(state)
    if not zones:
        return ""
    lying = [card for zone in zones for card in zone.cards if card is not None]
    strange = ((zone, card) for zone in zones for card in zone.cards if card is not None and not 0 <= card < MAX_CARDS)
    for zone, number in strange:
        return f"{_zone_text(zone.name, zone.at)} contains {number}, which is no card"
    if twice := {card for card in lying if lying.count(card) > 1}:
        where = [_zone_text(zone.name, zone.at) for zone in zones if twice & set(zone.cards)]
        return f"{_cards(twice)} lies in several places: {', '.join(where)}"
    if wrong := set(lying) ^ set(cards_of(int(whole_deck(state)))):
        return f"{_cards(wrong)} {'is no card of this deck' if wrong & set(lying) else 'lies in no zone'}"
    short = [_zone_text(zone.name, zone.at) for zone in zones if zone.hidden or None in zone.cards]
    return f"with all cards shown, cards are still hidden in {', '.join(short)}: a wrong size" if short else ""


def check_card_counts(match: Match) -> str:
    """An observation shows or counts every card once, in the same zones for each viewer."""
    public = _zone_texts(match, SPECTATOR)
    for viewer in [*viewers(match), EVERYTHING]:
        if (shown := _zone_texts(match, viewer)) != public:
            differing = next(pair for pair in zip_longest(shown, public, fillvalue="no zone") if pair[0] != pair[1])
            return f"{viewer_text(viewer)} is shown {differing[0]} where a spectator is shown {differing[1]}"
    for viewer in viewers(match):
        zones = match.observation(viewer).zones
        cards = [card for zone in zones for card in zone.cards if card is not None]
        backs, deck = sum(zone.hidden + list(zone.cards).count(None) for zone in zones), int(whole_deck(match.state))
        if any(zone.hidden < 0 for zone in zones):
            return f"{viewer_text(viewer)} sees a negative number of hidden cards in a zone"
        if zones and (len(set(cards)) < len(cards) or len(cards) + backs != deck.bit_count()):
            who = viewer_text(viewer)
            return f"{who} sees {len(cards)} cards and {backs} backs, but there are {deck.bit_count()} cards"
    return ""


def _zone_texts(match: Match, viewer: int) -> list[str]:
    """Return the zones of an observation in their order."""
    zones = match.observation(viewer, ended=viewer == EVERYTHING).zones
    return [_zone_text(zone.name, zone.at) for zone in zones]


def check_masks(match: Match) -> str:
    """Hiding what a seat does not know is idempotent, and a spectator's state hides at least as much as any seat's."""
    public = match.observed(SPECTATOR)
    for viewer in viewers(match):
        observed = match.observed(viewer)
        if wrong := _fields(observed_state(observed, viewer), observed):
            return f"{wrong} changes when {viewer_text(viewer)} is masked a second time"
        if wrong := _fields(observed_state(observed, SPECTATOR), public):
            return f"{wrong} differs for a spectator in what {viewer_text(viewer)} may know"
    return ""


def check_secrecy(match: Match) -> str:
    """A seat's observation does not depend on what the seat does not know."""
    for viewer in viewers(match):
        other = redraw_unknown(match.state, viewer, new_stream(len(match.events)))
        if fields := _fields(observed_state(other, viewer), match.observed(viewer)):
            private = _private_difference(viewer, other, match.state)
            return f"{viewer_text(viewer)} can tell by {fields} where cards lie that it cannot know{private}"
        if sent_bytes(match.imagined(other), viewer) != sent_bytes(match, viewer):
            return f"{viewer_text(viewer)} is sent something else when only cards that it cannot know are moved"
    return ""


def check_knowledge(match: Match) -> str:
    """An observation shows every card that its viewer knows, and no other."""
    for viewer in viewers(match):
        zones = match.observation(viewer).zones
        shown = {card for zone in zones for card in zone.cards if card is not None}
        known = set(cards_of(int(known_to(match.state, viewer)) & int(whole_deck(match.state))))
        if zones and shown != known:
            much = "knows but is not shown" if known - shown else "is shown but cannot know"
            return f"{viewer_text(viewer)} {much}: {_cards(known ^ shown)}"
    return ""


def check_limits(match: Match) -> str:
    """Every number of an observation's tensor lies within the limits that its field declares."""
    if match.game.variation_of:  # has the fields of its original, whatever the changed clauses score
        return ""
    for seat in range(match.players):
        tensor = match.observation(seat).tensor
        for plane in match.setup.observation_planes:
            least, most = plane.limits
            cells = tensor[plane.slice]
            if cells.min() < least or cells.max() > most:
                wrong = cells.max() if cells.max() > most else cells.min()
                declared = f"outside the limits {least:g} to {most:g} that STATE declares"
                return f"{viewer_text(seat)} observes {wrong:g} in {plane.name}, {declared}"
    return ""


def check_determinizations(match: Match, steps: Steps = COMPILED) -> str:
    """A determinization gives its seat the same observations, and a legal history leads to it."""
    for seat in range(match.players):
        observed = match.observed(seat)
        sampled = determinize(observed, seat, new_stream(len(match.events)))
        if fields := _fields(observed_state(sampled, seat), observed):
            private = _private_difference(seat, sampled, match.state)
            return f"a determinization of {viewer_text(seat)} changes {fields}, which the viewer observes{private}"
        if misplaced := _find_misplaced_card(match.game, sampled):
            return f"in a determinization of {viewer_text(seat)}, {misplaced}"
        wrong, other = check_history(match, seat, sampled, steps)
        if other is None:
            return wrong
        for viewer in (seat, SPECTATOR):
            if difference := _viewer_difference(match, other, viewer):
                who = viewer_text(viewer)
                return f"{who} can tell a determinization of seat {seat} from the truth: {difference}"
    return ""


def _viewer_difference(match: Match, other: Match, viewer: int) -> str:
    """Return the first difference between a viewer's events in two games of equal length, or an empty string."""
    for number, (event, other_event) in enumerate(zip(match.seen_by(viewer), other.seen_by(viewer), strict=True), 1):
        if event != other_event:
            hint = "; hides may return too few cards" if event.by not in (CHANCE, viewer) else ""
            return f"event {number} reads {event.do[:60]!r}, not {other_event.do[:60]!r}{hint}"
    return "" if sent_bytes(match, viewer) == sent_bytes(other, viewer) else "it is sent something else"


def check_replay(match: Match, steps: Steps = PLAIN) -> str:
    """The record replays to the same game, interpreted and compiled, with the same observations."""
    try:
        again = replay(json.loads(record_text(match.record())), steps=steps)
    except ParlourError as error:
        return str(error)
    again.settle()
    if wrong := _fields(again.state, match.state):
        return f"replayed, {wrong} differs: the rules should do the same interpreted and compiled"
    if again.record() != match.record():
        return "the replayed game has another record"
    differing = [
        viewer_text(viewer) for viewer in viewers(match) if sent_bytes(again, viewer) != sent_bytes(match, viewer)
    ]
    return f"replayed, {', '.join(differing)} is shown something else" if differing else ""


def check_layout(match: Match, before: Match | None = None) -> str:
    """The layout can show every moment to every viewer, with a choice for each legal action and its own areas."""
    names = [f"Player {seat + 1}" for seat in range(match.players)]
    for viewer in [*viewers(match), EVERYTHING]:
        observation = match.observation(viewer, ended=viewer == EVERYTHING)
        earlier = before.observation(viewer, ended=viewer == EVERYTHING) if before else None
        try:
            scene = find_layout(match.game.id).lay_out(observation, names, earlier)
        except Exception as error:  # an author's function may raise anything
            return f"{failure_text(error, match.game)}, when {viewer_text(viewer)} is shown this moment"
        if lacking := {*observation.legal} - {choice.do for choice in scene.choices}:
            return f"the layout has no choice for {', '.join(sorted(lacking)[:3])}"
        if unknown := {token for choice in scene.choices for token in choice.tokens} - scene.tokens:
            return f"a choice of the layout needs a place that cannot be tapped: {', '.join(sorted(unknown)[:3])}"
        if stray := _unknown_area(scene):
            return stray
    return ""


def _unknown_area(scene: Scene) -> str:
    """Return a sentence about a score line or a card that names an area which the scene lacks, or an empty string."""
    lines = [(f"the score line {line.what!r}", line.area) for line in scene.score]
    rows = [row for area in scene.areas for row in area.rows]
    cards = [(f"the card {card.card}", card.area) for row in rows for card in row.cards if card.area]
    unknown = [(what, area) for what, area in lines + cards if area not in {each.id for each in scene.areas}]
    if not unknown:
        return ""
    what, area = unknown[0]
    hint = ": a Line that score_of shows needs a seat as its at" if area.endswith(f"-{NOBODY}") else ""
    return f"{what} names the area {area!r}, which the layout lacks{hint}"


def check_actions(match: Match) -> str:
    """The seat to act has legal actions; each action and each outcome has a text of its own; a game has a winner."""
    if match.over:
        return "" if match.result and match.result.winners else "the game is over without a winner"
    if match.actor == CHANCE:
        return _find_equal_outcomes(match)
    if not match.moves():
        return f"{viewer_text(match.actor)} is to act, but nothing is legal"
    same = len(match.moves()) - len(match.moves_by_text())
    return f"{same + 1} legal actions have the same text" if same else ""


def _find_equal_outcomes(match: Match) -> str:
    """Return a sentence about two outcomes of the next chance event with the same text, or an empty string."""
    texts = outcomes_of(match.game, match.state)
    twice = next((text for number, text in enumerate(texts) if text in texts[:number]), None)
    if twice is None:
        return ""
    numbers = " and ".join(str(number) for number, text in enumerate(texts) if text == twice)
    return f"{source_of(match.game.chance_name)}: outcomes {numbers} have the same text, {twice!r}"


def check_repetition(match: Match) -> str:
    """The same action leads from the same state to the same state, and ``facts`` of a state are the same twice."""
    state = observed_plain_state(match.state, SPECTATOR)
    first, again = ({**match.game.facts(state)} for _ in range(2))
    if differing := [name for name in first if json.dumps(first[name]) != json.dumps(again.get(name))]:
        return f"{source_of(match.game.facts)}: two calls for one state return different values of {differing[0]!r}"
    if match.over or match.actor < 0:
        return ""
    moves = [*match.moves_by_text().items()]
    varied = (_varied(match, int(action), text) for text, action in moves[:ACTIONS] + moves[-ACTIONS:])
    return next(filter(None, varied), "")


def _varied(match: Match, action: int, text: str) -> str:
    """Return a sentence about an action whose repetitions lead to different states, or an empty string."""
    results = [PlainState(copy_state(match.state)) for _ in range(REPETITIONS)]
    for result in results:
        play(result, action)
    names = match.state.dtype.names
    differing = [name for name in names if len({str(getattr(result, name)) for result in results}) > 1]
    if not differing:
        return ""
    where = f"{source_of(match.game.play)}: {text!r}, played twice from one state, gives different {differing[0]}"
    return f"{where}: rules draw nothing at random, since the outcomes of chance are arguments of play and deal"


def check_memory(match: Match, before: dict[int, int] | None, known: dict[int, int]) -> str:
    """No viewer forgets where a card lies, except by a chance event or if ``may_become_uncertain`` allows it."""
    if before is None or match.events[-1].by == CHANCE:
        return ""
    for viewer, cards in before.items():
        if lost := cards & ~known[viewer] & ~may_become_uncertain(match, viewer):
            return f"{viewer_text(viewer)} forgets where {_cards(cards_of(lost))} lies"
    return ""


def _fields(state: OwnState, other: OwnState) -> str:
    return ", ".join(name for name in state.dtype.names if state[name].tobytes() != other[name].tobytes())


def _private_difference(seat: int, sampled: OwnState, state: OwnState) -> str:
    """Return the first difference between a seat's ``private`` in a determinization and in the game, after a colon."""
    both = [int(each.private[seat]) for each in (sampled, state)] if seat >= 0 else [0, 0]
    if both[0] == both[1]:
        return ""
    places = [f"in {where}" for where in ("a determinization", "the game")]
    more = both if both[0] & ~both[1] else both[::-1]
    has, lacks = places if more is both else places[::-1]
    cards = _cards(cards_of(more[0] & ~more[1]))
    return f": private[{seat}] has {cards} {has} but not {lacks}, so sample_rest and the rules differ"


def _cards(cards: Any) -> str:
    return " ".join(sorted(card_name(card) for card in cards))


def viewer_text(viewer: int) -> str:
    """Return ``"a spectator"``, ``"seat 2"``, or ``"a replay with all cards open"``."""
    return {SPECTATOR: "a spectator", EVERYTHING: "a replay with all cards open"}.get(viewer, f"seat {viewer}")


def _zone_text(zone: str, at: int) -> str:
    return zone if at == NOBODY else f"{zone} {at}"
