"""`hitonami rate`: the ratings of players from their moves alone."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.cli._files import check_folders, tell
from hitonami.cli._options import SPLITS, Reporting
from hitonami.errors import BadInput

if TYPE_CHECKING:
    from hitonami.strength.fit import Played
    from hitonami.strength.rating_of import Person, Rated
    from hitonami.strength.run import Collecting


@click.command("rate", cls=Reporting)
@click.argument("game")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--player", "names", multiple=True, help="Rate this player only; may be given several times.")
@click.option("--pool", default="", help="The pool whose scale is meant, such as lichess, fide or ogs.")
@click.option("--games", "most_games", type=click.IntRange(1), default=20, show_default=True, help="Of each player.")
@click.option("--moves", "most_moves", type=click.IntRange(1), default=240, show_default=True, help="Of each player.")
@click.option("--mind", default="human", show_default=True, help="What knows how people play.")
@click.option("--players", "most_people", type=click.IntRange(1), default=None, help="At most, drawn by their names.")
@click.option("--fit", "fit_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="Calibrate.")
@click.option("--measure", is_flag=True, help="Tell how far estimates are from the recorded ratings.")
@click.option("--split", type=click.Choice(SPLITS), default="test", show_default=True, help="--measure: whose games.")
@click.option(
    "--least-games", type=click.IntRange(1), default=1, show_default=True, help="--fit, --measure: of each player."
)
@click.option("--cache", type=click.Path(path_type=Path, file_okay=False), help="--fit, --measure: to go on later.")
def command(
    game: str,
    files: tuple[str, ...],
    names: tuple[str, ...],
    pool: str,
    most_games: int,
    most_moves: int,
    mind: str,
    most_people: int | None,
    fit_file: Path | None,
    measure: bool,
    split: str,
    least_games: int,
    cache: Path | None,
) -> None:
    """Estimate the rating of each player in FILE… (records or shards) from the moves, with the 95% interval.

    Neither results nor the ratings in the records are used. An interrupted run (Ctrl-C) tells of the players done.

    --fit writes a calibration of one --pool into a file, from validation games of one half of the players; --measure
    compares estimates with the recorded ratings on games of the other half.
    """
    from hitonami.core import open_game
    from hitonami.dataset.reading import Tally, open_data
    from hitonami.report.rate import as_json, as_lines
    from hitonami.strength.rating_of import Wanted, check_levels, draw_people, find_people
    from hitonami.strength.run import Collecting
    from hitonami.terminal.progress import Meter

    check_folders((fit_file,))
    if (fit_file is not None or measure) and not pool:
        raise BadInput("a calibration belongs to one pool: name it with --pool")
    name, tally = open_game(game).name, Tally()
    check_levels(name)
    data = open_data(files, name, named=True)
    chosen = "validation" if fit_file is not None else split if measure else "all"
    with Meter(data.bytes_total, "games") as meter:
        people = find_people(data, Wanted(pool, names, most_games, chosen), tally, meter.show)  # type: ignore[arg-type]  # click.Choice
    for complaint in tally.complaints():
        click.echo(f"hitonami: {complaint}", err=True)
    if not people:
        raise BadInput(f"no such player in {tally.games:,} games: {', '.join(names)}" if names else "nobody but bots")
    collecting = Collecting(name, pool, most_people, most_moves, least_games, cache)
    if fit_file is not None:
        _fit(collecting, people, fit_file)
        return
    if measure:
        _measure(collecting, people, split)
        return
    rated = _rate(name, draw_people(people, most_people), mind, most_moves)
    tell(as_lines(rated), lambda: as_json(name, mind, rated, tally))


def _rate(game: str, people: list["Person"], mind: str, most_moves: int) -> list["Rated"]:
    from hitonami.core import Effort
    from hitonami.models.shipped import shipped_models
    from hitonami.specs import Room
    from hitonami.strength.rating_of import Rater
    from hitonami.strength.run import NETWORK
    from hitonami.terminal.progress import Meter

    room = Room()
    rated: list[Rated] = []
    try:
        expert = room.open("expert") if mind == "human" and game in shipped_models("expert") else None
        rater = Rater(game, room.open(NETWORK if mind == "human" else mind), expert, mind == "human", most_moves)
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


def _fit(collecting: "Collecting", people: list["Person"], path: Path) -> None:
    own = collecting.people_of(people, 0)
    facts = collecting.fit(_collect(collecting, own), own, path)
    line = f"wrote {path}: {facts['players']:,} players, {facts['games']:,} games, {facts['moves']:,} moves"
    tell([line], lambda: facts)


def _measure(collecting: "Collecting", people: list["Person"], split: str) -> None:
    from hitonami.report.rate import measured_json, measured_lines
    from hitonami.strength.fit import measure

    calibration = collecting.calibration
    found = measure(_collect(collecting, collecting.people_of(people, 1)), calibration)
    tell(measured_lines(found), lambda: measured_json(collecting.game, collecting.pool, split, found))


def _collect(collecting: "Collecting", own: list["Person"]) -> list["Played"]:
    from hitonami.terminal.progress import Meter

    drawn = collecting.drawn_of(own)
    with Meter(len(drawn), "games") as meter:
        return collecting.games_of(drawn, meter.show)
