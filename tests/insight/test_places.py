"""Words for the place of a hidden card: as the table shows it, or else by the zone of the rules."""

from types import SimpleNamespace
from typing import Any

import pytest

from parlour.cards import card_name
from parlour.engine.match import Match
from parlour.engine.rules import NOBODY
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.games.trick_walls import rules
from parlour.insight import position as positions
from parlour.insight.position import place_words, position_of
from tests.helpers import play_at_random

CARD = 17
NAMES = ["Ann", "Bo"]


def words(monkeypatch: pytest.MonkeyPatch, zone: str, at: int, *rows: tuple[str, str, int | str | None, int]) -> str:
    """Return the place of :data:`CARD` for Ann on a table with rows: label, style, owner, and a card.

    The owner is a seat, the title of a place without a seat, or ``None`` for the middle.
    """
    areas = [
        SimpleNamespace(
            seat=owner if isinstance(owner, int) else None,
            at=None if owner is None else 1,
            title=owner,
            rows=[SimpleNamespace(label=label, style=style, cards=[SimpleNamespace(card=card_name(card))])],
        )
        for label, style, owner, card in rows
    ]
    layout = SimpleNamespace(lay_out=lambda *_: SimpleNamespace(areas=areas))
    monkeypatch.setattr(positions, "find_layout", lambda _: layout)
    monkeypatch.setattr(positions, "observe", lambda *_, **__: None)
    ann: Any = SimpleNamespace(game=SimpleNamespace(id="a game"), setup=None, names=NAMES, seat=0)
    state: Any = None
    return place_words(ann, state, zone, at, CARD)


class TestACardThatTheTableShows:
    @pytest.mark.parametrize(
        ("label", "style", "owner", "place"),
        [
            ("Hand", "hand", 0, "in your hand"),
            ("Hand", "hand", 1, "in Bo's hand"),
            ("Slot 2", "row", 0, "in your slot 2"),
            ("Slot 2", "row", 1, "in Bo's slot 2"),
            ("Killed, face down", "buried", 0, "among your killed, face down cards"),
            ("Killed, face down", "buried", 1, "among Bo's killed, face down cards"),
            ("Deck", "pile", None, "in the deck"),
            ("Pile", "pile", "Dummy 2", "in Dummy 2's pile"),
            ("Hand", "hand", "Dummy", "in Dummy's hand"),
        ],
    )
    def test_lies_in_its_row(
        self, monkeypatch: pytest.MonkeyPatch, label: str, style: str, owner: int | str | None, place: str
    ) -> None:
        assert words(monkeypatch, "zone", 0, ("Backup", "row", 1, CARD + 1), (label, style, owner, CARD)) == place

    def test_lies_in_the_pile_of_a_dummy(self) -> None:
        random_match = play_at_random(Match(Setup(find_game("trick-walls"), 2)), 1)
        match = next(match for match in random_match if match.state["stage"] == rules.TRICKS)
        position = position_of(match, match.actor, NAMES)
        piles = [zone for zone in position.game.zones(match.state) if zone.name == "pile"]
        assert [place_words(position, match.state, zone.name, zone.at, zone.known[0]) for zone in piles] == [
            "in Dummy 1's pile",
            "in Dummy 2's pile",
        ]

    def test_does_not_lie_in_the_last_trick(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert (
            words(monkeypatch, "zone", 0, ("Last trick", "last", None, CARD), ("Hand", "hand", 1, CARD))
            == "in Bo's hand"
        )


class TestACardThatTheTableDoesNotShow:
    @pytest.mark.parametrize(("at", "place"), [(0, "in your life pile"), (1, "in Bo's life pile")])
    def test_lies_in_the_row_of_its_zone_and_seat(self, monkeypatch: pytest.MonkeyPatch, at: int, place: str) -> None:
        rows = [("Life pile", "life", owner, CARD + 1) for owner in (1, 0)]
        assert words(monkeypatch, "life", at, *rows) == place

    def test_lies_in_the_only_row_of_its_zone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert words(monkeypatch, "pile", 3, ("Pile", "pile", None, CARD + 1)) == "in the pile"
        assert words(monkeypatch, "pile", 3, *[("Pile", "pile", None, CARD + 1)] * 2) == "in pile 4"

    def test_lies_in_a_zone_counted_from_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert words(monkeypatch, "life", 0) == "in life 1"
        assert words(monkeypatch, "life", 1, ("Hand", "hand", 1, CARD + 1)) == "in life 2"

    def test_lies_in_a_zone_of_all_seats_without_a_number(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert words(monkeypatch, "stock", NOBODY) == "in the stock"
        assert words(monkeypatch, "out of play", NOBODY) == "out of play"
