"""Oh Hell: bid a number of tricks, and take exactly that number. The same game as OpenSpiel's ``oh_hell``.

Clauses OH-1 to OH-9 of ``rules.md``. OpenSpiel's takes up to seven players and shorter decks as well.
"""

from oh_hell import fast, heuristic, knowledge, rules, words
from parlour.engine.game import Game, Option


def _too_few_cards(players: int, tricks: object) -> str | None:
    """OH-2: return why too few cards are left: one must be turned up for trumps."""
    most = rules.MOST_TRICKS // players
    return f"there are cards for {most} tricks" if isinstance(tricks, int) and tricks > most else None


GAME = Game.made_of(
    heuristic,
    knowledge,
    rules,
    words,
    fast=fast,
    id="oh-hell",
    title="Oh Hell",
    prefix="OH",
    summary="Say how many tricks you will take, and take exactly so many.",
    credit="A traditional game; these rules are those of OpenSpiel's oh_hell.",
    players=range(3, 7),
    options=(
        Option(
            "tricks",
            range(0, rules.MOST_TRICKS // 3 + 1),
            0,
            "OH-2",
            "how many tricks are played, and cards dealt to each; 0 to draw the number by chance",
            {0: "Every number for which there are cards is equally likely."},
            _too_few_cards,
            title="Tricks",
        ),
        Option(
            "off_bid_penalty",
            (True, False),
            False,
            "OH-9",
            "a missed bid costs points, and brings none",
            {True: "Each trick too many or too few is taken off your score.", False: "Every trick counts."},
            title="Penalty for a missed bid",
        ),
        Option("points_per_trick", range(1, 101), 1, "OH-8", "the points for a trick", title="Points for a trick"),
    ),
)
