"""Trainer of puzzles in the terminal: one decision, one try, the verdict, the next."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from parlour.cli.action_list import ActionList
from parlour.cli.console import key_lines, typed_line
from parlour.cli.table_view import Answer, TableView, view_keys
from parlour.engine.errors import IllegalError
from parlour.engine.files import write_whole
from parlour.folders import data_folder, file_lock
from parlour.languages import gettext, ngettext
from parlour.puzzles.puzzle import Puzzle, PuzzleError
from parlour.puzzles.puzzle_file import PuzzleSet
from parlour.puzzles.standing import PuzzleStanding, next_puzzle
from parlour.puzzles.verdict import Verdict, verdict_of
from parlour.render.layouts import find_layout
from parlour.render.scene import Scene
from parlour.render.words import labelled, with_minus

FILE = "puzzles.json"


def _help() -> str:
    keys = {
        **view_keys(),
        "n": gettext("another puzzle"),
        "q": gettext("stop; the rating and the streak are kept"),
    }
    first = gettext("Type the best action as it is listed, or its number. There is one try.")
    return f"  {first}\n{key_lines(keys)}"


class _TrainerStopped(Exception):
    """Raised when the player leaves."""


class StandingFile:
    """The standings of this user and the puzzles tried, by game, in the data folder; in memory without a folder."""

    def __init__(self, path: Path | None) -> None:
        """Read the file. Raises :class:`PuzzleError` if it is damaged."""
        self._path = path
        self._games: Mapping[str, Any] = {} if path is None else _stored_standings(path)

    def of(self, game_id: str) -> tuple[PuzzleStanding, list[str]]:
        """Return the standing in a game and the ids of the puzzles tried. Raises :class:`PuzzleError`."""
        kept = self._games.get(game_id)
        if kept is None:
            return PuzzleStanding(), []
        try:
            return PuzzleStanding.from_json(kept), [str(each) for each in kept["puzzles"]]
        except (PuzzleError, KeyError, TypeError):
            raise _not_standings(self._path) from None

    def count(self, game_id: str, puzzle: Puzzle, solved: bool) -> None:
        """Count a try of a puzzle, unless it is not the first, here or in another terminal.

        Raises:
            PuzzleError: the file cannot be written. This try and further ones then count in memory.
        """
        if self._path is None:
            self._games = self._after(game_id, puzzle, solved)
            return
        before = self._games
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with file_lock(self._path.with_name(f"{self._path.name}.lock")):
                self._games = _stored_standings(self._path)
                self._games = self._after(game_id, puzzle, solved)
                write_whole(self._path, json.dumps(self._games))
        except (OSError, PuzzleError) as error:
            path, self._path, self._games = self._path, None, before
            self._games = self._after(game_id, puzzle, solved)
            why = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise PuzzleError(
                gettext("{file}: the standing cannot be saved and lasts until you stop: {error}", file=path, error=why)
            ) from None

    def _after(self, game_id: str, puzzle: Puzzle, solved: bool) -> Mapping[str, Any]:
        """Return the standings of all games after the try of a puzzle. Raises :class:`PuzzleError`."""
        standing, tried = self.of(game_id)
        if puzzle.id in tried:
            return self._games
        return {**self._games, game_id: {**standing.after(puzzle, solved).to_json(), "puzzles": [*tried, puzzle.id]}}


def _stored_standings(path: Path) -> Mapping[str, Any]:
    """Return the standings in a file, by game; none without a file. Raises :class:`PuzzleError`."""
    if not path.is_file():
        return {}
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        raise _not_standings(path) from None


def _not_standings(path: Path | None) -> PuzzleError:
    return PuzzleError(f"{path}: not a file of standings; move it away to begin anew")


def train_in_terminal(of_game: PuzzleSet, theme: str, plain: bool) -> None:
    """Present the puzzles with a theme (empty: all) until the player stops or has tried all of them."""
    folder = data_folder()
    trainer = _Trainer(of_game, theme, plain, StandingFile(folder / FILE if folder else None))
    try:
        trainer.run()
    except (_TrainerStopped, KeyboardInterrupt, EOFError):
        trainer.leave()


class _Trainer:
    def __init__(self, of_game: PuzzleSet, theme: str, plain: bool, file: StandingFile) -> None:
        self.of_game, self.theme, self.file = of_game, theme, file
        self.game = of_game.setup.game
        self.layout = find_layout(self.game.id)
        self.standing, self.tried = file.of(self.game.id)
        self.passed: list[str] = []
        self.view = TableView(self.game.id, plain)
        self.console = self.view.console

    def run(self) -> None:
        title = gettext("Puzzles of {game}", game=self.game.title)
        title = f"[bold]{title}[/]"
        self.console.print(gettext("{title}: find the one best action. ? for help.", title=title))
        while puzzle := next_puzzle(self.of_game, self.standing.rating.value, {*self.tried, *self.passed}, self.theme):
            self._present(puzzle)
        self.console.print(
            ngettext(
                "There is no further puzzle here; you have tried {number} puzzle.",
                "There is no further puzzle here; you have tried {number} puzzles.",
                len(self.tried),
            )
        )
        self.leave()

    def leave(self) -> None:
        standing = self.standing
        if standing.tried:
            self.console.print()
            summary = ngettext(
                "Your rating is {rating}; {solved} of {number} puzzle solved, {longest} in a row at best.",
                "Your rating is {rating}; {solved} of {number} puzzles solved, {longest} in a row at best.",
                standing.tried,
                rating=_rating_text(standing),
                solved=standing.solved,
                longest=standing.longest,
            )
            self.console.print(summary)

    def _present(self, puzzle: Puzzle) -> None:
        """Show a puzzle, and after the player's try the verdict; store the standing."""
        position = puzzle.position()
        assert position.observation is not None
        scene = self.layout.lay_out(position.observation, position.names, None)
        self.console.print()
        self.view.show(self.view.table(scene))
        do = self._try(puzzle, scene)
        if do is None:
            self.passed.append(puzzle.id)
            return
        verdict = verdict_of(puzzle, do)
        before = self.standing
        failure = self._count(puzzle, verdict.right)
        self._show(verdict)
        if failure:
            self.view.show(f"  {failure}")
        change = round(self.standing.rating.value) - round(before.rating.value)
        self.view.show(f"  {self._rating_words(puzzle, change)}")
        if typed_line(gettext("Enter for the next, q to stop.") + " ").lower() in ("q", "quit", "exit"):
            raise _TrainerStopped

    def _count(self, puzzle: Puzzle, solved: bool) -> str:
        """Count a try; return the reason why the standing is not stored, or an empty text."""
        failure = ""
        try:
            self.file.count(self.game.id, puzzle, solved)
        except PuzzleError as error:
            failure = str(error)
        self.standing, self.tried = self.file.of(self.game.id)
        return failure

    def _rating_words(self, puzzle: Puzzle, change: int) -> str:
        values = {"puzzle": puzzle.rating, "yours": _rating_text(self.standing), "change": with_minus(f"{change:+d}")}
        if self.standing.streak > 1:
            return gettext(
                "The puzzle's rating is {puzzle}, yours {yours} ({change}), {streak} in a row.",
                streak=self.standing.streak,
                **values,
            )
        return gettext("The puzzle's rating is {puzzle}, yours {yours} ({change}).", **values)

    def _try(self, puzzle: Puzzle, scene: Scene) -> str | None:
        """Return the player's action; ``None`` if the player wants another puzzle."""
        match = puzzle.match()
        actions = ActionList(scene.legal, scene)
        answers: dict[str, Callable[[], Answer]] = {**self.view.answers(scene), "?": _help}
        while True:
            self.view.show(actions.text(self.console.width))
            typed = typed_line(gettext("What is best?") + " > ")
            if typed.lower() in ("q", "quit", "exit"):
                raise _TrainerStopped
            if typed.lower() == "n":
                return None
            if typed.lower() in answers:
                self.view.show(answers[typed.lower()]())
            elif typed:
                text = match.complete_action(actions.action(typed))
                try:
                    match.parse_move(text)
                    return text
                except IllegalError:  # its message repeats the legal actions, which follow anyway
                    refusal = match.refusal(text)
                    self.view.show(f"  {refusal.reason} {refusal.clause}".rstrip())

    def _show(self, verdict: Verdict) -> None:
        width = max(len(each.do) for each in verdict.actions)
        for each in verdict.actions:
            sign = "*" if each.do == verdict.best else ">" if each.tried else " "
            chance = ", ".join([f"{each.percent:>5}", *([each.less] if each.less else [])])
            self.view.show(f"  {sign} {each.do:{width}}  {labelled(chance, each.phrase)}")
        if verdict.others:
            worse = ngettext("{number} other action, all worse", "{number} other actions, all worse", verdict.others)
            self.view.show(f"    {worse}")
        self.console.print("  " + (gettext("Right!") if verdict.right else gettext("Not the best.")))
        for sentence in verdict.words:
            self.view.show(f"  {sentence}")


def _rating_text(standing: PuzzleStanding) -> str:
    rating = round(standing.rating.value)
    return gettext("{rating} (provisional)", rating=rating) if standing.provisional else str(rating)
