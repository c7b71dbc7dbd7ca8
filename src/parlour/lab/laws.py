"""The laws that hold for every game at every moment, each told in words where it is broken.

Nobody who adds a game notices at once that a card lies nowhere, that a view says too much, or that a determinization
cannot have come about: such a game plays on as if nothing were. Here its random games are held against what must be
true of them.
"""

import json
import random
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from parlour.cards import CARD_TEXT, card_name, cards_of
from parlour.engine.chance import new_stream
from parlour.engine.driving import at_random, drive
from parlour.engine.errors import GameError, OptionError, ParlourError
from parlour.engine.game import Game, Value
from parlour.engine.match import Match
from parlour.engine.randomness import StreamRandomness
from parlour.engine.records import record_text, replay
from parlour.engine.rules import CHANCE, NOBODY, known_to, whole_deck
from parlour.engine.setup import Setup
from parlour.engine.sight import determinize, veil
from parlour.engine.steps import COMPILED, INTERPRETED, PLAIN, Steps
from parlour.engine.views import EVERYTHING, view_of
from parlour.games import folder_of, module_of
from parlour.render.layouts import find_layout

LONG_RANGE = 10
"""Of an option with more values the smallest three are tried, for short games, and the usual one, for whole ones."""
MOMENTS = 3
"""Moments of a game, drawn by chance, that are looked at closely; three more always are."""
ENDLESS = 20_000
"""Events after which a game is taken to have no end."""


@dataclass(frozen=True)
class Broken:
    """A law that does not hold.

    Attributes:
        law: its name.
        told: what is wrong, in words.
        where: the game, as its setup and the seed of :func:`walk`, and the number of events before it showed.
    """

    law: str
    told: str
    where: str


@dataclass
class Findings:
    """What was looked at, and what was found: the first case of each law.

    Attributes:
        games: how many games were played.
        moments: how many moments were looked at closely.
        broken: by law.
    """

    games: int = 0
    moments: int = 0
    broken: dict[str, Broken] = field(default_factory=dict)


def choose_setup(game: Game, choose: Callable[[Sequence[Any]], Any], whole: bool = True) -> Setup:
    """A setup of a game, players and options each by ``choose`` from a list; for short games if not ``whole``."""
    setup = Setup(game, choose(list(game.players)))
    chosen: dict[str, Value] = {}
    for option in game.options:
        offered = option.values_for(setup.players)
        long = isinstance(offered, range) and len(offered) > LONG_RANGE
        values = [*([None] if whole or not long else []), *(offered[:3] if long else offered)]
        value = choose(values)
        try:
            if value is not None:
                setup = Setup(game, setup.players, {**chosen, option.name: value})
                chosen[option.name] = value
        except OptionError:
            continue
    return setup


def walk(setup: Setup, seed: int, steps: Steps = COMPILED) -> Iterator[Match]:
    """A random game; gives the match before the first event and after every event."""
    match, chance = Match(setup, steps), StreamRandomness(new_stream(seed))
    yield match
    for _ in drive(match, at_random(chance), chance):
        yield match


def chosen_moments(length: int, seed: int, number: int) -> set[int]:
    """Of a game of so many moments which ones to look at closely: some, two near its beginning, and the last one."""
    rng = random.Random(seed)
    some, first = range(length), range(min(8, length))
    return {*rng.sample(some, min(number, length)), *rng.sample(first, min(2, length)), length - 1}


def viewers(match: Match) -> list[int]:
    """A spectator and every seat."""
    return [NOBODY, *range(match.players)]


def known_by(match: Match) -> dict[int, int]:
    """The cards that each viewer may know the whereabouts of."""
    return {viewer: int(known_to(match.state, viewer)) for viewer in viewers(match)}


def rearranged(state: Any, viewer: int, stream: Any) -> Any:
    """The state with all that the viewer does not know laid otherwise: as each seat that knows no more may
    determinization it.
    """
    for seat in range(int(state.seats)) if viewer == NOBODY else [viewer]:
        state = determinize(veil(state, seat), seat, stream)
    return state


def differences(state: Any, other: Any) -> list[str]:
    """Where two states differ; what a seat knows is compared as a whole, not by how it is kept."""
    fields = [name for name in state.dtype.names if name not in ("private", "public")]
    differing = [name for name in fields if state[name].tobytes() != other[name].tobytes()]
    seats = range(NOBODY, int(state.seats))
    return differing + [f"known to {seat}" for seat in seats if known_to(state, seat) != known_to(other, seat)]


def sent(match: Match, viewer: int) -> bytes:
    """All that a viewer is sent, as bytes."""
    return json.dumps(view_of(match, viewer).to_json()).encode()


# The laws: each is given a match and says what is wrong, or nothing


def conservation(match: Match) -> str:
    """Every card is in exactly one place, and no more backs are shown than there are cards."""
    return _misplaced(match.game, match.state)


def _misplaced(game: Game, state: Any) -> str:
    zones = game.zones(state, EVERYTHING)
    if not zones:
        return ""
    lying = [card for zone in zones for card in zone.cards if card is not None]
    if twice := {card for card in lying if lying.count(card) > 1}:
        where = [_named(zone.name, zone.at) for zone in zones if twice & set(zone.cards)]
        return f"{_cards(twice)} stands there twice: in {', '.join(where)}"
    if wrong := set(lying) ^ set(cards_of(int(whole_deck(state)))):
        return f"{_cards(wrong)} {'is no card of this deck' if wrong & set(lying) else 'lies in no zone'}"
    short = [_named(zone.name, zone.at) for zone in zones if zone.hidden or None in zone.cards]
    return f"to one who knows everything, cards are hidden in {', '.join(short)}: a wrong size" if short else ""


def counting(match: Match) -> str:
    """A view shows or counts every card once."""
    for viewer in viewers(match):
        zones = view_of(match, viewer).zones
        cards = [card for zone in zones for card in zone.cards if card is not None]
        backs, deck = sum(zone.hidden + list(zone.cards).count(None) for zone in zones), int(whole_deck(match.state))
        if any(zone.hidden < 0 for zone in zones):
            return f"{_seat(viewer)} sees less than no card hidden in a zone"
        if zones and (len(set(cards)) < len(cards) or len(cards) + backs != deck.bit_count()):
            return f"{_seat(viewer)} sees {len(cards)} cards and {backs} backs, but there are {deck.bit_count()} cards"
    return ""


def veiling(match: Match) -> str:
    """What is left out for a seat is left out once and for all, and for a spectator more than for any seat."""
    public = match.veiled(NOBODY)
    for viewer in viewers(match):
        veiled = match.veiled(viewer)
        if wrong := _fields(veil(veiled, viewer), veiled):
            return f"{wrong} changes when {_seat(viewer)} is veiled a second time"
        if wrong := _fields(veil(veiled, NOBODY), public):
            return f"{wrong} is otherwise for a spectator where only what {_seat(viewer)} may know is left"
    return ""


def secrecy(match: Match) -> str:
    """What a seat does not know changes nothing that it is sent."""
    for viewer in viewers(match):
        other = rearranged(match.state, viewer, new_stream(len(match.events)))
        if told_by := _fields(veil(other, viewer), match.veiled(viewer)):
            return f"{_seat(viewer)} can tell by {told_by} how cards lie that it cannot know"
        if sent(match.imagined(other), viewer) != sent(match, viewer):
            return f"{_seat(viewer)} is sent something else when only cards that it cannot know lie otherwise"
    return ""


def knowledge(match: Match) -> str:
    """A view shows every card that its viewer knows, and no other."""
    for viewer in viewers(match):
        zones = view_of(match, viewer).zones
        shown = {card for zone in zones for card in zone.cards if card is not None}
        known = set(cards_of(int(known_to(match.state, viewer)) & int(whole_deck(match.state))))
        if zones and shown != known:
            much = "knows but is not shown" if known - shown else "is shown but cannot know"
            return f"there is a card that {_seat(viewer)} {much}: {_cards(known ^ shown)}"
    return ""


def sampling(match: Match, steps: Steps = COMPILED) -> str:
    """A determinization looks the same to its seat, and the game could have gone so, with all that it has seen."""
    for seat in range(match.players):
        veiled = match.veiled(seat)
        sampled = determinize(veiled, seat, new_stream(len(match.events)))
        if otherwise := _fields(veil(sampled, seat), veiled):
            return f"a determinization of {_seat(seat)} does not look like the truth to it: {otherwise} is otherwise"
        if misplaced := _misplaced(match.game, sampled):
            return f"in a determinization of {_seat(seat)}, {misplaced}"
        try:
            other = replay(record_of(match, sampled), "the game as a determinization has it", steps)
        except ParlourError as error:
            return f"{_seat(seat)} thinks possible what is not: {error}"
        if wrong := differences(other.state, sampled):
            return (
                f"a determinization of {_seat(seat)} cannot have come about: replayed, {', '.join(wrong)} is otherwise"
            )
        for viewer in (seat, NOBODY):
            if told_apart := _seen_otherwise(match, other, viewer):
                return f"{_seat(viewer)} can tell a determinization of {_seat(seat)} from the truth: {told_apart}"
    return ""


def _seen_otherwise(match: Match, other: Match, viewer: int) -> str:
    """What a viewer was told otherwise in two games of as many events, or nothing."""
    for number, (ours, theirs) in enumerate(zip(match.seen_by(viewer), other.seen_by(viewer), strict=True), 1):
        if ours != theirs:
            return f"event {number} is told as {ours.do[:60]!r}, not as {theirs.do[:60]!r}"
    return "" if sent(match, viewer) == sent(other, viewer) else "it is sent something else"


def replaying(match: Match, steps: Steps = PLAIN) -> str:
    """The record gives the same game, however it is replayed, and shows the same to everyone."""
    try:
        again = replay(json.loads(record_text(match.record())), steps=steps)
    except ParlourError as error:
        return str(error)
    again.settle()
    if wrong := _fields(again.state, match.state):
        return f"replayed, {wrong} is otherwise: interpreted and compiled, the rules should do the same"
    if again.record() != match.record():
        return "replayed, the game has another record"
    otherwise = [_seat(viewer) for viewer in viewers(match) if sent(again, viewer) != sent(match, viewer)]
    return f"replayed, {', '.join(otherwise)} sees something else" if otherwise else ""


def showing(match: Match) -> str:
    """The layout can show every moment to everyone, with all legal actions to be chosen."""
    names = [f"Player {seat + 1}" for seat in range(match.players)]
    for viewer in viewers(match):
        view = view_of(match, viewer)
        scene = find_layout(match.game.id).lay_out(view, names, None)
        if lacking := {*view.legal} - {choice.do for choice in scene.choices}:
            return f"no choice of the layout is for {', '.join(sorted(lacking)[:3])}"
        if nowhere := {token for choice in scene.choices for token in choice.tokens} - scene.tokens:
            return f"a choice of the layout needs what is nowhere to be tapped: {', '.join(sorted(nowhere)[:3])}"
    return ""


def acting(match: Match) -> str:
    """Whoever is to act can do something, and each action has a text of its own."""
    if match.over:
        return "" if match.result and match.result.winners else "the game is over and nobody is first"
    if match.actor == CHANCE:
        return ""
    if not match.actions():
        return f"{_seat(match.actor)} is to act, but nothing is legal"
    same = len(match.actions()) - len(match.named())
    return f"{same + 1} legal actions have the same text" if same else ""


def memory(match: Match, before: dict[int, int] | None, known: dict[int, int]) -> str:
    """What a seat knows it never forgets until cards are shuffled, but where the game says that it may."""
    if before is None or match.events[-1].by == CHANCE:
        return ""
    for viewer, cards in before.items():
        if lost := cards & ~known[viewer] & ~may_forget(match, viewer):
            return f"{_seat(viewer)} forgets where {_cards(cards_of(lost))} lies"
    return ""


EVERY_MOMENT = {"acting": acting, "conservation": conservation}
"""The laws that are looked at after every event."""
SOME_MOMENTS = {
    "counting": counting,
    "knowledge": knowledge,
    "veiling": veiling,
    "secrecy": secrecy,
    "sampling": sampling,
    "showing": showing,
}
"""The laws that are looked at now and then, for they take longer."""


_ALL = {**EVERY_MOMENT, "memory": memory, **SOME_MOMENTS, "replaying": replaying}
LAWS = {law: (holds.__doc__ or "").split("\n")[0] for law, holds in _ALL.items()}
"""What each law says, in the order in which they are told."""


def check(game: Game, games: int, seed: int = 0, tell: Callable[[int], object] = lambda done: None) -> Findings:
    """Play random games of every kind, and hold them against the laws.

    Args:
        game: what is played.
        games: how many.
        seed: game *n* is the same in every run with it.
        tell: is told after each game how many have been played.

    Raises:
        GameError: a rule fails or does not compile; says which, where and how.
    """
    found, rng = Findings(), random.Random(seed)
    for number in range(games):
        setup = choose_setup(game, rng.choice, whole=number % 3 == 0)
        try:
            _check_game(setup, seed + number, found, INTERPRETED if number == 0 else COMPILED)
        except ParlourError:
            raise
        except Exception as error:  # a rule may fail in any way
            raise GameError(f"{setup.label}, seed {seed + number}: {_told(error, game)}") from error
        found.games += 1
        tell(found.games)
    return found


def _told(error: Exception, game: Game) -> str:
    """What failed, by file, line and function of the game; the innermost of them."""
    folder = str(folder_of(game.id) or sys.modules[game.legal.__module__].__file__)
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(folder)]
    if own:
        return f"{own[-1].filename}, line {own[-1].lineno}, in {own[-1].name}: {type(error).__name__}: {error}"
    return f"{type(error).__name__}: {error}"


def _check_game(setup: Setup, seed: int, found: Findings, steps: Steps) -> None:
    length, before = sum(1 for _ in zip(walk(setup, seed, steps), range(ENDLESS), strict=False)), None
    chosen = chosen_moments(length, seed, MOMENTS)
    for number, match in enumerate(walk(setup, seed, steps)):
        note = partial(_note, found, match, seed)
        for law, holds in EVERY_MOMENT.items():
            note(law, holds)
        known = known_by(match)
        note("memory", partial(memory, before=before, known=known))
        before = known
        if number in chosen:
            found.moments += 1
            for law, holds in SOME_MOMENTS.items():
                note(law, partial(sampling, steps=steps) if law == "sampling" else holds)
        if number >= ENDLESS:
            note("acting", lambda match: f"there is no end after {ENDLESS:,} events")
            return
    note("replaying", replaying)


def _note(found: Findings, match: Match, seed: int, law: str, holds: Callable[[Match], str]) -> None:
    """Look whether a law holds, unless it is known to be broken."""
    if law in found.broken:
        return
    told = holds(match)
    if told:
        events = f"after {len(match.events)} events" + (f", the last {match.events[-1].do[:40]!r}" * bool(match.events))
        found.broken[law] = Broken(law, told, f"{match.setup.label}, seed {seed}, {events}")


def may_forget(match: Match, viewer: int) -> int:
    """The cards of which the last event may have made uncertain where they are: the game's ``rebuild.py`` may say."""
    helping = module_of(match.game.id, "rebuild")
    return int(getattr(helping, "may_forget", lambda match, viewer: 0)(match, viewer))


def record_of(match: Match, sampled: Any) -> dict[str, Any]:
    """The record of the game that a determinization imagines: as the game's ``rebuild.py`` says, if it has one.

    The same events for all to see, with the determinization's own cards in shuffles and in hidden choices. Whether that
    is legal, only a replay can tell.
    """
    record, helping = match.record(), module_of(match.game.id, "rebuild")
    rebuild = relabelled if helping is None else helping.rebuild
    return {**record, "events": rebuild(match, sampled)}


def relabelled(match: Match, sampled: Any) -> list[dict[str, Any]]:
    """The events of a match if each card had been all along the one that a determinization has in its place.

    That is how most games went in a determinization. Where it matters beyond the zones when a card came where it lies,
    a game has a ``rebuild`` of its own.
    """
    swapped: dict[str, str] = {}
    for true, other in zip(*(match.game.zones(state, EVERYTHING) for state in (match.state, sampled)), strict=True):
        ours, theirs = ([card_name(card) for card in zone.cards if card is not None] for zone in (true, other))
        if not true.ordered:
            common = {*ours} & {*theirs}
            ours, theirs = ([text for text in texts if text not in common] for texts in (ours, theirs))
        swapped.update(zip(ours, theirs, strict=True))
    return [
        {**event.to_json(), "do": CARD_TEXT.sub(lambda card: swapped.get(card[0], card[0]), event.do)}
        for event in match.events
    ]


def _fields(state: Any, other: Any) -> str:
    return ", ".join(name for name in state.dtype.names if state[name].tobytes() != other[name].tobytes())


def _cards(cards: Any) -> str:
    return " ".join(sorted(card_name(card) for card in cards))


def _seat(viewer: int) -> str:
    return "a spectator" if viewer == NOBODY else f"seat {viewer}"


def _named(zone: str, at: int) -> str:
    return zone if at == NOBODY else f"{zone} {at}"
