"""Trick Walls: the layout, a ring of cities with their walls around the trick."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from parlour.cards import (
    CARD_NUMBERS,
    SUIT_WORDS,
    card_name,
    suit_of,
)
from parlour.engine.events import HIDDEN_CARD
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE, NOBODY
from parlour.languages.declension import listed
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
from parlour.render.words import (
    counted,
    name_of,
    names_of,
    points_text,
    says,
    subject_verb,
    subjects_verb,
    the_card,
    with_sign,
)

COLOURS = {1: "red", -1: "black", 0: ""}


def lay_out(observation: Observation, names: Sequence[str], before: Observation | None) -> Scene:
    """Return the scene: the cities clockwise from the viewer's own, the trick in the middle."""
    cities = observation.facts["cities"]
    own = next((city for city, facts in enumerate(cities) if facts["holder"] == observation.seat), 0)
    ring = [(own + step) % len(cities) for step in range(len(cities))]
    outcome = _outcome(observation, names)
    return scene_of(
        observation,
        "Trick Walls",
        heading=_heading(observation),
        prompt=_prompt(observation, names),
        areas=[_middle(observation, names), *(_city(observation, names, city, at) for at, city in enumerate(ring))],
        score=_score_lines(observation),
        standings=_standings(observation, names),
        log=_log(observation, names, before),
        choices=[_choice(observation, action) for action in observation.legal],
        rest=bool(observation.facts["last_trick"] and not observation.facts["trick"]),
        pause=_pause(observation, names),
        outcome=outcome,
    )


def _heading(observation: Observation) -> str:
    facts = observation.facts
    if facts["stage"] in ("dealer", "colour"):
        return "Before the first round"
    heading = f"Round {max(1, facts['round'])} of {facts['rounds']}"
    if facts["stage"] == "exchange":
        return f"{heading}, exchange"
    if facts["stage"] == "tricks":
        return f"{heading}, trick {facts['trick_number']} of {facts['tricks']}"
    return heading


def _side(observation: Observation, seat: int) -> str:
    return COLOURS[observation.facts["sides"][seat]] if observation.facts["sides"] else ""


def _city_side(observation: Observation, city: int) -> str:
    """Return the colour of a city: its holder's, or a dummy's team's."""
    return _side(observation, observation.facts["cities"][city]["controller"])


def _city_name(observation: Observation, names: Sequence[str], city: int) -> str:
    facts = observation.facts["cities"][city]
    if facts["holder"] != NOBODY:
        return "You" if facts["holder"] == observation.seat else names[facts["holder"]]
    dummies = [number for number, other in enumerate(observation.facts["cities"]) if other["holder"] == NOBODY]
    return "Dummy" if len(dummies) == 1 else f"Dummy {1 + dummies.index(city)}"


def _team(observation: Observation, team: int) -> list[int]:
    """Return the seats of a team."""
    return [city["holder"] for city in observation.facts["cities"] if city["team"] == team and city["holder"] != NOBODY]


def _team_says(observation: Observation, names: Sequence[str], team: int, verb: str) -> str:
    return subjects_verb(names_of(observation, names, _team(observation, team)), verb)


def _team_side(observation: Observation, team: int) -> str:
    return _side(observation, _team(observation, team)[0])


def _prompt(observation: Observation, names: Sequence[str]) -> str:
    facts = observation.facts
    if observation.over:
        return "The game is over."
    if observation.actor == CHANCE:
        return "The next round is about to be dealt." if facts["round"] else "The cards are about to be dealt."
    city = facts["city"]
    dummy = facts["cities"][city]["holder"] == NOBODY
    if observation.actor != observation.seat:
        return f"{names[observation.actor]} is to play" + (
            f" for {_city_name(observation, names, city)}." if dummy else "."
        )
    if facts["stage"] == "exchange":
        return "Choose a card to give to the player opposite."
    whose = f"Play for {_city_name(observation, names, city)}" if dummy else "Your turn"
    if facts["trick_suit"] is None:
        return f"{whose}: lead any card."
    suit = SUIT_WORDS[facts["trick_suit"]]
    follows = any(card != "top" and suit_of(CARD_NUMBERS[card]) == facts["trick_suit"] for card in observation.legal)
    if follows:
        return f"{whose}: follow {suit}."
    lacking = "it has" if dummy else "you have"
    return f"{whose}: {lacking} no {suit}, so play any card; it will be killed."


def _middle(observation: Observation, names: Sequence[str]) -> Area:
    current = observation.facts["trick"]
    shown = current or observation.facts["last_trick"]
    label = "Trick" if current else "Last trick"
    trick = Row("trick", label, "trick", [_played(observation, names, shown, index) for index in range(len(shown))])
    last = observation.facts["last_trick"] if current else []
    rows = [
        trick,
        Row("last", "Last trick", "last", [_played(observation, names, last, index) for index in range(len(last))]),
    ]
    suit = observation.facts["trick_suit"]
    return Area("middle", "Trick" if current else "", None, rows, SUIT_WORDS[suit] if suit is not None else "")


def _played(observation: Observation, names: Sequence[str], trick: Sequence[dict[str, Any]], index: int) -> CardSeen:
    card = trick[index]
    fate = "killed" if card["killed"] else "leads" if index == 0 else "stands"
    return CardSeen(
        card["card"], True, fate, None, _city_name(observation, names, card["city"]), f"city-{card['city']}"
    )


def _city(observation: Observation, names: Sequence[str], city: int, at: int) -> Area:
    facts = observation.facts["cities"][city]
    dummy = facts["holder"] == NOBODY
    marks = []
    if city == observation.facts["starter"] and observation.facts["stage"] != "deal":
        marks.append("first to play this round")
    if facts["lacks"]:
        marks.append("out of " + listed([SUIT_WORDS[suit] for suit in facts["lacks"]]))
    if observation.facts["stage"] == "exchange" and city in observation.facts["given"]:
        marks.append("card chosen")
    seat, (points_for, points) = facts["holder"], _city_points(observation, city)
    subtitle = (
        f"played by {'you' if facts['controller'] == observation.seat else names[facts['controller']]}" if dummy else ""
    )
    return Area(
        id=f"city-{city}",
        title=_city_name(observation, names, city),
        at=at,
        rows=_rows(observation, city),
        subtitle=subtitle,
        seat=None if dummy else seat,
        side=_city_side(observation, city),
        active=observation.facts["city"] == city,
        notes=marks,
        points=points if observation.lines else None,
        points_for=points_for,
        turn="to give a card" if observation.facts["stage"] == "exchange" else "to play",
    )


def _rows(observation: Observation, city: int) -> list[Row]:
    """Return a city's rows: the wall, the killed cards, the hand, and a dummy's pile."""
    name = f"city-{city}"
    up, down, hand = (observation.zone(zone, city) for zone in ("face up", "face down", "hand"))
    pile = observation.zone("pile", city)
    if up is None or down is None or hand is None:
        return []
    acts = _acts_for(observation, city)
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
            [_in_hand(observation, card, acts) for card in hand_order(hand.known)],
            hand.hidden,
        ),
    ]
    if pile is not None:
        rows.append(
            Row(f"{name}-pile", "Pile", "pile", [], pile.hidden, *(("top", f"{name}-pile") if acts else (None, None)))
        )
    return rows


def _acts_for(observation: Observation, city: int) -> bool:
    """Return whether the viewer may play this city's cards, now or on its turn."""
    facts = observation.facts["cities"][city]
    return bool(
        facts["controller"] == observation.seat and (facts["holder"] != NOBODY or observation.facts["city"] == city)
    )


def _in_hand(observation: Observation, card: int, acts: bool) -> CardSeen:
    text = card_name(card)
    verb = "give " if observation.facts["stage"] == "exchange" else ""
    return CardSeen(text, True, "", f"{verb}{text}" if acts else None, token=text if acts else None)


def _choice(observation: Observation, action: str) -> Choice:
    token = f"city-{observation.facts['city']}-pile" if action == "top" else action.removeprefix("give ")
    labels = {"top": "Play the top card of the pile", "give": "Give"}
    return Choice(action, labels.get(action.split()[0], "Play"), [token])


def phrase(observation: Observation, action: str) -> str:
    """Return the log's wording of a legal action of the viewer, to follow "You"."""
    verb, _, card = action.rpartition(" ")
    if verb == "give":
        return f"give {the_card(card)} to the player opposite"
    what = "the top card of the pile" if action == "top" else the_card(card)
    return f"{'play' if observation.facts['trick'] else 'lead'} {what}"


def meant(observation: Observation, tokens: Sequence[str]) -> list[str]:
    """Return the action for the last chosen token."""
    if tokens[-1].endswith("-pile"):
        return ["top"]
    return [f"give {tokens[-1]}" if observation.facts["stage"] == "exchange" else tokens[-1]]


def _city_points(observation: Observation, city: int) -> tuple[str, int]:
    """Return the side that a city's points favour, and the points."""
    return _favours(observation, city, [sum(points) for points in zip(*_points_of(observation, city), strict=True)])


def _points_of(observation: Observation, city: int) -> list[Sequence[int]]:
    """Return the points per seat of each score line of a city."""
    return [line.points for line in observation.lines if line.at == city]


def _favours(observation: Observation, city: int, points: Sequence[int]) -> tuple[str, int]:
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
                _side(observation, seat),
                seat == observation.seat,
            )
            for seat in range(observation.players)
        ]
    standings = []
    for colour in ("red", "black"):
        members = [seat for seat in range(observation.players) if _side(observation, seat) == colour]
        if members:
            label = f"{colour.title()}: " + listed(names_of(observation, names, members))
            standings.append(Standing(label, before[members[0]], now[members[0]], colour, observation.seat in members))
    return standings


# Log lines


def _log(observation: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    event = last_event(observation, before)
    if event is None or before is None:
        return []
    if event.by == CHANCE:
        return _log_chance(observation, names, event.do)
    verb, _, card = event.do.rpartition(" ")
    if verb == "give":
        return _log_gift(observation, names, event.by, card)
    return _log_card(observation, names, event.by, event.do)


def _log_chance(observation: Observation, names: Sequence[str], do: str) -> list[str]:
    word, _, what = do.partition(" ")
    if word == "dealer":
        return [f"{_team_says(observation, names, 'AB'.index(what), 'deal')} first."]
    if word == "colour":
        first = int(observation.seat in _team(observation, 1))
        return [
            f"{_team_says(observation, names, team, 'play')} {_team_side(observation, team)}."
            for team in (first, 1 - first)
        ]
    starter = _city_name(observation, names, observation.facts["starter"])
    return [
        f"Round {observation.facts['round']}: the cards are dealt.",
        subject_verb(starter, "start", starter == "You") + " the round.",
    ]


def _log_gift(observation: Observation, names: Sequence[str], by: int, card: str) -> list[str]:
    what = "a card" if card == HIDDEN_CARD else the_card(card)
    log = [f"{says(observation, names, by, 'give')} {what} to the player opposite."]
    if observation.facts["stage"] == "tricks":
        log.append("The exchanged cards change hands.")
    return log


def _log_card(observation: Observation, names: Sequence[str], by: int, do: str) -> list[str]:
    trick = observation.facts["trick"] or observation.facts["last_trick"]
    played = trick[-1]
    city, card = played["city"], played["card"]
    name = _city_name(observation, names, city)
    dummy = observation.facts["cities"][city]["holder"] == NOBODY
    log = []
    if len(trick) == 1:
        log.append(f"{subject_verb(name, 'lead', name == 'You')} {the_card(card)}.")
    else:
        fate = "it is killed" if played["killed"] else "it stands"
        log.append(f"{subject_verb(name, 'play', name == 'You')} {the_card(card)}: {fate}.")
    if dummy and do == "top":
        log[-1] = log[-1].replace("plays", "turns up").replace("leads", "leads, from its pile,")
    if not observation.facts["trick"]:
        if all(other["killed"] for other in trick):
            log.append(f"Nothing stands but {the_card(trick[0]['card'])}: an empty trick, and it is turned face down.")
        log.extend(_log_end(observation, names))
    return log


def _log_end(observation: Observation, names: Sequence[str]) -> list[str]:
    pause = _pause(observation, names)
    return [pause] if pause else []


def _pause(observation: Observation, names: Sequence[str]) -> str:
    facts = observation.facts
    if facts["round"] == 0 or facts["stage"] not in ("deal", "end"):
        return ""
    rounds = facts["rounds"]
    over = "The round is over" if rounds == 1 else f"Round {facts['round']} of {rounds} is over"
    gains = [sum(line.points[seat] for line in observation.lines) for seat in range(observation.players)]
    if observation.options["city_keepers"]:
        parts = [f"{name_of(observation, names, seat)} {with_sign(gains[seat])}" for seat in range(observation.players)]
        return f"{over}: {', '.join(parts)}."
    lead = gains[facts["sides"].index(1)]
    if lead == 0:
        return f"{over}: neither side gains anything."
    colour = COLOURS[int(np.sign(lead))]
    own = ", your side," if observation.seat >= 0 and _side(observation, observation.seat) == colour else ""
    return f"{over}: {colour}{own} gains {counted(abs(lead), 'point')}."


def _outcome(observation: Observation, names: Sequence[str]) -> str:
    if not observation.over:
        return ""
    scores, winners = observation.standing.scores, observation.standing.winners
    if len(winners) == observation.players:
        return "A draw."
    alone = observation.options["city_keepers"]
    points = counted(scores[winners[0]], "point")
    won = subjects_verb(names_of(observation, names, winners), "win")
    if observation.seat < 0 or observation.seat in winners:
        return f"{won} {'with' if alone else 'by'} {points}."
    if alone:
        return f"{won} with {points}; you have {points_text(scores[observation.seat])}."
    losers = [seat for seat in range(observation.players) if seat not in winners]
    return f"{subjects_verb(names_of(observation, names, losers), 'lose')} by {points}."


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
    unusual="A card you play stays in your wall, and counts for the side of its colour, not for you.",
    fits="For four who like to think in teams; where two or three sit down, they play the empty places, too.",
    minutes=(30, 45),
)
