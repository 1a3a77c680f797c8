"""The sample games that come with the package: played by our own agents, so they say nothing about people.

    python recipes/experiments/sample_games.py GAME

They let every experiment run at its quick size on a fresh machine. The players are recorded as bots, without names.
"""

from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from hitonami.core import Setup, open_game
from hitonami.dataset.shards import table_of, write_shard
from hitonami.matches.entrants import read_entrants
from hitonami.matches.openings import deal, read_openings
from hitonami.matches.pairing import Schedule
from hitonami.matches.tournament import record_of, run_tournament
from hitonami.terminal.progress import Meter

_FIELDS: Final = {
    "chess": ("lichess", ("1000", "1300", "1600", "1900", "2200"), 4, 160),
    "shogi": ("shogiwars", ("1k", "1d", "3d", "5d"), 6, 140),
    "go": ("kgs", ("10k", "5k", "1d", "5d"), 4, 160),
}
"""Of each game: pool, ratings, games between each pair, plies after which a game is cut."""
_FOLDER: Final = Path(__file__).parents[2] / "src" / "hitonami" / "dataset" / "sample_games"


@click.command()
@click.argument("game", type=click.Choice(sorted(_FIELDS)))
def command(game: str) -> None:
    """Play them, and write the shard of GAME."""
    pool, ratings, games, plies = _FIELDS[game]
    entrants = read_entrants(tuple(f"human@{rating}" for rating in ratings), pool, game)
    lines = read_openings("none", open_game(game), Setup(), 0)
    openings = deal(lines, 0) if isinstance(lines, tuple) else lines
    plan = Schedule(game, entrants, games, openings, seed=1, max_plies=plies)
    with Meter(games * len(plan.pairs()), "games") as meter:
        event = run_tournament(plan, show=lambda done: meter.show(done, done))
    records = [record_of(plan, each) for each in event.games]
    nameless = [
        replace(each, players=(replace(each.players[0], name=None), replace(each.players[1], name=None)))
        for each in records
    ]
    folder = _FOLDER / game
    folder.mkdir(parents=True, exist_ok=True)
    write_shard(table_of(nameless, ["agents of this package"] * len(nameless)), folder / "shard-00000.parquet")
    click.echo(f"{len(records)} games in {folder.name}")


if __name__ == "__main__":
    command()
