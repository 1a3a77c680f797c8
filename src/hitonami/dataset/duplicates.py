"""Which rows of a dataset repeat an earlier one, in bounded memory.

Row marks (64 bits each) are dealt into buckets by their own bits; each bucket is small enough to sort in
memory, and a duplicate is always in its twin's bucket.
"""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_BUCKET_ROWS = 4_000_000
_PAIR = np.dtype([("mark", "<u8"), ("row", "<i8")])


def repeated_rows(marks: Iterable[NDArray[np.uint64]], total: int) -> NDArray[np.int64]:
    """Ascending row numbers of all but the first row of each mark. `marks` come in row order, `total` in all."""
    buckets = max(1, -(-total // _BUCKET_ROWS))
    if buckets == 1:
        return _repeats_in(_pairs(np.concatenate([np.zeros(0, np.uint64), *marks]), 0))
    with tempfile.TemporaryDirectory(prefix="hitonami-") as folder:
        paths = [Path(folder) / str(at) for at in range(buckets)]
        row = 0
        for chunk in marks:
            pairs = _pairs(chunk, row)
            row += len(chunk)
            which = (chunk >> np.uint64(40)) % np.uint64(buckets)
            for at in np.unique(which):
                with paths[int(at)].open("ab") as file:
                    pairs[which == at].tofile(file)
        found = [_repeats_in(np.fromfile(path, dtype=_PAIR)) for path in paths if path.exists()]
    return np.sort(np.concatenate(found))


def _pairs(marks: NDArray[np.uint64], first_row: int) -> NDArray[np.void]:
    pairs = np.empty(len(marks), dtype=_PAIR)
    pairs["mark"], pairs["row"] = marks, np.arange(first_row, first_row + len(marks))
    return pairs


def _repeats_in(pairs: NDArray[np.void]) -> NDArray[np.int64]:
    order = np.lexsort((pairs["row"], pairs["mark"]))
    marks, rows = pairs["mark"][order], pairs["row"][order]
    again = np.zeros(len(marks), dtype=bool)
    again[1:] = marks[1:] == marks[:-1]
    return np.sort(rows[again])
