"""Tricky Tribes: the options."""

from parlour.engine.game import NO_LIMIT, Option, Options, Value
from parlour.games.tricky_tribes import rules
from parlour.languages import gettext


def _cut_deck_refusal(players: int, value: Value) -> str | None:
    """TT-22: return why the deck cannot be cut, or ``None``."""
    return gettext("only for two or three players") if players > 3 else None


def _dummy_refusal(players: int, value: Value) -> str | None:
    """TT-24: return why this choice about the dummy is impossible, or ``None``."""
    if players == 2:
        return gettext("two players need the dummy tribe (TT-24)")
    return gettext("a dummy tribe is for two or three players (TT-24)") if players > 3 else None


def _teams_refusal(players: int, value: Value) -> str | None:
    """TT-27: return why these teams are impossible, or ``None``."""
    if players < 4:
        return gettext("teams are for four to six players (TT-27)")
    if value == "trios" and players != 6:
        return gettext("trios are for six players (TT-27)")
    letters = rules.sides_of(players, value)
    if len(letters) != players:
        return gettext("there must be a letter for each player (TT-27)")
    if any(letters[seat] == letters[seat - 1] for seat in range(players)):
        return gettext("two neighbours around the ring share a letter (TT-27)")
    # as neighbours differ, no letter stands for more than half of the players, and so none for more than three
    return gettext("no letter stands for two or three players (TT-27)") if len(set(letters)) == players else None


def default_target(players: int, before: Options) -> int:
    """TT-17: return the default target, which depends on the size of the teams."""
    letters = rules.sides_of(players, before["teams"])
    if len(set(letters)) == players:
        return 15
    return 50 if any(letters.count(letter) == 3 for letter in letters) else 30


OPTIONS = (
    Option(
        "jokers",
        (0, 1, 2),
        0,
        "TT-20",
        "the number of jokers in the deck",
        {
            0: "No jokers.",
            1: "One, at home in every colour.",
            2: "Two; with six players and usual hands, six cards are left in the deck.",
        },
        title="Jokers",
    ),
    Option(
        "cut_deck",
        (True, False),
        lambda players, before: players < 4,
        "TT-22",
        "the lowest ranks are left out, by default the 2s and 3s",
        {True: "Fewer cards stay in the deck, so more can be counted on.", False: "All cards are in use."},
        _cut_deck_refusal,
        title="Without the lowest ranks",
    ),
    Option(
        "hand_cards",
        range(1, 17),
        9,
        "TT-23",
        "the cards of a hand, and so the tricks of a round",
        {9: "As usual; with six players it is eight.", 10: "One trick more."},
        title="Cards in a hand",
        limits=lambda players: range(1, (17, 17, 14, 11, 10)[players - 2]),
        tried=(1, 4, 8, 10, 12),
    ),
    Option(
        "dummy",
        (True, False),
        lambda players, before: players == 2,
        "TT-24",
        "a dummy tribe joins, which plays the top of the deck",
        {True: "Every trick has a card that no player knows.", False: "Only players play."},
        _dummy_refusal,
        title="A dummy tribe plays along",
    ),
    Option(
        "teams",
        ("none", "pairs", "trios"),
        "none",
        "TT-27",
        "the partners",
        {
            "none": "Everyone plays alone.",
            "pairs": "Partners sit apart; with five players the fifth plays alone and by default counts double.",
            "trios": "Two teams of three, seated in turn; for six players.",
        },
        _teams_refusal,
        "[A-Z]+",
        "a capital letter for each player, clockwise, such as ABACAD",
        title="Teams",
        titles={"none": "No teams", "pairs": "Pairs", "trios": "Trios"},
    ),
    Option(
        "target",
        range(1, NO_LIMIT),
        default_target,
        "TT-17",
        "the points that end a game to the target; by default 30 with teams, 50 with a team of three, 15 otherwise",
        title="Points that end a game to the target",
    ),
    Option(
        "rounds",
        range(0, NO_LIMIT),
        0,
        "TT-18",
        "the rounds of a game; 0 for a game to the target",
        title="Rounds",
    ),
    Option(
        "difference",
        (True, False),
        False,
        "TT-19",
        "two sides keep only the lead of one over the other",
        {True: "The target is a lead: a game to it is far longer.", False: "Both sides' points are kept."},
        title="Only the lead counts",
    ),
    Option(
        "exchange",
        (True, False),
        True,
        "TT-3",
        "before the first trick everyone may exchange a card with the deck, if it has cards left",
        {True: "A bad card can be put away, unseen.", False: "The cards are played as dealt."},
        title="Exchange a card before the first trick",
    ),
    Option(
        "loot_limit",
        range(0, 6),
        1,
        "TT-14",
        "the number of red cards, the highest, that a winner with a limited card collects",
        {0: "Such a winner only starts the next trick."},
        title="Most loot of a limited card",
        advanced=True,
    ),
    Option(
        "limited_from",
        range(2, 16),
        11,
        "TT-14",
        "the lowest number whose loot is limited; 11 is the jack, 15 no card",
        {15: "No loot is limited."},
        title="Least number with limited loot",
        advanced=True,
    ),
    Option(
        "cut_ranks",
        range(1, 7),
        2,
        "TT-22",
        "the number of lowest ranks that a cut deck lacks",
        title="Lowest ranks left out of a cut deck",
        advanced=True,
    ),
    *(
        Option(name, range(0, 11), usual, "TT-17", help, title=title, advanced=True)
        for name, usual, help, title in (
            ("red_points", 1, "the points for a collected red card from two to ten", "Points of a red card"),
            (
                "red_court_points",
                2,
                "the points for a collected red jack, queen, king or ace",
                "Points of a red jack, queen, king or ace",
            ),
            ("black_points", 1, "the points lost for a collected black card from two to ten", "Cost of a black card"),
            (
                "black_court_points",
                2,
                "the points lost for a collected black jack, queen, king or ace",
                "Cost of a black jack, queen, king or ace",
            ),
        )
    ),
    Option(
        "joker_points",
        range(0, 11),
        1,
        "TT-20",
        "the points for a collected joker",
        title="Points of a joker",
        advanced=True,
    ),
    Option(
        "joker_number",
        range(2, 15),
        10,
        "TT-20",
        "the number of a joker; of two cards with the same number the one played later is higher",
        title="Number of a joker",
        advanced=True,
    ),
    Option(
        "single_weight",
        range(1, 5),
        2,
        "TT-27",
        "the factor for the points of a single player among teams, who collects fewer cards",
        {1: "A single player is at a disadvantage."},
        title="How often a single player's points count",
        advanced=True,
    ),
    Option(
        "round_limit",
        range(1, 1001),
        100,
        "TT-18",
        "the round after which the side with the most points wins a game to the target",
        title="Most rounds of a game to the target",
        advanced=True,
        tried=(1, 2, 3),
    ),
)


def _short_of_cards(players: int, options: Options) -> str | None:
    """TT-2, TT-3, TT-4, TT-23, TT-25: return why the deck is too small for these hands, or ``None``."""
    there, hand = int(rules.cards_in_use(options)).bit_count(), rules.cards_dealt(players, options)
    needed = players * hand + (hand if options["dummy"] else 0)
    if options["exchange"] and rules.cards_put_away(players, options) == 0 and (options["dummy"] or there > needed):
        needed += players
    if needed > there:
        return gettext(
            "hand_cards={hand} needs {needed} cards with these options; the deck has {there} (TT-23)",
            hand=options["hand_cards"],
            needed=needed,
            there=there,
        )
    return None


def conflict(players: int, options: Options) -> str | None:
    """TT-19, TT-23: return why these options exclude each other, or ``None``."""
    sides = len(set(rules.sides_of(players, options["teams"])))
    if options["difference"] and sides != 2:
        return gettext("difference=true needs exactly two sides, not {number} (TT-19)", number=sides)
    return _short_of_cards(players, options)
