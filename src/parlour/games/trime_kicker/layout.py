"""Trime Kicker: the layout, four piles in the middle, each player with main pile and backup."""

from collections.abc import Sequence

from parlour.cards import card_name
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE, NOBODY
from parlour.render.scene import (
    Area,
    CardSeen,
    Choice,
    Layout,
    Row,
    Scene,
    ScoreLine,
    Term,
    cards_gained,
    cards_held,
    last_event,
    scene_of,
    standings_of,
)
from parlour.render.words import counted, name_of, says, the_card

BACKUP = "backup"
"""Token of the viewer's own backup."""
LABELS = {"draw": "Draw from the backup", "decline": "Decline"}


def lay_out(observation: Observation, names: Sequence[str], before: Observation | None) -> Scene:
    """Return the scene: the viewer's cards on the near side, the piles in the middle, the other player's beyond."""
    own = max(observation.seat, 0)
    return scene_of(
        observation,
        "Trime Kicker",
        heading=_heading(observation),
        prompt=_prompt(observation, names),
        areas=[
            _middle(observation, names),
            _player(observation, names, own, 0),
            _player(observation, names, 1 - own, 1),
        ],
        score=[
            ScoreLine(f"player-{0 if line.points[0] else 1}", line.what, sum(line.points), line.clause)
            for line in observation.lines
        ],
        standings=standings_of(observation, names, observation.standing.scores),
        log=_log(observation, names, before),
        choices=[_choice(action) for action in observation.legal],
        outcome=_outcome(observation, names),
    )


def _choice(action: str) -> Choice:
    card, _, pile = action.partition(" on ")
    if pile:
        return Choice(action, "Lay", [card, f"pile-{pile}"])
    return Choice(action, LABELS[action], [BACKUP] if action == "draw" else [])


def phrase(observation: Observation, action: str) -> str:
    """Return the log's wording of a legal action of the viewer, to follow "You"."""
    card, _, pile = action.partition(" on ")
    return f"lay {the_card(card)} on pile {pile}" if pile else {"draw": "draw from the backup"}.get(action, action)


def meant(observation: Observation, tokens: Sequence[str]) -> list[str]:
    """Return the action for a chosen card and pile; its beginning or end if only one of them is chosen."""
    if BACKUP in tokens:
        return ["draw"]
    cards = [token for token in tokens if not token.startswith("pile-")]
    piles = [token.removeprefix("pile-") for token in tokens if token.startswith("pile-")]
    return [" ".join([*cards[-1:], *(f"on {pile}" for pile in piles[-1:])])]


def _heading(observation: Observation) -> str:
    if observation.facts["stage"] in ("deal", "first"):
        return "Before the first turn"
    laid = sum(player["laid"] for player in observation.facts["players"])
    return f"{laid} of 48 cards laid"


def _prompt(observation: Observation, names: Sequence[str]) -> str:
    if observation.over:
        return "The game is over."
    if observation.actor == CHANCE:
        return (
            "The cards are about to be dealt." if observation.facts["stage"] == "deal" else "A coin decides who begins."
        )
    ordered = observation.facts["ordered"]
    if observation.actor != observation.seat:
        return (
            f"{names[observation.actor]} must move, by the judge's order."
            if ordered
            else f"{names[observation.actor]} is to move."
        )
    judge = "The judge orders you to move: " if ordered else ""
    if observation.legal == ["decline"]:
        return "None of your cards fits, and your backup is empty: you can only decline."
    then = "or decline too; then the rule decides who must play" if observation.facts["declined"] else "or decline"
    if "draw" in observation.legal:
        return (
            f"{judge}none of your cards fits, so draw."
            if ordered
            else f"Your turn: none of your cards fits; draw, {then}."
        )
    return f"{judge}lay a card on a pile." if ordered else f"Your turn: lay a card on a pile, {then}."


def _number(observation: Observation, option: str) -> int:
    """Return the value of an option that is a number."""
    return int(observation.options[option])


def _middle(observation: Observation, names: Sequence[str]) -> Area:
    rows = []
    for number, pile in enumerate(observation.facts["piles"], 1):
        owner = pile["controller"]
        whose = "nobody's" if owner == NOBODY else "yours" if owner == observation.seat else f"{names[owner]}'s"
        points = _number(observation, "pile_points") + (_number(observation, "bonus_points") if pile["bonus"] else 0)
        value = "" if owner == NOBODY else f", {points}"
        top = CardSeen(pile["top"], True, f"{whose}{value}", None, "", "" if owner == NOBODY else f"player-{owner}")
        rows.append(Row(f"pile-{number}", f"Pile {number}", "slot", [top], token=f"pile-{number}"))
    for number in range(len(rows)):
        zone = observation.zone("pile", number)
        covered = [card for card in zone.cards[:-1] if card is not None] if zone else []
        cards = [CardSeen(card_name(card)) for card in covered]
        rows.append(Row(f"covered-{number + 1}", f"Covered on pile {number + 1}", "last", cards))
    return Area("middle", "Piles", None, rows)


def _player(observation: Observation, names: Sequence[str], seat: int, at: int) -> Area:
    facts = observation.facts["players"][seat]
    turn = observation.actor == seat
    notes = [f"{counted(facts['laid'], 'card')} laid"] if facts["laid"] else []
    if turn and observation.facts["ordered"]:
        notes.append("ordered by the judge")
    if turn and observation.facts["drew"]:
        notes.append(f"{observation.facts['drew']} drawn in this turn")
    if not turn and observation.facts["declined"] and not observation.over:
        notes.append("declined")
    return Area(
        id=f"player-{seat}",
        title=name_of(observation, names, seat),
        at=at,
        rows=_rows(observation, seat),
        seat=seat,
        active=turn,
        turn="to move",
        notes=notes,
        points=observation.standing.scores[seat],
    )


def _rows(observation: Observation, seat: int) -> list[Row]:
    held, backup = observation.zone("main pile", seat), observation.zone("backup", seat)
    if held is None or backup is None:
        return []
    cards = cards_held(observation, seat, held.known)
    shown = [CardSeen(card_name(card), False) for card in backup.known]
    own = BACKUP if seat == observation.seat else None
    return [
        Row(f"player-{seat}-main", "Hand", "hand", cards, held.hidden),
        Row(f"player-{seat}-backup", "Backup", "pile", shown, backup.hidden, token=own),
    ]


# Log lines


def _log(observation: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    event = last_event(observation, before)
    if event is None or before is None:
        return []
    if event.by == CHANCE:
        log = _log_chance(observation, names, event.do)
    elif event.do == "draw":
        log = _log_draw(observation, names, event.by, before)
    elif event.do == "decline":
        log = _log_decline(observation, names, event.by, before)
    else:
        log = _log_card(observation, names, event.by, event.do, before)
    if observation.over:
        log += ["Nobody can lay or draw any more: the game is over.", _outcome(observation, names)]
    return log


def _log_chance(observation: Observation, names: Sequence[str], do: str) -> list[str]:
    word, _, seat = do.partition(" ")
    if word == "first":
        return [f"{says(observation, names, int(seat), 'begin')}."]
    main = _number(observation, "main_cards")
    backup = counted(24 - main, "card")
    return [
        f"Each player gets {main} cards in hand (the main pile), and {backup} as backup, face down.",
        "The four threes lie open.",
    ]


def _log_draw(observation: Observation, names: Sequence[str], by: int, before: Observation) -> list[str]:
    you = by == observation.seat
    new = cards_gained(observation, before, "main pile", by)
    what = the_card(card_name(new[0])) if new else "a card"
    log = [
        f"{name_of(observation, names, by)} can lay nothing and {'draw' if you else 'draws'} {what} from the backup."
    ]
    if before.facts["ordered"] and observation.actor != by:
        log.append(f"It does not fit either, and {'your' if you else 'the'} backup is empty: the turn is over.")
    return log


def _log_decline(observation: Observation, names: Sequence[str], by: int, before: Observation) -> list[str]:
    log = [f"{says(observation, names, by, 'decline')}."]
    if before.facts["declined"] and not observation.over:
        whom = "you" if observation.actor == observation.seat else names[observation.actor]
        log.append(f"Both players declined: the judge looks at all cards and orders {whom} to move.")
    return log


def _log_card(observation: Observation, names: Sequence[str], by: int, do: str, before: Observation) -> list[str]:
    card, _, pile = do.partition(" on ")
    you = by == observation.seat
    owner = before.facts["piles"][int(pile) - 1]["controller"]
    rival = "you" if 1 - by == observation.seat else names[1 - by]
    change = {by: "", 1 - by: f", taking it from {rival}"}.get(owner, ", the first to own it")
    bonus = ", with the bonus" if observation.facts["piles"][int(pile) - 1]["bonus"] else ""
    log = [f"{says(observation, names, by, 'lay')} {the_card(card)} on pile {pile}{change}{bonus}."]
    if before.facts["players"][by]["held"] == 1:
        taken = before.facts["players"][by]["backup"]
        log.append(
            f"{says(observation, names, by, 'take')} up the whole backup as a new hand: {counted(taken, 'card')}."
            if taken
            else f"{'You have' if you else f'{names[by]} has'} no cards left."
        )
    return log


def _outcome(observation: Observation, names: Sequence[str]) -> str:
    if not observation.over:
        return ""
    scores, winners = observation.standing.scores, observation.standing.winners
    if len(winners) > 1:
        return f"{scores[0]} points each, and all else equal: tradition settles it by a fistfight. Here it is a draw."
    winner = winners[0]
    wins = (
        f"You lose: {names[winner]} wins" if observation.seat == 1 - winner else says(observation, names, winner, "win")
    )
    if scores[0] != scores[1]:
        return f"{wins}, {counted(scores[winner], 'point')} to {scores[1 - winner]}."
    return f"{wins} at {scores[0]} points each, since {_tie_break(observation, winner)}."


def _tie_break(observation: Observation, winner: int) -> str:
    """TK-17: return what decided a game with equal points: a bonus, more piles, or the sum of the top cards."""
    you = winner == observation.seat
    whose = "your" if you else "the winner's"
    mine, theirs = (_owned(observation, seat) for seat in (winner, 1 - winner))
    if (mine[0] > 0) != (theirs[0] > 0):
        return f"only {'you have' if you else 'the winner has'} a bonus"
    if mine[0] > 0 and mine[1] != theirs[1]:
        return f"{'you own' if you else 'the winner owns'} more piles"
    return f"{whose} top cards add up to more"


def _owned(observation: Observation, seat: int) -> tuple[int, int]:
    """Return the numbers of a player's bonuses and piles."""
    piles = [pile for pile in observation.facts["piles"] if pile["controller"] == seat]
    return sum(pile["bonus"] for pile in piles), len(piles)


TERMS = (
    Term("bonus", "more points for a pile whose top card has the suit of its three.", "TK-16"),
    Term(
        "backup",
        "the cards that nobody has seen: to draw from when nothing fits, or when the hand is empty.",
        "TK-2",
    ),
    Term("judge", "when both decline, the judge looks at all cards and says who must move.", "TK-13"),
    Term("own", "whoever laid a pile's top card owns it, and has its points at the end.", "TK-7"),
)


LAYOUT = Layout(
    phrase=phrase,
    lay_out=lay_out,
    meant=meant,
    terms=TERMS,
    unusual="The pile is yours only while your card is on top, and waiting is often the best move.",
    fits="For two with patience: who can wait, and who has to move?",
    minutes=(15, 25),
)
