"""Words for the place of a hidden card: as the table shows it, or else by the zone of the rules."""

from collections.abc import Iterator
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from parlour.cards import card_name
from parlour.engine.match import Match
from parlour.engine.rules import CHANCE, NOBODY
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.games.trick_walls import rules
from parlour.insight import position as positions
from parlour.insight.position import place_words, position_of
from parlour.languages import LANGUAGES, gettext, in_language
from tests.helpers import play_at_random
from tests.pseudo_language import pseudo_language

CARD = 17
NAMES = ["Ann", "Bo"]


def words(monkeypatch: pytest.MonkeyPatch, zone: str, at: int, *rows: tuple[str, str, int | str | None, int]) -> str:
    """Return the place of :data:`CARD` for Ann on a table with rows: label, style, owner, and a card; each row has one
    more card, face down, unless its label begins with "Put".

    The owner is a seat, the title of a place without a seat, or ``None`` for the middle.
    """
    areas = [
        SimpleNamespace(
            seat=owner if isinstance(owner, int) else None,
            at=None if owner is None else 1,
            title=owner,
            rows=[
                SimpleNamespace(
                    label=label, style=style, cards=[SimpleNamespace(card=card_name(card))], hidden=label[:3] != "Put"
                )
            ],
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
            ("Put away", "buried", 0, "as your only put away card"),
            ("Put away", "buried", 1, "as Bo's only put away card"),
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


@pytest.fixture(scope="module")
def pseudo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The code of a language in which every text differs from English."""
    with pseudo_language(tmp_path_factory.mktemp("catalogue")) as code:
        yield code


def zone_places(game_id: str, code: str) -> list[str]:
    """Return the places of the first card of each zone at every fifth decision of a random game, in a language."""
    match, found = Match(Setup(find_game(game_id), 2)), []
    with in_language(code):
        decisions = (each for each in play_at_random(match, 1) if not each.over and each.actor != CHANCE)
        for each in islice(decisions, 0, None, 5):
            position = position_of(each, each.actor, NAMES)
            for zone in position.game.zones(each.state):
                if zone.known:
                    found.append(place_words(position, each.state, zone.name, zone.at, zone.known[0]))
    return found


class TestLanguages:
    @pytest.mark.parametrize("code", LANGUAGES)
    def test_have_a_sentence_of_their_own_for_cards_in_a_hand(self, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
        with in_language(code):
            hand = gettext("Hand")
            assert words(monkeypatch, "zone", 0, (hand, "hand", 0, CARD)) == gettext("in your hand")
            assert words(monkeypatch, "zone", 1, (hand, "hand", 1, CARD)) == gettext("in {name}'s hand", name="Bo")

    @pytest.mark.parametrize("game_id", [game.id for game in all_games()])
    def test_have_the_places_of_english_for_all_zones_of_a_game(self, game_id: str, pseudo: str) -> None:
        translated = zone_places(game_id, pseudo)
        plain = [text.replace("‹", "").replace("›", "").casefold() for text in translated]
        assert plain == [text.casefold() for text in zone_places(game_id, "en")]
        assert {"‹in your hand›", "‹in Bo's hand›"} <= set(translated)
        assert not any("‹Hand›" in text for text in translated)
