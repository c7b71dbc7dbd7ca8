"""The page of the figures, ``docs/performance.md``."""

import statistics
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

TEXT = """# How fast it is

`make figures` writes this page. It measures Parlour beside OpenSpiel, Pgx, RLCard and PettingZoo's
classic games in one run. It installs these libraries and Stable-Baselines3 in environments of their
own, and takes some minutes.

Each figure is the median of {tries} tries of {seconds} seconds, with the least and the greatest in
brackets. The libraries take turns, a try at a time. Runs on one core are measured in processor time.
Runs on all cores are measured in wall-clock time, as are those of Pgx, which always uses all cores.
Only players' actions are counted, but the time includes chance events. Each legal action is equally
likely.

{about}

## Targets

{aims}

Targets without a ratio are rates per second in the slowest of Parlour's five games. Former figures are
of commit a802e69. [Decision 193](decisions/0193-single-games-are-environments.md) explains what limits
the rates of a match and of a batch of one game.

## The same game: Oh Hell

[`examples/oh_hell/`](../examples/oh_hell/README.md) has the same actions as OpenSpiel's `oh_hell`. The
games have four players and ten tricks. OpenSpiel draws the number of tricks, the dealer and every card
as separate chance events, 43 a game. Parlour shuffles once. [Decision
131](decisions/0131-random-action.md) compares the rules with a hand-written loop for this game.

{same}

## Random actions a second

{steps}

{others}

With observations: before each action the player to act gets its observation tensor, and in Parlour also
the mask of legal actions. Tensors are `float32` unless noted. Pgx, RLCard and PettingZoo compute an
observation at every step.

{observed}

{observing}

Through PettingZoo's interface, one game at a time, by the loop of PettingZoo's documentation: `reset`,
`agent_iter`, `last`, `sample` of the agent's action space with the mask, `step`. Parlour's action space
draws the same actions as Gymnasium's in less time. PettingZoo's games use Gymnasium's action space.

{zoo}

Through every interface, on one core:

- steps of the learner through Gymnasium, with one game (`make`) against `random` and `thumb`, and with
  256 games (`make_vec`) against `thumb`;
- `CompiledGame` and a batch of one game, both with observations;
- a match, without observations (`legal_actions`, `act`);
- tensors of observations (`Observation.tensor`);
- OpenSpiel's interface from Python, with observations (`make_observation`).

The last rows are OpenSpiel's own games, which are written in C++, driven from Python: without
observations in the column of matches, with observations in the last column.

{entrances}

`MaskablePPO` of Stable-Baselines3 against `thumb`, end to end: decisions from the observation to the
update, 4,096 decisions between two updates, minibatches of 1,024, four epochs, one thread. PyTorch
takes most of the time. With the usual minibatches of 64 and ten epochs, 64 games of Trime Kicker make
1,200 decisions a second.

{learners}

## Search

Iterations a second on one core, in the middle of a game. An iteration is a determinization, a path
through the tree, and a playout of the round. Playouts follow the game's heuristic in Parlour, and are
random in OpenSpiel (`ISMCTSBot`).

{search}

## Determinizations

Determinizations a second on one core, in the middle of a game, and the share of impossible
determinizations. A determinization is impossible if its game is not legal when it is replayed, for
example because a player holds a suit that this player did not follow. OpenSpiel's own test checks only
that the observing player sees the same.

{determinizations}

## Memory and start

{memory}

{start}
"""


@dataclass
class Figures:
    """Figures of both sides.

    Attributes:
        facts: facts of each side, by name.
        rates: result of each try, by side and measure; ``None`` if it failed.
    """

    facts: dict[str, dict[str, Any]]
    rates: dict[tuple[str, str], list[float | None]] = field(default_factory=dict)

    def fact(self, side: str, name: str) -> Any:
        """Return a fact of a side; an empty dictionary if there is none."""
        return self.facts.get(side, {}).get(name) or {}

    def median(self, side: str, name: str) -> float:
        """Return the median of the tries; 0 if there is none."""
        return statistics.median(self._tries(side, name) or [0.0])

    def cell(self, side: str, name: str) -> str:
        """Return the median with the least and the greatest value."""
        found = self._tries(side, name)
        if not found:
            return "–"
        return f"{number(statistics.median(found))} ({number(min(found))}–{number(max(found))})"

    def _tries(self, side: str, name: str) -> list[float]:
        return [rate for rate in self.rates.get((side, name), []) if rate is not None]

    def names(self, side: str, kind: str) -> list[str]:
        """Return the names measured for a kind of measure."""
        return [name.removeprefix(f"{kind} ") for of, name in self.rates if of == side and name.startswith(f"{kind} ")]


def number(value: float) -> str:
    """Format a number with three digits: ``24.4 M``, ``152 k`` or ``27``."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}" if value < 1000 * size else f"{value / size:.0f} {unit}"
    return f"{value:.3g}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


Found = Callable[[Figures], float]
"""Returns the figure that a target is compared with; 0 if it was not measured."""


def _ratio(ours: str, theirs: str) -> Found:
    """Return a function for the ratio of a measure of Parlour to one of another library."""

    def found(figures: Figures) -> float:
        there = figures.median("others", theirs)
        return figures.median("ours", ours) / there if there else 0.0

    return found


def _least(side: str, kind: str) -> Found:
    """Return a function for the rate of the slowest of Parlour's five games."""

    def found(figures: Figures) -> float:
        return min((figures.median(side, f"{kind} {game}") for game in figures.names("ours", "vector")), default=0.0)

    return found


TIMES = [
    ("Oh Hell, random games: ratio to OpenSpiel's whole games in C++", 25, _ratio("steps oh-hell", "bots oh_hell")),
    (
        "Oh Hell, random games: ratio to OpenSpiel's rollouts from after the deal",
        25,
        _ratio("steps oh-hell", "rollouts oh_hell"),
    ),
    (
        "Trick Walls, observed steps: ratio to OpenSpiel's hearts",
        10,
        _ratio("observed trick-walls", "observed hearts"),
    ),
    (
        "Trick Walls through PettingZoo: ratio to its Leduc hold'em",
        10,
        _ratio("zoo trick-walls", "zoo leduc_holdem_v4"),
    ),
    ("Oh Hell, `CompiledGame`, observed: ratio to OpenSpiel", 1, _ratio("compiled oh-hell", "observed oh_hell")),
    ("Oh Hell, a match: ratio to OpenSpiel driven from Python", 1, _ratio("match oh-hell", "python oh_hell")),
    ("Oh Hell, a batch of one, observed: ratio to OpenSpiel", 1, _ratio("one oh-hell", "observed oh_hell")),
]
"""Targets as ratios: the text, the ratio aimed at, and the figure."""
RATES = [
    ("Gymnasium with one game against `random`, own steps", 50_000, _least("ours", "solo random")),
    ("Gymnasium with one game against `thumb`, own steps", 50_000, _least("ours", "solo thumb")),
    ("`MaskablePPO` on `VecCardGames`, decisions (formerly, through `make`, 222)", 2_220, _least("learners", "ppo")),
    ("OpenSpiel's interface, observed steps (formerly 1,080)", 10_800, _least("ours", "spiel")),
    ("`Observation.tensor` (formerly 670 to 1,250)", 12_500, _least("ours", "tensor")),
]
"""Targets as rates: the text, the rate per second aimed at, and the figure."""


def _aims(figures: Figures) -> str:
    """Return the table of targets and measured figures."""
    rows = []
    for what, aim, found in TIMES:
        ratio = found(figures)
        rows.append([what, f"{aim} times", f"{ratio:.3g} times", "yes" if ratio >= aim else "no"])
    for what, aim, found in RATES:
        rate = found(figures)
        rows.append([what, number(aim), number(rate), "yes" if rate >= aim else "no"])
    return table(["", "aim", "found", "reached"], rows)


def _same_game(figures: Figures) -> str:
    pairs = [
        ("random games", "steps oh-hell", "rollouts in C++ after the deal", "rollouts oh_hell"),
        ("", "steps oh-hell", "games between random bots in C++", "bots oh_hell"),
        ("", "steps oh-hell", "driven from Python", "python oh_hell"),
        ("with observations", "observed oh-hell", "driven from Python", "observed oh_hell"),
        ("search", "search oh-hell", "`ISMCTSBot` in C++", "search oh_hell"),
        ("determinizations", "determinizations oh-hell", "from Python", "determinizations oh_hell"),
    ]
    rows = []
    for what, ours, how, theirs in pairs:
        there = figures.median("others", theirs)
        ratio = f"{figures.median('ours', ours) / there:.3g}" if there else "–"
        shown = figures.cell("ours", ours) if what else "as above"
        rows.append([what or "random games", shown, f"{figures.cell('others', theirs)}, {how}", ratio])
    return table(["a second, on one core", "Parlour", "OpenSpiel", "ratio"], rows)


def _ours(figures: Figures, kind: str, more: Sequence[str] = ()) -> str:
    """Return the table of Parlour's games for a kind of measure: on one core, in variants ``more``, on all cores."""
    labels = figures.fact("ours", "games")
    kinds = [kind, *(f"{kind} {each}" for each in more), f"{kind} all-cores"]
    rows = [[labels.get(game, game), *(figures.cell("ours", f"{each} {game}") for each in kinds)] for game in labels]
    return table(["Parlour", "one core", *(f"one core, `{each}`" for each in more), "all cores"], rows)


def _theirs(figures: Figures, kinds: Sequence[tuple[str, str]]) -> str:
    rows = [
        [about, name, figures.cell("others", f"{kind} {name}")]
        for kind, about in kinds
        for name in figures.names("others", kind)
    ]
    return table(["others", "game", "actions a second"], rows)


def _beside(figures: Figures, kind: str, more: Sequence[str], extra: Any) -> str:
    """Return the table of both sides' games for a kind of measure; ``extra`` returns the cells of columns ``more``."""
    labels = figures.fact("ours", "games")
    rows = [
        *(
            ["Parlour", labels.get(game, game), figures.cell("ours", f"{kind} {game}"), *extra("ours", game)]
            for game in labels
        ),
        *(
            ["OpenSpiel", game, figures.cell("others", f"{kind} {game}"), *extra("others", game)]
            for game in figures.names("others", kind)
        ),
    ]
    return table(["", "game", "a second", *more], rows)


def _zoo(figures: Figures) -> str:
    """Return the table of both sides' games through PettingZoo's interface."""
    labels = figures.fact("ours", "games")
    rows = [
        ["Parlour", labels.get(game, game), figures.cell("ours", f"zoo {game}")]
        for game in figures.names("ours", "zoo")
    ]
    rows += [["PettingZoo", name, figures.cell("others", f"zoo {name}")] for name in figures.names("others", "zoo")]
    return table(["", "game", "actions a second"], rows)


ENTRANCES = {
    "solo random": "`make`, random",
    "solo thumb": "`make`, thumb",
    "vector": "`make_vec`",
    "compiled": "`CompiledGame`",
    "one": "batch of one",
    "match": "match",
    "tensor": "tensors",
    "spiel": "OpenSpiel",
}


def _entrances(figures: Figures) -> str:
    """Return the table of the rates through each interface."""
    labels = figures.fact("ours", "games")
    rows = [
        [labels.get(game, game), *(figures.cell("ours", f"{kind} {game}") for kind in ENTRANCES)]
        for game in figures.names("ours", "match")
    ]
    theirs = {"match": "python", "spiel": "observed"}
    rows += [
        [f"OpenSpiel's {game}", *(figures.cell("others", f"{theirs.get(kind, '')} {game}") for kind in ENTRANCES)]
        for game in figures.names("others", "observed")
    ]
    return table(["a second", *ENTRANCES.values()], rows)


def _learners(figures: Figures) -> str:
    """Return the table of decisions with Stable-Baselines3."""
    labels = figures.fact("ours", "games")
    rows = [
        [
            labels.get(game, game) + (", word by word" if game in figures.fact("learners", "factored") else ""),
            *(figures.cell("learners", f"{kind} {game}") for kind in ("ppo one", "ppo")),
        ]
        for game in figures.names("ours", "vector")
    ]
    return table(["decisions a second", "one game (`make`)", "64 games (`VecCardGames`)"], rows)


def _illegal(figures: Figures) -> Any:
    def cells(side: str, game: str) -> list[str]:
        found = figures.fact(side, "illegal").get(game)
        return [f"{100 * found[0] / found[1]:.0f} % ({found[0]} of {found[1]:,})" if found else "–"]

    return cells


def _memory(figures: Figures) -> str:
    labels = figures.fact("ours", "games")
    rows = [
        ["Parlour, in a batch", labels.get(game, game), f"{size:,}"]
        for game, size in figures.fact("ours", "bytes").items()
    ]
    rows += [["OpenSpiel, a state", game, f"{size:,}"] for game, size in figures.fact("others", "bytes").items()]
    return table(["", "game", "bytes a game going on"], rows)


def _start(figures: Figures) -> str:
    cold, warm, imports = figures.fact("ours", "start") or (0, 0, 0)
    rows = [
        ["Parlour, its code compiled before", f"{imports + warm:.2f}"],
        ["Parlour, for the first time ever", f"{imports + cold:.2f}"],
        *([name, f"{seconds:.2f}"] for name, seconds in figures.fact("others", "start").items()),
    ]
    return table(["from nothing to the first random games, in a new process", "seconds"], rows)


def performance_page(figures: Figures, about: str, tries: int, seconds_a_try: float) -> str:
    """Return the page."""
    installed = {**figures.fact("others", "versions"), **figures.fact("learners", "versions")}
    versions = ", ".join(f"{name} {version}" for name, version in installed.items())
    return TEXT.format(
        tries=tries,
        seconds=seconds_a_try,
        about=textwrap.fill(f"{about}. {versions}.", 100, break_on_hyphens=False),
        aims=_aims(figures),
        same=_same_game(figures),
        steps=_ours(figures, "steps"),
        others=_theirs(figures, [("rollouts", "OpenSpiel in C++"), ("python", "OpenSpiel from Python")]),
        observed=_ours(figures, "observed", ["int16"]),
        observing=_theirs(
            figures,
            [
                ("observed", "OpenSpiel from Python"),
                ("pgx", "Pgx, all cores"),
                ("rlcard", "RLCard"),
            ],
        ),
        zoo=_zoo(figures),
        entrances=_entrances(figures),
        learners=_learners(figures),
        search=_beside(figures, "search", [], lambda side, game: []),
        determinizations=_beside(figures, "determinizations", ["illegal"], _illegal(figures)),
        memory=_memory(figures),
        start=_start(figures),
    )
