"""The default layout, for games without one: a row for each zone, cards or a button for each action, plain words."""

from collections.abc import Sequence

from parlour.cards import CARD_NUMBERS
from parlour.engine.game import Game, Zone
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE
from parlour.languages import gettext, ngettext, pgettext
from parlour.render.scene import Area, CardSeen, Choice, Layout, Row, Scene, last_event, scene_of, standings_of
from parlour.render.words import (
    in_signs,
    name_of,
    sentence_about,
    sentence_about_all,
    subjects,
    to_play,
    winners_sentence,
)


def plain_layout(game: Game) -> Layout:
    """Return the default layout of a game."""

    def lay_out(observation: Observation, names: Sequence[str], before: Observation | None) -> Scene:
        own = max(observation.seat, 0)
        seats = [(own + step) % observation.players for step in range(observation.players)]
        return scene_of(
            observation,
            game.title,
            heading=ngettext("{number} event", "{number} events", observation.seen),
            prompt=_prompt(observation, names),
            areas=[_middle(observation), *(_seat(observation, names, seat, at) for at, seat in enumerate(seats))],
            score=[],
            standings=standings_of(observation, names, observation.standing.scores),
            log=_log(observation, names, before),
            choices=[_choice(observation, action) for action in observation.legal],
            outcome=_outcome(observation, names) if observation.over else "",
        )

    return Layout(lay_out)


def _outcome(observation: Observation, names: Sequence[str]) -> str:
    winners = observation.standing.winners
    lost = observation.seat >= 0 and observation.seat not in observation.standing.winners
    if not lost:
        return winners_sentence(observation, names, winners)
    sentences = ["", gettext("{name} wins; you do not."), "", gettext("{names} win; you do not.")]
    return sentence_about_all(observation, winners, subjects(observation, names, winners), sentences)


def _prompt(observation: Observation, names: Sequence[str]) -> str:
    if observation.over:
        return gettext("The game is over.")
    if observation.actor == observation.seat:
        return gettext("Your turn.")
    return "" if observation.actor == CHANCE else gettext("{name} is to play.", name=names[observation.actor])


def _middle(observation: Observation) -> Area:
    """Return the middle area: the zones that belong to no seat, or the facts of a game without zones."""
    rows = [_row(observation, zone) for zone in observation.zones if zone.at not in range(observation.players)]
    notes = (
        [] if observation.zones else [f"{name.replace('_', ' ')}: {value}" for name, value in observation.facts.items()]
    )
    return Area("middle", gettext("Table"), None, rows, notes=notes)


def _seat(observation: Observation, names: Sequence[str], seat: int, at: int) -> Area:
    rows = [_row(observation, zone) for zone in observation.zones if zone.at == seat]
    return Area(
        f"seat-{seat}",
        name_of(observation, names, seat),
        at,
        rows,
        seat=seat,
        active=observation.actor == seat,
        turn=to_play(seat == observation.seat),
    )


def _row(observation: Observation, zone: Zone) -> Row:
    own = zone.at == observation.seat >= 0  # zones of no seat have the number of a spectator
    unknown = [CardSeen(None, False)] * list(zone.cards).count(None)
    seen = [CardSeen(text, zone.face_up or own, token=text if own else None) for text in zone.texts]
    name = f"{zone.name}-{zone.at}".replace(" ", "-").replace("--1", "")
    return Row(name, zone.name.capitalize(), "hand" if own else "meld", [*seen, *unknown], zone.hidden)


def _choice(observation: Observation, action: str) -> Choice:
    """Return the action as a choice of its cards if the viewer holds all of them, otherwise as a button."""
    cards = _cards_in(action)
    own = {text for zone in observation.zones if zone.at == observation.seat for text in zone.texts}
    return Choice(
        action,
        pgettext("button", "Play") if action in own else in_signs(action),
        cards if own.issuperset(cards) else [],
    )


def _cards_in(action: str) -> list[str]:
    return [word for word in action.split() if word in CARD_NUMBERS]


def _log(observation: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    event = last_event(observation, before)
    if event is None:
        return []
    if event.by == CHANCE:
        outcome = event.do.split()[0] if _cards_in(event.do) else event.do
        return [gettext("By chance: {outcome}.", outcome=in_signs(outcome))]
    you, other = gettext("You choose {action}."), gettext("{name} chooses {action}.")
    return [sentence_about(observation, names, event.by, you, other, action=in_signs(event.do))]
