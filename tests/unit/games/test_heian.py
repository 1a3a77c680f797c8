"""Heian shogi: against pyffish with a description of its rules, its ends, its variants, its texts."""

import random
from collections.abc import Callable
from types import ModuleType

import pytest

from hitonami.core import Setup
from hitonami.errors import BadInput, BadMove
from hitonami.games.heian import Heian, HeianPosition

HEIAN = Heian()


def play_beside(pyffish: ModuleType, variant: str, seed: int, most: int) -> str | None:
    """One random game: every list of moves and every end but repetition must be the same. Returns the ending."""
    rng = random.Random(seed)
    position = HEIAN.start(Setup(variant=variant))
    theirs = HEIAN.fairy_rules(position).variant
    taken = True
    while position.ply < most:
        fen = HEIAN.fairy_fen(position)
        if position.ending in ("repetition", "perpetual check"):
            return position.ending
        if taken:  # asking costs milliseconds, and nothing else bares a king
            over, value = pyffish.is_immediate_game_end(theirs, fen, [])
            assert over == (position.ending == "bare king")
            if over:
                assert value < 0
                return position.ending
        ours = {HEIAN.fairy_move(position, int(move)): int(move) for move in position.legal}
        assert sorted(ours) == sorted(pyffish.legal_moves(theirs, fen, []))
        if position.ending is not None:
            assert pyffish.game_result(theirs, fen, []) < 0, "mate and no moves are lost"
            return position.ending
        takes = [move for move in ours.values() if position.cells[move & 127]]
        move = rng.choice(takes if takes and rng.random() < 0.3 else list(ours.values()))
        taken = bool(position.cells[move & 127])
        position = position.play(move)
    return None


VARIANTS = ("", "9x8", "8x8", "second", "8x8 second", "elephant", "9x8 elephant")


@pytest.fixture(scope="module")
def pyffish(need_module: Callable[[str], ModuleType]) -> ModuleType:
    library = need_module("pyffish")
    for board in ("9x9", "9x8", "8x8"):
        library.load_variant_config(HEIAN.fairy_rules(HEIAN.start(Setup(variant=board))).description)
    return library


@pytest.mark.parametrize("variant", VARIANTS)
def test_fairy_stockfish_agrees(pyffish: ModuleType, variant: str) -> None:
    play_beside(pyffish, variant, 3, 60)


def test_fairy_stockfish_agrees_to_the_end_of_a_game(pyffish: ModuleType) -> None:
    assert play_beside(pyffish, "8x8 second", 1, 400) is not None


@pytest.mark.slow
@pytest.mark.timeout(0)  # pyffish takes milliseconds a call
def test_fairy_stockfish_agrees_in_a_thousand_games(pyffish: ModuleType) -> None:
    ends = [play_beside(pyffish, VARIANTS[seed % len(VARIANTS)], 1000 + seed, 300) for seed in range(1000)]
    assert {"bare king", "checkmate"} <= set(ends)


def test_the_array_is_the_modern_one_without_rook_and_bishop() -> None:
    starts = {variant: HEIAN.write(HEIAN.start(Setup(variant=variant))) for variant in VARIANTS}
    assert starts[""] == "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL b - 1"
    assert starts["9x8"] == "lnskgsnl/8/pppppppp/8/8/8/PPPPPPPP/8/LNSGKSNL b - 1"
    assert starts["8x8 second"] == "lnskgsnl/pppppppp/8/8/8/8/PPPPPPPP/LNSGKSNL b - 1"
    assert starts["elephant"] == "lnsgkgsnl/4e4/ppppppppp/9/9/9/PPPPPPPPP/4E4/LNSGKGSNL b - 1"


def walk(start: str, moves: str) -> HeianPosition:
    position = HEIAN.start(Setup(start=start))
    for text in moves.split():
        position = position.play(HEIAN.parse(position, text))
    return position


@pytest.mark.parametrize(
    ("start", "moves", "ending", "score"),
    [
        ("4k4/9/4G4/4L4/9/9/9/p8/4K4 b - 1", "5c5b", "checkmate", 1.0),
        ("4k4/9/9/9/9/9/8P/4g4/4K4 b - 1", "5i5h", "bare king", 1.0),
        ("4k4/9/9/9/9/9/8P/3gp4/4K4 b - 1", "5i6h", None, None),
        ("4k4/4p4/4P4/9/9/9/9/l8/4K4 w - 1", "5b5c", "bare king", 0.0),
        ("8k/6K1G/8P/9/9/9/p8/9/9 w - 1", "", "checkmate", 1.0),
    ],
)
def test_games_end_by_mate_or_a_bare_king(start: str, moves: str, ending: str | None, score: float | None) -> None:
    end = walk(start, moves)
    assert (end.ending, end.score) == (ending, score)


def test_the_fourth_appearance_is_a_draw() -> None:
    position = HEIAN.start()
    for _ in range(3):
        assert position.ending is None
        for text in ("4i4h", "4a4b", "4h4i", "4b4a"):
            position = position.play(HEIAN.parse(position, text))
    assert (position.ending, position.score, len(position.legal)) == ("repetition", 0.5, 0)


def test_perpetual_check_loses_for_the_side_that_gives_it() -> None:
    """A gold steps aside, before one lance and then before the other, and uncovers a check each time."""
    position = HEIAN.start(Setup(start="4k4/9/p8/9/5G3/9/9/9/K3LL3 w - 1"))
    for _ in range(3):
        assert position.ending is None
        for text in ("5a4a", "4e5e", "4a5a", "5e4e"):
            position = position.play(HEIAN.parse(position, text))
    assert (position.ending, position.score) == ("perpetual check", 0.0)


def test_pieces_promote_on_the_way_in_within_and_out_and_must_where_they_would_be_stuck() -> None:
    position = HEIAN.start(Setup(start="4k4/P8/1S7/2S6/9/9/9/8p/4K4 b - 1"))
    moves = {HEIAN.format(position, int(move)) for move in position.legal}
    assert {"9b9a+", "8c8b", "8c8b+", "8c9d+", "7d7c", "7d7c+"} <= moves
    assert not {"9b9a", "7d6e+", "5i5h+"} & moves


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        (Setup(variant="10x10"), "known: one of 9x9, 9x8, 8x8, and second, elephant"),
        (Setup(variant="9x9 8x8"), "unknown variant"),
        (Setup(start="4k4/9/9/9/9/9/9/9/9 b - 1"), "Black needs one king"),
        (Setup(start="P3k4/9/9/9/9/9/9/9/4K4 b - 1"), "can never move"),
        (Setup(start="4k4/4G4/9/9/9/9/9/9/4K4 b - 1"), "could take the king"),
        (Setup(start="4k4/9/9/9/9/9/9/4P4/4K4 w P 1"), "not an SFEN of Heian shogi"),
        (Setup(start="4k4/9/9/4K4 b - 1"), "9×9, 9×8 or 8×8"),
        (Setup(start="4k4/9/9/9/9/9/9/9/4K4 b - 1"), "bare king"),
        (Setup(handicap=2), "no handicap"),
    ],
)
def test_other_setups_are_refused_with_the_reason(setup: Setup, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        HEIAN.start(setup)


def test_moves_are_read_as_usi_and_as_described() -> None:
    position = HEIAN.start()
    move = HEIAN.parse(position, "7g7f")
    assert HEIAN.describe(position, move) == "歩7f(7g)"
    assert HEIAN.parse(position, "歩7f(7g)") == move
    for text, reason in (("7g7e", "not a legal move"), ("P*5e", "as in 7g7f"), ("9j9i", "as in 7g7f")):
        with pytest.raises(BadMove, match=reason):
            HEIAN.parse(position, text)
