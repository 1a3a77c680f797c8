"""How people of each level play, as a file of the package: python recipes/style.py GAME OUT DATA…

DATA are datasets without the people who are studied (`hitonami data people`, the half `base`). OUT is a file as
`style/references/GAME.json`.
"""

import json
import sys
from pathlib import Path

import numpy as np

from hitonami.dataset.columns import join, read_columns
from hitonami.dataset.reading import Tally, open_data
from hitonami.style.reference import make_reference, reference_json
from hitonami.traits import measure_traits


def main(game: str, out: Path, data: list[str]) -> None:
    parts, sources = [], {}
    for argument in data:
        tally = Tally()
        blocks = [
            (games, measure_traits(games)) for games in read_columns(open_data([argument], game, named=True), tally)
        ]
        parts.append((join([games for games, _ in blocks]), np.concatenate([traits for _, traits in blocks])))
        sources[Path(argument).name] = tally.games
        print(f"{Path(argument).name}: {tally.games:,} games", flush=True)
    joined = join([games for games, _ in parts]), np.concatenate([traits for _, traits in parts])
    reference = make_reference([joined])
    for pool, groups in reference.items():
        print(pool, *(f"{each.rating or 0:.0f}: {each.people:,}" for each in groups), sep="  ")
    told = reference_json(game, reference, {"games": sources, "people_studied": "none of their games"})
    out.write_text(json.dumps(told, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
