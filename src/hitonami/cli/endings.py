"""`hitonami endings`: do minds win won positions, and give up lost ones, as people of the level do?"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.cli._files import tell
from hitonami.cli._options import Reporting, SelectionWish, check_minds, game_argument, selection_options

if TYPE_CHECKING:
    from hitonami.evaluate.grouping import Group
    from hitonami.judging.conversion import ConversionPlan, Summary, Won
    from hitonami.specs import MindSpec
    from hitonami.terminal.progress import Meter


@click.command("endings", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, required=True, help="A mind that goes on; may be given several times.")
@click.option(
    "--won", type=click.FloatRange(0.5, 1.0), default=0.863, show_default=True, help="What the judge calls won."
)
@click.option("--first-ply", type=click.IntRange(0), default=30, show_default=True, help="No position before it.")
@selection_options(positions=60, of_each="Won positions of each group.", chosen="", band=400.0, several=False)
@click.option("--judge", default=None, metavar="M", help="Who calls positions won; else the engine of this machine.")
@click.option("--nodes", type=click.IntRange(1), default=None, help="Of each of the judge's searches.")
@click.option("--cache", type=click.Path(path_type=Path, file_okay=False), default=None, help="Keeps what was judged.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    help="A folder for the games; goes on where it is.",
)
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    won: float,
    first_ply: int,
    drawing: SelectionWish,
    judge: str | None,
    nodes: int | None,
    cache: Path | None,
    out: Path | None,
) -> None:
    """Let each --mind go on from won positions of people's games of GAME in DATA, and compare with how people did.

    Positions are drawn from games with both players in one group. Each is played twice, the mind against itself.
    """
    from hitonami.dataset.filters import parse_filter
    from hitonami.judging.conversion import FILTER, ConversionPlan
    from hitonami.judging.judge import cache_folder
    from hitonami.report.conversion import Endings, as_json, as_lines
    from hitonami.specs import mind_spec

    check_minds(minds)
    asked, rules = drawing.plan(game), drawing.chosen or FILTER
    parse_filter(rules)  # a bad filter is told before the data are read
    taken = asked.game, asked.by, asked.band, asked.positions, won, first_ply
    plan = ConversionPlan(*taken, rules, asked.pool, asked.split, asked.seed, asked.size)
    specs = {mind: mind_spec(mind) for mind in minds}
    judged_by, found = _find(plan, data, specs, judge, nodes, cache or cache_folder())
    endings = Endings(plan.game, plan.split, judged_by, won, _play_on(plan, specs, found, out))
    tell(as_lines(endings), lambda: as_json(endings))


def _find(
    plan: "ConversionPlan",
    data: tuple[str, ...],
    specs: "dict[str, MindSpec]",
    judge: str | None,
    nodes: int | None,
    cache: Path,
) -> "tuple[str, dict[Group, list[Won]]]":
    """The judge's name, and the positions that it calls won."""
    from hitonami.dataset.reading import open_data
    from hitonami.judging.conversion import find_won
    from hitonami.judging.judge import open_judge
    from hitonami.terminal.progress import Meter

    with open_judge(plan.game, judge, nodes=nodes, cache=cache) as opened:
        opened.refuse_own(specs)
        games = open_data(data, plan.game)
        with Meter(games.bytes_total, "games") as meter:
            return opened.name, find_won(games, opened, plan, meter.show)


def _play_on(
    plan: "ConversionPlan", specs: "dict[str, MindSpec]", found: "dict[Group, list[Won]]", out: Path | None
) -> "dict[Group, dict[str, Summary]]":
    from hitonami.judging.conversion import course_of_people, play_on, summarise
    from hitonami.terminal.progress import Meter

    groups = {
        group: {"people": summarise([[course_of_people(each)] for each in wons], plan.seed)}
        for group, wons in found.items()
    }
    with Meter(2 * len(specs) * sum(map(len, found.values())), "games") as meter:
        done = 0
        for mind, spec in specs.items():
            for group, wons in found.items():
                folder = None if out is None else out / f"{mind}-{group.pool}-{group.name}".replace("/", "_")
                courses = play_on(plan, spec, wons, folder, partial(_show, meter, done))
                groups[group][mind] = summarise(courses, plan.seed)
                done += 2 * len(wons)
    return groups


def _show(meter: "Meter", before: int, games: int) -> None:
    meter.show(before + games, before + games)
