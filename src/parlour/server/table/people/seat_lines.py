"""Log lines about the people in the seats of a table."""

from parlour.languages import gettext


def seat_line(name: str, bot: str, you: bool) -> str:
    """Return the log line about a person who takes the seat of a bot, for that person (`you`) or another viewer."""
    if you:
        return gettext("You take the seat of {bot}.", bot=bot)
    return gettext("{name} takes the seat of {bot}.", name=name, bot=bot)


def rename_line(before: str, name: str, you: bool) -> str:
    """Return the log line about a person who has another name now, for that person (`you`) or another viewer."""
    if you:
        return gettext("You are {name} now.", name=name)
    return gettext("{before} is {name} now.", before=before, name=name)
