"""Draws by agreement, fitted to turns at which games were agreed drawn or went on, and measured on unseen games.

A draw was agreed where the record is drawn and the rules gave nothing at its last position: no end by force, nothing to
claim. Few games are, so games of both kinds are drawn apart, a few turns of each are asked about, and every turn counts
for those that it stands for.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami import disk, dist
from hitonami.agent import EARLIEST_DRAW_PLY
from hitonami.core import Effort, Mind, Position, Query
from hitonami.dataset.order import scatter
from hitonami.dataset.reading import Data, Tally
from hitonami.dataset.shards import start_of
from hitonami.errors import BadData, BadInput
from hitonami.evaluate.intervals import Interval, interval_of, resample_counts
from hitonami.fits.additive import Design, fit_chances
from hitonami.fits.turns import Wish
from hitonami.manners.additive import Features, Floats
from hitonami.manners.counting import balance_of
from hitonami.manners.draws import Draws, draw_features
from hitonami.progress import Report
from hitonami.records import Record

LEAST_AGREED: Final = 40
_OF_A_GAME: Final = 3
_BATCH: Final = 120
_COLUMNS: Final = ("hope", "draw", "balance", "ply", "rating", "opponent")
_ROWS: Final = ("agreed", "weights", "stands", "games", "pools")
_WORDS: Final = ("", "agreement")
KNOTS: Final[Mapping[str, Sequence[float]]] = {
    "lead": (0.0, 0.3, 0.7, 1.2, 2.0, 4.0),
    "drawish": (-5.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.5),
    "uneven": (0.0, 1.0, 2.0, 4.0),
    "ply": (20, 40, 60, 80, 120, 180),
    "level": (-2.5, -1.2, 0.0, 1.2, 2.5),
    "edge": (0.0, 0.5, 1.5),
}


@dataclass(frozen=True)
class Asked:
    """Turns [n]: what `draw_features` wants, whether a draw was agreed there, what each stands for, of which game."""

    columns: Features
    agreed: Floats
    weights: Floats
    stands: Floats
    """For how many games a turn's game stands."""
    games: NDArray[np.int64]
    pools: NDArray[np.str_]
    known: int
    """Games of the split that the two kinds were drawn from; `agreed_games` of them were agreed drawn."""
    agreed_games: int

    @property
    def features(self) -> Features:
        return draw_features(self.columns)

    def save(self, path: Path) -> None:
        held = {name: getattr(self, name) for name in _ROWS} | {"counts": np.array([self.known, self.agreed_games])}
        with disk.replacing(path) as file:
            np.savez_compressed(file, **held, **self.columns)  # type: ignore[arg-type]


def read_asked(path: Path) -> Asked:
    """Turns that were kept. Raises BadData."""
    try:
        with np.load(path, allow_pickle=False) as held:
            columns = {name: held[name] for name in _COLUMNS}
            known, agreed = held["counts"].tolist()
            agreed_at, weights, stands, games, pools = (held[name] for name in _ROWS)
            return Asked(columns, agreed_at, weights, stands, games, pools, known, agreed)
    except (OSError, ValueError, KeyError) as wrong:
        raise BadData(f"{path}: not turns with agreed draws: {wrong}") from None


@dataclass(frozen=True)
class DrawFigures:
    """What was measured on unseen games."""

    turns: int
    agreed: int
    tpr: Interval
    """Of the turns at which people agreed, those that the fitted chance finds where it fires at one of a hundred
    others; `rule_tpr` by how even and drawish the view is, what agents went by before."""
    rule_tpr: Interval
    gain: Interval
    levels: tuple[tuple[str, Interval, float], ...]
    """By level: the share of games that people agreed drawn, and as the model has it on the same games."""


def is_agreed(record: Record) -> bool:
    """Whether a game was drawn by agreement, as far as the record and the rules tell."""
    if not _may_be_agreed(record):
        return False
    position = _at(record, len(record.moves))
    return bool(len(position.legal)) and position.game.claims(position).draw is None


def _may_be_agreed(record: Record) -> bool:
    """Whether it was, unless the rules ended it."""
    return record.score == 0.5 and record.termination in _WORDS


def _at(record: Record, ply: int) -> Position:
    position = start_of(record.game, record.setup)
    for move in record.moves[:ply]:
        position = position.follow(move)
    return position


@dataclass(frozen=True)
class Chosen:
    """A game, whether it was agreed drawn, and for how many of its kind and pool it stands."""

    record: Record
    agreed: bool
    stands: float


def draw_kinds(data: Data, wish: Wish, report: Report) -> tuple[list[Chosen], int, int]:
    """So many games of each kind and pool, how many games there were, and about how many were agreed drawn.

    Only those that are drawn from are looked at by the rules; of the rest as many are taken to be agreed on.
    """
    tally, known = Tally(), set()
    held: dict[tuple[str, bool], list[tuple[int, Record]]] = {}
    met: Counter[tuple[str, bool]] = Counter()
    for found in data.games(tally, wish.split, lambda done: report(done, tally.games)):
        record = found.record
        if found.content in known or len(record.moves) <= EARLIEST_DRAW_PLY or not wish.rules.keeps_game(record):
            continue
        known.add(found.content)
        kind = record.players[0].pool, _may_be_agreed(record)
        met[kind] += 1
        own = held.setdefault(kind, [])
        own.append((int(scatter(np.array([found.content], dtype=np.uint64), wish.seed)[0]), record))
        if len(own) > 4 * wish.games:
            own[:] = sorted(own, key=lambda each: each[0])[: 2 * wish.games]
    chosen, agreed = [], 0.0
    for kind in sorted(held):
        ordered = [record for _, record in sorted(held[kind], key=lambda each: each[0])]
        looked = ordered[: wish.games if not kind[1] else 2 * wish.games]
        own_kind = [record for record in looked if is_agreed(record) == kind[1]][: wish.games]
        share = sum(is_agreed(record) for record in looked) / len(looked) if kind[1] else 1.0
        agreed += kind[1] * share * met[kind]
        chosen += [Chosen(record, kind[1], share * met[kind] / len(own_kind)) for record in own_kind]
    return chosen, met.total(), round(agreed)


def ask_about(chosen: Sequence[Chosen], counts: tuple[int, int], mind: Mind, seed: int, report: Report) -> Asked:
    """Ask a mind about a few turns of each game, the last position of those agreed drawn among them."""
    rng, effort = np.random.default_rng([seed, 0xD4A3]), Effort.seeded(seed)
    rows: list[dict[str, Any]] = []
    queries: list[Query] = []
    for at, each in enumerate(chosen):
        record, end = each.record, len(each.record.moves)
        plies = rng.permutation(np.arange(EARLIEST_DRAW_PLY, end))[:_OF_A_GAME]
        for ply in (*plies.tolist(), *([end] if each.agreed else [])):
            position = _at(record, ply)
            if not len(position.legal):
                continue
            queries.append(Query(position, *_players(record, position.to_move)))
            share = 1.0 if ply == end else (end - EARLIEST_DRAW_PLY) / len(plies)
            rows.append({"game": at, "agreed": float(ply == end), "weight": each.stands * share, "stands": each.stands})
    told = []
    for begin in range(0, len(queries), _BATCH):
        told += mind(queries[begin : begin + _BATCH], effort)
        report(len(told), len(told))
    columns = {
        "hope": [np.nan if opinion.wdl is None else dist.expected_score(opinion.wdl) for opinion in told],
        "draw": [np.nan if opinion.wdl is None else float(opinion.wdl[1]) for opinion in told],
        "balance": [balance_of(query.position) for query in queries],
        "ply": [query.position.ply for query in queries],
        "rating": [_known(query.player.rating) for query in queries],
        "opponent": [_known(query.opponent.rating) for query in queries],
    }
    agreed_at, weights, stands = (
        np.array([row[name] for row in rows], dtype=np.float64) for name in ("agreed", "weight", "stands")
    )
    return Asked(
        {name: np.array(values, dtype=np.float64) for name, values in columns.items()},
        agreed_at,
        weights,
        stands,
        np.array([row["game"] for row in rows], dtype=np.int64),
        np.array([query.player.pool for query in queries], dtype=np.str_),
        *counts,
    )


def _players(record: Record, side: int) -> tuple[Any, Any]:
    return record.players if side == 0 else record.players[::-1]


def _known(value: float | None) -> float:
    return float("nan") if value is None else value


def fit_draws(asked: Asked) -> Draws:
    """The sum. Raises BadInput where too few games were agreed drawn."""
    if asked.agreed.sum() < LEAST_AGREED:
        raise BadInput(f"{int(asked.agreed.sum())} agreed draws are too few to learn from: {LEAST_AGREED} at least")
    features = asked.features
    told = {name: own for name, own in KNOTS.items() if np.nan_to_num(features[name]).std() > 0}
    pools = tuple(sorted(set(asked.pools.tolist())))
    design = Design(told, pools if len(pools) > 1 else ())
    weights, known = _sampled(asked)
    return Draws(fit_chances(design, features, asked.agreed, asked.pools, weights=weights, known=known))


def _sampled(asked: Asked) -> tuple[Floats, Floats]:
    """[n] weights and log-odds that undo the draw of turns.

    Each turn that was looked at counts about once, by how it was drawn among its kind; what the kinds were thinned by
    adds to the log-odds. Full weights would leave the few agreed turns nothing to say against the penalty.
    """
    weights, known = np.ones(len(asked.agreed)), np.zeros(len(asked.agreed))
    for pool in set(asked.pools.tolist()):
        own = asked.pools == pool
        thinned = []
        for kind in (0.0, 1.0):
            rows = own & (asked.agreed == kind)
            thinned.append(float(asked.weights[rows].mean()) if rows.any() else 1.0)
            weights[rows] = asked.weights[rows] / thinned[-1]
        known[own] = np.log(thinned[0] / thinned[1])
    return weights, known


def measure_draws(model: Draws, asked: Asked, levels: NDArray[np.str_]) -> DrawFigures:
    """The fitted chance on unseen turns, beside how even and drawish a view is."""
    chance = model.chance(asked.features, asked.pools)
    view = np.where(asked.features["lead"] <= 0.2, asked.columns["draw"], asked.columns["draw"] - 1.0)
    place = np.unique(asked.games, return_inverse=True)[1]
    found = [_found_at(score, asked, place) for score in (chance, view)]
    rows = []
    for name in sorted(set(levels.tolist()), key=lambda each: (len(each), each)):
        own = levels == name
        if asked.agreed[own].sum() >= 5:
            rows.append((name, *_shares(asked, chance, place, own)))
    gain = interval_of(found[0][0].value - found[1][0].value, found[0][1] - found[1][1])
    agreed = int(asked.agreed.sum())
    return DrawFigures(len(chance), agreed, found[0][0], found[1][0], gain, tuple(rows))


def _found_at(score: Floats, asked: Asked, place: NDArray[np.int64], fpr: float = 0.01) -> tuple[Interval, Floats]:
    """The share of agreed turns above the bound that so many of the others are above, and that in resamples."""
    others = asked.agreed == 0
    order = np.argsort(-score[others], kind="stable")
    shares = np.cumsum(asked.weights[others][order]) / asked.weights[others].sum()
    bound = score[others][order][min(int(np.searchsorted(shares, fpr)), len(order) - 1)]
    sums = np.zeros((place.max() + 1, 2))
    np.add.at(sums, place, np.column_stack([asked.agreed * (score > bound), asked.agreed]))
    draws = np.concatenate([drawn @ sums for drawn in resample_counts(len(sums), 0, 1_000)])
    found = draws[:, 0] / np.maximum(draws[:, 1], 1)
    return interval_of(float(sums[:, 0].sum() / sums[:, 1].sum()), found), found


def _shares(asked: Asked, chance: Floats, place: NDArray[np.int64], own: NDArray[np.bool_]) -> tuple[Interval, float]:
    """Agreed draws a game of a level: people's, and what the chances of their turns come to."""
    sums = np.zeros((place.max() + 1, 3))
    weighed = asked.weights * own
    np.add.at(sums, place, np.column_stack([weighed * asked.agreed, weighed * chance, np.zeros(len(chance))]))
    np.maximum.at(sums[:, 2], place, asked.stands * own)
    draws = np.concatenate([drawn @ sums for drawn in resample_counts(len(sums), 0, 1_000)])
    total = sums.sum(axis=0)
    people = interval_of(float(total[0] / total[2]), draws[:, 0] / np.maximum(draws[:, 2], 1e-9))
    return people, float(total[1] / total[2])
