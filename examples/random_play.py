"""A random game through PettingZoo's interface, displayed as text.

pip install 'parlour[rl]'
python examples/random_play.py trick-walls 4
"""

import sys

from parlour.envs.pettingzoo import env


def play(game="trick-walls", players=None, seed=1, render_mode="human"):
    """Play to the end; return each agent's total reward."""
    table = env(game, players, render_mode=render_mode)
    table.reset(seed=seed)
    paid = dict.fromkeys(table.agents, 0.0)
    for seat, agent in enumerate(table.possible_agents):
        table.action_space(agent).seed(seed + seat)
    for agent in table.agent_iter():
        seen, reward, terminated, truncated, _ = table.last()
        paid[agent] += reward
        over = terminated or truncated
        table.step(None if over else table.action_space(agent).sample(seen["action_mask"]))
    return paid


if __name__ == "__main__":
    print(play(sys.argv[1] if len(sys.argv) > 1 else "trick-walls", int(sys.argv[2]) if len(sys.argv) > 2 else None))
