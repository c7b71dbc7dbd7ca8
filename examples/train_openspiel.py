"""Learners of OpenSpiel, unmodified, in a game or a solvable endgame: NFSP, DQN and Deep CFR.

    pip install 'parlour[spiel-learners]'
    python examples/train_openspiel.py nfsp "python_trime_kicker_end(number=7,nodes=2000,history=9)" --minutes 5
    python examples/train_openspiel.py nfsp "python_trick_walls(players=2,rounds=1)" --minutes 60

The curve is the exploitability in an endgame, and the mean reward against `random` and `thumb` in a game. It is printed
and written to `curve.csv` of the folder. Ctrl-C ends the run and keeps the curve.
"""

import argparse
import csv
import time
from pathlib import Path

import numpy as np
import pyspiel
import torch
from open_spiel.python import policy, rl_environment
from open_spiel.python.pytorch import deep_cfr, dqn, nfsp

import parlour
import parlour.envs.openspiel  # registers the games

STEP = rl_environment.StepType.MID


def nfsp_agent(env, seat, chosen):
    """Return an agent of NFSP (Heinrich and Silver, arXiv:1603.01121) for a seat."""
    return nfsp.NFSP(
        **common_arguments(env, seat, chosen),
        reservoir_buffer_capacity=chosen.memory,
        anticipatory_param=0.1,
        rl_learning_rate=chosen.rate,
        sl_learning_rate=chosen.rate,
        epsilon_start=0.1,
        epsilon_end=0.01,
        min_buffer_size_to_learn=128,
        learn_every=16,
    )


def dqn_agent(env, seat, chosen):
    """Return an independent agent of DQN for a seat."""
    return dqn.DQN(**common_arguments(env, seat, chosen), learning_rate=chosen.rate)


def common_arguments(env, seat, chosen):
    """Return the arguments that both kinds of agent share."""
    return {
        "player_id": seat,
        "state_representation_size": env.observation_spec()["info_state"][0],
        "num_actions": env.action_spec()["num_actions"],
        "hidden_layers_sizes": [chosen.hidden] * 2,
        "optimizer_str": "adam",
        "replay_buffer_capacity": chosen.memory,
        "epsilon_decay_duration": chosen.decay,
        "epsilon_decay_schedule_str": "linear",
        "seed": chosen.seed + seat,
    }


AGENTS = {"nfsp": nfsp_agent, "dqn": dqn_agent}


class AgentsPolicy(policy.Policy):
    """The policy that the agents of all seats have learned: average policies of NFSP, greedy ones of DQN."""

    def __init__(self, game, agents, tensor_of):
        super().__init__(game, list(range(game.num_players())))
        self._agents, self._tensor_of = agents, tensor_of

    def action_probabilities(self, state, player_id=None):
        """Return the probability of each legal action for the seat to act."""
        seat, legal = state.current_player(), state.legal_actions()
        tensors = {seat: self._tensor_of(state, seat)}
        seen = {"info_state": tensors, "legal_actions": {seat: legal}, "current_player": seat}
        agent, step = self._agents[seat], rl_environment.TimeStep(seen, None, None, STEP)
        if isinstance(agent, nfsp.NFSP):
            with agent.temp_mode_as(nfsp.MODE.AVERAGE_POLICY):
                probabilities = agent.step(step, is_evaluation=True).probs
        else:
            probabilities = agent.step(step, is_evaluation=True).probs
        return {action: float(probabilities[action]) for action in legal}


def learn_by_games(game, chosen, curve):
    """Let agents of all seats play against each other until the curve is complete."""
    env = rl_environment.Environment(game, chance_event_sampler=rl_environment.ChanceEventSampler(chosen.seed))
    recalls = game.get_type().provides_information_state_tensor
    agents = [AGENTS[chosen.algorithm](env, seat, chosen) for seat in range(game.num_players())]
    learned = AgentsPolicy(
        game,
        agents,
        pyspiel.State.information_state_tensor if recalls else pyspiel.State.observation_tensor,
    )
    games = 0
    curve.add(games, learned)
    while not curve.complete:
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.current_player()].step(step).action])
        for agent in agents:
            agent.step(step)
        games += 1
        if curve.is_due(games):
            curve.add(games, learned)


def learn_by_traversals(game, chosen, curve):
    """Let Deep CFR (Brown and others, arXiv:1811.00164) traverse the game until the curve is complete."""
    solver = deep_cfr.DeepCFRSolver(
        game,
        policy_network_layers=[chosen.hidden] * 2,
        advantage_network_layers=[chosen.hidden] * 2,
        num_iterations=1,
        num_traversals=chosen.traversals,
        learning_rate=chosen.rate,
        batch_size_advantage=min(256, chosen.traversals),
        batch_size_strategy=min(256, chosen.traversals),
        memory_capacity=chosen.memory,
        policy_network_train_steps=100,
        advantage_network_train_steps=200,
        seed=chosen.seed,
    )
    traversals = 0
    curve.add(traversals, solver)
    while not curve.complete:
        solver.solve()  # one iteration more; the policy network learns on
        traversals += chosen.traversals * game.num_players()
        if curve.is_due(traversals):
            curve.add(traversals, solver)


class Curve:
    """Measurements of a policy at growing intervals from the first one on, printed and written to a file.

    Intervals are numbers of ``unit``: games or traversals of the tree.

    Attributes:
        complete: whether the processor time is used up.
    """

    def __init__(self, game, measure, unit, names, minutes, file):
        self._game, self._measure, self._minutes = game, measure, minutes
        self._begun, self._measuring, self._next = None, 0.0, 1
        self.complete = False
        self._file = file.open("w", newline="")
        self._writer = csv.writer(self._file)
        self._write([unit, "minutes of a core", *names])

    def _write(self, row):
        self._writer.writerow(row)
        self._file.flush()
        print("  ".join(f"{cell:>18}" for cell in row), flush=True)

    def _minutes_of_learning(self):
        return (time.process_time() - self._begun - self._measuring) / 60

    def is_due(self, number):
        """Return whether a measurement is due after this number of units, at the latest when the time is used up."""
        self.complete = self._minutes_of_learning() >= self._minutes
        return self.complete or number >= self._next

    def add(self, number, learned):
        """Measure the policy; the time for it does not count."""
        before = time.process_time()
        self._begun = before if self._begun is None else self._begun
        self._write([number, f"{self._minutes_of_learning():.2f}", *self._measure(self._game, learned)])
        self._measuring += time.process_time() - before
        self._next = max(100, 2 * number)


def exploitability(game, learned):
    """Return the exploitability, half of what best responses of both seats gain, as text."""
    table = policy.tabular_policy_from_callable(game, lambda state: _normalized(learned.action_probabilities(state)))
    return [f"{pyspiel.exploitability(game, policy.python_policy_to_pyspiel_policy(table)):.4f}"]


def _normalized(probabilities):
    """Return probabilities that add up to 1: Deep CFR's network also has some for illegal actions."""
    total = float(sum(probabilities.values()))
    return {action: float(each) / total if total else 1 / len(probabilities) for action, each in probabilities.items()}


def rewards_against(games, seed):
    """Return a function that measures the mean reward against the built-in bots, as texts with 95 % intervals."""

    def measure(game, learned):
        texts = []
        for name in ("random", "thumb"):
            random = np.random.default_rng(seed)
            rewards = [_reward(game, learned, name, number, random) for number in range(games)]
            texts.append(f"{np.mean(rewards):+.3f} ± {1.96 * np.std(rewards) / games**0.5:.3f}")
        return texts

    return measure


def _reward(game, learned, name, number, random):
    """Return the reward of a game in which the policy plays one seat and the named bot the others."""
    state, own = game.new_initial_state(), number % game.num_players()
    bot = parlour.bot(name, seed=number)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(random.choice(outcomes, p=probabilities)))
        elif state.current_player() == own:
            actions, weights = zip(*_normalized(learned.action_probabilities(state)).items(), strict=True)
            state.apply_action(int(random.choice(actions, p=weights)))
        else:
            state.apply_action(state.string_to_action(bot.choose(state.match.observation(state.current_player()))))
    return state.returns()[own]


def main(argv=None):
    """Learn until the processor time is used up."""
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("algorithm", choices=[*AGENTS, "deep-cfr"])
    parser.add_argument("game", help="a game as pyspiel.load_game takes it")
    parser.add_argument("--minutes", type=float, default=5, help="processor minutes of learning")
    parser.add_argument("--folder", type=Path, help="folder of the curve (default: runs/ALGORITHM-GAME)")
    parser.add_argument("--hidden", type=int, default=128, help="units in each of two layers")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate")
    parser.add_argument("--memory", type=int, default=200_000, help="number of decisions that a buffer holds")
    parser.add_argument("--decay", type=int, default=200_000, help="steps in which the rate of random actions falls")
    parser.add_argument(
        "--traversals", type=int, default=100, help="traversals of each seat in an iteration of Deep CFR"
    )
    parser.add_argument("--test-games", type=int, default=400, help="games against each bot at a point of the curve")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(argv)
    is_end = "_end(" in chosen.game
    if chosen.algorithm == "deep-cfr" and not is_end:
        parser.error("deep-cfr tries every own action of a traversal: choose an endgame, python_…_end(…)")
    try:
        # the nodes of an endgame are kept, so that they are not played anew
        game = pyspiel.load_game(f"cached_tree(game={chosen.game})" if is_end else chosen.game)
    except (pyspiel.SpielError, parlour.ParlourError) as error:
        parser.error(f"{chosen.game}: {str(error).splitlines()[0]}")
    folder = chosen.folder or Path("runs") / f"{chosen.algorithm}-{chosen.game.partition('(')[0]}"
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    measure = exploitability if is_end else rewards_against(chosen.test_games, chosen.seed)
    names = ["exploitability"] if is_end else ["against random", "against thumb"]
    learn, unit = (learn_by_traversals, "traversals") if chosen.algorithm == "deep-cfr" else (learn_by_games, "games")
    curve = Curve(game, measure, unit, names, chosen.minutes, folder / "curve.csv")
    try:
        learn(game, chosen, curve)
    except KeyboardInterrupt:
        print("stopped early")
    print(f"written to {folder / 'curve.csv'}")


if __name__ == "__main__":
    main()
