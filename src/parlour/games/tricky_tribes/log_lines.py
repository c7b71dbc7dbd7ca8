"""Tricky Tribes: the log lines of the layout, the headline of a finished round, and the outcome of a game."""

from collections.abc import Sequence
from typing import Any

from parlour.cards import CARD_NUMBERS, COURTS, bit, card_name
from parlour.engine.events import HIDDEN_CARD
from parlour.engine.observation import EVERYTHING, Observation
from parlour.engine.rules import CHANCE
from parlour.languages import gettext, ngettext, pgettext
from parlour.languages.declension import listed, some_card
from parlour.render.scene import cards_gained, last_event, option_number
from parlour.render.words import (
    in_signs,
    name_of,
    names_of,
    points_text,
    round_over,
    sentence_about,
    sentence_about_all,
    subjects,
    the_card,
    the_cards,
    with_semicolons,
    with_sign,
)


def log_lines(observation: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    """Return the log lines of the last event; ``names`` has the dummy's name last."""
    event = last_event(observation, before)
    if event is None or before is None:
        return []
    if event.by == CHANCE:
        return _chance(observation, names, event.do)
    if before.facts["stage"] == "exchange":
        return _exchange(observation, names, before, event.by, event.do)
    return _trick(observation, names, before, event.do)


def _chance(observation: Observation, names: Sequence[str], do: str) -> list[str]:
    facts = observation.facts
    if do.startswith("dealer"):
        you, other = gettext("You deal first."), gettext("{name} deals first.")
        return [sentence_about(observation, names, facts["dealer"], you, other)]
    you, other = gettext("Round {number}: you deal."), gettext("Round {number}: {name} deals.")
    log = [sentence_about(observation, names, facts["dealer"], you, other, number=facts["round"])]
    if facts["discarding"]:
        log.append(gettext("Whoever is dealt {number} cards puts one away.", number=facts["tricks"] + 1))
    return [*log, *_start(observation, names)]


def _exchange(observation: Observation, names: Sequence[str], before: Observation, by: int, do: str) -> list[str]:
    """TT-3, TT-4: describe an exchange; its cards are seen by its player alone, and in a replay with all cards."""
    return [_exchanged(observation, names, before, by, do), *_start(observation, names)]


def _exchanged(observation: Observation, names: Sequence[str], before: Observation, by: int, do: str) -> str:
    verb, _, card = do.rpartition(" ")
    if do == "keep":
        you, other = gettext("You keep your cards."), gettext("{name} keeps the cards.")
        return sentence_about(observation, names, by, you, other)
    if card == HIDDEN_CARD:
        if verb == "discard":
            you, other = gettext("You put a card away."), gettext("{name} puts a card away.")
        else:
            you, other = gettext("You exchange a card."), gettext("{name} exchanges a card.")
        return sentence_about(observation, names, by, you, other)
    if verb == "discard":
        you, other = gettext("You put {card} away."), gettext("{name} puts {card} away.")
        return sentence_about(observation, names, by, you, other, card=the_card(card))
    drawn = the_cards([card_name(card) for card in cards_gained(observation, before, "hand", by)])
    you, other = gettext("You put {card} away and draw {drawn}."), gettext("{name} puts {card} away and draws {drawn}.")
    return sentence_about(observation, names, by, you, other, card=the_card(card), drawn=drawn)


def _start(observation: Observation, names: Sequence[str]) -> list[str]:
    """Describe the start of a trick: the leader of the first one, and the dummy's card if it leads."""
    if observation.facts["stage"] != "tricks":
        return []
    log = []
    if not observation.facts["last_trick"]:
        you, other = gettext("You start the first trick."), gettext("{name} starts the first trick.")
        log.append(sentence_about(observation, names, observation.facts["ring"][0], you, other))
    if observation.facts["trick"]:
        log.append(gettext("The dummy plays the top of the deck, face down: a dark trick."))
    return log


def _trick(observation: Observation, names: Sequence[str], before: Observation, do: str) -> list[str]:
    """Describe the cards played, including the dummy's, then the result of a full trick."""
    finished = (
        observation.facts["stage"] != "tricks" or observation.facts["trick_number"] != before.facts["trick_number"]
    )
    last = observation.facts["last_trick"]
    tribes = last["tribes"] if finished else observation.facts["trick"]
    since = tribes[len(before.facts["trick"]) :]
    verb, _, card = do.rpartition(" ")
    log = [_card(observation, names, since[0], verb, card)]
    if len(since) > 1:
        log.append(gettext("The dummy plays the top of the deck, face down."))
    if not finished:
        return log
    shown = [
        f"{name_of(observation, names, tribe)} {in_signs(text)}"
        for tribe, text in zip(tribes, last["cards"], strict=True)
    ]
    log += [gettext("The cards are turned up: {cards}.", cards=", ".join(shown)), _taking(observation, names, last)]
    if observation.facts["stage"] != "tricks":
        return [*log, pause_of(observation, names)]
    return [*log, *_start(observation, names)]


def _card(observation: Observation, names: Sequence[str], by: int, verb: str, card: str) -> str:
    seen = observation.seat in (by, EVERYTHING) and card != HIDDEN_CARD  # others see the last card of a trick turned up
    what = the_card(card) if seen or verb == "open" else some_card()
    if verb == "open":
        you, other = gettext("You offer {card}: an open trick."), gettext("{name} offers {card}: an open trick.")
    elif verb == "dark":
        you = gettext("You play {card} face down: a dark trick.")
        other = gettext("{name} plays {card} face down: a dark trick.")
    else:
        you, other = gettext("You play {card} face down."), gettext("{name} plays {card} face down.")
    return sentence_about(observation, names, by, you, other, card=what)


def _taking(observation: Observation, names: Sequence[str], last: dict[str, Any]) -> str:
    """TT-10 to TT-15, TT-21: describe the result of a trick: winner or loser, deciding card and loot."""
    own = last["cards"][last["tribes"].index(last["taker"])]
    if last["lost"]:
        you = gettext("You lose with {card} and must take {loot}.")
        other = gettext("{name} loses with {card} and must take {loot}.")
    elif last["loot"]:
        you = gettext("You win with {card} and collect {loot}.")
        other = gettext("{name} wins with {card} and collects {loot}.")
    else:
        you, other = (
            gettext("You win with {card} and collect nothing."),
            gettext("{name} wins with {card} and collects nothing."),
        )
    loot = the_cards(last["loot"])
    log = sentence_about(observation, names, last["taker"], you, other, card=the_card(own), loot=loot)
    if last["lost"]:
        return " ".join([gettext("Nobody plays red."), log])
    return " ".join([log, _limit(observation, own)]) if last["limited"] else log


def _limit(observation: Observation, card: str) -> str:
    """TT-14: return the reason why the winner's card left red cards behind; by default the limit is for court cards."""
    most = option_number(observation, "loot_limit")
    if most == 0:
        return gettext("A card this high takes nothing.")
    courts_alone = option_number(observation, "limited_from") == 11 and bit(CARD_NUMBERS[card]) & COURTS
    if most == 1 and courts_alone:
        return gettext("A court card or ace takes only one.")
    return ngettext("A card this high takes only {number} card.", "A card this high takes only {number} cards.", most)


def gains_of(observation: Observation) -> list[int]:
    """Return the points that each seat has gained in this round."""
    return [sum(line.points[seat] for line in observation.lines) for seat in range(observation.players)]


def sides_of(observation: Observation) -> list[list[int]]:
    """Return the seats of each side."""
    sides = observation.facts["sides"]
    return [[seat for seat in range(observation.players) if sides[seat] == side] for side in dict.fromkeys(sides)]


def pause_of(observation: Observation, names: Sequence[str], most: int = 6) -> str:
    """Return the headline of a finished round, with the gains of each side if there are ``most`` sides at most."""
    facts = observation.facts
    if facts["round"] == 0 or facts["stage"] not in ("deal", "end"):
        return ""
    gains = gains_of(observation)
    parts = [
        f"{listed(names_of(observation, names, side))} {with_sign(gains[side[0]])}" for side in sides_of(observation)
    ]
    over = round_over(facts["round"], facts["rounds"])
    if len(parts) > most:
        return f"{over}."
    # Translators: the end of a round and the points that each side gained: "Round 2 is over: you +3; Bo −1."
    return gettext("{over}: {gains}.", over=over, gains=with_semicolons(parts))


def outcome_of(observation: Observation, names: Sequence[str]) -> str:
    """Return the result of the game, for a player who lost with the own points; empty before the end."""
    if not observation.over:
        return ""
    scores, winners = observation.standing.scores, observation.standing.winners
    if len(winners) == observation.players and len(set(scores)) == 1:
        return ngettext(
            "All win together, with {number} point.",
            "All win together, with {number} points.",
            abs(scores[0]),
            number=points_text(scores[0]),
        )
    won = _winners(observation, names)
    if observation.seat < 0 or observation.seat in winners:
        return f"{won}."
    # Translators: the winners, and your own points: "Bo wins with 15 points; you have 3."
    return gettext("{won}; you have {points}.", won=won, points=points_text(scores[observation.seat]))


def _winners(observation: Observation, names: Sequence[str]) -> str:
    """Return the sentence on the winners, without its full stop: ``"Bo wins with 15 points"``."""
    scores, winners = observation.standing.scores, observation.standing.winners
    who = subjects(observation, names, winners)
    if len({scores[seat] for seat in winners}) > 1:
        scored = [f"{name} ({scores[seat]})" for name, seat in zip(who, winners, strict=True)]
        own, others = pgettext("with you", "{names} win"), pgettext("without you", "{names} win")
        return sentence_about_all(observation, winners, scored, ["", "", own, others])
    number = scores[winners[0]]
    # Translators: points of a game, as in "Bo wins with 15 points"
    points = ngettext("{number} point", "{number} points", abs(number), number=points_text(number))
    sentences = _wins_by() if observation.options["difference"] else _wins_with()
    return sentence_about_all(observation, winners, who, sentences, points=points)


def _wins_with() -> list[str]:
    return [
        gettext("You win with {points}"),
        gettext("{name} wins with {points}"),
        pgettext("with you", "{names} win with {points}"),
        pgettext("without you", "{names} win with {points}"),
    ]


def _wins_by() -> list[str]:
    return [
        gettext("You win by {points}"),
        gettext("{name} wins by {points}"),
        pgettext("with you", "{names} win by {points}"),
        pgettext("without you", "{names} win by {points}"),
    ]
