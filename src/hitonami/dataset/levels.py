"""Estimated levels for players without a rating: their place among the others by what an engine says they lose.

Labels (`hitonami label --played`) give the loss of single moves. A player's mean is drawn towards everybody's mean the
more, the fewer of his moves were judged (empirical Bayes), and his place among all players, a quantile, is put on the
game's scale of ranks. The levels are estimates of one data set and say so; ratings that a record has are not touched.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hitonami.dataset.ingest import LAYOUT_VERSION, read_manifest
from hitonami.dataset.labels import Label, Labels, hash_labels, labels_of
from hitonami.dataset.shards import SCHEMA, first_mover, records_of, shards_in, write_shard
from hitonami.errors import BadInput

LARGEST_LOSS: Final = 0.5
"""Of one move. Few moves lose more; they would decide a mean of fifty moves alone."""


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


def loss_of(label: Label) -> float | None:
    """What the played move lost: against the best candidate, or against what the position was worth."""
    if label.loss is not None:
        return min(label.loss, LARGEST_LOSS)
    if label.own is None or label.own.expected is None or label.wdl is None:
        return None
    before = float(label.wdl[0] + label.wdl[1] / 2)
    return float(np.clip(before - label.own.expected, -LARGEST_LOSS, LARGEST_LOSS))


def losses_by_player(folder: Path, labels: Labels) -> dict[str, list[float]]:
    """Each named player's losses in the games of a dataset."""
    found: dict[str, list[float]] = {}
    for path in shards_in(folder):
        table = pq.read_table(path)
        for content, record in zip(table["content"].to_pylist(), records_of(table), strict=True):
            plies = labels.plies_of(content)
            first = first_mover(record) if plies else 0
            for ply in plies:
                player, loss = record.players[(first + ply) % 2], loss_of(labels[content, ply])
                if player.name and loss is not None:
                    found.setdefault(player.name, []).append(loss)
    return found


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
    text = json.dumps({**manifest, "levels": about}, indent=1, ensure_ascii=False)
    (out / "manifest.json").write_text(text + "\n", encoding="utf-8")
    return levels


def _with_levels(table: pa.Table, by_name: Mapping[str, float]) -> pa.Table:
    for side in (0, 1):
        ratings, names = table[f"rating_{side}"].to_pylist(), table[f"name_{side}"].to_pylist()
        filled = [by_name.get(name) if own is None else own for own, name in zip(ratings, names, strict=True)]
        at = SCHEMA.get_field_index(f"rating_{side}")
        table = table.set_column(at, SCHEMA.field(at), pa.array(filled, type=pa.float32()))
    return table
