"""The view of a table in the terminal, which the table and the trainer of puzzles share."""

import io
from collections.abc import Callable

import pytest
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from parlour.cli import table_view
from parlour.cli.table_view import TableView, view_keys
from parlour.engine.observation import EVERYTHING
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.render.layouts import find_layout
from parlour.render.scene import Scene
from tests.helpers import random_game

GAME = "trime-kicker"


@pytest.fixture
def scene() -> Scene:
    match = random_game(Setup(find_game(GAME), 2), 1)
    return find_layout(GAME).lay_out(match.observation(EVERYTHING), ["Ann", "Bo"], None)


class TestAnswers:
    def test_exist_for_each_key_of_the_help(self, scene: Scene) -> None:
        assert TableView(GAME, plain=True).answers(scene).keys() == view_keys().keys()

    def test_are_printed_whatever_their_form(self, capsys: pytest.CaptureFixture[str], scene: Scene) -> None:
        view = TableView(GAME, plain=True)
        for answer, text in (("two words", "two words"), (Text("a table"), "a table"), (Markdown("# Rules"), "Rules")):
            view.show(answer)
            assert text in capsys.readouterr().out


class TestCards:
    SENTENCE = "The cards are turned up: Ada A♥, Bruno 10♣."

    @pytest.mark.parametrize(
        ("plain", "shown"), [(True, "The cards are turned up: Ada AH, Bruno TC."), (False, SENTENCE)]
    )
    @pytest.mark.parametrize("kind", [str, Text])
    def test_are_shown_in_notation_in_a_plain_view(
        self, monkeypatch: pytest.MonkeyPatch, plain: bool, shown: str, kind: Callable[[str], str | Text]
    ) -> None:
        monkeypatch.setattr(table_view, "is_plain", lambda requested: requested)
        view = TableView(GAME, plain)
        with view.console.capture() as found:
            view.show(kind(self.SENTENCE))
        assert found.get() == f"{shown}\n"


class TestWaiting:
    @pytest.mark.parametrize(("plain", "moving"), [(True, False), (False, True)])
    def test_moves_nothing_in_a_plain_view(self, monkeypatch: pytest.MonkeyPatch, plain: bool, moving: bool) -> None:
        monkeypatch.setattr(table_view, "is_plain", lambda requested: requested)
        view = TableView(GAME, plain)
        view.console = Console(file=io.StringIO(), force_terminal=True, width=40)
        with view.waiting("Thinking …"):
            pass
        shown = view.console.file.getvalue()  # type: ignore[attr-defined]
        assert ("\x1b" in shown, shown == "Thinking …\n") == (moving, not moving)
