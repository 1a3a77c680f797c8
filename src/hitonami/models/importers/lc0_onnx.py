"""Lc0 networks of any kind that Lc0 itself turned into ONNX (`lc0 leela2onnx --input=NET.pb.gz --output=NET.onnx`).

The way to networks with attention, whose `.pb.gz` is refused here: Lc0's own program writes the graph. It takes the
classical 112 planes and gives 1858 move logits and the chances of win, draw and loss, as the `lc0` encoder has them;
other outputs (how long the game will last) are left out. Nodes and weights stay as they are, inputs and outputs get the
names that our own Lc0 graphs have.
"""

import hashlib
from pathlib import Path
from typing import Final

from hitonami.models._wire import Message, write_bytes, write_number
from hitonami.models.card import Card, EncoderRef, Heads, Source, name_from
from hitonami.models.importers._onnx_file import FLOAT, Signature, gather_body
from hitonami.models.onnx_graph import IR_VERSION, Graph

_PLANES: Final = "/input/planes"
_POLICY: Final = "/output/policy"
_WDL: Final = "/output/wdl"
_NAMES: Final = {_PLANES: "planes", _POLICY: "policy", _WDL: "wdl"}
_SHAPES: Final = {_PLANES: (112, 8, 8), _POLICY: (1858,), _WDL: (3,)}


def is_lc0_onnx(signature: Signature) -> bool:
    """Whether the inputs and outputs are those that Lc0 writes for a network with chances of win, draw and loss."""
    held = signature.inputs | signature.outputs
    return list(signature.inputs) == [_PLANES] and all(
        name in held and held[name].element == FLOAT and held[name].sizes[1:] == shape
        for name, shape in _SHAPES.items()
    )


def import_lc0_onnx(path: Path, onnx: bytes) -> tuple[Card, bytes]:
    """The card, and the graph under our names."""
    name = name_from(path)
    role = {"human": "policy"} if "maia" in name else {"expert": "policy"}
    made = _renamed(path, onnx)
    card = Card(
        name=name,
        game="chess",
        encoder=EncoderRef(name="lc0"),
        inputs=("planes",),
        heads=Heads(**role, wdl="wdl"),
        licence="not stated in the file",
        provenance=(Source(what=f"Lc0 network as ONNX, {path.name}", sha256=hashlib.sha256(onnx).hexdigest()),),
        model_sha256=hashlib.sha256(made).hexdigest(),
    )
    return card, made


def _renamed(path: Path, onnx: bytes) -> bytes:
    graph = Graph("lc0")
    graph.input("planes", ("N", 112, 8, 8))
    graph.output("policy", ("N", 1858))
    graph.output("wdl", ("N", 3))
    whole = write_bytes(2, "lc0") + gather_body(onnx, path.parent, _NAMES) + graph.to_parts()
    versions = b"".join(write_bytes(8, bytes(each)) for each in Message(onnx).all_data(8))
    return write_number(1, IR_VERSION) + write_bytes(2, "hitonami") + write_bytes(7, whole) + versions
