"""PDF files of pages."""

from pathlib import Path

import pytest

from parlour.engine.errors import ParlourError
from parlour.render import pdf
from parlour.render.pdf import check_pdf, write_pdf

PAGE = "<!doctype html><html><head><title>T</title><style></style></head><body>{}</body></html>"


class TestWriting:
    def test_it_replaces_the_previous_file(self, tmp_path: Path) -> None:
        file = tmp_path / "page.pdf"
        file.write_text("before")
        write_pdf(file, PAGE.format("<p>Words</p>"))
        assert file.read_bytes().startswith(b"%PDF-")
        assert [path.name for path in tmp_path.iterdir()] == ["page.pdf"]

    def test_it_fetches_nothing(self, tmp_path: Path) -> None:
        secret = tmp_path / "secret.svg"
        secret.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>hidden</title></svg>')
        write_pdf(tmp_path / "with.pdf", PAGE.format(f'<img src="{secret.as_uri()}" alt="">'))
        write_pdf(tmp_path / "without.pdf", PAGE.format('<img src="file:///no/such/file" alt="">'))
        with_file, without = ((tmp_path / f"{name}.pdf").read_bytes() for name in ("with", "without"))
        assert len(with_file) == len(without)


class TestWhatIsMissing:
    def test_a_missing_package_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pdf, "_WEASYPRINT", "weasyprint_of_another_machine")
        with pytest.raises(ParlourError, match=r"PDF files need weasyprint.*pip install 'parlour\[pdf\]'"):
            check_pdf()

    def test_a_missing_library_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def extra(*_: str) -> None:
            raise OSError("cannot load library 'libpango-1.0-0'")

        monkeypatch.setattr(pdf, "extra", extra)
        with pytest.raises(ParlourError, match=r"PDF files need the library Pango.*apt install libpango"):
            check_pdf()
