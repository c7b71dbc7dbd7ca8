"""Names at a table, each of which its people can tell from the others."""

from collections.abc import Collection
from itertools import chain, count

from parlour.server.store.text_comparison import comparable
from parlour.server.table.fields import NAME_LENGTH


def distinct_name(name: str, others: Collection[str]) -> str:
    """Return a name, with a number after it if one of the other seats has the same: ``"Ann 2"``.

    Names that look alike (:func:`comparable`) count as equal. The longest names are cut for the number.
    """
    taken = {comparable(other) for other in others}
    numbered = (f"{name[: NAME_LENGTH - len(end)].rstrip()}{end}" for end in (f" {number}" for number in count(2)))
    return next(each for each in chain([name], numbered) if comparable(each) not in taken)
