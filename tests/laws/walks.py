"""Random games for laws that hold for every game, every option, every moment."""

from hypothesis import strategies as st

from parlour.authors.laws import choose_moments, choose_setup, walk
from parlour.engine.rules import known_to, whole_deck
from parlour.games import all_games, module_of

GAMES = {game.id: game for game in all_games()}


@st.composite
def setups(draw, game):
    """Return a hypothesis strategy for setups of a game."""
    return choose_setup(game, lambda values: draw(st.sampled_from(values)))


SEEDS = st.integers(0, 2**32)


def some_moments(setup, seed, number):
    """Return some moments of a random game, two near its beginning and the last one among them."""
    chosen = choose_moments(sum(1 for _ in walk(setup, seed)), seed, number)
    for index, match in enumerate(walk(setup, seed)):
        if index in chosen:
            yield match


def seats(match):
    """Return the seats for which determinizations are made."""
    return range(match.players)


def unknown_to(state, viewer):
    """Return the cards whose place the viewer does not know."""
    return int(whole_deck(state)) & ~int(known_to(state, viewer))


def layout_of(game, state, viewer):
    """Return the places of the unknown cards, zone by zone, in order where the zone has one."""
    unknown = unknown_to(state, viewer)
    layout = {}
    for zone in game.zones(state):
        cards = [card for card in zone.cards if card is not None and unknown >> card & 1]
        if cards:
            layout[zone.name, zone.at] = tuple(cards) if zone.ordered else tuple(sorted(cards))
    layout.update(origins(game, state, viewer))
    return tuple(sorted(layout.items()))


def origins(game, state, viewer):
    """Return the origins of cards in a game where they are part of a layout; its ``rebuild.py`` says so."""
    return getattr(module_of(game.id, "rebuild"), "origins", lambda state, viewer: {})(state, viewer)
