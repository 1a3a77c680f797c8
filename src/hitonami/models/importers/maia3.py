"""Maia-3 networks in ONNX as models of ours.

Such files are made for one position at a time, and often keep their weights in a second file. The graph is kept as
it is and run row by row inside a new one (a Scan node), so that the batch is free; a batch is then no faster than its
positions one by one. The three numbers for the result are logits of loss, draw and win: `wdl` turns them round.
"""

import hashlib
from pathlib import Path
from typing import Final

import numpy as np

from hitonami.models._onnx_graph import Graph
from hitonami.models._wire import Message, write_bytes, write_number
from hitonami.models.card import Card, EncoderRef, Heads, Source, name_from
from hitonami.models.importers._onnx_file import FLOAT, INT64, Signature, Tensor, gather_body

_MOVES: Final = 64 * 64 + 8 * 8 * 4
_INPUTS: Final = {"tokens": (FLOAT, (64, 96)), "self_elo": (INT64, ()), "oppo_elo": (INT64, ())}
_OUTPUTS: Final = {"logits_move": (FLOAT, (_MOVES,)), "logits_value": (FLOAT, (3,))}
_RATINGS: Final = (600.0, 2600.0)
"""What the published figures of such networks cover."""
_IR, _OPSETS = 1, 8


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
    made = _free_batch(onnx, gather_body(onnx, path.parent, inner))
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
        notes="Ratings are Lichess ratings. It runs one position at a time.",
        model_sha256=hashlib.sha256(made).hexdigest(),
    )
    return card, made


def _free_batch(onnx: bytes, body: bytes) -> bytes:
    outer = Graph("maia3", prefix="hitonami_")
    for name, (element, sizes) in _INPUTS.items():
        outer.input(name, ("N", *sizes), np.float32 if element == FLOAT else np.int64)
    outer.scan(_row_graph(body), tuple(_INPUTS), tuple(_OUTPUTS))
    chances = outer.add("Softmax", "logits_value", axis=1)
    turned = outer.constant(np.array([2, 1, 0], np.int64))
    outer.add("Gather", chances, turned, output="wdl", axis=1)
    for name, (_, sizes) in (*_OUTPUTS.items(), ("wdl", (FLOAT, (3,)))):
        outer.output(name, ("N", *sizes))
    model = Message(onnx)
    opsets = b"".join(write_bytes(_OPSETS, bytes(each)) for each in model.all_data(_OPSETS))
    graph = write_bytes(7, write_bytes(2, outer.name) + outer.to_parts())
    return write_number(_IR, model.number(_IR)) + write_bytes(2, "hitonami") + graph + opsets


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
