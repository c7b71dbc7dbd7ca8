"""Castle Walls: the log lines of the layout, and the outcome of a game in words."""

from collections.abc import Sequence

from parlour.cards import RANKS, card_name
from parlour.engine.events import HIDDEN_CARD
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE
from parlour.languages import gettext, ngettext
from parlour.languages.declension import Phrase, rank_word, some_card
from parlour.render.scene import cards_gained, last_event, option_number
from parlour.render.words import sentence_about, the_card, the_cards


def log_lines(observation: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    """Return the log lines of the last event, those of the turn that it begins, and the outcome that it leads to."""
    event = last_event(observation, before)
    if event is None or before is None:
        return []
    if event.by == CHANCE:
        log = [_deal(observation)] if event.do.startswith("deal") else []
        return log + _turn(observation, names, before)
    word, *rest = event.do.split()
    line = {
        "up": _up,
        "down": _down,
        "flip": _flip,
        "attack": _attack,
        "joker": _joker,
        "straight": _straight,
        "discard": _discard,
        "destroy": _destroy,
        "end": _end,
    }[word](observation, names, before, event.by, rest)
    return [
        line,
        *_turn(observation, names, before),
        *([outcome_of(observation, names)] if observation.over else []),
    ]


def card_in(observation: Observation, zone_name: str, player: int, slot: str) -> str | None:
    """Return the card that the viewer sees in a slot, or ``None``."""
    zone = observation.zone(zone_name, player * option_number(observation, "slots") + int(slot[0]) - 1)
    return card_name(zone.cards[0]) if zone and zone.cards and zone.cards[0] is not None else None


def in_words(card: str | None) -> Phrase:
    """Return a card in words, ``"a card"`` for an unknown one."""
    return the_card(card) if card else some_card()


def straight_ranks(observation: Observation, lowest: str) -> tuple[str, str]:
    """CW-22: return the highest and the lowest rank of a straight in words."""
    low = RANKS.index(lowest)
    return rank_word(low + option_number(observation, "straight_cards") - 1), rank_word(low)


def _deal(observation: Observation) -> str:
    return ngettext(
        "The cards are dealt: {number} life card each, {held} in hand.",
        "The cards are dealt: {number} life cards each, {held} in hand.",
        option_number(observation, "life_cards"),
        held=option_number(observation, "hand_cards"),
    )


def _up(observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> str:
    below = observation.zone("face down", by * option_number(observation, "slots") + int(rest[1]) - 1)
    if below is not None and (below.cards or below.hidden):
        you = gettext("You put {card} face up into slot {slot}, upon the face-down card there.")
        other = gettext("{name} puts {card} face up into slot {slot}, upon the face-down card there.")
    else:
        you = gettext("You put {card} face up into slot {slot}.")
        other = gettext("{name} puts {card} face up into slot {slot}.")
    return sentence_about(observation, names, by, you, other, card=the_card(rest[0]), slot=rest[1])


def _down(observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> str:
    you = gettext("You put {card} face down into slot {slot}.")
    other = gettext("{name} puts {card} face down into slot {slot}.")
    card = in_words(None if rest[0] == HIDDEN_CARD else rest[0])
    return sentence_about(observation, names, by, you, other, card=card, slot=rest[1])


def _flip(observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> str:
    you = gettext("You turn up {card} in slot {slot}.")
    other = gettext("{name} turns up {card} in slot {slot}.")
    card = in_words(card_in(observation, "face up", by, rest[0]))
    return sentence_about(observation, names, by, you, other, card=card, slot=rest[0])


def _attack(observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> str:
    attacker = in_words(card_in(before, "face up", by, rest[0]))
    if rest[1] == "life":
        return _attack_on_life(observation, names, by, attacker)
    target = card_in(before, "face up", 1 - by, rest[1])
    wall = card_in(observation, "face up", 1 - by, rest[1])
    if target:
        card = the_card(target)
        you = gettext("You attack slot {slot} with {attacker}: {card} is destroyed.")
        other = gettext("{name} attacks slot {slot} with {attacker}: {card} is destroyed.")
    elif wall:
        card = the_card(wall)
        you = gettext("You attack slot {slot} with {attacker}: {card} is a wall and stays, and the turn ends.")
        other = gettext("{name} attacks slot {slot} with {attacker}: {card} is a wall and stays, and the turn ends.")
    else:
        gone = card_in(observation, "face up", by, rest[0]) is None
        card = _trap(observation, gone)
        you, other = _attack_on_trap(observation, by, gone)
    values = {"slot": rest[1], "attacker": attacker, "card": card, "rival": names[1 - by]}
    return sentence_about(observation, names, by, you, other, **values)


def _attack_on_life(observation: Observation, names: Sequence[str], by: int, attacker: Phrase) -> str:
    lost, left = observation.zone("lost", 1 - by), observation.facts["left"][1 - by]
    card = in_words(card_name(lost.known[0]) if lost and lost.known else None)
    if by == observation.seat:
        return ngettext(
            "You attack the life pile with {attacker} and take {card}; {number} life card left.",
            "You attack the life pile with {attacker} and take {card}; {number} life cards left.",
            left,
            attacker=attacker,
            card=card,
        )
    return ngettext(
        "{name} attacks the life pile with {attacker} and takes {card}; {number} life card left.",
        "{name} attacks the life pile with {attacker} and takes {card}; {number} life cards left.",
        left,
        name=names[by],
        attacker=attacker,
        card=card,
    )


def _trap(observation: Observation, gone: bool) -> Phrase:
    """CW-18: return the trap; the last buried card is a black trap, or the attacker that a red trap destroyed."""
    grave = observation.zone("graveyard")
    cards = grave.known if grave else []
    return the_card(card_name(cards[-2 if gone else -1]))


def _attack_on_trap(observation: Observation, by: int, gone: bool) -> tuple[str, str]:
    """CW-18, CW-19: return the sentences about an attack on a trap, by the viewer and by another player."""
    if gone:
        return (
            gettext("You attack slot {slot} with {attacker}: {card} is a red trap: both cards are destroyed."),
            gettext("{name} attacks slot {slot} with {attacker}: {card} is a red trap: both cards are destroyed."),
        )
    if observation.facts["stage"] != "trap":
        return (
            gettext(
                "You attack slot {slot} with {attacker}: {card} is a black trap and is destroyed; "
                "there is no other card for it to take along."
            ),
            gettext(
                "{name} attacks slot {slot} with {attacker}: {card} is a black trap and is destroyed; "
                "there is no other card for it to take along."
            ),
        )
    you = gettext(
        "You attack slot {slot} with {attacker}: {card} is a black trap and is destroyed; "
        "{rival} may destroy another card."
    )
    if observation.seat == 1 - by:
        return you, gettext(
            "{name} attacks slot {slot} with {attacker}: {card} is a black trap and is destroyed; "
            "you may destroy another card."
        )
    return you, gettext(
        "{name} attacks slot {slot} with {attacker}: {card} is a black trap and is destroyed; "
        "{rival} may destroy another card."
    )


def _joker(observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> str:
    taken = observation.facts["held"][by] - before.facts["held"][by] + 1
    if taken == 0:
        you = gettext("You use a joker and find nothing to take.")
        return sentence_about(observation, names, by, you, gettext("{name} uses a joker and finds nothing to take."))
    if by == observation.seat:
        return ngettext(
            "You use a joker and take the one card of the other field.",
            "You use a joker and take all {number} cards of the other field.",
            taken,
        )
    return ngettext(
        "{name} uses a joker and takes the one card of the other field.",
        "{name} uses a joker and takes all {number} cards of the other field.",
        taken,
        name=names[by],
    )


def _straight(observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> str:
    you = gettext("You announce a straight, from {high} down to {low}.")
    other = gettext("{name} announces a straight, from {high} down to {low}.")
    high, low = straight_ranks(observation, rest[0])
    return sentence_about(observation, names, by, you, other, high=high, low=low)


def _discard(observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> str:
    you, other = gettext("You discard {card}."), gettext("{name} discards {card}.")
    return sentence_about(observation, names, by, you, other, card=the_card(rest[0]))


def _destroy(observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> str:
    you = gettext("You destroy {card} in slot {slot}.")
    other = gettext("{name} destroys {card} in slot {slot}.")
    grave = observation.zone("graveyard")
    card = in_words(card_name(grave.known[-1]) if grave and grave.known else None)
    return sentence_about(observation, names, by, you, other, card=card, slot=rest[0][0])


def _end(observation: Observation, names: Sequence[str], before: Observation, by: int, rest: list[str]) -> str:
    return sentence_about(observation, names, by, gettext("You end the turn."), gettext("{name} ends the turn."))


def _turn(observation: Observation, names: Sequence[str], before: Observation) -> list[str]:
    """CW-5: describe the start of a turn, with the card drawn if the viewer knows it."""
    facts, deck = observation.facts, before.zone("deck")
    if facts["turn"] is None or facts["turn_number"] == before.facts["turn_number"]:
        return []
    number = facts["held"][facts["turn"]] - before.facts["held"][facts["turn"]]
    turned = deck is not None and number > len(deck.cards) + deck.hidden
    log = [gettext("The graveyard is turned over to become the deck.")] if turned else []
    return ["", *log, _draw(observation, names, before, facts["turn"], number)]


def _draw(observation: Observation, names: Sequence[str], before: Observation, player: int, number: int) -> str:
    if number == 0:
        return gettext("There is no card left to draw.")
    drawn = _known_draws(observation, before, player)
    if len(drawn) != number:
        return ngettext("{name} draws a card.", "{name} draws {number} cards.", number, name=names[player])
    you, other = gettext("You draw {cards}."), gettext("{name} draws {cards}.")
    return sentence_about(observation, names, player, you, other, cards=the_cards([card_name(card) for card in drawn]))


def _known_draws(observation: Observation, before: Observation, player: int) -> list[int]:
    """CW-6: return the cards drawn that the viewer knows: its own, and others that all could see in the pile.

    Another card that the viewer newly knows to be in the other hand was there before (CW-24).
    """
    new = cards_gained(observation, before, "hand", player)
    piles = [zone for zone in (before.zone("deck"), before.zone("graveyard")) if zone]
    return [card for card in new if player == observation.seat or any(card in zone.known for zone in piles)]


def outcome_of(observation: Observation, names: Sequence[str]) -> str:
    """CW-25, CW-27: return the outcome of a game in a sentence, nothing before its end."""
    if not observation.over:
        return ""
    scores, winners = observation.standing.scores, observation.standing.winners
    if len(winners) == 2:
        return ngettext(
            "A draw: the turns are used up, and both have {number} life card left.",
            "A draw: the turns are used up, and both have {number} life cards left.",
            scores[0],
        )
    winner, loser = names[winners[0]], names[1 - winners[0]]
    won, lost = scores[winners[0]], scores[1 - winners[0]]
    if observation.seat == 1 - winners[0]:
        if lost == 0:
            return gettext("You lose: {winner} has taken your last life card.", winner=winner)
        return gettext(
            "You lose: the turns are used up, {winner} has {won} life cards left, and you have {lost}.",
            winner=winner,
            won=won,
            lost=lost,
        )
    if observation.seat == winners[0]:
        if lost == 0:
            return gettext("You win: you have taken the last life card of {loser}.", loser=loser)
        return gettext(
            "You win: the turns are used up, you have {won} life cards left, and {loser} has {lost}.",
            won=won,
            loser=loser,
            lost=lost,
        )
    if lost == 0:
        return gettext("{winner} wins: the last life card of {loser} is taken.", winner=winner, loser=loser)
    return gettext(
        "{winner} wins: the turns are used up, with {won} life cards to {lost}.", winner=winner, won=won, lost=lost
    )
