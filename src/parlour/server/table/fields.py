"""The types of values in client input: names, keys, words, actions; and the strict base of its models."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from parlour.languages import gettext
from parlour.server.store.people.numbered_names import NAME_LENGTH
from parlour.server.store.text_comparison import is_blank

WORDS_LENGTH = 200
_MOST_KEYS = 100
"""Maximum number of keys of an object; no valid request has as many."""
_NORMALIZED = 1000
"""Maximum length of a text to be normalized, in characters; normalization joins up to four of them into one."""
MARKS = 2
"""Maximum number of consecutive combining marks: more would cover the lines above and below."""
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of the text after them. Keyboards of Arabic and Hebrew have keys for *marks*
(U+061C, U+200E, U+200F), which do not: those are invisible characters like others.
"""
_JOINER = "\u200d"
_EMOJI_FORM = "\ufe0f"
_KEYCAP = "\u20e3"
_FORBIDDEN_KINDS = frozenset({"Cc", "Cs", "Co", "Zl", "Zp"})


def clean_words(words: str) -> str:
    """Return words on one line without invisible characters; empty if no character is visible.

    Raises:
        ValueError: the words have control characters, or too many combining marks on one letter.
    """
    words = " ".join(words.split())
    if any(letter in _TURNING or unicodedata.category(letter) in _FORBIDDEN_KINDS for letter in words):
        raise ValueError(gettext("may not have control characters"))
    words = "".join(letter for at, letter in enumerate(words) if not _is_invisible(words, at))
    words = unicodedata.normalize("NFC", words)  # the characters around an invisible one may form one character
    if _most_marks(words) > MARKS:
        raise ValueError(gettext("may not have more than {number} combining marks on one letter", number=MARKS))
    return " ".join(words.split()) if any(unicodedata.category(letter)[0] in "LNSP" for letter in words) else ""


def _is_invisible(words: str, at: int) -> bool:
    """Return whether a character is invisible.

    A joiner between two emoji is not, since it joins them into one, nor the choice of the form of an emoji.
    """
    letter = words[at]
    if letter == _EMOJI_FORM:
        before = words[at - 1 : at]
        return words[at + 1 : at + 2] != _KEYCAP and not (before and unicodedata.category(before) in ("So", "Sm"))
    if letter == _JOINER:
        before = words[:at].rstrip("\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
        around = (before[-1:], words[at + 1 : at + 2])
        return not all(each and unicodedata.category(each) == "So" for each in around)
    return is_blank(letter)


def _most_marks(words: str) -> int:
    """Return the maximum number of consecutive combining marks."""
    most = marks = 0
    for letter in words:
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        most = max(most, marks)
    return most


def stored_form(text: str) -> str:
    """Return a text of a name or a message as it is stored. Raises :class:`ValueError`."""
    return clean_words(unicodedata.normalize("NFC", text))


def _clean_name(name: str) -> str:
    """Return clean words that are not empty."""
    if not (clean := clean_words(name)):
        raise ValueError(gettext("a name needs a letter"))
    return clean


def _normalize(text: object) -> object:
    """Return a text in Unicode's normal form C, in which equal texts have equal characters.

    A text that is too long in every form stays as it is: the time for combining marks grows with their square.
    """
    return unicodedata.normalize("NFC", text) if isinstance(text, str) and len(text) <= _NORMALIZED else text


_NFC = BeforeValidator(_normalize)
Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH), AfterValidator(_clean_name), _NFC]
Words = Annotated[str, Field(max_length=WORDS_LENGTH), AfterValidator(clean_words), _NFC]
Key = Annotated[str, Field(max_length=100)]
OwnKey = Annotated[str, Field(min_length=22, max_length=100, pattern=r"^[A-Za-z0-9_-]+$")]
Action = Annotated[str, Field(max_length=200)]
Word = Annotated[str, Field(max_length=60)]
Tokens = Annotated[list[Word], Field(max_length=16)]
"""The things of a selection on the table, in the order of the choice."""
Seen = Annotated[int, Field(ge=0, le=2**53)]
OptionValue = bool | Annotated[int, Field(ge=-(2**53), le=2**53)] | Word


class StrictModel(BaseModel):
    """A client's input: values are not converted, and unknown keys are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _few_keys(cls, data: object) -> object:
        """Refuse thousands of unknown keys at once; otherwise each would become an error of its own."""
        if isinstance(data, dict) and len(data) > _MOST_KEYS:
            raise ValueError(gettext("may not have more than {number} keys", number=_MOST_KEYS))
        return data
