"""Rules pages generated from the code: each game's rules with its options and credits."""

from pathlib import Path

from parlour.engine.game import Game, Option, Value, option_value_name
from parlour.engine.setup import Setup
from parlour.games import find_game, game_ids
from parlour.languages import gettext
from parlour.languages.markdown import translate_markdown
from parlour.render.layouts import rules_text


def rules_page(game_id: str, different: str = "") -> str:
    """Return a game's rules as one Markdown page: summary, credit, prose, options with their consequences.

    ``different`` is the section of a variation on its differences; it comes before the prose.
    """
    game = find_game(game_id)
    ours, options, numbers = gettext("The words here are ours."), gettext("Options"), gettext("Further numbers")
    parts = [
        f"# {game.title}",
        f"{gettext(game.summary)} {_players_words(game)}",
        f"*{gettext(game.credit)} {ours}*",
        *([different] if different else []),
        translate_markdown(rules_text(game_id)).strip(),
        f"## {options}",
        *(_option_text(game, option) for option in game.options if not option.advanced),
    ]
    if advanced := [option for option in game.options if option.advanced]:
        parts += [f"### {numbers}", *(_option_text(game, option) for option in advanced)]
    return "\n\n".join(parts) + "\n"


def _option_text(game: Game, option: Option) -> str:
    about = f"{option.values_text()}; {_default_text(game, option)}; {option.clause}"
    lines = [f"- `{option.name}` ({about}): {gettext(option.help)}."]
    lines += [f"    - `{option_value_name(value)}`: {gettext(text)}" for value, text in option.consequences.items()]
    return "\n".join(lines)


def _default_text(game: Game, option: Option) -> str:
    by_value: dict[Value, list[int]] = {}
    for players in game.players:
        by_value.setdefault(Setup(game, players).options[option.name], []).append(players)
    if len(by_value) == 1:
        return gettext("default {values}", values=option_value_name(next(iter(by_value))))
    texts = [
        gettext("{value} with {players}", value=option_value_name(value), players=_numbers(numbers))
        for value, numbers in by_value.items()
    ]
    # Translators: the usual values of an option by the number of players: "default 9 with 2 to 5, 8 with 6 players"
    return gettext("default {values} players", values=", ".join(texts))


def _numbers(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return str(numbers[0])
    return gettext("{low} to {high}", low=numbers[0], high=numbers[-1])


def _players_words(game: Game) -> str:
    low, high = game.players[0], game.players[-1]
    if low == high:
        return gettext("For {players} players.", players=low)
    return gettext("For {least} to {most} players.", least=low, most=high)


def write_rules(folder: Path) -> list[Path]:
    """Write every game's rules page into a folder; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for game_id in game_ids():
        file = folder / f"{game_id}.md"
        file.write_text(rules_page(game_id), encoding="utf-8")
        files.append(file)
    return files


if __name__ == "__main__":
    import sys

    for written in write_rules(Path(sys.argv[1])):
        print(written)
