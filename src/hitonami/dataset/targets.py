"""Targets of training beside the moves: labels (which moves of a game are drawn for them) and results of games.

Labels are looked up by game and ply while batches are made, and read once a process. Where a position has no label its
row of targets is zero, which the losses take for unknown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hitonami.dataset.groups import splits_of
from hitonami.dataset.labels import Labels, labels_of, read_label_manifest
from hitonami.dataset.samples import Sample
from hitonami.errors import BadInput

DrawLabels = Literal["first", "only", "any"]
Results = Literal["all", "between-people"]
"""Whose results are learned: a bot's opponent loses as bots play, not as people of its rating do."""


@dataclass(frozen=True)
class LabelSource:
    """A folder of labels and what is made of it. `target` names the batch's array: "expert" or "teacher"."""

    folder: Path
    target: Literal["expert", "teacher"] = "expert"
    temperature: float | None = None
    """See `Label.target`."""
    draw: DrawLabels = "first"
    """Labelled moves are drawn before others, alone, or as if they had no labels."""


@cache
def open_labels(folder: Path) -> Labels:
    """Once a process: what targets need of the labels in a folder."""
    return labels_of(folder, for_targets=True)


def check_labels(sources: Sequence[LabelSource], game: str, shards: Sequence[Path], shares: str) -> None:
    """Refuse labels of another game, and labels of which not one lies in a training game of these shards."""
    if not sources:
        return
    contents: NDArray[Any] = np.concatenate(
        [pq.read_table(path, columns=["content"])["content"].to_numpy() for path in shards]
    )
    training = contents[splits_of(contents, shares) == 0]
    for source in sources:
        about = read_label_manifest(source.folder)["about"]["draw"]
        if about["game"] != game:
            raise BadInput(f"{source.folder}: labels of {about['game']}, and the network plays {game}")
        labelled = np.unique(np.array([content for content, _ in open_labels(source.folder)], dtype=np.uint64))
        if not np.isin(labelled, training).any():
            raise BadInput(
                f"{source.folder}: not one of its {len(labelled):,} games is a training game of the data (labels were "
                f"drawn from split {about['split']})"
            )


def needed_games(sources: Sequence[LabelSource]) -> NDArray[np.uint64] | None:
    """The content hashes of the only games that can give a position; None where all can."""
    if not any(source.draw == "only" for source in sources):
        return None
    return _labelled_games(tuple(source.folder for source in sources if source.draw != "any"))


@cache
def _labelled_games(folders: tuple[Path, ...]) -> NDArray[np.uint64]:
    return np.unique(np.array([content for folder in folders for content, _ in open_labels(folder)], dtype=np.uint64))


def choose_labelled_plies(
    kept: NDArray[np.intp], content: int, sources: Sequence[LabelSource], rng: np.random.Generator, most: int
) -> list[int]:
    """At most `most` of these plies of a game, in order, those with labels as their sources want it."""
    wanted = {ply for source in sources if source.draw != "any" for ply in open_labels(source.folder).plies_of(content)}
    has_label = np.isin(kept, list(wanted))
    if any(source.draw == "only" for source in sources):
        kept, has_label = kept[has_label], has_label[has_label]
    if len(kept) > most:
        order = rng.permutation(len(kept))
        order = order[np.argsort(~has_label[order], kind="stable")]
        kept = np.sort(kept[order[:most]])
    return [int(ply) for ply in kept]


def make_targets(
    keyed: Sequence[tuple[int, Sample]], sources: Sequence[LabelSource], width: int
) -> dict[str, NDArray[np.float32]]:
    """By name, [N, width] distributions over the legal moves, padded with zeros. Of several sources the first counts.

    `keyed` are the games' content hashes with their samples.
    """
    made: dict[str, NDArray[np.float32]] = {}
    for source in reversed(sources):  # an earlier one writes over a later one
        targets = made.setdefault(source.target, np.zeros((len(keyed), width), dtype=np.float32))
        labels = open_labels(source.folder)
        for at, (content, sample) in enumerate(keyed):
            position = sample.query.position
            label = labels.get((content, position.ply))
            if label is not None:
                targets[at, : len(position.legal)] = label.target(position.legal, source.temperature)
    return made


def result_target(sample: Sample, results: Results) -> tuple[float, float, float]:
    """Win, draw and loss of the mover; nothing where the result is unknown, or is of a kind not to be learned."""
    score = sample.score
    bots = "bot" in (sample.query.player.kind, sample.query.opponent.kind)
    if score is None or (bots and results == "between-people"):
        return 0.0, 0.0, 0.0
    return float(score == 1.0), float(0.0 < score < 1.0), float(score == 0.0)
