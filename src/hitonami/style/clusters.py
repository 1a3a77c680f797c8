"""Kinds of players: people grouped by how they play, named by what sets each group apart, checked on unseen games.

Each person's games are cut in two by chance. From one half come the means of traits, less what rating and pool explain
(a style is not a level), in spreads of people; traits that chance makes up more than half of are left out. The rest is
turned into a few uncorrelated directions and divided by a Gaussian mixture, whose number of groups is the one with the
least BIC. The other half says what that is worth: how often a person's unseen games fall into the person's own group,
beside what chance would have. How far the groups depend on who was asked is told by resampled people (adjusted Rand
index). Needs scikit-learn: pip install 'hitonami[fit]'.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import open_game
from hitonami.dataset.columns import Columns, join, read_columns
from hitonami.dataset.order import scatter
from hitonami.dataset.reading import Tally, open_data
from hitonami.errors import BadInput, WorkFailed
from hitonami.evaluate.intervals import RESAMPLES, Interval, interval_of
from hitonami.progress import Watching
from hitonami.style.learn_signature import people_of
from hitonami.traits import Trait, measure_traits, traits_of

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
LEAST_PEOPLE: Final = 30
_RELIABLE: Final = 0.5
_EXPLAINED: Final = 0.8
_DIRECTIONS: Final = 8
_STARTS: Final = 4
_FLOOR: Final = 0.05
"""Added to variances: a group of three alike people is no narrow peak."""
_RESAMPLED: Final = 40
_TELLING: Final = 4


@dataclass(frozen=True)
class ClusterWish:
    """What is asked for."""

    game: str
    least_games: int = 40
    """Of a person, both halves together."""
    most: int = 8
    """Groups that are tried."""
    seed: int = 0


@dataclass(frozen=True)
class Cluster:
    """One kind of player."""

    people: int
    rating: float | None
    """The median."""
    traits: tuple[tuple[Trait, float], ...]
    """What sets it apart, the most telling first: spreads between its mean and that of the others."""

    @property
    def name(self) -> str:
        return ", ".join(f"{'more' if off > 0 else 'less'} {trait.words}" for trait, off in self.traits[:_TELLING])


@dataclass(frozen=True)
class Clusters:
    """Everything that was found."""

    wish: ClusterWish
    people: int
    games: int
    used: tuple[Trait, ...]
    bic: tuple[float, ...]
    """With 1, 2, … groups."""
    clusters: tuple[Cluster, ...]
    places: Floats
    """[people, 2] along the two widest directions."""
    labels: Whole
    names: tuple[str, ...]
    """[people] as the data name them."""
    stability: Interval
    """The adjusted Rand index between these groups and those of resampled people."""
    agreement: Interval
    """The share of people whose unseen games fall into their own group."""
    chance: float
    """What that share would be were the halves of different people."""
    p_value: float
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class People:
    """People [n] with the means of their traits over two halves of their games."""

    names: tuple[str, ...]
    rating: Floats
    pool: NDArray[Any]
    halves: tuple[Floats, Floats]
    """[n, traits], NaN where a half says nothing."""
    noise: Floats
    """[traits] the variance that chance adds to a mean of the first half."""
    games: int


def find_clusters(wish: ClusterWish, data: Sequence[str], watch: Watching) -> Clusters:
    """All of it. Raises BadInput where there are too few people."""
    check_installed()
    game = open_game(wish.game).name
    opened, tally = open_data(data, game, named=True), Tally()
    with watch(opened.bytes_total, "games") as meter:
        parts = [
            (games, measure_traits(games))
            for games in read_columns(opened, tally, report=lambda done: meter.show(done, tally.games))
        ]
    if not parts:
        raise BadInput("no game could be used: " + "; ".join(tally.complaints()))
    people = gather(join([each for each, _ in parts]), np.concatenate([each for _, each in parts]), wish)
    with watch(_RESAMPLED, "resamples") as meter:
        return divide(people, traits_of(game).traits, wish, tuple(tally.complaints()), meter.show)


def check_installed() -> None:
    """Raises WorkFailed that says what to install."""
    try:
        import sklearn  # noqa: F401
    except ImportError as missing:
        raise WorkFailed(f"clusters need {missing.name}: pip install 'hitonami[fit]'") from None


def gather(games: Columns, traits: NDArray[np.float32], wish: ClusterWish) -> People:
    """Those with games enough, halved by chance. Raises BadInput."""
    who = people_of(games)
    flat, ratings, pools = traits.reshape(len(who), -1).astype(np.float64), games.ratings.ravel(), games.pools.ravel()
    second = np.repeat(scatter(games.content, wish.seed) % np.uint64(2) == 1, 2)
    counts = np.bincount(who[who >= 0]) if (who >= 0).any() else np.zeros(0, np.int64)
    kept = np.flatnonzero(counts >= wish.least_games)
    if len(kept) < LEAST_PEOPLE:
        raise BadInput(
            f"people with {wish.least_games} games or more: {len(kept)}; groups of players need {LEAST_PEOPLE} at least"
        )
    order = np.argsort(who, kind="stable")
    spans = np.searchsorted(who[order], [kept, kept + 1])
    rows = [order[low:high] for low, high in spans.T]
    halves = [np.stack([_means(flat[own[second[own] == half]]) for own in rows]) for half in (False, True)]
    chance = np.stack([_chance(flat[own[~second[own]]]) for own in rows])
    with np.errstate(invalid="ignore"):
        rating = np.array([float(np.median(told)) if len(told := _known(ratings[own])) else np.nan for own in rows])
    names = tuple(str(games.player(*divmod(int(own[0]), 2)).name or "") for own in rows)
    noise = np.array([float(np.mean(_known(column))) if len(_known(column)) else np.nan for column in chance.T])
    pool = np.array([str(pools[own[0]]) for own in rows], dtype=object)
    return People(names, rating, pool, (halves[0], halves[1]), noise, int(sum(map(len, rows))))


def _known(values: NDArray[Any]) -> Floats:
    return np.asarray(values[~np.isnan(values)], dtype=np.float64)


def _means(values: Floats) -> Floats:
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0))


def _chance(values: Floats) -> Floats:
    """[traits] the variance of the mean of these games."""
    known = ~np.isnan(values)
    count, mean = known.sum(axis=0), _means(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(known, np.square(values - mean), 0.0).sum(axis=0) / (count - 1) / count)


@dataclass(frozen=True)
class Space:
    """How means of traits become places: level taken out, in spreads, along a few directions."""

    level: Floats
    """[level columns, traits]."""
    scale: Floats
    used: Whole
    """The traits that people differ in beyond chance."""
    axes: Floats
    """[used, directions]."""

    def spreads(self, means: Floats, columns: Floats) -> Floats:
        """[n, used]; what is not known is as with everybody."""
        off = (means - columns @ self.level)[:, self.used] / self.scale[self.used]
        return np.where(np.isnan(off), 0.0, off)

    def places(self, means: Floats, columns: Floats) -> Floats:
        return self.spreads(means, columns) @ self.axes


def level_columns(people: People) -> Floats:
    """[n, columns] what a level is: a line over rating in each pool. Who has no rating has the pool's mean."""
    found = []
    for pool in sorted(set(people.pool.tolist())):
        own = people.pool == pool
        told = _known(people.rating[own])
        middle, spread = (float(told.mean()), float(told.std())) if len(told) else (0.0, 1.0)
        height = np.where(np.isnan(people.rating), 0.0, (people.rating - middle) / max(spread, 1e-9))
        found += [own.astype(np.float64), *([own * height] if len(told) > 2 and spread > 0 else [])]
    return np.stack(found, axis=1)


def lay_out(people: People) -> Space:
    """From the first halves. Raises BadInput where people differ in nothing."""
    means, columns = people.halves[0], level_columns(people)
    level = np.zeros((columns.shape[1], means.shape[1]))
    for at in range(means.shape[1]):
        rows = ~np.isnan(means[:, at])
        if rows.sum() > columns.shape[1]:
            level[:, at] = np.linalg.lstsq(columns[rows], means[rows, at], rcond=None)[0]
    off = means - columns @ level
    known = (~np.isnan(off)).mean(axis=0)
    raw = np.nanvar(np.where(known > 0, off, 0.0), axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        reliable = 1.0 - people.noise / raw
    used = np.flatnonzero((known > 0.9) & (raw > 1e-12) & (reliable > _RELIABLE))
    if len(used) < 2:
        raise BadInput("these people differ in too little beyond chance: give more games of each")
    plain = Space(level, np.sqrt(np.maximum(raw, 1e-12)), used, np.eye(len(used)))
    _, sizes, turned = np.linalg.svd(plain.spreads(means, columns), full_matrices=False)
    shares = np.cumsum(sizes**2) / (sizes**2).sum()
    wide = min(int(np.searchsorted(shares, _EXPLAINED)) + 1, _DIRECTIONS)
    return Space(level, plain.scale, used, turned[:wide].T)


def divide(
    people: People,
    traits: Sequence[Trait],
    wish: ClusterWish,
    remarks: tuple[str, ...] = (),
    report: Callable[[int, int], None] = lambda done, units: None,
) -> Clusters:
    """Groups of these people, and what they are worth."""
    space, columns = lay_out(people), level_columns(people)
    here, there = (space.places(half, columns) for half in people.halves)
    most = min(wish.most, len(here) // 10)
    tried = [_mixture(here, count, wish.seed) for count in range(1, most + 1)]
    bic = tuple(float(each.bic(here)) for each in tried)
    best = tried[int(np.argmin(bic))]
    labels, unseen = best.predict(here), best.predict(there)
    stability = _stability(here, labels, best.n_components, wish.seed, report)
    agreement, chance, p_value = agree(labels, unseen, wish.seed)
    spreads = space.spreads(people.halves[0], columns)
    used = tuple(traits[at] for at in space.used)
    found = tuple(_describe(spreads, labels == at, people, used) for at in range(best.n_components))
    return Clusters(
        wish,
        len(labels),
        people.games,
        used,
        bic,
        found,
        here[:, :2],
        labels,
        people.names,
        stability,
        agreement,
        chance,
        p_value,
        remarks,
    )


def _mixture(places: Floats, count: int, seed: int) -> Any:
    from sklearn.mixture import GaussianMixture

    wanted = {"covariance_type": "diag", "n_init": _STARTS, "reg_covar": _FLOOR, "random_state": seed}
    return GaussianMixture(count, **wanted).fit(places)


def _stability(places: Floats, labels: Whole, count: int, seed: int, report: Callable[[int, int], None]) -> Interval:
    """Groups of resampled people, told of all people, beside the groups that there are."""
    from sklearn.metrics import adjusted_rand_score

    rng, found = np.random.default_rng([seed, 0xC1]), list[float]()
    for at in range(_RESAMPLED):
        drawn = places[rng.integers(0, len(places), len(places))]
        found.append(float(adjusted_rand_score(labels, _mixture(drawn, count, seed + at).predict(places))))
        report(at + 1, at + 1)
    return interval_of(float(np.mean(found)), np.array(found))


def agree(labels: Whole, unseen: Whole, seed: int = 0) -> tuple[Interval, float, float]:
    """How often both halves of a person are in one group, the same by chance, and the p-value of that chance."""
    rng = np.random.default_rng([seed, 0xA6])
    same = (labels == unseen).astype(np.float64)
    draws = same[rng.integers(0, len(same), (RESAMPLES, len(same)))].mean(axis=1)
    shuffled = np.array([(labels == rng.permutation(unseen)).mean() for _ in range(RESAMPLES)])
    p_value = (1 + int((shuffled >= same.mean() - 1e-12).sum())) / (1 + RESAMPLES)
    return interval_of(float(same.mean()), draws), float(shuffled.mean()), p_value


def _describe(spreads: Floats, own: NDArray[np.bool_], people: People, used: Sequence[Trait]) -> Cluster:
    others = spreads[~own] if (~own).any() else spreads
    off = (spreads[own].mean(axis=0) if own.any() else np.zeros(len(used))) - others.mean(axis=0)
    order = np.argsort(-np.abs(off), kind="stable")
    told = _known(people.rating[own])
    named = tuple((used[at], float(off[at])) for at in order.tolist())
    return Cluster(int(own.sum()), float(np.median(told)) if len(told) else None, named)
