"""Trick Walls: the layout, a ring of cities with their walls around the trick."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from parlour.cards import CARD_NUMBERS, card_name, suit_of
from parlour.engine.observation import EVERYTHING, Observation
from parlour.engine.rules import CHANCE, NOBODY
from parlour.games.trick_walls.log_lines import (
    COLOURS,
    city_name,
    is_dummy,
    log_lines,
    outcome_of,
    pause_of,
    side_of,
)
from parlour.languages import gettext, pgettext
from parlour.languages.declension import listed, suit_word
from parlour.render.scene import (
    Area,
    CardSeen,
    Choice,
    Fate,
    Layout,
    Row,
    Scene,
    ScoreLine,
    Side,
    SideColour,
    Standing,
    Term,
    cards_lying,
    hand_order,
    scene_of,
)
from parlour.render.words import name_of, names_of, the_card, to_play


def lay_out(observation: Observation, names: Sequence[str], before: Observation | None) -> Scene:
    """Return the scene: the cities clockwise from the viewer's own, the trick in the middle."""
    cities = observation.facts["cities"]
    own = next((city for city, facts in enumerate(cities) if facts["holder"] == observation.seat), 0)
    ring = [(own + step) % len(cities) for step in range(len(cities))]
    score = _score_lines(observation)
    return scene_of(
        observation,
        "Trick Walls",
        heading=_heading(observation),
        prompt=_prompt(observation, names),
        areas=[_middle(observation, names), *(_city(observation, names, city, at) for at, city in enumerate(ring))],
        score=score,
        standings=_standings(observation, names),
        log=log_lines(observation, names, before),
        choices=[_choice(observation, action) for action in observation.legal],
        rest=bool(observation.facts["last_trick"] and not observation.facts["trick"]),
        pause=pause_of(observation, names),
        outcome=outcome_of(observation, names),
        sides=_sides(),
        score_note=_score_note() if any(line.side for line in score) else "",
    )


def _sides() -> list[Side]:
    return [
        Side("red", pgettext("side", "red"), gettext("{points} for red")),
        Side("black", pgettext("side", "black"), gettext("{points} for black")),
    ]


def _score_note() -> str:
    return gettext("“red +3” counts for the red side. The round goes to the side that is ahead, by the difference.")


def _heading(observation: Observation) -> str:
    facts = observation.facts
    if facts["stage"] in ("dealer", "colour"):
        return gettext("Before the first round")
    heading = gettext("Round {number} of {rounds}", number=max(1, facts["round"]), rounds=facts["rounds"])
    if facts["stage"] == "exchange":
        return gettext("{round}, exchange", round=heading)
    if facts["stage"] == "tricks":
        number, tricks = facts["trick_number"], facts["tricks"]
        return gettext("{round}, trick {number} of {tricks}", round=heading, number=number, tricks=tricks)
    return heading


def _city_side(observation: Observation, city: int) -> SideColour:
    """Return the colour of a city: its holder's, or a dummy's team's."""
    return side_of(observation, observation.facts["cities"][city]["controller"])


def _prompt(observation: Observation, names: Sequence[str]) -> str:
    facts = observation.facts
    if observation.over:
        return gettext("The game is over.")
    if observation.actor == CHANCE and facts["round"]:
        return gettext("The next round is about to be dealt.")
    if observation.actor == CHANCE:
        return gettext("The cards are about to be dealt.")
    dummy = city_name(observation, names, facts["city"]) if is_dummy(observation, facts["city"]) else ""
    if observation.actor != observation.seat:
        name = names[observation.actor]
        if dummy:
            return gettext("{name} is to play for {dummy}.", name=name, dummy=dummy)
        return gettext("{name} is to play.", name=name)
    if facts["stage"] == "exchange":
        return gettext("Choose a card to give to the player opposite.")
    return _dummy_prompt(observation, dummy) if dummy else _own_prompt(observation)


def _own_prompt(observation: Observation) -> str:
    """Return the prompt to play a card of the viewer's own city."""
    if observation.facts["trick_suit"] is None:
        return gettext("Your turn: lead any card.")
    suit = suit_word(observation.facts["trick_suit"])
    if _can_follow(observation):
        return gettext("Your turn: follow {suit}.", suit=suit)
    return gettext("Your turn: you have no {suit}, so play any card; it will be killed.", suit=suit)


def _dummy_prompt(observation: Observation, dummy: str) -> str:
    """TW-14: return the prompt to play a card of a dummy city; the top of its pile is unknown to all."""
    leads, tops = observation.facts["trick_suit"] is None, [card == "top" for card in observation.legal]
    if all(tops):
        # Translators: {dummy} is the name of a city without a player: "Dummy" or "Dummy 2"
        lead = gettext("Play for {dummy}: lead the top card of its pile.", dummy=dummy)
        return lead if leads else gettext("Play for {dummy}: turn up the top card of its pile.", dummy=dummy)
    if leads:
        return gettext("Play for {dummy}: lead any card.", dummy=dummy)
    suit = suit_word(observation.facts["trick_suit"])
    if _can_follow(observation):
        return gettext("Play for {dummy}: follow {suit}.", dummy=dummy, suit=suit)
    if any(tops):
        return gettext(
            "Play for {dummy}: it shows no {suit}, so an open card will be killed; the top of its pile is unknown.",
            dummy=dummy,
            suit=suit,
        )
    return gettext("Play for {dummy}: it has no {suit}, so play any card; it will be killed.", dummy=dummy, suit=suit)


def _can_follow(observation: Observation) -> bool:
    """Return whether the viewer may play a card of the trick suit."""
    suit = observation.facts["trick_suit"]
    return any(card != "top" and suit_of(CARD_NUMBERS[card]) == suit for card in observation.legal)


def _middle(observation: Observation, names: Sequence[str]) -> Area:
    current, finished = observation.facts["trick"], observation.facts["last_trick"]
    shown, last = (current, finished) if current else (finished, [])
    label = gettext("Trick") if current else gettext("Last trick")
    rows = [
        Row("trick", label, "trick", [_played(observation, names, shown, index) for index in range(len(shown))]),
        Row(
            "last",
            gettext("Last trick"),
            "last",
            [_played(observation, names, last, index) for index in range(len(last))],
        ),
    ]
    suit = observation.facts["trick_suit"]
    return Area("middle", gettext("Trick") if current else "", None, rows, "" if suit is None else suit_word(suit))


def _played(observation: Observation, names: Sequence[str], trick: Sequence[dict[str, Any]], index: int) -> CardSeen:
    card = trick[index]
    mark, fate = _fate(card["killed"], leads=index == 0)
    by, area = city_name(observation, names, card["city"]), f"city-{card['city']}"
    return CardSeen(card["card"], mark=mark, by=by, area=area, fate=fate)


def _fate(killed: bool, leads: bool) -> tuple[str, Fate]:
    """Return the mark of a card of a trick, and its kind."""
    if killed:
        return pgettext("card", "killed"), "out"
    return (pgettext("card", "leads"), "leads") if leads else (pgettext("card", "stands"), "kept")


def _city(observation: Observation, names: Sequence[str], city: int, at: int) -> Area:
    facts = observation.facts["cities"][city]
    dummy = is_dummy(observation, city)
    points_for, points = _city_points(observation, city)
    return Area(
        id=f"city-{city}",
        title=city_name(observation, names, city),
        at=at,
        rows=_rows(observation, city),
        subtitle=_player_of_dummy(observation, names, facts["controller"]) if dummy else "",
        seat=None if dummy else facts["holder"],
        side=_city_side(observation, city),
        active=observation.facts["city"] == city,
        notes=_marks(observation, city),
        points=points if observation.lines else None,
        points_for=points_for,
        turn=_task(observation, not dummy and facts["holder"] == observation.seat),
    )


def _task(observation: Observation, own: bool) -> str:
    """Return what the city to act has to do, the viewer's (``own``) or another."""
    if observation.facts["stage"] != "exchange":
        return to_play(own)
    return pgettext("task of You", "to give a card") if own else gettext("to give a card")


def _marks(observation: Observation, city: int) -> list[str]:
    """Return the notes beside a city."""
    facts = observation.facts
    marks = []
    if city == facts["starter"] and facts["stage"] != "deal":
        marks.append(gettext("first to play this round"))
    if lacks := facts["cities"][city]["lacks"]:
        # Translators: the suits that a hand cannot have, as in "out of clubs and hearts"
        marks.append(gettext("out of {suits}", suits=listed([suit_word(suit) for suit in lacks])))
    if facts["stage"] == "exchange" and city in facts["given"]:
        marks.append(gettext("card chosen"))
    return marks


def _player_of_dummy(observation: Observation, names: Sequence[str], controller: int) -> str:
    if controller == observation.seat:
        return gettext("played by you")
    return gettext("played by {name}", name=names[controller])


def _rows(observation: Observation, city: int) -> list[Row]:
    """Return a city's rows: the wall, the killed cards, the hand, and a dummy's pile."""
    name = f"city-{city}"
    up, down, hand = (observation.zone(zone, city) for zone in ("face up", "face down", "hand"))
    pile = observation.zone("pile", city)
    if up is None or down is None or hand is None:
        return []
    acts = _acts_for(observation, city)
    face_up = hand.face_up or observation.seat in (observation.facts["cities"][city]["holder"], EVERYTHING)
    rows = [
        Row(f"{name}-wall", gettext("Wall"), "wall", cards_lying(up.known)),
        Row(
            f"{name}-killed",
            gettext("Killed, face down"),
            "buried",
            cards_lying(down.known, False),
        ),
        Row(
            f"{name}-hand",
            gettext("Open cards") if hand.face_up else gettext("Hand"),
            "hand",
            [_in_hand(observation, card, acts, face_up) for card in hand_order(hand.known)],
            hand.hidden,
        ),
    ]
    if pile is not None:
        rows.append(
            Row(
                f"{name}-pile",
                gettext("Pile"),
                "pile",
                [CardSeen(card_name(card), False) for card in pile.known],
                pile.hidden,
                *(("top", f"{name}-pile") if acts else (None, None)),
            )
        )
    return rows


def _acts_for(observation: Observation, city: int) -> bool:
    """Return whether the viewer plays this city's cards: those of a dummy only on the dummy's turn."""
    facts = observation.facts["cities"][city]
    return bool(
        facts["controller"] == observation.seat and (facts["holder"] != NOBODY or observation.facts["city"] == city)
    )


def _in_hand(observation: Observation, card: int, acts: bool, face_up: bool) -> CardSeen:
    """Return a card of a hand; of another player's hand the viewer may know a gift (TW-24), which lies face down."""
    text = card_name(card)
    verb = "give " if observation.facts["stage"] == "exchange" else ""
    return CardSeen(text, face_up, "", f"{verb}{text}" if acts else None, token=text if acts else None)


def _choice(observation: Observation, action: str) -> Choice:
    if action == "top":
        label = pgettext("button", "Play the top card of the pile")
        return Choice(action, label, [f"city-{observation.facts['city']}-pile"])
    if action.startswith("give "):
        return Choice(action, pgettext("button", "Give"), [action.removeprefix("give ")])
    return Choice(action, pgettext("button", "Play"), [action])


def phrase(observation: Observation, action: str) -> str:
    """Return a legal action of the viewer as a phrase, to follow words like "It seems best to"."""
    verb, _, card = action.rpartition(" ")
    leads = not observation.facts["trick"]
    if verb == "give":
        # Translators: the phrases of the context "action" follow words like "It seems best to": infinitives
        return pgettext("action", "give {card} to the player opposite", card=the_card(card))
    if action == "top" and leads:
        return pgettext("action", "lead the top card of the pile")
    if action == "top":
        return pgettext("action", "play the top card of the pile")
    if leads:
        return pgettext("action", "lead {card}", card=the_card(card))
    return pgettext("action", "play {card}", card=the_card(card))


def interpret(observation: Observation, tokens: Sequence[str]) -> list[str]:
    """Return the action for the last chosen token."""
    if tokens[-1].endswith("-pile"):
        return ["top"]
    return [f"give {tokens[-1]}" if observation.facts["stage"] == "exchange" else tokens[-1]]


def _city_points(observation: Observation, city: int) -> tuple[SideColour, int]:
    """Return the side that a city's points favour, and the points."""
    return _favours(observation, city, [sum(points) for points in zip(*_points_of(observation, city), strict=True)])


def _points_of(observation: Observation, city: int) -> list[Sequence[int]]:
    """Return the points per seat of each score line of a city."""
    return [line.points for line in observation.lines if line.at == city]


def _favours(observation: Observation, city: int, points: Sequence[int]) -> tuple[SideColour, int]:
    """Return the favoured side and its points, from points per seat; city keepers have no sides, only points."""
    if not points or not observation.facts["sides"]:
        return "", 0
    if observation.options["city_keepers"]:
        return "", int(points[max(observation.facts["cities"][city]["holder"], 0)])
    lead = int(points[observation.facts["sides"].index(1)])
    return COLOURS[int(np.sign(lead))], abs(lead)


def _score_lines(observation: Observation) -> list[ScoreLine]:
    found = []
    for line in observation.lines:
        side, points = _favours(observation, line.at, line.points)
        found.append(ScoreLine(f"city-{line.at}", line.what, points, line.clause, side))
    return found


def _standings(observation: Observation, names: Sequence[str]) -> list[Standing]:
    before = observation.facts["before"]
    now = [before[seat] + sum(line.points[seat] for line in observation.lines) for seat in range(observation.players)]
    if observation.options["city_keepers"]:
        return [
            Standing(
                name_of(observation, names, seat),
                before[seat],
                now[seat],
                side_of(observation, seat),
                seat == observation.seat,
            )
            for seat in range(observation.players)
        ]
    standings = []
    for sign in (1, -1):
        colour = COLOURS[sign]
        members = [seat for seat in range(observation.players) if side_of(observation, seat) == colour]
        if members:
            who = listed(names_of(observation, names, members))
            # Translators: the players of a side
            label = gettext("Red: {names}", names=who) if colour == "red" else gettext("Black: {names}", names=who)
            standings.append(Standing(label, before[members[0]], now[members[0]], colour, observation.seat in members))
    return standings


TERMS = (
    Term("killed", "it did not rise above the trick, so it lies face down and scores nothing for its colour.", "TW-10"),
    Term("stands", "it rose above the trick, so it lies face up and counts for the side of its colour.", "TW-10"),
    Term("empty trick", "only the first card stood at the end, so it is turned face down as well.", "TW-11"),
    Term("dummy", "a city without a player; the player on its right plays for it.", "TW-13"),
    Term("pure", "a city whose face-up cards are all of one colour: a bonus for that side.", "TW-20"),
    Term("massacre", "a city whose face-down cards are all of one colour: that side loses points.", "TW-20"),
)


LAYOUT = Layout(
    phrase=phrase,
    lay_out=lay_out,
    interpret=interpret,
    terms=TERMS,
    unusual="A card you play stays in your wall, and counts for the side of its colour, not for you.",
    fits="For four who like to think in teams; where two or three sit down, they play the empty places, too.",
    minutes=(30, 45),
)
