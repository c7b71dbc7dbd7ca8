"""Rules pages generated from the code: each game's rules with its options and credits."""

from pathlib import Path

from parlour.engine.game import Game, Option, Value, option_value_name, players_text
from parlour.engine.setup import Setup
from parlour.games import find_game, game_ids
from parlour.render.layouts import rules_text


def rules_page(game_id: str, different: str = "") -> str:
    """Return a game's rules as one Markdown page: credit, prose, options with their consequences.

    ``different`` is the section of a variation on its differences; it comes before the prose.
    """
    game = find_game(game_id)
    parts = [
        f"# {game.title}",
        f"{game.summary} For {players_text(game.players)} players.",
        f"*{game.credit} The words here are ours.*",
        *([different] if different else []),
        rules_text(game_id).strip(),
        "## Options",
        *(_option_text(game, option) for option in game.options if not option.advanced),
    ]
    if advanced := [option for option in game.options if option.advanced]:
        parts += ["### Further numbers", *(_option_text(game, option) for option in advanced)]
    return "\n\n".join(parts) + "\n"


def _option_text(game: Game, option: Option) -> str:
    lines = [
        f"- `{option.name}` ({option.values_text()}; {_default_text(game, option)}; {option.clause}): {option.help}."
    ]
    lines += [f"    - `{option_value_name(value)}`: {text}" for value, text in option.consequences.items()]
    return "\n".join(lines)


def _default_text(game: Game, option: Option) -> str:
    by_value: dict[Value, list[int]] = {}
    for players in game.players:
        by_value.setdefault(Setup(game, players).options[option.name], []).append(players)
    if len(by_value) == 1:
        return f"default {option_value_name(next(iter(by_value)))}"
    texts = [f"{option_value_name(value)} with {_numbers(numbers)}" for value, numbers in by_value.items()]
    return f"default {', '.join(texts)} players"


def _numbers(numbers: list[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"


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
