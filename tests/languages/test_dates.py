"""Dates in words."""

from datetime import date

import pytest

from parlour.languages import in_language
from parlour.languages.dates import long_date


class TestADate:
    @pytest.mark.parametrize(
        ("language", "first", "other"),
        [
            ("en", "1 December 2026", "21 December 2026"),
            ("de", "1. Dezember 2026", "21. Dezember 2026"),
            ("es", "1 de diciembre de 2026", "21 de diciembre de 2026"),
            ("fi", "1. joulukuuta 2026", "21. joulukuuta 2026"),
            ("fr", "1er décembre 2026", "21 décembre 2026"),
        ],
    )
    def test_is_written_as_in_its_language(self, language: str, first: str, other: str) -> None:
        with in_language(language):
            assert (long_date(date(2026, 12, 1)), long_date(date(2026, 12, 21))) == (first, other)
