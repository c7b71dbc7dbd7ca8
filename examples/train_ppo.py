"""Self-play PPO in one file: a network learns a game by playing all seats against itself.

    pip install 'parlour[train]'
    python examples/train_ppo.py trime-kicker             # writes runs/trime-kicker; Ctrl-C stops it, --resume goes on
    tensorboard --logdir runs                             # the curves; also in runs/trime-kicker/curve.csv
    PARLOUR_NET=runs/trime-kicker/net.pt parlour match examples.train_ppo:Trained thumb trime-kicker

The style is CleanRL's (https://github.com/vwxyzjn/cleanrl), the algorithm that of Schulman and others
(arXiv:1707.06347), with illegal actions masked. A `parlour.Batch` plays many games side by side. The decisions of each
seat form a trajectory that ends with its reward. At first the network imitates the rule of thumb.
"""

import argparse
import csv
import hashlib
import os
import sys
import time
from functools import lru_cache
from itertools import count
from pathlib import Path

import numpy as np
import torch
from torch import nn

import parlour

NET = Path(os.environ.get("PARLOUR_NET", "runs/net.pt"))
"""The network file that `Trained` plays."""


def arguments(argv=None):
    """Return the command-line arguments."""
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("game", nargs="?", default="trime-kicker")
    parser.add_argument("--players", type=int, help="number of players; by default the game's usual number")
    parser.add_argument("--without", nargs="*", default=["may"], help="planes of the observation to leave out")
    parser.add_argument("--folder", type=Path, help="folder of curves and checkpoints (default: runs/GAME)")
    parser.add_argument("--resume", action="store_true", help="continue from the last checkpoint")
    parser.add_argument("--steps", type=int, default=20_000_000, help="decisions to learn from, in all")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="processor minutes, if these end sooner")
    parser.add_argument("--games", type=int, default=512, help="games side by side")
    parser.add_argument("--length", type=int, default=64, help="decisions in each game between two updates")
    parser.add_argument("--epochs", type=int, default=3, help="number of passes over the decisions")
    parser.add_argument("--minibatch", type=int, default=4096, help="decisions in a step of gradient descent")
    parser.add_argument("--hidden", type=int, default=128, help="units in each of two layers")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at the start; at the end it is 0")
    parser.add_argument("--imitate", type=int, default=2_000_000, help="first decisions, learned by imitation")
    parser.add_argument("--lam", type=float, default=0.95, help="lambda of the generalised advantage estimate")
    parser.add_argument("--clip", type=float, default=0.2, help="maximum distance of a decision's ratio from 1")
    parser.add_argument("--entropy", type=float, default=0.01, help="weight of the entropy bonus")
    parser.add_argument("--value", type=float, default=0.5, help="weight of the value's loss")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=20, help="updates between two matches against the rule of thumb")
    parser.add_argument("--test-games", type=int, default=1000, help="games of such a match")
    args = parser.parse_args(argv)
    args.folder = args.folder or Path("runs") / args.game
    if args.resume and not (args.folder / "net.pt").exists():
        parser.error(f"{args.folder} has no net.pt to continue; leave --resume out")
    if not args.resume and (kept := [name for name in ("net.pt", "curve.csv") if (args.folder / name).exists()]):
        parser.error(f"{args.folder / kept[0]} exists already; --resume continues it, --folder names another folder")
    return args


class Net(nn.Module):
    """A network from a seat's observation and legal actions to logits and the value of the game."""

    def __init__(self, setup, without, hidden):
        super().__init__()
        version = setup.tensor_version  # of the layout that the first layer reads
        self.config = {"setup": setup.to_json(), "tensors": version, "without": list(without), "hidden": hidden}
        scale = np.zeros(setup.observation_shape, np.float32)
        for plane in setup.observation_planes:
            if plane.name.split()[0] not in without:
                scale[plane.slice] = 1 / min(10.0, plane.limits[1])  # counts are seldom above 10
        self.register_buffer("cells", torch.tensor(scale.nonzero()[0]), persistent=False)
        self.register_buffer("scale", torch.tensor(scale[scale > 0]), persistent=False)
        size = len(self.cells) + setup.num_actions
        self.body = nn.Sequential(nn.Linear(size, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.policy, self.worth = nn.Linear(hidden, setup.num_actions), nn.Linear(hidden, 1)
        nn.init.normal_(self.policy.weight, std=0.01)  # at the start all actions are about as likely

    def inputs(self, tensor, mask):
        """Return the network's input: the chosen planes of an observation, scaled, and the mask."""
        tensor, mask = torch.from_dlpack(tensor), torch.from_dlpack(mask)  # the batch's own memory
        return torch.cat([tensor[:, self.cells] * self.scale, mask], dim=1), mask

    def forward(self, inputs, mask):
        """Return the logits, very low for illegal actions, and the value."""
        features = self.body(inputs)
        return self.policy(features).masked_fill(~mask, -1e9), self.worth(features)[:, 0]

    @torch.no_grad()
    def best(self, tensor, mask):
        """Return the most probable action in each game."""
        return self(*self.inputs(tensor, mask))[0].argmax(dim=1).numpy()

    def save(self, path, **more):
        """Write the network to a file, whole or not at all."""
        torch.save({"config": self.config, "net": self.state_dict(), **more}, path.with_suffix(".part"))
        path.with_suffix(".part").replace(path)


def load(path):
    """Return a network from a file, and the values saved with it."""
    saved = torch.load(path, weights_only=True)
    config = saved["config"]
    setup = parlour.Setup.from_json(config["setup"])
    if config["tensors"] != setup.tensor_version:
        raise ValueError(f"{path}: this net reads tensors of version {config['tensors']}, not {setup.tensor_version}")
    net = Net(setup, config["without"], config["hidden"])
    net.load_state_dict(saved["net"])
    return net, saved


class Trained:
    """The network of the file `PARLOUR_NET` as a bot: it plays the most probable action."""

    version = hashlib.sha256(NET.read_bytes()).hexdigest()[:16] if NET.exists() else "untrained"

    def begin(self, setup, seat):
        """Refuse a game that the network has not learned."""
        self.net = load_cached(NET)
        if self.net.config["setup"] != setup.to_json():
            raise ValueError(f"this net has learned {self.net.config['setup']}")

    def choose(self, observation):
        """Return the number of the most probable action."""
        return int(self.net.best(observation.tensor[None], observation.legal_mask[None])[0])


@lru_cache
def load_cached(path):
    """Return the network of a file, cached for many games."""
    torch.set_num_threads(1)
    return load(path)[0]


class Rollout:
    """The decisions of some steps of all games, with their rewards."""

    def __init__(self, length, games, inputs, actions, players):
        self.inputs = torch.zeros(length, games, inputs)
        self.masks = torch.zeros(length, games, actions, dtype=torch.bool)
        self.actions, self.advice = torch.zeros(2, length, games, dtype=torch.int64)
        self.logs, self.values, self.advantages = torch.zeros(3, length, games)
        self.actors = np.zeros((length, games), np.int64)
        self.over = np.zeros((length, games), bool)
        self.rewards = np.zeros((length, games, players), np.float32)

    @torch.no_grad()
    def play(self, batch, net, tensor, mask, advised):
        """Play steps with actions drawn from the network; if ``advised``, also store those of the rule of thumb."""
        for at in range(len(self.actions)):
            if advised:
                self.advice[at] = torch.from_numpy(batch.heuristic_actions())
            batch.observe(tensor=tensor, legal_mask=mask)
            self.inputs[at], self.masks[at] = net.inputs(tensor, mask)
            logits, self.values[at] = net(self.inputs[at], self.masks[at])
            drawn = torch.distributions.Categorical(logits=logits, validate_args=False)
            self.actions[at] = drawn.sample()
            self.logs[at] = drawn.log_prob(self.actions[at])
            self.actors[at] = batch.actors
            batch.step(self.actions[at].numpy())
            self.rewards[at] = batch.rewards()
            self.over[at] = batch.renew()

    @torch.no_grad()
    def compute_advantages(self, batch, net, lam):
        """Compute the advantages (arXiv:1506.02438) from each seat's own decisions and reward, without discount."""
        games, players = self.rewards.shape[1:]
        ahead = np.zeros((games, players), np.float32)  # the value at each seat's next decision
        for seat in range(players):
            ahead[:, seat] = net(*net.inputs(*batch.observe(seat)))[1]
        reward, advantage = np.zeros((2, games, players), np.float32)
        values, every = self.values.numpy(), np.arange(games)
        for at in reversed(range(len(values))):
            over = self.over[at]
            ahead[over] = advantage[over] = 0
            reward[over] = self.rewards[at][over]
            own = every, self.actors[at]
            advantage[own] = reward[own] + ahead[own] - values[at] + lam * advantage[own]
            ahead[own], reward[own] = values[at], 0
            self.advantages[at] = torch.from_numpy(advantage[own])


def learn(net, optimizer, rollout, args, advised):
    """Run some epochs of PPO's clipped objective, or of imitation if ``advised``; return values for the curves."""
    metrics = []
    inputs, masks = rollout.inputs.flatten(0, 1), rollout.masks.flatten(0, 1)
    actions = (rollout.advice if advised else rollout.actions).flatten()
    logs, advantages = rollout.logs.flatten(), rollout.advantages.flatten()
    returns = advantages + rollout.values.flatten()
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    for _ in range(args.epochs):
        for at in torch.randperm(len(actions)).split(args.minibatch):
            logits, values = net(inputs[at], masks[at])
            preferences = torch.log_softmax(logits, dim=1)
            chosen = preferences.gather(1, actions[at, None])[:, 0]
            change = chosen - logs[at]
            ratio, gain = change.exp(), advantages[at]
            clipped = torch.min(ratio * gain, ratio.clamp(1 - args.clip, 1 + args.clip) * gain)
            policy = (chosen if advised else clipped).mean()
            entropy = -(preferences.exp() * preferences.masked_fill(~masks[at], 0)).sum(dim=1).mean()
            value = (values - returns[at]).square().mean()
            optimizer.zero_grad()
            (args.value * value - policy - args.entropy * entropy).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
            metrics.append([policy.item(), value.item(), entropy.item(), ((ratio - 1) - change).mean().item()])
    return dict(zip(["policy", "value", "entropy", "divergence"], np.mean(metrics, axis=0), strict=True))


def against_thumb(net, setup, games, seed):
    """Return the mean reward against the rule of thumb over all seats, and half of its 95 % interval."""
    batch, seats = parlour.Batch(setup, games, seed), np.arange(games) % setup.players
    batch.play_others(seats)
    while not batch.over.all():
        batch.step(net.best(*batch.observe(seats)))
        batch.play_others(seats)
    rewards = batch.rewards()[np.arange(games), seats]
    return float(rewards.mean()), float(1.96 * rewards.std() / games**0.5)


class Curves:
    """The curves of a run: for TensorBoard, and as rows of `curve.csv`."""

    def __init__(self, folder):
        from torch.utils.tensorboard import SummaryWriter

        self.writer, self.file = SummaryWriter(folder), folder / "curve.csv"

    def add(self, done, values):
        """Add the values at a number of decisions."""
        for name, value in values.items():
            self.writer.add_scalar(name, value, done)
        new = not self.file.exists()
        with self.file.open("a", newline="") as file:
            rows = csv.DictWriter(file, ["decisions", *values])
            if new:
                rows.writeheader()
            rows.writerow({"decisions": done} | {name: round(value, 4) for name, value in values.items()})
        print(f"{done:,} decisions:", ", ".join(f"{name} {each:.3f}" for name, each in values.items()), flush=True)


def main(argv=None):
    """Train; write a checkpoint at the start, and with a point of the curve after each match against the thumb."""
    args = arguments(argv)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    setup = parlour.make(args.game, players=args.players)
    folder = args.folder
    net, saved = load(folder / "net.pt") if args.resume else (Net(setup, args.without, args.hidden), {})
    optimizer = torch.optim.Adam(net.parameters(), args.rate, eps=1e-5)
    if args.resume:
        optimizer.load_state_dict(saved["optimizer"])
    done, spent = saved.get("done", 0), saved.get("spent", 0.0)
    batch = parlour.Batch(setup, args.games, args.seed + done, args.threads)
    tensor, mask = batch.observe()
    rollout = Rollout(args.length, args.games, net.body[0].in_features, setup.num_actions, setup.players)
    written, began = Curves(folder), time.process_time() - spent

    def save():
        net.save(folder / "net.pt", optimizer=optimizer.state_dict(), done=done, spent=spent)

    save()
    try:
        for update in count(1):
            part = max(done / args.steps, spent / 60 / args.minutes)
            optimizer.param_groups[0]["lr"] = args.rate * max(0.0, 1 - part)
            advised = done < args.imitate
            rollout.play(batch, net, tensor, mask, advised)
            rollout.compute_advantages(batch, net, args.lam)
            curves = learn(net, optimizer, rollout, args, advised)
            done, spent = done + args.games * args.length, time.process_time() - began
            last = done >= args.steps or spent >= 60 * args.minutes
            if update % args.every == 0 or last:
                curves["against thumb"], curves["interval"] = against_thumb(net, setup, args.test_games, args.seed)
                curves["minutes of a core"] = spent / 60
                save()
                written.add(done, curves)
            if last:
                return curves
    except KeyboardInterrupt:
        print("Stopped; --resume goes on from the last checkpoint.", file=sys.stderr)
        raise


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
