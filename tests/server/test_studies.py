"""Study reports in the card room, which shows them only to a browser on its own machine."""

import os
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.server.http.app import create_app
from parlour.server.store.store import Store
from parlour.studies.plan import Study
from parlour.studies.report import report_store

REPORT = '<!doctype html><title>A &amp; B: a study</title><p class="about">2 variations</p><svg></svg>'
STUDY = Study((Setup(find_game("three-tricks"), 2),), ("thumb",))
NAMED = "three-tricks-"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "parlour"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    file = tmp_path / "report.html"
    file.write_text(REPORT)
    return file


@pytest.fixture
def client(tmp_path: Path):
    store = Store(tmp_path / "tables.sqlite")
    app = create_app(store, names=("cards.example",))
    yield TestClient(app, base_url="http://localhost:8080", client=("127.0.0.1", 5000))
    store.close()


class TestShelf:
    def test_a_report_is_private_and_replaces_an_older_one_of_its_study(self, report: Path, data: Path) -> None:
        first = report_store.store_report(report, STUDY)
        report.write_text("newer")
        assert report_store.store_report(report, STUDY) == first
        assert first is not None
        assert first.startswith(NAMED)
        assert report_store.stored_report(first) == "newer"
        [file] = (data / "studies").iterdir()
        assert file.stat().st_mode & 0o077 == 0

    def test_another_study_is_another_report(self, report: Path) -> None:
        other = Study(STUDY.setups, ("thumb",), seed=1)
        assert report_store.store_report(report, STUDY) != report_store.store_report(report, other)

    @pytest.mark.parametrize("changed", ["parlour.studies.plan.__version__", "parlour.contests.contest.bots_hash"])
    def test_the_same_study_by_other_code_replaces_its_report(
        self, report: Path, data: Path, monkeypatch: pytest.MonkeyPatch, changed: str
    ) -> None:
        first, header = report_store.store_report(report, STUDY), STUDY.header()
        monkeypatch.setattr(changed, "99" if "version" in changed else lambda game: "99")
        again = Study(STUDY.setups, STUDY.bots)
        assert again.header() != header
        assert report_store.store_report(report, again) == first

    def test_a_name_leads_nowhere_else(self, report: Path, data: Path) -> None:
        report_store.store_report(report, STUDY)
        (data / "secret.html").write_text("secret")
        for name in ("../secret", "..", "", "/etc/passwd", "a" * 81):
            assert report_store.stored_report(name) is None

    def test_a_damaged_report_is_shown_as_far_as_it_can_be_read(self, report: Path, data: Path) -> None:
        name = report_store.store_report(report, STUDY)
        (data / "studies" / "damaged.html").write_bytes(b"<title>Whole</title>\xff</body>")
        assert f"/studies/{name}" in (page := report_store.stored_reports_page("/studies"))
        assert "Whole" in page
        assert "Whole" in (report_store.stored_report("damaged") or "")

    def test_without_a_writable_folder_there_is_no_address(self, report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(report_store, "data_folder", lambda: None)
        assert report_store.store_report(report, STUDY) is None
        assert report_store.stored_report("three-tricks") is None


class TestPages:
    def test_the_newest_comes_first_and_each_is_shown_as_it_is(
        self, client: TestClient, report: Path, data: Path
    ) -> None:
        names = [report_store.store_report(report, Study(STUDY.setups, ("thumb",), seed=seed)) for seed in range(2)]
        os.utime(data / "studies" / f"{names[0]}.html", (1, 1))
        listing = client.get("/studies")
        assert listing.text.index(f"/studies/{names[1]}") < listing.text.index(f"/studies/{names[0]}")
        assert "A &amp; B: a study" in listing.text
        assert "2 variations" in listing.text
        page = client.get(f"/studies/{names[0]}")
        assert page.text == REPORT
        assert page.headers["content-security-policy"].startswith("default-src 'none'; style-src 'unsafe-inline'")
        assert page.headers["x-frame-options"] == "DENY"

    def test_there_is_no_page_by_another_name(self, client: TestClient) -> None:
        assert client.get("/studies/three-tricks-12345678").status_code == 404
        assert "There are none yet" in client.get("/studies").text

    @pytest.mark.parametrize("headers", [{"Host": "cards.example"}, {"X-Forwarded-For": "203.0.113.9"}], ids=str)
    def test_remote_clients_get_no_reports(self, client: TestClient, report: Path, headers) -> None:
        name = report_store.store_report(report, STUDY)
        for address in ("/studies", f"/studies/{name}"):
            assert client.get(address, headers=headers).status_code == 404
