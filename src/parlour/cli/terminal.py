"""Table in the terminal: one person against bots, playable from its text alone."""

import os
import re
import sys
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext

from rich.text import Text

from parlour.authors.printed_rules import change_sentences
from parlour.bots.compilation import compile_in_background, is_ready, wait_until_ready
from parlour.bots.compiled_observation import compiled_observation_of
from parlour.bots.external import AnyBot, OutsideBot, find_any_bot
from parlour.bots.match_play import Seats
from parlour.bots.policies import choose_by_heuristic
from parlour.bots.protocol import Forfeit
from parlour.bots.search_threads import search_threads
from parlour.cards import CARD_NUMBERS
from parlour.cli.action_list import ActionList
from parlour.cli.console import key_lines, print_command, typed_line
from parlour.cli.game_file import GameFile, players_of_record, read_resumed, refuse_standard_streams, resumed_seat
from parlour.cli.game_words import likely_meanings, listed_words, meaning_of
from parlour.cli.table_view import Answer, TableView, view_keys
from parlour.engine.chance import new_stream
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.match import Match
from parlour.engine.matches.notation import normalized_text
from parlour.engine.matches.randomness import StreamRandomness, SystemRandomness
from parlour.engine.moves import Move
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import drive
from parlour.insight.explanation import explain
from parlour.insight.explanation_text import lines
from parlour.insight.position import position_of
from parlour.languages import gettext, ngettext
from parlour.render.bot_names import own_name
from parlour.render.layouts import find_layout
from parlour.render.scene import Scene, Term
from parlour.render.selection import refusal_of
from parlour.render.text import row_text, score_text
from parlour.render.words import labelled

_BOTS = re.compile(r"""(?:'[^']*'|"[^"]*"|[^,]|,(?=\s*[a-z]+=))+""")
"""Pattern of a bot in a comma-separated list; commas in quotes or before a parameter like ``tree=1`` separate none."""
_WORDS = {"help": "?", "hint": "h", "look": "l", "rules": "r", "score": "s", "table": "t"}
"""Words that are accepted instead of a key."""


def _help(terms: Sequence[Term]) -> str:
    keys = {
        **view_keys(),
        "l": gettext("look back"),
        "h": gettext("a hint: what is best, and why"),
        "q": gettext("stop; the game is saved"),
        "?": gettext("this help; ? and an action: why may I not do it; ? and a word of the game: what does it mean?"),
    }
    first = gettext("Type an action as it is listed (small letters will do, so will its number), or")
    words = ["  " + gettext("Words of the game: {words}", words=listed_words(terms))] if terms else []
    return "\n".join([first, key_lines(keys), *words])


class _TableStopped(Exception):
    """Raised when the player leaves."""


def play_in_terminal(
    setup: Setup,
    named: Collection[str],
    repeated: Sequence[str],
    seat: int | None,
    bots: str,
    resume: str | None,
    record_file: str | None,
    pace: float,
    plain: bool,
    move_time: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
) -> None:
    """Play a game to its end or until the player stops, and save it in a file.

    ``named`` are the options of the setup that are on the command line, as in :func:`game_file.read_resumed`;
    ``repeated`` are its words for the command that continues the game. The rest are the options of ``parlour play``.

    Raises:
        ParlourError: the seat, a bot or the file to resume is not valid, or the game cannot be saved.
    """
    refuse_standard_streams(resume, record_file)
    match, resumed = read_resumed(resume, setup, named) if resume else (Match(setup, recall=True), {})
    seat = resumed_seat(resumed, match.players, seat)
    recorded = players_of_record(resumed, match.players, seat)
    names = [*recorded["names"]]
    names[seat] = own_name()
    file = GameFile(record_file, resume, resumed, setup.game.id, recorded)
    with search_threads(threads):
        _TerminalTable(
            match, seat, names, _bots_for(bots, match.players, seat), file, repeated, pace, plain, move_time, seed
        ).run()


def _bots_for(text: str, players: int, seat: int) -> dict[int, AnyBot]:
    """Return the bots of all seats except the player's, by seat. Raises :class:`ParlourError`."""
    chosen = [find_any_bot(word.strip()) for word in _BOTS.findall(text)]
    others = [other for other in range(players) if other != seat]
    if len(chosen) not in (1, len(others)):
        bots = ngettext("{number} bot", "{number} bots", len(chosen))
        seats = ngettext("{number} seat", "{number} seats", len(others))
        # Translators: "2 bots for 3 seats: …"
        raise ParlourError(gettext("{bots} for {seats}: name one for all or one for each", bots=bots, seats=seats))
    for bot in chosen:
        if isinstance(bot, OutsideBot):
            _ = bot.version  # starts the program: report an error now, not in the middle of the game
    return dict(zip(others, chosen * len(others) if len(chosen) == 1 else chosen, strict=True))


class _TerminalTable:
    def __init__(
        self,
        match: Match,
        seat: int,
        names: list[str],
        bots: dict[int, AnyBot],
        file: GameFile,
        repeated: Sequence[str],
        pace: float,
        plain: bool,
        move_time: float | None,
        seed: int | None,
    ) -> None:
        self.match = match
        self.seat = seat
        self.bots = bots
        self.names = names
        self.file = file
        self.repeated = repeated
        self.pace = pace if sys.stdout.isatty() else 0.0
        self.view = TableView(match.game.id, plain)
        self.console = self.view.console
        self.repeatable = seed is not None
        begun = len(match.events)  # a resumed game must not repeat its first cards
        self.randomness = SystemRandomness() if seed is None else StreamRandomness(new_stream(seed, begun))
        drawn = int.from_bytes(os.urandom(7)) if seed is None else seed
        self.seats = Seats(match.setup, bots, lambda seat: new_stream(drawn, begun + seat + 1), move_time)
        self.heuristic_stream = new_stream(drawn, begun + match.players + 1)
        self.layout = find_layout(match.game.id)
        self.before: Observation | None = None

    def run(self) -> None:
        summary = gettext(self.match.game.summary)
        title = f"[bold]{self.match.game.title}[/]"
        about = gettext("{game}: {summary} ? for help.", game=title, summary=summary)
        self.console.print(about)
        if changes := change_sentences(self.match.setup):
            different = labelled(gettext("What is different"), "").rstrip()
            self.view.show("\n".join([different, *(f"  {each}" for each in changes)]))
        try:
            with self._compilation(), self.seats:
                self._play_to_the_end()
        except (_TableStopped, KeyboardInterrupt, EOFError):
            self._leave()
        except Forfeit as forfeit:
            self.console.print()
            self.view.show(f"{self.names[forfeit.seat]}: {forfeit}.")
            self._leave()

    def _compilation(self) -> AbstractContextManager[object]:
        """Return the compilation of the bots' search, which ends with the game; a game with a seed waits for it."""
        game = self.match.game
        if is_ready(game) or not any(bot.searches for bot in self.bots.values()):
            return nullcontext()
        if self.repeatable:
            wait_until_ready(game, self.console.print)
            return nullcontext()
        self.console.print(
            gettext(
                "The bots get ready to think ahead, just this once, for about half a minute; until then they play by "
                "simple rules."
            )
        )
        return compile_in_background(game)

    def _leave(self) -> None:
        if self.match.events:
            self.file.save(self.match)
            arguments = [f"--resume={self.file.path}", *self.repeated]
            saved = gettext("The game is saved; continue with:")  # the command names the file
            print_command(self.console, saved, ["parlour", "play", self.match.game.id, *arguments])

    def _play_to_the_end(self) -> None:
        self.seats.begin()
        self._update_scene()
        self._wait_for_enter()
        for event in drive(self.match, self._choose, self.randomness):
            self.file.save(self.match)
            if event.by in self.bots:
                time.sleep(self.pace)
            self._update_scene()
            for sentence in self.scene.log:
                self.view.show(f"  {sentence}")
            self._wait_for_enter()
        assert self.match.result is not None
        self.file.save(self.match)  # also the finished game of a file that is read by --resume
        self.seats.end(self.match.result)
        self.view.show(score_text(self.scene))
        self.console.print(Text(f"\n{self.scene.outcome}", style="bold"))
        print_command(self.console, gettext("Look back on it with:"), ["parlour", "review", str(self.file.path)])

    def _choose(self, match: Match) -> str | Move:
        """Return the action of the seat to act; a bot follows the rule of thumb while its search is compiled."""
        if match.actor not in self.seats:
            return self._decide(self.scene)
        if self.bots[match.actor].searches and not is_ready(match.game):
            return choose_by_heuristic(compiled_observation_of(match, self.heuristic_stream))
        return self.seats.choose(match)

    def _update_scene(self) -> None:
        observation = self.match.observation(self.seat)
        self.scene = self.layout.lay_out(observation, self.names, self.before)
        self.before = observation

    def _wait_for_enter(self) -> None:
        """Show the score before the next deal, and on a terminal wait until the player has read it."""
        if not self.scene.pause or self.match.actor != CHANCE:
            return
        self.view.show(score_text(self.scene))
        if sys.stdin.isatty():
            question = gettext("Enter to go on.") + " "
            while (typed := typed_line(question)) and self._answer_question(typed, self.scene):
                pass

    def _decide(self, scene: Scene) -> str:
        """Return the player's input once it is a legal action."""
        self.console.print()
        self.view.show(self.view.table(scene))
        actions = ActionList(self.match.legal(), scene)
        while True:
            self.view.show(actions.text(self.console.width))
            typed = typed_line("> ")
            if not typed or self._answer_question(typed, scene):
                continue
            try:
                text = self.match.complete_action(actions.action(typed))
                self.match.parse_move(text)
                return text
            except IllegalError:  # its message repeats the legal actions, which follow anyway
                self.view.show(f"  {self._why(typed)}")

    def _answer_question(self, typed: str, scene: Scene) -> bool:
        """Answer a question about the game; return ``False`` if the input is not a question."""
        questions: dict[str, Callable[[], Answer]] = {
            **self.view.answers(scene),
            "?": lambda: _help(self.layout.terms),
            "l": lambda: _last_trick_text(scene),
            "h": self._hint,
        }
        key = _WORDS.get(typed.lower(), typed.lower())
        if key in ("q", "quit", "exit"):
            raise _TableStopped
        if key in ("h", "m") and not scene.legal:
            self.view.show("  " + gettext("There is nothing to play now."))
        elif key in questions:
            self.view.show(questions[key]())
        elif typed.startswith("?"):
            for answer in self._about(typed[1:]):
                self.view.show(f"  {answer}")
        else:
            return False
        return True

    def _hint(self) -> str:
        """Return an explanation of the best action, from the player's information."""
        wait_until_ready(self.match.game, self.console.print)
        with self.view.waiting(gettext("Thinking …")):
            return "\n".join(lines(explain(position_of(self.match, self.seat, self.names))))

    def _about(self, typed: str) -> list[str]:
        """Return the meanings of a word of the game, or the reason why an action is not legal."""
        terms = self.layout.terms
        if meaning_of(terms, typed) or self._is_like_an_action(typed):
            return [self._why(typed)]
        no_word = gettext("No such word is explained here; the words are: {words}.", words=listed_words(terms))
        return likely_meanings(terms, typed) or ([no_word] if terms else [self._why(typed)])

    def _is_like_an_action(self, typed: str) -> bool:
        """Return whether a text has a card or number, or begins like an action of the game."""
        try:
            actions: Sequence[str] = self.match.setup.actions
        except ParlourError:  # the game does not list its actions
            actions = self.match.legal()
        words = normalized_text(typed).split()
        if any(word in CARD_NUMBERS or word.isdigit() for word in words):
            return True
        return bool(words) and words[0] in {action.split()[0] for action in actions}

    def _why(self, typed: str) -> str:
        """Return the meaning of a word of the game, or the reason why an action is not legal."""
        if meaning := meaning_of(self.layout.terms, typed):
            return meaning
        if self.match.actor != self.seat:
            return gettext("There is nothing to play now.")
        refusal = refusal_of(self.match, typed)
        if refusal is None:
            return gettext("{action} is legal.", action=self.match.complete_action(typed))
        return f"{refusal.reason} {refusal.clause}".strip()


def _last_trick_text(scene: Scene) -> str | Text:
    """Return the cards to look back on as text: the last trick, and the covered or buried cards.

    Without any, it is the finished trick that still lies on the table.
    """
    rows = [row for area in scene.areas for row in area.rows if row.cards]
    kept = [row for row in rows if row.style == "last"]
    if not kept and scene.rest:
        kept = [row for row in rows if row.style == "trick"][-1:]
    if not kept:
        return "  " + gettext("There is nothing to look back at yet.")
    return Text("\n").join([row_text(row) for row in kept])
