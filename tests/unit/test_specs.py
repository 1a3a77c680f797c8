"""Specs: frozen, checked by name, and opened with everything shared and ended."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from hitonami import specs
from hitonami.core import Effort, Player, Query, open_game
from hitonami.errors import BadInput, BadSpec, HitonamiError, UnknownPart
from hitonami.knobs import Curve
from hitonami.specs import MindSpec, Room, mind_spec, open_mind, read_spec

NESTED = """
kind = "blend"
weights = [0.25, [[1000, 0.5], [2000, 0.75]]]
[[minds]]
kind = "uniform"
[[minds]]
kind = "temper"
rho = 2
mind = "uniform"
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "mind.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_toml_file_is_the_record_of_a_mind(tmp_path: Path) -> None:
    spec = read_spec(write(tmp_path, NESTED))
    assert repr(spec) == (
        "blend(minds=(uniform(), temper(mind=uniform(), rho=2.0)), "
        "weights=(0.25, Curve(points=((1000, 0.5), (2000, 0.75)))))"
    )
    assert mind_spec(str(write(tmp_path, NESTED))) == spec
    assert spec in {spec}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('kind = "tempr"', "did you mean temper"),
        ("rho = 1", "needs a kind"),
        ('kind = "temper"', "mind: Field required"),
        ('kind = "temper"\nmind = "uniform"\nrho = "high"', "rho"),
        ('kind = "temper"\nmind = {kind = "blendd"}', "did you mean blend"),
        ('kind = "temper"\nmind = "uniform"\nrho = [[2000, 1], [1000, 2]]', "rising ratings"),
        ('kind = "temper"\nmind = "uniform"\nrohs = 1', "unknown key 'rohs'"),
        ("kind = ", "not TOML"),
        ('kind = "uniform"\nx = 1', "unknown key 'x'"),
    ],
)
def test_a_bad_file_is_refused_by_name_and_reason(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(BadSpec, match=r"mind\.toml") as caught:
        read_spec(path)
    assert message in str(caught.value)


def test_a_file_that_names_itself_is_refused_in_a_line(tmp_path: Path) -> None:
    alone, first, second = (tmp_path / f"{name}.toml" for name in ("alone", "first", "second"))
    alone.write_text(f'kind = "temper"\nmind = "{alone}"\n')
    first.write_text(f'kind = "temper"\nmind = "{second}"\n')
    second.write_text(f'kind = "temper"\nmind = "{first}"\n')
    with pytest.raises(BadSpec, match=r"alone\.toml names itself$") as wrong:
        mind_spec(str(alone))
    assert len(str(wrong.value)) < 400
    with pytest.raises(BadSpec, match=r"first\.toml names itself, by way of another file$"):
        mind_spec(str(first))


def test_a_file_may_be_named_twice_side_by_side(tmp_path: Path) -> None:
    part, whole = tmp_path / "part.toml", tmp_path / "whole.toml"
    part.write_text('kind = "uniform"\n')
    whole.write_text(f'kind = "pair"\npolicy = "{part}"\nvalue = "{part}"\n')
    assert mind_spec(str(whole)).kind == "pair"


@pytest.mark.parametrize("depth", [50, 1_000, 100_000])
def test_deep_specs_are_refused_in_a_line(tmp_path: Path, depth: int) -> None:
    deep = tmp_path / "deep.toml"
    lines = "\n".join(f'[{".".join(["mind"] * at)}]\nkind = "temper"' for at in range(1, min(depth, 300)))
    deep.write_text(f'kind = "temper"\n{lines}\n')
    with pytest.raises(BadSpec, match="deep"):
        mind_spec(str(deep))
    deep.write_text(f"kind = {'[' * depth}{']' * depth}\n")
    with pytest.raises(BadSpec, match="deep"):
        mind_spec(str(deep))
    nested: dict[str, object] = {"kind": "uniform"}
    for _ in range(min(depth, 900)):
        nested = {"kind": "temper", "mind": nested}
    with pytest.raises(BadSpec, match="deep"):
        mind_spec(nested)


@pytest.mark.parametrize("text", ["a\0b.onnx", "neural:a\0b.onnx", "a\0b", "a\0b.toml", "uci:a\0b", "human:\0"])
def test_a_nul_in_a_name_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(HitonamiError), open_mind(text):
        pass


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match=r"none\.toml: No such file"):
        mind_spec(str(tmp_path / "none.toml"))


def test_unknown_names_and_shapes() -> None:
    with pytest.raises(UnknownPart, match="no mind 'nobody'"):
        mind_spec("nobody")
    with pytest.raises(BadSpec, match="nothing after a colon"):
        mind_spec("uniform:x")
    with pytest.raises(BadSpec):
        mind_spec(7)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "spec",
    [
        {"kind": "temper", "mind": "uniform", "rho": -1},
        {"kind": "restrict", "mind": "uniform", "top_p": 1.5},
        {"kind": "restrict", "mind": "uniform", "top_k": 0},
        {"kind": "floor", "mind": "uniform", "share": 2},
        {"kind": "blend", "minds": ["uniform"], "weights": [0.5, 0.5]},
        {"kind": "blend", "minds": [], "weights": [0.5]},
        {"kind": "blend", "minds": ["uniform"], "weights": [-1]},
    ],
)
def test_values_out_of_range_are_refused(spec: dict[str, object]) -> None:
    with pytest.raises(BadInput), open_mind(spec):
        pass


def test_equal_specs_open_to_one_mind_and_shared_things_end_last_first() -> None:
    log: list[str] = []

    @contextmanager
    def thing(name: str) -> Iterator[str]:
        log.append(f"start {name}")
        yield name
        log.append(f"end {name}")

    room = Room()
    inner = mind_spec({"kind": "temper", "rho": 2, "mind": "uniform"})
    assert room.open(inner) is room.open({"kind": "temper", "mind": "uniform", "rho": 2.0})
    for _ in range(2):
        assert room.share("a", lambda: thing("a")) == "a"
        assert room.share("b", lambda: thing("b")) == "b"
    room.close()
    assert log == ["start a", "start b", "end b", "end a"]


def test_a_text_is_read_once_however_often_it_is_asked_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('kind = "temper"\nrho = 0.5\nmind = "uniform"\n')
    read: list[str] = []
    real = specs.read_toml

    def count(path: Path) -> dict[str, object]:
        read.append(str(path))
        return real(path)

    monkeypatch.setattr(specs, "read_toml", count)
    room = specs.Room()
    assert len({id(room.open(str(file))) for _ in range(5)}) == 1
    assert read == [str(file)]
    room.close()
    room.open(str(file))
    assert len(read) == 2


def test_a_knob_is_read_at_the_movers_rating() -> None:
    position = open_game("chess").start()
    position = position.play(int(position.legal[0]))
    strong, weak = Query(position, Player(2000.0)), Query(position, Player(1000.0))
    uniform = MindSpec("uniform")
    spec = mind_spec(
        {
            "kind": "restrict",
            "mind": {"kind": "temper", "mind": uniform, "rho": [[1000, 0], [2000, 2]]},
            "top_p": [[1000, 1.0], [2000, 0.0]],
        }
    )
    with open_mind(spec) as mind:
        opinions = mind([strong, weak, strong], Effort.seeded())
        with pytest.raises(BadInput, match="give a rating"):
            mind([Query(position)], Effort.seeded())
    assert [int((~np.isneginf(opinion.log_probs)).sum()) for opinion in opinions] == [1, 20, 1]


def test_a_curve_is_straight_between_its_points_and_level_beyond() -> None:
    curve = Curve(((1000.0, 1.0), (2000.0, 3.0)))
    assert curve(np.array([0.0, 1000.0, 1250.0, 2000.0, 9000.0])).tolist() == [1.0, 1.0, 1.5, 3.0, 3.0]
    for bad in [(), ((1.0, 1.0), (1.0, 2.0)), ((0.0, float("nan")),)]:
        with pytest.raises(BadInput):
            Curve(bad)
