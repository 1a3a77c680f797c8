"""A whole fit of draws by agreement: draw games of both kinds, ask a mind, fit, measure on unseen games, keep it."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Mind, Player
from hitonami.customs import customs_of
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.groups import SplitChoice
from hitonami.dataset.reading import open_data
from hitonami.errors import BadInput
from hitonami.evaluate.grouping import default_by, group_of
from hitonami.fits.draws import Asked, DrawFigures, ask_about, draw_kinds, fit_draws, measure_draws, read_asked
from hitonami.fits.manners_run import MannersWish, keep_manners
from hitonami.fits.turns import Wish
from hitonami.manners.draws import Draws
from hitonami.progress import Watching
from hitonami.specs import Room

DRAWS_FILTER: Final = "finished,no-bots,no-bullet,no-handicap"
_BAND: Final = 400.0


@dataclass(frozen=True)
class DrawsRun:
    wish: MannersWish
    model: Draws
    figures: DrawFigures
    learned: Asked
    tested: Asked


def run_draws(wish: MannersWish, arguments: tuple[str, ...], watch: Watching) -> DrawsRun:
    """Learned from training games of both kinds, so many of each, measured on as many test games."""
    if not customs_of(wish.game).draws_offered:
        raise BadInput(f"nobody offers draws in {wish.game}")
    splits: tuple[SplitChoice, ...] = ("train", "test")
    learned, tested = (_ask(wish, arguments, split, watch) for split in splits)
    model = fit_draws(learned)
    run = DrawsRun(wish, model, measure_draws(model, tested, _levels(tested, wish.game)), learned, tested)
    about = {"turns": len(learned.agreed), "agreed": int(learned.agreed.sum()), "games": learned.known}
    keep_manners(wish, "draws", {"agrees": model.agrees.as_data()}, about, np.stack(list(learned.columns.values())))
    return run


def _ask(wish: MannersWish, arguments: tuple[str, ...], split: SplitChoice, watch: Watching) -> Asked:
    path = None if wish.turns is None else wish.turns / f"draws-{split}.npz"
    if path is not None and path.is_file():
        return read_asked(path)
    data = open_data(arguments, wish.game)
    with watch(data.bytes_total, "games") as meter:
        rules = parse_filter(wish.filter_text)
        chosen, known, agreed = draw_kinds(data, Wish(wish.games, rules, split, seed=wish.seed), meter.show)
    if not agreed:
        raise BadInput(
            f"none of {known:,} games of the split {split} was agreed drawn; the filter was {rules.text or 'none'}"
        )
    with Room() as room:
        mind: Mind = room.open(wish.mind)
        with watch(4 * len(chosen), "turns asked about") as meter:
            asked = ask_about(chosen, (known, agreed), mind, wish.seed, meter.show)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        asked.save(path)
    return asked


def _levels(asked: Asked, game: str) -> NDArray[np.str_]:
    """[n] the level of a turn's game: the mean of both players."""
    means = (asked.columns["rating"] + asked.columns["opponent"]) / 2
    pairs = zip(means.tolist(), asked.pools.tolist(), strict=True)
    pools = len(set(asked.pools.tolist()))
    players = (Player(None if np.isnan(mean) else mean, pool) for mean, pool in pairs)
    return np.array([group_of(each, game, default_by(game), _BAND).label(pools) for each in players], dtype=np.str_)
