"""Labels in batches: which moves are drawn for them, and what the batch is given to learn."""

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from hitonami.dataset.batches import Batch, Batches, BatchPlan
from hitonami.dataset.groups import split_of
from hitonami.dataset.labels import LAYOUT_VERSION, MANIFEST, Candidate, Key, Label, shard_path, table_of, write_labels
from hitonami.dataset.samples import samples_at
from hitonami.dataset.shards import content_of, read_records, shards_in
from hitonami.dataset.targets import LabelSource, check_labels, choose_labelled_plies
from hitonami.errors import BadInput

PLIES = (4, 11)


@pytest.fixture(scope="module")
def games(write_games: Callable[..., Path]) -> Path:
    return write_games("chess", 40)


def write_folder(folder: Path, labels: list[tuple[Key, Label]], game: str = "chess", split: str = "all") -> Path:
    folder.mkdir()
    write_labels(table_of(labels), shard_path(folder, 0))
    about = {"draw": {"game": game, "split": split}}
    manifest = {
        "kind": "labels",
        "layout": LAYOUT_VERSION,
        "about": about,
        "shards": [{"name": "labels-00000.parquet"}],
    }
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def labelled(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two positions of every second game, the expert's choice being the last legal move, the first a bit worse."""
    labels: list[tuple[Key, Label]] = []
    records = [record for path in shards_in(games) for record in read_records(path)]
    for record in records[::2]:
        for sample in samples_at(record, PLIES):
            legal = sample.query.position.legal
            two = Candidate(int(legal[-1]), 0.6), Candidate(int(legal[0]), 0.58)
            labels.append(((content_of(record), sample.query.position.ply), Label(sample.move, candidates=two)))
    return write_folder(tmp_path_factory.mktemp("labels") / "expert", labels)


def batch_of(games: Path, *sources: LabelSource, most: int = 3) -> Batch:
    plan = BatchPlan("lc0", batch_size=24, positions_per_game=most, games_per_group=40, labels=sources)
    return next(islice(Batches([games], plan), 1))


def test_labelled_positions_have_targets_and_others_have_none(games: Path, labelled: Path) -> None:
    batch = batch_of(games, LabelSource(labelled, "expert", 0.02))
    known = batch["expert"].sum(axis=1) > 0
    assert known.any()
    assert not known.all()
    assert set(batch["ply"][known].tolist()) <= set(PLIES)
    counts = (batch["legal"] >= 0).sum(axis=1)
    share = 1 / (1 + np.exp(-1.0))
    for row in np.flatnonzero(known):
        assert batch["expert"][row, counts[row] - 1] == pytest.approx(share, abs=1e-4)
        assert batch["expert"][row, 0] == pytest.approx(1 - share, abs=1e-4)
        assert batch["expert"][row].sum() == pytest.approx(1.0, abs=1e-5)


def test_only_labelled_positions_may_be_drawn(games: Path, labelled: Path) -> None:
    batch = batch_of(games, LabelSource(labelled, "teacher", draw="only"))
    assert batch["teacher"].sum(axis=1) == pytest.approx(np.ones(24), abs=1e-5)
    assert "expert" not in batch


def test_without_labels_a_batch_is_what_it_was_and_any_draws_alike(games: Path, labelled: Path) -> None:
    plain, some = batch_of(games), batch_of(games, LabelSource(labelled, draw="any"))
    assert "expert" not in plain
    assert some["expert"].shape == some["legal"].shape


@pytest.mark.parametrize("draw", ["first", "only", "any"])
def test_plies_are_chosen_as_the_source_says(labelled: Path, games: Path, draw: str) -> None:
    record = next(read_records(shards_in(games)[0]))
    sources = [LabelSource(labelled, draw=draw)]  # type: ignore[arg-type]
    kept = np.arange(30)
    chosen = [
        choose_labelled_plies(kept, content_of(record), sources, np.random.default_rng(seed), 5) for seed in range(20)
    ]
    assert all(plies == sorted(set(plies)) for plies in chosen)
    if draw == "any":
        assert not all(set(PLIES) <= set(plies) for plies in chosen)
    else:
        assert all(set(PLIES) <= set(plies) for plies in chosen)
    assert {len(plies) for plies in chosen} == {2 if draw == "only" else 5}
    assert choose_labelled_plies(kept[:4], content_of(record), sources, np.random.default_rng(0), 9) == (
        [] if draw == "only" else [0, 1, 2, 3]
    )


def test_of_two_sources_the_first_counts(games: Path, labelled: Path, tmp_path: Path) -> None:
    record = next(read_records(shards_in(games)[0]))
    [sample] = samples_at(record, PLIES[:1])
    middle = int(sample.query.position.legal[1])
    label = Label(sample.move, candidates=(Candidate(middle, 0.5),))
    other = write_folder(tmp_path / "other", [((content_of(record), PLIES[0]), label)])
    sources = [LabelSource(other, draw="only"), LabelSource(labelled)]
    batch = batch_of(games, *sources, most=2)
    assert (batch["expert"][:, 1] == 1.0).sum() <= 1
    swapped = batch_of(games, *sources[::-1], most=2)
    assert not (swapped["expert"][:, 1] == 1.0).any()


def test_labels_that_cannot_teach_are_refused(games: Path, labelled: Path, tmp_path: Path) -> None:
    shards = shards_in(games)
    check_labels([LabelSource(labelled)], "chess", shards, "90/5/5")
    check_labels([], "chess", shards, "90/5/5")
    with pytest.raises(BadInput, match="labels of chess, and the network plays go"):
        check_labels([LabelSource(labelled)], "go", shards, "90/5/5")
    held_out = next(number for number in range(10**6) if split_of(number) == "test")
    foreign = write_folder(tmp_path / "foreign", [((held_out, 3), Label(1))], split="test")
    with pytest.raises(BadInput, match="drawn from split test"):
        check_labels([LabelSource(foreign)], "chess", shards, "90/5/5")
