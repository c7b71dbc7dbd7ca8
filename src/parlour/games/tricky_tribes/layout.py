"""Tricky Tribes: the layout, a ring of tribes with their collected cards around the trick."""

from collections.abc import Sequence
from typing import Any

from parlour.cards import BLACK, CARD_NUMBERS, JOKERS, RED, bit, card_name
from parlour.engine.events import HIDDEN_CARD
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE
from parlour.games.tricky_tribes.scoring import REDS
from parlour.languages.declension import listed
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
    capitalized,
    counted,
    in_signs,
    name_of,
    names_of,
    points_text,
    subject_verb,
    subjects_verb,
    the_card,
    the_cards,
    with_sign,
)


def lay_out(observation: Observation, names: Sequence[str], before: Observation | None) -> Scene:
    """Return the scene: the tribes clockwise from the viewer's own, the trick in the middle."""
    tribes = _ring(observation)
    return scene_of(
        observation,
        "Tricky Tribes",
        heading=_heading(observation),
        prompt=_prompt(observation, names),
        areas=[_middle(observation, names), *(_area(observation, names, tribe, at) for at, tribe in enumerate(tribes))],
        score=score_of(observation, "tribe"),
        standings=_standings(observation, names),
        log=_log(observation, names, before),
        choices=[_choice(action) for action in observation.legal],
        rest=bool(_just_finished(observation)),
        pause=_pause(observation, names, MOST_IN_A_HEADLINE),
        outcome=_outcome(observation, names),
    )


def _ring(observation: Observation) -> list[int]:
    """Return the tribes clockwise from the viewer; before the first deal without the dummy."""
    ring = observation.facts["ring"] or list(range(observation.players))
    own = ring.index(max(observation.seat, 0))
    return [*ring[own:], *ring[:own]]


def _tribe_name(observation: Observation, names: Sequence[str], tribe: int) -> str:
    if tribe == observation.facts["dummy"]:
        return "The dummy"
    return name_of(observation, names, tribe)


def _says(observation: Observation, names: Sequence[str], tribe: int, verb: str) -> str:
    return subject_verb(_tribe_name(observation, names, tribe), verb, tribe == observation.seat)


def _heading(observation: Observation) -> str:
    facts = observation.facts
    if facts["round"] == 0:
        return "Before the first round"
    if facts["target"] is None:
        heading = f"Round {facts['round']} of {facts['rounds']}"
    else:
        goal = f"a lead of {facts['target']}" if observation.options["difference"] else facts["target"]
        heading = f"Round {facts['round']}, game to {goal}{'' if observation.options['difference'] else ' points'}"
    if facts["stage"] == "exchange":
        return f"{heading}, {'putting a card away' if facts['discarding'] else 'exchange'}"
    return f"{heading}, trick {facts['trick_number']} of {facts['tricks']}" if facts["stage"] == "tricks" else heading


def _prompt(observation: Observation, names: Sequence[str]) -> str:
    facts = observation.facts
    if observation.over:
        return "The game is over."
    if observation.actor == CHANCE:
        return "The next round is about to be dealt." if facts["round"] else "The cards are about to be dealt."
    if observation.actor != observation.seat:
        what = "exchange a card" if facts["stage"] == "exchange" else "play"
        return f"{names[observation.actor]} is to {'put a card away' if _puts_away(observation) else what}."
    if facts["stage"] == "exchange":
        return (
            "Put one card away."
            if _puts_away(observation)
            else "Keep your cards, or swap one for the top card of the deck."
        )
    if facts["must_open"]:
        return "You won your own dark trick, so start this one with an open card."
    if not facts["trick"]:
        return "You start the trick: play a card open (face up) or dark (face down)."
    return f"Your turn: any card, face down. {_at_stake(observation)}"


def _puts_away(observation: Observation) -> bool:
    return bool(observation.facts["stage"] == "exchange" and observation.facts["discarding"])


def _at_stake(observation: Observation) -> str:
    """Return a sentence on the effect of the card led."""
    offered = _trick_cards(observation)[0]
    if not observation.facts["open"] or offered is None:
        return "Dark: the highest card collects the red ones."
    if bit(offered) & JOKERS:
        return "The highest card of any colour collects the joker."
    if bit(offered) & RED:
        return f"The highest card collects {the_card(card_name(offered))}, red before black."
    return (
        f"The highest card, black before red, collects the red ones; if there are none, the lowest collects "
        f"{the_card(card_name(offered))}."
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
    rows = [Row("trick", "Trick" if current else "Last trick", "trick", current or shown)]
    if current and shown:
        rows.append(Row("turned-up", "Last trick", "trick", shown))
    rows.append(Row("last", "Last trick", "last", [] if shown else last))
    if deck is not None and discarded is not None:
        rows.append(Row("deck", "Deck", "pile", [CardSeen(card_name(card)) for card in deck.known], deck.hidden))
        thrown = cards_lying(discarded.known, False)
        rows.append(Row("discarded", "Discarded", "buried", thrown))
    kind = {None: "", True: "open trick", False: "dark trick"}[observation.facts["open"]]
    return Area("middle", "Trick" if current else "Middle", None, rows, kind)


def _laid(observation: Observation, names: Sequence[str], index: int) -> CardSeen:
    """Return a card of the current trick: the offer, one's own card, or a back."""
    tribe, card = observation.facts["trick"][index], _trick_cards(observation)[index]
    offered = bool(index == 0 and observation.facts["open"])
    mark = "offered" if offered else "face down"
    text = None if card is None else card_name(card)
    return CardSeen(text, offered, mark, None, _tribe_name(observation, names, tribe), f"tribe-{tribe}")


def _turned_up(observation: Observation, names: Sequence[str], index: int) -> CardSeen:
    trick = observation.facts["last_trick"]
    tribe, card = trick["tribes"][index], trick["cards"][index]
    loses = trick["open"] and trick["loot"] == trick["cards"][:1] and bit(CARD_NUMBERS[trick["cards"][0]]) & BLACK
    mark = "offered" if trick["open"] and index == 0 else ""
    if tribe == trick["taker"]:
        mark = "loses" if loses else "wins"
    elif card in trick["loot"]:
        mark = "collected"
    return CardSeen(card, True, mark, None, _tribe_name(observation, names, tribe), f"tribe-{tribe}")


def _area(observation: Observation, names: Sequence[str], tribe: int, at: int) -> Area:
    dummy = tribe == observation.facts["dummy"]
    return Area(
        id=f"tribe-{tribe}",
        title="Dummy" if dummy else _tribe_name(observation, names, tribe),
        at=at,
        rows=_rows(observation, tribe),
        subtitle="plays the top of the deck" if dummy else _team(observation, tribe),
        seat=None if dummy else tribe,
        active=observation.facts["turn"] == tribe,
        turn=_turn(observation),
        notes=_notes(observation, tribe),
        points=None
        if dummy or not observation.zones
        else sum(line.points[tribe] for line in observation.lines if line.at == tribe),
    )


def _turn(observation: Observation) -> str:
    """Return the prompt for the tribe to act."""
    if observation.facts["stage"] != "exchange":
        return "to play"
    return "to put a card away" if observation.facts["discarding"] else "to exchange a card"


def _team(observation: Observation, tribe: int) -> str:
    """Return ``team A``, a note for a player alone among teams (TT-27), or nothing without teams."""
    if observation.options["teams"] == "none":
        return ""
    weight = observation.facts["weights"][tribe]
    if weight > 1:
        return f"alone, counts {'double' if weight == 2 else f'{weight} times'}"
    sides = list(dict.fromkeys(observation.facts["sides"]))
    return f"team {'ABCDEF'[sides.index(observation.facts['sides'][tribe])]}"


def _notes(observation: Observation, tribe: int) -> list[str]:
    facts, notes = observation.facts, []
    if tribe == facts["dealer"]:
        notes.append("dealer")
    if facts["stage"] == "exchange" and tribe in facts["put_away"]:
        notes.append("card put away" if facts["discarding"] else "card exchanged")
    if facts["must_open"] and tribe == facts["turn"]:
        notes.append("must play an open card")
    return notes


def _rows(observation: Observation, tribe: int) -> list[Row]:
    """Return a tribe's rows: the collected cards, the card put away, the hand."""
    name = f"tribe-{tribe}"
    collected, away, hand = (observation.zone(zone, tribe) for zone in ("collected", "away", "hand"))
    if collected is None:
        return []
    laid = cards_lying(collected.known)
    rows = [Row(f"{name}-collected", "Collected", "wall", laid)]
    if away is not None:
        put = cards_lying(away.known, False)
        rows.append(Row(f"{name}-away", "Put away", "buried", put, away.hidden))
    if hand is not None:
        held = [_in_hand(observation, card, tribe) for card in hand_order(hand.known)]
        rows.append(Row(f"{name}-hand", "Hand", "hand", held, hand.hidden))
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
    """Return the log's wording of a legal action of the viewer, to follow "You"."""
    verb, _, card = action.rpartition(" ")
    if not verb:
        return "keep your cards" if action == "keep" else f"play {the_card(card)} face down"
    return {
        "open": f"offer {the_card(card)} for an open trick",
        "dark": f"play {the_card(card)} face down for a dark trick",
        "swap": f"put {the_card(card)} away and draw another card",
        "discard": f"put {the_card(card)} away",
    }[verb]


def meant(observation: Observation, tokens: Sequence[str]) -> list[str]:
    """Return the actions for the last chosen card."""
    facts = observation.facts
    if facts["stage"] == "exchange":
        return [f"{'discard' if facts['discarding'] else 'swap'} {tokens[-1]}"]
    return [tokens[-1]] if facts["trick"] else [f"open {tokens[-1]}", f"dark {tokens[-1]}"]


_LABELS = {"": "Play", "open": "Play open", "dark": "Play dark", "swap": "Swap", "discard": "Put away"}


def _choice(action: str) -> Choice:
    if action == "keep":
        return Choice(action, "Keep all cards")
    verb, _, card = action.rpartition(" ")
    return Choice(action, _LABELS[verb], [card])


def _gains(observation: Observation) -> list[int]:
    """Return the points that each seat has gained in this round."""
    return [sum(line.points[seat] for line in observation.lines) for seat in range(observation.players)]


def _sides(observation: Observation) -> list[list[int]]:
    sides = observation.facts["sides"]
    return [[seat for seat in range(observation.players) if sides[seat] == side] for side in dict.fromkeys(sides)]


def _standings(observation: Observation, names: Sequence[str]) -> list[Standing]:
    before, gains = observation.facts["before"], _gains(observation)
    return [
        Standing(
            capitalized(listed(names_of(observation, names, side))),
            before[side[0]],
            before[side[0]] + gains[side[0]],
            own=observation.seat in side,
        )
        for side in _sides(observation)
    ]


# Log lines


def _log(observation: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    event = last_event(observation, before)
    if event is None or before is None:
        return []
    if event.by == CHANCE:
        return _log_chance(observation, names, event.do)
    if before.facts["stage"] == "exchange":
        return _log_exchange(observation, names, before, event.by, event.do)
    return _log_trick(observation, names, before, event.do)


def _log_chance(observation: Observation, names: Sequence[str], do: str) -> list[str]:
    if do.startswith("dealer"):
        return [f"{_says(observation, names, observation.facts['dealer'], 'deal')} first."]
    deals = _says(observation, names, observation.facts["dealer"], "deal")
    log = [f"Round {observation.facts['round']}: {deals.replace('You', 'you')}."]
    if observation.facts["discarding"]:
        log.append(f"Whoever is dealt {observation.facts['tricks'] + 1} cards puts one away.")
    return log


def _log_exchange(observation: Observation, names: Sequence[str], before: Observation, by: int, do: str) -> list[str]:
    """TT-3, TT-4: describe an exchange; only its player sees the cards put away and drawn."""
    verb, _, card = do.rpartition(" ")
    if do == "keep":
        log = f"{_says(observation, names, by, 'keep')} {'your' if by == observation.seat else 'the'} cards."
    elif by != observation.seat or card == HIDDEN_CARD:
        log = _says(observation, names, by, "put") + " a card away." if verb == "discard" else ""
        log = log or _says(observation, names, by, "exchange") + " a card."
    else:
        drawn = [card_name(card) for card in cards_gained(observation, before, "hand", by)]
        log = f"You put {the_card(card)} away"
        log += "." if verb == "discard" else f" and draw {the_cards(drawn)}."
    return [log, *_log_start(observation, names, before)]


def _log_start(observation: Observation, names: Sequence[str], before: Observation) -> list[str]:
    """Describe the start of a trick: the leader of the first one, and the dummy's card if it leads."""
    if observation.facts["stage"] != "tricks":
        return []
    first = observation.facts["ring"][0]
    starts = "" if observation.facts["last_trick"] else f"{_says(observation, names, first, 'start')} the first trick."
    dummy = "The dummy plays the top of the deck, face down: a dark trick."
    return [line for line in (starts, dummy if observation.facts["trick"] else "") if line]


def _log_trick(observation: Observation, names: Sequence[str], before: Observation, do: str) -> list[str]:
    """Describe the cards played, including the dummy's, then the result of a full trick."""
    finished = (
        observation.facts["stage"] != "tricks" or observation.facts["trick_number"] != before.facts["trick_number"]
    )
    last = observation.facts["last_trick"]
    tribes = last["tribes"] if finished else observation.facts["trick"]
    since = tribes[len(before.facts["trick"]) :]
    verb, _, card = do.rpartition(" ")
    log = [_log_card(observation, names, since[0], verb, card)]
    if len(since) > 1:
        log.append("The dummy plays the top of the deck, face down.")
    if not finished:
        return log
    shown = [
        f"{_tribe_name(observation, names, tribe)} {in_signs(text)}"
        for tribe, text in zip(tribes, last["cards"], strict=True)
    ]
    log += [f"The cards are turned up: {', '.join(shown)}.", _log_taking(observation, names, last)]
    if observation.facts["stage"] != "tricks":
        return [*log, _pause(observation, names)]
    return [*log, *_log_start(observation, names, before)]


def _log_card(observation: Observation, names: Sequence[str], by: int, verb: str, card: str) -> str:
    own = by == observation.seat and card != HIDDEN_CARD
    what = the_card(card) if own or verb == "open" else "a card"
    if verb == "open":
        return f"{_says(observation, names, by, 'offer')} {what}: an open trick."
    kind = ": a dark trick" if verb == "dark" else ""
    return f"{_says(observation, names, by, 'play')} {what} face down{kind}."


def _log_taking(observation: Observation, names: Sequence[str], last: dict[str, Any]) -> str:
    """TT-10 to TT-15, TT-21: describe the result of a trick: winner or loser, deciding card and loot."""
    own = last["cards"][last["tribes"].index(last["taker"])]
    loot = the_cards(last["loot"]) if last["loot"] else "nothing"
    if last["open"] and last["loot"] == last["cards"][:1] and bit(CARD_NUMBERS[last["cards"][0]]) & BLACK:
        losing = f"Nobody plays red. {_says(observation, names, last['taker'], 'lose')} with {the_card(own)}"
        return f"{losing} and must take {loot}."
    collects = _collects(observation, last)
    log = f"{_says(observation, names, last['taker'], 'win')} with {the_card(own)} and {collects} {loot}."
    reds = [card for card in last["cards"] if bit(CARD_NUMBERS[card]) & REDS and card not in (own, *last["loot"])]
    looting = not last["open"] or bit(CARD_NUMBERS[last["cards"][0]]) & BLACK
    return f"{log} A court card takes only one." if looting and reds and last["loot"] else log


def _collects(observation: Observation, last: dict[str, Any]) -> str:
    return "collect" if last["taker"] == observation.seat else "collects"


MOST_IN_A_HEADLINE = 3
"""Maximum number of sides whose gains the headline of a finished round names; the list below it always has them."""


def _pause(observation: Observation, names: Sequence[str], most: int = 6) -> str:
    if observation.facts["round"] == 0 or observation.facts["stage"] not in ("deal", "end"):
        return ""
    gains = _gains(observation)
    parts = [
        f"{listed(names_of(observation, names, side))} {with_sign(gains[side[0]])}" for side in _sides(observation)
    ]
    rounds = observation.facts["rounds"]
    number = "The round" if rounds == 1 else f"Round {observation.facts['round']}{f' of {rounds}' if rounds else ''}"
    return f"{number} is over: {'; '.join(parts)}." if len(parts) <= most else f"{number} is over."


def _outcome(observation: Observation, names: Sequence[str]) -> str:
    if not observation.over:
        return ""
    scores, winners = observation.standing.scores, observation.standing.winners
    if len(winners) == observation.players and len(set(scores)) == 1:
        return f"All win together, with {counted(scores[0], 'point')}."
    alike = len({scores[seat] for seat in winners}) == 1
    who = [name_of(observation, names, seat, "you") for seat in winners]
    how = (
        f" {'by' if observation.options['difference'] else 'with'} {counted(scores[winners[0]], 'point')}"
        if alike
        else ""
    )
    if not alike:
        who = [f"{name} ({scores[seat]})" for name, seat in zip(who, winners, strict=True)]
    you = (
        f"; you have {points_text(scores[observation.seat])}"
        if observation.seat >= 0 and observation.seat not in winners
        else ""
    )
    return f"{subjects_verb(who, 'win')}{how}{you}."


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
    meant=meant,
    terms=TERMS,
    unusual="Nobody has to follow suit, and nobody knows what lies there until all cards are turned up.",
    fits="For a lively round of four to six: everyone plays face down, and somebody groans.",
    minutes=(25, 45),
)
