"""Trime Kicker: the meaning of each field of a state, for the descriptions of tensors."""

from parlour.engine.fields import FieldWords

_PILES = ("pile 1", "pile 2", "pile 3", "pile 4")

STAGES = ("deal", "first", "turns", "end")

FIELD_WORDS = {
    "stage": FieldWords("the stage of the game", values=STAGES),
    "top": FieldWords("the top cards of the piles, by pile"),
    "controller": FieldWords("the player who owns a pile; none for a three that was never covered", axes=(_PILES,)),
    "pile": FieldWords("all cards of a pile", axes=(_PILES,)),
    "hand": FieldWords("the cards of a main pile, as far as the observer knows them"),
    "first": FieldWords(
        "the cards of a main pile when it was dealt or taken up, as far as the observer knows them", place=False
    ),
    "first_size": FieldWords("cards in a main pile when it was dealt or taken up", "cards"),
    "backup": FieldWords("a backup as dealt; its first `drawn` cards have been drawn"),
    "drawn": FieldWords("cards drawn from a backup", "cards"),
    "left": FieldWords("cards left in a backup", "cards"),
    "laid": FieldWords("the cards that a player has laid since the main pile was dealt or taken up", place=False),
    "laid_before": FieldWords("cards that a player laid before that", "cards"),
    "may": FieldWords("the cards that can have come with the deal of a main pile and each draw since", place=False),
    "declines": FieldWords("whether the last turn ended with a decline that counts"),
    "drew": FieldWords("cards drawn in this turn", "cards"),
    "order": FieldWords("the judge's order", values=("none", "ordered to move", "obeying")),
    "favoured": FieldWords("the player whom the judge's fairness favours"),
}
