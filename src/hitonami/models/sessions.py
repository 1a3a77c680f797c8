"""The sessions of a model in ONNX Runtime: as its file has it, and for much work a quicker one.

Who asks for some outputs of a network need not wait for the others: ONNX Runtime computes whatever a graph has, so a
session without them is opened. Who asks about many boards at once is served by tiles (`_tiles`). Opening either
costs more than it saves at first (tiles some seconds), so each comes once there was enough work for it, and is kept for
whoever opens the same model next: a tournament opens its minds for every block of games. Tiles are tried on the rows at
hand before they are believed.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadModel
from hitonami.models._parts import keep_outputs
from hitonami.models._shared_trunk import share_trunk
from hitonami.models._tiles import tile

Arrays = dict[str, NDArray[Any]]
LEAN_AFTER: Final = 256
"""Rows after which outputs that nobody asked for are left out."""
TILED_FROM: Final = 32
"""Rows of a pass from which tiles pay: about these where they are shared out to seven trunks, sooner where to two."""
TILED_AFTER: Final = 4096
"""Rows of such passes after which they are opened."""
_LARGEST_TILED: Final = 100
"""Points of a board: on larger ones tiles gain nothing."""
_KEPT: Final = 4
_CLOSE_ENOUGH: Final = 1e-3
"""How far tiles may be off, of the largest output: float rounding is a hundredth of it."""


@dataclass
class _Quick:
    """A session for much work, or the rows that were asked for before it is opened. `is_unfit`: there is none."""

    rows: int = 0
    session: Any = None
    is_unfit: bool = False


class _Shelf:
    """What was opened last in this process, by model, outputs and board."""

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[object, ...], _Quick] = OrderedDict()
        self._lock: Final = Lock()

    def take(self, key: tuple[object, ...]) -> _Quick:
        with self._lock:
            found = self._held.setdefault(key, _Quick())
            self._held.move_to_end(key)
            while len(self._held) > _KEPT:
                self._held.popitem(last=False)
        return found


_SHELF: Final = _Shelf()


class Sessions:
    """A model that is open. One pass at a time: the caller sees to that."""

    def __init__(self, onnx: bytes, outputs: Sequence[str], threads: int) -> None:
        shared = share_trunk(onnx)
        self.shares_boards: Final = shared is not None
        self.outputs: Final = tuple(outputs)
        self._onnx: Final = shared or onnx
        self._threads: Final = threads
        self._name: Final = blake2b(onnx, digest_size=16).digest()
        self.whole: Final[Any] = open_session(self._onnx, threads)

    def run(self, wanted: Sequence[str], inputs: Arrays) -> Arrays:
        """The wanted outputs, by the quickest session that there is."""
        boards = inputs.get("planes")
        rows = len(next(iter(inputs.values())))
        if boards is not None and boards.ndim == 4 and rows >= TILED_FROM and boards[0, 0].size <= _LARGEST_TILED:
            quick = _SHELF.take((self._name, tuple(wanted), boards.shape[2:], self._threads))
            quick.rows += rows
            if quick.session is None and not quick.is_unfit and quick.rows >= TILED_AFTER:
                self._open_tiled(quick, wanted, inputs)
            if quick.session is not None:
                return _run(quick.session, wanted, inputs)
        return _run(self._lean(wanted, rows), wanted, inputs)

    def _lean(self, wanted: Sequence[str], rows: int) -> Any:
        if set(wanted) == set(self.outputs):
            return self.whole
        lean = _SHELF.take((self._name, tuple(wanted), self._threads))
        lean.rows += rows
        if lean.session is None and lean.rows >= LEAN_AFTER:
            lean.session = open_session(keep_outputs(self._onnx, wanted), self._threads)
        return lean.session or self.whole

    def _open_tiled(self, quick: _Quick, wanted: Sequence[str], inputs: Arrays) -> None:
        """Opened, and held against the model itself on the first rows."""
        quick.is_unfit = True
        tiled = tile(keep_outputs(self._onnx, wanted), *inputs["planes"].shape[2:])
        if tiled is None:
            return
        try:
            session = open_session(tiled, self._threads, quiet=True)
            few = {name: array[:4] for name, array in inputs.items()}
            made, right = _run(session, wanted, few), _run(self.whole, wanted, few)
        except Exception:  # ONNX Runtime has no exception type of its own; the model itself still runs
            return
        if all(np.abs(made[name] - right[name]).max() <= _CLOSE_ENOUGH * np.abs(right[name]).max() for name in wanted):
            quick.session, quick.is_unfit = session, False


def _run(session: Any, wanted: Sequence[str], inputs: Arrays) -> Arrays:
    return dict(zip(wanted, session.run(list(wanted), inputs), strict=True))


def open_session(onnx: bytes, threads: int, *, quiet: bool = False) -> Any:
    """An ONNX Runtime session. Raises BadModel for what it cannot load; `quiet` is for graphs that may well not run."""
    import onnxruntime  # half a second: only for those who run a network

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4 if quiet else 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # a waiting thread must not burn a core
    try:
        return onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])
    except Exception as wrong:  # ONNX Runtime has no exception type of its own
        raise BadModel(f"ONNX Runtime refuses it: {first_line(wrong)}") from None


def first_line(wrong: Exception) -> str:
    return str(wrong).strip().partition("\n")[0][:300]
