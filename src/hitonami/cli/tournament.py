"""`hitonami tournament`: games among players, and what they say about strength."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami import disk
from hitonami.cli._files import check_folders, tell, write_file
from hitonami.cli._options import Reporting
from hitonami.errors import BadInput, quote

if TYPE_CHECKING:
    from hitonami.matches.entrants import Entrant
    from hitonami.matches.sprt import Sprt


@click.command("tournament", cls=Reporting)
@click.argument("game")
@click.option("--player", "players", multiple=True, metavar="M@R", help="A mind and its rating; two or more.")
@click.option("--games", type=click.IntRange(1, 1_000_000), required=True, help="Games between each pair.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes to use.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="A folder for the games; can be resumed.")
@click.option("--resume", is_flag=True, help="Go on with the tournament in the folder.")
@click.option("--gauntlet", is_flag=True, help="Only games of the first player.")
@click.option("--openings", default="book", show_default=True, help="book, none, sample:PLIES[:M@R], or a file.")
@click.option("--opening-plies", type=click.IntRange(0), default=8, show_default=True, help="Of a file of records.")
@click.option("--anchor", "anchors", multiple=True, metavar="M@R=ELO", help="Fix a player's Elo.")
@click.option("--sprt", "sprt_text", default=None, metavar="ELO0,ELO1", help="Stop when one of them is rejected.")
@click.option("--judge", default=None, metavar="M", help="A mind that ends clear games.")
@click.option("--judge-threshold", type=float, default=0.98, show_default=True, help="Expected score that is clear.")
@click.option("--judge-plies", type=click.IntRange(1), default=6, show_default=True, help="Clear positions in a row.")
@click.option("--no-resign", is_flag=True, help="Play every game to its end.")
@click.option("--max-plies", type=click.IntRange(0), default=0, help="Where a game is stopped; 0 for the game's own.")
@click.option("--size", type=int, default=0, help="Board size, where the game has several.")
@click.option("--pool", default="", help="The pool that the ratings belong to, such as lichess or ogs.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Decides every game.")
@click.option("--html", "html_file", type=click.Path(path_type=Path), default=None, help="Write a page with plots.")
def command(
    game: str,
    players: tuple[str, ...],
    games: int,
    jobs: int,
    out: Path | None,
    resume: bool,
    gauntlet: bool,
    openings: str,
    opening_plies: int,
    anchors: tuple[str, ...],
    sprt_text: str | None,
    judge: str | None,
    judge_threshold: float,
    judge_plies: int,
    no_resign: bool,
    max_plies: int,
    size: int,
    pool: str,
    seed: int,
    html_file: Path | None,
) -> None:
    """Play GAME among players and rate them: a round robin, every opening twice with colours swapped."""
    from hitonami.core import Setup, open_game
    from hitonami.matches.entrants import read_entrants
    from hitonami.matches.openings import Sampled, deal, read_openings
    from hitonami.matches.pairing import Judge, Schedule
    from hitonami.matches.standings import draw_up
    from hitonami.matches.tournament import Store, run_tournament, try_out
    from hitonami.report.tournament import as_json, as_lines
    from hitonami.specs import mind_spec
    from hitonami.terminal.progress import Meter

    check_folders((html_file,))
    if resume and out is None:
        raise BadInput("--resume needs --out, the folder to go on with")
    rules, setup = open_game(game), Setup(size=size)
    lines = read_openings(openings, rules, setup, opening_plies)
    plan = Schedule(
        rules.name,
        read_entrants(players, pool, game),
        games,
        lines if isinstance(lines, Sampled) else deal(lines, seed),
        setup,
        seed,
        gauntlet,
        max_plies,
        None if judge is None else Judge(mind_spec(judge), judge_threshold, judge_plies),
        not no_resign,
    )
    fixed = dict(_read_anchor(text, plan.entrants) for text in anchors)
    test = None if sprt_text is None else _read_sprt(sprt_text)
    try_out(plan)
    store = None if out is None else Store(out, plan, resume=resume)
    alone = nullcontext() if out is None else disk.holding(out)
    with alone, Meter(games * len(plan.pairs()), "games") as meter:
        event = run_tournament(plan, store, jobs=jobs, sprt=test, show=lambda done: meter.show(done, done))
    standings = draw_up(event, fixed)
    tell(as_lines(standings), lambda: as_json(standings))
    if html_file is not None:
        from hitonami.report.tournament_page import as_page  # matplotlib: a second

        write_file(html_file, as_page(standings))


def _read_anchor(text: str, entrants: "tuple[Entrant, ...]") -> tuple[int, float]:
    name, _, value = text.rpartition("=")
    names = [entrant.name for entrant in entrants]
    try:
        return names.index(name), float(value)
    except ValueError:
        known = ", ".join(names)
        raise BadInput(
            f"--anchor is written as PLAYER=ELO with one of the players {known}, got {quote(text)}"
        ) from None


def _read_sprt(text: str) -> "Sprt":
    from hitonami.matches.sprt import Sprt

    low, _, high = text.partition(",")
    try:
        return Sprt(float(low), float(high))
    except ValueError as wrong:
        if isinstance(wrong, BadInput):
            raise
        raise BadInput(f"--sprt is written as ELO0,ELO1, got {quote(text)}") from None
