"""The commands for authors of games: a skeleton to begin with, and whether a game keeps the laws."""

import click

from parlour.progress import progress_bar


@click.command()
@click.argument("game_id", metavar="GAME")
@click.option("--games", "-n", default=100, show_default=True, type=click.IntRange(1), help="How many random games.")
@click.option("--seed", default=0, show_default=True, help="The same seed, the same games.")
def check(game_id: str, games: int, seed: int) -> None:
    """Play random games of every kind, and tell what leaks, miscounts or cannot be replayed."""
    from parlour.games import find_game
    from parlour.lab.laws import LAWS
    from parlour.lab.laws import check as look

    game = find_game(game_id)
    click.echo("Compiling the rules if they are new (some seconds) …", err=True)
    with progress_bar("Games", games) as advance:
        found = look(game, games, seed, lambda done: advance(1))
    click.echo(f"{game.title}: {found.games} random games, looked at closely {found.moments} times.")
    for law, means in LAWS.items():
        broken = found.broken.get(law)
        click.echo(f"  {'BROKEN' if broken else 'holds '}  {law}: {means}")
        if broken:
            click.echo(f"          {broken.told}\n          ({broken.where})")
    if found.broken:
        raise click.exceptions.Exit(1)


@click.command("new-game")
@click.argument("name")
def new_game(name: str) -> None:
    """Write a small game of this name, as a package of its own: it can be played at once, and changed into yours."""
    from parlour.lab.skeleton import write_game

    folder = write_game(name)
    click.echo(f"{folder}/ is a package with a small game. Install it, and it is among the games:")
    click.echo(f"  pip install --editable {folder}\n  parlour play {folder.name}\n  parlour check {folder.name}")
