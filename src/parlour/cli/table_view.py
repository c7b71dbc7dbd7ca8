"""View of a game's table in the terminal: its text, and the answers to questions that every such table takes."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from parlour.cli.action_list import allowed_text, in_hand_order
from parlour.cli.console import is_plain, print_hanging
from parlour.languages import gettext
from parlour.languages.markdown import translate_markdown
from parlour.render.layouts import rules_text
from parlour.render.scene import Scene
from parlour.render.text import WIDTH, scene_text, score_text
from parlour.render.words import in_notation

Answer = str | Text | Markdown


def view_keys() -> dict[str, str]:
    """Return the keys of the questions that :class:`TableView` answers, with their meanings."""
    return {
        "m": gettext("what may I play?"),
        "t": gettext("the table again"),
        "s": gettext("the score, in lines"),
        "r": gettext("the rules"),
    }


class TableView:
    """The table of a game on a console.

    Attributes:
        plain: whether the text is words and notation only.
        console: the console, without colours if the text is plain.
    """

    def __init__(self, game_id: str, plain: bool) -> None:
        self._game_id, self.plain = game_id, is_plain(plain)
        self.console = Console(highlight=False, color_system=None if self.plain else "auto")

    def table(self, scene: Scene) -> Text:
        """Return the table as text of the console's width."""
        return scene_text(scene, self.plain, min(WIDTH, self.console.width))

    def answers(self, scene: Scene) -> dict[str, Callable[[], Answer]]:
        """Return the functions that answer the questions of :func:`view_keys`, by key."""
        return {
            "m": lambda: allowed_text(in_hand_order(scene.legal, scene)),
            "t": lambda: self.table(scene),
            "s": lambda: score_text(scene),
            "r": lambda: Markdown(translate_markdown(rules_text(self._game_id))),
        }

    def waiting(self, text: str) -> AbstractContextManager[object]:
        """Return a sign that something takes a while: the text, which moves unless the view is plain."""
        if self.plain:
            self.console.print(text)
            return nullcontext()
        return self.console.status(text)

    def show(self, answer: Answer) -> None:
        """Print an answer, or sentences of the log; a plain view names cards in notation alone."""
        if isinstance(answer, Markdown):
            self.console.print(answer)
        else:
            print_hanging(self.console, in_notation(str(answer)) if self.plain else answer)
