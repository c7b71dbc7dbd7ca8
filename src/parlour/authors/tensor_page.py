"""Generate ``docs/tensors.md``: the tensors of each game, field by field."""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from parlour.engine.information.planes import Plane
from parlour.engine.information.tensor_description import PlaneDescription, unit_of, words_of
from parlour.engine.setup import Setup
from parlour.games import find_game, game_ids
from parlour.render.words import with_minus

WIDTH = 100
"""Width of the page's prose, in columns."""
INTRODUCTION = """
# Tensors

*Made from the code by `make docs`; a test holds this page to it.*

Each game's tensors with its usual number of players and options. `setup.describe_tensor()` has the
same for any setup, plane by plane, with the name of every cell.
[Parlour from Python](python.md#an-observation-what-a-seat-may-know) and
[The games as environments](environments.md#tensors) say how to get them.

- Planes of one field follow each other; the cells are those of all its planes. Items by seat or by
  place at the table begin with the observer's own, the next ones follow clockwise; what else numbers
  the planes is in brackets.
- **Units**: a cell is *yes or no* (1 or 0), a card's *place in the order* (from 1; 0 if it is not
  there), a number of *sets*, or a number of what the column says.
- *State* planes are those of the full state's tensor alone (`match.state_tensor()` and
  `batch.state_tensor()`, for centralized critics), at their place there. In it, all cards of the other
  planes are open, too.
- The **version**, `setup.tensor_version`, changes whenever rules, layouts or the action space do.
"""


def tensor_page() -> str:
    """Return the whole page as Markdown."""
    return "\n\n".join([INTRODUCTION.strip(), *map(_game_text, game_ids())]) + "\n"


def _game_text(game_id: str) -> str:
    game = find_game(game_id)
    setup = Setup(game, game.usual_players)
    observed = {plane.name for plane in setup.observation_planes}
    hidden = [plane for plane in setup.state_planes if plane.name not in observed]
    about = (
        f"{setup.label}: version `{setup.tensor_version}`; {setup.observation_shape[0]:,} cells of an observation, "
        f"{setup.state_shape[0]:,} of a full state, {setup.num_actions:,} actions."
    )
    head = "| planes | cells | unit | range | meaning |\n|---|---|---|---|---|"
    rows = [*_rows(setup, setup.observation_planes), *(f"{row[:2]}*state* {row[2:]}" for row in _rows(setup, hidden))]
    history = "| slice | cells | unit | range | meaning |\n|---|---|---|---|---|"
    length = f"{setup.history_length:,} rows" if setup.history_length else "as many rows as you choose,"
    return "\n\n".join(
        [
            f"## {game.title}",
            textwrap.fill(about, WIDTH),
            "\n".join([head, *rows]),
            f"A history has {length} of {setup.history_width} cells:",
            "\n".join([history, *map(_history_row, setup.describe_tensor("history"))]),
        ]
    )


def _rows(setup: Setup, planes: Sequence[Plane]) -> Iterator[str]:
    """Yield a row of the table for the planes of each field that are alike."""
    for _, group in groupby(planes, lambda plane: (plane.field, plane.cells, plane.limits)):
        alike = list(group)
        first, words = alike[0], words_of(setup, alike[0])
        name = f"`{first.name}`" if len(alike) == 1 else f"`{first.name}` … `{alike[-1].name}`"
        cells = f"{first.start}–{alike[-1].slice.stop - 1}"
        named = [" or ".join(axis) if isinstance(axis, tuple) else axis for axis in words.axes]
        index = f" ({'; '.join(named)})" if named and len(alike) > 1 else ""
        values = f": {', '.join(words.values)}" if words.values else ""
        shape = f"{len(alike)} × {len(first.cells)}" if len(alike) > 1 else f"{len(first.cells)}"
        meaning = f"{words.text}{index}{values}"
        yield f"| {name} | {cells} ({shape}) | {unit_of(first, words)} | {_range(first.limits)} | {meaning} |"


def _range(limits: tuple[float, float]) -> str:
    return with_minus(f"{limits[0]:g} to {limits[1]:g}")


def _history_row(slice_: PlaneDescription) -> str:
    few = f": {', '.join(f'`{cell}`' for cell in slice_.cells)}" if slice_.name in ("form", "place") else ""
    at = f"{slice_.slice.start}–{slice_.slice.stop - 1} ({len(slice_.cells)})"
    return f"| `{slice_.name}` | {at} | {slice_.unit} | {_range(slice_.range)} | {slice_.meaning}{few} |"


if __name__ == "__main__":
    import sys

    Path(sys.argv[1]).write_text(tensor_page(), encoding="utf-8")
