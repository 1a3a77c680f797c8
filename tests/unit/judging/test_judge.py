"""The judge: verdicts by the rules, one way to look at every move, what is kept, and independence."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hitonami.core import open_game
from hitonami.errors import BadInput, BadMove
from hitonami.games.chess import ChessPosition
from hitonami.judging._cache import FILE, JudgeCache, View, record_key
from hitonami.judging.judge import cache_folder, default_judge, open_judge
from hitonami.minds.neural import Neural
from hitonami.specs import mind_spec

NETWORK = str(Neural.EXAMPLES[0]["model"])
RECIPES = Path(__file__).parents[3] / "recipes"
CHESS = open_game("chess")
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


def at(fen: str, *moves: str) -> ChessPosition:
    position = CHESS.read(fen)
    for move in moves:
        position = position.play(CHESS.parse(position, move))
    return position


def moves_of(position: ChessPosition, *texts: str) -> list[int]:
    return [CHESS.parse(position, text) for text in texts]


def count_rows(folder: Path) -> int:
    with sqlite3.connect(folder / FILE) as base:
        [(rows,)] = base.execute("SELECT COUNT(*) FROM views")
    base.close()
    return int(rows)


@pytest.mark.parametrize(
    "path", [*RECIPES.glob("judges/*.toml"), *RECIPES.glob("anchors/*.toml")], ids=lambda path: path.stem
)
def test_the_judges_and_anchors_that_figures_name_are_engines_with_a_limit(path: Path) -> None:
    spec = mind_spec(str(path))
    fields = dict(spec.fields)
    assert spec.kind in ("uci", "usi")
    assert fields["nodes"] >= 500
    assert fields.get("limit_strength", False) == (path.parent.name == "anchors")  # a weakened judge is none


def test_stockfish_judges_moves_on_a_scale_of_people(need_program: Callable[[str], str]) -> None:
    need_program("stockfish")
    position = at("startpos", "e2e4", "e7e5", "d1h5", "g8f6")  # the pawn on e5 hangs, and the queen does
    taken, quiet, thrown = moves_of(position, "h5e5", "h5h3", "h5f7")
    with open_judge("chess", nodes=3000) as judge:
        assert judge.name.startswith("Stockfish")
        [verdict] = judge([(position, [taken, quiet, thrown])])
    assert verdict.nodes == 3000
    assert verdict.line[0] == verdict.best_move
    assert verdict.loss(taken) < 0.1 < verdict.loss(thrown)
    assert verdict.loss(taken) < verdict.loss(quiet) < verdict.loss(thrown)
    assert verdict.chances[thrown] < 0.15
    assert all(0.0 <= chance <= verdict.best for chance in verdict.chances.values())


def test_a_game_that_ends_counts_by_the_rules(need_program: Callable[[str], str]) -> None:
    need_program("stockfish")
    position = at(MATE_IN_ONE)
    mate, other = moves_of(position, "a1a8", "g1f1")
    with open_judge("chess", nodes=500) as judge:
        [verdict] = judge([(position, [mate, other])])
    assert verdict.best_move == mate
    assert verdict.chances[mate] == verdict.best == 1.0
    assert verdict.loss(mate) == 0.0 < verdict.loss(other)


def test_verdicts_do_not_depend_on_company_or_order(tmp_path: Path) -> None:
    positions = [at("startpos"), at("startpos", "e2e4"), at("startpos", "e2e4", "e7e5")]
    asks = [(position, position.legal[:3].tolist()) for position in positions]
    with open_judge("chess", NETWORK) as judge:
        together = judge(asks)
        alone = [judge([ask])[0] for ask in reversed(asks)][::-1]
    assert [verdict.chances for verdict in together] == [pytest.approx(verdict.chances, abs=1e-5) for verdict in alone]


def test_a_second_run_asks_nobody(tmp_path: Path, misbehave: Callable[..., str]) -> None:
    position = at("startpos", "d2d4")
    asks = [(position, position.legal[:4].tolist()), (position, None)]
    reports: list[tuple[int, int]] = []
    with open_judge("chess", NETWORK, cache=tmp_path) as judge:
        first = judge(asks, lambda done, total: reports.append((done, total)))
    rows = count_rows(tmp_path)
    assert reports[-1][0] == reports[-1][1]
    with open_judge("chess", NETWORK, cache=tmp_path) as judge:
        assert judge(asks) == first
    assert count_rows(tmp_path) == rows >= 5
    with open_judge("chess", {"kind": "neural", "model": NETWORK, "head": "expert"}, cache=tmp_path) as judge:
        judge(asks)
    assert count_rows(tmp_path) > rows  # another judge has words of its own


def test_the_best_move_is_never_worse_than_one_asked_about() -> None:
    position = at("startpos", "e2e4", "c7c5")
    with open_judge("chess", NETWORK) as judge:
        [verdict] = judge([(position, position.legal.tolist())])
    assert verdict.best == max(verdict.chances.values())
    assert min(verdict.loss(move) for move in verdict.chances) == 0.0


def test_what_was_judged_survives_a_kill(tmp_path: Path) -> None:
    script = f"""
from pathlib import Path
import os, signal
from hitonami.core import open_game
from hitonami.judging.judge import open_judge
start = open_game("chess").start()
with open_judge("chess", {NETWORK!r}, cache=Path({str(tmp_path)!r})) as judge:
    judge([(start, [])], lambda done, total: os.kill(os.getpid(), signal.SIGKILL) if done else None)
"""
    ended = subprocess.run([sys.executable, "-c", script], check=False, env=os.environ)
    assert ended.returncode == -signal.SIGKILL
    assert count_rows(tmp_path) == 1
    with open_judge("chess", NETWORK, cache=tmp_path) as judge:
        assert judge([(CHESS.start(), None)])[0].best_move in CHESS.start().legal


def test_a_record_is_more_than_its_last_position() -> None:
    one = at("startpos", "e2e4", "e7e5", "g1f3", "b8c6")
    other = at("startpos", "g1f3", "b8c6", "e2e4", "e7e5")
    assert one.key == other.key or record_key(one) != record_key(other)
    assert record_key(one) == record_key(at("startpos", "e2e4", "e7e5", "g1f3", "b8c6"))
    assert record_key(one) != record_key(other)


def test_two_caches_share_a_file(tmp_path: Path) -> None:
    one, other = JudgeCache(tmp_path, {"who": "a"}), JudgeCache(tmp_path, {"who": "a"})
    one.keep({b"x": View(0.25, (3, 4))})
    other.keep({b"x": View(0.75, (1,)), b"y": View(1.0, (2,))})
    assert one.find([b"x", b"y", b"z"]) == {b"x": View(0.25, (3, 4)), b"y": View(1.0, (2,))}
    third = JudgeCache(tmp_path, {"who": "b"})
    assert third.find([b"x"]) == {}
    for cache in (one, other, third):
        cache.close()


def test_a_file_that_is_no_cache_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("no database at all, only words " * 20)
    with pytest.raises(BadInput, match="cannot be used"):
        JudgeCache(tmp_path, {})
    with pytest.raises(BadInput, match="cannot be made"):
        JudgeCache(tmp_path / FILE / "below", {})


def test_the_judge_refuses_minds_that_hold_it(need_program: Callable[[str], str]) -> None:
    need_program("stockfish")
    blended = mind_spec({"kind": "blend", "minds": ["uniform", "uci:/usr/games/stockfish"], "weights": [0.5, 0.5]})
    with open_judge("chess", "uci:stockfish", nodes=10) as judge:
        judge.refuse_own({"uniform": "uniform", "human": "human"})
        with pytest.raises(BadInput, match=r"not independent: 'mixed' uses stockfish"):
            judge.refuse_own({"mixed": blended})
    with open_judge("chess", NETWORK) as judge, pytest.raises(BadInput, match="not independent"):
        judge.refuse_own({"same": NETWORK})
    with open_judge("chess", "human") as judge, pytest.raises(BadInput, match="not independent"):
        judge.refuse_own({"blend": "blend"})


def test_what_cannot_judge_is_refused(monkeypatch: pytest.MonkeyPatch, misbehave: Callable[..., str]) -> None:
    position = CHESS.start()
    with open_judge("chess", "uniform") as judge, pytest.raises(BadInput, match="tells no chances"):
        judge([(position, None)])
    with open_judge("chess", NETWORK) as judge, pytest.raises(BadMove):
        judge([(position, [-1])])
    with pytest.raises(BadInput, match="does not search"), open_judge("chess", NETWORK, nodes=100):
        pass
    with pytest.raises(BadInput, match="at least 1 node"), open_judge("chess", "uci:stockfish", nodes=0):
        pass
    with pytest.raises(BadInput, match="GPS Shogi"), open_judge("shogi", "usi:/usr/games/gpsusi", nodes=100):
        pass


def test_the_judge_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("HITONAMI_JUDGE_GO", raising=False)
    with pytest.raises(BadInput, match="HITONAMI_JUDGE_GO"):
        default_judge("go")
    monkeypatch.setenv("HITONAMI_JUDGE_GO", "katago:katago analysis -model x")
    assert default_judge("go").kind == "katago"
    monkeypatch.setenv("HITONAMI_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
