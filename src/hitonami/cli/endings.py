"""`hitonami endings`: do minds win won positions, and give up lost ones, as people of the level do?"""

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.cli._options import check_folders

if TYPE_CHECKING:
    from hitonami.terminal.progress import Meter


@click.command("endings")
@click.argument("game")
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, required=True, help="A mind that goes on; may be given several times.")
@click.option("--by", type=click.Choice(["rating", "rank", "none"]), default=None, help="Groups; else as the game has.")
@click.option("--band", type=click.FloatRange(1), default=400.0, show_default=True, help="Width of rating groups.")
@click.option("--positions", type=click.IntRange(2), default=60, show_default=True, help="Won positions of each group.")
@click.option(
    "--won", type=click.FloatRange(0.5, 1.0), default=0.863, show_default=True, help="What the judge calls won."
)
@click.option("--first-ply", type=click.IntRange(0), default=30, show_default=True, help="No position before it.")
@click.option("--filter", "chosen", default=None, help="See `hitonami data rules`; else what suits endings.")
@click.option("--pool", default="", help="Take this pool only.")
@click.option("--split", type=click.Choice(["train", "validation", "test", "all"]), default="all", show_default=True)
@click.option(
    "--judge", "judge_text", default=None, metavar="M", help="Who calls positions won; else the usual engine."
)
@click.option("--nodes", type=click.IntRange(1), default=None, help="Of each of the judge's searches.")
@click.option("--cache", type=click.Path(path_type=Path), default=None, help="Where the judge's words are kept.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=None, help="A folder for the games; goes on where it is."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the positions and the games.")
@click.option("--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="All figures.")
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    by: str | None,
    band: float,
    positions: int,
    won: float,
    first_ply: int,
    chosen: str | None,
    pool: str,
    split: str,
    judge_text: str | None,
    nodes: int | None,
    cache: Path | None,
    out: Path | None,
    seed: int,
    json_file: Path | None,
) -> None:
    """Let each --mind go on from won positions of people's games of GAME in DATA, and compare with how people did.

    Positions are drawn from games with both players in one group. Each is played twice, the mind against itself.
    """
    from hitonami.core import open_game
    from hitonami.dataset.reading import open_data
    from hitonami.evaluate.conversion import FILTER, Plan, course_of_people, find_won, play_on, summarise
    from hitonami.evaluate.grouping import default_by
    from hitonami.evaluate.judge import cache_folder, open_judge
    from hitonami.report.conversion import Endings, as_json, as_lines
    from hitonami.specs import mind_spec
    from hitonami.terminal.progress import Meter

    check_folders((json_file,))
    name = open_game(game).name
    specs = {mind: mind_spec(mind) for mind in minds}
    kind, rules = by or default_by(name), FILTER if chosen is None else chosen
    plan = Plan(name, kind, band, positions, won, first_ply, rules, pool, split, seed)  # type: ignore[arg-type]  # click.Choice
    with open_judge(name, judge_text, nodes=nodes, cache=cache or cache_folder()) as judge:
        judge.refuse_own(specs)
        opened = open_data(data, name)
        with Meter(opened.bytes_total, "games") as meter:
            found = find_won(opened, judge, plan, meter.show)
        judged_by = judge.name
    groups = {
        group: {"people": summarise([[course_of_people(each)] for each in wons], seed)} for group, wons in found.items()
    }
    with Meter(2 * len(specs) * sum(map(len, found.values())), "games") as meter:
        done = 0
        for mind, spec in specs.items():
            for group, wons in found.items():
                folder = None if out is None else out / f"{mind}-{group.pool}-{group.name}".replace("/", "_")
                courses = play_on(plan, spec, wons, folder, partial(_show, meter, done))
                groups[group][mind] = summarise(courses, seed)
                done += 2 * len(wons)
    endings = Endings(name, split, judged_by, won, groups)
    for line in as_lines(endings):
        click.echo(line)
    if json_file is not None:
        json_file.write_text(json.dumps(as_json(endings), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _show(meter: "Meter", before: int, games: int) -> None:
    meter.show(before + games, before + games)
