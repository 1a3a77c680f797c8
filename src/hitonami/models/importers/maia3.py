"""Maia-3 networks in ONNX as models of ours.

Such files are made for one position at a time, and often keep their weights in a second file. Where the graph lays rows
out anew it says that there is one; here their number is left open, so that a batch is one pass. What comes of it is
compared with the rows one by one, and where it differs the graph is kept as it is and run row by row inside a new one
(a Scan node). The three numbers for the result are logits of loss, draw and win: `wdl` turns them round.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.models._wire import Message, write_bytes, write_number, write_numbers
from hitonami.models.card import Card, EncoderRef, Heads, Source, name_from
from hitonami.models.importers._onnx_file import FLOAT, INT64, Signature, Tensor, gather_body
from hitonami.models.onnx_graph import Graph
from hitonami.models.sessions import open_session

_MOVES: Final = 64 * 64 + 8 * 8 * 4
_INPUTS: Final = {"tokens": (FLOAT, (64, 96)), "self_elo": (INT64, ()), "oppo_elo": (INT64, ())}
_OUTPUTS: Final = {"logits_move": (FLOAT, (_MOVES,)), "logits_value": (FLOAT, (3,))}
_RATINGS: Final = (600.0, 2600.0)
"""What the published figures of such networks cover."""
_IR, _OPSETS = 1, 8
_NODE, _CONSTANT = 1, 5


def is_maia3(signature: Signature) -> bool:
    """Whether a network has Maia-3's inputs and outputs, for a batch of one or any."""
    outputs = signature.outputs
    return set(signature.inputs) == set(_INPUTS) and all(
        name in found and _fits(found[name], *wanted)
        for found, listed in ((signature.inputs, _INPUTS), (outputs, _OUTPUTS))
        for name, wanted in listed.items()
    )


def _fits(tensor: Tensor, element: int, sizes: tuple[int, ...]) -> bool:
    return tensor.element == element and tensor.sizes[1:] == sizes and tensor.sizes[:1] in ((0,), (1,))


def import_maia3(path: Path, onnx: bytes) -> tuple[Card, bytes]:
    """Inputs and outputs keep their names; `wdl` is new. Raises BadModel where weights are missing."""
    inner = {name: _inner(name) for name in (*_INPUTS, *_OUTPUTS)}
    by_row = _whole(onnx, lambda outer: _scan_rows(outer, gather_body(onnx, path.parent, inner)))
    at_once = _whole(onnx, lambda _: _open_rows(gather_body(onnx, path.parent, {})))
    together = _say_the_same(by_row, at_once)
    made = at_once if together else by_row
    source = hashlib.sha256(onnx).hexdigest()
    card = Card(
        name=name_from(path),
        game="chess",
        encoder=EncoderRef(name="maia3"),
        inputs=tuple(_INPUTS),
        heads=Heads(human="logits_move", wdl="wdl"),
        rating_range=_RATINGS,
        licence="not stated in the file",
        provenance=(Source(what=f"Maia-3 network file {path.name}", sha256=source),),
        notes="Ratings are Lichess ratings." + ("" if together else " It runs one position at a time."),
        model_sha256=hashlib.sha256(made).hexdigest(),
    )
    return card, made


def _whole(onnx: bytes, add_network: Callable[[Graph], bytes]) -> bytes:
    """A file for any number of rows; what `add_network` does not add to the graph it gives as nodes of its own."""
    outer = Graph("maia3", prefix="hitonami_")
    for name, (element, sizes) in _INPUTS.items():
        outer.input(name, ("N", *sizes), np.float32 if element == FLOAT else np.int64)
    body = add_network(outer)
    chances = outer.add("Softmax", "logits_value", axis=1)
    turned = outer.constant(np.array([2, 1, 0], np.int64))
    outer.add("Gather", chances, turned, output="wdl", axis=1)
    for name, (_, sizes) in (*_OUTPUTS.items(), ("wdl", (FLOAT, (3,)))):
        outer.output(name, ("N", *sizes))
    model = Message(onnx)
    opsets = b"".join(write_bytes(_OPSETS, bytes(each)) for each in model.all_data(_OPSETS))
    graph = write_bytes(7, write_bytes(2, outer.name) + body + outer.to_parts())
    return write_number(_IR, model.number(_IR)) + write_bytes(2, "hitonami") + graph + opsets


def _open_rows(body: bytes) -> bytes:
    """The same nodes and weights, but where rows are laid out anew their number is whatever it is."""
    graph = Message(body)
    shapes = {str(node.all_data(1)[1], "utf-8") for node in graph.messages(_NODE) if node.text(4) == "Reshape"}
    pieces = []
    for field, value in graph.pairs():
        assert not isinstance(value, int), "nodes and weights are messages"
        tensor = Message(value)
        opened = field == _CONSTANT and tensor.text(8) in shapes and tensor.number(2) == INT64
        pieces.append(write_bytes(field, _open_first(tensor) if opened else bytes(value)))
    return b"".join(pieces)


def _open_first(tensor: Message) -> bytes:
    sizes = np.frombuffer(tensor.data(9), dtype="<i8").copy()
    if len(sizes) and sizes[0] == 1:
        sizes[0] = -1
    about = write_numbers(1, sizes.shape) + write_number(2, INT64) + write_bytes(8, tensor.text(8))
    return about + write_bytes(9, sizes.tobytes())


def _say_the_same(by_row: bytes, at_once: bytes) -> bool:
    """Whether both files give the same for a few rows of noise."""
    rng = np.random.default_rng(0)
    rows: dict[str, NDArray[Any]] = {"tokens": (rng.random((3, 64, 96)) < 0.1).astype(np.float32)}
    rows |= {name: rng.integers(600, 2600, size=3) for name in ("self_elo", "oppo_elo")}
    try:
        found, wanted = (open_session(each, 1, quiet=True).run(list(_OUTPUTS), rows) for each in (at_once, by_row))
    except Exception:  # ONNX Runtime has no exception type of its own
        return False
    pairs = zip(found, wanted, strict=True)
    return all(one.shape == other.shape and np.allclose(one, other, rtol=1e-3, atol=1e-3) for one, other in pairs)


def _scan_rows(outer: Graph, body: bytes) -> bytes:
    outer.scan(_row_graph(body), tuple(_INPUTS), tuple(_OUTPUTS))
    return b""


def _row_graph(body: bytes) -> bytes:
    """The network for one row: its inputs get a batch of one, its outputs lose it."""
    before, after = Graph("row", prefix="hitonami_before_"), Graph("row", prefix="hitonami_after_")
    first = before.constant(np.array([0], np.int64))
    for name, (element, sizes) in _INPUTS.items():
        row = before.input(f"{_inner(name)}_row", sizes, np.float32 if element == FLOAT else np.int64)
        before.add("Unsqueeze", row, first, output=_inner(name))
    for name, (_, sizes) in _OUTPUTS.items():
        after.output(after.add("Squeeze", _inner(name), first), sizes)
    return before.to_parts() + body + after.to_parts() + write_bytes(2, "row")


def _inner(name: str) -> str:
    return f"hitonami_inner_{name}"
