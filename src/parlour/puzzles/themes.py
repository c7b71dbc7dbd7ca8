"""Themes of puzzles: the kind of the best action, and the kind of difficulty.

The first word of the action's English phrase is a theme ("lead", "block", "swap"); games declare no themes. A game's
layout may have titles for words that mean something else in other games.
"""

from collections.abc import Collection
from itertools import islice

from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.moves import Move
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import at_random, drive
from parlour.insight.position import Position, position_of
from parlour.languages import SOURCE_LANGUAGE, gettext, in_language, pgettext
from parlour.puzzles.puzzle import PuzzleError
from parlour.render.bot_names import seat_names
from parlour.render.layouts import find_layout

TRAP, ENDGAME = "trap", "endgame"
"""Themes: a decision in which the heuristic does not choose the best action, and a decision in a solved endgame."""
SOLVABLE_PLAYERS = 2
"""Number of players of the games whose endgames are solved."""
_GAMES, _EVENTS = 8, 200
"""Number of random games that show the words of a game's actions, and the maximum number of events in each."""


def themes_of(position: Position, best: Move, by_heuristic: Move, exact: bool) -> tuple[str, ...]:
    """Return the themes of a decision: the word of its best action first."""
    trap = [TRAP] if best != by_heuristic else []
    return tuple(dict.fromkeys([_word(position, best), *trap, *([ENDGAME] if exact else [])]))


def _word(position: Position, move: Move) -> str:
    """Return the first word of an action's English phrase."""
    with in_language(SOURCE_LANGUAGE):
        return position.phrase(move).split()[0].strip(",.:").lower()


def possible_themes(setup: Setup) -> set[str]:
    """Return the themes that puzzles of a setup may have; the words are those of legal actions in random games."""
    found = {TRAP, *([ENDGAME] if setup.players == SOLVABLE_PLAYERS else [])}
    randomness = StreamRandomness(new_stream(0))
    choose_at_random = at_random(randomness)

    def choose(match: Match) -> str | Move:
        position = position_of(match, match.actor, seat_names(match.players, match.actor))
        found.update(_word(position, move) for move in position.moves)
        return choose_at_random(match)

    for _ in range(_GAMES):
        for _ in islice(drive(Match(setup), choose, randomness), _EVENTS):
            pass
    return found


def check_theme(theme: str, themes: Collection[str]) -> None:
    """Raise :class:`PuzzleError` if a theme, in small letters, is none of these; an empty one stands for all."""
    if theme and theme not in themes:
        listed = ", ".join(sorted(themes))
        raise PuzzleError(gettext("there is no theme {theme}; there are {themes}", theme=repr(theme), themes=listed))


def theme_title(theme: str, game_id: str) -> str:
    """Return the title of a theme, as in a list; a theme without a translation is its own title.

    A word that alone says little has the object that it has in the games with puzzles.
    """
    own = find_layout(game_id).themes
    if theme in own:
        return gettext(own[theme])
    return {
        TRAP: pgettext("theme", "not the obvious"),
        ENDGAME: pgettext("theme", "endgame"),
        "announce": pgettext("theme", "announce a straight"),
        "attack": pgettext("theme", "attack"),
        "decline": pgettext("theme", "decline"),
        "destroy": pgettext("theme", "destroy"),
        "discard": pgettext("theme", "discard"),
        "draw": pgettext("theme", "draw"),
        "end": pgettext("theme", "end the turn"),
        "keep": pgettext("theme", "keep"),
        "lead": pgettext("theme", "lead"),
        "offer": pgettext("theme", "offer"),
        "pass": pgettext("theme", "pass"),
        "play": pgettext("theme", "play"),
        "swap": pgettext("theme", "swap"),
        "turn": pgettext("theme", "turn a card up"),
        "use": pgettext("theme", "use the joker"),
    }.get(theme, theme)
