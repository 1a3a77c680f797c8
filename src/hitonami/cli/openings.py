"""`hitonami openings`: do a mind's games begin like those of people of the level?"""

from typing import TYPE_CHECKING

import click

from hitonami.cli._files import tell
from hitonami.cli._options import Reporting, SelectionWish, check_minds, game_argument, selection_options

if TYPE_CHECKING:
    from hitonami.evaluate.repertoire import RepertoirePlan
    from hitonami.report.repertoire import Openings

_DEPTHS = (1, 2, 4, 6, 8, 10, 14, 20)


@click.command("openings", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, required=True, help="A mind to compare; may be given several times.")
@click.option("--plies", type=click.IntRange(1, 60), default=10, show_default=True, help="How deep lines go.")
@click.option("--least", type=click.IntRange(2), default=100, show_default=True, help="Groups with fewer are left out.")
@selection_options(counted="--games", of_each="People's games of each group.", chosen="", several=False)
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    plies: int,
    least: int,
    drawing: SelectionWish,
) -> None:
    """Compare the first moves of each --mind's games with people's games of GAME in DATA, level by level.

    Both players of a game belong to the group; the mind plays itself at the group's median rating.
    """
    from hitonami.evaluate.repertoire import FILTER, RepertoirePlan
    from hitonami.report.repertoire import as_json, as_lines

    check_minds(minds)
    asked = drawing.plan(game)
    groups = asked.game, asked.by, asked.band, plies, asked.positions, least
    plan = RepertoirePlan(*groups, drawing.chosen or FILTER, asked.pool, asked.size, asked.split, asked.seed)
    openings = _compare(plan, data, minds)
    tell(as_lines(openings), lambda: as_json(openings))


def _compare(plan: "RepertoirePlan", data: tuple[str, ...], minds: tuple[str, ...]) -> "Openings":
    from hitonami.core import Effort
    from hitonami.dataset.reading import open_data
    from hitonami.evaluate.repertoire import Compared, collect, compare, sample_lines
    from hitonami.report.repertoire import Openings
    from hitonami.specs import Room
    from hitonami.terminal.progress import Meter

    plan.rules  # noqa: B018  a bad filter is told before the data are read
    depths = sorted({depth for depth in _DEPTHS if depth < plan.plies} | {plan.plies})
    room = Room()
    try:
        opened = {mind: room.open(mind) for mind in minds}
        found = open_data(data, plan.game)
        with Meter(found.bytes_total, "games") as meter:
            groups = collect(found, plan, meter.show)
        compared: dict[str, list[Compared]] = {mind: [] for mind in minds}
        with Meter(len(minds) * sum(len(each.lines) for each in groups), "lines") as meter:
            done = 0
            for mind, asked in opened.items():
                for each in groups:
                    lines = sample_lines(asked, each, len(each.lines), plan.plies, Effort.seeded(plan.seed))
                    compared[mind].append(compare(each, lines, depths, plan.seed))
                    done += len(each.lines)
                    meter.show(done, done)
    finally:
        room.close()
    return Openings(plan.game, plan.split, {mind: tuple(groups) for mind, groups in compared.items()})
