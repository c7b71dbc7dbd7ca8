"""Searches and policies compiled by one process need no compilation in another."""

import subprocess
import sys

import pytest

from parlour.bots import BOTS, compilation, compiled_observation_of, level_of
from parlour.engine.chance import new_stream
from parlour.engine.compiled import cache_folder
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.setup import Setup
from parlour.folders import file_lock
from parlour.games import find_game

COMPILE = """
from parlour.bots.compilation import is_ready, make_ready
from parlour.games import find_game
game = find_game("trime-kicker")
if not is_ready(game):
    make_ready(game)
"""
PLAY = """
from parlour.bots import choose_for, find_bot
from parlour.bots.lookahead import look_ahead
from parlour.bots.tree import grow
from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.learning.policy_loop import weigh_actions
game = find_game("trime-kicker")
match, chance = Match(Setup(game, game.usual_players)), StreamRandomness(new_stream(2))
while match.actor < 0:
    match.apply_chance(match.sample_chance(chance))
for bot in ("search:effort=100,tree=1", "learned"):
    choose_for(match, find_bot(bot), new_stream(1))
print([sum(each.stats.cache_misses.values()) for each in (look_ahead, grow, weigh_actions)])
"""


@pytest.mark.slow
def test_searches_and_policies_compiled_in_one_process_begin_at_once_in_the_next():
    subprocess.run([sys.executable, "-c", COMPILE], check=True)
    played = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, check=True, text=True)
    assert played.stdout == "[0, 0, 0]\n"


def test_bots_without_a_search_need_no_compilation():
    assert {bot.id for bot in BOTS.values() if not bot.searches} == {"beginner", "thumb", "random"}


def test_a_level_decides_first_whether_to_look_ahead_and_at_its_own_rate(monkeypatch):
    match, chance = Match(Setup(find_game("trick-walls"), 4)), StreamRandomness(new_stream(3))
    while match.actor < 0:
        match.apply_chance(match.sample_chance(chance))
    monkeypatch.setattr("parlour.bots.levels.Level.weigh", lambda level, observation: (observation.moves[:1], [1.0]))
    expert, random, again = level_of("expert", "trick-walls"), new_stream(5), new_stream(5)
    looks = 0
    for _ in range(400):
        chosen = expert.at_once(compiled_observation_of(match, random))
        looks += chosen is None
        if chosen is None:
            chosen = expert.look_ahead(compiled_observation_of(match, random))
        assert chosen == expert.choose(compiled_observation_of(match, again))
    assert abs(looks / 400 - (1 - expert.lapses / 100) * (1 - expert.habit / 100)) < 0.06


def mark():
    """Return the file whose existence says that the game is compiled."""
    return cache_folder(find_game("trick-walls").dtype) / "trick-walls.ready"


class TestWaiting:
    """Processes that wait for a compilation. The cache is empty, so a whole one would take 15 seconds."""

    @pytest.fixture(autouse=True)
    def cold(self, tmp_path, monkeypatch):
        monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path))

    @pytest.fixture
    def process(self):
        """A compiling process that never has its turn, since another one holds the lock."""
        lock = file_lock(cache_folder() / "trick-walls.lock")
        with lock, subprocess.Popen(compilation.command("trick-walls"), stdin=subprocess.PIPE) as process:
            yield process

    def test_a_compiling_process_ends_once_another_has_compiled_the_game(self, process):
        mark().touch()
        assert process.wait(timeout=120) == 0

    def test_a_compiling_process_ends_when_its_parent_has_gone(self, process):
        process.stdin.close()
        assert process.wait(timeout=120) == 0
        assert not compilation.is_ready(find_game("trick-walls"))

    def test_the_notice_of_a_long_wait_comes_only_with_a_compilation(self, monkeypatch):
        monkeypatch.setattr(compilation, "command", lambda game: ["touch", str(mark())])
        lines = []
        for _ in range(2):
            compilation.wait_until_ready(find_game("trick-walls"), lines.append)
        assert [line[:13] for line in lines] == ["Getting ready"]
