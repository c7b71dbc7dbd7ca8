"""The trial of several servers: it detects lost, doubled and changed actions."""

import tempfile
from dataclasses import replace
from pathlib import Path

import click
import pytest
import sqlalchemy as sql
from trials.cluster_clients import Findings, Table, TrialGame
from trials.cluster_servers import HAPROXY, check_out
from trials.command import RefusedError

from tests.helpers import run_apart
from tests.server.card_room import CardRoom
from trials import cluster_clients

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def played_table(tmp_path_factory):
    """Return a table with an action of a person, and its database."""
    card_room = CardRoom(tmp_path_factory.mktemp("cluster") / "tables.sqlite")
    table = card_room.open("you", "thumb")
    with card_room.sit(table["table"], table["key"]) as ann:
        scene = ann.until(lambda scene: scene["legal"])
        action, seen = scene["legal"][0], scene["seen"]
        ann.do(action)
        ann.until_seen(seen + 1)
    card_room.stop()
    done = {seen: (0, action)}
    return TrialGame(table["table"], table["commitment"], [0], dict(done), dict(done)), card_room.database, seen


class TestComparison:
    def findings_of(self, game, place):
        found = Findings(games=[game]).compare(sql.create_engine(f"sqlite:///{place}"))
        return {name: found[name] for name in ("acknowledged", "lost", "doubled", "deals_changed")}

    def test_an_intact_game_has_no_findings(self, played_table):
        game, place, _ = played_table
        assert self.findings_of(game, place) == {"acknowledged": 1, "lost": 0, "doubled": 0, "deals_changed": 0}

    def test_an_action_that_is_not_stored_is_lost(self, played_table):
        game, place, seen = played_table
        more = replace(game, acknowledged={**game.acknowledged, seen + 500: (0, "top")})
        assert self.findings_of(more, place)["lost"] == 1

    def test_an_action_without_a_sender_counts_as_doubled(self, played_table):
        game, place, _ = played_table
        assert self.findings_of(replace(game, sent={}), place)["doubled"] == 1

    def test_another_deal_is_detected(self, played_table):
        game, place, _ = played_table
        assert self.findings_of(replace(game, commitment="x"), place)["deals_changed"] == 1


class TestFindings:
    def test_a_wait_without_an_earlier_disturbance_is_of_quiet_times(self):
        findings = Findings(_disturbed=[(100.0, "kills")])
        assert not findings.quiet(110.0, 15.0)
        assert findings.quiet(120.0, 15.0)
        assert findings.quiet(99.0, 15.0)

    def test_a_wait_is_attributed_to_the_last_disturbance(self):
        findings = Findings(_disturbed=[(100.0, "kills"), (200.0, "restarts")])
        findings.waits += [(50.0, 0.1), (101.0, 2.0), (120.0, 1.0), (201.0, 3.0)]
        assert findings.longest() == {"nothing": 0.1, "kills": 2.0, "restarts": 3.0}


class TestRequests:
    @pytest.fixture
    def table(self):
        return Table([1, 2], {"id": "three-tricks", "players": [2]}, 0, 1.0, Findings())

    @pytest.fixture
    def answered(self, table, monkeypatch):
        """Return a function that asks the table's question and receives these statuses in turn."""
        monkeypatch.setattr(cluster_clients, "_AGAIN_SECONDS", (0.0, 0.0))

        def ask(*statuses):
            answers = iter([(status, {"error": "why"}) for status in statuses])
            monkeypatch.setattr(cluster_clients, "ask", lambda *request: next(answers))
            return run_apart(table._ask("/api/tables", {}))

        return ask

    def test_are_repeated_after_failures_and_refusals_for_now(self, table, answered):
        assert answered(0, 500, 503, 421, 429, 201) == {"error": "why"}
        assert table.findings.counts.total() == 5

    @pytest.mark.parametrize("status", [400, 403, 404, 409, 422])
    def test_end_the_trial_if_they_are_refused_for_good(self, answered, status):
        with pytest.raises(RefusedError, match=f"refuses /api/tables with status {status}: why"):
            answered(503, status)


def test_an_unknown_version_leaves_no_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with (
        pytest.raises(click.ClickException, match="the version no-such-commit is not here"),
        check_out("no-such-commit"),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_documented_settings_of_haproxy_are_those_of_the_trial():
    paper = (Path(__file__).parents[2] / "docs" / "running.md").read_text()
    (block,) = [part for part in paper.split("```") if part.startswith("haproxy")]
    tried = {line.strip() for line in HAPROXY.format(port=1, servers="").splitlines()}
    lines = [line.strip() for line in block.splitlines()[1:]]
    assert len(lines) > 5
    assert [line for line in lines if line not in tried and not line.startswith("server ")] == []
