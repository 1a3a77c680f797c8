"""`hitonami rate`: the ratings of players from their moves alone."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.errors import BadInput

if TYPE_CHECKING:
    from hitonami.evaluate.rating_of import Person, Rated
    from hitonami.evaluate.strength_fit import Played

_NETWORK = {"kind": "human", "openings": False}  # counts of openings say what is played, not by whom


@click.command("rate")
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
@click.option("--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="All figures.")
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
    json_file: Path | None,
) -> None:
    """Estimate the rating of each player in FILE… (records or shards) from the moves, with the 95% interval.

    Neither results nor the ratings in the records are used. An interrupted run (Ctrl-C) tells of the players done.

    --fit writes a calibration of one --pool into a file, from validation games of one half of the players; --measure
    compares estimates with the recorded ratings on test games of the other half.
    """
    from hitonami.core import open_game
    from hitonami.dataset.groups import SplitChoice
    from hitonami.dataset.reading import Tally, open_data
    from hitonami.evaluate.rating_of import Wanted, draw_people, find_people
    from hitonami.report.rate import as_json, as_lines
    from hitonami.terminal.progress import Meter

    if json_file is not None and not json_file.absolute().parent.is_dir():
        raise BadInput(f"{json_file}: there is no folder {json_file.parent}")
    if (fit_file is not None or measure) and not pool:
        raise BadInput("a calibration belongs to one pool: name it with --pool")
    name, tally = open_game(game).name, Tally()
    data = open_data(files, name, named=True)
    split: SplitChoice = "validation" if fit_file is not None else "test" if measure else "all"
    with Meter(data.bytes_total, "games") as meter:
        people = find_people(data, Wanted(pool, names, most_games, split), tally, meter.show)
    for complaint in tally.complaints():
        click.echo(f"hitonami: {complaint}", err=True)
    if not people:
        raise BadInput(f"no such player in {tally.games:,} games: {', '.join(names)}" if names else "nobody but bots")
    if fit_file is not None:
        _fit(name, pool, people, most_people, most_moves, fit_file)
        return
    if measure:
        _measure(name, pool, people, most_people, most_moves)
        return
    rated = _rate(name, draw_people(people, most_people), mind, most_moves)
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
        rater = Rater(game, room.open(_NETWORK if mind == "human" else mind), expert, mind == "human", most_moves)
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


def _fit(game: str, pool: str, people: list["Person"], most_people: int | None, most_moves: int, path: Path) -> None:
    from hitonami.evaluate.evidence import feature_names
    from hitonami.evaluate.rating_of import draw_people
    from hitonami.evaluate.strength import network_of, ratings_told, span_of, write_calibration
    from hitonami.evaluate.strength_fit import fit_calibration, half_of
    from hitonami.models.shipped import shipped_models

    own = [person for person in people if half_of(person.name) == 0 and person.recorded is not None]
    games = _collect(game, pool, draw_people(own, most_people), most_moves)
    ratings = ratings_told(game, pool, None)
    features = feature_names(ratings, game in shipped_models("expert"))
    population = [person.recorded for person in own if person.recorded is not None]
    found = fit_calibration(games, ratings, features, span_of(game, pool), population)
    facts = {
        "split": "validation",
        "players": len({each.player for each in games}),
        "games": len(games),
        "moves": sum(len(each.rows) for each in games),
    }
    write_calibration(path, game, pool, replace(found, network=network_of(game)), facts)
    click.echo(f"wrote {path}: {facts['players']:,} players, {facts['games']:,} games, {facts['moves']:,} moves")


def _measure(game: str, pool: str, people: list["Person"], most_people: int | None, most_moves: int) -> None:
    from hitonami.evaluate.rating_of import draw_people
    from hitonami.evaluate.strength import calibration_for
    from hitonami.evaluate.strength_fit import half_of, measure
    from hitonami.models.shipped import shipped_models
    from hitonami.report.rate import measured_lines

    calibration = calibration_for(game, pool, game in shipped_models("expert"))
    if calibration is None:
        raise BadInput(f"there is no calibration for {game}, pool {pool}: make one with --fit")
    own = [person for person in people if half_of(person.name) == 1 and person.recorded is not None]
    games = _collect(game, pool, draw_people(own, most_people), most_moves)
    for line in measured_lines(measure(games, calibration)):
        click.echo(line)


def _collect(game: str, pool: str, people: list["Person"], most_moves: int) -> list["Played"]:
    from hitonami.core import Effort
    from hitonami.evaluate.evidence import Witness
    from hitonami.evaluate.rating_of import Rater
    from hitonami.evaluate.strength import ratings_told
    from hitonami.evaluate.strength_fit import collect
    from hitonami.models.shipped import shipped_models
    from hitonami.specs import Room
    from hitonami.terminal.progress import Meter

    room, found = Room(), []
    try:
        expert = room.open("expert") if game in shipped_models("expert") else None
        rater = Rater(game, room.open(_NETWORK), expert, True, most_moves)
        witness = Witness(rater.human, expert, ratings_told(game, pool, None), pool)
        with Meter(len(people), "games") as meter:
            for done, games in enumerate(collect(people, rater, witness, Effort.seeded()), start=1):
                found += games
                meter.show(done, len(found))
    finally:
        room.close()
    return found
