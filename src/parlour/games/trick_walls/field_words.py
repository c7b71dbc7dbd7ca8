"""Trick Walls: the meaning of each field of a state, for the descriptions of tensors."""

from parlour.engine.fields import FieldWords

_SUITS = ("clubs", "diamonds", "hearts", "spades")

STAGES = ("dealer", "colour", "deal", "exchange", "tricks", "end")

FIELD_WORDS = {
    "stage": FieldWords("the stage of the game", values=STAGES),
    "round_number": FieldWords("the round, from 0; -1 before the first deal", "rounds"),
    "tricks": FieldWords("tricks finished in this round", "tricks"),
    "dealing_team": FieldWords("the side that deals"),
    "red_team": FieldWords("the side whose colour is red"),
    "starter": FieldWords("the city that starts the round"),
    "holder": FieldWords("the player whose city this is; none for a dummy"),
    "team": FieldWords("the side of a player"),
    "city": FieldWords("the city that is to play a card"),
    "leader": FieldWords("the city that leads the trick"),
    "played": FieldWords("cards in the trick", "cards"),
    "trick_suit": FieldWords("the suit of the trick", values=_SUITS),
    "best": FieldWords(
        "the card that a card of the trick suit must beat to lie face up; none after an ace that leads", place=False
    ),
    "survivors": FieldWords("cards of the trick after the first that lie face up", "cards"),
    "trick": FieldWords("the cards of the trick; those beyond `played` are of the trick before"),
    "last_leader": FieldWords("the city that led the last finished trick"),
    "last_trick": FieldWords("the cards of the last finished trick"),
    "hand": FieldWords("the cards of a hand, as far as the observer knows them; of a dummy the face-up ones"),
    "face_up": FieldWords("the face-up cards of a wall"),
    "face_down": FieldWords("the face-down cards of a wall"),
    "pile": FieldWords(
        "the face-down pile of a dummy, from the bottom; only the first `left` cards are there", axes=("dummy",)
    ),
    "left": FieldWords("cards left in the face-down pile of a dummy", "cards", axes=("dummy",)),
    "undealt": FieldWords("the cards out of play"),
    "lacks": FieldWords("the suits that a hand cannot hold, since its city did not follow suit"),
    "gift": FieldWords("the card that a city has given away before the first trick", place=False),
    "lead": FieldWords("the lead in the rounds before", "points"),
    "kept": FieldWords("the points of a player in the rounds before, if everyone plays alone", "points"),
}
