"""The game that docs/adding-a-game.md has in full is a game: it is saved as told, and played."""

import re
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Effort, Query, open_game
from hitonami.errors import BadMove, BadPosition
from hitonami.minds.playout import Playout

_PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


def whole_game() -> str:
    [found] = re.findall(r"^```python\n(\"\"\".*?)^```", _PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return str(found)


@pytest.fixture(autouse=True)
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "three.py").write_text(whole_game(), encoding="utf-8")
    monkeypatch.setenv("HITONAMI_PARTS", str(tmp_path))


def test_it_is_played_to_every_kind_of_end() -> None:
    game, endings = open_game("three"), set()
    for seed in range(60):
        rng, here = np.random.default_rng(seed), game.start()
        while len(here.legal):
            move = int(rng.choice(here.legal))
            assert game.parse(here, game.format(here, move)) == move
            here = here.play(move)
            assert game.read(game.write(here)).key == here.key
            assert frozenset(game.touches(here.before, move)) == game.diagram(here).marked
        endings.add((here.ending, here.score))
    assert endings == {("three in a row", 1.0), ("three in a row", 0.0), ("full board", 0.5)}
    with pytest.raises(BadMove, match="a1 to c3"):
        game.parse(game.start(), "z9")
    with pytest.raises(BadMove, match="not legal"):
        game.format(game.start(), 9)
    with pytest.raises(BadPosition, match="nine letters"):
        game.read("xo")


def test_playout_finds_the_winning_square() -> None:
    game = open_game("three")
    here = game.read("xx.oo....")
    [opinion] = Playout(simulations=100)([Query(here)], Effort.seeded())
    assert game.format(here, int(here.legal[opinion.log_probs.argmax()])) == "c3"
