"""Trime Kicker: the layout, four piles in the middle, each player with main pile and backup."""

from collections.abc import Sequence
from typing import Any

from parlour.cards import card_name
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE, NOBODY
from parlour.games.trime_kicker.log_lines import log_lines, outcome_of
from parlour.languages import gettext, ngettext, pgettext
from parlour.render.scene import (
    Area,
    CardSeen,
    Choice,
    Layout,
    Row,
    Scene,
    ScoreLine,
    Term,
    cards_held,
    option_number,
    scene_of,
    standings_of,
)
from parlour.render.words import name_of, the_card

BACKUP = "backup"
"""Token of the viewer's own backup."""


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
            ScoreLine(
                f"player-{observation.facts['piles'][line.at]['controller']}",
                line.what,
                sum(line.points),
                line.clause,
            )
            for line in observation.lines
        ],
        standings=standings_of(observation, names, observation.standing.scores),
        log=log_lines(observation, names, before),
        choices=[_choice(action) for action in observation.legal],
        outcome=outcome_of(observation, names),
    )


def _choice(action: str) -> Choice:
    card, _, pile = action.partition(" on ")
    if pile:
        return Choice(action, pgettext("button for a card on a pile", "Lay"), [card, f"pile-{pile}"])
    if action == "draw":
        return Choice(action, pgettext("button", "Draw from the backup"), [BACKUP])
    return Choice(action, pgettext("button", "Decline"))


def phrase(observation: Observation, action: str) -> str:
    """Return a legal action of the viewer as a phrase, to follow words like "It seems best to"."""
    card, _, pile = action.partition(" on ")
    if pile:
        # Translators: the phrases of the context "action" follow words like "It seems best to": infinitives
        return pgettext("action", "lay {card} on pile {pile}", card=the_card(card), pile=pile)
    if action == "draw":
        return pgettext("action", "draw from the backup")
    return pgettext("action", "decline")


def interpret(observation: Observation, tokens: Sequence[str]) -> list[str]:
    """Return the action for a chosen card and pile; its beginning or end if only one of them is chosen."""
    if BACKUP in tokens:
        return ["draw"]
    cards = [token for token in tokens if not token.startswith("pile-")]
    piles = [token.removeprefix("pile-") for token in tokens if token.startswith("pile-")]
    return [" ".join([*cards[-1:], *(f"on {pile}" for pile in piles[-1:])])]


def _heading(observation: Observation) -> str:
    if observation.facts["stage"] in ("deal", "first"):
        return gettext("Before the first turn")
    laid = sum(player["laid"] for player in observation.facts["players"])
    return ngettext("{number} of 48 cards laid", "{number} of 48 cards laid", laid)


def _prompt(observation: Observation, names: Sequence[str]) -> str:
    facts = observation.facts
    if observation.over:
        return gettext("The game is over.")
    if observation.actor == CHANCE:
        if facts["stage"] == "deal":
            return gettext("The cards are about to be dealt.")
        return gettext("A coin decides who begins.")
    if observation.actor != observation.seat:
        name = names[observation.actor]
        if facts["ordered"]:
            return gettext("{name} must move, by the judge's order.", name=name)
        return gettext("{name} is to move.", name=name)
    if observation.legal == ["decline"]:
        return gettext("None of your cards fits, and your backup is empty: you can only decline.")
    draws = "draw" in observation.legal
    return _ordered_prompt(draws) if facts["ordered"] else _free_prompt(draws, facts["declined"])


def _ordered_prompt(draws: bool) -> str:
    """Return the prompt for a turn that the judge has ordered."""
    if draws:
        return gettext("The judge orders you to move: none of your cards fits, so draw.")
    return gettext("The judge orders you to move: lay a card on a pile.")


def _free_prompt(draws: bool, declined: bool) -> str:
    """Return the prompt for a free turn; ``declined``: whether the other player has just declined."""
    if draws and declined:
        return gettext("Your turn: none of your cards fits; draw, or decline too; then the rule decides who must play.")
    if draws:
        return gettext("Your turn: none of your cards fits; draw, or decline.")
    if declined:
        return gettext("Your turn: lay a card on a pile, or decline too; then the rule decides who must play.")
    return gettext("Your turn: lay a card on a pile, or decline.")


def _middle(observation: Observation, names: Sequence[str]) -> Area:
    rows = []
    for number, pile in enumerate(observation.facts["piles"], 1):
        owner = pile["controller"]
        mark, area = _owner(observation, names, pile), "" if owner == NOBODY else f"player-{owner}"
        top = CardSeen(pile["top"], True, mark, None, "", area)
        label = gettext("Pile {number}", number=number)
        rows.append(Row(f"pile-{number}", label, "slot", [top], token=f"pile-{number}"))
    for number in range(len(rows)):
        zone = observation.zone("pile", number)
        covered = [card for card in zone.cards[:-1] if card is not None] if zone else []
        cards = [CardSeen(card_name(card)) for card in covered]
        label = gettext("Covered on pile {number}", number=number + 1)
        rows.append(Row(f"covered-{number + 1}", label, "last", cards))
    return Area("middle", gettext("Piles"), None, rows)


def _owner(observation: Observation, names: Sequence[str], pile: dict[str, Any]) -> str:
    """Return the owner of a pile and its points, as the mark of its top card."""
    owner = pile["controller"]
    if owner == NOBODY:
        # Translators: a pile that has no owner
        return gettext("nobody's")
    points = option_number(observation, "pile_points")
    if pile["bonus"]:
        points += option_number(observation, "bonus_points")
    if owner == observation.seat:
        # Translators: the owner of a pile, and its points
        return gettext("yours, {points}", points=points)
    # Translators: the owner of a pile, and its points
    return gettext("{name}'s, {points}", name=names[owner], points=points)


def _player(observation: Observation, names: Sequence[str], seat: int, at: int) -> Area:
    facts = observation.facts["players"][seat]
    turn = observation.actor == seat
    notes = [ngettext("{number} card laid", "{number} cards laid", facts["laid"])] if facts["laid"] else []
    if turn and observation.facts["ordered"]:
        notes.append(gettext("ordered by the judge"))
    if turn and (drew := observation.facts["drew"]):
        # Translators: the number of cards that a player has drawn
        notes.append(ngettext("{number} drawn in this turn", "{number} drawn in this turn", drew))
    if not turn and observation.facts["declined"] and not observation.over:
        # Translators: a note beside a player who has declined to move
        notes.append(gettext("declined"))
    return Area(
        id=f"player-{seat}",
        title=name_of(observation, names, seat),
        at=at,
        rows=_rows(observation, seat),
        seat=seat,
        active=turn,
        turn=pgettext("task of You", "to move") if seat == observation.seat else gettext("to move"),
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
        Row(f"player-{seat}-main", gettext("Hand"), "hand", cards, held.hidden),
        Row(f"player-{seat}-backup", gettext("Backup"), "pile", shown, backup.hidden, token=own),
    ]


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
    interpret=interpret,
    terms=TERMS,
    themes={"lay": "lay a card"},
    unusual="The pile is yours only while your card is on top, and waiting is often the best move.",
    fits="For two with patience: who can wait, and who has to move?",
    minutes=(15, 25),
)
