"""Estimated levels for players without a rating: their place among the others by what an engine says they lose.

Labels (`hitonami label`) give the loss of single moves. A player's mean is drawn towards everybody's mean the
more, the fewer of his moves were judged (empirical Bayes), and his place among all players, a quantile, is put on the
game's scale of ranks. The levels are estimates of one data set and say so; ratings that a record has are not touched.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hitonami.core import Position, index_of
from hitonami.dataset.ingest import LAYOUT_VERSION, read_manifest
from hitonami.dataset.labels import Label, Labels, hash_labels, labels_of
from hitonami.dataset.shards import SCHEMA, records_of, shards_in, start_of, write_json, write_shard
from hitonami.errors import BadInput
from hitonami.records import Record

LARGEST_LOSS: Final = 0.5
"""Of one move, in expected score. Few moves lose more; they would decide a mean of fifty moves alone."""
SMALLEST_SHARE: Final = 1e-3
"""Less is as good as nothing: whether a network gives a move 10^-4 or 10^-6 says little of who played it."""


@dataclass(frozen=True)
class Scale:
    """Quantile 0 is `low`, quantile 1 is `high`; a player needs `moves` judged ones to have a level at all."""

    low: float
    high: float
    moves: int = 30


@dataclass(frozen=True)
class Levels:
    """What came of it."""

    by_name: Mapping[str, float]
    players: int
    judged: int
    reliability: float
    """The share of the spread between players' means that is not chance: between 0 and 1."""


def loss_of(label: Label, position: Position) -> float | None:
    """What the played move lost: expected score against the best candidate, or nats against the likeliest move.

    Scores are from a search. A network's own value before and after a move is no measure: it leans to the side to
    move, by more than people lose. Where only its distribution is known, the measure is log p(best) - log p(played).
    """
    if label.loss is not None:
        return min(label.loss, LARGEST_LOSS)
    if label.policy is None:
        return None
    probs = np.maximum(label.policy.astype(np.float64), SMALLEST_SHARE)
    return float(np.log(probs.max() / probs[index_of(position, label.played)]))


def losses_by_player(folder: Path, labels: Labels) -> dict[str, list[float]]:
    """Each named player's losses in the games of a dataset."""
    found: dict[str, list[float]] = {}
    for path in shards_in(folder):
        table = pq.read_table(path)
        for content, record in zip(table["content"].to_pylist(), records_of(table), strict=True):
            for ply, position in _positions_at(record, labels.plies_of(content)):
                player, loss = record.players[position.to_move], loss_of(labels[content, ply], position)
                if player.name and loss is not None:
                    found.setdefault(player.name, []).append(loss)
    return found


def _positions_at(record: Record, plies: Sequence[int]) -> Iterator[tuple[int, Position]]:
    """The positions of a game before some of its moves; plies rise."""
    position, at = start_of(record.game, record.setup), 0
    for ply in plies:
        for move in record.moves[at:ply]:
            position = position.play(move)
        at = ply
        yield ply, position


def estimate_levels(losses: Mapping[str, Iterable[float]], scale: Scale) -> Levels:
    """Levels of the players with enough judged moves. Raises BadInput where fewer than two have them."""
    known = {name: np.array([*values]) for name, values in losses.items()}
    known = {name: values for name, values in known.items() if len(values) >= scale.moves}
    if len(known) < 2:
        raise BadInput(f"{len(known)} players have {scale.moves} judged moves or more: label more positions")
    counts = np.array([len(values) for values in known.values()], dtype=np.float64)
    means = np.array([values.mean() for values in known.values()])
    shrunk, reliability = _shrink(means, counts, float(np.mean([values.var(ddof=1) for values in known.values()])))
    ranks = np.argsort(np.argsort(-shrunk, kind="stable"), kind="stable")
    quantiles = (ranks + 0.5) / len(ranks)
    levels = scale.low + (scale.high - scale.low) * quantiles
    by_name = dict(zip(known, levels.tolist(), strict=True))
    return Levels(by_name, len(losses), int(counts.sum()), reliability)


def _shrink(means: NDArray[np.float64], counts: NDArray[np.float64], noise: float) -> tuple[NDArray[np.float64], float]:
    """Posterior means where players' true means are spread normally, and the share of the spread that is real."""
    total = float(means.var(ddof=1))
    chance = float((noise / counts).mean())
    between = max(total - chance, 0.0)
    weights = between / (between + noise / counts) if between > 0 else np.zeros_like(counts)
    centre = float(np.average(means, weights=counts))
    return centre + weights * (means - centre), between / total if total > 0 else 0.0


def write_levels(folder: Path, labels: Path, out: Path, scale: Scale) -> Levels:
    """A copy of a dataset in `out` whose unrated players have estimated levels where there were enough moves."""
    manifest = read_manifest(folder) or {"layout": LAYOUT_VERSION}
    if not shards_in(folder):
        raise BadInput(f"no dataset in {folder}: `hitonami ingest` makes them")
    if out.exists() and any(out.iterdir()):
        raise BadInput(f"{out} is not empty: choose another folder with --out")
    levels = estimate_levels(losses_by_player(folder, labels_of(labels)), scale)
    out.mkdir(parents=True, exist_ok=True)
    for path in shards_in(folder):
        write_shard(_with_levels(pq.read_table(path), levels.by_name), out / path.name)
    about: dict[str, Any] = {
        "estimated": "levels are quantiles of engine loss between the players of this dataset",
        "labels": hash_labels(labels), "low": scale.low, "high": scale.high, "players": len(levels.by_name),
        "reliability": round(levels.reliability, 3),
    }  # fmt: skip
    write_json(out / "manifest.json", {**manifest, "levels": about})
    return levels


def _with_levels(table: pa.Table, by_name: Mapping[str, float]) -> pa.Table:
    for side in (0, 1):
        ratings, names = table[f"rating_{side}"].to_pylist(), table[f"name_{side}"].to_pylist()
        filled = [by_name.get(name) if own is None else own for own, name in zip(ratings, names, strict=True)]
        at = SCHEMA.get_field_index(f"rating_{side}")
        table = table.set_column(at, SCHEMA.field(at), pa.array(filled, type=pa.float32()))
    return table
