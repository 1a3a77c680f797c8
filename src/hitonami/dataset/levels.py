"""Estimated levels for players without a rating: their place among the others by what an engine says they lose.

Labels (`hitonami label`) give the loss of single moves. A player's mean is drawn towards everybody's mean the
more, the fewer of his moves were judged (empirical Bayes), and his place among all players, a quantile, is put on the
game's scale of ranks. **His level in a game comes from his other games**: one that counted the game's own moves would
tell whoever is to predict them how they will be. The levels are estimates of one data set and say so; ratings that a
record has are not touched.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hitonami import disk
from hitonami.core import Position, index_of
from hitonami.dataset.ingest import LAYOUT_VERSION, read_manifest
from hitonami.dataset.labels import Label, Labels, hash_labels, labels_of
from hitonami.dataset.shards import SCHEMA, describe_shard, records_of, shards_in, start_of, write_json, write_shard
from hitonami.dataset.verify import open_shards
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


Losses = Mapping[str, Mapping[int, Sequence[float]]]
"""Of each player, in each of his games by the hash of its content."""


@dataclass(frozen=True)
class Spread:
    """How players differ, and so what the mean of some moves says of who made them."""

    centre: float
    between: float
    """The variance of players' true means."""
    noise: float
    """The variance of one player's moves."""
    known: NDArray[np.float64]
    """What is believed of each player's mean, ascending."""

    def believe(self, means: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Posterior means where players' true means are spread normally."""
        weights = self.between / (self.between + self.noise / counts) if self.between > 0 else np.zeros_like(counts)
        return self.centre + weights * (means - self.centre)

    def quantiles(self, believed: NDArray[np.float64]) -> NDArray[np.float64]:
        """The share of players who lose more; of those who lose as much, half."""
        below, up_to = (np.searchsorted(self.known, believed, side=side) for side in ("left", "right"))
        return 1.0 - (below + up_to) / (2.0 * len(self.known))


@dataclass(frozen=True)
class EstimatedLevels:
    """What came of it."""

    by_name: Mapping[str, float]
    """From all games of a player."""
    by_game: Mapping[tuple[str, int], float | None]
    """From a player's other games; None where too few of their moves were judged."""
    players: int
    judged: int
    reliability: float
    """The share of the spread between players' means that is not chance: between 0 and 1."""

    def in_game(self, name: str, content: int) -> float | None:
        """A player's level in a game; where none of its moves was judged, all that is known of him counts."""
        return self.by_game.get((name, content), self.by_name.get(name))


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


def losses_by_player(folder: Path, labels: Labels) -> dict[str, dict[int, list[float]]]:
    """Each named player's losses in the games of a dataset."""
    found: dict[str, dict[int, list[float]]] = {}
    for path in shards_in(folder):
        table = pq.read_table(path)
        for content, record in zip(table["content"].to_pylist(), records_of(table), strict=True):
            for ply, position in _positions_at(record, labels.plies_of(content)):
                player, loss = record.players[position.to_move], loss_of(labels[content, ply], position)
                if player.name and loss is not None:
                    found.setdefault(player.name, {}).setdefault(content, []).append(loss)
    return found


def _positions_at(record: Record, plies: Sequence[int]) -> Iterator[tuple[int, Position]]:
    """The positions of a game before some of its moves; plies rise."""
    position, at = start_of(record.game, record.setup), 0
    for ply in plies:
        for move in record.moves[at:ply]:
            position = position.play(move)
        at = ply
        yield ply, position


def estimate_levels(losses: Losses, scale: Scale) -> EstimatedLevels:
    """Levels of the players with enough judged moves. Raises BadInput where fewer than two have them."""
    held = {name: np.array([loss for game in games.values() for loss in game]) for name, games in losses.items()}
    known = {name: values for name, values in held.items() if len(values) >= scale.moves}
    if len(known) < 2:
        raise BadInput(f"{len(known)} players have {scale.moves} judged moves or more: label more positions")
    counts = np.array([len(values) for values in known.values()], dtype=np.float64)
    means = np.array([values.mean() for values in known.values()])
    spread = _spread_of(means, counts, float(np.mean([values.var(ddof=1) for values in known.values()])))
    levels = _levels_of(spread, means, counts, scale)
    total = float(means.var(ddof=1))
    return EstimatedLevels(
        dict(zip(known, levels, strict=True)), _levels_by_game(losses, spread, scale), len(losses), int(counts.sum()),
        spread.between / total if total > 0 else 0.0,
    )  # fmt: skip


def _spread_of(means: NDArray[np.float64], counts: NDArray[np.float64], noise: float) -> Spread:
    between = max(float(means.var(ddof=1)) - float((noise / counts).mean()), 0.0)
    empty = Spread(float(np.average(means, weights=counts)), between, noise, np.zeros(0))
    return replace(empty, known=np.sort(empty.believe(means, counts)))


def _levels_of(
    spread: Spread, means: NDArray[np.float64], counts: NDArray[np.float64], scale: Scale
) -> list[float]:  # fmt: skip
    found: list[float] = (
        scale.low + (scale.high - scale.low) * spread.quantiles(spread.believe(means, counts))
    ).tolist()
    return found


def _levels_by_game(losses: Losses, spread: Spread, scale: Scale) -> dict[tuple[str, int], float | None]:
    """Every player's level in each game with judged moves of his, as his other games tell it."""
    found: dict[tuple[str, int], float | None] = {}
    for name, games in losses.items():
        sums = {content: (sum(values), len(values)) for content, values in games.items()}
        lost, judged = sum(each for each, _ in sums.values()), sum(count for _, count in sums.values())
        others = {
            content: (lost - own, judged - count)
            for content, (own, count) in sums.items()
            if judged - count >= scale.moves
        }
        found |= {(name, content): None for content in games}
        if others:
            rest, counts = np.array([*others.values()], dtype=np.float64).T
            levels = _levels_of(spread, rest / counts, counts, scale)
            found |= {(name, content): level for content, level in zip(others, levels, strict=True)}
    return found


def write_levels(folder: Path, labels: Path, out: Path, scale: Scale) -> EstimatedLevels:
    """A copy of a dataset in `out` whose unrated players have estimated levels where there were enough moves."""
    manifest = read_manifest(folder) or {"layout": LAYOUT_VERSION}
    if not open_shards(folder):
        raise BadInput(f"no dataset in {folder}: `hitonami ingest` makes them")
    if out.exists() and any(out.iterdir()):
        raise BadInput(f"{out} is not empty: choose another folder with --out")
    levels = estimate_levels(losses_by_player(folder, labels_of(labels)), scale)
    about: dict[str, Any] = {
        "estimated": "levels are quantiles of engine loss between players, in each game from their other games",
        "labels": hash_labels(labels), "low": scale.low, "high": scale.high, "players": len(levels.by_name),
        "reliability": round(levels.reliability, 3),
    }  # fmt: skip
    with disk.building(out) as draft:
        for path in shards_in(folder):
            write_shard(with_levels(pq.read_table(path), levels), draft / path.name)
        shards = [describe_shard(path, "games") for path in shards_in(draft)]
        write_json(draft / "manifest.json", {**manifest, "levels": about, "shards": shards})
    return levels


def with_levels(table: pa.Table, levels: EstimatedLevels) -> pa.Table:
    """Games whose unrated players have their estimated levels."""
    contents = table["content"].to_pylist()
    for side in (0, 1):
        ratings, names = table[f"rating_{side}"].to_pylist(), table[f"name_{side}"].to_pylist()
        filled = [
            own if own is not None or not name else levels.in_game(name, content)
            for own, name, content in zip(ratings, names, contents, strict=True)
        ]
        at = SCHEMA.get_field_index(f"rating_{side}")
        table = table.set_column(at, SCHEMA.field(at), pa.array(filled, type=pa.float32()))
    return table
