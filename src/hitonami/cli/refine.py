"""`hitonami refine`: how wide and how long the games of a game are."""

import sys
from pathlib import Path

import click

from hitonami.cli._files import check_folders, tell, write_file
from hitonami.cli._options import RATING, Reporting, SelectionWish, game_argument, selection_options
from hitonami.errors import BadInput


@click.command("refine", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1)
@click.option("--self-play", type=click.IntRange(1), default=None, metavar="N", help="Play N games instead of DATA.")
@click.option("--mind", default="human", show_default=True, help="Who plays them.")
@click.option("--rating", type=RATING, default=None, help="Of who plays them.")
@click.option("--rules", default="", help="Rules of the games that are played.")
@selection_options(positions=400, counted="--games", of_each="Games of each group.", chosen="", several=False)
@click.option("--html", "html_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="A page.")
def command(
    game: str,
    data: tuple[str, ...],
    self_play: int | None,
    mind: str,
    rating: float | None,
    rules: str,
    drawing: SelectionWish,
    html_file: Path | None,
) -> None:
    """Game Refinement of GAME: branching B, length D and GR = √B / D, by level from DATA or from --self-play.

    v, a, N and the jerk come with them, each with a 95% interval.
    """
    from dataclasses import replace

    from hitonami.core import Player, Query, Setup, open_game
    from hitonami.customs import customs_in
    from hitonami.dataset.reading import open_data
    from hitonami.evaluate.refinement import FILTER, RefinementRun, published_games, refine_play, refine_records
    from hitonami.report.refinement import as_json, as_lines, as_page
    from hitonami.specs import Room
    from hitonami.terminal.progress import Meter

    if (self_play is None) == (not data):
        raise BadInput("give DATA to count, or --self-play N to play games: one of the two")
    check_folders((html_file,))
    plan = replace(drawing.plan(game), filter_text=drawing.chosen or FILTER)
    if self_play is None:
        games = open_data(data, plan.game)
        with Meter(games.bytes_total, "games") as meter:
            groups, tally = refine_records(games, plan, meter.show)
        report = RefinementRun(
            plan.game, f"filter {plan.rules.text}", groups, published_games(), list(tally.complaints())
        )
    else:
        opened = open_game(game)
        start = opened.start(Setup(size=drawing.size or 0, rules=rules))
        pool = drawing.pool or customs_in(opened).scale.pools[0]
        room = Room()
        try:
            with Meter(self_play, "games") as meter:
                begin = Query(start, Player(rating, pool), Player(rating, pool))
                found = refine_play(begin, room.open(mind), self_play, seed=plan.seed, report=meter.show)
        finally:
            room.close()
        report = RefinementRun(plan.game, f"{self_play} games of {mind} against itself", [found], published_games())
    tell(as_lines(report), lambda: as_json(report))
    if html_file is not None:
        write_file(html_file, as_page(report, " ".join(sys.argv[1:])))
