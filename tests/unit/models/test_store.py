"""Cards and the store: what is written is read back, what is wrong is refused by name and reason."""

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.errors import BadModel
from hitonami.models._wire import write_bytes, write_number
from hitonami.models.card import Card, EncoderRef, Heads, Metric, Source, name_from, read_card
from hitonami.models.onnx_graph import Graph, check_onnx
from hitonami.models.store import add_model, find_model, list_models, load_model, user_store

WriteNetwork = Callable[..., Path]
Rewrite = Callable[..., Path]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HITONAMI_MODELS", str(tmp_path / "store"))
    return tmp_path / "store"


def make_card(**fields: Any) -> Card:
    given: dict[str, Any] = {
        "name": "club-chess",
        "game": "chess",
        "encoder": EncoderRef(name="compact-chess", fields={"pools": ["club", "online"]}),
        "inputs": ("planes", "scalars", "player", "pool"),
        "heads": Heads(human="human", expert="expert", wdl="wdl"),
        "rating_range": (600, 2700),
        "licence": "GPL-3.0-or-later",
        "provenance": (Source(what="games of a club", sha256="0" * 64, licence="CC0"),),
        "metrics": {"accuracy": Metric(value=0.52, low=0.51, high=0.53, n=9000)},
        "recipe": "recipes/chess.toml",
        "commit": "0123abcd",
        "model_sha256": "f" * 64,
    }
    return Card(**(given | fields))


# Cards


def test_a_card_survives_its_file() -> None:
    card = make_card()
    assert read_card(card.to_json().encode()) == card
    assert card.open_encoder() == card.model_copy().open_encoder()
    assert (card.output_of(None), card.output_of("expert")) == ("human", "expert")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"layout": 2}, "layout 2, this version reads up to 1: a newer hitonami made it"),
        ({"layout": "1"}, "layout '1'; known: 1"),
        ({"layout": True}, "layout True"),
        ({"ratings": []}, "unknown key 'ratings'; did you mean rating_range?"),
        ({"encoder": {"name": "lc0", "pools": []}}, "encoder.pools"),
        ({"heads": {"wdl": "wdl"}}, "needs a human or an expert head"),
        ({"name": "../evil"}, "name"),
        ({"model_sha256": "abc"}, "model_sha256"),
        ({"licence": None}, "licence"),
    ],
)
def test_a_wrong_card_is_refused_by_key(change: dict[str, Any], reason: str) -> None:
    text = json.dumps(json.loads(make_card().to_json()) | change)
    with pytest.raises(BadModel, match=reason.replace("?", r"\?")):
        read_card(text.encode())


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"[1]", b"{", b"[" * 100_000])
def test_what_is_no_card_is_refused(data: bytes) -> None:
    with pytest.raises(BadModel, match=r"card\.json"):
        read_card(data)


def test_an_encoder_that_cannot_be_made_is_refused() -> None:
    for encoder, reason in (
        (EncoderRef(name="compact-ches"), "did you mean compact-chess"),
        (EncoderRef(name="compact-chess", fields={"pol": 1}), "pol"),
        (EncoderRef(name="miniosl-rated"), "is for chess, its encoder miniosl-rated for shogi"),
    ):
        with pytest.raises(BadModel, match=reason):
            make_card(encoder=encoder).open_encoder()


def test_a_missing_head_is_named() -> None:
    with pytest.raises(BadModel, match="has no expert head; it has: human"):
        make_card(heads=Heads(human="human")).output_of("expert")


@given(st.text(max_size=80).map(lambda text: text.replace("/", "").replace("\0", "")))
def test_every_file_name_gives_a_name(text: str) -> None:
    assert make_card(name=name_from(Path("folder") / (text or "x"))).name


# Loading


def test_a_folder_loads_and_so_does_its_file(model_folder: Path) -> None:
    assert load_model(model_folder).card.name == "source"
    assert load_model(model_folder / "model.onnx").onnx == load_model(model_folder).onnx


def test_an_exchanged_or_cut_file_is_refused(model_folder: Path) -> None:
    file = model_folder / "model.onnx"
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(BadModel, match=r"folder: model\.onnx is not the file that its card describes"):
        load_model(model_folder)


def test_missing_files_are_named(model_folder: Path) -> None:
    (model_folder / "model.onnx").rename(model_folder.parent / "alone.onnx")
    with pytest.raises(BadModel, match=r"folder: there is no model\.onnx"):
        load_model(model_folder)
    with pytest.raises(BadModel, match=r"alone\.onnx: no card\.json beside it"):
        load_model(model_folder.parent / "alone.onnx")
    (model_folder / "card.json").unlink()
    with pytest.raises(BadModel, match=r"folder: card\.json: No such file"):
        load_model(model_folder)


class Trap:
    """Unpickling this would make a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.mkdir, (str(self.folder),)


@pytest.mark.parametrize("name", ["net.pt", "net.ckpt", "net.onnx", "net.pb"])
def test_nothing_is_unpickled(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(pickle.dumps(Trap(tmp_path / "sprung")))
    with pytest.raises(BadModel, match="nothing is unpickled"):
        load_model(path)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("net.pth", b"", r"a \.pth file; nothing is unpickled"),
        ("net.onnx", b"PK\x03\x04rest", "a zip archive"),
        ("net.txt", b"hello", "not a model; known"),
        ("net.bin.gz", b"\x1f\x8b\x08", "cut off|damaged"),
    ],
)
def test_foreign_files_are_refused_with_their_name(name: str, data: bytes, reason: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadModel, match=f"{name}: .*({reason})"):
        load_model(tmp_path / name)


def test_an_unknown_name_gets_suggestions(store: Path, write_network: WriteNetwork) -> None:
    add_model(write_network("maia-1500.pb.gz"))
    with pytest.raises(BadModel, match="there is no model 'maia-150'; did you mean maia-1500"):
        find_model("maia-150")
    for text in ("no/such/folder", "nope.onnx", "x" * 5000, "~nobody-of-that-name/model"):
        with pytest.raises(BadModel, match="model"):
            find_model(text)


# ONNX files


def external(tensor_field: bytes) -> bytes:
    return write_number(1, 8) + write_bytes(7, tensor_field) + write_bytes(8, write_number(2, 17))


TENSOR = write_bytes(8, "weights") + write_number(14, 1) + write_bytes(13, write_bytes(1, "location"))
NODE = write_bytes(1, write_bytes(5, write_bytes(5, TENSOR)))
INNER = write_bytes(1, write_bytes(5, write_bytes(6, write_bytes(5, TENSOR))))


@pytest.mark.parametrize(
    "data",
    [
        external(write_bytes(5, TENSOR)),
        external(NODE),
        external(INNER),
        external(write_bytes(15, write_bytes(1, TENSOR))),
        external(write_bytes(5, TENSOR)) + write_bytes(7, write_bytes(2, "harmless")),
        external(write_bytes(2, "harmless")) + write_bytes(25, write_bytes(7, write_bytes(5, write_bytes(5, TENSOR)))),
    ],
    ids=["initialiser", "constant", "inner graph", "sparse", "first of two graphs", "function"],
)
def test_weights_in_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(BadModel, match="'weights' are in another file"):
        check_onnx(data)


@given(st.binary(max_size=200))
def test_random_bytes_are_no_onnx(data: bytes) -> None:
    with pytest.raises(BadModel):
        check_onnx(data)


def test_our_own_graphs_pass_the_check() -> None:
    graph = Graph("empty")
    graph.add("Relu", graph.input("planes", ("N", 2)), output="moves")
    graph.output("moves", ("N", 2))
    check_onnx(graph.to_bytes("test"))


# The user's store


def test_adding_converts_lists_and_loads(store: Path, write_network: WriteNetwork) -> None:
    path = write_network("maia-1500.pb.gz")
    added = add_model(path)
    assert [(listed.name, listed.origin) for listed in list_models() if listed.origin == "yours"] == [
        ("maia-1500", "yours")
    ]
    assert load_model("maia-1500").onnx == load_model(path).onnx
    assert load_model("maia-1500").card == added.card
    assert sorted(entry.name for entry in (store / "maia-1500").iterdir()) == ["card.json", "model.onnx"]


def test_adding_twice_needs_another_name(store: Path, write_network: WriteNetwork) -> None:
    path = write_network("maia-1500.pb.gz")
    add_model(path)
    with pytest.raises(BadModel, match="there is such a model already"):
        add_model(path)
    assert add_model(path, "second").name == "second"
    assert load_model("second").card.name == "second"
    with pytest.raises(BadModel, match="a model's name is"):
        add_model(path, "../third")
    assert sorted(entry.name for entry in store.iterdir()) == ["maia-1500", "second"]


def test_a_failed_addition_leaves_nothing(store: Path, write_network: WriteNetwork, rewrite_card: Rewrite) -> None:
    wrong = rewrite_card(inputs=("planes", "player"))
    for path in (write_network("bad.pb.gz", structure=6), wrong, store / "absent"):
        with pytest.raises(BadModel, match=str(path)):
            add_model(path)
    assert not store.exists()


def test_a_broken_model_is_listed_with_its_problem(store: Path, write_network: WriteNetwork) -> None:
    add_model(write_network("maia-1500.pb.gz"))
    (store / "maia-1500" / "card.json").write_text("{}", encoding="utf-8")
    (listed,) = [listed for listed in list_models() if listed.origin == "yours"]
    assert listed.card is None
    assert "layout None" in listed.problem


def test_the_user_store_follows_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("HITONAMI_MODELS", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_store().is_relative_to(tmp_path)
    assert user_store().parts[-2:] == ("hitonami", "models")
