"""Run a network in ONNX Runtime: one session a model, shared by every caller. No torch.

Passes come one after the other: on a CPU two at once would wait for each other's cores. Whoever serves many callers
asks for them together; nothing is joined here.
A small cache remembers rows by what the network saw (a digest of its inputs), so it cannot mistake one position,
rating or history for another; two heads of one network cost one pass, and ratings of one position that follow each
other share what the network sees of the board. Results depend on the rows of a pass
only by float rounding (about 1e-6).
"""

import os
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from threading import Lock
from typing import Any, Final, Self

import numpy as np

from hitonami.core import Query
from hitonami.errors import BadInput, BadModel, quote
from hitonami.models._shared_trunk import PLAYER_INPUTS, WHICH_BOARD
from hitonami.models.card import Card
from hitonami.models.encoders import Encoder, start_for
from hitonami.models.sessions import Sessions, first_line
from hitonami.models.views import Arrays, open_views

LARGEST_BATCH: Final = 256
"""Rows of one pass: larger ones gain nothing on a CPU and cost memory."""
DEFAULT_CACHE_ROWS: Final = 1024
THREADS_VARIABLE: Final = "HITONAMI_THREADS"
_TYPES = {"tensor(float)": "float32", "tensor(uint8)": "uint8", "tensor(int64)": "int64"}


@dataclass(frozen=True)
class Settings:
    """How a model is run. `threads` 0: HITONAMI_THREADS, else one for each physical core.

    Several processes that share the cores should set HITONAMI_THREADS=1: threads that wait for each other's
    cores are slower than one.
    """

    threads: int = 0
    cache_rows: int = DEFAULT_CACHE_ROWS
    symmetries: int = 0
    """Over how many views of a position the answers are averaged, a pass each; 0: as the model's card says."""

    def count_threads(self) -> int:
        """The number of threads, 0 to leave it to ONNX Runtime."""
        if self.threads:
            return self.threads
        given = os.environ.get(THREADS_VARIABLE, "").strip()
        if given and not (given.isdecimal() and 1 <= int(given) <= 1024):
            raise BadInput(f"{THREADS_VARIABLE} must be a number of threads from 1 on, got {quote(given)}")
        return int(given or 0)


class Runtime:
    """A model that is loaded and was tried on one position. Safe to share between threads; close by `with`."""

    def __init__(self, card: Card, onnx: bytes, settings: Settings = Settings()) -> None:  # noqa: B008  (frozen)
        self.card: Final = card
        self.encoder: Final = card.open_encoder()
        self.outputs: Final = tuple(name for name in (card.heads.human, card.heads.expert, card.heads.wdl) if name)
        self._sessions: Sessions | None = Sessions(onnx, self.outputs, settings.count_threads())
        self._views: Final = open_views(card, self.encoder, settings.symmetries)
        self._alone: Final = Lock()
        self._cache: Final = _Cache(settings.cache_rows)
        _check_inputs(card, self.encoder, self._sessions.whole)
        self._try_out()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._sessions = None

    def evaluate(self, queries: Sequence[Query], wanted: Sequence[str] = ()) -> Arrays:
        """The network's outputs for at most LARGEST_BATCH queries, by output name, the batch first.

        Those that are `wanted`, or all of them: what is not wanted may take a good part of a pass.
        """
        wanted = tuple(wanted) or self.outputs
        arrays = self.encoder.encode(queries)
        inputs = {name: arrays[name] for name in self.card.inputs}
        if not self._cache.rows:
            return self._pass(inputs, wanted)
        keys = _digest_rows(inputs, len(queries))
        known = self._cache.find(keys, wanted)
        missing = [at for at, row in enumerate(known) if row is None]
        if missing:
            whole = len(missing) == len(known)
            made = self._pass(inputs if whole else {name: array[missing] for name, array in inputs.items()}, wanted)
            for place, at in enumerate(missing):
                known[at] = {name: made[name][place] for name in wanted}
            self._cache.keep([(keys[at], known[at]) for at in missing])
            if whole:
                return made
        return {name: np.stack([row[name] for row in known if row is not None]) for name in wanted}

    def _pass(self, inputs: Arrays, wanted: Sequence[str]) -> Arrays:
        run = partial(self._run, wanted)
        with self._alone:
            return run(inputs) if self._views is None else self._views.average(run, inputs)

    def _run(self, wanted: Sequence[str], inputs: Arrays) -> Arrays:
        if self._sessions is None:
            raise BadInput(f"model {self.card.name} is closed")
        if self._sessions.shares_boards:
            inputs = _share_boards(inputs)
        return self._sessions.run(wanted, inputs)

    def _try_out(self) -> None:
        """One pass on the start position: a network whose outputs do not fit is refused before it plays."""
        start = start_for(self.encoder)
        try:
            rows = {k: v for k, v in self.encoder.encode([Query(start)]).items() if k in self.card.inputs}
            made = self._pass(rows, self.outputs)
        except Exception as wrong:  # ONNX Runtime has no exception type of its own
            raise BadModel(f"model {self.card.name}: it cannot be run: {first_line(wrong)}") from None
        size = self.encoder.head_size([start])
        for name, row in made.items():
            expected = (1, 3) if name == self.card.heads.wdl else (1, size)
            if row.shape != expected or row.dtype != np.float32:
                raise BadModel(f"model {self.card.name}: output {name} is {row.dtype}{list(row.shape)}, not {expected}")
            if not np.isfinite(row).all():
                raise BadModel(f"model {self.card.name}: output {name} is not finite")
        chances = made.get(self.card.heads.wdl or "")
        if chances is not None and ((chances < 0).any() or abs(chances.sum() - 1) > 1e-3):
            raise BadModel(f"model {self.card.name}: output {self.card.heads.wdl} holds no chances that sum to 1")


def _share_boards(inputs: Arrays) -> Arrays:
    """The same rows, a board that follows itself (one position, several ratings) given once."""
    boards = {name: array for name, array in inputs.items() if name not in PLAYER_INPUTS}
    count = len(next(iter(boards.values())))
    fresh = [
        at for at in range(count) if at == 0 or any((array[at] != array[at - 1]).any() for array in boards.values())
    ]
    which = np.repeat(np.arange(len(fresh), dtype=np.int64), np.diff([*fresh, count]))
    if len(fresh) < count:
        inputs = inputs | {name: array[fresh] for name, array in boards.items()}
    return inputs | {WHICH_BOARD: which}


def _check_inputs(card: Card, encoder: Encoder, session: Any) -> None:
    arrays = encoder.encode([Query(start_for(encoder))])
    given = {each.name: each for each in session.get_inputs() if each.name != WHICH_BOARD}
    if set(given) != set(card.inputs):
        raise BadModel(f"model {card.name}: its card names the inputs {sorted(card.inputs)}, it has {sorted(given)}")
    for name, each in given.items():
        if name not in arrays:
            raise BadModel(f"model {card.name}: encoder {card.encoder.name} has no {name}; it has {sorted(arrays)}")
        array, fixed = arrays[name], list(each.shape[1:])
        fits = len(fixed) == array.ndim - 1 and all(
            not isinstance(size, int) or size == got for size, got in zip(fixed, array.shape[1:], strict=True)
        )
        if _TYPES.get(each.type) != array.dtype.name or not fits:
            shown = f"{array.dtype.name}{list(array.shape[1:])}"
            raise BadModel(f"model {card.name}: input {name} is {each.type}{fixed}, the encoder makes {shown}")
        if each.shape and isinstance(each.shape[0], int):
            raise BadModel(f"model {card.name}: input {name} has a fixed batch of {each.shape[0]}")
    missing = {name for name in card.heads.model_dump().values() if name} - {out.name for out in session.get_outputs()}
    if missing:
        raise BadModel(f"model {card.name}: it has no output {sorted(missing)}")


def _digest_rows(inputs: Arrays, count: int) -> list[bytes]:
    """A key for each row: everything that the network sees of it."""
    arrays = [np.ascontiguousarray(array) for array in inputs.values()]
    shapes = repr([array.shape[1:] for array in arrays]).encode()
    keys = []
    for at in range(count):
        digest = blake2b(shapes, digest_size=16)
        for array in arrays:
            digest.update(array[at : at + 1].view(np.uint8).data)
        keys.append(digest.digest())
    return keys


@dataclass
class _Cache:
    """The last rows that were computed, the least recently used forgotten first."""

    rows: int
    _lock: Lock = field(default_factory=Lock)
    _held: OrderedDict[bytes, Arrays] = field(default_factory=OrderedDict)

    def find(self, keys: Sequence[bytes], wanted: Sequence[str]) -> list[Arrays | None]:
        """The rows that have all that is wanted."""
        with self._lock:
            held = [self._held.get(key) for key in keys]
            found = [row if row is not None and all(name in row for name in wanted) else None for row in held]
            for key, row in zip(keys, found, strict=True):
                if row is not None:
                    self._held.move_to_end(key)
        return found

    def keep(self, made: Sequence[tuple[bytes, Arrays | None]]) -> None:
        with self._lock:
            for key, row in made:
                if row is not None:
                    self._held[key] = {name: array.copy() for name, array in row.items()}
            while len(self._held) > self.rows:
                self._held.popitem(last=False)
