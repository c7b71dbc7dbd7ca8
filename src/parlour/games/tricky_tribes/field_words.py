"""Tricky Tribes: the meaning of each field of a state, for the descriptions of tensors."""

from parlour.engine.fields import FieldWords

_PLACES = ("first place", "second place", "third place", "fourth place", "fifth place", "sixth place")

STAGES = ("dealer", "deal", "exchange", "tricks", "end")

FIELD_WORDS = {
    "side": FieldWords("the side of a player"),
    "weight": FieldWords("the factor of a player's points: 2 for one who is alone among teams", "times"),
    "stage": FieldWords("the stage of the game", values=STAGES),
    "round_number": FieldWords("the round, from 0; -1 before the first deal", "rounds"),
    "dealer": FieldWords("the dealer"),
    "ring": FieldWords("the tribe at a place of the ring, clockwise from the dealer's left", axes=(_PLACES,)),
    "turn": FieldWords("the tribe that is to play a card"),
    "gone": FieldWords("the players who have put a card away"),
    "tricks": FieldWords("tricks finished in this round", "tricks"),
    "leader": FieldWords("the tribe that leads the trick"),
    "must_open": FieldWords("whether the trick must be led open"),
    "is_open": FieldWords("whether the trick was led open"),
    "above": FieldWords("the cards that rank above all others, for the colour of the trick", place=False),
    "played": FieldWords("cards in the trick", "cards"),
    "trick": FieldWords("the cards of the trick; those beyond `played` are of the trick before", place=False),
    "last_leader": FieldWords("the tribe that led the last finished trick"),
    "last_open": FieldWords("whether the last finished trick was led open"),
    "last_taker": FieldWords("the place in the order of play of the tribe that took the last trick", values=_PLACES),
    "last_loot": FieldWords("the cards that were collected from the last finished trick", place=False),
    "last_trick": FieldWords("the cards of the last finished trick"),
    "hand": FieldWords("the cards of a hand"),
    "away": FieldWords("the card that a player has put away"),
    "collected": FieldWords("the cards that a tribe has collected in this round"),
    "discarded": FieldWords("the discarded cards of this round"),
    "deck": FieldWords("the deck as shuffled; its first `drawn` cards have been drawn"),
    "drawn": FieldWords("cards drawn from the deck", "cards"),
    "points": FieldWords("the points of a player in the rounds before", "points"),
}
