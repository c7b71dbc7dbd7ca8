"""The published studies: a command makes each, its results are stored, and its tables agree with them."""

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from parlour.cli import main, study_commands
from parlour.games import game_ids
from parlour.statistics import Estimate
from parlour.studies.measures import MEASURES, SHARE, Measure
from parlour.studies.naming import interval_text, short_name
from parlour.studies.plan import Study

FOLDER = Path(__file__).parents[2] / "docs" / "studies"
PAPERS = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")
TITLES = {measure.title: measure for measure in MEASURES}
WAY = Measure("", "", "% of games", lambda games: games.decisions, SHARE)
"""The measure that formats the shares of endings."""


@dataclass
class Paper:
    """A published study: its document, the plan of its command, and the stored results."""

    text: str
    plan: Study
    deals: int
    results: dict[str, Any]

    def rows(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the rows of its tables of variations: the variation, and each cell by its column's head."""
        for lines in re.findall(r"^\| variation \|.*\n(?:\|.*\n)+", self.text, re.MULTILINE):
            head, _, *rows = ([cell.strip() for cell in line.strip("|\n ").split("|")] for line in lines.splitlines())
            for name, *cells in rows:
                yield name, dict(zip(head[1:], cells, strict=True))

    def cell(self, name: str, head: str) -> str:
        """Return a cell's text from the results of a variation; the head is a measure or an ending, and a bot."""
        setups = self.plan.setups
        [number] = [place for place, setup in enumerate(setups) if short_name(setup, setups) == name]
        what, _, bot = head.rpartition(" by ")
        what, top = (what, self.plan.bots.index(bot)) if bot in self.plan.bots else (head, self.plan.strongest)
        measure = TITLES.get(what)
        who = [self.plan.bots[place] for place in ((top, top - 1) if measure and measure.head_to_head else (top,))]
        [played] = [each for each in self.results["variations"][number]["played"] if each["bots"] == who]
        found = played[measure.name] if measure else played["endings"].get(what)
        return interval_text(measure or WAY, Estimate(**found)) if found else "–"


@pytest.fixture(params=PAPERS, ids=lambda path: path.stem)
def paper(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Paper:
    """Return a published study. No game is played: its command is only parsed."""
    asked: list[tuple[Study, int]] = []
    monkeypatch.setattr(study_commands, "_run_study", lambda plan, deals, **settings: asked.append((plan, deals)))
    text = request.param.read_text(encoding="utf-8")
    [command] = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    result = CliRunner().invoke(main, shlex.split(command.replace("\\\n", ""))[1:])
    assert result.exit_code == 0, result.output
    [(plan, deals)] = asked
    return Paper(text, plan, deals, json.loads(request.param.with_suffix(".json").read_text(encoding="utf-8")))


def test_every_game_has_a_study_that_the_index_lists() -> None:
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    results = [json.loads(path.with_suffix(".json").read_text(encoding="utf-8")) for path in PAPERS]
    assert {each["game"] for each in results} == set(game_ids())
    assert all(f"({path.name})" in index for path in PAPERS)


class TestAStudy:
    def test_its_command_is_that_of_the_stored_results(self, paper: Paper) -> None:
        results, plan = paper.results, paper.plan
        assert (results["game"], results["bots"], results["seed"]) == (plan.game.id, list(plan.bots), plan.seed)
        assert [each["variation"] for each in results["variations"]] == [setup.variation for setup in plan.setups]
        assert (results["deals"], results["evaluated_deals"]) == (paper.deals, plan.evaluated_deals)

    def test_its_tables_agree_with_the_results(self, paper: Paper) -> None:
        rows = list(paper.rows())
        assert len(rows) >= len(paper.plan.setups)
        for name, cells in rows:
            assert cells == {head: paper.cell(name, head) for head in cells}, name

    def test_its_pictures_are_beside_it_and_small(self, paper: Paper) -> None:
        pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", paper.text)
        assert pictures
        assert all((FOLDER / picture).stat().st_size < 100_000 for picture in pictures)

    def test_it_ends_with_suggestions_for_the_designer(self, paper: Paper) -> None:
        assert re.findall(r"^## (.*)$", paper.text, re.MULTILINE)[-1] == "What the designer might change"
