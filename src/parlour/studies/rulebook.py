"""Rule statistics of a study: endings of games, frequencies of clauses, sources of points."""

import ast
import inspect
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from textwrap import dedent

import numpy as np

from parlour import inference
from parlour.contests.clause_counts import citations_of, clauses_in, in_order
from parlour.contests.game_results import ClauseCounts
from parlour.engine.game import Game
from parlour.render.layouts import rules_text
from parlour.statistics import Estimate

FORFEIT, BY_THE_RULES = "a bot forfeited", "by the rules"
"""Endings that the game itself does not name."""
_LONGEST = 110
"""Maximum number of characters of a sentence of the page of rules."""


def endings(games: Sequence[Sequence[str]]) -> dict[str, Estimate]:
    """Return the share of games with each ending, the most frequent first; ``games`` has the endings of each deal."""
    often = Counter(each for deal in games for each in deal)
    return {
        way: inference.share_interval(np.array([sum(each == way for each in deal) / len(deal) for deal in games]))
        for way, _ in often.most_common()
    }


def clause_frequencies(games: Sequence[ClauseCounts]) -> dict[str, Estimate]:
    """Return for each clause that fired the mean number of its events in a game; the games have different deals."""
    clauses = in_order({clause for game in games for clause in game.clauses})
    return {clause: _mean_count([float(game.clauses.get(clause, 0)) for game in games]) for clause in clauses}


def sources(games: Sequence[ClauseCounts]) -> dict[str, Estimate]:
    """Return the mean absolute points that each source brings a seat in a game, the largest first.

    Games without score lines, or whose lines do not add up to the score, are left out. The result is empty for fewer
    than two games.
    """
    counted = [game.points for game in games if game.points]
    if len(counted) < 2:
        return {}
    every = {source for points in counted for source in points}
    found = {
        source: _mean_count([mean_points(points.get(source, ())) for points in counted]) for source in sorted(every)
    }
    return dict(sorted(found.items(), key=lambda each: -each[1].value))


def _mean_count(numbers: Sequence[float]) -> Estimate:
    """Return the mean of counts, with an interval that is never below 0."""
    return inference.mean_interval(np.array(numbers), max(1.0, max(numbers))).clipped(0, math.inf)


def mean_points(points: Sequence[int]) -> float:
    """Return the mean of the seats' absolute points."""
    return sum(map(abs, points)) / max(1, len(points))


def unfired_clauses(game: Game, games: Iterable[ClauseCounts]) -> list[str]:
    """Return the clauses that the rules cite and that fired in none of these games."""
    fired = {clause for each in games for clause in each.clauses}
    return [clause for clause in citations_of(game).clauses if clause not in fired]


def clauses_of(game: Game) -> list[str]:
    """Return all clauses in the code of the rules or in the page of rules."""
    return in_order(set(clause_texts(game)) | set(citations_of(game).clauses))


@cache
def ending_texts(game: Game) -> tuple[str, ...]:
    """Return the ways of ending that a game names: the texts in its function ``ending`` that cite a clause."""
    source = dedent(inspect.getsource(game.ending))
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:  # a lambda within another expression
        return ()
    texts = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return tuple(dict.fromkeys(text for text in texts if re.search(rf"\({game.prefix}-\d+\)$", text)))


@cache
def clause_texts(game: Game) -> dict[str, str]:
    """Return the sentence, shortened, in which the page of rules first names each clause."""
    text = re.sub(r"[*`_]", "", rules_text(game.id))
    found: dict[str, str] = {}
    for citation in re.finditer(rf"\(([^()]*\b{game.prefix}-\d[^()]*)\)", text):
        *_, sentence = re.split(r"[.:;]\s+(?=[A-Z])|\)\.?\s+|\n\n|\n(?=- |\d\. )", text[: citation.start()].rstrip())
        words = " ".join(re.sub(r"^(- |\d\. )", "", sentence).split())
        for clause in in_order(clauses_in(citation[1], game.prefix)):
            found.setdefault(clause, words if len(words) <= _LONGEST else f"{words[:_LONGEST].rsplit(' ', 1)[0]} …")
    return found
