"""Positions of Trime Kicker written as text."""

from parlour.cards import FULL_DECK, parse_card, set_of
from parlour.engine.match import Match
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.games.trime_kicker.rules import fitting
from tests.helpers import ALL_CARDS, play

TRIME_KICKER = find_game("trime-kicker")


def deck_of(mains=("", ""), backups=("", "")):
    """Return a deck, the top first, that deals these main piles and backups (the top card first).

    Unnamed cards fill it up, first those that cannot go on a three, so that an unspecified main pile can lay nothing at
    first; the bottoms of the backups get multiples of four.
    """
    stacks = [text.split() for text in (*mains, "", *backups, "")]
    stacks = [*stacks[:2], *stacks[len(mains) + 1 :][:2]]
    named = {card for stack in stacks for card in stack}
    rest = [card for card in ALL_CARDS if card not in named and card[0] != "3"]
    rest.sort(key=lambda card: card[0] in "48Q")
    for stack in stacks:
        stack.extend(rest.pop(0) for _ in range(12 - len(stack)))
    return " ".join(card for stack in stacks for card in stack)


def table(mains=("", ""), backups=("", ""), line="", first=0, options=None):
    """Return a match in which this line of actions has been played."""
    match = Match(Setup(TRIME_KICKER, 2, options or {}))
    match.apply_chance(f"deal {deck_of(mains, backups)}")
    match.apply_chance(f"first {first}")
    return play(match, line + ",") if line else match


def actions(match):
    """Return the legal actions in one line."""
    return ", ".join(match.legal())


def facts(match):
    """Return the public facts."""
    return match.observation(SPECTATOR).facts


def owners(match):
    """Return the seat that controls each pile: ``"0 1+ - -"``, with a dash for no seat and a plus for a bonus."""
    piles = facts(match)["piles"]
    return " ".join(
        "-" if pile["controller"] < 0 else f"{pile['controller']}{'+' if pile['bonus'] else ''}" for pile in piles
    )


def tops(match):
    """Return the top cards of the piles."""
    return " ".join(pile["top"] for pile in facts(match)["piles"])


def position(tops, owners, hands, backups=("", ""), actor=0, options=None, laid=(0, 0)):
    """Return a match in the middle of a game, with all other cards covered on pile 1.

    Only for rules that depend on the present cards alone: scoring, the judge, the end. To reach such a position by play
    would take some forty moves.
    """
    match = Match(Setup(TRIME_KICKER, 2, options or {}))
    match.apply_chance(f"deal {deck_of()}")
    match.apply_chance(f"first {actor}")
    state = match.state
    for pile, (top, owner) in enumerate(zip(tops.split(), owners.split(), strict=True)):
        state.top[pile], state.controller[pile] = parse_card(top), -1 if owner == "-" else int(owner)
        state.fits[pile] = fitting(state, state.top[pile])
        state.pile[pile] = 1 << parse_card(top)
    for seat in range(2):
        state.hand[seat] = state.first[seat] = state.private[seat] = set_of(map(parse_card, hands[seat].split()))
        backup = [parse_card(card) for card in backups[seat].split()]
        state.backup[seat] = -1
        state.backup[seat][12 - len(backup) : 12] = backup
        state.drawn[seat], state.left[seat] = 12 - len(backup), len(backup)
        state.first_size[seat] = len(hands[seat].split()) - state.drawn[seat]  # so that the number held is right
        state.laid_before[seat] = laid[seat]
    held = int(state.hand[0] | state.hand[1]) | set_of(int(card) for card in state.backup.ravel() if card >= 0)
    state.public = FULL_DECK & ~held
    state.pile[0] |= state.public & ~(state.pile[1] | state.pile[2] | state.pile[3])
    match._legal_now = None
    check_position(match)
    return match


def check_position(match):
    """Assert that a position is possible: each card once, and the given numbers of cards."""
    zones = TRIME_KICKER.zones(match.state)
    assert sorted(card for zone in zones for card in zone.cards) == list(range(52))
    assert not any(zone.hidden for zone in zones)
    for seat in range(2):
        observation = match.observation(seat)
        assert sum(len(zone.cards) + zone.hidden for zone in observation.zones) == 52
        assert not any(zone.hidden < 0 for zone in observation.zones)
    assert match.legal()
