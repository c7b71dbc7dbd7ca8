"""Trime Kicker: the log lines of the layout, and the outcome of a game."""

from collections.abc import Sequence

from parlour.cards import card_name
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE
from parlour.languages import gettext, ngettext
from parlour.languages.declension import some_card
from parlour.render.scene import cards_gained, last_event, option_number
from parlour.render.words import sentence_about, the_card


def log_lines(observation: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    """Return the log lines of the last event."""
    event = last_event(observation, before)
    if event is None or before is None:
        return []
    if event.by == CHANCE:
        log = _chance(observation, names, event.do)
    elif event.do == "draw":
        log = _draw(observation, names, event.by, before)
    elif event.do == "decline":
        log = _decline(observation, names, event.by, before)
    else:
        log = _card(observation, names, event.by, event.do, before)
    if observation.over:
        log += [gettext("Nobody can lay or draw any more: the game is over."), outcome_of(observation, names)]
    return log


def _chance(observation: Observation, names: Sequence[str], do: str) -> list[str]:
    word, _, seat = do.partition(" ")
    if word == "first":
        return [sentence_about(observation, names, int(seat), gettext("You begin."), gettext("{name} begins."))]
    main = option_number(observation, "main_cards")
    dealt = ngettext(
        "Each player gets {main} cards in hand (the main pile), and {number} card as backup, face down.",
        "Each player gets {main} cards in hand (the main pile), and {number} cards as backup, face down.",
        24 - main,
        main=main,
    )
    return [dealt, gettext("The four threes lie open.")]


def _draw(observation: Observation, names: Sequence[str], by: int, before: Observation) -> list[str]:
    new = cards_gained(observation, before, "main pile", by)
    you = gettext("You can lay nothing and draw {card} from the backup.")
    other = gettext("{name} can lay nothing and draws {card} from the backup.")
    card = the_card(card_name(new[0])) if new else some_card()
    log = [sentence_about(observation, names, by, you, other, card=card)]
    if before.facts["ordered"] and observation.actor != by:
        you = gettext("It does not fit either, and your backup is empty: the turn is over.")
        other = gettext("It does not fit either, and the backup is empty: the turn is over.")
        log.append(sentence_about(observation, names, by, you, other))
    return log


def _decline(observation: Observation, names: Sequence[str], by: int, before: Observation) -> list[str]:
    log = [sentence_about(observation, names, by, gettext("You decline."), gettext("{name} declines."))]
    if before.facts["declined"] and not observation.over:
        you = gettext("Both players declined: the judge looks at all cards and orders you to move.")
        other = gettext("Both players declined: the judge looks at all cards and orders {name} to move.")
        log.append(sentence_about(observation, names, observation.actor, you, other))
    return log


def _card(observation: Observation, names: Sequence[str], by: int, do: str, before: Observation) -> list[str]:
    card, _, pile = do.partition(" on ")
    owner = before.facts["piles"][int(pile) - 1]["controller"]
    bonus = observation.facts["piles"][int(pile) - 1]["bonus"]
    if owner == by:
        you, other = _laid_on_own(bonus)
    elif owner == 1 - by:
        you, other = _laid_on_rivals(bonus, owner == observation.seat)
    else:
        you, other = _laid_on_nobodys(bonus)
    values = {"card": the_card(card), "pile": pile, "rival": names[1 - by]}
    log = [sentence_about(observation, names, by, you, other, **values)]
    if before.facts["players"][by]["held"] == 1:
        log.append(_hand_gone(observation, names, by, before.facts["players"][by]["backup"]))
    return log


def _laid_on_own(bonus: bool) -> tuple[str, str]:
    """Return the sentences about a card laid on a pile of its player."""
    if bonus:
        return (
            gettext("You lay {card} on pile {pile}, with the bonus."),
            gettext("{name} lays {card} on pile {pile}, with the bonus."),
        )
    return gettext("You lay {card} on pile {pile}."), gettext("{name} lays {card} on pile {pile}.")


def _laid_on_rivals(bonus: bool, viewers: bool) -> tuple[str, str]:
    """Return the sentences about a card laid on a pile of the other player, who is perhaps the viewer."""
    if bonus:
        from_viewer = gettext("{name} lays {card} on pile {pile}, taking it from you, with the bonus.")
        from_rival = gettext("{name} lays {card} on pile {pile}, taking it from {rival}, with the bonus.")
        you = gettext("You lay {card} on pile {pile}, taking it from {rival}, with the bonus.")
    else:
        from_viewer = gettext("{name} lays {card} on pile {pile}, taking it from you.")
        from_rival = gettext("{name} lays {card} on pile {pile}, taking it from {rival}.")
        you = gettext("You lay {card} on pile {pile}, taking it from {rival}.")
    return you, from_viewer if viewers else from_rival


def _laid_on_nobodys(bonus: bool) -> tuple[str, str]:
    """Return the sentences about the first card on a three."""
    if bonus:
        return (
            gettext("You lay {card} on pile {pile}, the first to own it, with the bonus."),
            gettext("{name} lays {card} on pile {pile}, the first to own it, with the bonus."),
        )
    return (
        gettext("You lay {card} on pile {pile}, the first to own it."),
        gettext("{name} lays {card} on pile {pile}, the first to own it."),
    )


def _hand_gone(observation: Observation, names: Sequence[str], by: int, backup: int) -> str:
    """TK-9: return the sentence about a player who has laid the last card in hand."""
    if not backup:
        you, other = gettext("You have no cards left."), gettext("{name} has no cards left.")
        return sentence_about(observation, names, by, you, other)
    if by == observation.seat:
        return ngettext(
            "You take up the whole backup as a new hand: {number} card.",
            "You take up the whole backup as a new hand: {number} cards.",
            backup,
        )
    return ngettext(
        "{name} takes up the whole backup as a new hand: {number} card.",
        "{name} takes up the whole backup as a new hand: {number} cards.",
        backup,
        name=names[by],
    )


def outcome_of(observation: Observation, names: Sequence[str]) -> str:
    """Return the result of the game; empty before the end."""
    if not observation.over:
        return ""
    scores, winners = observation.standing.scores, observation.standing.winners
    if len(winners) > 1:
        return ngettext(
            "{number} point each, and all else equal: tradition settles it by a fistfight. Here it is a draw.",
            "{number} points each, and all else equal: tradition settles it by a fistfight. Here it is a draw.",
            scores[0],
        )
    if scores[0] == scores[1]:
        return _won_by_tie_break(observation, winners[0], names[winners[0]])
    return _won_by_points(observation, winners[0], names[winners[0]])


def _won_by_points(observation: Observation, winner: int, name: str) -> str:
    """Return the outcome if the winner, with this name, has more points."""
    points, other = observation.standing.scores[winner], observation.standing.scores[1 - winner]
    if observation.seat == winner:
        return ngettext(
            "You win, {number} point to {other}.", "You win, {number} points to {other}.", points, other=other
        )
    if observation.seat == 1 - winner:
        return ngettext(
            "You lose: {name} wins, {number} point to {other}.",
            "You lose: {name} wins, {number} points to {other}.",
            points,
            name=name,
            other=other,
        )
    return ngettext(
        "{name} wins, {number} point to {other}.",
        "{name} wins, {number} points to {other}.",
        points,
        name=name,
        other=other,
    )


def _won_by_tie_break(observation: Observation, winner: int, name: str) -> str:
    """TK-17: return the outcome if both have equal points."""
    points, reason = observation.standing.scores[winner], _tie_break(observation, winner)
    if observation.seat == winner:
        # Translators: {reason} is a clause of its own, as in "only you have a bonus"
        return ngettext(
            "You win at {number} point each, since {reason}.",
            "You win at {number} points each, since {reason}.",
            points,
            reason=reason,
        )
    if observation.seat == 1 - winner:
        return ngettext(
            "You lose: {name} wins at {number} point each, since {reason}.",
            "You lose: {name} wins at {number} points each, since {reason}.",
            points,
            name=name,
            reason=reason,
        )
    return ngettext(
        "{name} wins at {number} point each, since {reason}.",
        "{name} wins at {number} points each, since {reason}.",
        points,
        name=name,
        reason=reason,
    )


def _tie_break(observation: Observation, winner: int) -> str:
    """TK-17: return what decided a game with equal points: a bonus, more piles, or the sum of the top cards."""
    you = winner == observation.seat
    mine, theirs = (_owned(observation, seat) for seat in (winner, 1 - winner))
    # Translators: the reasons why a player wins follow "since": "You win at 14 points each, since you own more piles."
    if (mine[0] > 0) != (theirs[0] > 0):
        return gettext("only you have a bonus") if you else gettext("only the winner has a bonus")
    if mine[0] > 0 and mine[1] != theirs[1]:
        return gettext("you own more piles") if you else gettext("the winner owns more piles")
    return gettext("your top cards add up to more") if you else gettext("the winner's top cards add up to more")


def _owned(observation: Observation, seat: int) -> tuple[int, int]:
    """Return the numbers of a player's bonuses and piles."""
    piles = [pile for pile in observation.facts["piles"] if pile["controller"] == seat]
    return sum(pile["bonus"] for pile in piles), len(piles)
