"""Counts of people's first moves for the package: python recipes/openings.py DATA GAME…

DATA is a folder of datasets made by `hitonami ingest`, one for each source; which of them, and for whom they stand,
says the table below. The training split is counted, and the weight of the human network behind the counts is chosen on
the validation split. The file goes where the mind `opening` looks for it.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path

from hitonami.dataset.reading import open_data
from hitonami.fits.opening_counts import Wanted, count_moves, fit_weight, write_counts
from hitonami.levels.opening_counts import OpeningCounts, counts_file
from hitonami.specs import open_mind

PLIES = 12
EVEN = "human,no-handicap,no-provisional"
LICHESS = ("chess-lichess_kaggle", "chess-lichess_rating_bands", "chess-lichess_2013", "chess-lichess_classical")
"""Datasets that are counted together."""
SECTIONS: dict[str, list[tuple[tuple[str, ...], int, list[Wanted]]]] = {
    "chess": [
        (
            LICHESS,
            8,
            [Wanted(("lichess", ""), 0, span) for span in ((0, 1400), (1400, 1800), (1800, 2200), (2200, 4000))],
        ),
        (
            ("chess-twic_otb",),
            40,
            [Wanted(("fide",), 0, span) for span in ((0, 1800), (1800, 2200), (2200, 2500), (2500, 4000))],
        ),
    ],
    "shogi": [(("shogi-wars",), 8, [Wanted(("shogiwars", ""), filter_text="human")])],
    "go": [
        (
            ("go-goquest",),
            3,  # 9×9 games part early: with 8, a quarter of the first eight moves were the network's
            [Wanted(("goquest",), 9, span, EVEN) for span in ((0, 1800), (1800, 2000), (2000, 4000))],
        ),
        (("go-ogs",), 8, [Wanted(("ogs", ""), size, span, EVEN) for size in (9, 19) for span in ((0, 20), (20, 40))]),
        (("go-kgs",), 12, [Wanted(("kgs",), 19, (30, 50), EVEN)]),
        (("go-fox9d",), 12, [Wanted(("fox",), 19, (30, 50), EVEN)]),
    ],
}
"""Datasets, in how many games a position must have come up, and for whom they stand."""


def make(root: Path, game: str) -> None:
    sections, games, sources = [], [], {}
    for names, least, wanted in SECTIONS[game]:
        for section, number in count_moves(open_data([str(root / name) for name in names], game), wanted, PLIES, least):
            about = f"{section.pools} {section.size} {section.ratings}"
            print(f"{about}: {number:,} games, {len(section.table):,} positions", flush=True)
            sections.append(section)
            games.append(number)
        for name in names:
            shards = json.loads((root / name / "manifest.json").read_text())["shards"]
            sources[name] = [shard["sha256"] for shard in shards]
    counts = OpeningCounts(PLIES, 1.0, tuple(sections))
    with open_mind({"kind": "human", "openings": False, "symmetries": 1}) as mind:
        gains = fit_weight(open_data([str(root / source) for source in sources], game), mind, counts)
    weight = max(gains, key=gains.__getitem__)
    print("mean log-likelihood by weight:", {each: round(gain, 4) for each, gain in gains.items()})
    provenance = {
        "split": "train, the weight on validation",
        "sources": sources,
        "log_likelihood": gains,
    }
    path = counts_file(game)
    path.write_bytes(write_counts(replace(counts, weight=weight), game, games, provenance))
    print(f"wrote {path.name}: {path.stat().st_size:,} bytes, weight {weight:g}")


if __name__ == "__main__":
    for name in sys.argv[2:]:
        make(Path(sys.argv[1]), name)
