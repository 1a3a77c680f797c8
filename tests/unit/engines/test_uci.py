"""UCI and USI: real engines, engines that misbehave, and the reading of what they say."""

import logging
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.core import Position, Setup, open_game
from hitonami.engines._uci_info import Collector, Info, read_info
from hitonami.engines._uci_options import Option, OptionValue, read_option
from hitonami.engines.process import ProgramEnded, ProgramSilent
from hitonami.engines.uci import UCI, USI, Found, Limits, Search, UciEngine, describe_position
from hitonami.errors import BadSetup, BadSpec, EngineFailed

Misbehave = Callable[..., str]
Need = Callable[[str], str]
WaitGone = Callable[[int], bool]
GOLDEN = Path(__file__).parents[2] / "golden" / "engines"
CHESS, SHOGI = open_game("chess"), open_game("shogi")
QUICK = Limits(nodes=1000)
PATIENCE = 3.0
"""Seconds for engines that never answer: enough for them to start on a busy machine."""
WORDS = ("info", "depth", "multipv", "score", "cp", "mate", "wdl", "pv", "1", "-2", "x", "+", "e2e4", "string")


def play(position: Position, moves: str) -> Position:
    for text in moves.split():
        position = position.play(position.game.parse(position, text))
    return position


def text_of(position: Position, found: Found) -> str:
    assert found.move is not None
    return position.game.format(position, found.move)


def first_moves(position: Position, found: Found) -> list[str]:
    return [position.game.format(position, line.moves[0]) for line in found.lines]


# Real engines


def test_stockfish_finds_a_mate_and_its_length(need_program: Need) -> None:
    need_program("stockfish")
    position = CHESS.read("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")
    with UciEngine("stockfish") as engine:
        found = engine.search(Search(position, QUICK, multipv=2))
        assert engine.name.startswith("Stockfish")
    assert text_of(position, found) == "f1f8"
    assert found.lines[0].mate_in == 1
    assert found.lines[0].wdl is not None
    assert found.lines[0].wdl.tolist() == [1, 0, 0]


def test_stockfish_tells_the_mated_side_so(need_program: Need) -> None:
    need_program("stockfish")
    position = CHESS.read("7k/8/6K1/5Q2/8/8/8/8 b - - 0 1")
    with UciEngine("stockfish") as engine:
        [line] = engine.search(Search(position, QUICK)).lines
    assert line.mate_in == -1


def test_multipv_gives_as_many_lines_as_there_are_moves_best_first(need_program: Need) -> None:
    need_program("stockfish")
    with UciEngine("stockfish") as engine:
        many = engine.search(Search(CHESS.start(), QUICK, multipv=4))
        few = engine.search(Search(CHESS.read("7k/8/6K1/8/8/8/8/5Q2 b - - 0 1"), QUICK, multipv=4))
    assert len(many.lines) == 4
    assert len({line.moves[0] for line in many.lines}) == 4
    scores = [line.centipawns or 0 for line in many.lines]
    assert scores == sorted(scores, reverse=True)
    assert len(few.lines) == 1


def test_fresh_searches_repeat_and_the_order_does_not_matter(need_program: Need) -> None:
    need_program("stockfish")
    start = CHESS.start()
    with UciEngine("stockfish") as engine:
        first = engine.search(Search(start, QUICK, multipv=3))
        engine.search(Search(play(start, "e2e4 e7e5"), QUICK, multipv=3))
        again = engine.search(Search(start, QUICK, multipv=3))
    assert [(line.moves, line.centipawns) for line in first.lines] == [
        (line.moves, line.centipawns) for line in again.lines
    ]


def test_the_engine_is_told_of_repetitions(need_program: Need) -> None:
    need_program("stockfish")
    start = CHESS.read("7k/3q4/8/8/8/8/8/K7 w - - 0 1")
    shuffled = play(start, "a1b1 d7e7 b1a1 e7d7 " * 2)
    with UciEngine("stockfish") as engine:
        lost = engine.search(Search(start, QUICK)).lines[0]
        saved = engine.search(Search(shuffled, QUICK)).lines[0]
    assert lost.mate_in is not None or (lost.centipawns or 0) < -300
    assert saved.centipawns == 0  # Kb1 stands there for the third time


def test_chess960_castling_is_spoken(need_program: Need) -> None:
    need_program("stockfish")
    setup = Setup(variant="chess960", start="3k4/8/8/8/8/8/5PPP/4RK1R w H - 0 1")
    start = CHESS.start(setup)
    castled = play(start, "f1h1")
    with UciEngine("stockfish") as engine:
        for position in (start, castled):
            found = engine.search(Search(position, QUICK, multipv=50))
            assert sorted(line.moves[0] for line in found.lines) == position.legal.tolist()
        standard = engine.search(Search(CHESS.read("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), QUICK, multipv=50))
    assert CHESS.parse(CHESS.read("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "e1g1") in [
        line.moves[0] for line in standard.lines
    ]


def test_stop_ends_a_search_without_end(need_program: Need) -> None:
    need_program("stockfish")
    stop, reports = Event(), list[Found]()

    def hear(found: Found) -> None:
        reports.append(found)
        stop.set()

    with UciEngine("stockfish") as engine:
        found = engine.search(Search(CHESS.start(), Limits(nodes=10**12), multipv=2, stop=stop, report=hear))
        assert found.move in CHESS.start().legal
        assert reports[0].lines
        assert reports[0].move is None
        after = engine.search(Search(CHESS.start(), QUICK, stop=stop))  # still set: an answer comes all the same
        assert after.move is not None


def test_closing_ends_a_search_in_another_thread(misbehave: Misbehave, wait_gone: WaitGone) -> None:
    begun = Event()
    with UciEngine(misbehave("uci", "hang-in-search")) as engine, ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.search, Search(CHESS.start(), QUICK, report=lambda _: begun.set()))
        assert begun.wait(20)
        pid = engine.pid
        engine.close()
        with pytest.raises(EngineFailed):
            running.result(20)
    assert pid is not None
    assert wait_gone(pid)


def test_engines_play_whole_games(need_program: Need) -> None:
    need_program("stockfish")
    need_program("fairy-stockfish")
    for game, command, dialect, plies in ((CHESS, "stockfish", UCI, 400), (SHOGI, "fairy-stockfish", USI, 120)):
        position = game.start()
        with UciEngine(command, dialect=dialect) as engine:
            while len(position.legal) and position.ply < plies:
                found = engine.search(Search(position, Limits(nodes=60), fresh=False))
                assert found.move is not None
                position = position.play(found.move)
        assert position.ply >= 20


@pytest.mark.parametrize("when", ["between", "during"])
def test_a_killed_engine_is_started_again_with_a_warning(
    when: str, need_program: Need, wait_gone: WaitGone, caplog: pytest.LogCaptureFixture
) -> None:
    need_program("stockfish")
    killed: list[int] = []

    def kill(_: object = None) -> None:
        if not killed and engine.pid is not None:
            killed.append(engine.pid)
            os.kill(engine.pid, signal.SIGKILL)

    with UciEngine("stockfish") as engine, caplog.at_level(logging.WARNING, "hitonami"):
        if when == "between":
            kill()
            assert wait_gone(killed[0])
        found = engine.search(Search(CHESS.start(), Limits(nodes=20_000), multipv=2, report=kill))
        assert engine.pid not in (None, killed[0])
        last = engine.pid
    assert found.move is not None
    assert len(found.lines) == 2
    assert "SIGKILL" in caplog.text
    assert "started again" in caplog.text
    assert last is not None
    assert wait_gone(last)


def test_fairy_stockfish_plays_shogi_in_usi(need_program: Need) -> None:
    need_program("fairy-stockfish")
    mate = SHOGI.read("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    game = play(SHOGI.start(), "7g7f 3c3d 8h2b+ 3a2b B*5e")
    with UciEngine("fairy-stockfish", dialect=USI) as engine:
        found = engine.search(Search(mate, QUICK))
        assert text_of(mate, found) == "G*5b"
        assert found.lines[0].mate_in == 1
        every = engine.search(Search(game, Limits(depth=1), multipv=500))
        assert sorted(line.moves[0] for line in every.lines) == game.legal.tolist()


def test_gps_shogi_plays_by_byoyomi_and_its_crash_at_nodes_is_told(
    need_program: Need, caplog: pytest.LogCaptureFixture
) -> None:
    need_program("gpsusi")
    position = play(SHOGI.start(), "7g7f 3c3d")
    with UciEngine("gpsusi", {"BookDepth": 0, "LimitDepth": 4}, USI) as engine:
        assert engine.search(Search(position, Limits(milliseconds=50), multipv=3)).move in position.legal
        with (
            caplog.at_level(logging.ERROR, "hitonami"),
            pytest.raises(ProgramEnded, match="unknown option in go nodes"),
        ):
            engine.search(Search(position, QUICK))


# Engines that misbehave


@pytest.mark.parametrize(
    ("how", "kind", "said"),
    [
        ("crash-at-start", ProgramEnded, r"exit code 3.*bad luck struck"),
        ("deaf", ProgramSilent, "'readyok' was expected"),
    ],
)
def test_an_engine_that_does_not_start_is_reported(
    how: str, kind: type[EngineFailed], said: str, misbehave: Misbehave
) -> None:
    engine = UciEngine(misbehave("uci", how), timeout_seconds=PATIENCE if kind is ProgramSilent else 60.0)
    with pytest.raises(kind, match=said), engine:
        pass
    assert engine.pid is None


@pytest.mark.parametrize(
    ("how", "kind", "said"),
    [
        ("crash-in-search", ProgramEnded, r"exit code 7.*bad luck struck"),
        ("hang-in-search", ProgramSilent, "bestmove"),
        ("flood", EngineFailed, r"bestmove|was ended for"),
        ("long-line", ProgramEnded, "longer than"),
        ("illegal", EngineFailed, "bestmove 'e2e5'"),
        ("none", EngineFailed, r"bestmove '\(none\)'"),
        ("empty", EngineFailed, "bestmove ''"),
    ],
)
def test_a_search_that_goes_wrong_is_reported_and_leaves_no_process(
    how: str, kind: type[EngineFailed], said: str, misbehave: Misbehave, wait_gone: WaitGone
) -> None:
    patience = PATIENCE if how in ("hang-in-search", "flood") else 60.0
    with UciEngine(misbehave("uci", how), timeout_seconds=patience) as engine:
        pid = engine.pid
        with pytest.raises(kind, match=said):
            engine.search(Search(CHESS.start(), QUICK))
        assert engine.pid is None
        assert pid is not None
        assert wait_gone(pid)


def test_a_crash_is_made_good_once(misbehave: Misbehave, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with UciEngine(misbehave("uci", "crash-once", tmp_path / "crashed")) as engine:
        found = engine.search(Search(CHESS.start(), QUICK))
    assert text_of(CHESS.start(), found) == "e2e4"
    assert [record.levelname for record in caplog.records if record.name == "hitonami"] == ["WARNING"]


def test_garbage_between_the_answers_does_not_matter(misbehave: Misbehave) -> None:
    start = CHESS.start()
    with UciEngine(misbehave("uci", "garbage")) as engine:
        found = engine.search(Search(start, QUICK))
    assert first_moves(start, found) == ["e2e4"]
    assert found.lines[0].centipawns == 20


def test_a_closed_engine_refuses(misbehave: Misbehave) -> None:
    engine = UciEngine(misbehave("uci", "good"))
    with engine:
        pass
    with pytest.raises(EngineFailed, match="closed"):
        engine.search(Search(CHESS.start(), QUICK))


@pytest.mark.parametrize("verdict", ["resign", "win"])
def test_usi_engines_may_resign_or_declare(verdict: str, misbehave: Misbehave) -> None:
    with UciEngine(misbehave("usi", verdict), dialect=USI) as engine:
        found = engine.search(Search(SHOGI.start(), QUICK))
    assert (found.move, found.verdict) == (None, verdict)


def test_uci_engines_may_not_resign(misbehave: Misbehave) -> None:
    with UciEngine(misbehave("uci", "resign")) as engine, pytest.raises(EngineFailed, match="resign"):
        engine.search(Search(CHESS.start(), QUICK))


def test_an_engine_without_chess960_says_so(misbehave: Misbehave) -> None:
    with UciEngine(misbehave("uci", "good")) as engine:
        del engine.options["UCI_Chess960"]
        with pytest.raises(BadSetup, match="Misbehaving 1 does not play Chess960"):
            engine.search(Search(CHESS.start(Setup(variant="chess960")), QUICK))


def test_what_an_engine_is_told_is_the_golden_transcript(misbehave: Misbehave, tmp_path: Path) -> None:
    told = tmp_path / "told"
    options: dict[str, OptionValue] = {"hash": 32, "Style": "very wild", "Ponder": True, "Clear Hash": True}
    with UciEngine(misbehave("uci", "record", told), options) as engine:
        engine.search(Search(CHESS.start(), Limits(nodes=5), multipv=3))
        engine.search(
            Search(play(CHESS.start(), "d2d4 c7c5"), Limits(depth=2, milliseconds=70), multipv=9, fresh=False)
        )
        engine.search(Search(CHESS.read("4k3/8/8/8/8/8/4P3/4K3 w - - 5 60"), Limits(nodes=1), elo=3000.0))
        engine.search(Search(CHESS.start(Setup(variant="chess960")), Limits(nodes=1), elo=1234.5))
    assert told.read_text() == (GOLDEN / "told_uci.txt").read_text()
    told.unlink()
    with UciEngine(misbehave("usi", "record", told), dialect=USI) as engine:
        engine.search(Search(SHOGI.start(), Limits(milliseconds=100)))
        engine.search(Search(play(SHOGI.start(), "2g2f 8c8d"), Limits(nodes=7)))
    assert told.read_text() == (GOLDEN / "told_usi.txt").read_text()


# Options


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("Hsah", 1, "did you mean Hash"),
        ("Hash", 65, "from 1 to 64"),
        ("Hash", "many", "a whole number"),
        ("Hash", 1.5, "a whole number"),
        ("Style", "Odd", "Solid, Very Wild, Normal"),
        ("Ponder", "maybe", "true or false"),
        ("Clear Hash", False, "presses the button"),
        ("Book File", "a\nquit", "control characters"),
    ],
)
def test_an_option_that_the_engine_would_not_take_is_refused(
    name: str, value: OptionValue, said: str, misbehave: Misbehave
) -> None:
    with pytest.raises(BadSpec, match=said), UciEngine(misbehave("uci", "good"), {name: value}):
        pass


def test_options_are_read_with_spaces_in_names_and_values() -> None:
    line = "option name Analysis Contempt type combo default Both Sides var Both Sides var Off var White"
    assert read_option(line) == Option(
        "Analysis Contempt", "combo", "Both Sides", None, None, ("Both Sides", "Off", "White")
    )
    assert read_option("option name A type string default") == Option("A", "string")
    assert read_option("option name N type spin default -5 min -10 max 10") == Option("N", "spin", "-5", -10, 10)
    assert read_option("id name option") is None


# Reading


@pytest.mark.parametrize(
    ("plies", "moves"), [("1", 1), ("2", 1), ("3", 2), ("-1", -1), ("-2", -1), ("-4", -2), ("+", 99), ("-", -99)]
)
def test_usi_counts_mates_in_plies(plies: str, moves: int) -> None:
    info = read_info(f"info depth 3 score mate {plies} pv 7g7f", mate_in_plies=True)
    assert info is not None
    assert info.mate_in == moves


@given(st.text() | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_reading_never_raises(line: str) -> None:
    for plies in (True, False):
        info = read_info(line, plies)
        assert info is None or (info.pv and (info.centipawns is None) != (info.mate_in is None))
    read_option(line)


def test_bounds_are_not_scores() -> None:
    assert read_info("info depth 6 score cp 15 upperbound pv d2d4", mate_in_plies=False) is None


def test_repeats_at_a_lower_depth_after_a_cut_off_are_ignored() -> None:
    collector = Collector(2)
    assert not collector.add(Info(("a",), 5, 1, 50))
    assert collector.add(Info(("b",), 5, 2, 40))
    assert not collector.add(Info(("b",), 6, 1, 60))
    assert not collector.add(Info(("a",), 5, 2, 50))
    assert [info.pv[0] for info in collector.lines("b")] == ["a", "b"]
    assert [info.pv[0] for info in collector.lines("c")] == ["a", "b"]


def test_a_choice_from_an_unfinished_depth_keeps_its_line() -> None:
    collector = Collector(2)
    for info in (Info(("a",), 5, 1, 50), Info(("b",), 5, 2, 40), Info(("c",), 6, 1, 60)):
        collector.add(info)
    assert [info.pv[0] for info in collector.lines("c")] == ["c", "a"]


def test_engines_without_ranks_are_read_by_first_move() -> None:
    collector = Collector(3)
    for text, depth, score in (("a", 4, 90), ("a", 5, 10), ("b", 5, 30), ("c", 5, 20), ("d", 4, 80)):
        collector.add(Info((text,), depth, None, score))
    assert [info.pv[0] for info in collector.lines("a")] == ["a", "b", "c"]
    assert collector.lines("z") == []


@given(
    st.integers(1, 4),
    st.lists(
        st.tuples(st.sampled_from("abcdef"), st.integers(1, 4), st.none() | st.integers(1, 4), st.integers(-9, 9))
    ),
    st.none() | st.sampled_from("abcdefg"),
)
def test_lines_are_unique_and_no_more_than_wanted(
    wanted: int, said: list[tuple[str, int, int | None, int]], best: str | None
) -> None:
    collector = Collector(wanted)
    for text, depth, rank, score in said:
        collector.add(Info((text,), depth, rank, score))
    moves = [info.pv[0] for info in collector.lines(best)]
    assert len(moves) == len(set(moves)) <= wanted
    assert set(moves) <= {text for text, *_ in said}


def test_positions_are_told_from_the_start_of_their_record() -> None:
    assert describe_position(play(CHESS.start(), "e2e4 e7e5"), UCI) == "position startpos moves e2e4 e7e5"
    fen = "8/8/8/8/8/4k3/4p3/4K3 w - - 5 60"
    assert describe_position(CHESS.read(fen), UCI) == f"position fen {fen}"
    sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
    assert describe_position(play(SHOGI.read(sfen), "G*5b").before, USI) == f"position sfen {sfen}"  # type: ignore[arg-type]


@pytest.mark.parametrize("given_limits", [{}, {"nodes": 0}, {"depth": -1}, {"milliseconds": 0, "nodes": 5}])
def test_a_search_without_an_end_is_refused(given_limits: dict[str, int]) -> None:
    with pytest.raises(BadSpec, match="limit"):
        Limits(**given_limits)


def test_a_record_that_goes_on_after_its_end_is_told_from_there() -> None:
    position = open_game("chess").start()
    dance = ["g1f3", "g8f6", "f3g1", "f6g8"]
    for text in dance * 4:
        position = position.play(position.game.parse(position, text))
    assert len(position.legal) == 0  # five times the same
    moves = open_game("chess").start()
    position = position.follow(moves.game.parse(moves, "e2e4"))
    told = describe_position(position, UCI)
    assert told.split(" moves")[0].startswith("position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b")
    assert "moves" not in told
