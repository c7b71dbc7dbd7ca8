"""How both sides are measured: a process of each does one try at a time, as it is asked, so that they take turns.

Needs nothing but Python, since it also runs in the environment of the others.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Work = Callable[[], int]
"""Does some work, a fraction of a second at most; returns how much, in whatever is counted."""

SECONDS = 0.3
"""Of a try, at least."""


@dataclass(frozen=True)
class Measure:
    """What is measured.

    Attributes:
        prepare: makes everything ready, and gives the work.
        everywhere: whether it is done on all cores; then the clock on the wall counts, otherwise processor time.
    """

    prepare: Callable[[], Work]
    everywhere: bool = False


def rate(work: Work, everywhere: bool) -> float:
    """How much is done a second, in one try."""
    clock = time.perf_counter if everywhere else time.process_time
    done, start = 0, clock()
    while clock() - start < SECONDS:
        done += work()
    return done / (clock() - start)


def memory() -> int:
    """The memory of this process, in bytes; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        return 0


def zoo_steps(env: Any) -> Work:
    """Random games of an environment of PettingZoo's kind, as its documents play them."""

    def work() -> int:
        env.reset()
        done = 0
        for agent in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
                done += 1
        return done

    return work


def serve(measures: Mapping[str, Measure], facts: Mapping[str, Callable[[], Any]]) -> None:
    """Answer the name of a measure with one try, or of a fact with what it is, a line of JSON each.

    The names come first. The first try of a measure is not told: it is for compiling, and for filling caches.
    """
    ready: dict[str, Work] = {}
    out, sys.stdout = sys.stdout, sys.stderr  # whatever else is printed here
    print(json.dumps([list(measures), list(facts)]), file=out, flush=True)
    for line in sys.stdin:
        name = line.strip()
        try:
            if name in facts:
                told = facts[name]()
            else:
                if name not in ready:
                    ready[name] = measures[name].prepare()
                    ready[name]()
                told = rate(ready[name], measures[name].everywhere)
        except Exception as error:  # one of them being broken must not keep us from the others
            told = None
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
        print(json.dumps(told), file=out, flush=True)
