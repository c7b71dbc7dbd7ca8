"""Figures of the other libraries, in an environment of its own; the requests are those of :mod:`measurement`.

The libraries are OpenSpiel in C++ and from Python, Pgx, RLCard, and PettingZoo's classics, each used as documented.
"""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from measurement import Measure, Work, memory, serve, zoo_steps

SPIEL = {
    "oh_hell": "oh_hell(players=4,num_tricks_fixed=10)",
    "hearts": "hearts",
    "euchre": "euchre",
    "gin_rummy": "gin_rummy",
}
RESAMPLED = ("oh_hell", "hearts", "euchre", "gin_rummy")
PGX = ("kuhn_poker", "leduc_holdem", "sparrow_mahjong")
RLCARD = ("leduc-holdem", "gin-rummy", "uno", "doudizhu")
ZOO = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6")
PGX_GAMES = 4096


def spiel_game(name: str) -> Any:
    """Return a game of OpenSpiel."""
    import pyspiel

    return pyspiel.load_game(SPIEL[name])


def play_at_random(
    state: Any, most: int = 1 << 30, look: Callable[[Any, int], None] = lambda state, player: None
) -> int:
    """Play random actions until the game is over or ``most`` are played; return their number.

    Chance events are played too, but not counted, so that afterwards a player is to act. ``look`` is called with the
    state and the player before each action.
    """
    done = 0
    while not state.is_terminal() and (done < most or state.is_chance_node()):
        player = state.current_player()
        if player >= 0:
            look(state, player)
            done += 1
        state.apply_action(random.choice(state.legal_actions()))
    return done


def mean_length(game: Any) -> float:
    """Return the mean number of actions of a random game, without chance events."""
    return sum(play_at_random(game.new_initial_state()) for _ in range(500)) / 500


def spiel_rollouts(name: str) -> Work:
    """Return random games in C++ after the deal, as played by one simulation of OpenSpiel's search from its root."""
    import pyspiel

    game, rollouts = spiel_game(name), 300
    state = game.new_initial_state()
    play_at_random(state, 0)
    length = sum(play_at_random(state.clone()) for _ in range(300)) / 300
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)

    def work() -> int:
        bot.step(state)
        return round(rollouts * length)

    return work


def spiel_bots(name: str) -> Work:
    """Return games between random bots in C++, with one call from Python for each game."""
    import pyspiel

    game = spiel_game(name)
    length = mean_length(game)
    bots = [pyspiel.make_uniform_random_bot(player, 1 + player) for player in range(game.num_players())]

    def work() -> int:
        for seed in range(100):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return round(100 * length)

    return work


def spiel_python(name: str, seen: bool) -> Work:
    """Return random games driven from Python; if ``seen``, with the player's observation tensor before each action."""
    from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

    game = spiel_game(name)
    observes = game.get_type().provides_observation_tensor
    observation = make_observation(game, None if observes else INFO_STATE_OBS_TYPE) if seen else None

    def work() -> int:
        look = observation.set_from if seen else lambda state, player: None
        return sum(play_at_random(game.new_initial_state(), look=look) for _ in range(20))

    return work


def middles(game: Any) -> list[Any]:
    """Return states in the middle of random games, with a player to act."""
    found: list[Any] = []
    while len(found) < 8:
        state = game.new_initial_state()
        play_at_random(state, 4 * game.num_players())
        if not state.is_terminal() and len(state.legal_actions()) > 1:
            found.append(state)
    return found


def spiel_search(name: str) -> Work:
    """Return simulations of OpenSpiel's information-set search in C++, each with a determinization and a rollout."""
    import pyspiel

    game, simulations = spiel_game(name), 200
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, simulations, -1)
    bot_may = pyspiel.ISMCTSBot(
        1, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, simulations, -1, allow_inconsistent_action_sets=True
    )
    states = middles(game)

    def work() -> int:
        for state in states:
            try:
                bot.step(state)
            except pyspiel.SpielError:
                bot_may.step(state)
        return simulations * len(states)

    return work


def spiel_determinizations(name: str) -> Work:
    """Return determinizations by ``resample_from_infostate``."""
    import pyspiel

    states, sampler = middles(spiel_game(name)), pyspiel.UniformProbabilitySampler(0.0, 1.0)

    def work() -> int:
        for state in states:
            for _ in range(20):
                state.resample_from_infostate(state.current_player(), sampler)
        return 20 * len(states)

    return work


def spiel_illegal(name: str) -> tuple[int, int]:
    """Return the number of determinizations with an illegal history, and the number tested."""
    import pyspiel

    game, sampler, wrong, tested = spiel_game(name), pyspiel.UniformProbabilitySampler(0.0, 1.0), 0, 0
    for number in range(1000):
        state = game.new_initial_state()
        play_at_random(state, 1 + number % 40)
        if state.is_terminal():
            continue
        tested += 1
        history = state.resample_from_infostate(number % game.num_players(), sampler).history()
        again = game.new_initial_state()
        for action in history:
            if again.is_terminal() or action not in again.legal_actions():
                wrong += 1
                break
            again.apply_action(action)
    return wrong, tested


def spiel_bytes(name: str) -> int:
    """Return the bytes of a state in the middle of a game."""
    state, before = middles(spiel_game(name))[0], memory()
    kept = [state.clone() for _ in range(20_000)]
    return (memory() - before) // len(kept)


def pgx_steps(name: str) -> Work:
    """Return compiled random actions of a batch; a state of Pgx always includes its observation."""
    import jax
    import pgx

    env = pgx.make(name)

    def step(carry: Any, key: Any) -> Any:
        state = carry
        scores = jax.random.uniform(key, state.legal_action_mask.shape)
        action = (scores * state.legal_action_mask).argmax(axis=-1)
        going = ~(state.terminated | state.truncated)
        return jax.vmap(env.step)(state, action), going.sum()

    @jax.jit
    def run(key: Any) -> Any:
        keys = jax.random.split(key, PGX_GAMES + 32)
        state = jax.vmap(env.init)(keys[:PGX_GAMES])
        state, going = jax.lax.scan(step, state, keys[PGX_GAMES:])
        return going.sum(), state.observation.sum()

    seeds = iter(range(1 << 30))

    def work() -> int:
        return int(run(jax.random.PRNGKey(next(seeds)))[0])

    return work


def rlcard_steps(name: str) -> Work:
    """Return random games; RLCard observes at every step."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make(name)
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def work() -> int:
        before = env.timestep
        env.run(is_training=False)
        return max(1, env.timestep - before)

    return work


def zoo(name: str) -> Work:
    """Return random games of one of PettingZoo's classics."""
    from importlib import import_module

    return zoo_steps(import_module(f"pettingzoo.classic.{name}").env())


STARTS = {
    "OpenSpiel": "rollouts hearts",
    "Pgx": "pgx leduc_holdem",
    "RLCard": "rlcard leduc-holdem",
    "PettingZoo": "zoo leduc_holdem_v4",
}
"""The measure that a new process starts for each library."""


def start(name: str) -> float:
    """Return the seconds from process start to some games; of the second run, when the files are in memory."""
    for _ in range(2):
        begun = time.perf_counter()
        subprocess.run([sys.executable, __file__, name], check=True, capture_output=True)
    return time.perf_counter() - begun


def versions() -> dict[str, str]:
    """Return the versions measured."""
    from importlib.metadata import version

    return {name: version(name) for name in ("open_spiel", "pgx", "jax", "rlcard", "pettingzoo")}


MEASURES = {
    **{f"rollouts {name}": Measure(partial(spiel_rollouts, name)) for name in SPIEL},
    **{f"bots {name}": Measure(partial(spiel_bots, name)) for name in SPIEL},
    **{f"python {name}": Measure(partial(spiel_python, name, False)) for name in SPIEL},
    **{f"observed {name}": Measure(partial(spiel_python, name, True)) for name in SPIEL},
    **{f"search {name}": Measure(partial(spiel_search, name)) for name in RESAMPLED},
    **{f"determinizations {name}": Measure(partial(spiel_determinizations, name)) for name in RESAMPLED},
    **{f"pgx {name}": Measure(partial(pgx_steps, name), all_cores=True) for name in PGX},
    **{f"rlcard {name}": Measure(partial(rlcard_steps, name)) for name in RLCARD},
    **{f"zoo {name}": Measure(partial(zoo, name)) for name in ZOO},
}
FACTS = {
    "illegal": lambda: {name: spiel_illegal(name) for name in RESAMPLED},
    "bytes": lambda: {name: spiel_bytes(name) for name in SPIEL},
    "start": lambda: {name: start(measure) for name, measure in STARTS.items()},
    "versions": versions,
}

if __name__ == "__main__":
    if len(sys.argv) > 1:
        MEASURES[sys.argv[1]].prepare()()
    else:
        serve(MEASURES, FACTS)
