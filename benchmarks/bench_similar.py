"""The nearest thousand of a million game vectors, against sorting all of them with numpy, in the same run.

Both give the same games in the same order; the time of one search is told beside the ratio.
"""

from time import perf_counter

import numpy as np

from _measure import Row, ratio_of, show
from hitonami.style.similar import By, nearest

VECTORS, WIDE, WANTED = 1_000_000, 96, 1_000


def measure_search(by: By) -> Row:
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((VECTORS, WIDE), dtype=np.float32)
    query = rng.standard_normal(WIDE, dtype=np.float32)
    took: list[float] = []

    def ours() -> int:
        begin = perf_counter()
        nearest(vectors, query, WANTED, by)
        took.append(perf_counter() - begin)
        return 1

    def sorted_all() -> int:
        if by == "embedding":
            far = -(vectors @ query) / np.linalg.norm(vectors, axis=1)
        else:
            far = np.linalg.norm(vectors - query, axis=1)
        np.argsort(far, kind="stable")[:WANTED]
        return 1

    row = ratio_of(f"nearest {WANTED:,} of {VECTORS:,} by {by}", ours, sorted_all, at_least=2.0, rounds=5)
    return Row(row.name, row.ratio, row.low, row.high, row.at_least, f"{np.median(took):.2f} s a search here")


def run() -> list[Row]:
    return [measure_search("features"), measure_search("embedding")]


if __name__ == "__main__":
    show(run())
