"""Write the golden games anew, after a change of rules that is meant: ``python -m tests.golden.make``.

A golden game is a short record with its whole trace, laid out for reading: one event or decision a line.
"""

import json
from pathlib import Path

from parlour.engine.records import trace
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.helpers import random_game

HERE = Path(__file__).parent
GAMES = {
    "castle-walls": ("castle-walls", 2, {"turn_limit": 20}, 36),
    "trick-walls-two-players": ("trick-walls", 2, {"rounds": 1}, 4),
    "trick-walls-long-run": ("trick-walls", 4, {"rounds": 1, "long_run": True, "kill_balance": True}, 5),
    "trick-walls-city-keepers": ("trick-walls", 5, {"rounds": 1, "city_keepers": True, "pure_bonus_points": 5}, 6),
    "trime-kicker-plain": ("trime-kicker", 2, {}, 0),
    "trime-kicker-low-ace": ("trime-kicker", 2, {"ace": "low", "judge": "leader"}, 91),
    "tricky-tribes": ("tricky-tribes", 3, {"rounds": 1}, 8),
    "tricky-tribes-jokers-and-pairs": ("tricky-tribes", 4, {"rounds": 1, "jokers": 2, "teams": "pairs"}, 9),
    "three-tricks": ("three-tricks", 2, {}, 727),
    "three-tricks-stalled": ("three-tricks", 2, {"stall_turns": 5, "replacing_ends_turn": False}, 3),
}


def laid_out(golden):
    """JSON with one event and one decision a line."""
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
    """Write them all."""
    for name, (game_id, players, options, seed) in GAMES.items():
        record = random_game(Setup(find_game(game_id), players, options), seed).record()
        (HERE / f"{name}.json").write_text(laid_out({"record": record, **trace(record, find_game)}))


if __name__ == "__main__":
    main()
