"""Game Refinement: figures of known games, intervals over games, and self-play of any game."""

from collections.abc import Sequence

import numpy as np
import pytest

from hitonami.core import Effort, LogProbs, Opinion, Player, Query, Setup, open_game
from hitonami.customs import customs_in
from hitonami.errors import BadInput
from hitonami.evaluate.refinement import (
    FIGURES,
    Span,
    crossings_of,
    figures_of,
    published_games,
    refine,
    refine_play,
    span_of,
)
from hitonami.records import Record


@pytest.mark.parametrize("game", ["chess", "shogi", "go"])
def test_the_published_gr_comes_of_the_published_b_and_d(game: str) -> None:
    b, d, gr = published_games()[game]
    found = figures_of(np.array(b), np.array(d))
    assert found["GR"] == pytest.approx(gr, abs=5e-4)
    assert found["GR"] ** 2 == pytest.approx(found["a"])
    progress = (found["v"] * d, found["a"] * d**2 / 2, found["j"] * d**3 / 6)
    assert progress == pytest.approx([b / 2] * 3), "v, a and j tell of one game"


def test_speeds_cross_at_the_same_shares_of_any_game() -> None:
    for b, d in ((35.0, 80.0), (250.0, 208.0)):
        found = figures_of(np.array(b), np.array(d))
        crossings = crossings_of(*(float(found[name]) for name in ("v", "a", "j")))
        assert list(crossings.values()) == pytest.approx([d / 2, d / np.sqrt(3), 2 * d / 3])


def test_legal_moves_are_counted_turn_by_turn() -> None:
    game = open_game("chess")
    position, moves = game.start(), []
    for text in ("e2e4", "e7e5", "g1f3"):
        moves.append(game.parse(position, text))
        position = position.play(moves[-1])
    record = Record("chess", Setup(), tuple(moves), termination="resignation")
    assert span_of(record) == Span(20 + 20 + 29, 3, "resignation")


def test_intervals_hold_the_figures_and_shrink_with_games() -> None:
    rng = np.random.default_rng(1)
    spans = [Span(int(30 * plies), int(plies), "checkmate") for plies in rng.integers(20, 140, 800)]
    few, many = refine("few", spans[:50]), refine("many", spans)
    for name in FIGURES:
        held = many.figures[name]
        assert held.low <= held.value <= held.high
    assert many.figures["B"].value == pytest.approx(30)
    widths = [each.figures["D"].high - each.figures["D"].low for each in (few, many)]
    assert widths[1] < widths[0] / 2
    assert many.endings == {"checkmate": 1.0}


def test_games_without_a_move_are_refused() -> None:
    with pytest.raises(BadInput, match="has a move"):
        refine("empty", [Span(0, 0, "")])


class Even:
    """Any move."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        def flat(n: int) -> LogProbs:
            return np.full(n, -np.log(n), dtype=np.float32)

        return [Opinion(flat(len(query.position.legal))) for query in queries]


def test_self_play_ends_every_game_and_repeats_by_its_seed() -> None:
    game = open_game("go")
    begin = Query(game.start(Setup(size=5)), Player(20, "ogs"), Player(20, "ogs"))
    first, again, other = (refine_play(begin, Even(), 6, seed=seed) for seed in (3, 3, 4))
    assert first == again
    assert first != other
    assert first.games == 6
    assert 0 < first.figures["D"].value <= customs_in(game).ply_limit(5)
    assert 1 < first.figures["B"].value <= 26
    assert set(first.endings) <= {"two passes", "too long", "no result"}
