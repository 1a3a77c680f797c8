"""TensorBoard's files hold what log.csv holds, and a run that goes on hides what it writes again."""

import csv
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from tensorboardX.proto import event_pb2

from hitonami.train.boards import Boards
from hitonami.train.loop import run_training
from hitonami.train.run import Run

MakeRun = Callable[..., Run]


def events_in(path: Path) -> list[Any]:
    """TFRecord: a length of 8 bytes, its checksum of 4, the message, its checksum of 4."""
    data, at, found = path.read_bytes(), 0, []
    while at < len(data):
        length = int.from_bytes(data[at : at + 8], "little")
        event: Any = event_pb2.Event()
        event.ParseFromString(data[at + 12 : at + 12 + length])
        found.append(event)
        at += 16 + length
    return found


def scalars_in(folder: Path) -> dict[tuple[str, int], float]:
    return {
        (value.tag, event.step): value.simple_value
        for path in sorted(folder.iterdir())
        for event in events_in(path)
        for value in event.summary.value
    }


def test_every_figure_of_the_log_is_there(make_run: MakeRun) -> None:
    run = make_run("seen", tensorboard=True, training={"steps": 5})
    assert run_training(run) == "finished"
    found = scalars_in(run.out / "tensorboard")
    with run.log.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    expected = {}
    for row in rows:
        for name, text in row.items():
            group, short = ("validation", name[11:]) if name.startswith("validation_") else ("training", name)
            if text and name != "step":
                expected[f"{group}/{short}", int(row["step"])] = float(text)
    assert found == pytest.approx(expected, rel=1e-4)
    assert ("validation/accuracy", 5) in found


def test_it_is_off_by_default_and_may_be_switched_on_in_a_run_that_goes_on(make_run: MakeRun) -> None:
    stop = Event()
    stop.set()
    run = make_run("later", training={"steps": 4})
    assert run_training(run, stop=stop) == "interrupted"
    assert not (run.out / "tensorboard").exists()
    assert run_training(make_run("later", training={"steps": 4}, tensorboard=True), resume=True) == "finished"
    assert {step for _, step in scalars_in(run.out / "tensorboard")} == {2, 4}


def test_a_run_that_goes_on_says_from_where(tmp_path: Path) -> None:
    boards = Boards(tmp_path, 40)
    boards.write({"step": 42, "loss": 1.5})
    boards.close()
    (path,) = tmp_path.iterdir()
    starts = [event.step for event in events_in(path) if event.HasField("session_log")]
    assert starts == [41]
