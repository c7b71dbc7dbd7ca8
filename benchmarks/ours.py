"""Figures of Parlour: answers requests as in :mod:`measurement`, in Parlour's own environment."""

import random
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pyspiel
from measurement import Measure, Work, memory, serve, zoo_steps
from open_spiel.python.observation import make_observation

import parlour
import parlour.envs.gymnasium
import parlour.envs.openspiel
import parlour.envs.pettingzoo
import parlour.envs.vector
from parlour.authors.bench import OBSERVED_AT_ONCE, first_playout_seconds, middle_of_a_game
from parlour.bots.search import Search
from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import determinize_many, new_table, observed_state
from parlour.engine.rules import MAX_ACTIONS, legal, new_states
from parlour.engine.simulation.playouts import run_playouts

sys.path.insert(0, str(Path(__file__).parents[1] / "examples" / "oh_hell"))
from oh_hell import GAME as OH_HELL

SETUPS = {
    **{game: parlour.make(game) for game in parlour.games()},
    "oh-hell": parlour.Setup(OH_HELL, 4, {"tricks": 10}),
}
POSITIONS = 8


def steps(setup: parlour.Setup, threads: int | None) -> Work:
    """Return random actions of whole games, including dealing and scoring."""
    games = 2000

    def work() -> int:
        return run_playouts(setup, games, threads=threads).actions

    return work


def observed(setup: parlour.Setup, threads: int | None, games: int, dtype: type = np.float32) -> Work:
    """Return random actions of a batch, each after writing the acting seat's tensor and legal mask."""
    batch = parlour.Batch(setup, games, threads=threads)
    tensor, legal_mask = batch.observe(tensor=batch.new_tensor(dtype))

    def work() -> int:
        batch.observe(None, tensor, legal_mask)
        batch.step(batch.random_actions())
        batch.renew()
        return games

    for _ in range(200):  # until every action has been assigned its index
        work()
    return work


def determinizations(setup: parlour.Setup) -> Work:
    """Return determinizations for a seat in the middle of a game, in several positions in turn."""
    found, table, stream = new_states(setup.game.dtype, 500), new_table(), new_stream(1)
    states = [middle_of_a_game(setup, number) for number in range(POSITIONS)]
    observations = [(observed_state(state, int(state.actor)), int(state.actor)) for state in states]

    def work() -> int:
        for observed, seat in observations:
            determinize_many(observed, seat, found, table, stream)
        return len(observations) * len(found)

    return work


def search(setup: parlour.Setup) -> Work:
    """Return iterations of a tree search, each with a determinization, in several positions in turn."""
    actions, searches = np.zeros(MAX_ACTIONS, np.int64), []
    for number in range(POSITIONS):
        state = middle_of_a_game(setup, number)
        seat, count = int(state.actor), legal(state, actions)
        if count > 1:
            searches.append((observed_state(state, seat), seat, actions[:count].copy(), number))

    def work() -> int:
        done = 0
        for observation in searches:
            one = Search(*observation)
            one.grow_tree(2000)
            done += one.iterations
        return done

    return work


def observed_in_openspiel(name: str) -> Work:
    """Return random steps through OpenSpiel from Python, each after writing the acting player's observation."""
    game = pyspiel.load_game(f"python_{name.replace('-', '_')}")
    observation = make_observation(game)

    def work() -> int:
        state, done = game.new_initial_state(), 0
        while not state.is_terminal():
            if not state.is_chance_node():
                observation.set_from(state, state.current_player())
                done += 1
            state.apply_action(random.choice(state.legal_actions()))
        return done

    return work


def solo(name: str, opponents: str) -> Work:
    """Return the own steps of a Gymnasium environment, each a random legal action."""
    env = parlour.envs.gymnasium.CardGame(name, opponents=opponents)

    def work() -> int:
        _, info = env.reset()
        done, over = 0, False
        while not over:
            _, _, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
            done += 1
        return done

    return work


def vector(name: str, games: int = 256) -> Work:
    """Return the own steps of a Gymnasium vector environment against the rule of thumb, on one core."""
    envs = parlour.envs.vector.CardGames(name, games, threads=1, copy=False)
    rng, found = np.random.default_rng(1), [envs.reset(seed=1)[1]["action_mask"]]

    def work() -> int:
        drawn = (found[0] * rng.random(found[0].shape, np.float32)).argmax(axis=1)
        found[0] = envs.step(drawn)[-1]["action_mask"]
        return games

    for _ in range(200):
        work()
    return work


def compiled_game(setup: parlour.Setup) -> Work:
    """Return random actions of a compiled game, which observes at each step."""
    game = parlour.CompiledGame(setup, 1)

    def work() -> int:
        game.renew()
        done = 0
        while not game.over:
            game.act(random.choice(game.legal_actions()))
            done += 1
        return done

    return work


def match(setup: parlour.Setup) -> Work:
    """Return random actions of matches, as a loop over ``legal_actions`` and ``act`` plays them."""

    def work() -> int:
        game, done = setup.start(random.getrandbits(32)), 0
        while not game.over:
            game.act(random.choice(game.legal_actions()))
            done += 1
        return done

    return work


def tensors(setup: parlour.Setup) -> Work:
    """Return the tensors of observations of matches in the middle of a game, in several positions in turn."""
    matches = []
    for number in range(POSITIONS):
        game = setup.start(number)
        for _ in range(20):
            if not game.over:
                game.act(random.choice(game.legal_actions()))
        matches.append(game)
    observations = [game.observation(0) for game in matches]

    def work() -> int:
        for seen in observations:
            seen.tensor  # noqa: B018  # computed anew at each access
        return len(observations)

    return work


def zoo(name: str) -> Work:
    """Return random games through PettingZoo's interface."""
    return zoo_steps(parlour.envs.pettingzoo.env(name))


def illegal(name: str, number: int = 100) -> tuple[int, int]:
    """Return the number of determinizations with an illegal history, and the number tested."""
    game, sampler = pyspiel.load_game(f"python_{name.replace('-', '_')}"), random.Random(1).random
    wrong = tested = 0
    while tested < number:
        state = game.new_initial_state()
        for _ in range(random.randrange(10, 70)):  # a game may end before
            if not state.is_terminal():
                state.apply_action(random.choice(state.legal_actions()))
        if state.is_terminal() or state.is_chance_node():
            continue
        tested += 1
        try:
            state.resample_from_infostate(tested % game.num_players(), sampler)
        except parlour.ParlourError:
            wrong += 1
    return wrong, tested


def bytes_a_game(setup: parlour.Setup) -> int:
    """Return the bytes of one game in a batch."""
    games, before = 100_000, memory()
    batch = parlour.Batch(setup, games, threads=1)
    batch.step(batch.random_actions())
    return (memory() - before) // games


MEASURES = {
    f"{kind} {game}": measure
    for game, setup in SETUPS.items()
    for kind, measure in {
        "steps": Measure(partial(steps, setup, 1)),
        "steps all-cores": Measure(partial(steps, setup, None), all_cores=True),
        "observed": Measure(partial(observed, setup, 1, OBSERVED_AT_ONCE)),
        "observed int16": Measure(partial(observed, setup, 1, OBSERVED_AT_ONCE, np.int16)),
        "observed all-cores": Measure(partial(observed, setup, None, 4096), all_cores=True),
        "determinizations": Measure(partial(determinizations, setup)),
        "search": Measure(partial(search, setup)),
        "one": Measure(partial(observed, setup, 1, 1)),
        "compiled": Measure(partial(compiled_game, setup)),
        "match": Measure(partial(match, setup)),
        "tensor": Measure(partial(tensors, setup)),
    }.items()
}
MEASURES |= {
    f"{kind} {game}": measure
    for game in parlour.games()
    for kind, measure in {
        "zoo": Measure(partial(zoo, game)),
        "solo random": Measure(partial(solo, game, "random")),
        "solo thumb": Measure(partial(solo, game, "thumb")),
        "vector": Measure(partial(vector, game)),
        "spiel": Measure(partial(observed_in_openspiel, game)),
    }.items()
}
FACTS = {
    "start": partial(first_playout_seconds, SETUPS["trick-walls"]),
    "illegal": lambda: {game: illegal(game) for game in parlour.games()},
    "bytes": lambda: {game: bytes_a_game(setup) for game, setup in SETUPS.items()},
    "games": lambda: {game: setup.label for game, setup in SETUPS.items()},
}

if __name__ == "__main__":
    serve(MEASURES, FACTS)
