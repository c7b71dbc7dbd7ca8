"""Castle Walls: the layout, two fields of slots facing each other."""

from collections.abc import Sequence

from parlour.cards import CARD_NUMBERS, JOKERS, RANKS, bit, card_name
from parlour.engine.observation import EVERYTHING, Observation
from parlour.engine.rules import CHANCE
from parlour.games.castle_walls.log_lines import card_in, in_words, log_lines, outcome_of, straight_ranks
from parlour.languages import fill, gettext, ngettext, pgettext
from parlour.languages.declension import listed, listed_choice, rank_word
from parlour.render.scene import (
    Area,
    CardSeen,
    Choice,
    Layout,
    Row,
    Scene,
    Term,
    cards_held,
    option_number,
    scene_of,
    standings_of,
)
from parlour.render.words import in_signs, name_of, the_card, to_play

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
        log=log_lines(observation, names, before),
        choices=[Choice(action, _label(action), _tokens(observation, action)) for action in observation.legal],
        outcome=outcome_of(observation, names),
    )


def _heading(observation: Observation) -> str:
    facts = observation.facts
    if facts["turn"] is None:
        return gettext("Before the first turn")
    number, limit = facts["turn_number"], facts["turn_limit"]
    if 0 < limit <= number + LIMIT_NOTICE_TURNS:
        return gettext("Turn {number} of at most {limit}", number=number, limit=limit)
    return gettext("Turn {number}", number=number)


def _prompt(observation: Observation, names: Sequence[str]) -> str:
    if observation.over:
        return gettext("The game is over.")
    if observation.actor == CHANCE:
        if observation.zones:
            return gettext("A coin decides who begins.")
        return gettext("The cards are about to be dealt.")
    if observation.actor != observation.seat:
        waiting = {
            "trap": gettext("{name} is to choose what the black trap destroys."),
            "target": gettext("{name} is to choose what the straight destroys."),
        }
        sentence = waiting.get(observation.facts["stage"], gettext("{name} is to play."))
        return fill(sentence, name=names[observation.actor])
    return _own_prompt(observation, names[1 - observation.seat])


def _own_prompt(observation: Observation, rival: str) -> str:
    """Return the prompt while the game waits for the viewer."""
    facts = observation.facts
    if facts["stage"] == "straight":
        rank = rank_word(RANKS.index(facts["to_come"][0]))
        return gettext("Your straight: discard a card of rank {rank}.", rank=rank)
    if facts["stage"] == "main":
        return _main_prompt(observation)
    if facts["stage"] == "target":
        return gettext("Your straight destroys one of {name}'s cards: choose which.", name=rival)
    if facts["stage"] == "trap":
        return gettext(
            "{name} attacked your black trap: choose another of {name}'s cards, to be destroyed.", name=rival
        )
    if facts["stage"] == "discards":
        held, limit = facts["held"][observation.seat], option_number(observation, "hand_limit")
        return gettext("You hold {held} cards and may keep {limit}: discard one.", held=held, limit=limit)
    if any(action.startswith("attack") for action in observation.legal):
        return gettext("Your turn: attack again, or end the turn.")
    return gettext("Your turn: you can attack no more, so end it.")


def _slot_names(observation: Observation) -> list[str]:
    return [str(slot + 1) for slot in range(option_number(observation, "slots"))]


def _main_prompt(observation: Observation) -> str:
    """Return the prompt with the kinds of actions possible in the main phase."""
    words = {action.split()[0] for action in observation.legal}
    parts = [pgettext("your turn", "put a card onto your field")] if words & {"up", "down"} else []
    parts += [pgettext("your turn", "turn up a face-down card")] if "flip" in words else []
    parts += [pgettext("your turn", "use a joker")] if "joker" in words else []
    parts += [pgettext("your turn", "announce a straight")] if "straight" in words else []
    parts += [pgettext("your turn", "attack (after that, only attacks)")] if "attack" in words else []
    if not parts:
        return gettext("Your turn: you can do nothing more, so end it.")
    # Translators: {actions} is a list of the messages of the context "your turn", separated by commas
    return gettext("Your turn: {actions}, or end the turn.", actions=", ".join(parts))


def _middle(observation: Observation) -> Area:
    deck, grave = observation.zone("deck"), observation.zone("graveyard")
    if deck is None or grave is None:
        return Area("middle", "", None, [])
    buried = [CardSeen(card_name(card)) for card in grave.known]
    known = [CardSeen(card_name(card), False) for card in deck.known]
    rows = [
        Row("deck", gettext("Deck"), "pile", known, deck.hidden),
        Row("graveyard", gettext("Graveyard {number}", number=len(buried)), "pile", buried[-1:]),
        Row("graveyard-all", gettext("The graveyard"), "last", buried),
    ]
    open_to_all = known and observation.facts["deck_known"]  # an omniscient viewer knows the deck, too
    notes = [gettext("the deck is the old graveyard: anybody may look through it")] if open_to_all else []
    return Area("middle", gettext("Deck and graveyard"), None, rows, notes=notes)


def _side(observation: Observation, names: Sequence[str], player: int, at: int) -> Area:
    facts = observation.facts
    notes = []
    if facts["attacked"] and facts["turn"] == player and facts["stage"] in ("battle", "trap"):
        slots = [str(slot) for slot in facts["attacked"]]
        # Translators: the numbers of the slots whose cards have attacked in this turn, as in "2" or "1 and 3"
        note = ngettext("attacked from slot {slots}", "attacked from slots {slots}", len(slots), slots=listed(slots))
        notes.append(note)
    if observation.seat == EVERYTHING:
        notes.extend(_life_cards(observation, player))
    elif observation.seat != player:
        notes.extend(_suspicions(observation, player))
    return Area(
        id=f"side-{player}",
        title=name_of(observation, names, player),
        at=at,
        rows=_rows(observation, player),
        seat=player,
        active=observation.actor == player,
        turn=_task(facts["stage"], player == observation.seat),
        notes=notes,
    )


def _task(stage: str, own: bool) -> str:
    """Return what the player to act has to do, the viewer (``own``) or the other one."""
    if stage in ("trap", "target"):
        return pgettext("task of You", "to choose a card") if own else gettext("to choose a card")
    if stage == "discards":
        return pgettext("task of You", "to discard") if own else gettext("to discard")
    return to_play(own)


def _life_cards(observation: Observation, player: int) -> list[str]:
    """Return a note on the cards of a life pile, which are open to an omniscient viewer only."""
    life = observation.zone("life", player)
    if life is None or not life.known:
        return []
    cards = [in_signs(card_name(card)) for card in life.known]
    return [gettext("life pile from the top: {cards}", cards=", ".join(cards))]


def _suspicions(observation: Observation, player: int) -> list[str]:
    """CW-24: return a note on each slot whose face-down card may be one seen earlier."""
    found = []
    for slot, cards in enumerate(observation.facts["perhaps"][player], 1):
        if cards:
            what = the_card(cards[0]) if len(cards) == 1 else listed_choice([in_signs(card) for card in cards])
            found.append(gettext("slot {slot} may hold {cards}", slot=slot, cards=what))
    return found


def _rows(observation: Observation, player: int) -> list[Row]:
    """Return a player's rows: the life pile, the slots, the hand."""
    life, lost, hand = (observation.zone(zone, player) for zone in ("life", "lost", "hand"))
    if life is None or lost is None or hand is None:
        return []
    name = f"side-{player}"
    face_up = [CardSeen(card_name(card)) for card in lost.known]
    left = life.hidden + len(life.cards)  # life cards are visible only in a review
    return [
        Row(f"{name}-life", gettext("Life pile"), "life", face_up, left, token=f"{_whose(observation, player)}-life"),
        *(_slot_row(observation, player, slot) for slot in range(option_number(observation, "slots"))),
        Row(f"{name}-hand", gettext("Hand"), "hand", cards_held(observation, player, hand.known), hand.hidden),
    ]


def _whose(observation: Observation, player: int) -> str:
    return "own" if player == max(observation.seat, 0) else "their"


def _slot_row(observation: Observation, player: int, slot: int) -> Row:
    """Return the row of a slot, the face-down card below the face-up one."""
    at = player * option_number(observation, "slots") + slot
    up, down = (observation.zone(zone, at) for zone in ("face up", "face down"))
    token = f"{_whose(observation, player)}-{slot + 1}"
    single = observation.facts["stage"] == "trap"  # only a trap lets either card of a slot be chosen
    cards = []
    if down is not None and (down.cards or down.hidden):
        text = card_name(down.cards[0]) if down.cards and down.cards[0] is not None else None
        cards.append(CardSeen(text, False, token=f"{token}d" if single else None))
    if up is not None and up.cards and up.cards[0] is not None:
        cards.append(CardSeen(card_name(up.cards[0]), token=f"{token}u" if single else None))
    return Row(f"side-{player}-{slot + 1}", gettext("Slot {number}", number=slot + 1), "slot", cards, token=token)


def _tokens(observation: Observation, action: str) -> list[str]:
    """Return the tokens to be chosen for an action; none for an action that has only a button."""
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
    """Return a legal action of the viewer as a phrase, to follow words like "It seems best to"."""
    word, *rest = action.split()
    if word == "up":
        # Translators: the phrases of the context "action" follow words like "It seems best to": infinitives
        return pgettext("action", "put {card} face up into slot {slot}", card=the_card(rest[0]), slot=rest[1])
    if word == "down":
        return pgettext("action", "put {card} face down into slot {slot}", card=the_card(rest[0]), slot=rest[1])
    if word == "flip":
        card = in_words(card_in(observation, "face down", observation.seat, rest[0]))
        return pgettext("action", "turn up {card} in slot {slot}", card=card, slot=rest[0])
    if word == "attack":
        attacker = in_words(card_in(observation, "face up", observation.seat, rest[0]))
        if rest[1] == "life":
            return pgettext("action", "attack the life pile with {attacker}", attacker=attacker)
        return pgettext("action", "attack slot {slot} with {attacker}", slot=rest[1], attacker=attacker)
    if word == "destroy":
        return _destroy_phrase(observation, rest[0])
    if word == "straight":
        high, low = straight_ranks(observation, rest[0])
        return pgettext("action", "announce a straight, from {high} down to {low}", high=high, low=low)
    if word == "discard":
        return pgettext("action", "discard {card}", card=the_card(rest[0]))
    if word == "joker":
        return pgettext("action", "use a joker and take the whole other field")
    return pgettext("action", "end the turn")


def _destroy_phrase(observation: Observation, place: str) -> str:
    """Return the phrase of the action ``destroy 2u``: an unknown card is named by its slot."""
    card = card_in(observation, "face up" if place[1:] == "u" else "face down", 1 - observation.seat, place)
    if card is None:
        return pgettext("action", "destroy the face-down card in slot {slot}", slot=place[0])
    return pgettext("action", "destroy {card} in slot {slot}", card=the_card(card), slot=place[0])


def interpret(observation: Observation, tokens: Sequence[str]) -> list[str]:
    """Return the actions, legal or not, that the chosen cards and slots may stand for."""
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
    if own and not their and card_in(observation, "face up", observation.seat, own[0]) is None:
        return [f"flip {own[0]}"]
    return [f"attack {slot} {aim}" for slot in own or slots for aim in their or (*slots, "life")]


def _label(action: str) -> str:
    word, *rest = action.split()
    if word == "straight":
        rank = rank_word(RANKS.index(rest[0]))
        return pgettext("button", "Straight from the {rank}", rank=rank)
    return {
        "up": pgettext("button", "Put face up"),
        "down": pgettext("button", "Put face down"),
        "flip": pgettext("button", "Turn up"),
        "attack": pgettext("button", "Attack"),
        "joker": pgettext("button", "Take their whole field"),
        "discard": pgettext("button", "Discard"),
        "destroy": pgettext("button", "Destroy"),
        "end": pgettext("button", "End the turn"),
    }[word]


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
    interpret=interpret,
    terms=TERMS,
    themes={"put": "put a card onto the field"},
    unusual="Six cards guard your life, and neither of you knows which they are.",
    fits="For two who like to bluff: a duel of walls, traps and well-timed attacks.",
    minutes=(15, 30),
)
