"""Tables with a quick game of each kind, and how a test plays them."""

from parlour.games import all_games
from tests.page.play import choose_on

QUICK = {"rounds": 1, "turn_limit": 8, "stall_turns": 4}
"""Options that shorten a game; of other games the last part is played."""

GAMES = {game.id: game for game in all_games()}

MOST = 400
"""Number of choices after which a game must be over."""


def quick_table(room, name):
    game = GAMES[name]
    options = {option.name: QUICK[option.name] for option in game.options if option.name in QUICK}
    players = 4 if 4 in game.players else game.players[0]
    return room.table(players, options, game=name)


def play_on(page, choose, random, most):
    """Choose until the game is over, or ``most`` times."""
    for _ in range(most):
        panel = choose_on(page, random, choose)
        if panel == "end":
            return True
        if panel != "turn":
            page.keyboard.press("Escape")
    return False
