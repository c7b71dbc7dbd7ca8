"""Two tables that differ only in information hidden from a viewer send that viewer identical bytes."""

import pytest

from parlour.engine.match import Match
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.server.http import requests
from parlour.server.table.bots import hints
from parlour.server.table.bots.bot_turns import BotTurns
from parlour.server.table.bots.readiness import Readiness
from parlour.server.table.people import onlookers
from tests.helpers import play_at_random, run_apart
from tests.server.twins import Transcript, twin_of

pytestmark = pytest.mark.slow

SETUPS = [
    ("castle-walls", 2, {}),
    ("three-tricks", 2, {}),
    ("three-tricks", 2, {"replacing_ends_turn": False, "rank_block": "any"}),
    ("trick-walls", 2, {"rounds": 1}),
    ("trick-walls", 2, {"rounds": 1, "city_keepers": True}),
    ("trick-walls", 3, {"rounds": 1, "long_run": True}),
    ("tricky-tribes", 2, {"rounds": 1}),
    ("tricky-tribes", 4, {"rounds": 1, "jokers": 2, "teams": "pairs"}),
    ("tricky-tribes", 3, {"rounds": 1, "cut_deck": True, "dummy": True}),
    ("trime-kicker", 2, {}),
]
SELDOM_TAKEN_BACK = ("three-tricks", "trime-kicker")
"""Games that may have no action to undo at these moments."""
MOMENTS = range(5, 45)
"""Numbers of events of the moments."""


@pytest.fixture(autouse=True)
def still(monkeypatch):
    """Stop the bots and the notices of onlookers, give each request for a seat the same id, and refuse no hint."""
    monkeypatch.setattr(onlookers, "DELAY_SECONDS", 3600)
    monkeypatch.setattr(requests.secrets, "token_hex", lambda size: "drawn")
    monkeypatch.setattr(BotTurns, "wake", lambda turns: None)
    monkeypatch.setattr(hints, "refusal", lambda *asked: "")
    monkeypatch.setattr(Readiness, "is_ready", lambda readiness, game: True)
    monkeypatch.setattr(hints, "explain", lambda position: position)
    monkeypatch.setattr(
        hints,
        "hint_message",
        lambda known, seen: {
            "type": "hint",
            "of": [known.state.tobytes().hex(), known.actions, known.seen, known.names],
        },
    )


def moments(game, players, options):
    """Yield moments of a random game, some of them after an action that can be undone, with a viewer for each."""
    viewers = [SPECTATOR, *range(players)] * (2 if players == 2 else 1)
    for match in play_at_random(Match(Setup(find_game(game), players, options)), 5):
        if len(match.events) in MOMENTS and len(match.events) % 3 == 0 and match.events[-1].by >= 0 and not match.over:
            yield match, viewers.pop()
        if not viewers or len(match.events) >= MOMENTS.stop:
            return


@pytest.mark.parametrize(("game", "players", "options"), SETUPS, ids=lambda value: str(value).replace(" ", ""))
def test_no_seat_receives_a_difference_between_two_tables(game, players, options):
    different = taken_back = taken_over = 0
    for match, viewer in moments(game, players, options):
        seen = len(match.events)
        twins = [twin_of(match, viewer, 2 * seen + which) for which in range(2)]
        transcripts = [
            Transcript(twin, viewer, match.events[-1].by, linked)
            for twin, linked in zip(twins, (False, True), strict=True)
        ]
        for one, other in zip(*(run_apart(transcript.take()) for transcript in transcripts), strict=True):
            assert one == other
        different += twins[0].events != twins[1].events
        taken_back += transcripts[0].taken_back
        taken_over += "Cy takes the seat of Bot." in str(transcripts[0].heard)
    assert different > players
    assert taken_back or game in SELDOM_TAKEN_BACK
    assert taken_over or players == 2
