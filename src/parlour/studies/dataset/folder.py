"""Folder of a data set: the games in shards of Parquet files, and a journal of the incomplete shard, game by game."""

import io
import json
import os
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import Any

from parlour.contests.contest import Deal
from parlour.contests.results_file import ResultsFile, difference, play_and_store
from parlour.engine.errors import ParlourError
from parlour.engine.files import write_whole
from parlour.extras import extra
from parlour.jobs.tasks import HERE, Placement
from parlour.studies.dataset.columns import Decisions, games_table
from parlour.studies.dataset.plan import FORMAT, DatasetPlan

ABOUT, DECISIONS, GAMES = "dataset.json", "decisions", "games"
KEY = "parlour"
"""Key of the data set's description, as JSON, in the metadata of its Parquet files."""

Progress = Callable[[float], None]


class DatasetFolder:
    """Folder of one data set, created or continued.

    Attributes:
        path: the folder.
    """

    def __init__(self, name: str, plan: DatasetPlan, shard: int = 1000, observations: bool = True) -> None:
        """Open or create a folder.

        Args:
            name: the name of the folder.
            plan: the games of the data set.
            shard: the number of games of a shard.
            observations: whether the files have the tensors of the observations.

        Raises:
            ParlourError: Polars is missing, or the folder is not writable, or it holds other files or another data set.
        """
        extra("polars", "data sets need")
        self.path, self._plan, self._shard, self._observations = Path(name), plan, shard, observations
        self._about = {
            **plan.header(),
            "shard": shard,
            "num_actions": plan.setup.num_actions,
            "tensor_version": plan.setup.tensor_version,
            "planes": _planes(plan) if observations else None,
        }
        try:
            for folder in (DECISIONS, GAMES):
                (self.path / folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ParlourError(f"{name}: cannot be created: {error.strerror}") from None
        self._check()

    def _check(self) -> None:
        """Compare the folder's description with the plan; describe a new folder. Raises :class:`ParlourError`."""
        file = self.path / ABOUT
        if not file.exists():
            if any(self.path.glob("*/*")):
                raise ParlourError(f"{self.path} holds files, but no {ABOUT}; name another folder")
            self._replace(file, (json.dumps(self._about, indent=1) + "\n").encode())
            return
        try:
            about = json.loads(file.read_text())
            known = about["format"] == FORMAT
        except (OSError, ValueError, KeyError, TypeError):
            known = False
        if not known:
            raise ParlourError(f"{file}: not the description of a data set ({FORMAT}); name another folder")
        if (about.get("planes") is None) == self._observations:
            there, here = ("no observations", "some") if self._observations else ("observations", "none")
            raise ParlourError(f"{self.path} holds another data set: it has {there}, but {here} are wanted here")
        if diff := difference(about, self._about):
            raise ParlourError(f"{self.path} holds another data set: {diff}. Name another folder.")

    def _complete_shards(self) -> int:
        """Return the number of complete shards before the first incomplete or damaged shard."""
        return next(number for number in count() if not self._is_complete(number))

    def _is_complete(self, number: int) -> bool:
        """Return whether a shard has no journal and both its files are whole: Parquet ends with a magic number."""
        return not self._journal(number).exists() and all(
            _ends_with(self._file(kind, number), b"PAR1") for kind in (DECISIONS, GAMES)
        )

    def _has_later(self, number: int) -> bool:
        """Return whether there is a file of a later shard, so that this one had all its games."""
        later = (int(file.stem) for file in (self.path / GAMES).glob("*.parquet") if file.stem.isdecimal())
        return any(each > number for each in later)

    def _file(self, kind: str, number: int) -> Path:
        return self.path / kind / f"{number:05}.parquet"

    def _journal(self, number: int) -> Path:
        return self.path / f"shard-{number:05}.jsonl"

    def fill(self, games: int, where: Placement = HERE, progress: Progress = lambda games: None) -> None:
        """Play until the data set has this number of games, without playing stored games again.

        A missing or damaged file is made again.

        The journal stores each game of an incomplete shard when it ends, so that an interrupted shard can be continued.

        Raises:
            ParlourError: a file cannot be written; the journal keeps the finished games.
        """
        for number in range(self._complete_shards(), -(-games // self._shard)):
            if self._is_complete(number):
                continue
            first = number * self._shard
            plan = self._plan.from_game(first)
            required = self._shard if self._has_later(number) else min(self._shard, games - first)
            with ResultsFile(str(self._journal(number)), plan) as file:
                played = play_and_store(plan, max(required, len(file.deals)), file, where, progress)
                with closing(played):
                    deals = list(played)
            self._write(number, plan, deals)

    def stored_games(self) -> int:
        """Return the number of games in the folder, including those of the incomplete shard."""
        lines, complete = 0, self._complete_shards()
        with suppress(OSError), self._journal(complete).open("rb") as file:
            lines = max(0, sum(line.endswith(b"\n") for line in file) - 1)
        return complete * self._shard + lines

    def forfeits(self) -> dict[str, Counter[str]]:
        """Return the number of forfeited games of each bot with any, by reason, in the Parquet files."""
        polars = extra("polars", "data sets need")
        files = [file for file in sorted((self.path / GAMES).glob("*.parquet")) if _ends_with(file, b"PAR1")]
        games = polars.scan_parquet(files).filter(polars.col("forfeit").is_not_null())
        bot = polars.col("bots").list.get(polars.col("forfeit")).alias("bot")
        found: dict[str, Counter[str]] = {}
        for name, reason in games.select(bot, "reason").collect().iter_rows():
            found.setdefault(name, Counter())[reason] += 1
        return {bot: found[bot] for bot in self._plan.bots if bot in found}

    def _write(self, number: int, plan: DatasetPlan, deals: list[Deal]) -> None:
        """Write the Parquet files of a shard, and remove the journal of a complete one."""
        tables = {DECISIONS: Decisions(plan, deals, self._observations).table(), GAMES: games_table(plan, deals)}
        for kind, table in tables.items():
            content = io.BytesIO()
            table.write_parquet(content, metadata={KEY: json.dumps(self._about)})
            self._replace(self._file(kind, number), content.getvalue())
        if len(deals) == self._shard:
            self._journal(number).unlink(missing_ok=True)

    def _replace(self, name: Path, content: bytes) -> None:
        """Write a file atomically. Raises :class:`ParlourError`."""
        try:
            write_whole(name, content, 0o644)
        except OSError as error:
            raise ParlourError(
                f"{name}: cannot be written: {error.strerror}. The games are kept; the same command continues from "
                "there."
            ) from None


def _planes(plan: DatasetPlan) -> list[dict[str, Any]]:
    """Return the name, the first cell and the number of cells of each plane of an observation."""
    return [
        {"name": plane.name, "first": plane.slice.start, "cells": plane.slice.stop - plane.slice.start}
        for plane in plan.setup.observation_planes
    ]


def _ends_with(file: Path, magic: bytes) -> bool:
    try:
        with file.open("rb") as opened:
            opened.seek(-len(magic), os.SEEK_END)
            return opened.read() == magic
    except OSError:  # no file, or a shorter one
        return False
