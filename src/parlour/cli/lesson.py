"""A game's lesson in the terminal: the lesson of the page, as text."""

from collections.abc import Sequence

from rich.markdown import Markdown

from parlour.cli.action_list import allowed_text
from parlour.cli.console import key_lines, print_command, typed_line
from parlour.cli.table_view import TableView
from parlour.games import find_game
from parlour.languages import gettext
from parlour.languages.markdown import translate_markdown
from parlour.render.layouts import guide_of, rules_text
from parlour.render.lesson import Step
from parlour.render.scene import Scene
from parlour.render.text import by_number


def _help() -> str:
    keys = {
        "m": gettext("what may I do?"),
        "b": gettext("a step back"),
        "r": gettext("the rules"),
        "q": gettext("stop"),
    }
    first = gettext("Type what you want to do, in the notation or by its number; it need not be what is suggested.")
    return f"  {first}\n{key_lines(keys)}"


class _LessonStopped(Exception):
    """Raised when the learner leaves."""


def learn_in_terminal(game_id: str, plain: bool, repeated: Sequence[str]) -> None:
    """Run a game's lesson to its end or until the learner stops.

    Args:
        game_id: the id of the game.
        plain: whether to print words and notation only.
        repeated: the words of the command line for the command that plays the game.

    Raises:
        ParlourError: there is no such game, or it has no lesson.
    """
    try:
        _Learner(game_id, plain, repeated).run()
    except (_LessonStopped, KeyboardInterrupt, EOFError):
        print()


class _Learner:
    def __init__(self, game_id: str, plain: bool, repeated: Sequence[str]) -> None:
        self.game = find_game(game_id)
        self.guide = guide_of(game_id)
        self.repeated = repeated
        self.view = TableView(game_id, plain)
        self.console = self.view.console

    def run(self) -> None:
        lesson = self.guide.lesson
        title = f"[bold]{gettext(lesson.title)}[/]"
        self.console.print(gettext("{title} ({minutes} minutes). ? for help.", title=title, minutes=lesson.minutes))
        for number, hand in enumerate(lesson.hands):
            self._head(gettext(hand.title))
            step = 0
            while step < len(hand.steps):
                step = max(0, step + (1 if self._step(number, step) else -1))
        end = gettext("That was the lesson. Now play:")
        print_command(self.console, end, ["parlour", "play", self.game.id, *self.repeated])

    def _step(self, hand: int, number: int) -> bool:
        """Run one step; return False if the learner wants to go a step back."""
        step = self.guide.step(hand, number)
        scenes = self.guide.scenes(hand, number)
        for sentence in (line for scene in scenes for line in scene.log if line):
            self.view.show(f"  {sentence}")
        self.console.print()
        self.view.show(self.view.table(scenes[-1]))
        self._say(step.say)
        if not step.do:
            return self._ask(gettext("Enter to go on.") + " ", None).lower() != "b"
        self._show_notation(step)
        return self._act(hand, number, step, scenes[-1])

    def _act(self, hand: int, number: int, step: Step, scene: Scene) -> bool:
        typed = self._ask("> ", scene)
        while typed.lower() != "b":
            answer = self.guide.answer(hand, number, by_number(typed, scene.legal))
            if answer.done:
                return True
            if answer.scene:
                typed = self._typed_after(answer.scene, step)
                if typed.lower() in ("y", "yes"):
                    return True
                if typed:  # another action, which also takes this one back
                    continue
                self._say(step.say)
                self._show_notation(step)
            elif answer.refusal:
                clause = f" ({answer.refusal.clause})" if answer.refusal.clause else ""
                self.view.show(f"  {answer.refusal.reason}{clause}")
            typed = self._ask("> ", scene)
        return False

    def _typed_after(self, scene: Scene, step: Step) -> str:
        """Show an action that the lesson did not suggest, and return the learner's answer."""
        for sentence in scene.log:
            self.view.show(f"  {sentence}")
        self._say(step.other)
        # Translators: the key y stays y
        choice = gettext("Enter takes it back; {y} goes on with {action}.", y="[bold]y[/]", action=step.do)
        self.console.print(f"  {choice}")
        return self._ask("> ", None)

    def _head(self, title: str) -> None:
        """Print the title of a hand, in a line across the terminal unless the text is plain."""
        if self.view.plain:
            self.console.print(title)
        else:
            self.console.rule(title)

    def _show_notation(self, step: Step) -> None:
        action = f"[bold]{step.do}[/]"
        notation = gettext("In the notation: {action}", action=action)
        self.console.print(f"  {notation}")

    def _ask(self, prompt: str, scene: Scene | None) -> str:
        """Answer requests for help, the rules or the actions until the learner types something else, and return that.

        An empty input is returned only if there is no scene.
        """
        while True:
            typed = typed_line(prompt)
            match typed.lower():
                case "q" | "quit" | "exit":
                    raise _LessonStopped
                case "?":
                    self.view.show(_help())
                case "r":
                    self.console.print(Markdown(translate_markdown(rules_text(self.game.id))))
                case "m":
                    self.view.show(allowed_text(scene.legal) if scene else "  " + gettext("Read on."))
                case _ if typed or scene is None:
                    return typed

    def _say(self, text: str) -> None:
        self.console.print()
        self.console.print(Markdown(translate_markdown(text)))
        self.console.print()
