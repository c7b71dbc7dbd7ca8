"""The PostgreSQL server of trials and tests."""

from pathlib import Path

import pytest
from trials.postgresql import NoPostgresError, binaries_of


def install(folder: Path, version: str, *programs: str) -> None:
    """Make the folder of a version with these programs."""
    (folder / version / "bin").mkdir(parents=True)
    for program in programs:
        (folder / version / "bin" / program).touch()


class TestTheProgramsOfTheServer:
    def test_are_those_of_the_newest_version_that_has_a_server(self, tmp_path: Path) -> None:
        install(tmp_path, "9", "initdb")
        install(tmp_path, "15", "initdb", "psql")
        install(tmp_path, "17", "psql")
        assert binaries_of(tmp_path) == tmp_path / "15" / "bin"

    def test_are_missing_with_a_client_alone(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        install(tmp_path, "17", "psql")
        monkeypatch.setattr("shutil.which", lambda program: None)
        with pytest.raises(NoPostgresError, match="apt install postgresql"):
            binaries_of(tmp_path)
