"""Games of a study as one Parquet file with a row for each game, readable by Polars and pandas."""

import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from parlour.contests.contest import Deal, Job
from parlour.contests.contest_results import outcomes
from parlour.contests.game_results import GameResult, GameStatistics
from parlour.contests.results_file import difference
from parlour.engine.errors import ParlourError
from parlour.engine.files import write_whole
from parlour.extras import extra
from parlour.studies.plan import Study

KEY = "parlour"
"""Key of the study's header, as JSON, in the file's metadata."""
WIN_PROBABILITY_COLUMNS = ("weighed", "spread", "good", "drama", "decisive", "comeback")
"""Columns with numbers of :class:`WinProbabilityCurve`; its curve has a column of another type."""


def rows_of(study: Study, deals: Iterable[Deal]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table."""
    for deal in deals:
        for job, game in zip(study.jobs(deal.number), deal.games, strict=True):
            yield row_of(study, job, game)


def row_of(study: Study, job: Job, game: GameResult) -> dict[str, Any]:
    """Return the row of one game: deal, variation, bots, result and statistics. Lists are by seat."""
    contest = study.contests[job.variation]
    setup, shares = contest.setup, [0.0] * contest.setup.players
    for side, outcome in zip(contest.sides, outcomes(game, contest.sides), strict=True):
        for seat in side:
            shares[seat] = outcome.win_share
    assert game.statistics is not None
    return {
        "deal": job.deal,
        "variation": setup.variation,
        "players": setup.players,
        "replicate": job.replicate,
        **{f"option.{name}": value for name, value in setup.options.items()},
        "bots": [study.bots[bot] for bot in game.bots],
        "challenger": study.bots[max(game.bots)] if len(set(game.bots)) > 1 else None,
        "scores": list(game.scores),
        "winners": list(game.winners),
        "win_shares": shares,
        "decisions": list(game.decisions),
        "seconds": list(game.seconds),
        **{name: getattr(game.statistics, name) for name in GameStatistics.__annotations__},
        **{
            name: getattr(game.win_probability, name) if game.win_probability else None
            for name in WIN_PROBABILITY_COLUMNS
        },
        "curve": list(game.win_probability.curve) if game.win_probability else None,
        "ending": game.ending or None,
        "forfeit": game.forfeit.seat if game.forfeit else None,
        "reason": game.forfeit.reason if game.forfeit else None,
    }


def write_table(name: Path, study: Study, deals: Iterable[Deal]) -> None:
    """Write the table, replacing an earlier one. Raises :class:`ParlourError` if the file is not writable."""
    polars = extra("polars")
    schema = {"challenger": polars.String, "ending": polars.String, "forfeit": polars.Int64, "reason": polars.String}
    schema |= {**dict.fromkeys(WIN_PROBABILITY_COLUMNS, polars.Float64), "curve": polars.List(polars.Float64)}
    table = polars.DataFrame(list(rows_of(study, deals)), schema_overrides=schema, infer_schema_length=None)
    content = io.BytesIO()
    table.write_parquet(content, metadata={KEY: json.dumps(study.header())})
    try:
        write_whole(name, content.getvalue(), 0o644)
    except OSError as error:
        raise ParlourError(f"{name}: cannot be written: {error.strerror or error}") from None


def check_table(name: Path, study: Study) -> None:
    """Raise :class:`ParlourError` if an existing file is not the table of this study."""
    if not name.exists():
        return
    polars = extra("polars")
    try:
        header = json.loads(polars.read_parquet_metadata(name)[KEY])
    except (polars.exceptions.PolarsError, OSError, KeyError, ValueError):
        raise ParlourError(f"{name}: not a table of games from a study; name another folder") from None
    if difference_text := difference(header, study.header()):
        raise ParlourError(f"{name} is of another study: {difference_text}. Name another folder.")
