"""Games that tests play in the terminal."""

from pathlib import Path

from click.testing import CliRunner, Result

from parlour.cli import main


def play(*arguments: str, typed: str | bytes, folder: Path) -> Result:
    command = [
        "play",
        "trick-walls",
        "-o",
        "rounds=1",
        "--seed",
        "1",
        "--record",
        str(folder / "game.json"),
        *arguments,
    ]
    return CliRunner().invoke(main, command, input=typed)
