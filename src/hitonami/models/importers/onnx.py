"""ONNX files without a card: other projects' networks, recognised by their inputs and outputs.

A network that nobody here knows is refused: a game and an encoder cannot be guessed from numbers.
"""

from pathlib import Path
from typing import Final

from hitonami.errors import BadModel
from hitonami.models.card import Card
from hitonami.models.importers._onnx_file import read_signature
from hitonami.models.importers.lc0_onnx import import_lc0_onnx, is_lc0_onnx
from hitonami.models.importers.maia3 import import_maia3, is_maia3
from hitonami.models.importers.miniosl import import_miniosl, is_miniosl
from hitonami.models.onnx_graph import check_onnx

_LARGEST_BYTES: Final = 1 << 31  # protobuf itself ends there


def import_onnx(path: Path) -> tuple[Card, bytes]:
    """A card and one ONNX file of ours. Raises BadModel with the reason; the caller names the file."""
    if path.stat().st_size > _LARGEST_BYTES:
        raise BadModel(f"it is larger than {_LARGEST_BYTES >> 30} GiB")
    onnx = path.read_bytes()
    try:
        signature = read_signature(onnx)
    except BadModel as wrong:
        raise BadModel(f"not an ONNX model: {wrong}") from None
    if is_maia3(signature):
        card, onnx = import_maia3(path, onnx)  # it may have taken weights from another file
        check_onnx(onnx)
        return card, onnx
    check_onnx(onnx)
    if is_miniosl(signature):
        return import_miniosl(path, onnx)
    if is_lc0_onnx(signature):
        return import_lc0_onnx(path, onnx)
    raise BadModel(
        f"no card.json beside it, and its inputs and outputs ({signature}) are of no network that is known here "
        "(miniosl, Maia-3, Lc0): an ONNX file alone does not say which game and encoder it is for"
    )
