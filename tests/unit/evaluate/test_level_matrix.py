"""A mind that knows levels wins the diagonal; one that does not is told so."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from hitonami import dist
from hitonami.core import Effort, Opinion, Query, index_of
from hitonami.dataset.reading import open_data
from hitonami.evaluate.decisions import ask
from hitonami.evaluate.level_matrix import LevelMatrix, level_matrices
from hitonami.evaluate.selection import Selected, Selection, select
from hitonami.minds.uniform import Uniform


@pytest.fixture(scope="module")
def drawn(write_games: Callable[..., Path]) -> Selected:
    plan = Selection("chess", filter_text="plies:2,pool:lichess", positions=40, band=300.0)
    return select(open_data([str(write_games("chess", 80))], "chess"), plan)


@pytest.fixture(scope="module")
def matrix(drawn: Selected) -> LevelMatrix:
    """Of a mind that is the surer of the move played, the nearer the rating it is told is to the true one."""
    samples = [sample for pick in drawn.picks for sample, _ in pick.samples()]
    truth = {(s.query.position.key, s.query.position.ply): (s.move, s.query.player.rating) for s in samples}

    def knows(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions = []
        for query in queries:
            position = query.position
            move, rating = truth[position.key, position.ply]
            logits = np.zeros(len(position.legal))
            logits[index_of(position, move)] = 3.0 - abs((query.player.rating or 0) - (rating or 0)) / 300
            opinions.append(Opinion(dist.normalise(logits)))
        return opinions

    [found] = level_matrices(ask(drawn, {"knows": knows}, level_matrix=True), resamples=400)
    return found


def test_the_diagonal_wins(matrix: LevelMatrix) -> None:
    assert matrix.conditioned
    assert matrix.wins == (len(matrix.levels), len(matrix.levels))
    assert len(matrix.levels) >= 3
    assert len(matrix.cells) == len(matrix.levels) ** 2
    for cell in matrix.cells:
        gain = cell.cross_entropy_gain
        if cell.told == cell.true:
            assert (gain.value, gain.low, gain.high) == (0.0, 0.0, 0.0)
        else:
            assert 0 < gain.low <= gain.value <= gain.high


def test_gains_are_the_differences_of_the_cells(matrix: LevelMatrix) -> None:
    own = {cell.true: cell for cell in matrix.cells if cell.told == cell.true}
    for cell in matrix.cells:
        assert cell.cross_entropy_gain.value == pytest.approx(cell.cross_entropy - own[cell.true].cross_entropy)
        assert cell.accuracy_gain.value == pytest.approx(own[cell.true].accuracy - cell.accuracy)
        assert cell.n == own[cell.true].n


def test_a_mind_without_levels_is_called_so(drawn: Selected) -> None:
    table = ask(drawn, {"uniform": Uniform()}, level_matrix=True)
    [found] = level_matrices(table, resamples=50)
    assert not found.conditioned
    assert found.wins[0] == 0  # a tie is no win
    assert level_matrices(ask(drawn, {"uniform": Uniform()})) == []
