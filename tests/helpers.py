"""Helpers for tests of any game: actions and zones as text, refusals, random games; coroutines and processes."""

import asyncio
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from parlour.cards import CARD_NAMES
from parlour.engine.chance import new_stream, random_below
from parlour.engine.errors import IllegalError
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.steps import INTERPRETED, Steps
from parlour.engine.rules import CHANCE, NOBODY, SPECTATOR
from parlour.engine.setup import Setup

ALL_CARDS = tuple(f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA")


def run_apart(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Return a coroutine's result from another thread, since the browser of other tests runs a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def shell_status(returncode: int) -> int:
    """Return the exit status that a shell reports; Python ends by SIGINT if Ctrl-C interrupts an import."""
    return returncode if returncode >= 0 else 128 - returncode


def running_processes(numbers: Iterable[int]) -> list[int]:
    """Return the processes among these that have not ended, on Linux."""
    return [number for number in numbers if Path(f"/proc/{number}").exists()]


def actions_in(line: str) -> list[str]:
    """Return the actions of a line, separated by commas, or by spaces if there is no comma."""
    parts = line.split(",") if "," in line else line.split()
    return [part.strip() for part in parts if part.strip()]


def play(match: Match, line: str) -> Match:
    """Play a line of actions, each by the seat whose turn it is."""
    for action in actions_in(line):
        match.act(action)
    return match


def refused(match: Match, action: str) -> str:
    """Return the clause of an action's refusal; the match must be unchanged."""
    before = len(match.events), match.state.tobytes()
    with pytest.raises(IllegalError) as caught:
        match.apply_event(Event(match.actor, action))
    assert (len(match.events), match.state.tobytes()) == before, "a refused action changes nothing"
    return caught.value.clause


def play_at_random(match: Match, seed: int, until_chance: bool = False) -> Iterator[Match]:
    """Play at random to the end, or to the next chance event; yield the match after every event."""
    chance = StreamRandomness(new_stream(seed))
    while not match.over and not (until_chance and match.actor == CHANCE):
        if match.actor == CHANCE:
            match.apply_chance(match.sample_chance(chance))
        else:
            actions = match.legal()
            match.act(actions[random_below(chance.stream, len(actions))])
        yield match


def random_game(setup: Setup, seed: int, steps: Steps = INTERPRETED) -> Match:
    """Return a complete random game."""
    match = Match(setup, steps)
    for _ in play_at_random(match, seed):
        pass
    return match


def zone_text(match: Match, name: str, at: int = NOBODY, seat: int = SPECTATOR) -> str:
    """Return the cards of a zone as a viewer sees them, with a back for each hidden one: ``"7H ??"``."""
    zone = match.observation(seat).zone(name, at)
    assert zone is not None, f"there is no {name} at {at}"
    shown = ["??" if card is None else CARD_NAMES[card] for card in zone.cards]
    return " ".join(shown + ["??"] * zone.hidden)


def remove_times(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON values of a contest without those that differ from run to run."""
    return {key: value for key, value in values.items() if key != "seconds_a_decision"}
