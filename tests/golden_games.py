"""Writer of the golden games, for use after an intended change of rules: ``python -m tests.golden_games``.

A golden game is a short record with its whole trace, one event or decision a line. ``reference.py`` of a game names
its golden games.
"""

import json

from parlour.engine.matches.records import trace
from parlour.engine.setup import Setup
from parlour.games import all_games
from tests.game_modules import folder_of, module_of
from tests.helpers import random_game


def laid_out(golden):
    """Return a golden game as JSON with one event or decision a line."""
    record, rows = golden["record"], golden["trace"]
    head = {key: value for key, value in record.items() if key not in ("events", "result")}
    lines = ["{", ' "record": {']
    lines += [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    lines += ['  "events": [', *_rows(record["events"], "   "), "  ],"]
    lines += [f'  "result": {json.dumps(record["result"])}', " },"]
    lines += [' "trace": [', *_rows(rows, "  "), " ],", f' "result": {json.dumps(golden["result"])}', "}"]
    return "\n".join(lines) + "\n"


def _rows(rows, indent):
    return [indent + json.dumps(row) + ("," if row is not rows[-1] else "") for row in rows]


def main():
    """Write the golden games of all games."""
    for game in all_games():
        folder = folder_of(game) / "golden"
        folder.mkdir(exist_ok=True)
        for name, (players, options, seed) in module_of(game, "reference").GOLDEN.items():
            record = random_game(Setup(game, players, options), seed).record()
            (folder / f"{name}.json").write_text(laid_out({"record": record, **trace(record)}))


if __name__ == "__main__":
    main()
