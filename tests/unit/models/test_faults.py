"""A model's folder is whole or not there, whatever call of the disk fails."""

from collections.abc import Callable
from pathlib import Path

from hitonami.models.store import load_model, write_model

FailEach = Callable[..., int]
Tree = Callable[[Path], dict[str, bytes]]


def test_a_model_is_written_whole(model_folder: Path, fail_each: FailEach, tree: Tree) -> None:
    model = load_model(model_folder)

    def work(folder: Path) -> None:
        if not (folder / "store" / "mine").exists():
            write_model(model, folder / "store" / "mine")

    def check(folder: Path) -> None:
        if (folder / "store" / "mine").exists():
            assert load_model(folder / "store" / "mine").onnx == model.onnx

    assert fail_each(work, work, tree, check) > 12
