"""``docs/decisions/``: the front matter of the records, and the index generated from it."""

import re
from pathlib import Path

import pytest

from parlour.authors.decisions_index import INDEX, index_page, read_record, read_records

FOLDER = Path(__file__).parents[2] / "docs" / "decisions"
VALID = "---\ndate: 2026-11-21\narea: engine\nstatus: accepted\n---\n\n# 7. A title\n\nText.\n"


def superseding(record):
    """Return the numbers of the records that supersede a record wholly or in part."""
    return [int(number) for number in re.findall(r"\d{4}", record.status)]


@pytest.fixture
def write_record(tmp_path):
    def write(text):
        file = tmp_path / "0007-a-title.md"
        file.write_text(text, encoding="utf-8")
        return file

    return write


class TestRecords:
    RECORDS = read_records(FOLDER)

    def test_every_file_of_the_folder_is_a_record_with_its_own_number(self):
        files = {file.name for file in FOLDER.iterdir()} - {INDEX}
        assert {record.file for record in self.RECORDS} == files
        assert len({record.number for record in self.RECORDS}) == len(files)

    def test_superseding_records_exist(self):
        numbers = {record.number for record in self.RECORDS}
        missing = {record.file: set(superseding(record)) - numbers for record in self.RECORDS}
        assert {file: wrong for file, wrong in missing.items() if wrong} == {}
        assert [record.file for record in self.RECORDS if record.number in superseding(record)] == []

    def test_superseding_records_are_linked_from_the_superseded(self):
        for record in self.RECORDS:
            text = (FOLDER / record.file).read_text(encoding="utf-8")
            assert [number for number in superseding(record) if f"]({number:04}-" not in text] == [], record.file

    def test_fifteen_records_are_essential_and_none_of_them_is_superseded(self):
        essential = [record for record in self.RECORDS if record.essential]
        assert len(essential) == 15
        assert [record.file for record in essential if record.status.startswith("superseded")] == []


class TestIndex:
    def test_equals_the_generated_page(self):
        """``make docs`` writes it."""
        assert (FOLDER / INDEX).read_text(encoding="utf-8") == index_page(read_records(FOLDER))

    def test_lists_every_record_in_its_area_and_the_essential_ones_first(self):
        first, *areas = (FOLDER / INDEX).read_text(encoding="utf-8").split("\n## ")[1:]
        for record in read_records(FOLDER):
            assert (f"({record.file})" in first) == record.essential
            assert sum(f"({record.file})" in area for area in areas) == 1


class TestFrontMatter:
    def test_is_read(self, write_record):
        record = read_record(write_record(VALID))
        assert (record.number, record.title, record.area, record.status) == (7, "A title", "engine", "accepted")
        assert (str(record.date), record.essential) == ("2026-11-21", False)

    def test_names_several_superseding_records(self, write_record):
        text = VALID.replace("accepted", "partly superseded by 0008, 0019")
        assert superseding(read_record(write_record(text))) == [8, 19]

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("---\n\n#", "#"),
            ("date: 2026-11-21\n", ""),
            ("date: 2026-11-21", "date: yesterday"),
            ("area: engine", "area: cellar"),
            ("status: accepted", "status: superseded by 8"),
            ("status: accepted", "status: accepted\nessential: false"),
            ("status: accepted", "status: accepted\nauthor: me"),
            ("# 7. A title", "# 8. A title"),
            ("# 7. A title", "# A title"),
        ],
    )
    def test_an_invalid_front_matter_is_refused(self, write_record, before, after):
        assert before in VALID
        with pytest.raises(ValueError, match=r"\S"):
            read_record(write_record(VALID.replace(before, after)))
