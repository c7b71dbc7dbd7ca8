"""Mistakes about the end of a game: its sides and winners, its ending, its histories; and about advice."""

from tests.mistakes import Mistake, wrong, wrong_hook


def _with_partners(name: str, partners: str, says: str) -> Mistake:
    """Return a mistake in ``partners``, which Lay Away lacks."""
    hook = f'@rule\ndef partners(state: Any, seat: int) -> int:\n    """AW-1."""\n    return {partners}\n\n\n'
    return wrong(name, "rules.py", "@rule\ndef choices(", f"{hook}@rule\ndef choices(", "sides", says)


ENDS = (
    _with_partners(
        "a partner without a partner",
        "3 if seat == 0 else 2",
        r"rules.py, partners\(\): gives seat 0 seats 0 and 1, but seat 1 seat 1",
    ),
    _with_partners(
        "partners without their own seat",
        "2 - seat",
        r"rules.py, partners\(\): gives seat 0 seat 1, but should give it itself",
    ),
    _with_partners(
        "partners that change",
        "3 if state.actor == OVER else 1 << seat",
        r"rules.py, partners\(\): gives seat 0 seats 0 and 1 at the end, but seat 0 at the start",
    ),
    _with_partners(
        "partners of which one wins", "3", r"rules.py, score\(\): of the side of seats 0 and 1 only seat \d wins"
    ),
    wrong(
        "a winner that is no seat",
        "rules.py",
        "    return 1 if scores[0] > scores[1] else 2",
        "    return 5 if scores[0] > scores[1] else 2",
        "sides",
        r"rules.py, score\(\): returns seats 0 and 2 as winners, but there are 2 seats",
    ),
    wrong_hook(
        "an ending that fails",
        'def ending(state: Any) -> str:\n    return {}["over"]',
        "error",
        r"words.py, line \d+, in ending: KeyError: 'over'",
    ),
    wrong_hook(
        "an ending with a clause that rules.md does not have",
        'def ending(state: Any) -> str:\n    return "all deals were played (AW-77)"',
        "ending",
        r"words.py, ending\(\): the text 'all deals .*' cites AW-77, but rules.md has no such clause",
    ),
    wrong_hook(
        "an ending without a text",
        "def ending(state: Any) -> None:\n    pass",
        "ending",
        r"words.py, ending\(\): returns None, but should return a text",
    ),
    wrong_hook(
        "advice that fails",
        'def advice(players: int, options: Options) -> list[str]:\n    return {}["deals"]',
        "error",
        r"words.py, line \d+, in advice: KeyError: 'deals'",
    ),
    wrong_hook(
        "advice that is no list",
        'def advice(players: int, options: Options) -> str:\n    return "Play two deals."',
        "advice",
        r"words.py, advice\(\): returns 'Play two deals.', but should return a list of sentences",
    ),
    wrong_hook(
        "a history longer than its bound",
        "def longest_history(players: int, options: Options) -> int:\n    return 10",
        "histories",
        r"words.py, longest_history\(\): is 10, but the history of seat 0 has \d+ rows",
    ),
)
