"""GTP: GNU Go, and engines that misbehave."""

import logging
import os
import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Setup, open_game
from hitonami.engines.gtp import GtpEngine, GtpRefused
from hitonami.engines.process import ProgramEnded, ProgramSilent
from hitonami.errors import EngineFailed
from hitonami.games.go import Go, GoPosition

Misbehave = Callable[..., str]
Need = Callable[[str], str]
WaitGone = Callable[[int], bool]
GOLDEN = Path(__file__).parents[2] / "golden" / "engines"
GNU_GO = "gnugo --mode gtp --level 1 --positional-superko"
GO = Go()


def play(position: GoPosition, moves: str) -> GoPosition:
    for text in moves.split():
        position = position.play(GO.parse(position, text))
    return position


def stones(position: GoPosition, colour: int) -> set[str]:
    diagram = GO.diagram(position)
    return {
        f"{diagram.columns[column]}{diagram.ranks[row]}"
        for row, cells in enumerate(diagram.rows)
        for column, cell in enumerate(cells)
        if cell.side == colour
    }


def check_board(engine: GtpEngine, position: GoPosition) -> None:
    for colour, name in enumerate(("black", "white")):
        assert set(engine.request(f"list_stones {name}").split()) == stones(position, colour)


@pytest.mark.parametrize(
    ("setup", "moves"),
    [
        (Setup(size=9), "E5 C4 pass D3"),
        (Setup(size=13, handicap=5, komi=0.5), "C11 K5"),
        (Setup(size=9, handicap=2), ""),
        (Setup(start="(;SZ[9]AB[aa][bb]AW[ba]PL[W])"), "E5"),
        (Setup(start="(;SZ[9]AB[ba][ab]AW[bb][cb]PL[W])"), "E5 F5"),
        (Setup(), "Q16 D4"),
    ],
)
def test_gnu_go_sees_the_same_board(setup: Setup, moves: str, need_program: Need) -> None:
    need_program("gnugo")
    position = play(GO.start(setup), moves)
    with GtpEngine(GNU_GO) as engine:
        assert engine.name == "GNU Go"
        chosen = engine.choose(position)
        assert chosen.move in position.legal
        check_board(engine, position)
        assert float(engine.request("get_komi")) == position.komi
        assert int(engine.request("get_handicap")) == position.handicap


def test_gnu_go_follows_a_random_game_forward_and_back(need_program: Need) -> None:
    need_program("gnugo")
    rng = np.random.default_rng(5)
    positions = [GO.start(Setup(size=5))]
    while len(positions) < 40 and len(positions[-1].legal):
        points = positions[-1].legal[:-1]
        positions.append(positions[-1].play(int(rng.choice(points)) if len(points) else 25))
    positions = [position for position in positions if len(position.legal)]
    assert any(sum(position.captures) for position in positions)
    with GtpEngine("gnugo --mode gtp --level 1 --positional-superko --allow-suicide") as engine:
        for run in (positions, positions[::-7], positions[10:20]):
            for position in run:
                engine.choose(position)
            check_board(engine, run[-1])


def test_gnu_go_plays_a_whole_game_with_itself(need_program: Need) -> None:
    need_program("gnugo")
    position = GO.start(Setup(size=9))
    with GtpEngine(GNU_GO) as engine:
        while len(position.legal) and position.ply < 200:
            move = engine.choose(position).move
            assert move is not None
            position = position.play(move)
    assert position.ending == "two passes"


def test_gnu_go_tells_the_values_of_its_candidates_and_repeats(need_program: Need) -> None:
    need_program("gnugo")
    position = play(GO.start(Setup(size=9)), "E5 C4 G6")
    with GtpEngine(GNU_GO) as engine:
        first = engine.choose(position, with_values=True)
        engine.choose(play(position, "C6"))
        again = engine.choose(position, with_values=True)
        assert again.move == first.move
        assert dict(again.values) == pytest.approx(dict(first.values), abs=0.2)
        assert len(first.values) > 1
        assert all(move in position.legal for move, _ in first.values)
        assert engine.choose(position, seconds=1.0).move in position.legal


def test_what_an_engine_refuses_is_told(need_program: Need) -> None:
    need_program("gnugo")
    with GtpEngine(GNU_GO) as engine:
        with pytest.raises(GtpRefused, match=r"boardsize 25.*unacceptable size"):
            engine.choose(GO.start(Setup(size=25)))
        assert engine.choose(GO.start(Setup(size=9))).move is not None
        with pytest.raises(GtpRefused, match="unknown command"):
            engine.request("no_such_command")


def test_a_killed_engine_is_started_again_and_shown_the_whole_game(
    need_program: Need, wait_gone: WaitGone, caplog: pytest.LogCaptureFixture
) -> None:
    need_program("gnugo")
    position = play(GO.start(Setup(size=9)), "E5 C4")
    with GtpEngine(GNU_GO) as engine, caplog.at_level(logging.WARNING, "hitonami"):
        engine.choose(position)
        assert engine.pid is not None
        os.kill(engine.pid, signal.SIGKILL)
        assert wait_gone(engine.pid)
        further = play(position, "E7")
        assert engine.choose(further).move in further.legal
        check_board(engine, further)
    assert "started again" in caplog.text


def test_what_an_engine_is_told_is_the_golden_transcript(misbehave: Misbehave, tmp_path: Path) -> None:
    told = tmp_path / "told"
    position = play(GO.start(Setup(size=9, komi=5.5)), "D4 pass")
    with GtpEngine(misbehave("gtp", "record", told)) as engine:
        engine.choose(position)
        engine.choose(play(position, "C3 D6"))
        engine.choose(position)
        engine.choose(GO.start(Setup(start="(;SZ[9]AB[aa][bb]AW[ba]PL[W])")))
        engine.choose(GO.start(Setup(size=9, handicap=2)), seconds=3.0)
    assert told.read_text() == (GOLDEN / "told_gtp.txt").read_text()


@pytest.mark.parametrize(
    ("how", "kind", "said"),
    [
        ("crash-in-search", ProgramEnded, "exit code 7.*bad luck struck"),
        ("hang-in-search", ProgramSilent, "answer to 'genmove black'"),
        ("illegal", EngineFailed, "chose 'Z99'"),
        ("refuse", GtpRefused, "refused 'play black D4': I would rather not"),
    ],
)
def test_a_request_that_goes_wrong_is_reported_and_leaves_no_process(  # noqa: PLR0917  (fixtures)
    how: str, kind: type[EngineFailed], said: str, misbehave: Misbehave, wait_gone: WaitGone, tmp_path: Path
) -> None:
    position = play(GO.start(Setup(size=9)), "D4 C3")
    patience = 3.0 if kind is ProgramSilent else 60.0  # enough to start on a busy machine
    with GtpEngine(misbehave("gtp", how, tmp_path / "mark"), patience) as engine:
        pid = engine.pid
        with pytest.raises(kind, match=said):
            engine.choose(position)
        assert engine.pid is None
        assert pid is not None
        assert wait_gone(pid)


def test_an_engine_that_answers_another_command_does_not_start(misbehave: Misbehave) -> None:
    with pytest.raises(EngineFailed, match=r"'=77.*'1 list_commands'"), GtpEngine(misbehave("gtp", "wrong-number")):
        pass


@pytest.mark.parametrize("how", ["chatty", "crash-once", "regular"])
def test_talk_between_answers_and_a_first_crash_do_not_matter(how: str, misbehave: Misbehave, tmp_path: Path) -> None:
    position = GO.start(Setup(size=9))
    with GtpEngine(misbehave("gtp", how, tmp_path / "mark")) as engine:
        assert engine.choose(position).move == GO.parse(position, "E5")
        assert engine.request("lines") == "one\ntwo\n  three"


def test_an_engine_may_resign(misbehave: Misbehave) -> None:
    with GtpEngine(misbehave("gtp", "resign")) as engine:
        assert engine.choose(open_game("go").start(Setup(size=9))).move is None
