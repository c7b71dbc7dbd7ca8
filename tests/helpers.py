"""Positions written as text, for any game: played through matches, views and records, as everyone else plays."""

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from parlour.engine.chance import new_stream, random_below
from parlour.engine.errors import IllegalError
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.steps import INTERPRETED, Steps
from parlour.engine.rules import CHANCE, NOBODY
from parlour.engine.setup import Setup

ALL_CARDS = tuple(f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA")


def run_apart(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine gives, in a thread of its own: the browser of other tests keeps a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def shell_status(returncode: int) -> int:
    """The exit status that a shell reports. Python ends itself by SIGINT if Ctrl-C interrupted a module's import."""
    return returncode if returncode >= 0 else 128 - returncode


def actions_in(line: str) -> list[str]:
    """The actions of a line, parted by commas, or, where there is no comma, by spaces."""
    parts = line.split(",") if "," in line else line.split()
    return [part.strip() for part in parts if part.strip()]


def play(match: Match, line: str) -> Match:
    """Play a line of actions, each by the seat whose turn it is."""
    for action in actions_in(line):
        match.act(action)
    return match


def refused(match: Match, action: str) -> str:
    """The clause for which an action is refused, which changes nothing."""
    before = len(match.events), match.state.tobytes()
    with pytest.raises(IllegalError) as caught:
        match.apply_event(Event(match.actor, action))
    assert (len(match.events), match.state.tobytes()) == before, "a refused action changes nothing"
    return caught.value.clause


def play_at_random(match: Match, seed: int, until_chance: bool = False) -> Iterator[Match]:
    """Play at random to the end, or to the next chance event; yields the match after every event."""
    chance = StreamRandomness(new_stream(seed))
    while not match.over and not (until_chance and match.actor == CHANCE):
        if match.actor == CHANCE:
            match.apply_chance(match.sample_chance(chance))
        else:
            actions = match.legal()
            match.act(actions[random_below(chance.stream, len(actions))])
        yield match


def random_game(setup: Setup, seed: int, steps: Steps = INTERPRETED) -> Match:
    """A whole random game."""
    match = Match(setup, steps)
    for _ in play_at_random(match, seed):
        pass
    return match


def zone_text(match: Match, name: str, at: int = NOBODY, seat: int = NOBODY) -> str:
    """The cards that a viewer sees in a zone, as text, a back for each that it does not: ``"7H ??"``."""
    zone = match.observation(seat).zone(name, at)
    assert zone is not None, f"there is no {name} at {at}"
    shown = ["??" if card is None else ALL_CARDS[card] for card in zone.cards]
    return " ".join(shown + ["??"] * zone.hidden)
