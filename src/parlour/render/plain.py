"""The layout of a game that has none of its own: every zone a row, every action a button or a card, in plain words."""

from collections.abc import Sequence

from parlour.cards import CARD_NUMBERS
from parlour.engine.game import Game, Zone
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE
from parlour.render.scene import Area, CardSeen, Choice, Layout, Row, Scene, last_event, scene_of, standings_of
from parlour.render.words import all_said, counted, in_signs, name_of, names_of, says


def plain_layout(game: Game) -> Layout:
    """A layout that knows nothing of the game but its title."""

    def lay_out(view: Observation, names: Sequence[str], before: Observation | None) -> Scene:
        own = max(view.seat, 0)
        seats = [(own + step) % view.players for step in range(view.players)]
        return scene_of(
            view,
            game.title,
            heading=counted(view.seen, "event"),
            prompt=_prompt(view, names),
            areas=[_middle(view), *(_seat(view, names, seat, at) for at, seat in enumerate(seats))],
            score=[],
            standings=standings_of(view, names, view.standing.scores),
            told=_told(view, names, before),
            choices=[_choice(view, action) for action in view.legal],
            outcome=_outcome(view, names) if view.over else "",
        )

    return Layout(lay_out)


def _outcome(view: Observation, names: Sequence[str]) -> str:
    won = all_said(names_of(view, names, view.standing.winners), "win")
    lost = view.seat >= 0 and view.seat not in view.standing.winners
    return f"{won}; you do not." if lost else f"{won}."


def _prompt(view: Observation, names: Sequence[str]) -> str:
    if view.over:
        return "The game is over."
    if view.actor == view.seat:
        return "Your turn."
    return "" if view.actor == CHANCE else f"{names[view.actor]} is to play."


def _middle(view: Observation) -> Area:
    """What is no seat's; without zones the facts, which are all there is to see."""
    rows = [_row(view, zone) for zone in view.zones if zone.at not in range(view.players)]
    notes = [] if view.zones else [f"{name.replace('_', ' ')}: {value}" for name, value in view.facts.items()]
    return Area("middle", "Table", None, rows, notes=notes)


def _seat(view: Observation, names: Sequence[str], seat: int, at: int) -> Area:
    rows = [_row(view, zone) for zone in view.zones if zone.at == seat]
    return Area(f"seat-{seat}", name_of(view, names, seat), at, rows, seat=seat, active=view.actor == seat)


def _row(view: Observation, zone: Zone) -> Row:
    own = zone.at == view.seat
    unknown = [CardSeen(None, False)] * list(zone.cards).count(None)
    seen = [CardSeen(text, zone.face_up or own, token=text if own else None) for text in zone.texts]
    name = f"{zone.name}-{zone.at}".replace(" ", "-").replace("--1", "")
    return Row(name, zone.name.capitalize(), "hand" if own else "meld", [*seen, *unknown], zone.hidden)


def _choice(view: Observation, action: str) -> Choice:
    """The action's cards, if all of them lie before the viewer to be tapped; a button otherwise."""
    cards, own = _cards_in(action), {text for zone in view.zones if zone.at == view.seat for text in zone.texts}
    return Choice(action, "Play" if action in own else in_signs(action), cards if own.issuperset(cards) else [])


def _cards_in(action: str) -> list[str]:
    return [word for word in action.split() if word in CARD_NUMBERS]


def _told(view: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    event = last_event(view, before)
    if event is None:
        return []
    if event.by == CHANCE:
        return [f"By chance: {in_signs(event.do.split()[0] if _cards_in(event.do) else event.do)}."]
    return [f"{says(view, names, event.by, 'choose')} {in_signs(event.do)}."]
