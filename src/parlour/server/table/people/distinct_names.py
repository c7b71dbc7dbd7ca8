"""Names at a table, each of which its people can tell from the others."""

from collections.abc import Collection
from itertools import count

from parlour.server.table.fields import NAME_LENGTH


def distinct_name(name: str, others: Collection[str]) -> str:
    """Return a name, with a number after it if one of the other seats has the same: ``"Ann 2"``.

    Capital and small letters count as equal. The longest names are cut for the number.
    """
    taken = {other.casefold() for other in others}
    numbered = (f"{name[: NAME_LENGTH - len(end)].rstrip()}{end}" for end in (f" {number}" for number in count(2)))
    return name if name.casefold() not in taken else next(each for each in numbered if each.casefold() not in taken)
