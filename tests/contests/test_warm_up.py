"""The first game of an arena: all code is compiled and loaded before it, so that no bot's time contains that."""

import subprocess
import sys

import pytest

from parlour.bots import BuiltinBot, CompiledObservation, compilation, find_bot
from parlour.contests.arena import Arena
from parlour.engine.moves import Move
from parlour.engine.setup import Setup
from parlour.games import find_game

GAME = find_game("three-tricks")
LATE = """
import sys
from numba.core.dispatcher import Dispatcher
from parlour.contests.arena import Arena
from parlour.contests.omniscient import find_player
from parlour.engine.setup import Setup
from parlour.games import find_game

def loaded():
    modules = [module for name, module in sys.modules.items() if name.startswith("parlour.")]
    found = {each.__qualname__: each for module in modules for each in vars(module).values()
             if isinstance(each, Dispatcher)}
    return {f"{name} {signature}" for name, each in found.items() for signature in each.signatures}

arena = Arena(Setup(find_game("three-tricks"), 2), [find_player(bot) for bot in sys.argv[1:]], 1)
arena.warm_up()
before = loaded()
searched = sum(name.startswith("look_ahead ") for name in before)
for deal in range(6):
    arena.play(deal, [deal % 2, 1 - deal % 2])
print(searched, *sorted(loaded() - before), sep="\\n")
"""


def first(observation: CompiledObservation) -> Move:
    return Move(observation.moves[0])


@pytest.mark.slow  # compiles
class TestTheCode:
    @pytest.mark.parametrize("bots", [("thumb", "learned"), ("casual", "regular"), ("thumb", "open:regular")])
    def test_no_function_is_compiled_or_loaded_during_the_games(self, bots: tuple[str, ...]) -> None:
        """Bots such as the regular search now and then only, so that their first decision needs no search."""
        done = subprocess.run([sys.executable, "-c", LATE, *bots], capture_output=True, text=True, check=True)
        searches = any("regular" in bot for bot in bots)
        assert done.stdout.split() == [str(int(searches))]


class TestASearch:
    @pytest.fixture
    def compiled(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """The ids of the games whose search was compiled."""
        found: list[str] = []
        monkeypatch.setattr(compilation, "make_ready", lambda game: found.append(game.id))
        return found

    @pytest.mark.slow  # compiles
    @pytest.mark.parametrize(
        ("bots", "expected"), [((False,), []), ((True, True), [GAME.id]), ((False, True, False), [GAME.id])]
    )
    def test_is_compiled_once_if_any_bot_may_search(self, compiled, bots, expected) -> None:
        kinds = [BuiltinBot(f"{number}", "", "", first, searches=each) for number, each in enumerate(bots)]
        Arena(Setup(GAME, 2), [*kinds, find_bot("thumb")], 1).warm_up()
        assert compiled == expected

    def test_that_is_not_ready_is_compiled_by_one_process_at_a_time(self, compiled, monkeypatch, tmp_path) -> None:
        order: list[str] = []

        class Lock:
            def __enter__(self) -> None:
                order.append("locked")

            def __exit__(self, *_: object) -> None:
                order.append("free")

        monkeypatch.setattr(compilation, "file_lock", lambda file: Lock())
        monkeypatch.setattr(compilation, "make_ready", lambda game: order.append(game.id))
        for ready, expected in ((False, ["locked", GAME.id, "free"]), (True, [GAME.id])):
            monkeypatch.setattr(compilation, "is_ready", lambda game, ready=ready: ready)
            compilation.make_ready_once(GAME)
            assert order == expected
            order.clear()


@pytest.mark.slow  # compiles
class TestADecision:
    @pytest.mark.parametrize("forced", [0, 1, 3])
    def test_with_a_single_action_is_not_the_last_one_before_the_games(self, monkeypatch, forced: int) -> None:
        """A bot may think, and compile what it needs for that, only where there is a choice."""
        advance, asked = Arena._advance, list[int]()

        def choose(observation: CompiledObservation) -> Move:
            asked.append(len(observation.moves))
            return first(observation)

        monkeypatch.setattr(
            Arena, "_advance", lambda self, deal: 1 if advance(self, deal) and len(asked) < forced else 2
        )
        Arena(Setup(GAME, 2), [BuiltinBot("x", "", "", choose)], 1).warm_up()
        assert asked == [1] * forced + [2]
