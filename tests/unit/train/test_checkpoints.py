"""Checkpoints: what was saved comes back, and a foreign or damaged file is refused without running anything in it."""

import pickle
from pathlib import Path

import pytest
import torch

from hitonami.errors import BadModel
from hitonami.train.checkpoints import (
    Checkpoint,
    load_checkpoint,
    load_weights,
    save_checkpoint,
    save_weights,
)


def example() -> Checkpoint:
    weights = {"a": torch.arange(4.0), "b": torch.ones(2, 3)}
    return Checkpoint(7, [(1, 2), (3, 4)], weights, {"state": {}}, torch.get_rng_state(), {"loss": 0.5}, 1.25, 3)


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    saved = example()
    save_checkpoint(saved, tmp_path / "last.pt")
    found = load_checkpoint(tmp_path / "last.pt")
    assert (found.step, found.best, found.stale, found.totals) == (7, 1.25, 3, {"loss": 0.5})
    assert [tuple(place) for place in found.places] == saved.places
    assert torch.equal(found.model["b"], saved.model["b"])
    assert [path.name for path in tmp_path.iterdir()] == ["last.pt"], "no draft is left"


class Trap:
    """Unpickling this would make a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (self._path,)


def test_nothing_in_a_file_is_run(tmp_path: Path) -> None:
    sprung = tmp_path / "sprung"
    for name, write in (("torch", torch.save), ("pickle", lambda held, path: path.write_bytes(pickle.dumps(held)))):
        path = tmp_path / f"{name}.pt"
        write({"layout": 1, "kind": "weights", "model": Trap(sprung)}, path)
        with pytest.raises(BadModel, match=name):
            load_weights(path)
    assert not sprung.exists()


def test_damaged_and_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "last.pt"
    save_checkpoint(example(), path)
    whole = path.read_bytes()
    for cut in (0, 10, len(whole) // 2, len(whole) - 30):
        path.write_bytes(whole[:cut])
        with pytest.raises(BadModel, match=r"last\.pt"):
            load_checkpoint(path)
    save_weights({}, path)
    with pytest.raises(BadModel, match="not a file of training"):
        load_checkpoint(path)
    torch.save({"layout": 2, "kind": "weights", "model": {}}, path)
    with pytest.raises(BadModel, match="layout 2"):
        load_weights(path)
    with pytest.raises(BadModel, match="No such file"):
        load_weights(tmp_path / "none.pt")
