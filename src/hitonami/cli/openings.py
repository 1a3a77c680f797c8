"""`hitonami openings`: do a mind's games begin like those of people of the level?"""

import click

from hitonami.cli._files import tell
from hitonami.cli._options import Reporting, SelectionWish, check_minds, game_argument, selection_options

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
    from hitonami.evaluate.repertoire import FILTER, RepertoirePlan, compare_minds
    from hitonami.report.repertoire import as_json, as_lines
    from hitonami.terminal.progress import Meter

    check_minds(minds)
    own = {"filter_text": drawing.chosen or FILTER, "plies": plies, "least": least}
    plan = RepertoirePlan(**vars(drawing.plan(game)) | own)
    depths = sorted({depth for depth in _DEPTHS if depth < plan.plies} | {plan.plies})
    found = compare_minds(plan, {mind: mind for mind in minds}, data, depths, Meter)
    tell(as_lines(found), lambda: as_json(found))
