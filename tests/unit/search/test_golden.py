"""Golden search trees: small searches written out, so that a change of behaviour is seen and can be read.

Each file in tests/golden/search names its game, its position and what differs from the defaults, then the tree. To
write one anew, run this file as a program with the path of the file.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from hitonami import dist
from hitonami.core import Effort, Opinion, Query, open_game
from hitonami.minds.puct import Puct
from hitonami.search.drawing import draw_tree
from hitonami.search.rounds import Budget, plant, search
from hitonami.search.tree import Tree

_GOLDEN = Path(__file__).parents[2] / "golden" / "search"


class Whims:
    """Likes moves and positions by a hash of their names, the same on every machine."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [self._judge(query) for query in queries]

    @staticmethod
    def _judge(query: Query) -> Opinion:
        position = query.position
        moves = [position.game.format(position, move) for move in position.legal.tolist()]
        likes = np.array([crc32(f"{position.ply} {move}".encode()) % 1000 for move in moves]) / 250
        win = 0.3 + 0.4 * (crc32(" ".join(moves).encode()) % 1000) / 1000
        return Opinion(dist.normalise(likes), np.array([win, 0.1, 0.9 - win], dtype=np.float32))


def grow(settings: dict[str, str]) -> str:
    game = open_game(settings.pop("game"))
    position = game.read(settings.pop("position"))
    for text in settings.pop("moves", "").split():
        position = position.play(game.parse(position, text))
    fields: dict[str, Any] = {name: _value(text) for name, text in settings.items()}
    mind = Puct(Whims(), **fields)
    query = Query(position)
    [made], _ = mind.read_knobs([query])
    tree = Tree(query, made)
    plant([tree], mind.mind, Effort.seeded())
    search([tree], mind.mind, Budget(mind.simulations, None, Effort.seeded()))
    return draw_tree(tree)


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        return text


def read(path: Path) -> tuple[dict[str, str], str]:
    head, _, drawn = path.read_text(encoding="utf-8").partition("\n\n")
    pairs = (line.partition(": ") for line in head.splitlines() if not line.startswith("#"))
    return {name: text for name, _, text in pairs}, drawn.rstrip("\n")


@pytest.mark.parametrize("path", sorted(_GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_a_search_grows_as_written(path: Path) -> None:
    settings, drawn = read(path)
    assert grow(settings) == drawn


if __name__ == "__main__":
    for name in sys.argv[1:]:
        at = Path(name)
        top = at.read_text(encoding="utf-8").partition("\n\n")[0].rstrip("\n")
        at.write_text(f"{top}\n\n{grow(read(at)[0])}\n", encoding="utf-8")
