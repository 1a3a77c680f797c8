"""Who judges a review: with the real engines, where they are installed."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from hitonami.core import open_game
from hitonami.errors import BadInput
from hitonami.judging import judge
from hitonami.review.judging import open_bench

EXPERT = "the expert head of the packaged network"
IN_BOOK = "7g7f 3c3d 2g2f"


@pytest.fixture(autouse=True)
def _nobody_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in ("CHESS", "SHOGI", "GO"):
        monkeypatch.delenv(f"HITONAMI_JUDGE_{game}", raising=False)


def test_an_engine_without_the_limit_that_is_wanted_is_passed_over(
    need_program: Callable[[str], str], tmp_path: Path
) -> None:
    need_program("gpsusi")
    with ExitStack() as stack:
        bench = open_bench(stack, open_game("shogi").start(), None, nodes=20_000, cache=tmp_path)
        assert bench.name == EXPERT
        assert "GPS Shogi" in bench.passed_over
        assert bench.judge is not None
        [verdict] = bench.judge([(open_game("shogi").start(), None)])
        assert 0.0 < verdict.best < 1.0


def test_gps_shogi_judges_moves_that_are_in_its_book(need_program: Callable[[str], str], tmp_path: Path) -> None:
    need_program("gpsusi")
    game = open_game("shogi")
    here = game.start()
    with ExitStack() as stack:
        bench = open_bench(stack, open_game("shogi").start(), None, nodes=None, cache=tmp_path)
        assert "gpsshogi" in bench.name
        assert bench.passed_over == ""
        assert bench.judge is not None
        for text in IN_BOOK.split():
            move = game.parse(here, text)
            [verdict] = bench.judge([(here, [move])])
            assert 0.0 <= verdict.loss(move) < 0.5
            here = here.play(move)


def test_an_engine_that_tells_no_chances_is_passed_over(
    misbehave: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = f"uci:{misbehave('uci', 'no-info')}"
    monkeypatch.setattr(judge, "known_engine", lambda game: found)  # as if it were the one that is installed
    with ExitStack() as stack:
        bench = open_bench(stack, open_game("chess").start(), None, nodes=100, cache=tmp_path)
        assert bench.name == EXPERT
        assert "tells no chances" in bench.passed_over


def test_a_judge_that_was_named_is_taken_or_refused(
    need_program: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        assert open_bench(stack, open_game("shogi").start(), "none", nodes=None, cache=tmp_path).judge is None
    need_program("gpsusi")
    with ExitStack() as stack, pytest.raises(BadInput, match="GPS Shogi"):
        open_bench(stack, open_game("shogi").start(), "usi:gpsusi", nodes=100, cache=tmp_path)
    monkeypatch.setenv("HITONAMI_JUDGE_SHOGI", "usi:gpsusi")
    with ExitStack() as stack, pytest.raises(BadInput, match="GPS Shogi"):
        open_bench(stack, open_game("shogi").start(), None, nodes=100, cache=tmp_path)


def test_where_there_is_no_engine_the_expert_head_judges(tmp_path: Path) -> None:
    with ExitStack() as stack:
        bench = open_bench(stack, open_game("go").start(), None, nodes=20_000, cache=tmp_path)
        assert (bench.name, bench.passed_over) == (EXPERT, "")
