"""Trick Walls on the table: a ring of cities with their walls, the trick in the middle."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from parlour.cards import (
    CARD_NUMBERS,
    SUIT_WORDS,
    card_name,
    suit_of,
)
from parlour.engine.match import HIDDEN_CARD
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE, NOBODY
from parlour.render.scene import (
    Area,
    CardSeen,
    Choice,
    Layout,
    Row,
    Scene,
    ScoreLine,
    Standing,
    Term,
    cards_lying,
    hand_order,
    last_event,
    scene_of,
)
from parlour.render.words import all_said, counted, gained, listed, name_of, names_of, plain, said, says, the_card

COLOURS = {1: "red", -1: "black", 0: ""}


def lay_out(view: Observation, names: Sequence[str], before: Observation | None) -> Scene:
    """The cities clockwise from the viewer's own, the trick in the middle."""
    cities = view.facts["cities"]
    own = next((city for city, facts in enumerate(cities) if facts["holder"] == view.seat), 0)
    ring = [(own + step) % len(cities) for step in range(len(cities))]
    outcome = _outcome(view, names)
    return scene_of(
        view,
        "Trick Walls",
        heading=_heading(view),
        prompt=_prompt(view, names),
        areas=[_middle(view, names), *(_city(view, names, city, at) for at, city in enumerate(ring))],
        score=_score_lines(view),
        standings=_standings(view, names),
        told=_told(view, names, before),
        choices=[_choice(view, action) for action in view.legal],
        rest=bool(view.facts["last_trick"] and not view.facts["trick"]),
        pause=_pause(view, names),
        outcome=outcome,
    )


def _heading(view: Observation) -> str:
    facts = view.facts
    if facts["stage"] in ("dealer", "colour"):
        return "Before the first round"
    heading = f"Round {max(1, facts['round'])} of {facts['rounds']}"
    if facts["stage"] == "exchange":
        return f"{heading}, exchange"
    if facts["stage"] == "tricks":
        return f"{heading}, trick {facts['trick_number']} of {facts['tricks']}"
    return heading


def _side(view: Observation, seat: int) -> str:
    return COLOURS[view.facts["sides"][seat]] if view.facts["sides"] else ""


def _city_side(view: Observation, city: int) -> str:
    """The colour of a city: its holder's, or for a dummy its team's."""
    return _side(view, view.facts["cities"][city]["controller"])


def _city_name(view: Observation, names: Sequence[str], city: int) -> str:
    facts = view.facts["cities"][city]
    if facts["holder"] != NOBODY:
        return "You" if facts["holder"] == view.seat else names[facts["holder"]]
    dummies = [number for number, other in enumerate(view.facts["cities"]) if other["holder"] == NOBODY]
    return "Dummy" if len(dummies) == 1 else f"Dummy {1 + dummies.index(city)}"


def _team(view: Observation, team: int) -> list[int]:
    """The seats of a team."""
    return [city["holder"] for city in view.facts["cities"] if city["team"] == team and city["holder"] != NOBODY]


def _team_says(view: Observation, names: Sequence[str], team: int, verb: str) -> str:
    return all_said(names_of(view, names, _team(view, team)), verb)


def _team_side(view: Observation, team: int) -> str:
    return _side(view, _team(view, team)[0])


def _prompt(view: Observation, names: Sequence[str]) -> str:
    facts = view.facts
    if view.over:
        return "The game is over."
    if view.actor == CHANCE:
        return "The next round is about to be dealt." if facts["round"] else "The cards are about to be dealt."
    city = facts["city"]
    dummy = facts["cities"][city]["holder"] == NOBODY
    if view.actor != view.seat:
        return f"{names[view.actor]} is to play" + (f" for {_city_name(view, names, city)}." if dummy else ".")
    if facts["stage"] == "exchange":
        return "Choose a card to give to the player opposite."
    whose = f"Play for {_city_name(view, names, city)}" if dummy else "Your turn"
    if facts["trick_suit"] is None:
        return f"{whose}: lead any card."
    suit = SUIT_WORDS[facts["trick_suit"]]
    follows = any(card != "top" and suit_of(CARD_NUMBERS[card]) == facts["trick_suit"] for card in view.legal)
    if follows:
        return f"{whose}: follow {suit}."
    lacking = "it has" if dummy else "you have"
    return f"{whose}: {lacking} no {suit}, so play any card; it will be killed."


def _middle(view: Observation, names: Sequence[str]) -> Area:
    current = view.facts["trick"]
    shown = current or view.facts["last_trick"]
    label = "Trick" if current else "Last trick"
    trick = Row("trick", label, "trick", [_played(view, names, shown, index) for index in range(len(shown))])
    last = view.facts["last_trick"] if current else []
    rows = [trick, Row("last", "Last trick", "last", [_played(view, names, last, index) for index in range(len(last))])]
    suit = view.facts["trick_suit"]
    return Area("middle", "Trick" if current else "", None, rows, SUIT_WORDS[suit] if suit is not None else "")


def _played(view: Observation, names: Sequence[str], trick: Sequence[dict[str, Any]], index: int) -> CardSeen:
    card = trick[index]
    fate = "killed" if card["killed"] else "leads" if index == 0 else "stands"
    return CardSeen(card["card"], True, fate, None, _city_name(view, names, card["city"]), f"city-{card['city']}")


def _city(view: Observation, names: Sequence[str], city: int, at: int) -> Area:
    facts = view.facts["cities"][city]
    dummy = facts["holder"] == NOBODY
    marks = []
    if city == view.facts["starter"] and view.facts["stage"] != "deal":
        marks.append("first to play this round")
    if facts["lacks"]:
        marks.append("out of " + listed([SUIT_WORDS[suit] for suit in facts["lacks"]]))
    if view.facts["stage"] == "exchange" and city in view.facts["given"]:
        marks.append("card chosen")
    seat, (points_for, points) = facts["holder"], _city_points(view, city)
    subtitle = f"played by {'you' if facts['controller'] == view.seat else names[facts['controller']]}" if dummy else ""
    return Area(
        id=f"city-{city}",
        title=_city_name(view, names, city),
        at=at,
        rows=_rows(view, city),
        subtitle=subtitle,
        seat=None if dummy else seat,
        side=_city_side(view, city),
        active=view.facts["city"] == city,
        notes=marks,
        points=points if view.lines else None,
        points_for=points_for,
        turn="to give a card" if view.facts["stage"] == "exchange" else "to play",
    )


def _rows(view: Observation, city: int) -> list[Row]:
    """The wall with what lies under it, then the hand."""
    name = f"city-{city}"
    up, down, hand = (view.zone(zone, city) for zone in ("face up", "face down", "hand"))
    pile = view.zone("pile", city)
    if up is None or down is None or hand is None:
        return []
    acts = _acts_for(view, city)
    rows = [
        Row(f"{name}-wall", "Wall", "wall", cards_lying(up.known)),
        Row(
            f"{name}-killed",
            "Killed, face down",
            "buried",
            cards_lying(down.known, False),
        ),
        Row(
            f"{name}-hand",
            "Open cards" if hand.face_up else "Hand",
            "hand",
            [_in_hand(view, card, acts) for card in hand_order(hand.known)],
            hand.hidden,
        ),
    ]
    if pile is not None:
        rows.append(
            Row(f"{name}-pile", "Pile", "pile", [], pile.hidden, *(("top", f"{name}-pile") if acts else (None, None)))
        )
    return rows


def _acts_for(view: Observation, city: int) -> bool:
    """Whether the viewer may play this city's cards, now or when its turn comes."""
    facts = view.facts["cities"][city]
    return bool(facts["controller"] == view.seat and (facts["holder"] != NOBODY or view.facts["city"] == city))


def _in_hand(view: Observation, card: int, acts: bool) -> CardSeen:
    text = card_name(card)
    verb = "give " if view.facts["stage"] == "exchange" else ""
    return CardSeen(text, True, "", f"{verb}{text}" if acts else None, token=text if acts else None)


def _choice(view: Observation, action: str) -> Choice:
    token = f"city-{view.facts['city']}-pile" if action == "top" else action.removeprefix("give ")
    labels = {"top": "Play the top card of the pile", "give": "Give"}
    return Choice(action, labels.get(action.split()[0], "Play"), [token])


def phrase(view: Observation, action: str) -> str:
    """How the log would say an action of the viewer's."""
    verb, _, card = action.rpartition(" ")
    if verb == "give":
        return f"give {the_card(card)} to the player opposite"
    what = "the top card of the pile" if action == "top" else the_card(card)
    return f"{'play' if view.facts['trick'] else 'lead'} {what}"


def meant(view: Observation, tokens: Sequence[str]) -> list[str]:
    """The last thing chosen stands for an action of its own."""
    if tokens[-1].endswith("-pile"):
        return ["top"]
    return [f"give {tokens[-1]}" if view.facts["stage"] == "exchange" else tokens[-1]]


def _city_points(view: Observation, city: int) -> tuple[str, int]:
    """For which side a city counts now, and how much."""
    return _favours(view, city, [sum(points) for points in zip(*_points_of(view, city), strict=True)])


def _points_of(view: Observation, city: int) -> list[Sequence[int]]:
    """What each line about a city gives each seat."""
    return [line.points for line in view.lines if line.at == city]


def _favours(view: Observation, city: int, points: Sequence[int]) -> tuple[str, int]:
    """What so many points for each seat are: so many for a side, or for the city's holder alone, whose they are."""
    if not points or not view.facts["sides"]:
        return "", 0
    if view.options["city_keepers"]:
        return "", int(points[max(view.facts["cities"][city]["holder"], 0)])
    lead = int(points[view.facts["sides"].index(1)])
    return COLOURS[int(np.sign(lead))], abs(lead)


def _score_lines(view: Observation) -> list[ScoreLine]:
    found = []
    for line in view.lines:
        side, points = _favours(view, line.at, line.points)
        found.append(ScoreLine(f"city-{line.at}", line.what, points, line.clause, side))
    return found


def _standings(view: Observation, names: Sequence[str]) -> list[Standing]:
    before = view.facts["before"]
    now = [before[seat] + sum(line.points[seat] for line in view.lines) for seat in range(view.players)]
    if view.options["city_keepers"]:
        return [
            Standing(name_of(view, names, seat), before[seat], now[seat], _side(view, seat), seat == view.seat)
            for seat in range(view.players)
        ]
    standings = []
    for colour in ("red", "black"):
        members = [seat for seat in range(view.players) if _side(view, seat) == colour]
        if members:
            label = f"{colour.title()}: " + listed(names_of(view, names, members))
            standings.append(Standing(label, before[members[0]], now[members[0]], colour, view.seat in members))
    return standings


# In words


def _told(view: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    event = last_event(view, before)
    if event is None or before is None:
        return []
    if event.by == CHANCE:
        return _told_chance(view, names, event.do)
    verb, _, card = event.do.rpartition(" ")
    if verb == "give":
        return _told_gift(view, names, event.by, card)
    return _told_card(view, names, event.by, event.do)


def _told_chance(view: Observation, names: Sequence[str], do: str) -> list[str]:
    word, _, what = do.partition(" ")
    if word == "dealer":
        return [f"{_team_says(view, names, 'AB'.index(what), 'deal')} first."]
    if word == "colour":
        first = int(view.seat in _team(view, 1))
        return [f"{_team_says(view, names, team, 'play')} {_team_side(view, team)}." for team in (first, 1 - first)]
    starter = _city_name(view, names, view.facts["starter"])
    return [
        f"Round {view.facts['round']}: the cards are dealt.",
        said(starter, "start", starter == "You") + " the round.",
    ]


def _told_gift(view: Observation, names: Sequence[str], by: int, card: str) -> list[str]:
    what = "a card" if card == HIDDEN_CARD else the_card(card)
    told = [f"{says(view, names, by, 'give')} {what} to the player opposite."]
    if view.facts["stage"] == "tricks":
        told.append("The exchanged cards change hands.")
    return told


def _told_card(view: Observation, names: Sequence[str], by: int, do: str) -> list[str]:
    trick = view.facts["trick"] or view.facts["last_trick"]
    played = trick[-1]
    city, card = played["city"], played["card"]
    name = _city_name(view, names, city)
    dummy = view.facts["cities"][city]["holder"] == NOBODY
    told = []
    if len(trick) == 1:
        told.append(f"{said(name, 'lead', name == 'You')} {the_card(card)}.")
    else:
        fate = "it is killed" if played["killed"] else "it stands"
        told.append(f"{said(name, 'play', name == 'You')} {the_card(card)}: {fate}.")
    if dummy and do == "top":
        told[-1] = told[-1].replace("plays", "turns up").replace("leads", "leads, from its pile,")
    if not view.facts["trick"]:
        if all(other["killed"] for other in trick):
            told.append(f"Nothing stands but {the_card(trick[0]['card'])}: an empty trick, and it is turned face down.")
        told.extend(_told_end(view, names))
    return told


def _told_end(view: Observation, names: Sequence[str]) -> list[str]:
    pause = _pause(view, names)
    return [pause] if pause else []


def _pause(view: Observation, names: Sequence[str]) -> str:
    facts = view.facts
    if facts["round"] == 0 or facts["stage"] not in ("deal", "end"):
        return ""
    rounds = facts["rounds"]
    over = "The round is over" if rounds == 1 else f"Round {facts['round']} of {rounds} is over"
    gains = [sum(line.points[seat] for line in view.lines) for seat in range(view.players)]
    if view.options["city_keepers"]:
        parts = [f"{name_of(view, names, seat)} {gained(gains[seat])}" for seat in range(view.players)]
        return f"{over}: {', '.join(parts)}."
    lead = gains[facts["sides"].index(1)]
    if lead == 0:
        return f"{over}: neither side gains anything."
    colour = COLOURS[int(np.sign(lead))]
    own = ", your side," if view.seat >= 0 and _side(view, view.seat) == colour else ""
    return f"{over}: {colour}{own} gains {counted(abs(lead), 'point')}."


def _outcome(view: Observation, names: Sequence[str]) -> str:
    if not view.over:
        return ""
    scores, winners = view.standing.scores, view.standing.winners
    if len(winners) == view.players:
        return "A draw."
    alone = view.options["city_keepers"]
    points = counted(scores[winners[0]], "point")
    won = all_said(names_of(view, names, winners), "win")
    if view.seat < 0 or view.seat in winners:
        return f"{won} {'with' if alone else 'by'} {points}."
    if alone:
        return f"{won} with {points}; you have {plain(scores[view.seat])}."
    losers = [seat for seat in range(view.players) if seat not in winners]
    return f"{all_said(names_of(view, names, losers), 'lose')} by {points}."


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
    meant=meant,
    terms=TERMS,
    fits="For four who like to think in teams; where two or three sit down, they play the empty places, too.",
    minutes=(30, 45),
)
