"""Castle Walls: the meaning of each field of a state, for the descriptions of tensors."""

from parlour.cards import RANK_WORDS
from parlour.engine.fields import FieldWords

_SLOTS = ("slot 1", "slot 2", "slot 3")
_EYES = ("to the other player", "to the public")
_STAGES = ("deal", "first", "main", "battle", "straight", "target", "trap", "discards", "end")

FIELD_WORDS = {
    "stage": FieldWords("the stage of the game", values=_STAGES),
    "turn": FieldWords("the player whose turn it is"),
    "turns": FieldWords("turns begun by both players", "turns"),
    "placed": FieldWords("whether a card was put onto the field in this turn"),
    "covered_now": FieldWords("the slot of a card put face down in this turn", values=_SLOTS),
    "attacked": FieldWords("the slots that have attacked in this turn", values=_SLOTS),
    "attacker": FieldWords("the slot that attacked a black trap", values=_SLOTS),
    "straight_low": FieldWords("the lowest rank of the straight under way", values=RANK_WORDS),
    "straight_next": FieldWords("the rank that the straight discards next", values=RANK_WORDS),
    "hand": FieldWords("the cards of a hand, as far as the observer knows them"),
    "held": FieldWords("cards in a hand", "cards"),
    "up": FieldWords("the face-up cards of a field, by slot"),
    "down": FieldWords("the face-down cards of a field, by slot"),
    "laid": FieldWords("the turn in which the face-down card of a slot was put there", "turns", axes=("slot",)),
    "life": FieldWords("the life pile: the first `left` cards are in it, the top last; cards taken from it follow"),
    "left": FieldWords("cards in a life pile", "cards"),
    "line": FieldWords("a ring with the deck from its top and then the graveyard; the first card is at `head`"),
    "head": FieldWords("the place in `line` of the first card", "places"),
    "deck_left": FieldWords("cards in the deck", "cards"),
    "grave_left": FieldWords("cards in the graveyard", "cards"),
    "turned": FieldWords("whether the graveyard has become the deck"),
    "no_black": FieldWords("whether a hand has no black joker, since the red one was played and no card drawn since"),
    "known": FieldWords(
        "a player's hidden cards that were seen once and whose places are certain", axes=(_EYES,), place=False
    ),
    "possible": FieldWords(
        "a player's cards that were seen once and are in the hand or face down", axes=(_EYES,), place=False
    ),
    "may_hold": FieldWords("the cards seen once that a slot may hold", axes=(_EYES, "slot"), place=False),
    "capacity": FieldWords(
        "the greatest number of never-seen cards in a player's slots up to this one; 9: no limit",
        "cards",
        axes=(_EYES, "slot"),
    ),
    "displaced": FieldWords(
        "cards that are, to the public, with either player, since a joker took a card unseen", place=False
    ),
}
