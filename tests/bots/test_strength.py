"""Strength of the search with options of every kind: at least that of the rule of thumb. docs/bots.md has numbers."""

import random
from typing import Any

import pytest

from parlour.authors.laws import choose_setup
from parlour.contests.contest import MATCH, Contest, play_deals
from parlour.contests.contest_results import MatchResult
from parlour.engine.rewards import sides_of
from parlour.engine.setup import Setup
from parlour.jobs.tasks import Placement
from tests.laws.walks import GAMES

SETUPS = 6
DEALS = 6
"""Deals of each setup. A game of several rounds has two, so that the search looks beyond the first."""
MORE = 2
"""Minimum number of first places beyond the even share in all deals."""
LEFT_OUT = ("stall_turns", "turn_limit", "hand_cards", "main_cards")
"""Options that leave little room for skill: games that end early, and hands of one or two cards."""
SEARCH = "search:effort=10000,temperature=0.002"


def played(setup: Setup, bots: tuple[str, str], deals: int) -> dict[str, Any]:
    """Return the report of a match of the first bot against the second."""
    contest = Contest(MATCH, setup, bots, 5)
    result = MatchResult(contest)
    for deal in play_deals(contest, 0, deals, where=Placement(1)):
        result.add(deal)
    return result.to_json()


def share_above_even(setup: Setup, deals: int) -> float:
    """Return the search's first places above the even share, summed over the deals."""
    report = played(setup, (SEARCH, "thumb"), deals)
    return (report["win_share"]["value"] - report["even_share"]) * deals


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("game_id", GAMES)
def test_the_search_wins_more_than_its_even_share_with_options_of_every_kind(game_id: str) -> None:
    rng, tried, above = random.Random(game_id), set[str](), []
    left_out = {each.name for each in GAMES[game_id].options if each.advanced or each.name in LEFT_OUT}
    while len(above) < SETUPS:
        drawn = choose_setup(GAMES[game_id], rng.choice)
        lasting = {name: value for name, value in drawn.chosen.items() if name not in left_out}
        rounds = {"rounds": 2} if "rounds" in lasting else {}
        setup = Setup(drawn.game, drawn.players, {**lasting, **rounds})
        if setup.variation in tried:
            continue
        tried.add(setup.variation)
        above.append(share_above_even(setup, DEALS))
    assert sum(above) >= MORE, above


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_the_rule_of_thumb_does_not_beat_the_regular(game_id: str) -> None:
    """Otherwise everyone who learns the heuristic beats the regular; decision 262."""
    setup = Setup(GAMES[game_id], GAMES[game_id].usual_players)
    report = played(setup, ("thumb", "regular"), 40 if len(sides_of(setup)) == 2 else 6)
    assert report["win_share"]["low"] <= report["even_share"], report["win_share"]
