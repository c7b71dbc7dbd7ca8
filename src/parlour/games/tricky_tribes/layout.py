"""Tricky Tribes on the table: a ring of tribes and what they have collected, the trick in the middle."""

from collections.abc import Sequence
from typing import Any

from parlour.cards import BLACK, CARD_NUMBERS, JOKERS, RED, bit, card_name
from parlour.engine.match import HIDDEN_CARD
from parlour.engine.rules import CHANCE
from parlour.engine.views import Observation
from parlour.games.tricky_tribes.rules import REDS
from parlour.render.scene import (
    Area,
    CardSeen,
    Choice,
    Layout,
    Row,
    Scene,
    Standing,
    Term,
    cards_gained,
    cards_lying,
    hand_order,
    last_event,
    scene_of,
    score_of,
)
from parlour.render.words import (
    all_said,
    counted,
    gained,
    in_signs,
    listed,
    name_of,
    names_of,
    opened,
    plain,
    said,
    the_card,
    the_cards,
)


def lay_out(view: Observation, names: Sequence[str], before: Observation | None) -> Scene:
    """The tribes clockwise from the viewer's own, the trick in the middle."""
    tribes = _ring(view)
    return scene_of(
        view,
        "Tricky Tribes",
        heading=_heading(view),
        prompt=_prompt(view, names),
        areas=[_middle(view, names), *(_area(view, names, tribe, at) for at, tribe in enumerate(tribes))],
        score=score_of(view, "tribe"),
        standings=_standings(view, names),
        told=_told(view, names, before),
        choices=[_choice(action) for action in view.legal],
        rest=bool(_just_finished(view)),
        pause=_pause(view, names, MOST_IN_A_HEADLINE),
        outcome=_outcome(view, names),
    )


def _ring(view: Observation) -> list[int]:
    """The tribes clockwise from the viewer; before the first deal the dummy has no place yet."""
    ring = view.facts["ring"] or list(range(view.players))
    own = ring.index(max(view.seat, 0))
    return [*ring[own:], *ring[:own]]


def _tribe_name(view: Observation, names: Sequence[str], tribe: int) -> str:
    if tribe == view.facts["dummy"]:
        return "The dummy"
    return name_of(view, names, tribe)


def _says(view: Observation, names: Sequence[str], tribe: int, verb: str) -> str:
    return said(_tribe_name(view, names, tribe), verb, tribe == view.seat)


def _heading(view: Observation) -> str:
    facts = view.facts
    if facts["round"] == 0:
        return "Before the first round"
    if facts["target"] is None:
        heading = f"Round {facts['round']} of {facts['rounds']}"
    else:
        goal = f"a lead of {facts['target']}" if view.options["difference"] else facts["target"]
        heading = f"Round {facts['round']}, game to {goal}{'' if view.options['difference'] else ' points'}"
    if facts["stage"] == "exchange":
        return f"{heading}, {'putting a card away' if facts['discarding'] else 'exchange'}"
    return f"{heading}, trick {facts['trick_number']} of {facts['tricks']}" if facts["stage"] == "tricks" else heading


def _prompt(view: Observation, names: Sequence[str]) -> str:
    facts = view.facts
    if view.over:
        return "The game is over."
    if view.actor == CHANCE:
        return "The next round is about to be dealt." if facts["round"] else "The cards are about to be dealt."
    if view.actor != view.seat:
        what = "exchange a card" if facts["stage"] == "exchange" else "play"
        return f"{names[view.actor]} is to {'put a card away' if _puts_away(view) else what}."
    if facts["stage"] == "exchange":
        return (
            "Put one card away." if _puts_away(view) else "Keep your cards, or swap one for the top card of the deck."
        )
    if facts["must_open"]:
        return "You won your own dark trick, so start this one with an open card."
    if not facts["trick"]:
        return "You start the trick: play a card open (face up) or dark (face down)."
    return f"Your turn: any card, face down. {_at_stake(view)}"


def _puts_away(view: Observation) -> bool:
    return bool(view.facts["stage"] == "exchange" and view.facts["discarding"])


def _at_stake(view: Observation) -> str:
    """What the first card asks for, in a sentence."""
    offered = _trick_cards(view)[0]
    if not view.facts["open"] or offered is None:
        return "Dark: the highest card collects the red ones."
    if bit(offered) & JOKERS:
        return "The highest card of any colour collects the joker."
    if bit(offered) & RED:
        return f"The highest card collects {the_card(card_name(offered))}, red before black."
    return (
        f"The highest card, black before red, collects the red ones; if there are none, the lowest collects "
        f"{the_card(card_name(offered))}."
    )


def _trick_cards(view: Observation) -> Sequence[int | None]:
    trick = view.zone("trick")
    return trick.cards if trick else []


def _just_finished(view: Observation) -> dict[str, Any] | None:
    """The last trick, if no player has played since."""
    last: dict[str, Any] | None = view.facts["last_trick"]
    return last if view.facts["trick"] in ([], [view.facts["dummy"]]) else None


def _middle(view: Observation, names: Sequence[str]) -> Area:
    """The trick under way; one just finished stays until a player plays, also beside a dummy's first card."""
    current = [_laid(view, names, index) for index in range(len(view.facts["trick"]))]
    last = [_turned_up(view, names, index) for index in range(len(_ring(view)) if view.facts["last_trick"] else 0)]
    shown = last if _just_finished(view) else []
    deck, discarded = view.zone("deck"), view.zone("discarded")
    rows = [Row("trick", "Trick" if current else "Last trick", "trick", current or shown)]
    if current and shown:
        rows.append(Row("turned-up", "Last trick", "trick", shown))
    rows.append(Row("last", "Last trick", "last", [] if shown else last))
    if deck is not None and discarded is not None:
        rows.append(Row("deck", "Deck", "pile", [CardSeen(card_name(card)) for card in deck.known], deck.hidden))
        thrown = cards_lying(discarded.known, False)
        rows.append(Row("discarded", "Discarded", "buried", thrown))
    kind = {None: "", True: "open trick", False: "dark trick"}[view.facts["open"]]
    return Area("middle", "Trick" if current else "Middle", None, rows, kind)


def _laid(view: Observation, names: Sequence[str], index: int) -> CardSeen:
    """A card of the trick under way: the offering, one's own, or a back."""
    tribe, card = view.facts["trick"][index], _trick_cards(view)[index]
    offered = bool(index == 0 and view.facts["open"])
    mark = "offered" if offered else "face down"
    text = None if card is None else card_name(card)
    return CardSeen(text, offered, mark, None, _tribe_name(view, names, tribe), f"tribe-{tribe}")


def _turned_up(view: Observation, names: Sequence[str], index: int) -> CardSeen:
    trick = view.facts["last_trick"]
    tribe, card = trick["tribes"][index], trick["cards"][index]
    loses = trick["open"] and trick["loot"] == trick["cards"][:1] and bit(CARD_NUMBERS[trick["cards"][0]]) & BLACK
    mark = "offered" if trick["open"] and index == 0 else ""
    if tribe == trick["taker"]:
        mark = "loses" if loses else "wins"
    elif card in trick["loot"]:
        mark = "collected"
    return CardSeen(card, True, mark, None, _tribe_name(view, names, tribe), f"tribe-{tribe}")


def _area(view: Observation, names: Sequence[str], tribe: int, at: int) -> Area:
    dummy = tribe == view.facts["dummy"]
    return Area(
        id=f"tribe-{tribe}",
        title="Dummy" if dummy else _tribe_name(view, names, tribe),
        at=at,
        rows=_rows(view, tribe),
        subtitle="plays the top of the deck" if dummy else _team(view, tribe),
        seat=None if dummy else tribe,
        active=view.facts["turn"] == tribe,
        turn=_turn(view),
        notes=_notes(view, tribe),
        points=None if dummy or not view.zones else sum(line.points[tribe] for line in view.lines if line.at == tribe),
    )


def _turn(view: Observation) -> str:
    """What whoever's turn it is is to do."""
    if view.facts["stage"] != "exchange":
        return "to play"
    return "to put a card away" if view.facts["discarding"] else "to exchange a card"


def _team(view: Observation, tribe: int) -> str:
    """``team A``, or what being alone among teams means (TT-27)."""
    if view.options["teams"] == "none":
        return ""
    if view.facts["weights"][tribe] == 2:
        return "alone, counts double"
    sides = list(dict.fromkeys(view.facts["sides"]))
    return f"team {'ABCDEF'[sides.index(view.facts['sides'][tribe])]}"


def _notes(view: Observation, tribe: int) -> list[str]:
    facts, notes = view.facts, []
    if tribe == facts["dealer"]:
        notes.append("dealer")
    if facts["stage"] == "exchange" and tribe in facts["put_away"]:
        notes.append("card put away" if facts["discarding"] else "card exchanged")
    if facts["must_open"] and tribe == facts["turn"]:
        notes.append("must play an open card")
    return notes


def _rows(view: Observation, tribe: int) -> list[Row]:
    """What a tribe has collected, the card it has put away, its hand."""
    name = f"tribe-{tribe}"
    collected, away, hand = (view.zone(zone, tribe) for zone in ("collected", "away", "hand"))
    if collected is None:
        return []
    laid = cards_lying(collected.known)
    rows = [Row(f"{name}-collected", "Collected", "wall", laid)]
    if away is not None:
        put = cards_lying(away.known, False)
        rows.append(Row(f"{name}-away", "Put away", "buried", put, away.hidden))
    if hand is not None:
        held = [_in_hand(view, card, tribe) for card in hand_order(hand.known)]
        rows.append(Row(f"{name}-hand", "Hand", "hand", held, hand.hidden))
    return rows


def _in_hand(view: Observation, card: int, tribe: int) -> CardSeen:
    text = card_name(card)
    if tribe != view.seat:
        return CardSeen(text)
    verb = "open " if view.facts["must_open"] else ""
    if view.facts["stage"] == "exchange":
        verb = "discard " if view.facts["discarding"] else "swap "
    alone = view.facts["stage"] == "exchange" or view.facts["trick"] or view.facts["must_open"]
    return CardSeen(text, do=f"{verb}{text}" if alone else None, token=text)


def phrase(view: Observation, action: str) -> str:
    """How the log would say an action of the viewer's."""
    verb, _, card = action.rpartition(" ")
    if not verb:
        return "keep your cards" if action == "keep" else f"play {the_card(card)} face down"
    return {
        "open": f"offer {the_card(card)} for an open trick",
        "dark": f"play {the_card(card)} face down for a dark trick",
        "swap": f"put {the_card(card)} away and draw another card",
        "discard": f"put {the_card(card)} away",
    }[verb]


def meant(view: Observation, tokens: Sequence[str]) -> list[str]:
    """What the last card chosen could have been meant for."""
    facts = view.facts
    if facts["stage"] == "exchange":
        return [f"{'discard' if facts['discarding'] else 'swap'} {tokens[-1]}"]
    return [tokens[-1]] if facts["trick"] else [f"open {tokens[-1]}", f"dark {tokens[-1]}"]


_LABELS = {"": "Play", "open": "Play open", "dark": "Play dark", "swap": "Swap", "discard": "Put away"}


def _choice(action: str) -> Choice:
    if action == "keep":
        return Choice(action, "Keep all cards")
    verb, _, card = action.rpartition(" ")
    return Choice(action, _LABELS[verb], [card])


def _gains(view: Observation) -> list[int]:
    """What every seat has gained in this round so far."""
    return [sum(line.points[seat] for line in view.lines) for seat in range(view.players)]


def _sides(view: Observation) -> list[list[int]]:
    sides = view.facts["sides"]
    return [[seat for seat in range(view.players) if sides[seat] == side] for side in dict.fromkeys(sides)]


def _standings(view: Observation, names: Sequence[str]) -> list[Standing]:
    before, gains = view.facts["before"], _gains(view)
    return [
        Standing(
            opened(listed(names_of(view, names, side))),
            before[side[0]],
            before[side[0]] + gains[side[0]],
            own=view.seat in side,
        )
        for side in _sides(view)
    ]


# In words


def _told(view: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    event = last_event(view, before)
    if event is None or before is None:
        return []
    if event.by == CHANCE:
        return _told_chance(view, names, event.do)
    if before.facts["stage"] == "exchange":
        return _told_exchange(view, names, before, event.by, event.do)
    return _told_trick(view, names, before, event.do)


def _told_chance(view: Observation, names: Sequence[str], do: str) -> list[str]:
    if do.startswith("dealer"):
        return [f"{_says(view, names, view.facts['dealer'], 'deal')} first."]
    deals = _says(view, names, view.facts["dealer"], "deal")
    told = [f"Round {view.facts['round']}: {deals.replace('You', 'you')}."]
    if view.facts["discarding"]:
        told.append("Whoever is dealt nine cards puts one away.")
    return told


def _told_exchange(view: Observation, names: Sequence[str], before: Observation, by: int, do: str) -> list[str]:
    """TT-3, TT-4: what was put away and drawn only its player is told."""
    verb, _, card = do.rpartition(" ")
    if do == "keep":
        told = f"{_says(view, names, by, 'keep')} {'your' if by == view.seat else 'the'} cards."
    elif by != view.seat or card == HIDDEN_CARD:
        told = _says(view, names, by, "put") + " a card away." if verb == "discard" else ""
        told = told or _says(view, names, by, "exchange") + " a card."
    else:
        drawn = [card_name(card) for card in cards_gained(view, before, "hand", by)]
        told = f"You put {the_card(card)} away"
        told += "." if verb == "discard" else f" and draw {the_cards(drawn)}."
    return [told, *_told_start(view, names, before)]


def _told_start(view: Observation, names: Sequence[str], before: Observation) -> list[str]:
    """Who starts the first trick, and what the dummy does where it starts."""
    if view.facts["stage"] != "tricks":
        return []
    first = view.facts["ring"][0]
    starts = "" if view.facts["last_trick"] else f"{_says(view, names, first, 'start')} the first trick."
    dummy = "The dummy plays the top of the deck, face down: a dark trick."
    return [line for line in (starts, dummy if view.facts["trick"] else "") if line]


def _told_trick(view: Observation, names: Sequence[str], before: Observation, do: str) -> list[str]:
    """What was played, by the dummy too; then what a full trick shows and brings."""
    finished = view.facts["stage"] != "tricks" or view.facts["trick_number"] != before.facts["trick_number"]
    last = view.facts["last_trick"]
    tribes = last["tribes"] if finished else view.facts["trick"]
    since = tribes[len(before.facts["trick"]) :]
    verb, _, card = do.rpartition(" ")
    told = [_told_card(view, names, since[0], verb, card)]
    if len(since) > 1:
        told.append("The dummy plays the top of the deck, face down.")
    if not finished:
        return told
    shown = [
        f"{_tribe_name(view, names, tribe)} {in_signs(text)}" for tribe, text in zip(tribes, last["cards"], strict=True)
    ]
    told += [f"The cards are turned up: {', '.join(shown)}.", _told_taking(view, names, last)]
    if view.facts["stage"] != "tricks":
        return [*told, _pause(view, names)]
    return [*told, *_told_start(view, names, before)]


def _told_card(view: Observation, names: Sequence[str], by: int, verb: str, card: str) -> str:
    own = by == view.seat and card != HIDDEN_CARD
    what = the_card(card) if own or verb == "open" else "a card"
    if verb == "open":
        return f"{_says(view, names, by, 'offer')} {what}: an open trick."
    kind = ": a dark trick" if verb == "dark" else ""
    return f"{_says(view, names, by, 'play')} {what} face down{kind}."


def _told_taking(view: Observation, names: Sequence[str], last: dict[str, Any]) -> str:
    """TT-10 to TT-15, TT-21: who won or lost with what, and what it brought."""
    own = last["cards"][last["tribes"].index(last["taker"])]
    loot = the_cards(last["loot"]) if last["loot"] else "nothing"
    if last["open"] and last["loot"] == last["cards"][:1] and bit(CARD_NUMBERS[last["cards"][0]]) & BLACK:
        losing = f"Nobody plays red. {_says(view, names, last['taker'], 'lose')} with {the_card(own)}"
        return f"{losing} and must take {loot}."
    told = f"{_says(view, names, last['taker'], 'win')} with {the_card(own)} and {_collects(view, last)} {loot}."
    reds = [card for card in last["cards"] if bit(CARD_NUMBERS[card]) & REDS and card not in (own, *last["loot"])]
    looting = not last["open"] or bit(CARD_NUMBERS[last["cards"][0]]) & BLACK
    return f"{told} A court card takes only one." if looting and reds and last["loot"] else told


def _collects(view: Observation, last: dict[str, Any]) -> str:
    return "collect" if last["taker"] == view.seat else "collects"


MOST_IN_A_HEADLINE = 3
"""Sides whose gains the headline of a finished round names; those of more stand in the list below it."""


def _pause(view: Observation, names: Sequence[str], most: int = 6) -> str:
    if view.facts["round"] == 0 or view.facts["stage"] not in ("deal", "end"):
        return ""
    gains = _gains(view)
    parts = [f"{listed(names_of(view, names, side))} {gained(gains[side[0]])}" for side in _sides(view)]
    rounds = view.facts["rounds"]
    number = "The round" if rounds == 1 else f"Round {view.facts['round']}{f' of {rounds}' if rounds else ''}"
    return f"{number} is over: {'; '.join(parts)}." if len(parts) <= most else f"{number} is over."


def _outcome(view: Observation, names: Sequence[str]) -> str:
    if not view.over:
        return ""
    scores, winners = view.standing.scores, view.standing.winners
    if len(winners) == view.players and len(set(scores)) == 1:
        return f"All win together, with {counted(scores[0], 'point')}."
    alike = len({scores[seat] for seat in winners}) == 1
    who = [name_of(view, names, seat, "you") for seat in winners]
    how = f" {'by' if view.options['difference'] else 'with'} {counted(scores[winners[0]], 'point')}" if alike else ""
    if not alike:
        who = [f"{name} ({scores[seat]})" for name, seat in zip(who, winners, strict=True)]
    you = f"; you have {plain(scores[view.seat])}" if view.seat >= 0 and view.seat not in winners else ""
    return f"{all_said(who, 'win')}{how}{you}."


TERMS = (
    Term(
        "open trick",
        "the first card is offered face up: red, and the highest card takes it; black, and it may hurt.",
        "TT-6",
    ),
    Term("dark trick", "all cards lie face down; the highest collects the red ones.", "TT-13"),
    Term("court card", "a jack, queen, king or ace: of several red cards it takes only the highest.", "TT-14"),
    Term("dummy", "a tribe without a player: it plays the top card of the deck, which nobody has seen.", "TT-24"),
)


LAYOUT = Layout(
    phrase=phrase,
    lay_out=lay_out,
    meant=meant,
    terms=TERMS,
    fits="For a lively round of four to six: everyone plays face down, and somebody groans.",
    minutes=(25, 45),
)
