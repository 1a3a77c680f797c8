"""ONNX files without a card: other projects' networks, recognised by their inputs and outputs.

A network that nobody here knows is refused: a game and an encoder cannot be guessed from numbers.
"""

from pathlib import Path
from typing import Final

from hitonami.errors import BadModel
from hitonami.models._onnx_graph import check_onnx
from hitonami.models.card import Card
from hitonami.models.importers._onnx_file import read_signature
from hitonami.models.importers.miniosl import import_miniosl, is_miniosl

_LARGEST_BYTES: Final = 1 << 31  # protobuf itself ends there


def import_onnx(path: Path) -> tuple[Card, bytes]:
    """A card and one ONNX file of ours. Raises BadModel with the reason; the caller names the file."""
    if path.stat().st_size > _LARGEST_BYTES:
        raise BadModel(f"it is larger than {_LARGEST_BYTES >> 30} GiB")
    onnx = path.read_bytes()
    check_onnx(onnx)
    signature = read_signature(onnx)
    if is_miniosl(signature):
        return import_miniosl(path, onnx)
    raise BadModel(
        f"no card.json beside it, and its inputs and outputs ({signature}) are of no network that is known here "
        "(miniosl): an ONNX file alone does not say which game and encoder it is for"
    )
