"""Names at a table, each of which its people can tell from the others."""

from collections.abc import Collection
from itertools import chain, count

from parlour.server.store.people.numbered_names import is_numbered_form, numbered_name
from parlour.server.store.text_comparison import comparable


def distinct_name(name: str, others: Collection[str]) -> str:
    """Return a name, with a number after it if one of the other seats has the same: ``"Ann 2"``.

    Names that look alike (:func:`comparable`) count as equal.
    """
    taken = {comparable(other) for other in others}
    numbered = (numbered_name(name, number) for number in count(2))
    return next(each for each in chain([name], numbered) if comparable(each) not in taken)


def entered_name(name: str, others: Collection[str]) -> str:
    """Return the name at a seat without the number that :func:`distinct_name` has added to it at this table."""
    same = next((other for other in others if is_numbered_form(name, other)), None)
    if same is None:
        return name
    entered = name.rpartition(" ")[0]
    return entered if comparable(entered) == comparable(same) else same  # the longest names were cut for the number
