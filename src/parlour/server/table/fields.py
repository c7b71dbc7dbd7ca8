"""What the texts in requests may be: names, keys, words, actions; and how strictly requests are read."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

NAME_LENGTH = 30
_BIDIRECTIONAL = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""What Unicode counts among letters and signs, though nothing is seen of it."""
_FORBIDDEN_KINDS = frozenset({"Cc", "Cs", "Co", "Zl", "Zp"})


def clean_words(words: str) -> str:
    """Words on one line that cannot turn those around them about."""
    words = " ".join(words.split())
    if any(letter in _BIDIRECTIONAL or unicodedata.category(letter) in _FORBIDDEN_KINDS for letter in words):
        raise ValueError("may not have control characters")
    return words


def _clean_name(name: str) -> str:
    """Such words with a letter in them that is seen."""
    name = clean_words(name)
    if not any(unicodedata.category(letter)[0] in "LNSP" and letter not in _BLANK for letter in name):
        raise ValueError("a name needs a letter")
    return name


Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH), AfterValidator(_clean_name)]
Key = Annotated[str, Field(max_length=100)]
OwnKey = Annotated[str, Field(min_length=22, max_length=100, pattern=r"^[A-Za-z0-9_-]+$")]
Action = Annotated[str, Field(max_length=200)]
Word = Annotated[str, Field(max_length=60)]
Seen = Annotated[int, Field(ge=0, le=2**53)]
OptionValue = bool | Annotated[int, Field(ge=-(2**53), le=2**53)] | Word


class Request(BaseModel):
    """Types are taken as they are written, and unknown keys are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", hide_input_in_errors=True)
