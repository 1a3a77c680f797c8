"""`hitonami rate`: the ratings of players from their moves alone."""

from pathlib import Path
from typing import Any

import click

from hitonami.cli._files import FILE, FOLDER, check_folders, tell, warn
from hitonami.cli._options import SPLITS, Reporting, base_option, html_option, on_base


@click.command("rate", cls=Reporting)
@click.argument("game")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--player", "names", multiple=True, help="Rate this player only; may be given several times.")
@click.option("--pool", default="", help="The pool whose scale is meant, such as lichess, fide or ogs.")
@click.option("--games", "most_games", type=click.IntRange(1), default=20, show_default=True, help="Of each player.")
@click.option("--moves", "most_moves", type=click.IntRange(0), default=240, show_default=True, help="Of each player.")
@click.option("--mind", default="human", show_default=True, help="What knows how people play.")
@base_option
@click.option("--players", "most_people", type=click.IntRange(1), default=None, help="At most, drawn by their names.")
@click.option("--fit", "fit_file", type=FILE, default=None, help="Calibrate.")
@click.option("--measure", is_flag=True, help="Tell how far estimates are from the recorded ratings.")
@click.option("--split", type=click.Choice(SPLITS), help="Else --fit reads validation games, --measure test games.")
@click.option(
    "--least-games", type=click.IntRange(1), default=1, show_default=True, help="--fit, --measure: of each player."
)
@click.option("--even", "is_even", is_flag=True, help="--fit, --measure: as many people of every band of ratings.")
@click.option(
    "--opponents", "with_opponents", is_flag=True, help="Hear whom they met and how it ended, too; --fit: only that."
)
@click.option("--filter", "filter_text", default="", help="Which games count; see `hitonami data rules`.")
@html_option()
@click.option("--cache", type=FOLDER, help="--fit, --measure: to go on later.")
def command(fit_file: Path | None, measure: bool, mind: str, base: str, **words: Any) -> None:
    """Estimate the rating of each player in FILE… (records or shards) from the moves, with the 95% interval.

    A player's own ratings in the records are not used, opponents' and results only with --opponents. An interrupted
    run (Ctrl-C) tells of the players done.

    --fit writes a calibration of one --pool into a file, from games of one half of the players; --measure
    compares estimates with the recorded ratings on games of the other half.
    """
    from hitonami.report.rate import as_json, as_lines, as_page, measured_json, measured_lines
    from hitonami.strength.rate_run import RateWish, fit_ratings, measure_ratings, rate_players
    from hitonami.terminal.progress import Meter

    check_folders((fit_file,))
    wish = RateWish(**words, mind=on_base(mind, base) or mind)
    if fit_file is not None:
        facts = fit_ratings(wish, fit_file, Meter, warn)
        asked = f", {facts['moves']:,} moves" if "moves" in facts else ""
        line = f"wrote {fit_file}: {facts['players']:,} players, {facts['games']:,} games{asked}"
        tell([line], lambda: facts)
    elif measure:
        found = measure_ratings(wish, Meter, warn)
        tell(measured_lines(found), lambda: measured_json(wish.collecting.game, wish.pool, wish.measured_split, found))
    else:
        run = rate_players(wish, Meter, warn)
        tell(
            as_lines(run.rated),
            lambda: as_json(run.game, run.mind, run.rated, run.tally),
            lambda typed: as_page(run.game, run.rated, typed),
        )
