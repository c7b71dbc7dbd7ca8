"""3 Tricks: the layout, two rows of tricks with both stocks between them."""

from collections.abc import Sequence
from dataclasses import replace

from parlour.cards import CARD_NUMBERS, card_name
from parlour.engine.events import HIDDEN_CARD
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE, NOBODY
from parlour.games.three_tricks.words import NUMBERS, ORDINALS
from parlour.languages import gettext
from parlour.render.scene import (
    Area,
    CardSeen,
    Choice,
    Layout,
    Row,
    Scene,
    Term,
    cards_gained,
    cards_held,
    cards_lying,
    last_event,
    scene_of,
    score_of,
    standings_of,
)
from parlour.render.words import counted, in_signs, name_of, says, the_cards

PLACE = "place"
"""Token of the place for the viewer's next trick."""


def lay_out(observation: Observation, names: Sequence[str], before: Observation | None) -> Scene:
    """Return the scene: the viewer's row of tricks below, the other's above, the stocks between."""
    own = max(observation.seat, 0)
    return scene_of(
        observation,
        "3 Tricks",
        heading=_heading(observation),
        prompt=_prompt(observation, names),
        areas=[
            _middle(observation),
            *(_player(observation, names, seat, at) for at, seat in enumerate((own, 1 - own))),
        ],
        score=score_of(observation, "seat"),
        standings=standings_of(observation, names, [len(tricks) for tricks in observation.facts["tricks"]]),
        counted=gettext("Tricks laid"),
        log=_log(observation, names, before),
        choices=[choice for action in observation.legal for choice in _choices(action)],
        outcome=_outcome(observation, names),
    )


def _heading(observation: Observation) -> str:
    if not observation.zones:
        return "Before the deal"
    tricks = observation.facts["tricks"]
    own = max(observation.seat, 0)
    return f"Tricks laid {len(tricks[own])} : {len(tricks[1 - own])}"


def _prompt(observation: Observation, names: Sequence[str]) -> str:
    if observation.over:
        return "The game is over."
    if observation.actor == CHANCE:
        stage = observation.facts["stage"]
        return "The second stock is about to be shuffled." if stage == "shuffle" else "The cards are about to be dealt."
    if observation.actor != observation.seat:
        return f"{names[observation.actor]} is to play."
    lays = [action for action in observation.legal if action.startswith("lay")]
    blockable = in_signs(" ".join(observation.facts["to_block"]))
    if blockable:
        return (
            f"Your turn: block {blockable}, swap or pass."
            if lays
            else f"Your turn: you have nothing that blocks {blockable}; swap or pass."
        )
    last = ORDINALS[_number(observation, "tricks")]
    if len(observation.facts["tricks"][observation.seat]) + 1 == _number(observation, "tricks"):
        return (
            f"Your turn: lay your {last} trick and win!"
            if lays
            else f"Your turn: you have no {last} trick yet; swap or pass."
        )
    trick = "lay a trick of two cards," if lays else "you have no trick of two cards;"
    most = _number(observation, "swap_limit")
    return f"Your turn: {trick} swap {f'one to {NUMBERS[most]} cards' if most > 1 else 'a card'}, or pass."


def _number(observation: Observation, option: str) -> int:
    """Return the value of an option that is a number."""
    return int(observation.options[option])


def _middle(observation: Observation) -> Area:
    second, stock = observation.zone("second stock"), observation.zone("stock")
    if second is None or stock is None:
        return Area("middle", "", None, [])
    rows = [
        Row("stock", "Stock", "pile", cards_lying(stock.known, False), stock.hidden),
        Row("second", "Second stock", "buried", cards_lying(second.known, False), second.hidden),
    ]
    left = observation.facts["idle_left"]
    notes = [f"the game ends after {counted(left, 'more turn')} without a new trick"] if left <= 10 else []
    return Area("middle", "Stocks", None, rows, notes=notes if not observation.over else [])


def _player(observation: Observation, names: Sequence[str], seat: int, at: int) -> Area:
    facts = observation.facts
    notes = []
    if observation.actor >= 0 and facts["to_block"] and facts["to_block"] in facts["tricks"][seat]:
        notes.append(f"{in_signs(' '.join(facts['to_block']))} can still be blocked")
    if seat == facts["dealer"]:
        notes.append("dealer")
    return Area(
        id=f"seat-{seat}",
        title=name_of(observation, names, seat),
        at=at,
        rows=_rows(observation, seat),
        seat=seat,
        active=observation.actor == seat,
        notes=notes,
    )


def _rows(observation: Observation, seat: int) -> list[Row]:
    """Return a player's rows: the tricks laid, the blocked ones, the hand."""
    hand, blocked = observation.zone("hand", seat), observation.zone("blocked", seat)
    if hand is None or blocked is None:
        return []
    tricks = observation.facts["tricks"][seat]
    rows = [
        Row(
            f"trick-{seat}-{index}",
            f"Trick {index + 1}",
            "meld",
            [CardSeen(card) for card in trick],
            token=PLACE if seat == observation.seat and index == len(tricks) else None,
        )
        for index, trick in enumerate([*tricks, [], [], []][: _number(observation, "tricks")])
    ]
    if blocked.cards:
        rows.append(Row(f"blocked-{seat}", "Blocked", "buried", cards_lying(blocked.known, False)))
    return [*rows, Row(f"hand-{seat}", "Hand", "hand", cards_held(observation, seat, hand.known), hand.hidden)]


def _choices(action: str) -> list[Choice]:
    """Return the choices for an action; a trick may be laid by its cards alone, or with its place."""
    verb, _, cards = action.partition(" ")
    choice = Choice(action, verb.capitalize(), cards.split())
    return [choice, replace(choice, tokens=[*choice.tokens, PLACE])] if verb == "lay" else [choice]


def phrase(observation: Observation, action: str) -> str:
    """Return the log's wording of a legal action of the viewer, to follow "You"."""
    verb, _, cards = action.partition(" ")
    return f"{verb} {the_cards(cards.split())}" if cards else verb


def meant(observation: Observation, tokens: Sequence[str]) -> list[str]:
    """Return the action for the chosen cards: laying them with the next trick's place, else swapping them."""
    cards = [card_name(card) for card in sorted(CARD_NUMBERS[token] for token in tokens if token != PLACE)]
    return [" ".join(["lay" if PLACE in tokens else "swap", *cards])]


def _outcome(observation: Observation, names: Sequence[str]) -> str:
    if not observation.over:
        return ""
    scores, winners = observation.standing.scores, observation.standing.winners
    if len(winners) == 2:
        return f"A draw, with {counted(scores[0], 'blocked trick')} each."
    winner = winners[0]
    who = (
        f"You lose: {names[winner]} wins" if observation.seat == 1 - winner else says(observation, names, winner, "win")
    )
    if observation.facts["winner"] != NOBODY:
        return f"{who} with a {ORDINALS[_number(observation, 'tricks')]} trick."
    return f"{who} with {counted(scores[winner], 'blocked trick')} to {scores[1 - winner]}."


# Log lines


def _log(observation: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    event = last_event(observation, before)
    if event is None or before is None:
        return []
    word, _, cards = event.do.partition(" ")
    if event.by == CHANCE:
        log = _log_chance(observation, names, word)
    elif word == "lay":
        log = _log_trick(observation, names, event.by, before)
    elif word == "pass":
        log = ["You pass." if event.by == observation.seat else f"{names[event.by]} passes."]
    else:
        log = [f"{says(observation, names, event.by, 'swap')} {_swapped(cards)}."]
    if event.by != CHANCE or word == "shuffle":
        log.extend(_log_draw(observation, before))
    if observation.over and observation.facts["winner"] == NOBODY:
        used_up = observation.facts["idle_left"] > 0
        log.append("The stock is used up." if used_up else "Nobody has laid a trick for too long.")
    return log


def _log_chance(observation: Observation, names: Sequence[str], word: str) -> list[str]:
    dealer = observation.facts["dealer"]
    if word == "dealer":
        return [says(observation, names, dealer, "deal") + "."]
    if word == "deal":
        first = observation.facts["turn"]
        dealt = f"Each player gets {counted(_number(observation, 'hand_cards'), 'card')}. "
        return [dealt + says(observation, names, first, "begin") + "."]
    return ["The stock is used up: the second stock is shuffled and takes its place."]


def _swapped(cards: str) -> str:
    texts = cards.split()
    if HIDDEN_CARD in texts:
        return counted(len(texts), "card")
    return the_cards(texts)


def _log_trick(observation: Observation, names: Sequence[str], by: int, before: Observation) -> list[str]:
    number = len(before.facts["tricks"][by]) + 1
    cards = the_cards(observation.events[-1].do.split()[1:])
    who = names[by]
    log = [f"{says(observation, names, by, 'lay')} {cards}: trick {number} of {_number(observation, 'tricks')}."]
    other = 1 - by
    lost = len(before.facts["tricks"][other]) - len(observation.facts["tricks"][other])
    if lost:
        whose = "your" if other == observation.seat else f"{names[other]}'s"
        what = "first trick" if lost == 1 else "second trick, and the first goes with it"
        log.append(f"That blocks {whose} {what}.")
        if observation.facts["turn"] == by and not observation.over:
            again = "you play again" if by == observation.seat else f"{who} plays again"
            log.append(f"Drawing new cards is {whose} turn, so {again}.")
    return log


def _log_draw(observation: Observation, before: Observation) -> list[str]:
    """Describe the cards that the viewer has drawn."""
    drawn = [card_name(card) for card in cards_gained(observation, before, "hand", observation.seat)]
    return [f"You draw {the_cards(drawn)}."] if drawn else []


TERMS = (
    Term(
        "trick",
        "here a set of cards laid together: a pair, or consecutive cards of one suit. The last has three.",
        "3T-1",
    ),
    Term(
        "blocks",
        "a trick that shares a suit with the one just laid, or is a pair of one of its ranks, takes it away.",
        "3T-9",
    ),
    Term("swap", "put cards away, usually one to three, and draw as many; this is the whole turn.", "3T-7"),
    Term("second stock", "cards that were swapped; it is shuffled when the stock is used up.", "3T-22"),
)

LAYOUT = Layout(
    phrase=phrase,
    lay_out=lay_out,
    meant=meant,
    terms=TERMS,
    unusual="You win with seven cards in three moves, and the other gets one turn to stop each.",
    fits="For two, in between: short, sharp, and over before the tea is cold.",
    minutes=(5, 10),
)
