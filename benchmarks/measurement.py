"""Measurement of Parlour and other libraries: one process for each, which performs one try at a time on request.

Imports the standard library only, since it also runs in the environment of the other libraries.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Work = Callable[[], int]
"""Does a fraction of a second of work; returns its amount, in the unit of the measure."""

SECONDS = 0.3
"""Minimum seconds of a try."""


@dataclass(frozen=True)
class Measure:
    """A measure.

    Attributes:
        prepare: prepares the measurement and returns the work.
        all_cores: whether it uses all cores and is measured by wall-clock time; otherwise by processor time.
    """

    prepare: Callable[[], Work]
    all_cores: bool = False


def rate(work: Work, all_cores: bool) -> float:
    """Return the amount of work per second in one try."""
    clock = time.perf_counter if all_cores else time.process_time
    done, start = 0, clock()
    while clock() - start < SECONDS:
        done += work()
    return done / (clock() - start)


def memory() -> int:
    """Return the memory of this process, in bytes; 0 on systems without ``/proc``."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        return 0


def zoo_steps(env: Any) -> Work:
    """Return the work of random games in an environment with PettingZoo's interface, played as in its documentation."""

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
    """Read names from standard input; answer a measure with one try, a fact with its value, each as a line of JSON.

    The available names are sent first. The first work of a measure is not timed, since it compiles and fills caches.
    """
    ready: dict[str, Work] = {}
    out, sys.stdout = sys.stdout, sys.stderr  # keep other output out of the answers
    print(json.dumps([list(measures), list(facts)]), file=out, flush=True)
    for line in sys.stdin:
        name = line.strip()
        try:
            if name in facts:
                answer = facts[name]()
            else:
                if name not in ready:
                    ready[name] = measures[name].prepare()
                    ready[name]()
                answer = rate(ready[name], measures[name].all_cores)
        except Exception as error:  # a failing measure must not stop the others
            answer = None
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
        print(json.dumps(answer), file=out, flush=True)
