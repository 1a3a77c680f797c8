"""A whole fit of resignation: draw games of each split, ask a mind, fit, measure on unseen games, keep the curves.

Who gives up is learned from training games. Networks learned from those, and know their results too well; what is still
saved, and how little of it a game may be given up for, is learned from validation games. Unseen are both others:
validation and test; the price is that of test games alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from hitonami.agent import open_agent
from hitonami.core import Effort, Mind
from hitonami.customs import customs_of
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.groups import SplitChoice
from hitonami.dataset.order import scatter
from hitonami.dataset.reading import Found
from hitonami.errors import TooFew
from hitonami.fits.haste import OwnLength, Through, choose_haste, measure_lengths, play_through
from hitonami.fits.manners_run import (
    LEAST_PLAYED,
    MannersWish,
    ask_of,
    draw_of,
    groups_of,
    keep_manners,
    kept_at,
    mean_level,
    told_by,
    unless_needed,
)
from hitonami.fits.playing_out import (
    PlayOutFigures,
    given_up_starts,
    lost_starts,
    measure_played_out,
    play_out,
    start_at,
)
from hitonami.fits.published import Published, published_thresholds
from hitonami.fits.resign import ResignFigures, cross_samples, fit_resignation, measure_resignation, price_of
from hitonami.fits.resign_bound import LEAST_FRESH, choose_bound
from hitonami.fits.resign_sample import Sample, join_samples, usable
from hitonami.fits.resign_verdict import Worth, tells_better, weigh_resignation
from hitonami.fits.turns import Turns, Wish, is_given_up
from hitonami.manners import manners_of
from hitonami.manners.resignation import Resignation
from hitonami.progress import Watching
from hitonami.records import Record
from hitonami.specs import Room

RESIGN_FILTER: Final = "finished,no-bots,no-bullet,no-handicap"
_RESIGN_FROM_PLY: Final = 14
_MUCH_WEAKER: Final = {"rating": 800.0, "rank": 10.0}


@dataclass(frozen=True)
class ResignFit:
    """Curves of resignation that were learned."""

    model: Resignation
    figures: ResignFigures
    learned: int
    resigned: int
    published: tuple[Published, ...]
    """The published rule by level, on the turns that were learned from."""
    worth: Worth


@dataclass(frozen=True)
class ResignRun:
    wish: MannersWish
    packaged: Worth | None
    """The package's own curves on the same unseen games; None where it has none for the game."""
    fit: ResignFit | None
    refused: str = ""
    """Why nothing was learned, where there was too little."""
    played_out: tuple[tuple[str, PlayOutFigures], ...] = ()
    """By who plays whom."""
    own: tuple[OwnLength, ...] = ()
    """By level: people's games beside agents' own, which give up by these curves."""


def run_resign(wish: MannersWish, arguments: tuple[str, ...], watch: Watching) -> ResignRun:
    """Resignation: the package's curves on unseen games, and curves learned from training games beside them."""
    test, games, others = _resign_sample(wish, arguments, watch, "test")  # first: where there is none, all is in vain
    fresh = _validation(wish, arguments, watch)
    unseen = test if fresh is None else join_samples(fresh, test)
    held = manners_of(wish.game).resignation
    packaged = None if held is None else weigh_resignation(held, unseen)
    played = _play_out(wish, games, others, test.whole, watch) if wish.play_out else ()
    own: tuple[OwnLength, ...] = ()
    try:
        train, *_ = _resign_sample(wish, arguments, watch, "train")
        fit = _fit_resignation(wish, train, fresh, test, held)
    except TooFew as few:
        if wish.play and held is not None:
            own = _replay(wish, games, held, watch).measure(wish.game, held)
        return ResignRun(wish, packaged, None, unless_needed(wish, packaged, few), played, own)
    if wish.play:
        replayed = _replay(wish, games, fit.model, watch)
        model = _hastened(fit.model, replayed.part(range(0, len(replayed.records), 2)), train, fresh)
        own = replayed.part(range(1, len(replayed.records), 2)).measure(wish.game, model)
        fit = replace(fit, model=model, figures=replace(fit.figures, prices=price_of(model, test.whole)))
    about = {"turns": fit.learned, "resigned": fit.resigned}
    keep_manners(wish, "resignation", fit.model.as_data(), about, told_by(train.turns))
    return ResignRun(wish, packaged, fit, played_out=played, own=own)


def _fit_resignation(
    wish: MannersWish, train: Sample, fresh: Sample | None, test: Sample, held: Resignation | None
) -> ResignFit:
    """Who gives up from training games; what is saved from `fresh` ones, where there are enough of them.

    Curves of who gives up that the package has stay where they tell the fresh games better.
    """
    played_on = None if fresh is None else fresh.whole
    model = replace(fit_resignation(train, played_on), most_saved=choose_bound(train, played_on))
    if held is not None and fresh is not None and tells_better(held, model, fresh):
        model = replace(model, gives_up=held.gives_up)
    unseen = test if fresh is None else join_samples(fresh, test)
    figures = measure_resignation(
        model, unseen, groups_of(unseen.whole, wish.game), cross_samples(train, unseen), test.whole
    )
    levels = published_thresholds(train.whole, groups_of(train.whole, wish.game))
    worth = weigh_resignation(model, unseen)
    return ResignFit(model, figures, len(train.whole), train.resigned, tuple(levels), worth)


def _validation(wish: MannersWish, arguments: tuple[str, ...], watch: Watching) -> Sample | None:
    """Games that neither curves nor networks learned from; None where the split has none or hardly any."""
    try:
        fresh, *_ = _resign_sample(wish, arguments, watch, "validation")
    except TooFew:
        return None
    return fresh if len(set(fresh.whole["game"].tolist())) >= LEAST_FRESH else None


def _resign_sample(
    wish: MannersWish, arguments: tuple[str, ...], watch: Watching, split: SplitChoice
) -> tuple[Sample, list[Found], list[Found]]:
    """What is learned from or measured on, the whole games (those that would be drawn without `more`), and the others
    that were given up.
    """
    wanted = Wish(wish.games + wish.more, parse_filter(wish.filter_text), split, _RESIGN_FROM_PLY, None, wish.seed)
    names = [f"resign-{split}", *([f"resign-{split}-ends"] if wish.more else [])]
    kept = [kept_at(wish, name) for name in names]
    is_kept = all(path is not None and path.is_file() for path in kept)
    is_played = split == "test" and (wish.play_out or wish.play)
    drawn = [] if is_kept and not is_played else draw_of(wish, arguments, watch, wanted)
    marks = scatter(np.array([found.content for found in drawn], dtype=np.uint64), wish.seed)
    first = set(np.argsort(marks, kind="stable")[: wish.games].tolist())
    games = [found for at, found in enumerate(drawn) if at in first]
    whole = usable(ask_of(wish, games, watch, wanted, names[0]))
    others = [found for at, found in enumerate(drawn) if at not in first and is_given_up(found.record)]
    if not others and not (wish.more and is_kept):
        return Sample(whole), games, []
    ends = usable(ask_of(wish, others, watch, replace(wanted, only_last=True), names[1]))
    return Sample(whole, ends), games, others


def _play_out(
    wish: MannersWish, games: list[Found], others: list[Found], turns: Turns, watch: Watching
) -> tuple[tuple[str, PlayOutFigures], ...]:
    """Lost positions by the levels that had them, then against weaker opponents; positions that people gave up."""
    lost = lost_starts(games, turns, wish.play_out, wish.seed)
    drop = _MUCH_WEAKER[customs_of(wish.game).scale.kind]
    kinds = {
        "lost positions, levels as they were": lost,
        f"the same against opponents of {drop:g} less": [start.weaker(drop) for start in lost],
        "where people gave up": given_up_starts([*others, *games], wish.play_out, wish.seed),
    }
    found = []
    with Room() as room:
        mind: Mind = room.open(wish.mind)
        for name, starts in kinds.items():
            with watch(len(starts), name) as meter:
                played = play_out(starts, mind, Effort.seeded(wish.seed), meter.show)
            found.append((name, measure_played_out(played)))
    return tuple(found)


@dataclass(frozen=True)
class _Replayed:
    """Unseen games, and the agents' that were played after them."""

    records: list[Record]
    played: list[Through]

    def part(self, rows: Sequence[int]) -> "_Replayed":
        return _Replayed([self.records[at] for at in rows], [self.played[at] for at in rows])

    @property
    def plies(self) -> list[int]:
        return [len(record.moves) for record in self.records]

    def measure(self, game: str, model: Resignation) -> tuple[OwnLength, ...]:
        """By level, and all."""
        levels = [mean_level(record, game) for record in self.records]
        found = []
        for name in (*sorted(set(levels)), "all"):
            own = self.part([at for at, level in enumerate(levels) if name in (level, "all")])
            if len(own.records) >= LEAST_PLAYED or name == "all":
                given_up = [record.termination == "resignation" for record in own.records]
                found.append(measure_lengths(name, own.played, model, own.plies, given_up))
        return tuple(found)


def _replay(wish: MannersWish, games: list[Found], model: Resignation, watch: Watching) -> _Replayed:
    """Agents play unseen games anew; of those that no clock ended."""
    records = [found.record for found in games if found.record.termination != "time" and len(found.record.moves)]
    chosen = np.random.default_rng([wish.seed, 0x1E47]).permutation(len(records))[: wish.play].tolist()
    records = [records[at] for at in chosen]
    with Room() as room, watch(len(records), "games played") as meter:
        starts, agent = [start_at(record, 0) for record in records], open_agent(room, wish.mind, wish.game, None)
        return _Replayed(records, play_through(starts, agent, model, Effort.seeded(wish.seed), meter.show))


def _hastened(model: Resignation, half: _Replayed, train: Sample, fresh: Sample | None) -> Resignation:
    """As ready to give up what is lost as makes games last as long as people's, under a bound that goes with it."""
    model = replace(model, haste=choose_haste(half.played, model.most_saved, half.plies))
    bound = choose_bound(train, None if fresh is None else fresh.whole, model.haste)
    return replace(model, most_saved=min(bound, model.most_saved))
