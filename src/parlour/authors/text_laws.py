"""Laws on the texts of a game: its action space, refusals, clauses, facts and score lines.

A law takes a match and returns a sentence about the fault, or an empty string.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import or_
from typing import Any

import numpy as np

from parlour.authors.failures import failure_text, source_of
from parlour.cards import CARD_NUMBERS, CARD_TEXT, bit, card_name, lowest, set_of
from parlour.contests.clause_counts import clauses_in
from parlour.engine.errors import ParlourError
from parlour.engine.events import current_result
from parlour.engine.fields import CARD, CARDS, Kind, fields_of
from parlour.engine.game import Game, Refusal
from parlour.engine.information.determinization import observed_plain_state, observed_state
from parlour.engine.match import Match
from parlour.engine.rules import CHANCE, MAX_CARDS, NOBODY, SPECTATOR, choices, known_to, wanted, whole_deck
from parlour.games import file_of, find_game
from parlour.render.layouts import rules_text

ATTEMPTS = 12
"""Maximum number of illegal actions of each kind to try at a moment."""
FEW = 3
"""Number of different values from which a fact that repeats a field of cards counts as naming cards."""


def check_action_space(match: Match) -> str:
    """The action space contains every legal action, and each of its actions once."""
    try:
        texts, numbers = match.setup.actions, match.setup.action_numbers
    except ParlourError:
        return ""
    where = source_of(match.game.actions)
    if len(numbers) < len(texts):
        twice = next(text for number, text in enumerate(texts) if numbers[text] != number)
        return f"{where}: the action space has {twice!r} twice"
    lacking = [text for text in match.legal() if text not in numbers] if match.actor >= 0 else []
    return f"{where}: the action space lacks {lacking[0]!r}, which is legal for seat {match.actor}" if lacking else ""


def check_refusals(match: Match) -> str:
    """A refusal of an illegal action has a reason; a clause that it cites is in the page of rules."""
    if match.actor < 0:
        return ""
    rng = random.Random(len(match.events))
    return next(filter(None, (_refusal_problem(match, text, known) for text, known in _illegal_texts(match, rng))), "")


def _illegal_texts(match: Match, rng: random.Random) -> list[tuple[str, bool]]:
    """Return texts that are not legal now, each with True if it belongs to the action space."""
    legal = match.moves_by_text()
    try:
        space: Sequence[str] = match.setup.actions
    except ParlourError:
        space = ()
    known = [text for kind in _kinds(space, rng) for text in kind if text not in legal]
    reversed_cards = [" ".join([*text.split()[:1], *text.split()[:0:-1]]) for text in list(legal)[:ATTEMPTS]]
    others = ["", "nonsense", "2C", *(text for text in reversed_cards if text not in legal)]
    return [(text, True) for text in known] + [(text, False) for text in others if text not in legal]


def _kinds(space: Sequence[str], rng: random.Random) -> list[list[str]]:
    """Return a sample of the texts of each kind: texts that differ only in their cards, and all texts without cards.

    A sample of the whole space would rarely contain a kind with few texts: of the actions of a game in which two cards
    are given away, most are gifts.
    """
    kinds: dict[str, list[str]] = {}
    for text in space:
        pattern, cards = CARD_TEXT.subn("?", text)
        kinds.setdefault(pattern if cards else "", []).append(text)
    chosen = rng.sample([*kinds.values()], min(ATTEMPTS, len(kinds)))
    return [rng.sample(texts, min(ATTEMPTS, len(texts))) for texts in chosen]


def _refusal_problem(match: Match, text: str, known: bool) -> str:
    """Return the fault of the refusal of one action, or an empty string."""
    where = source_of(match.game.refusal)
    try:
        refusal = match.game.refusal(observed_state(match.state, match.actor), text)
    except ValueError as error:
        problem = f"{where}: ValueError ({error}) for {text!r}, which is in the action space: return a Refusal instead"
        return problem if known else ""
    except Exception as error:  # an author's function may raise anything
        return f"{failure_text(error, match.game)}, when {text!r} is refused"
    if not isinstance(refusal, Refusal) or not refusal.reason:
        return f"{where}: the answer for {text!r} is {refusal!r}, but should be a Refusal with a reason"
    return _unknown_citation(match.game, refusal.clause, f"{where}: the refusal of {text!r}")


@cache
def page_clauses(game_id: str, prefix: str) -> frozenset[str] | None:
    """Return the clauses that a game's page of rules names; ``None`` if neither it nor its original has one."""
    original = find_game(game_id).variation_of
    has_page = file_of(game_id, "rules.md") or (original and file_of(original, "rules.md"))
    return frozenset(clauses_in(rules_text(game_id), prefix)) if has_page else None


def unknown_clause(game: Game, text: str, where: str) -> str:
    """Return the fault of a text that cites a clause which the page of rules lacks, or an empty string."""
    clauses = page_clauses(game.id, game.prefix)
    unknown = sorted(clauses_in(text, game.prefix) - clauses) if clauses is not None else []
    return _no_such_clause(where, unknown[0]) if unknown else ""


def _unknown_citation(game: Game, cited: str, where: str) -> str:
    """Return the fault of a citation, which is a clause or empty."""
    if cited and page_clauses(game.id, game.prefix) is not None and not clauses_in(cited, game.prefix):
        return _no_such_clause(where, cited)
    return unknown_clause(game, cited, where)


def _no_such_clause(where: str, cited: str) -> str:
    return f"{where} cites {cited}, but rules.md has no such clause"


def check_clauses(match: Match) -> str:
    """The page of rules contains the clauses of options and score lines."""
    game = match.game
    cited = [(f"option {option.name!r}", option.clause) for option in game.options]
    cited += [(f"{source_of(game.lines)}: the line {line.what!r}", line.clause) for line in game.lines(match.state)]
    wrong = (_unknown_citation(game, clause, where) for where, clause in cited)
    return next(filter(None, wrong), "")


@dataclass
class Scores:
    """Check of a game's score lines against its scores, deal by deal.

    Attributes:
        scores: the scores at the last deal.
        events: the number of events at the last deal.
    """

    scores: tuple[int, ...] = ()
    events: int = 0

    def check(self, match: Match) -> str:
        """The score lines of a deal add up to the change of the scores in that deal."""
        game = match.game
        if game.lines is DEFAULT_LINES or not _deal_ends(match):
            return ""
        now, lines, first = current_result(match.state).scores, game.lines(match.state), self.events
        for line in lines:
            if len(line.points) != match.players:
                fault = f"{line.what!r} has points for {len(line.points)} seats, not for {match.players}"
                return f"{source_of(game.lines)}: the line {fault}"
        if not game.lines_add_up:
            return ""
        before, self.scores, self.events = self.scores or (0,) * match.players, now, len(match.events)
        for seat, (score, past) in enumerate(zip(now, before, strict=True)):
            total = sum(int(line.points[seat]) for line in lines)
            if total != score - past:
                return (
                    f"{source_of(game.lines)}: from event {first + 1} to {len(match.events)} the lines of seat {seat} "
                    f"add up to {total}, but its score changes by {score - past}; if they need not add up, say "
                    "lines_add_up=False in GAME"
                )
        return ""


DEFAULT_LINES = Game.__dataclass_fields__["lines"].default


def _deal_ends(match: Match) -> bool:
    """Return whether the game is over, or the whole deck is shuffled next and cards were dealt before."""
    if match.actor != CHANCE:
        return match.over
    if int(choices(match.state)) or int(wanted(match.state)) != int(whole_deck(match.state)):
        return False
    return any(event.by == CHANCE and CARD_TEXT.search(event.do) for event in match.events)


@dataclass
class Facts:
    """Facts of one game that name cards, found by the fields of the state whose values they repeat.

    Attributes:
        fields: for each fact the fields of cards that it may repeat.
        named: for each fact the different values compared.
        hidden: for each fact that named a card whose place is not public, a sentence about the first such card.
    """

    fields: dict[str, set[str]] = field(default_factory=dict)
    named: dict[str, set[str]] = field(default_factory=dict)
    hidden: dict[str, str] = field(default_factory=dict)

    def compare(self, match: Match) -> None:
        """Compare the facts of a moment with the fields of cards."""
        state = observed_plain_state(match.state, SPECTATOR)
        records = {name for name, words in match.game.field_words.items() if not words.place}
        held = {
            each.name: (each.kind, _listed(getattr(state, each.name)))
            for each in fields_of(match.state.dtype.names)
            if each.kind in (CARD, CARDS) and each.name not in {"public", "private"} | records
        }
        for name, value in _facts_with_cards(match.game.facts(state)):
            found = {field: _repeated_cards(*held[field], value) for field in self.fields.get(name, held)}
            repeated = {field: cards for field, cards in found.items() if cards is not None}
            self.fields[name] = {*repeated}
            self.named.setdefault(name, set()).add(str(value))
            if repeated:
                self._note_hidden(match, name, min(repeated), repeated[min(repeated)])

    def _note_hidden(self, match: Match, name: str, field: str, cards: int) -> None:
        if hidden := cards & int(whole_deck(match.state)) & ~int(known_to(match.state, SPECTATOR)):
            card = lowest(hidden)
            self.hidden.setdefault(
                name,
                f"{source_of(match.game.facts)}: the fact {name!r} names {card_name(card)} after event "
                f"{len(match.events)}, but that card lies {_place_text(match, card)}, where not everyone may know it; "
                f"if the field {field!r} is a public record of cards, say so: "
                f"field_words={{{field!r}: FieldWords(…, place=False)}} in GAME",
            )

    def check(self) -> str:
        """A fact names no card whose place is not public, except a public record of cards."""
        wrong = (problem for name, problem in self.hidden.items() if self.fields[name] and len(self.named[name]) >= FEW)
        return next(wrong, "")


def _facts_with_cards(facts: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the facts that may name cards by their names, with numbers for the texts of cards.

    A fact within a fact is named ``"last_trick.cards"``; a list of facts gives a list for each name.
    """
    for name, value in facts.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", each) for inner, each in _facts_with_cards(value))
        elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            together = {inner: [item.get(inner) for item in value] for inner in value[0]}
            yield from ((f"{name}.{inner}", each) for inner, each in _facts_with_cards(together))
        elif value is not None and value != [] and value != 0:
            yield name, _with_numbers(value)


def _with_numbers(value: Any) -> Any:
    """Return a fact with the number of each card that it has as text, and ``NOBODY`` for no card in a list."""
    if isinstance(value, list):
        return [NOBODY if each is None else _with_numbers(each) for each in value]
    return CARD_NUMBERS.get(value, value) if isinstance(value, str) else value


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _repeated_cards(kind: Kind, held: Any, value: Any) -> int | None:
    """Return the set of the cards in a fact that repeats a field of cards; ``None`` if it does not repeat the field.

    A fact may leave out the last items of an array, and may list the cards of a set.
    """
    if isinstance(held, list):
        if not isinstance(value, list) or len(value) > len(held):
            return None
        parts = [_repeated_cards(kind, *both) for both in zip(held, value, strict=False)]
        cards = [part for part in parts if part is not None]
        return reduce(or_, cards, 0) if len(cards) == len(parts) else None
    if kind == CARDS and isinstance(value, list) and all(type(card) is int and 0 <= card < MAX_CARDS for card in value):
        value = set_of(value)
    if type(value) is not int or held != value:
        return None
    if kind == CARDS:
        return value
    return bit(value) if 0 <= value < MAX_CARDS else 0


def _place_text(match: Match, card: int) -> str:
    zones = match.game.zones(match.state)
    zone = next((zone for zone in zones if card in zone.cards), None)
    if zone is None:
        return "in no zone"
    return f"in {zone.name}" if zone.at == NOBODY else f"in {zone.name} {zone.at}"
