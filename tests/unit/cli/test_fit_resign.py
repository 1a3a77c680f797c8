"""`hitonami fit GAME resign` is `hitonami resign` under the name that fits have."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hitonami.cli.fit import command
from hitonami.errors import TooFew
from hitonami.fits import resign_run
from hitonami.fits.manners_run import MannersWish
from hitonami.fits.resign_run import RESIGN_FILTER


def test_it_learns_as_resign_does(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[tuple[MannersWish, tuple[str, ...]]] = []

    def run(wish: MannersWish, data: tuple[str, ...], _: Any) -> None:
        asked.append((wish, data))
        raise TooFew("so few")

    monkeypatch.setattr(resign_run, "run_resign", run)
    out = tmp_path / "chess.json"
    for words in (["--out", str(out)], ["--filter", "none", "--mind", "uniform", "--seed", "3"]):
        CliRunner().invoke(command, ["chess", "resign", "games.pgn", *words])
    usual, other = (wish for wish, _ in asked)
    assert (usual.game, usual.mind, usual.filter_text, usual.out) == ("chess", "human", RESIGN_FILTER, out)
    assert (other.mind, other.filter_text, other.seed) == ("uniform", "none", 3)
    assert [data for _, data in asked] == [("games.pgn",)] * 2


@pytest.mark.parametrize(
    "words", [["--pool", "lichess"], ["--mind", "human", "--mind", "uniform"], ["--levels", "1,2"]]
)
def test_what_it_does_not_take_is_refused(words: list[str]) -> None:
    done = CliRunner().invoke(command, ["chess", "resign", "games.pgn", *words])
    assert done.exit_code != 0
    assert done.exception is not None
    assert words[0] in str(done.exception)
