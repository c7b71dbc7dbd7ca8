"""Castle Walls: the meaning of each field of a state, for the descriptions of tensors."""

from parlour.cards import RANK_WORDS
from parlour.engine.fields import FieldWords

_SLOTS = ("slot 1", "slot 2", "slot 3")
_OBSERVERS = ("to the other player", "to the public")
_RIVAL = _OBSERVERS[:1]  # the public's items have no planes
STAGES = ("deal", "first", "main", "battle", "straight", "target", "trap", "discards", "end")

FIELD_WORDS = {
    "stage": FieldWords("the stage of the game", values=STAGES),
    "turn": FieldWords("the player whose turn it is"),
    "turns": FieldWords("turns begun by both players", "turns"),
    "placed": FieldWords("whether a card was put onto the field in this turn, a flag for each permitted card"),
    "covered_now": FieldWords("the slot of the last card put face down in this turn", values=_SLOTS),
    "attacked": FieldWords("the slots that have attacked in this turn", values=_SLOTS),
    "attacker": FieldWords("the slot that attacked a black trap", values=_SLOTS),
    "straight_low": FieldWords("the lowest rank of the straight under way", values=RANK_WORDS),
    "straight_next": FieldWords("the rank that the straight discards next", values=RANK_WORDS),
    "hand": FieldWords("the cards of a hand, as far as the observer knows them"),
    "held": FieldWords("cards in a hand", "cards"),
    "up": FieldWords("the face-up cards of a field, by slot"),
    "down": FieldWords("the face-down cards of a field, by slot"),
    "laid": FieldWords(
        "the number of the placing of a slot's face-down card, `placings` for each turn: by default the turn",
        "placings",
        axes=("slot",),
    ),
    "life": FieldWords("the life pile: the first `left` cards are in it, the top last; cards taken from it follow"),
    "left": FieldWords("cards in a life pile", "cards"),
    "line": FieldWords("a ring with the deck from its top and then the graveyard; the first card is at `head`"),
    "head": FieldWords("the place in `line` of the first card", "places"),
    "deck_left": FieldWords("cards in the deck", "cards"),
    "grave_left": FieldWords("cards in the graveyard", "cards"),
    "turned": FieldWords("whether the graveyard has become the deck"),
    "no_black": FieldWords(
        "whether a hand hides no black joker: the red one was played, and no card drawn unseen since"
    ),
    "known": FieldWords(
        "a player's hidden cards that were seen once and whose places are certain", axes=(_RIVAL,), place=False
    ),
    "possible": FieldWords(
        "a player's cards that were seen once and are in the hand or face down", axes=(_RIVAL,), place=False
    ),
    "may_hold": FieldWords("the cards seen once that a slot may hold", axes=(_OBSERVERS, "slot"), place=False),
    "capacity": FieldWords(
        "the greatest number of never-seen cards that a slot and those filled before it may hold",
        "cards",
        axes=(_RIVAL, "slot"),
    ),
    "displaced": FieldWords(
        "cards that are, to the public, with either player, since a joker took a card unseen", place=False
    ),
}
