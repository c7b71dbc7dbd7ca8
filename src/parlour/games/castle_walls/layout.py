"""Castle Walls on the table: two fields of three slots facing each other."""

from collections.abc import Sequence

from parlour.cards import CARD_NUMBERS, JOKERS, RANK_WORDS, RANKS, bit, card_name
from parlour.engine.match import HIDDEN_CARD
from parlour.engine.rules import CHANCE
from parlour.engine.views import EVERYTHING, Observation
from parlour.games.castle_walls.state import SLOTS
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
from parlour.render.words import counted, in_signs, listed, name_of, says, the_card

SLOT_NAMES = ("1", "2", "3")
SHORTLY = 20
"""In how many turns a limit has to come near to be spoken of."""


def lay_out(view: Observation, names: Sequence[str], before: Observation | None) -> Scene:
    """The other player's field across from the viewer's own, deck and graveyard between them."""
    own = max(view.seat, 0)
    return scene_of(
        view,
        "Castle Walls",
        heading=_heading(view),
        prompt=_prompt(view, names),
        areas=[_middle(view), _side(view, names, own, 0), _side(view, names, 1 - own, 1)],
        score=[],  # the standings say it all
        standings=standings_of(view, names, view.facts["left"]) if view.lines else [],
        counted="life cards left",
        told=_told(view, names, before),
        choices=[Choice(action, _label(action), _tokens(view, action)) for action in view.legal],
        outcome=_outcome(view, names),
    )


def _heading(view: Observation) -> str:
    facts = view.facts
    if facts["turn"] is None:
        return "Before the first turn"
    number, limit = facts["turn_number"], facts["turn_limit"]
    return f"Turn {number} of at most {limit}" if 0 < limit <= number + SHORTLY else f"Turn {number}"


def _prompt(view: Observation, names: Sequence[str]) -> str:
    facts = view.facts
    if view.over:
        return "The game is over."
    if view.actor == CHANCE:
        return "A coin decides who begins." if view.zones else "The cards are about to be dealt."
    if view.actor != view.seat:
        what = {
            "trap": "is to choose what the black trap destroys",
            "target": "is to choose what the straight destroys",
        }
        return f"{names[view.actor]} {what.get(facts['stage'], 'is to play')}."
    if facts["stage"] == "straight":
        return f"Your straight: discard a card of rank {_rank_word(facts['to_come'][0])}."
    if facts["stage"] == "main":
        return "Your turn: " + _main_prompt(view) + "."
    return {
        "battle": "Your turn: attack again, or end the turn.",
        "target": f"Your straight destroys one of {names[1 - view.seat]}'s cards: choose which.",
        "trap": f"{names[1 - view.seat]} attacked your black trap: choose another of {names[1 - view.seat]}'s cards, "
        "to be destroyed.",
        "discards": f"You hold {facts['held'][view.seat]} cards and may keep six: discard one.",
    }[facts["stage"]]


def _main_prompt(view: Observation) -> str:
    """What is open in the main phase."""
    words = {action.split()[0] for action in view.legal}
    parts = ["put a card onto your field"] if words & {"up", "down"} else []
    parts += ["turn up a face-down card"] if "flip" in words else []
    parts += ["use a joker"] if "joker" in words else []
    parts += ["announce a straight"] if "straight" in words else []
    parts += ["attack (after that, only attacks)"] if "attack" in words else []
    return ", ".join([*parts, "or end the turn"]) if parts else "you can do nothing more, so end it"


def _rank_word(rank: str) -> str:
    return RANK_WORDS[RANKS.index(rank)]


def _middle(view: Observation) -> Area:
    deck, grave = view.zone("deck"), view.zone("graveyard")
    if deck is None or grave is None:
        return Area("middle", "", None, [])
    buried = [CardSeen(card_name(card)) for card in grave.known]
    known = [CardSeen(card_name(card), False) for card in deck.known]
    rows = [
        Row("deck", "Deck", "pile", known, deck.hidden),
        Row("graveyard", f"Graveyard {len(buried)}", "pile", buried[-1:]),
        Row("graveyard-all", "The graveyard", "last", buried),
    ]
    open_to_all = known and view.facts["deck_known"]  # where all cards lie open, the deck's are known as well
    notes = ["the deck is the old graveyard: anybody may look through it"] if open_to_all else []
    return Area("middle", "Deck and graveyard", None, rows, notes=notes)


def _side(view: Observation, names: Sequence[str], player: int, at: int) -> Area:
    facts = view.facts
    notes = []
    if facts["attacked"] and facts["turn"] == player and facts["stage"] in ("battle", "trap"):
        slots = [str(slot) for slot in facts["attacked"]]
        notes.append(f"attacked from slot{'s' if len(slots) > 1 else ''} {listed(slots)}")
    if view.seat not in (player, EVERYTHING):
        notes.extend(_perhaps(view, player))
    return Area(
        id=f"side-{player}",
        title=name_of(view, names, player),
        at=at,
        rows=_rows(view, player),
        seat=player,
        active=view.actor == player,
        turn={"trap": "to choose a card", "target": "to choose a card", "discards": "to discard"}.get(
            facts["stage"], "to play"
        ),
        notes=notes,
    )


def _perhaps(view: Observation, player: int) -> list[str]:
    """CW-24: cards that were seen once and may lie face down now."""
    found = []
    for slot, cards in enumerate(view.facts["perhaps"][player], 1):
        if cards:
            what = the_card(cards[0]) if len(cards) == 1 else listed([in_signs(card) for card in cards], "or")
            found.append(f"slot {slot} may hold {what}")
    return found


def _rows(view: Observation, player: int) -> list[Row]:
    """The life pile, the three slots, the hand."""
    life, lost, hand = (view.zone(zone, player) for zone in ("life", "lost", "hand"))
    if life is None or lost is None or hand is None:
        return []
    name = f"side-{player}"
    opened = [CardSeen(card_name(card)) for card in lost.known]
    left = life.hidden + len(life.cards)  # laid open only when the game is looked at again
    return [
        Row(f"{name}-life", "Life pile", "life", opened, left, token=f"{_whose(view, player)}-life"),
        *(_slot_row(view, player, slot) for slot in range(SLOTS)),
        Row(f"{name}-hand", "Hand", "hand", cards_held(view, player, hand.known), hand.hidden),
    ]


def _whose(view: Observation, player: int) -> str:
    return "own" if player == max(view.seat, 0) else "their"


def _slot_row(view: Observation, player: int, slot: int) -> Row:
    """One slot: the face-down card below, the face-up one upon it."""
    up, down = (view.zone(zone, player * SLOTS + slot) for zone in ("face up", "face down"))
    token = f"{_whose(view, player)}-{slot + 1}"
    single = view.facts["stage"] == "trap"  # only then may either of two cards in a slot be meant
    cards = []
    if down is not None and (down.cards or down.hidden):
        text = card_name(down.cards[0]) if down.cards and down.cards[0] is not None else None
        cards.append(CardSeen(text, False, token=f"{token}d" if single else None))
    if up is not None and up.cards and up.cards[0] is not None:
        cards.append(CardSeen(card_name(up.cards[0]), token=f"{token}u" if single else None))
    return Row(f"side-{player}-{slot + 1}", f"Slot {slot + 1}", "slot", cards, token=token)


def _tokens(view: Observation, action: str) -> list[str]:
    """What has to be chosen on the table for an action."""
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
        return [f"their-{rest[0]}" if view.facts["stage"] == "trap" else f"their-{rest[0][0]}"]
    if word == "joker":
        hand = view.zone("hand", view.seat)
        cards = hand.known if hand else []
        return [card_name(min(card for card in cards if card >= 52))]
    return []


def phrase(view: Observation, action: str) -> str:
    """How the log would say an action of the viewer's."""
    word, *rest = action.split()
    if word in ("up", "down"):
        return f"put {the_card(rest[0])} face {word} into slot {rest[1]}"
    if word == "flip":
        return f"turn up {_named(view, 'face down', view.seat, rest[0])} in slot {rest[0]}"
    if word == "attack":
        target = "the life pile" if rest[1] == "life" else f"slot {rest[1]}"
        return f"attack {target} with {_named(view, 'face up', view.seat, rest[0])}"
    if word == "destroy":
        lies = "face up" if rest[0][1:] == "u" else "face down"
        return f"destroy {_named(view, lies, 1 - view.seat, rest[0])} in slot {rest[0][0]}"
    if word == "straight":
        low = RANKS.index(rest[0])
        return f"announce a straight, from {RANK_WORDS[low + 3]} down to {RANK_WORDS[low]}"
    if word == "discard":
        return f"discard {the_card(rest[0])}"
    return {"joker": "use a joker and take the whole other field", "end": "end the turn"}[word]


def _named(view: Observation, zone_name: str, player: int, slot: str) -> str:
    card = _card_in(view, zone_name, player, slot)
    return the_card(card) if card else f"the {zone_name.replace(' ', '-')} card"


def meant(view: Observation, tokens: Sequence[str]) -> list[str]:
    """Cards, own slots and the other side's, put together as far as they go."""
    cards = [token for token in tokens if token in CARD_NUMBERS][-1:]
    own = [token[len("own-")] for token in tokens if token.startswith("own-") and token != "own-life"][-1:]
    their = [token.removeprefix("their-") for token in tokens if token.startswith("their-")][-1:]
    stage = view.facts["stage"]
    if stage in ("straight", "discards") and cards:
        return [f"discard {cards[0]}"]
    if stage in ("target", "trap") and their and their[0] != "life":
        return [f"destroy {their[0]}" if len(their[0]) == 2 else f"destroy {their[0]}u"]
    if cards and bit(CARD_NUMBERS[cards[0]]) & JOKERS:
        return ["joker"]
    if cards:
        return [f"{way} {cards[0]} {slot}" for slot in own or SLOT_NAMES for way in ("up", "down")]
    if own and not their and _card_in(view, "face up", view.seat, own[0]) is None:
        return [f"flip {own[0]}"]
    return [f"attack {slot} {aim}" for slot in own or SLOT_NAMES for aim in their or (*SLOT_NAMES, "life")]


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


# In words


def _told(view: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    event = last_event(view, before)
    if event is None or before is None:
        return []
    if event.by == CHANCE:
        told = ["The cards are dealt: six life cards each, three in hand."] if event.do.startswith("deal") else []
        return told + _told_turn(view, names, before)
    word, *rest = event.do.split()
    told = {
        "up": _told_up,
        "down": _told_down,
        "flip": _told_flip,
        "attack": _told_attack,
        "joker": _told_joker,
        "straight": _told_straight,
        "discard": _told_discard,
        "destroy": _told_destroy,
        "end": _told_end,
    }[word](view, names, before, event.by, rest)
    return [*told, *_told_turn(view, names, before), *([_outcome(view, names)] if view.over else [])]


def _card_in(view: Observation, zone_name: str, player: int, slot: str) -> str | None:
    """The card that a viewer sees in a slot, as text."""
    zone = view.zone(zone_name, player * SLOTS + int(slot[0]) - 1)
    return card_name(zone.cards[0]) if zone and zone.cards and zone.cards[0] is not None else None


def _told_up(view: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> list[str]:
    below = view.zone("face down", by * SLOTS + int(rest[1]) - 1)
    upon = ", upon the face-down card there" if below is not None and (below.cards or below.hidden) else ""
    return [f"{says(view, names, by, 'put')} {the_card(rest[0])} face up into slot {rest[1]}{upon}."]


def _told_down(view: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> list[str]:
    what = "a card" if rest[0] == HIDDEN_CARD else the_card(rest[0])
    return [f"{says(view, names, by, 'put')} {what} face down into slot {rest[1]}."]


def _told_flip(view: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> list[str]:
    card = _card_in(view, "face up", by, rest[0])
    return [f"{says(view, names, by, 'turn')} up {the_card(card) if card else 'a card'} in slot {rest[0]}."]


def _told_attack(view: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> list[str]:
    own = _card_in(before, "face up", by, rest[0])
    attacker = the_card(own) if own else "a card"
    lost = view.zone("lost", 1 - by)
    if rest[1] == "life":
        card = lost.cards[0] if lost and lost.cards else None
        what = f" and takes {the_card(card_name(card))}" if card is not None else ""
        what = what.replace("takes", "take") if by == view.seat else what
        left = view.facts["left"][1 - by]
        return [
            f"{says(view, names, by, 'attack')} the life pile with {attacker}{what}; {counted(left, 'life card')} left."
        ]
    target = _card_in(before, "face up", 1 - by, rest[1])
    head = f"{says(view, names, by, 'attack')} slot {rest[1]} with {attacker}"
    if target:
        return [f"{head}: {the_card(target)} is destroyed."]
    wall = _card_in(view, "face up", 1 - by, rest[1])
    if wall:
        return [f"{head}: {the_card(wall)} is a wall and stays, and the turn ends."]
    return [f"{head}: {_told_trap(view, names, before, by, rest, attacker)}"]


def _told_trap(
    view: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str], attacker: str
) -> str:
    """The card last buried is a black trap, or the attacker after a red one (CW-18)."""
    gone = _card_in(view, "face up", by, rest[0]) is None
    grave = view.zone("graveyard")
    cards = grave.known if grave else []
    trap = the_card(card_name(cards[-2 if gone else -1]))
    if gone:
        return f"{trap} is a red trap: both cards are destroyed."
    if view.facts["stage"] != "trap":
        return f"{trap} is a black trap and is destroyed; there is no other card for it to take along."
    return f"{trap} is a black trap and is destroyed; {name_of(view, names, 1 - by, 'you')} may destroy another card."


def _told_joker(view: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> list[str]:
    taken = view.facts["held"][by] - before.facts["held"][by] + 1
    what = {0: "finds nothing to take", 1: "takes the one card"}.get(taken, f"takes all {taken} cards")
    head = f"{says(view, names, by, 'use')} a joker and "
    if by == view.seat:
        what = what.replace("finds", "find").replace("takes", "take")
    return [f"{head}{what}{'' if taken == 0 else ' of the other field'}."]


def _told_straight(view: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> list[str]:
    low = RANKS.index(rest[0])
    return [f"{says(view, names, by, 'announce')} a straight, from {RANK_WORDS[low + 3]} down to {RANK_WORDS[low]}."]


def _told_discard(view: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> list[str]:
    return [f"{says(view, names, by, 'discard')} {the_card(rest[0])}."]


def _told_destroy(view: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> list[str]:
    grave = view.zone("graveyard")
    card = grave.cards[-1] if grave and grave.cards else None
    what = the_card(card_name(card)) if card is not None else "a card"
    return [f"{says(view, names, by, 'destroy')} {what} in slot {rest[0][0]}."]


def _told_end(view: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> list[str]:
    return [f"{says(view, names, by, 'end')} the turn."]


def _told_turn(view: Observation, names: Sequence[str], before: Observation) -> list[str]:
    """CW-5: whose turn has begun, and what was drawn as far as that is known."""
    facts = view.facts
    if facts["turn"] is None or facts["turn_number"] == before.facts["turn_number"]:
        return []
    player = facts["turn"]
    told = (
        ["The graveyard is turned over to become the deck."] if facts["deck_known"] > before.facts["deck_known"] else []
    )
    new = cards_gained(view, before, "hand", player)
    what = the_card(card_name(new[0])) if len(new) == 1 else "a card"
    return ["", *told, f"{says(view, names, player, 'draw')} {what}."]


def _outcome(view: Observation, names: Sequence[str]) -> str:
    if not view.over:
        return ""
    scores, winners = view.standing.scores, view.standing.winners
    if len(winners) == 2:
        return f"A draw: the turns are used up, and both have {counted(scores[0], 'life card')} left."
    winner = winners[0]
    won, lost = scores[winner], scores[1 - winner]
    victor, loser = names[winner], names[1 - winner]
    if view.seat == 1 - winner:
        how = f"{victor} has {counted(won, 'life card')} left, and you have {lost}"
        return f"You lose: {how if lost else f'{victor} has taken your last life card'}."
    if view.seat == winner:
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
    Term("life pile", "six face-down cards. Whoever takes the other's last one wins.", "CW-14"),
    Term("straight", "four cards of consecutive ranks, discarded to destroy a card of the other field.", "CW-22"),
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
    fits="For two who like to bluff: a duel of walls, traps and well-timed attacks.",
    minutes=(15, 30),
)
