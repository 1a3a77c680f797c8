"""`hitonami rate`: the ratings of players from their moves alone."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.errors import BadInput

if TYPE_CHECKING:
    from hitonami.evaluate.rating_of import Person, Rated


@click.command("rate")
@click.argument("game")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--player", "names", multiple=True, help="Rate this player only; may be given several times.")
@click.option("--pool", default="", help="The pool whose scale is meant, such as lichess, fide or ogs.")
@click.option("--games", "most_games", type=click.IntRange(1), default=20, show_default=True, help="Of each player.")
@click.option("--moves", "most_moves", type=click.IntRange(1), default=240, show_default=True, help="Of each player.")
@click.option("--mind", default="human", show_default=True, help="What knows how people play.")
@click.option("--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="All figures.")
def command(
    game: str,
    files: tuple[str, ...],
    names: tuple[str, ...],
    pool: str,
    most_games: int,
    most_moves: int,
    mind: str,
    json_file: Path | None,
) -> None:
    """Estimate the rating of each player in FILE… (records or shards) from the moves, with the 95% interval.

    Neither results nor the ratings in the records are used. An interrupted run (Ctrl-C) tells of the players done.
    """
    from hitonami.core import open_game
    from hitonami.dataset.reading import Tally, open_data
    from hitonami.evaluate.rating_of import Wanted, find_people
    from hitonami.report.rate import as_json, as_lines
    from hitonami.terminal.progress import Meter

    if json_file is not None and not json_file.absolute().parent.is_dir():
        raise BadInput(f"{json_file}: there is no folder {json_file.parent}")
    name, tally = open_game(game).name, Tally()
    data = open_data(files, name, named=True)
    with Meter(data.bytes_total, "games") as meter:
        people = find_people(data, Wanted(pool, names, most_games), tally, meter.show)
    for complaint in tally.complaints():
        click.echo(f"hitonami: {complaint}", err=True)
    if not people:
        raise BadInput(f"no such player in {tally.games:,} games: {', '.join(names)}" if names else "nobody but bots")
    rated = _rate(name, people, mind, most_moves)
    for line in as_lines(rated):
        click.echo(line)
    if json_file is not None:
        text = json.dumps(as_json(name, mind, rated, tally), indent=1, ensure_ascii=False, allow_nan=False)
        json_file.write_text(text + "\n", encoding="utf-8")
        click.echo(f"wrote {json_file}")


def _rate(game: str, people: list["Person"], mind: str, most_moves: int) -> list["Rated"]:
    from hitonami.core import Effort
    from hitonami.evaluate.rating_of import Rater
    from hitonami.models.shipped import shipped_models
    from hitonami.specs import Room
    from hitonami.terminal.progress import Meter

    room = Room()
    rated: list[Rated] = []
    try:
        expert = room.open("expert") if mind == "human" and game in shipped_models("expert") else None
        rater = Rater(game, room.open(mind), expert, mind == "human", most_moves)
        with Meter(len(people), "players") as meter:
            for each in rater.rate(people, Effort.seeded()):
                rated.append(each)
                meter.show(len(rated), len(rated))
    except KeyboardInterrupt:
        if not rated:
            raise
        click.echo(f"hitonami: interrupted after {len(rated):,} of {len(people):,} players", err=True)
    finally:
        room.close()
    return rated
