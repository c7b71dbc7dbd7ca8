"""Castle Walls: the layout, two fields of three slots facing each other."""

from collections.abc import Sequence

from parlour.cards import CARD_NUMBERS, JOKERS, RANK_WORDS, RANKS, bit, card_name
from parlour.engine.events import HIDDEN_CARD
from parlour.engine.observation import EVERYTHING, Observation
from parlour.engine.rules import CHANCE
from parlour.languages import gettext
from parlour.languages.declension import listed, listed_choice
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
    last_event,
    scene_of,
    standings_of,
)
from parlour.render.words import counted, in_signs, name_of, says, the_card, the_cards

LIMIT_NOTICE_TURNS = 20
"""Number of turns before the turn limit at which the heading begins to show the limit."""


def lay_out(observation: Observation, names: Sequence[str], before: Observation | None) -> Scene:
    """Return the scene: the other player's field opposite the viewer's, deck and graveyard between them."""
    own = max(observation.seat, 0)
    return scene_of(
        observation,
        "Castle Walls",
        heading=_heading(observation),
        prompt=_prompt(observation, names),
        areas=[_middle(observation), _side(observation, names, own, 0), _side(observation, names, 1 - own, 1)],
        score=[],  # the standings show everything
        standings=standings_of(observation, names, observation.facts["left"]) if observation.lines else [],
        counted=gettext("Life cards left"),
        log=_log(observation, names, before),
        choices=[Choice(action, _label(action), _tokens(observation, action)) for action in observation.legal],
        outcome=_outcome(observation, names),
    )


def _heading(observation: Observation) -> str:
    facts = observation.facts
    if facts["turn"] is None:
        return "Before the first turn"
    number, limit = facts["turn_number"], facts["turn_limit"]
    return f"Turn {number} of at most {limit}" if 0 < limit <= number + LIMIT_NOTICE_TURNS else f"Turn {number}"


def _prompt(observation: Observation, names: Sequence[str]) -> str:
    facts = observation.facts
    if observation.over:
        return "The game is over."
    if observation.actor == CHANCE:
        return "A coin decides who begins." if observation.zones else "The cards are about to be dealt."
    if observation.actor != observation.seat:
        what = {
            "trap": "is to choose what the black trap destroys",
            "target": "is to choose what the straight destroys",
        }
        return f"{names[observation.actor]} {what.get(facts['stage'], 'is to play')}."
    if facts["stage"] == "straight":
        return f"Your straight: discard a card of rank {_rank_word(facts['to_come'][0])}."
    if facts["stage"] == "main":
        return "Your turn: " + _main_prompt(observation) + "."
    return {
        "battle": "Your turn: attack again, or end the turn.",
        "target": f"Your straight destroys one of {names[1 - observation.seat]}'s cards: choose which.",
        "trap": f"{names[1 - observation.seat]} attacked your black trap: choose another of "
        f"{names[1 - observation.seat]}'s cards, to be destroyed.",
        "discards": f"You hold {facts['held'][observation.seat]} cards and may keep "
        f"{_number(observation, 'hand_limit')}: discard one.",
    }[facts["stage"]]


def _number(observation: Observation, option: str) -> int:
    """Return the value of an option that is a number."""
    return int(observation.options[option])


def _slot_names(observation: Observation) -> list[str]:
    return [str(slot + 1) for slot in range(_number(observation, "slots"))]


def _main_prompt(observation: Observation) -> str:
    """Return the kinds of actions possible in the main phase, as a phrase."""
    words = {action.split()[0] for action in observation.legal}
    parts = ["put a card onto your field"] if words & {"up", "down"} else []
    parts += ["turn up a face-down card"] if "flip" in words else []
    parts += ["use a joker"] if "joker" in words else []
    parts += ["announce a straight"] if "straight" in words else []
    parts += ["attack (after that, only attacks)"] if "attack" in words else []
    return ", ".join([*parts, "or end the turn"]) if parts else "you can do nothing more, so end it"


def _rank_word(rank: str) -> str:
    return RANK_WORDS[RANKS.index(rank)]


def _middle(observation: Observation) -> Area:
    deck, grave = observation.zone("deck"), observation.zone("graveyard")
    if deck is None or grave is None:
        return Area("middle", "", None, [])
    buried = [CardSeen(card_name(card)) for card in grave.known]
    known = [CardSeen(card_name(card), False) for card in deck.known]
    rows = [
        Row("deck", "Deck", "pile", known, deck.hidden),
        Row("graveyard", f"Graveyard {len(buried)}", "pile", buried[-1:]),
        Row("graveyard-all", "The graveyard", "last", buried),
    ]
    open_to_all = known and observation.facts["deck_known"]  # an omniscient viewer knows the deck, too
    notes = ["the deck is the old graveyard: anybody may look through it"] if open_to_all else []
    return Area("middle", "Deck and graveyard", None, rows, notes=notes)


def _side(observation: Observation, names: Sequence[str], player: int, at: int) -> Area:
    facts = observation.facts
    notes = []
    if facts["attacked"] and facts["turn"] == player and facts["stage"] in ("battle", "trap"):
        slots = [str(slot) for slot in facts["attacked"]]
        notes.append(f"attacked from slot{'s' if len(slots) > 1 else ''} {listed(slots)}")
    if observation.seat not in (player, EVERYTHING):
        notes.extend(_perhaps(observation, player))
    return Area(
        id=f"side-{player}",
        title=name_of(observation, names, player),
        at=at,
        rows=_rows(observation, player),
        seat=player,
        active=observation.actor == player,
        turn={"trap": "to choose a card", "target": "to choose a card", "discards": "to discard"}.get(
            facts["stage"], "to play"
        ),
        notes=notes,
    )


def _perhaps(observation: Observation, player: int) -> list[str]:
    """CW-24: return notes on the cards seen earlier that may lie face down."""
    found = []
    for slot, cards in enumerate(observation.facts["perhaps"][player], 1):
        if cards:
            what = the_card(cards[0]) if len(cards) == 1 else listed_choice([in_signs(card) for card in cards])
            found.append(f"slot {slot} may hold {what}")
    return found


def _rows(observation: Observation, player: int) -> list[Row]:
    """Return a player's rows: the life pile, the three slots, the hand."""
    life, lost, hand = (observation.zone(zone, player) for zone in ("life", "lost", "hand"))
    if life is None or lost is None or hand is None:
        return []
    name = f"side-{player}"
    opened = [CardSeen(card_name(card)) for card in lost.known]
    left = life.hidden + len(life.cards)  # life cards are visible only in a review
    return [
        Row(f"{name}-life", "Life pile", "life", opened, left, token=f"{_whose(observation, player)}-life"),
        *(_slot_row(observation, player, slot) for slot in range(_number(observation, "slots"))),
        Row(f"{name}-hand", "Hand", "hand", cards_held(observation, player, hand.known), hand.hidden),
    ]


def _whose(observation: Observation, player: int) -> str:
    return "own" if player == max(observation.seat, 0) else "their"


def _slot_row(observation: Observation, player: int, slot: int) -> Row:
    """Return the row of a slot, the face-down card below the face-up one."""
    at = player * _number(observation, "slots") + slot
    up, down = (observation.zone(zone, at) for zone in ("face up", "face down"))
    token = f"{_whose(observation, player)}-{slot + 1}"
    single = observation.facts["stage"] == "trap"  # only a trap lets either card of a slot be chosen
    cards = []
    if down is not None and (down.cards or down.hidden):
        text = card_name(down.cards[0]) if down.cards and down.cards[0] is not None else None
        cards.append(CardSeen(text, False, token=f"{token}d" if single else None))
    if up is not None and up.cards and up.cards[0] is not None:
        cards.append(CardSeen(card_name(up.cards[0]), token=f"{token}u" if single else None))
    return Row(f"side-{player}-{slot + 1}", f"Slot {slot + 1}", "slot", cards, token=token)


def _tokens(observation: Observation, action: str) -> list[str]:
    """Return the tokens to be chosen for an action."""
    word, *rest = action.split()
    if word in ("up", "down"):
        return [rest[0], f"own-{rest[1]}"]
    if word == "flip":
        return [f"own-{rest[0]}"]
    if word == "attack":
        return [f"own-{rest[0]}", f"their-{rest[1]}"]
    if word == "discard":
        return [rest[0]]
    if word == "destroy":
        return [f"their-{rest[0]}" if observation.facts["stage"] == "trap" else f"their-{rest[0][0]}"]
    if word == "joker":
        hand = observation.zone("hand", observation.seat)
        cards = hand.known if hand else []
        return [card_name(min(card for card in cards if card >= 52))]
    return []


def phrase(observation: Observation, action: str) -> str:
    """Return the log's wording of a legal action of the viewer, to follow "You"."""
    word, *rest = action.split()
    if word in ("up", "down"):
        return f"put {the_card(rest[0])} face {word} into slot {rest[1]}"
    if word == "flip":
        return f"turn up {_named(observation, 'face down', observation.seat, rest[0])} in slot {rest[0]}"
    if word == "attack":
        target = "the life pile" if rest[1] == "life" else f"slot {rest[1]}"
        return f"attack {target} with {_named(observation, 'face up', observation.seat, rest[0])}"
    if word == "destroy":
        lies = "face up" if rest[0][1:] == "u" else "face down"
        return f"destroy {_named(observation, lies, 1 - observation.seat, rest[0])} in slot {rest[0][0]}"
    if word == "straight":
        low = RANKS.index(rest[0])
        return f"announce a straight, from {_highest_word(observation, low)} down to {RANK_WORDS[low]}"
    if word == "discard":
        return f"discard {the_card(rest[0])}"
    return {"joker": "use a joker and take the whole other field", "end": "end the turn"}[word]


def _highest_word(observation: Observation, low: int) -> str:
    """CW-22: return the highest rank of a straight in words."""
    return RANK_WORDS[low + _number(observation, "straight_cards") - 1]


def _named(observation: Observation, zone_name: str, player: int, slot: str) -> str:
    card = _card_in(observation, zone_name, player, slot)
    return the_card(card) if card else f"the {zone_name.replace(' ', '-')} card"


def meant(observation: Observation, tokens: Sequence[str]) -> list[str]:
    """Return the actions for the chosen cards, own slots and other slots."""
    cards = [token for token in tokens if token in CARD_NUMBERS][-1:]
    own = [token[len("own-")] for token in tokens if token.startswith("own-") and token != "own-life"][-1:]
    their = [token.removeprefix("their-") for token in tokens if token.startswith("their-")][-1:]
    stage, slots = observation.facts["stage"], _slot_names(observation)
    if stage in ("straight", "discards") and cards:
        return [f"discard {cards[0]}"]
    if stage in ("target", "trap") and their and their[0] != "life":
        return [f"destroy {their[0]}" if len(their[0]) == 2 else f"destroy {their[0]}u"]
    if cards and bit(CARD_NUMBERS[cards[0]]) & JOKERS:
        return ["joker"]
    if cards:
        return [f"{way} {cards[0]} {slot}" for slot in own or slots for way in ("up", "down")]
    if own and not their and _card_in(observation, "face up", observation.seat, own[0]) is None:
        return [f"flip {own[0]}"]
    return [f"attack {slot} {aim}" for slot in own or slots for aim in their or (*slots, "life")]


def _label(action: str) -> str:
    word, *rest = action.split()
    if word == "straight":
        return f"Straight from the {_rank_word(rest[0])}"
    return {
        "up": "Put face up",
        "down": "Put face down",
        "flip": "Turn up",
        "attack": "Attack",
        "joker": "Take their whole field",
        "discard": "Discard",
        "destroy": "Destroy",
        "end": "End the turn",
    }[word]


# Log lines


def _log(observation: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    event = last_event(observation, before)
    if event is None or before is None:
        return []
    if event.by == CHANCE:
        life, held = counted(_number(observation, "life_cards"), "life card"), _number(observation, "hand_cards")
        log = [f"The cards are dealt: {life} each, {held} in hand."] if event.do.startswith("deal") else []
        return log + _log_turn(observation, names, before)
    word, *rest = event.do.split()
    log = {
        "up": _log_up,
        "down": _log_down,
        "flip": _log_flip,
        "attack": _log_attack,
        "joker": _log_joker,
        "straight": _log_straight,
        "discard": _log_discard,
        "destroy": _log_destroy,
        "end": _log_end,
    }[word](observation, names, before, event.by, rest)
    return [
        *log,
        *_log_turn(observation, names, before),
        *([_outcome(observation, names)] if observation.over else []),
    ]


def _card_in(observation: Observation, zone_name: str, player: int, slot: str) -> str | None:
    """Return the card that the viewer sees in a slot, or ``None``."""
    zone = observation.zone(zone_name, player * _number(observation, "slots") + int(slot[0]) - 1)
    return card_name(zone.cards[0]) if zone and zone.cards and zone.cards[0] is not None else None


def _log_up(observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> list[str]:
    below = observation.zone("face down", by * _number(observation, "slots") + int(rest[1]) - 1)
    upon = ", upon the face-down card there" if below is not None and (below.cards or below.hidden) else ""
    return [f"{says(observation, names, by, 'put')} {the_card(rest[0])} face up into slot {rest[1]}{upon}."]


def _log_down(
    observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]
) -> list[str]:
    what = "a card" if rest[0] == HIDDEN_CARD else the_card(rest[0])
    return [f"{says(observation, names, by, 'put')} {what} face down into slot {rest[1]}."]


def _log_flip(
    observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]
) -> list[str]:
    card = _card_in(observation, "face up", by, rest[0])
    return [f"{says(observation, names, by, 'turn')} up {the_card(card) if card else 'a card'} in slot {rest[0]}."]


def _log_attack(
    observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]
) -> list[str]:
    own = _card_in(before, "face up", by, rest[0])
    attacker = the_card(own) if own else "a card"
    lost = observation.zone("lost", 1 - by)
    if rest[1] == "life":
        card = lost.cards[0] if lost and lost.cards else None
        what = f" and takes {the_card(card_name(card))}" if card is not None else ""
        what = what.replace("takes", "take") if by == observation.seat else what
        left = observation.facts["left"][1 - by]
        return [
            f"{says(observation, names, by, 'attack')} the life pile with {attacker}{what}; "
            f"{counted(left, 'life card')} left."
        ]
    target = _card_in(before, "face up", 1 - by, rest[1])
    head = f"{says(observation, names, by, 'attack')} slot {rest[1]} with {attacker}"
    if target:
        return [f"{head}: {the_card(target)} is destroyed."]
    wall = _card_in(observation, "face up", 1 - by, rest[1])
    if wall:
        return [f"{head}: {the_card(wall)} is a wall and stays, and the turn ends."]
    return [f"{head}: {_log_trap(observation, names, before, by, rest, attacker)}"]


def _log_trap(
    observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str], attacker: str
) -> str:
    """CW-18: describe a trap; the last buried card is a black trap, or the attacker that a red trap destroyed."""
    gone = _card_in(observation, "face up", by, rest[0]) is None
    grave = observation.zone("graveyard")
    cards = grave.known if grave else []
    trap = the_card(card_name(cards[-2 if gone else -1]))
    if gone:
        return f"{trap} is a red trap: both cards are destroyed."
    if observation.facts["stage"] != "trap":
        return f"{trap} is a black trap and is destroyed; there is no other card for it to take along."
    other = name_of(observation, names, 1 - by, "you")
    return f"{trap} is a black trap and is destroyed; {other} may destroy another card."


def _log_joker(
    observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]
) -> list[str]:
    taken = observation.facts["held"][by] - before.facts["held"][by] + 1
    what = {0: "finds nothing to take", 1: "takes the one card"}.get(taken, f"takes all {taken} cards")
    head = f"{says(observation, names, by, 'use')} a joker and "
    if by == observation.seat:
        what = what.replace("finds", "find").replace("takes", "take")
    return [f"{head}{what}{'' if taken == 0 else ' of the other field'}."]


def _log_straight(
    observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]
) -> list[str]:
    low = RANKS.index(rest[0])
    ranks = f"from {_highest_word(observation, low)} down to {RANK_WORDS[low]}"
    return [f"{says(observation, names, by, 'announce')} a straight, {ranks}."]


def _log_discard(
    observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]
) -> list[str]:
    return [f"{says(observation, names, by, 'discard')} {the_card(rest[0])}."]


def _log_destroy(
    observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]
) -> list[str]:
    grave = observation.zone("graveyard")
    card = grave.cards[-1] if grave and grave.cards else None
    what = the_card(card_name(card)) if card is not None else "a card"
    return [f"{says(observation, names, by, 'destroy')} {what} in slot {rest[0][0]}."]


def _log_end(
    observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]
) -> list[str]:
    return [f"{says(observation, names, by, 'end')} the turn."]


def _log_turn(observation: Observation, names: Sequence[str], before: Observation) -> list[str]:
    """CW-5: describe the start of a turn, with the card drawn if the viewer knows it."""
    facts = observation.facts
    if facts["turn"] is None or facts["turn_number"] == before.facts["turn_number"]:
        return []
    player = facts["turn"]
    log = (
        ["The graveyard is turned over to become the deck."] if facts["deck_known"] > before.facts["deck_known"] else []
    )
    new = cards_gained(observation, before, "hand", player)
    drawn = facts["held"][player] - before.facts["held"][player]
    if drawn == 0:
        return ["", *log, "There is no card left to draw."]
    unseen = "a card" if drawn == 1 else counted(drawn, "card")
    what = the_cards([card_name(card) for card in new]) if len(new) == drawn else unseen
    return ["", *log, f"{says(observation, names, player, 'draw')} {what}."]


def _outcome(observation: Observation, names: Sequence[str]) -> str:
    if not observation.over:
        return ""
    scores, winners = observation.standing.scores, observation.standing.winners
    if len(winners) == 2:
        return f"A draw: the turns are used up, and both have {counted(scores[0], 'life card')} left."
    winner = winners[0]
    won, lost = scores[winner], scores[1 - winner]
    victor, loser = names[winner], names[1 - winner]
    if observation.seat == 1 - winner:
        how = f"{victor} has {counted(won, 'life card')} left, and you have {lost}"
        return f"You lose: {how if lost else f'{victor} has taken your last life card'}."
    if observation.seat == winner:
        how = f"you have {counted(won, 'life card')} left, and {loser} has {lost}"
        return f"You win: {how if lost else f'you have taken the last life card of {loser}'}."
    return f"{victor} wins: {f'{won} life cards to {lost}' if lost else f'the last life card of {loser} is taken'}."


TERMS = (
    Term("wall", "a card that lay face down and is as strong as its attacker, or stronger. It stays.", "CW-17"),
    Term("red trap", "a weaker red card that lay face down. It is destroyed and takes its attacker along.", "CW-18"),
    Term(
        "black trap",
        "a weaker black card that lay face down. It is destroyed, and its owner destroys another card across.",
        "CW-19",
    ),
    Term("life pile", "the face-down cards that a player defends. Whoever takes the other's last one wins.", "CW-14"),
    Term(
        "straight", "cards of consecutive ranks, usually four, discarded to destroy a card of the other field.", "CW-22"
    ),
    Term(
        "graveyard",
        "where cards go that are destroyed or discarded. When the deck is used up it becomes the deck.",
        "CW-5",
    ),
)


LAYOUT = Layout(
    phrase=phrase,
    lay_out=lay_out,
    meant=meant,
    terms=TERMS,
    unusual="Six cards guard your life, and neither of you knows which they are.",
    fits="For two who like to bluff: a duel of walls, traps and well-timed attacks.",
    minutes=(15, 30),
)
