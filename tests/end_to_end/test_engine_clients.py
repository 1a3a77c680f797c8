"""Real clients drive `hitonami engine`: python-chess, cshogi, and a GTP match against GNU Go."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chess
import chess.engine
import pytest

from hitonami.core import Setup, open_game
from hitonami.minds import neural

_HITONAMI = str(Path(sys.executable).with_name("hitonami"))
_HUNG_SECONDS = 120
_PARTS = Path(__file__).parents[1] / "unit" / "protocols" / "parts"


def _engine(*words: str) -> list[str]:
    return [_HITONAMI, "engine", *words]


@pytest.fixture
def chess_engine() -> Iterator[chess.engine.SimpleEngine]:
    with chess.engine.SimpleEngine.popen_uci(
        _engine("chess", "--mind", "uniform", "--seed", "1"), timeout=_HUNG_SECONDS
    ) as engine:
        yield engine


def test_python_chess_plays_a_game_to_its_end(chess_engine: chess.engine.SimpleEngine) -> None:
    chess_engine.configure({"UCI_Elo": 1800})
    board = chess.Board()
    while not board.is_game_over() and board.ply() < 600:
        clock = chess.engine.Limit(white_clock=60, black_clock=60, white_inc=1, black_inc=1)
        result = chess_engine.play(board, clock, ponder=board.ply() < 20)
        assert result.move is not None
        assert result.move in board.legal_moves
        board.push(result.move)
    assert board.is_game_over()


def test_python_chess_plays_chess960(chess_engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board.from_chess960_pos(518 - 17)
    for _ in range(60):
        result = chess_engine.play(board, chess.engine.Limit(nodes=1))
        if result.move is None:
            break
        board.push(result.move)
    assert board.ply() == 60 or board.is_game_over()


def test_python_chess_analyses_until_it_stops(chess_engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    with chess_engine.analysis(board, multipv=3) as analysis:
        for info in analysis:
            if info.get("multipv") == 3:
                break
        analysis.stop()
        assert analysis.wait().move in list(board.legal_moves)
        firsts = [info["pv"][0] for info in analysis.multipv]
    assert len(set(firsts)) == 3
    assert all(move in board.legal_moves for move in firsts)


def test_python_chess_reads_lines_and_chances_of_a_search(tmp_path: Path) -> None:
    spec = tmp_path / "search.toml"
    sample = Path(neural.__file__).with_name("_sample_network.pb.gz")
    search = 'kind = "puct"\nsimulations = 60\nprior_temperature = 20'  # the untrained network is nearly certain
    spec.write_text(f'{search}\n[mind]\nkind = "neural"\nmodel = "{sample}"\nthreads = 1\n')
    words = _engine("chess", "--mind", str(spec), "--seed", "1")
    with chess.engine.SimpleEngine.popen_uci(words, timeout=_HUNG_SECONDS) as engine:
        engine.configure({"UCI_ShowWDL": True})
        board = chess.Board()
        infos = engine.analyse(board, chess.engine.Limit(nodes=60), multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3]
    for info in infos:
        told = info["wdl"].relative
        assert told.wins + told.draws + told.losses == 1000
        assert info["score"].relative.score(mate_score=100_000) is not None
        assert (info["score"].relative.score(mate_score=100_000) or 0) * (told.expectation() - 0.5) >= 0  # of one mind
        follow = board.copy()
        for move in info["pv"]:
            follow.push(move)  # raises for a move that is not legal
    assert infos[0]["nodes"] >= 60


def _cshogi_engine(folder: Path, *words: str) -> Any:
    from cshogi.usi import Engine

    script = folder / "engine"  # cshogi starts a program without arguments
    script.write_text(f"#!/bin/sh\nexec {shlex.join(_engine(*words))}\n")
    script.chmod(0o755)
    return Engine(str(script))


def _end_cshogi_engine(engine: Any) -> None:
    process = engine.proc
    engine.quit()
    assert process.returncode == 0
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()


def test_cshogi_hears_several_lines(tmp_path: Path, need_module: Callable[[str], object]) -> None:
    need_module("cshogi")
    import cshogi

    engine, said = _cshogi_engine(tmp_path, "shogi", "--mind", "human", "--rating", "30", "--seed", "3"), list[str]()
    engine.setoption("MultiPV", 3)
    engine.isready()
    engine.position(moves=["7g7f", "3c3d"])
    move, _ = engine.go(byoyomi=1000, listener=said.append)
    _end_cshogi_engine(engine)
    board = cshogi.Board()
    for text in ("7g7f", "3c3d"):
        board.push_usi(text)
    legal = {cshogi.move_to_usi(each) for each in board.legal_moves}
    assert move in legal
    lines = [line.split() for line in said if " multipv " in line]
    assert [line[line.index("multipv") + 1] for line in lines] == ["1", "2", "3"]
    assert len({line[line.index("pv") + 1] for line in lines} & legal) == 3
    assert all(line[line.index("score") + 1] == "cp" for line in lines)


def test_cshogi_plays_a_game_to_its_end(tmp_path: Path, need_module: Callable[[str], object]) -> None:
    need_module("cshogi")
    import cshogi

    engine = _cshogi_engine(tmp_path, "shogi", "--mind", "uniform", "--seed", "3")
    engine.isready()
    engine.usinewgame()
    board, moves = cshogi.Board(), list[str]()
    while not board.is_game_over() and not board.is_draw() and len(moves) < 1000:
        engine.position(moves=moves)
        move, _ = engine.go(btime=60000, wtime=60000, byoyomi=1000)
        if move == "win":
            break
        assert board.move_from_usi(move) in list(board.legal_moves)
        board.push_usi(move)
        moves.append(move)
    assert len(moves) > 20
    if board.is_game_over():
        engine.position(moves=moves)
        assert engine.go(byoyomi=1000)[0] == "resign"
    _end_cshogi_engine(engine)


class _Gtp:
    """The least of a GTP controller."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = [self.process.stdout.readline()]
        while lines[-1].strip():
            lines.append(self.process.stdout.readline())
        said = "".join(lines).strip()
        assert said.startswith("="), f"{command}: {said}"
        return said[1:].strip()


@contextmanager
def _gtp(command: list[str]) -> Iterator[_Gtp]:
    player = _Gtp(command)
    try:
        yield player
        player.ask("quit")
        assert player.process.wait(_HUNG_SECONDS) == 0
    finally:
        player.process.kill()
        with player.process:
            pass


def test_a_match_against_gnu_go(need_program: Callable[[str], str]) -> None:
    go = open_game("go")
    words = "--mode gtp --level 1 --seed 1 --chinese-rules --positional-superko --capture-all-dead"
    gnugo = [need_program("gnugo"), *words.split()]
    with _gtp(_engine("go", "--mind", f"gtp:{shlex.join(gnugo)}", "--seed", "1")) as ours, _gtp(gnugo) as theirs:
        players = (ours, theirs)
        for player in players:
            for line in ("boardsize 9", "clear_board", "komi 6.5"):
                player.ask(line)
        position = go.start(Setup(size=9, komi=6.5))
        while len(position.legal) and position.ply < 400:
            side = position.to_move
            move = players[side].ask(f"genmove {'bw'[side]}")
            players[1 - side].ask(f"play {'bw'[side]} {move}")
            position = position.play(go.parse(position, move))
        assert position.ending == "two passes"
        assert go.read(ours.ask("printsgf")).key == position.key
        stones = sorted((theirs.ask("list_stones black") + " " + theirs.ask("list_stones white")).split())
        told = ours.ask("final_status_list alive") + " " + ours.ask("final_status_list dead")
        assert sorted(told.split()) == stones
        assert float(ours.ask("final_score")[2:]) == float(theirs.ask("final_score")[2:])
        assert ours.ask("final_score")[:2] == theirs.ask("final_score")[:2]


_ENDINGS: dict[str, Callable[[subprocess.Popen[str]], object]] = {
    "quit": lambda process: process.stdin and (process.stdin.write("quit\n"), process.stdin.flush()),
    "end of input": lambda process: process.stdin and process.stdin.close(),
    "Ctrl-C": lambda process: process.send_signal(signal.SIGINT),
    "terminated": lambda process: process.send_signal(signal.SIGTERM),
}
_ASK = {
    "chess": "setoption name MultiPV value 2\nposition startpos\ngo infinite\n",
    "shogi": "setoption name MultiPV value 2\nposition startpos\ngo infinite\n",
    "go": "boardsize 9\ngenmove b\n",
}


@contextmanager
def _thinking(game: str, mind: str) -> Iterator[subprocess.Popen[str]]:
    """A process in the middle of a thought."""
    process = subprocess.Popen(
        _engine(game, "--mind", mind),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"HITONAMI_PARTS": str(_PARTS)},
    )
    try:
        assert process.stdin is not None
        process.stdin.write(_ASK[game])
        process.stdin.flush()
        yield process
    finally:
        process.kill()
        with process:
            pass


@pytest.mark.parametrize("ending", _ENDINGS)
@pytest.mark.parametrize(
    ("game", "mind"), [("chess", "brooding"), ("shogi", "brooding"), ("go", "brooding"), ("chess", "deaf")]
)
def test_it_ends_at_once_while_thinking(game: str, mind: str, ending: str, tmp_path: Path) -> None:
    started = tmp_path / "started"
    with _thinking(game, f"{mind}:{started}") as process:
        _wait_for(started.exists)
        _ENDINGS[ending](process)
        assert process.wait(_HUNG_SECONDS / 2) == 0  # the deaf mind sleeps on for longer than this
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.parametrize("ending", _ENDINGS)
def test_it_leaves_no_engine_behind(ending: str, tmp_path: Path, need_program: Callable[[str], str]) -> None:
    """The engine notes its process id before it starts, and is gone afterwards."""
    script, note = tmp_path / "engine", tmp_path / "pid"
    script.write_text(f"#!/bin/sh\necho $$ > {note}.new; mv {note}.new {note}\nexec {need_program('stockfish')}\n")
    script.chmod(0o755)
    with _thinking("chess", f"uci:{script}") as process:
        _wait_for(note.exists)
        child = int(note.read_text())
        os.kill(child, 0)  # raises where there is no such process
        _ENDINGS[ending](process)
        assert process.wait(_HUNG_SECONDS) == 0
        _wait_for(lambda: not Path(f"/proc/{child}").exists())


_LOSING_AN_INTERRUPT = """
import sys, time, weakref
import hitonami.protocols as protocols
from hitonami.cli import main
from hitonami.protocols.uci import Uci

class Thing: pass

class Losing(Uci):
    def receive(self, line):
        if line.startswith("lose"):
            thing = Thing()
            watcher = weakref.ref(thing, lambda _: (print("now", flush=True), time.sleep(1.5)))
            del thing
        else:
            super().receive(line)

protocols.protocol_of = lambda game: Losing
sys.argv = ["hitonami", "engine", "chess", "--mind", "uniform"]
main()
"""


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupt_that_python_drops_still_ends_it(ending: signal.Signals) -> None:
    """Python ignores an interrupt that is raised in a weak reference's callback."""
    with subprocess.Popen(
        [sys.executable, "-c", _LOSING_AN_INTERRUPT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("lose\n")
        process.stdin.flush()
        assert process.stdout.readline() == "now\n"
        process.send_signal(ending)
        assert process.wait(_HUNG_SECONDS) == 0
        assert "Exception ignored" in process.stderr.read(), "the interrupt was not lost, so nothing was tested"


def _wait_for(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _HUNG_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("game", "lines", "answers"),
    [
        ("chess", "uci\nisready\nposition startpos\ngo movetime 50\nquit\n", ["uciok", "readyok", "bestmove "]),
        ("shogi", "usi\nisready\nposition startpos\ngo byoyomi 50\nquit\n", ["usiok", "readyok", "bestmove "]),
        ("go", "name\nboardsize 9\ngenmove b\ngenmove w\nquit\n", ["= Hitonami", "=", "= ", "= ", "="]),
        ("chess", "isready\ngo infinite", ["readyok", "bestmove "]),
    ],
)
def test_commands_piped_in_are_all_answered(game: str, lines: str, answers: list[str]) -> None:
    done = subprocess.run(
        _engine(game, "--mind", "uniform"),
        input=lines,
        capture_output=True,
        text=True,
        check=True,
        timeout=_HUNG_SECONDS,
    )
    said = iter(done.stdout.splitlines())
    assert all(any(line.startswith(answer) for line in said) for answer in answers)
    assert [
        line for line in done.stderr.splitlines() if "compiling" not in line
    ] == []  # said where nothing is kept yet


@pytest.mark.parametrize("words", [["ludo"], ["chess", "--mind", "unifrm"], ["go", "--rating", "99999"]])
def test_bad_usage_is_told_with_exit_code_2(words: list[str]) -> None:
    done = subprocess.run(_engine(*words), input="", capture_output=True, text=True, timeout=_HUNG_SECONDS, check=False)
    assert done.returncode == 2
    assert words[-1] in done.stderr
    assert done.stdout == ""
