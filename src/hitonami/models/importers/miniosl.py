"""miniosl's shogi networks (`eval.onnx` of its package) as models of ours: the graph is kept, one output is added.

The package trains four numbers from -1 to 1 by squared error: the result of the game (1 win, 0 draw, -1 loss of the
side to move), and three predictions of how that estimate goes on, which its own search does not use. The first
becomes the chances `wdl`. It says nothing of draws, so there are none in them, and the expected score is right.
"""

import hashlib
from pathlib import Path
from typing import Final

import numpy as np

from hitonami.models.card import Card, EncoderRef, Heads, Source, name_from
from hitonami.models.importers._onnx_file import FLOAT, Signature, Tensor
from hitonami.models.onnx_graph import Graph

_INPUT: Final = Tensor(FLOAT, (0, 176, 9, 9))
_MOVE: Final = Tensor(FLOAT, (0, 27 * 81))
_VALUE: Final = Tensor(FLOAT, (0, 4))
LICENCE: Final = "BSD-2-Clause-Views, Copyright (C) 2003-2014 Team GPS"
"""As the package's LICENSE.osl has it."""


def is_miniosl(signature: Signature) -> bool:
    """Whether a network has miniosl's inputs and outputs. Its third output, `aux`, may be left out."""
    outputs = signature.outputs
    return signature.inputs == {"input": _INPUT} and (outputs.get("move"), outputs.get("value")) == (_MOVE, _VALUE)


def import_miniosl(path: Path, onnx: bytes) -> tuple[Card, bytes]:
    """Inputs and outputs keep their names (`input`, `move`, `value`, `aux`); `wdl` is new."""
    graph = Graph("chances", prefix="hitonami_")
    first = np.zeros((4, 3), np.float32)
    first[0] = 0.5, 0.0, -0.5
    halves = graph.constant(np.array([0.5, 0.0, 0.5], np.float32))
    graph.add("Gemm", "value", graph.constant(first), halves, output="wdl")
    graph.output("wdl", ("batch_size", 3))
    made = graph.extend(onnx)
    stem = name_from(path)
    card = Card(
        name=stem if "miniosl" in stem else f"miniosl-{stem}"[:64],
        game="shogi",
        encoder=EncoderRef(name="miniosl"),
        inputs=("input",),
        heads=Heads(expert="move", wdl="wdl"),
        licence=LICENCE,
        provenance=(Source(what=f"miniosl network {path.name}", sha256=_sha256(onnx), licence=LICENCE),),
        notes="Self-play network of the miniosl package. It has no opinion on draws.",
        model_sha256=_sha256(made),
    )
    return card, made


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
