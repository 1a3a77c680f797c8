"""`hitonami openings`: do a mind's games begin like those of people of the level?"""

import json
from pathlib import Path

import click

from hitonami.cli._options import check_folders

_DEPTHS = (1, 2, 4, 6, 8, 10, 14, 20)


@click.command("openings")
@click.argument("game")
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, required=True, help="A mind to compare; may be given several times.")
@click.option("--by", type=click.Choice(["rating", "rank", "none"]), default=None, help="Groups; else as the game has.")
@click.option("--band", type=click.FloatRange(1), default=200.0, show_default=True, help="Width of rating groups.")
@click.option("--plies", type=click.IntRange(1, 60), default=10, show_default=True, help="How deep lines go.")
@click.option("--games", type=click.IntRange(2), default=1000, show_default=True, help="People's games of each group.")
@click.option("--least", type=click.IntRange(2), default=100, show_default=True, help="Groups with fewer are left out.")
@click.option("--filter", "chosen", default=None, help="See `hitonami data rules`; else what suits openings.")
@click.option("--pool", default="", help="Take this pool only.")
@click.option("--size", type=click.IntRange(1), default=None, help="Go: the board size, instead of the filter's.")
@click.option("--split", type=click.Choice(["train", "validation", "test", "all"]), default="all", show_default=True)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the mind's games and the halves."
)
@click.option("--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="All figures.")
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    by: str | None,
    band: float,
    plies: int,
    games: int,
    least: int,
    chosen: str | None,
    pool: str,
    size: int | None,
    split: str,
    seed: int,
    json_file: Path | None,
) -> None:
    """Compare the first moves of each --mind's games with people's games of GAME in DATA, level by level.

    Both players of a game belong to the group; the mind plays itself at the group's median rating.
    """
    from hitonami.core import Effort, open_game
    from hitonami.dataset.reading import open_data
    from hitonami.evaluate.grouping import default_by
    from hitonami.evaluate.repertoire import FILTER, Compared, Plan, collect, compare, sample_lines
    from hitonami.report.repertoire import Openings, as_json, as_lines
    from hitonami.specs import Room
    from hitonami.terminal.progress import Meter

    check_folders((json_file,))
    name = open_game(game).name
    kind = by or default_by(name)
    rules = FILTER if chosen is None else chosen
    plan = Plan(name, kind, band, plies, games, least, rules, pool, size, split, seed)  # type: ignore[arg-type]  # click.Choice
    depths = sorted({depth for depth in _DEPTHS if depth < plies} | {plies})
    room = Room()
    try:
        opened = {mind: room.open(mind) for mind in minds}
        found = open_data(data, name)
        with Meter(found.bytes_total, "games") as meter:
            groups = collect(found, plan, meter.show)
        compared: dict[str, list[Compared]] = {}
        with Meter(len(minds) * sum(len(each.lines) for each in groups), "lines") as meter:
            done = 0
            for mind, asked in opened.items():
                compared[mind] = []
                for each in groups:
                    lines = sample_lines(asked, each, len(each.lines), plies, Effort.seeded(seed))
                    compared[mind].append(compare(each, lines, depths, seed))
                    done += len(each.lines)
                    meter.show(done, done)
    finally:
        room.close()
    openings = Openings(name, split, {mind: tuple(groups) for mind, groups in compared.items()})
    for line in as_lines(openings):
        click.echo(line)
    if json_file is not None:
        json_file.write_text(json.dumps(as_json(openings), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
