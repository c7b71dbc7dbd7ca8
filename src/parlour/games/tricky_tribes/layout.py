"""Tricky Tribes: the layout, a ring of tribes with their collected cards around the trick."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.cards import JOKERS, RED, bit, card_name
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE
from parlour.games.tricky_tribes.log_lines import gains_of, log_lines, outcome_of, pause_of, sides_of
from parlour.languages import fill, gettext, ngettext, pgettext
from parlour.languages.declension import listed
from parlour.render.scene import (
    Area,
    CardSeen,
    Choice,
    Fate,
    Layout,
    Row,
    Scene,
    Standing,
    Term,
    cards_lying,
    hand_order,
    scene_of,
    score_of,
)
from parlour.render.words import name_of, own_first, subjects, the_card, to_play

MOST_IN_A_HEADLINE = 3
"""Maximum number of sides whose gains the headline of a finished round names; the list below it always has them."""


def lay_out(observation: Observation, names: Sequence[str], before: Observation | None) -> Scene:
    """Return the scene: the tribes clockwise from the viewer's own, the trick in the middle."""
    tribes, names = _ring(observation), [*names[: observation.players], gettext("The dummy")]
    return scene_of(
        observation,
        "Tricky Tribes",
        heading=_heading(observation),
        prompt=_prompt(observation, names),
        areas=[_middle(observation, names), *(_area(observation, names, tribe, at) for at, tribe in enumerate(tribes))],
        score=score_of(observation, "tribe"),
        standings=_standings(observation, names),
        log=log_lines(observation, names, before),
        choices=[_choice(action) for action in observation.legal],
        rest=bool(_just_finished(observation)),
        pause=pause_of(observation, names, MOST_IN_A_HEADLINE),
        outcome=outcome_of(observation, names),
    )


def _ring(observation: Observation) -> list[int]:
    """Return the tribes clockwise from the viewer; before the first deal without the dummy."""
    ring = observation.facts["ring"] or list(range(observation.players))
    own = ring.index(max(observation.seat, 0))
    return [*ring[own:], *ring[:own]]


def _heading(observation: Observation) -> str:
    facts, heading = observation.facts, _round(observation)
    if facts["stage"] == "exchange" and facts["discarding"]:
        return gettext("{round}, putting a card away", round=heading)
    if facts["stage"] == "exchange":
        return gettext("{round}, exchange", round=heading)
    if facts["stage"] != "tricks":
        return heading
    return gettext(
        "{round}, trick {number} of {tricks}", round=heading, number=facts["trick_number"], tricks=facts["tricks"]
    )


def _round(observation: Observation) -> str:
    facts = observation.facts
    number, target = facts["round"], facts["target"]
    if number == 0:
        return gettext("Before the first round")
    if target is None:
        return gettext("Round {number} of {rounds}", number=number, rounds=facts["rounds"])
    if observation.options["difference"]:
        return gettext("Round {round}, game to a lead of {target}", round=number, target=target)
    return ngettext(
        "Round {round}, game to {number} point", "Round {round}, game to {number} points", target, round=number
    )


def _prompt(observation: Observation, names: Sequence[str]) -> str:
    facts = observation.facts
    if observation.over:
        return gettext("The game is over.")
    if observation.actor == CHANCE and facts["round"]:
        return gettext("The next round is about to be dealt.")
    if observation.actor == CHANCE:
        return gettext("The cards are about to be dealt.")
    if observation.actor != observation.seat:
        return fill(_others_task(observation), name=names[observation.actor])
    if facts["stage"] == "exchange":
        if _puts_away(observation):
            return gettext("Put one card away.")
        return gettext("Keep your cards, or swap one for the top card of the deck.")
    if facts["must_open"]:
        return gettext("You won your own dark trick, so start this one with an open card.")
    if not facts["trick"]:
        return gettext("You start the trick: play a card open (face up) or dark (face down).")
    return gettext("Your turn: any card, face down. {stakes}", stakes=_at_stake(observation))


def _others_task(observation: Observation) -> str:
    """Return the sentence on the task of another player, with the field ``{name}``."""
    if _puts_away(observation):
        return gettext("{name} is to put a card away.")
    if observation.facts["stage"] == "exchange":
        return gettext("{name} is to exchange a card.")
    return gettext("{name} is to play.")


def _puts_away(observation: Observation) -> bool:
    return bool(observation.facts["stage"] == "exchange" and observation.facts["discarding"])


def _at_stake(observation: Observation) -> str:
    """Return a sentence on the effect of the card led."""
    offered = _trick_cards(observation)[0]
    if not observation.facts["open"] or offered is None:
        return gettext("Dark: the highest card collects the red ones.")
    if bit(offered) & JOKERS:
        return gettext("The highest card of any colour collects the joker.")
    card = the_card(card_name(offered))
    if bit(offered) & RED:
        return gettext("The highest card collects {card}, red before black.", card=card)
    return gettext(
        "The highest card, black before red, collects the red ones; if there are none, the lowest collects {card}.",
        card=card,
    )


def _trick_cards(observation: Observation) -> Sequence[int | None]:
    trick = observation.zone("trick")
    return trick.cards if trick else []


def _just_finished(observation: Observation) -> dict[str, Any] | None:
    """Return the last trick if no player has played since, else ``None``."""
    last: dict[str, Any] | None = observation.facts["last_trick"]
    return last if observation.facts["trick"] in ([], [observation.facts["dummy"]]) else None


def _middle(observation: Observation, names: Sequence[str]) -> Area:
    """Return the middle area; a finished trick stays until a player plays, also beside a dummy's first card."""
    current = [_laid(observation, names, index) for index in range(len(observation.facts["trick"]))]
    last = [
        _turned_up(observation, names, index)
        for index in range(len(_ring(observation)) if observation.facts["last_trick"] else 0)
    ]
    shown = last if _just_finished(observation) else []
    deck, discarded = observation.zone("deck"), observation.zone("discarded")
    earlier = gettext("Last trick")
    rows = [Row("trick", gettext("Trick") if current else earlier, "trick", current or shown)]
    if current and shown:
        rows.append(Row("turned-up", earlier, "trick", shown))
    rows.append(Row("last", earlier, "last", [] if shown else last))
    if deck is not None and discarded is not None:
        rows.append(
            Row("deck", gettext("Deck"), "pile", [CardSeen(card_name(card)) for card in deck.known], deck.hidden)
        )
        thrown = cards_lying(discarded.known, False)
        rows.append(Row("discarded", gettext("Discarded"), "buried", thrown))
    kind = {None: "", True: gettext("open trick"), False: gettext("dark trick")}[observation.facts["open"]]
    return Area("middle", gettext("Trick") if current else gettext("Middle"), None, rows, kind)


def _laid(observation: Observation, names: Sequence[str], index: int) -> CardSeen:
    """Return a card of the current trick: the offer, one's own card, or a back."""
    tribe, card = observation.facts["trick"][index], _trick_cards(observation)[index]
    offered = bool(index == 0 and observation.facts["open"])
    mark = pgettext("card", "offered") if offered else pgettext("card", "face down")
    text = None if card is None else card_name(card)
    by, area = name_of(observation, names, tribe), f"tribe-{tribe}"
    return CardSeen(text, offered, mark, by=by, area=area, fate="offered" if offered else "")


def _turned_up(observation: Observation, names: Sequence[str], index: int) -> CardSeen:
    trick = observation.facts["last_trick"]
    tribe, card = trick["tribes"][index], trick["cards"][index]
    mark, fate = _fate(trick, index)
    return CardSeen(card, mark=mark, by=name_of(observation, names, tribe), area=f"tribe-{tribe}", fate=fate)


def _fate(trick: Mapping[str, Any], index: int) -> tuple[str, Fate]:
    """Return the mark of a card of a finished trick, and its kind."""
    if trick["tribes"][index] == trick["taker"]:
        return (pgettext("card", "loses"), "loses") if trick["lost"] else (pgettext("card", "wins"), "wins")
    if trick["cards"][index] in trick["loot"]:
        return pgettext("card", "collected"), "taken"
    return (pgettext("card", "offered"), "offered") if trick["open"] and index == 0 else ("", "")


def _area(observation: Observation, names: Sequence[str], tribe: int, at: int) -> Area:
    dummy = tribe == observation.facts["dummy"]
    return Area(
        id=f"tribe-{tribe}",
        title=gettext("Dummy") if dummy else name_of(observation, names, tribe),
        at=at,
        rows=_rows(observation, tribe),
        subtitle=gettext("plays the top of the deck") if dummy else _team(observation, tribe),
        seat=None if dummy else tribe,
        active=observation.facts["turn"] == tribe,
        turn=_turn(observation, not dummy and tribe == observation.seat),
        notes=_notes(observation, tribe),
        points=None
        if dummy or not observation.zones
        else sum(line.points[tribe] for line in observation.lines if line.at == tribe),
    )


def _turn(observation: Observation, own: bool) -> str:
    """Return the task of the tribe to act, the viewer's (``own``) or another."""
    if observation.facts["stage"] != "exchange":
        return to_play(own)
    if observation.facts["discarding"]:
        return pgettext("task of You", "to put a card away") if own else gettext("to put a card away")
    return pgettext("task of You", "to exchange a card") if own else gettext("to exchange a card")


def _team(observation: Observation, tribe: int) -> str:
    """Return ``team A``, a note for a player alone among teams (TT-27), or nothing without teams."""
    if observation.options["teams"] == "none":
        return ""
    weight = observation.facts["weights"][tribe]
    if weight > 1:
        # Translators: the points of a player alone among teams are multiplied
        return (
            gettext("alone, counts double") if weight == 2 else gettext("alone, counts {number} times", number=weight)
        )
    sides = list(dict.fromkeys(observation.facts["sides"]))
    return gettext("team {letter}", letter="ABCDEF"[sides.index(observation.facts["sides"][tribe])])


def _notes(observation: Observation, tribe: int) -> list[str]:
    facts, notes = observation.facts, []
    if tribe == facts["dealer"]:
        notes.append(pgettext("player", "dealer"))
    if facts["stage"] == "exchange" and tribe in facts["put_away"]:
        notes.append(gettext("card put away") if facts["discarding"] else gettext("card exchanged"))
    if facts["must_open"] and tribe == facts["turn"]:
        notes.append(gettext("must play an open card"))
    return notes


def _rows(observation: Observation, tribe: int) -> list[Row]:
    """Return a tribe's rows: the collected cards, the card put away, the hand."""
    name = f"tribe-{tribe}"
    collected, away, hand = (observation.zone(zone, tribe) for zone in ("collected", "away", "hand"))
    if collected is None:
        return []
    laid = cards_lying(collected.known)
    rows = [Row(f"{name}-collected", gettext("Collected"), "wall", laid)]
    if away is not None:
        put = cards_lying(away.known, False)
        rows.append(Row(f"{name}-away", pgettext("cards", "Put away"), "buried", put, away.hidden))
    if hand is not None:
        held = [_in_hand(observation, card, tribe) for card in hand_order(hand.known)]
        rows.append(Row(f"{name}-hand", gettext("Hand"), "hand", held, hand.hidden))
    return rows


def _in_hand(observation: Observation, card: int, tribe: int) -> CardSeen:
    text = card_name(card)
    if tribe != observation.seat:
        return CardSeen(text)
    facts = observation.facts
    leads = observation.actor == observation.seat and not facts["trick"]
    verb = "open " if leads and facts["must_open"] else ""
    if facts["stage"] == "exchange":
        verb = "discard " if facts["discarding"] else "swap "
    alone = facts["stage"] == "exchange" or facts["must_open"] or not leads  # a leader decides between open and dark
    return CardSeen(text, do=f"{verb}{text}" if alone else None, token=text)


def phrase(observation: Observation, action: str) -> str:
    """Return a legal action of the viewer as a phrase, to follow words like "It seems best to"."""
    if action == "keep":
        return pgettext("action", "keep the cards")
    verb, _, card = action.rpartition(" ")
    message = {
        "": pgettext("action", "play {card} face down"),
        "open": pgettext("action", "offer {card} for an open trick"),
        "dark": pgettext("action", "play {card} face down for a dark trick"),
        "swap": pgettext("action", "put {card} away and draw another card"),
        "discard": pgettext("action", "put {card} away"),
    }[verb]
    return fill(message, card=the_card(card))


def interpret(observation: Observation, tokens: Sequence[str]) -> list[str]:
    """Return the actions for the last chosen card."""
    facts = observation.facts
    if facts["stage"] == "exchange":
        return [f"{'discard' if facts['discarding'] else 'swap'} {tokens[-1]}"]
    return [tokens[-1]] if facts["trick"] else [f"open {tokens[-1]}", f"dark {tokens[-1]}"]


def _choice(action: str) -> Choice:
    if action == "keep":
        return Choice(action, pgettext("button", "Keep all cards"))
    verb, _, card = action.rpartition(" ")
    labels = {
        "": pgettext("button", "Play"),
        "open": pgettext("button", "Play open"),
        "dark": pgettext("button", "Play dark"),
        "swap": pgettext("button", "Swap"),
        "discard": pgettext("button", "Put away"),
    }
    return Choice(action, labels[verb], [card])


def _standings(observation: Observation, names: Sequence[str]) -> list[Standing]:
    before, gains = observation.facts["before"], gains_of(observation)
    return [
        Standing(
            listed(subjects(observation, names, own_first(observation, side))),
            before[side[0]],
            before[side[0]] + gains[side[0]],
            own=observation.seat in side,
        )
        for side in sides_of(observation)
    ]


TERMS = (
    Term(
        "open trick",
        "the first card is offered face up: red, and the highest card takes it; black, and it may hurt.",
        "TT-6",
    ),
    Term("dark trick", "all cards lie face down; the highest collects the red ones.", "TT-13"),
    Term("court card", "usually a jack, queen, king or ace: of several red cards it takes only the highest.", "TT-14"),
    Term("dummy", "a tribe without a player: it plays the top card of the deck, which nobody has seen.", "TT-24"),
)


LAYOUT = Layout(
    phrase=phrase,
    lay_out=lay_out,
    interpret=interpret,
    terms=TERMS,
    themes={"put": "exchange a card"},
    unusual="Nobody has to follow suit, and nobody knows what lies there until all cards are turned up.",
    fits="For a lively round of four to six: everyone plays face down, and somebody groans.",
    minutes=(25, 45),
)
