"""Dates in the language of the current context."""

from datetime import date

from parlour.languages.messages import SOURCE_LANGUAGE, current_language

_SOURCE_LOCALE = "en_GB"


def long_date(day: date) -> str:
    """Return a date in words: ``28 November 2026``, ``28. marraskuuta 2026``."""
    from babel.dates import format_date  # few texts have dates

    code = current_language()
    words = format_date(day, "long", _SOURCE_LOCALE if code == SOURCE_LANGUAGE else code)
    return words.replace("1 ", "1er ", 1) if code == "fr" and day.day == 1 else words
