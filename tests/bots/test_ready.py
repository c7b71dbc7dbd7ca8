"""Searches that were made ready need no compiling in another process."""

import subprocess
import sys

import pytest

from parlour.bots import BOTS

COUNTED = """
from parlour.bots import choose_for, find_bot
from parlour.bots.lookahead import look
from parlour.bots.ready import is_ready, make_ready
from parlour.bots.tree import grow
from parlour.engine.chance import new_stream
from parlour.engine.match import Match, SystemRandomness
from parlour.games import find_game
game = find_game("trime-kicker")
if not is_ready(game):
    make_ready(game)
match = Match(game, game.usual_players)
while match.actor < 0:
    match.take_chance(SystemRandomness())
choose_for(match, find_bot("search:effort=100,tree=1"), new_stream(1))
print(sum(sum(each.stats.cache_misses.values()) for each in (look, grow)))
"""


@pytest.mark.slow
def test_a_search_made_ready_in_one_process_begins_at_once_in_the_next():
    misses = [subprocess.run([sys.executable, "-c", COUNTED], capture_output=True, check=True).stdout for _ in range(2)]
    assert int(misses[1]) == 0


def test_those_who_follow_a_rule_need_nothing_made_ready():
    assert {bot.id for bot in BOTS.values() if not bot.searches} == {"beginner", "thumb", "random"}
