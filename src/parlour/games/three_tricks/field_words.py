"""3 Tricks: the meaning of each field of a state, for the descriptions of tensors."""

from parlour.engine.fields import FieldWords

_ROWS = ("first trick", "second trick", "third trick")

STAGES = ("dealer", "deal", "turns", "shuffle", "end")

FIELD_WORDS = {
    "stage": FieldWords("the stage of the game", values=STAGES),
    "dealer": FieldWords("the dealer"),
    "turn": FieldWords("the player who decides, now or when all cards are drawn"),
    "to_block": FieldWords(
        "the trick that the other player laid in the last turn and that may be blocked", place=False
    ),
    "idle": FieldWords("turns in a row without a new trick", "turns"),
    "winner": FieldWords("the player who has laid a third trick"),
    "drawer": FieldWords("the player who draws"),
    "to_draw": FieldWords("cards still to be drawn", "cards"),
    "hand": FieldWords("the cards of a hand, as far as the observer knows them"),
    "held": FieldWords("cards in a hand", "cards"),
    "laid": FieldWords("tricks that a player has laid in a row", "tricks"),
    "rows": FieldWords("the cards of a trick in the row", axes=(_ROWS,)),
    "blocked": FieldWords("the cards of a player's blocked tricks"),
    "second": FieldWords("the cards that a player has put on the second stock, as far as the observer knows them"),
    "second_size": FieldWords("cards that a player has put on the second stock", "cards"),
    "stock": FieldWords("the stock from its bottom; only the first `left` cards are there"),
    "left": FieldWords("cards in the stock", "cards"),
    "shuffles": FieldWords("times that the second stock became the stock", "shuffles"),
    "returned": FieldWords("cards that a player put away before the last shuffle and has not seen since", place=False),
    "links": FieldWords(
        "limits on the other player's cards that follow from all shuffles; the first two are shown", "limits"
    ),
    "older": FieldWords("cards that a limit counts in addition to `returned`", axes=("limit",), place=False),
    "most_put": FieldWords(
        "largest number of a limit's cards that the other player can have put away since the shuffle",
        "cards",
        axes=("limit",),
    ),
    "most_had": FieldWords(
        "largest number of a limit's cards that the other player can have in the hand or put away",
        "cards",
        axes=("limit",),
    ),
}
