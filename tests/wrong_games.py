"""Mistakes of authors, as edits of the package Lay Away, with the report of ``parlour check`` on each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """A mistake.

    Attributes:
        name: the mistake in a few words.
        edits: for each edit the file, the text, and its replacement.
        law: the law that finds the mistake, or ``error`` if the game cannot be loaded or played.
        says: a pattern that matches the reported sentence.
    """

    name: str
    edits: tuple[tuple[str, str, str], ...]
    law: str
    says: str


def _wrong(name: str, file: str, right: str, wrong: str, law: str, says: str) -> Mistake:
    return Mistake(name, ((file, right, wrong),), law, says)


SECRET = (
    ("rules.py", '        ("away_last", SEAT),', '        ("away_last", SEAT),\n        ("away_secret", CARDS),'),
    ("rules.py", "    state.away_aside |= cards", "    state.away_aside |= cards\n    state.away_secret = cards"),
)
"""Edits that add a field with the cards laid aside."""


def _with_hook(name: str, hook: str, law: str, says: str) -> Mistake:
    """Return a mistake in a hook of ``words.py`` that Lay Away lacks."""
    return _wrong(name, "words.py", "def lines(", f"{hook}\n\n\ndef lines(", law, says)


def _with_partners(name: str, partners: str, says: str) -> Mistake:
    """Return a mistake in ``partners``, which Lay Away lacks."""
    hook = f'@rule\ndef partners(state: Any, seat: int) -> int:\n    """AW-1."""\n    return {partners}\n\n\n'
    return _wrong(name, "rules.py", "@rule\ndef choices(", f"{hook}@rule\ndef choices(", "sides", says)


KNOWLEDGE = (
    _wrong(
        "place leaves the upcoming card where it is",
        "knowledge.py",
        "        state.away_next = unknown",
        "        state.away_next |= unknown",
        "knowledge",
        r"a spectator is shown but cannot know: \w\w",
    ),
    Mistake(
        "a secret stands in the facts",
        (
            *SECRET,
            ("words.py", '        "points": [', '        "secret": int(state.away_secret),\n        "points": ['),
        ),
        "facts",
        r"words.py, facts\(\): the fact 'secret' names \w\w after event \d+, but that card lies in aside",
    ),
    Mistake(
        "a secret stands in the facts as texts",
        (
            *SECRET,
            (
                "words.py",
                '        "points": [',
                '        "last": {"secret": cards_name(int(state.away_secret)).split()},\n        "points": [',
            ),
        ),
        "facts",
        r"words.py, facts\(\): the fact 'last.secret' names \w\w after event \d+, but that card lies in aside",
    ),
    Mistake(
        "a secret stands in a field that place does not fill",
        (*SECRET,),
        "determinizations",
        r"after event \d+ \('away .*' by seat \d\), away_secret is .* in the game, but .* in the replay",
    ),
    _wrong(
        "hides nothing",
        "knowledge.py",
        "return pair_of(action) if action >= PAIR and viewer != state.actor else 0",
        "return 0",
        "determinizations",
        r"event \d+ reads 'away \w\w \w\w', not 'away \w\w \w\w'",
    ),
    _wrong(
        "go is not remembered",
        "rules.py",
        "    state.away_lacks[state.actor] |= higher(state)\n    go_on",
        "    go_on",
        "determinizations",
        r"event \d+: 'go' is not legal",
    ),
    _wrong(
        "is_consistent is left out",
        "knowledge.py",
        "def is_consistent(",
        "def unused(",
        "determinizations",
        r"after event \d+ .*actor is \d",
    ),
    _wrong(
        "a slot excludes cards that may lie there",
        "knowledge.py",
        "allowed[player] = FULL_DECK & ~state.away_lacks[player]",
        "allowed[player] = FULL_DECK & ~state.away_lacks[player] & ~(1023 << 40)",
        "possibility",
        r"knowledge.py, hidden_slots\(\): for seat \d, slot \d excludes \w\w, which lies there",
    ),
    _wrong(
        "is_consistent rejects the truth",
        "knowledge.py",
        "    return not goes_on or",
        "    if state.away_hand[1 - seat] & (1023 << 40) != 0:\n        return False\n    return not goes_on or",
        "possibility",
        r"knowledge.py, is_consistent\(\): rejects the true layout for seat \d",
    ),
    _wrong(
        "is_consistent rejects every layout",
        "knowledge.py",
        "    return not goes_on or",
        "    return goes_on and",
        "possibility",
        r"knowledge.py, is_consistent\(\): rejects the true layout for seat \d",
    ),
    _wrong(
        "is_consistent rejects every layout after an action that may be taken back",
        "knowledge.py",
        "    return not goes_on or state.away_hand[state.actor] & higher(state) != 0",
        "    return state.away_stage != LAYING",
        "possibility",
        r"knowledge.py, is_consistent\(\): rejects the true layout for seat \d",
    ),
    _wrong(
        "a slot of the wrong size",
        "knowledge.py",
        "    sizes[4] = 41",
        "    sizes[4] = 42",
        "possibility",
        r"knowledge.py, hidden_slots\(\): for seat \d, the sizes of the slots add up to 48, but 47 cards are unknown",
    ),
    _wrong(
        "the card turned up is not public",
        "rules.py",
        "    state.public |= bit(state.away_up)\n",
        "",
        "knowledge",
        r"a spectator is shown but cannot know: \w\w",
    ),
    _wrong(
        "a log that fails",
        "layout.py",
        "        log=[],\n",
        '        log=[observation.facts["absent"]] if before else [],\n',
        "error",
        r"layout.py, line \d+, in lay_out: KeyError: 'absent'",
    ),
    _wrong(
        "a layout that cannot show all cards",
        "layout.py",
        '    """A scene of plain rows."""\n',
        '    """A scene of plain rows."""\n    assert observation.seat >= -1\n',
        "error",
        r"layout.py, line \d+, in lay_out: AssertionError",
    ),
    _wrong(
        "a layout without the hand",
        "layout.py",
        "cards = cards_held(observation, seat, zone.known) if zone else []",
        "cards: list[CardSeen] = []",
        "layout",
        r"a choice of the layout needs a place that cannot be tapped: \w\w",
    ),
)
CARDS = (
    _wrong(
        "zones in an order of their own for each viewer",
        "words.py",
        "for player in range(2):\n        hand =",
        "for player in (max(seat, 0), 1 - max(seat, 0)):\n        hand =",
        "card counts",
        "seat 1 is shown hand 1 where a spectator is shown hand 0",
    ),
    _wrong("the stock lacks a card", "rules.py", "range(11, 52)", "range(12, 52)", "conservation", "lies in no zone"),
    Mistake(
        "the last pile is not cleared before the next deal",
        (
            (
                "rules.py",
                "    state.away_piled = 0\n    state.away_go = 0\n    if state.away_hand[0]",
                "    state.away_piled *= 1 if state.away_hand[0] | state.away_hand[1] == 0 else 0\n"
                "    state.away_go = 0\n    if state.away_hand[0]",
            ),
            (
                "rules.py",
                "    state.away_piled = 0\n    state.away_go = 0\n    for seat",
                "    state.away_go = 0\n    for seat",
            ),
            (
                "rules.py",
                "    state.away_stage = PLAYING\n",
                "    state.away_stage = PLAYING\n    state.away_piled = 0\n",
            ),
        ),
        "facts",
        r"words.py, facts\(\): the fact 'pile' names \w\w after event \d+, but that card lies in \w+",
    ),
    _wrong(
        "knowledge is kept after a deal",
        "rules.py",
        "    state.public = 0\n",
        "",
        "knowledge",
        r"a spectator knows but is not shown: \w\w",
    ),
)
NAMES = (
    _wrong(
        "a misspelt field",
        "rules.py",
        "    state.away_dealt += 1",
        "    state.away_delt += 1",
        "error",
        r"rules.py, line \d+, in deal: a state has no field 'away_delt'; is 'away_dealt' meant\?",
    ),
    _wrong(
        "a misspelt option in setup",
        "rules.py",
        'options["bonus"]',
        'options["bonsu"]',
        "error",
        "the option 'bonus' of away has no effect: .*away.rules.setup does not read it",
    ),
    _wrong(
        "an option that setup leaves out",
        "rules.py",
        '    state.away_bonus = options["bonus"]\n',
        "    state.away_bonus = 1\n",
        "error",
        "the option 'bonus' of away has no effect: .*away.rules.setup does not read it",
    ),
    _wrong(
        "an option that no rule reads",
        "rules.py",
        "if state.away_bonus == 1 and suit_of",
        "if suit_of",
        "options",
        r"option 'bonus' has no effect: setup\(\) writes away_bonus, which no rule reads",
    ),
    _wrong(
        "an option of which a value does nothing",
        "rules.py",
        'state.away_deals = options["deals"]',
        'state.away_deals = max(2, options["deals"])',
        "options",
        r"option deals=1 has no effect: setup\(\) writes nothing else into the state than by default",
    ),
    _wrong(
        "a value that is refused for all, since the arguments of refuse are exchanged",
        "__init__.py",
        '"whether a heart turned up brings the dealer a point"',
        '"whether a heart turned up brings the dealer a point", '
        'refuse=lambda value, players: "that is for three players" if players != 3 else None',
        "options",
        r"option bonus=false is not possible in any setup tried; .*: bonus=false is not for 2 players: that is",
    ),
    _with_hook(
        "two outcomes of one text",
        'def chance_name(state: Any, outcome: int) -> str:\n    return "dealer"',
        "actions",
        r"words.py, chance_name\(\): outcomes 0 and 1 have the same text, 'dealer'",
    ),
    _wrong(
        "two actions of one text",
        "words.py",
        "return card_name(action) if action < PAIR",
        "return card_name(action)[1] if action < PAIR",
        "actions",
        r"\d legal actions have the same text",
    ),
    _wrong(
        "an action space without go",
        "words.py",
        'return [*cards, "go", *(',
        "return [*cards, *(",
        "action space",
        r"words.py, actions\(\): the action space lacks 'go', which is legal for seat \d",
    ),
    _wrong(
        "an action space with an action twice",
        "words.py",
        'return [*cards, "go", *(',
        'return [*cards, "go", "go", *(',
        "action space",
        r"words.py, actions\(\): the action space has 'go' twice",
    ),
)
REFUSALS = (
    _wrong(
        "a clause that rules.md does not have",
        "words.py",
        'return Refusal("AW-4", "You can play',
        'return Refusal("AW-55", "You can play',
        "refusals",
        r"words.py, refusal\(\): the refusal of 'go' cites AW-55, but rules.md has no such clause",
    ),
    _wrong(
        "a clause missing in rules.md",
        "rules.md",
        "(AW-3)",
        "",
        "refusals",
        r"cites AW-3, but rules.md has no such clause",
    ),
    _wrong(
        "an option's clause missing in rules.md",
        "__init__.py",
        '2, "AW-1"',
        '2, "AW-9"',
        "clauses",
        r"option 'deals' cites AW-9, but rules.md has no such clause",
    ),
    _wrong(
        "a refusal that fails",
        "words.py",
        '        return Refusal("AW-4", "You can play a card, or have to lay two away.")',
        '        return {}["go"]',
        "refusals",
        r"words.py, line \d+, in refusal: KeyError: 'go', when 'go' is refused",
    ),
    _wrong(
        "a refusal that does not know an action",
        "words.py",
        '    if text == "go":\n',
        '    if text == "pass":\n',
        "refusals",
        r"words.py, refusal\(\): ValueError .* for 'go', which is in the action space",
    ),
    _wrong(
        "lines that do not add up",
        "words.py",
        "points[seat] = int(state.away_made[seat, what])",
        "points[seat] = int(state.away_made[seat, what]) * 2",
        "lines",
        r"words.py, lines\(\): from event 1 to \d+ the lines of seat \d add up to \d+, but its score changes by \d+",
    ),
    Mistake(
        "a number above its declared limit",
        (
            ("rules.py", '("away_dealt", np.int64),', '("away_dealt", number(0)),'),
            ("rules.py", "UNOBSERVED, by_seat, one_of", "UNOBSERVED, by_seat, number, one_of"),
        ),
        "limits",
        r"seat \d observes 1 in away_dealt, outside the limits 0 to 0 that STATE declares",
    ),
    _wrong(
        "a line without the points of a seat",
        "words.py",
        "found.append(Line(words, points, clause, seat))",
        "found.append(Line(words, points[:1], clause, seat))",
        "lines",
        r"words.py, lines\(\): the line 'a heart turned up' has points for 1 seats, not for 2",
    ),
    _wrong(
        "tells_nothing is always true",
        "words.py",
        'return text.startswith("away ")',
        "return True",
        "disclosure",
        r"words.py, tells_nothing\(\): is true of '.*', but (a spectator|seat \d) learns something by it",
    ),
)
RULES = (
    _wrong(
        "a legal action that play cannot carry out",
        "rules.py",
        "        gain(state, state.away_dealer, 0)",
        "        gain(state, state.away_dealer, 2)",
        "error",
        r"after \d+ events.*rules.py, line \d+, in gain: IndexError: index 2",
    ),
    _wrong(
        "an array that is too short",
        "rules.py",
        '("away_pile", CARD, (6,))',
        '("away_pile", CARD, (2,))',
        "error",
        r"after \d+ events.*rules.py, line \d+, in play_card: IndexError: index 2",
    ),
    _wrong(
        "a game without an end",
        "rules.py",
        "OVER if state.away_dealt == state.away_deals else CHANCE",
        "CHANCE",
        "end",
        r"there is no end after 20,\d+ events; the last are '",
    ),
    Mistake(
        "a go that only passes the turn",
        (("rules.py", "|= higher(state)\n    go_on(state)", "|= higher(state)\n    state.actor = 1 - state.actor"),),
        "end",
        r"there is no end after 20,\d+ events; the last are 'go', 'go', 'go', 'go'",
    ),
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
    _wrong(
        "a winner that is no seat",
        "rules.py",
        "    return 1 if scores[0] > scores[1] else 2",
        "    return 5 if scores[0] > scores[1] else 2",
        "sides",
        r"rules.py, score\(\): returns seats 0 and 2 as winners, but there are 2 seats",
    ),
    _with_hook(
        "an ending that fails",
        'def ending(state: Any) -> str:\n    return {}["over"]',
        "error",
        r"words.py, line \d+, in ending: KeyError: 'over'",
    ),
    _with_hook(
        "an ending with a clause that rules.md does not have",
        'def ending(state: Any) -> str:\n    return "all deals were played (AW-77)"',
        "ending",
        r"words.py, ending\(\): the text 'all deals .*' cites AW-77, but rules.md has no such clause",
    ),
    _with_hook(
        "an ending without a text",
        "def ending(state: Any) -> None:\n    pass",
        "ending",
        r"words.py, ending\(\): returns None, but should return a text",
    ),
    _with_hook(
        "advice that fails",
        'def advice(players: int, options: Options) -> list[str]:\n    return {}["deals"]',
        "error",
        r"words.py, line \d+, in advice: KeyError: 'deals'",
    ),
    _with_hook(
        "advice that is no list",
        'def advice(players: int, options: Options) -> str:\n    return "Play two deals."',
        "advice",
        r"words.py, advice\(\): returns 'Play two deals.', but should return a list of sentences",
    ),
    _with_hook(
        "a history longer than its bound",
        "def longest_history(players: int, options: Options) -> int:\n    return 10",
        "histories",
        r"words.py, longest_history\(\): is 10, but the history of seat 0 has \d+ rows",
    ),
    _wrong(
        "a rule that draws at random",
        "rules.py",
        "    state.away_points[seat] += 1",
        '    state.away_points[seat] += __import__("random").choice((0, 1))',
        "determinizations",
        r"away_points\[\d\] is \d in the \w+, but \d in the replay",
    ),
)
HEURISTICS = (
    _wrong(
        "heuristic_action returns an illegal action",
        "fast.py",
        "    return best_of_legal(state, actions, careless, random)",
        "    return 3",
        "heuristic",
        r"fast.py, heuristic_action\(\): returns '5C', which is not legal for seat \d",
    ),
    _wrong(
        "heuristic_choice disagrees with action_value",
        "fast.py",
        "    return best_by_value(state, actions, number, random)",
        "    return number - 1",
        "heuristic",
        r"fast.py, heuristic_choice\(\): chooses '.*', whose action_value is -?\d+, not '.*' with -?\d+",
    ),
    _wrong(
        "heuristic_choice returns no index",
        "fast.py",
        "    return best_by_value(state, actions, number, random)",
        "    return number",
        "heuristic",
        r"fast.py, heuristic_choice\(\): returns \d+, which is not an index of \d+ actions",
    ),
    _wrong(
        "action_value reads the other's hand",
        "heuristic.py",
        "        return -rank_of(action)\n",
        "        return -rank_of(action) - (state.away_hand[1 - state.actor] & 255)\n",
        "heuristic",
        r"heuristic.py, action_value\(\): values '\w\w' at -?\d+, but at -?\d+ where only what seat \d cannot know",
    ),
    _wrong(
        "action_value changes the state",
        "heuristic.py",
        "        return -rank_of(action)\n",
        "        state.away_points[0] += 1\n        return -rank_of(action)\n",
        "heuristic",
        r"heuristic.py, action_value\(\): changes the state: away_points",
    ),
)
MISTAKES = (*KNOWLEDGE, *CARDS, *NAMES, *REFUSALS, *RULES, *HEURISTICS)
