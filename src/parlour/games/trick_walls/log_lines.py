"""Trick Walls: the log lines of the layout, the headline of a finished round, and the outcome of a game."""

from collections.abc import Mapping, Sequence

from parlour.cards import card_name
from parlour.engine.events import HIDDEN_CARD
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE, NOBODY
from parlour.languages import fill, gettext, ngettext, pgettext
from parlour.languages.declension import some_card
from parlour.render.scene import SideColour, cards_gained, last_event
from parlour.render.words import (
    name_of,
    names_of,
    own_first,
    points_text,
    round_over,
    sentence_about,
    sentence_about_all,
    subjects,
    the_card,
    with_semicolons,
    with_sign,
)

COLOURS: Mapping[int, SideColour] = {1: "red", -1: "black", 0: ""}


def side_of(observation: Observation, seat: int) -> SideColour:
    """Return the colour of a seat's side, empty before the sides are known."""
    return COLOURS[observation.facts["sides"][seat]] if observation.facts["sides"] else ""


def is_dummy(observation: Observation, city: int) -> bool:
    """Return whether a city has no player."""
    return bool(observation.facts["cities"][city]["holder"] == NOBODY)


def city_name(observation: Observation, names: Sequence[str], city: int) -> str:
    """Return the name of a city: its player's, or ``"Dummy"`` with a number if there are several."""
    if not is_dummy(observation, city):
        return name_of(observation, names, observation.facts["cities"][city]["holder"])
    dummies = [number for number in range(len(observation.facts["cities"])) if is_dummy(observation, number)]
    if len(dummies) == 1:
        return gettext("Dummy")
    return gettext("Dummy {number}", number=1 + dummies.index(city))


def log_lines(observation: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    """Return the log lines of the last event."""
    event = last_event(observation, before)
    if event is None or before is None:
        return []
    if event.by == CHANCE:
        return _chance(observation, names, event.do)
    verb, _, card = event.do.rpartition(" ")
    if verb == "give":
        return _gift(observation, names, before, event.by, card)
    return _card(observation, names, event.do)


def _team(observation: Observation, team: int) -> list[int]:
    """Return the seats of a team."""
    return [city["holder"] for city in observation.facts["cities"] if city["team"] == team and city["holder"] != NOBODY]


def _about_seats(
    observation: Observation, names: Sequence[str], seats: Sequence[int], sentences: Sequence[str], **values: object
) -> str:
    """Return one of four translated sentences about seats, the viewer's first."""
    ordered = own_first(observation, seats)
    return sentence_about_all(observation, ordered, subjects(observation, names, ordered), sentences, **values)


def _about_city(
    observation: Observation, names: Sequence[str], city: int, you: str, other: str, **values: object
) -> str:
    """Return one of two translated sentences about a city: ``you`` if it is the viewer's own."""
    own = not is_dummy(observation, city) and observation.facts["cities"][city]["holder"] == observation.seat
    return fill(you if own else other, name=city_name(observation, names, city), **values)


def _chance(observation: Observation, names: Sequence[str], do: str) -> list[str]:
    word, _, what = do.partition(" ")
    if word == "dealer":
        sentences = [
            gettext("You deal first."),
            gettext("{name} deals first."),
            pgettext("with you", "{names} deal first."),
            pgettext("without you", "{names} deal first."),
        ]
        return [_about_seats(observation, names, _team(observation, "AB".index(what)), sentences)]
    if word == "colour":
        first = int(observation.seat in _team(observation, 1))
        return [_colour(observation, names, _team(observation, team)) for team in (first, 1 - first)]
    you, other = gettext("You start the round."), gettext("{name} starts the round.")
    return [
        gettext("Round {number}: the cards are dealt.", number=observation.facts["round"]),
        _about_city(observation, names, observation.facts["starter"], you, other),
    ]


def _colour(observation: Observation, names: Sequence[str], seats: Sequence[int]) -> str:
    """Return the sentence on the colour of a team."""
    red = [
        gettext("You play red."),
        gettext("{name} plays red."),
        pgettext("with you", "{names} play red."),
        pgettext("without you", "{names} play red."),
    ]
    black = [
        gettext("You play black."),
        gettext("{name} plays black."),
        pgettext("with you", "{names} play black."),
        pgettext("without you", "{names} play black."),
    ]
    return _about_seats(observation, names, seats, red if side_of(observation, seats[0]) == "red" else black)


def _gift(observation: Observation, names: Sequence[str], before: Observation, by: int, card: str) -> list[str]:
    you = gettext("You give {card} to the player opposite.")
    other = gettext("{name} gives {card} to the player opposite.")
    what = some_card() if card == HIDDEN_CARD else the_card(card)
    log = [sentence_about(observation, names, by, you, other, card=what)]
    if observation.facts["stage"] == "tricks":
        log.append(gettext("The exchanged cards change hands."))
        own = [city for city, of in enumerate(observation.facts["cities"]) if of["holder"] == observation.seat >= 0]
        received = [card_name(card) for city in own for card in cards_gained(observation, before, "hand", city)]
        log += [gettext("You receive {card}.", card=the_card(each)) for each in received]
    return log


def _card(observation: Observation, names: Sequence[str], do: str) -> list[str]:
    trick = observation.facts["trick"] or observation.facts["last_trick"]
    you, other = _lead_sentences(do) if len(trick) == 1 else _card_sentences(do, trick[-1]["killed"])
    log = [_about_city(observation, names, trick[-1]["city"], you, other, card=the_card(trick[-1]["card"]))]
    if observation.facts["trick"]:
        return log
    if all(played["killed"] for played in trick):
        first = the_card(trick[0]["card"])
        log.append(gettext("Nothing stands but {card}: an empty trick, and it is turned face down.", card=first))
    pause = pause_of(observation, names)
    return [*log, pause] if pause else log


def _lead_sentences(do: str) -> tuple[str, str]:
    """Return the sentences about a card that starts a trick; only a dummy plays the top of a pile."""
    if do == "top":
        return "", gettext("{name} leads, from its pile, {card}.")
    return gettext("You lead {card}."), gettext("{name} leads {card}.")


def _card_sentences(do: str, killed: bool) -> tuple[str, str]:
    """Return the sentences about a later card of a trick."""
    if killed:
        if do == "top":
            return "", gettext("{name} turns up {card}: it is killed.")
        return gettext("You play {card}: it is killed."), gettext("{name} plays {card}: it is killed.")
    if do == "top":
        return "", gettext("{name} turns up {card}: it stands.")
    return gettext("You play {card}: it stands."), gettext("{name} plays {card}: it stands.")


def pause_of(observation: Observation, names: Sequence[str]) -> str:
    """Return the headline of a finished round, with the gains; otherwise an empty string."""
    facts = observation.facts
    if facts["round"] == 0 or facts["stage"] not in ("deal", "end"):
        return ""
    over = round_over(facts["round"], facts["rounds"])
    gains = [sum(line.points[seat] for line in observation.lines) for seat in range(observation.players)]
    if observation.options["city_keepers"]:
        seats = range(observation.players)
        parts = [f"{names_of(observation, names, [seat])[0]} {with_sign(gains[seat])}" for seat in seats]
        # Translators: the end of a round and the points that each side gained: "Round 2 is over: you +3; Bo −1."
        return gettext("{over}: {gains}.", over=over, gains=with_semicolons(parts))
    return _side_gains(observation, over, gains[facts["sides"].index(1)])


def _side_gains(observation: Observation, over: str, lead: int) -> str:
    """Return the headline of a round between two sides; ``lead`` is red's gain in points, below 0 if black gained."""
    if lead == 0:
        # Translators: {over} is "The round is over" or "Round 2 of 4 is over"
        return gettext("{over}: neither side gains anything.", over=over)
    colour = "red" if lead > 0 else "black"
    own = observation.seat >= 0 and side_of(observation, observation.seat) == colour
    if colour == "red" and own:
        return ngettext(
            "{over}: red, your side, gains {number} point.",
            "{over}: red, your side, gains {number} points.",
            lead,
            over=over,
        )
    if colour == "red":
        return ngettext("{over}: red gains {number} point.", "{over}: red gains {number} points.", lead, over=over)
    if own:
        return ngettext(
            "{over}: black, your side, gains {number} point.",
            "{over}: black, your side, gains {number} points.",
            -lead,
            over=over,
        )
    return ngettext("{over}: black gains {number} point.", "{over}: black gains {number} points.", -lead, over=over)


def outcome_of(observation: Observation, names: Sequence[str]) -> str:
    """Return the sentence on the result: it is about the winners, for a loser about the losing side.

    With city keepers it is about the winners in any case, and adds a loser's own points.
    """
    if not observation.over:
        return ""
    scores, winners = observation.standing.scores, observation.standing.winners
    if len(winners) == observation.players:
        return gettext("A draw.")
    lost = observation.seat >= 0 and observation.seat not in winners
    points = scores[winners[0]]
    if observation.options["city_keepers"]:
        # Translators: part of a sentence on the end of a game, as in "Bo wins with 15 points"
        with_points = ngettext("with {number} point", "with {number} points", abs(points), number=points_text(points))
        won = _about_seats(observation, names, winners, _wins(), with_points=with_points)
        if not lost:
            return f"{won}."
        # Translators: the winners, and your own points: "Bo wins with 15 points; you have 3."
        return gettext("{won}; you have {points}.", won=won, points=points_text(scores[observation.seat]))
    # Translators: part of a sentence on the end of a game, as in "You and Bo win by 15 points", "You lose by 1 point"
    by_points = ngettext("by {number} point", "by {number} points", points)
    if lost:
        losers = [seat for seat in range(observation.players) if seat not in winners]
        return _about_seats(observation, names, losers, _losing_side(), by_points=by_points)
    return _about_seats(observation, names, winners, _winning_side(), by_points=by_points)


def _wins() -> list[str]:
    return [
        gettext("You win {with_points}"),
        gettext("{name} wins {with_points}"),
        pgettext("with you", "{names} win {with_points}"),
        pgettext("without you", "{names} win {with_points}"),
    ]


def _winning_side() -> list[str]:
    return [
        gettext("You win {by_points}."),
        gettext("{name} wins {by_points}."),
        pgettext("with you", "{names} win {by_points}."),
        pgettext("without you", "{names} win {by_points}."),
    ]


def _losing_side() -> list[str]:
    """Return the sentences about the losing side, which only its players read."""
    return [gettext("You lose {by_points}."), "", pgettext("with you", "{names} lose {by_points}."), ""]
