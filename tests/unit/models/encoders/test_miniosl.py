"""miniosl's planes and head against its own library, and against digests where that is not installed."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import cshogi
import numpy as np
import pytest

from hitonami.core import Player, Query, Setup
from hitonami.errors import BadInput, BadPosition
from hitonami.games.shogi import Shogi, ShogiPosition
from hitonami.models.encoders.miniosl import Miniosl, paint
from hitonami.models.encoders.miniosl_rated import MinioslRated

SHOGI = Shogi()
NeedModule = Callable[[str], ModuleType]
GOLDEN = Path(__file__).parents[3] / "golden" / "shogi" / "miniosl.json"
MATES = (62, 63, 69, 70, 73, 74, 75)
SETUPS = (
    *SHOGI.examples,
    *(Setup(variant=each) for each in ("rook", "bishop", "6-piece", "10-piece")),
    Setup(start="4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1"),
    Setup(start="4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1"),
)


def play_at_random(start: ShogiPosition, rng: np.random.Generator, plies: int) -> list[ShogiPosition]:
    """The positions of a random game that likes captures and checks."""
    positions = [start]
    while len(positions) <= plies and len(positions[-1].legal):
        here = positions[-1]
        tries = [here.follow(int(move)) for move in rng.choice(here.legal, 3)]
        positions.append(next((each for each in tries if each.in_check), tries[0]))
    return [each for each in positions if len(each.legal)]


def scatter(rng: np.random.Generator) -> ShogiPosition:
    """A king with attackers and defenders around it, whose side is to move as a rule: many mates in one threaten."""
    while True:
        board = [["1"] * 9 for _ in range(9)]
        king, other = rng.integers(0, 9, 2), rng.integers(0, 9, 2)
        board[king[1]][king[0]], board[other[1]][other[0]] = "k", "K"
        for letter in rng.choice(list("PLNSGBRGSRBplnsg"), rng.integers(4, 16)):
            file, rank = np.clip(king + rng.integers(-3, 4, 2), 0, 8)
            if board[rank][file] == "1":
                promotes = letter in "PLNSBRplns" and rng.random() < 0.25
                board[rank][file] = f"+{letter}" if promotes else str(letter)
        text = "/".join("".join(row) for row in board)
        hand = "".join(piece for piece in "RBGSNL" if rng.random() < 0.5)
        turn = "w" if rng.random() < 0.85 else "b"
        if rng.random() < 0.5:
            text, hand, turn = text.swapcase(), hand.swapcase(), "b" if turn == "w" else "w"
        for number in range(9, 1, -1):
            text = text.replace("1" * number, str(number))
        try:
            position = SHOGI.read(f"{text} {turn} {hand or '-'} 1")
        except BadPosition:
            continue
        if len(position.legal) and (not position.in_check or rng.random() < 0.1):
            return position


def trace(position: ShogiPosition) -> tuple[ShogiPosition, list[str]]:
    moves = []
    while position.before is not None and position.last_move is not None:
        moves.append(cshogi.move_to_usi(position.last_move))
        position = position.before
    return position, moves[::-1]


def ask_library(library: Any, position: ShogiPosition) -> tuple[Any, list[int]]:
    """Its planes, and its numbers of the legal moves."""
    start, moves = trace(position)
    begin = library.State() if start.setup == Setup() else library.usi_state(f"sfen {start.sfen}")
    state, played = library.State(begin), []
    for move in moves:
        played.append(state.to_move(move))
        state.make_move(played[-1])
    planes = np.asarray(begin.export_features(library.MoveVector(played))).reshape(176, 9, 9)
    return planes, [state.to_move(cshogi.move_to_usi(int(move))).policy_move_label for move in position.legal]


def check_with_library(library: Any, positions: list[ShogiPosition]) -> int:
    """How many of them showed a mate."""
    names = {place: name for name, place in library.channel_id.items()}
    ours = Miniosl().encode([Query(position) for position in positions])["input"]
    heads = Miniosl().head_indices(positions)
    mates = 0
    for position, planes, head in zip(positions, ours, heads, strict=True):
        expected, labels = ask_library(library, position)
        wrong = [names[at] for at in range(176) if not np.array_equal(planes[at], expected[at])]
        assert not wrong, f"{trace(position)[0].sfen} {trace(position)[1]}: {wrong}"
        assert head.tolist() == labels, position.sfen
        mates += bool(expected[list(MATES)].any())
    return mates


def check_games(library: Any, games: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for at in range(games):
        positions = play_at_random(SHOGI.start(SETUPS[at % len(SETUPS)] if at % 3 else Setup()), rng, 90)
        check_with_library(
            library, [positions[ply] for ply in sorted({*range(0, len(positions), 9), len(positions) - 1})]
        )


def check_fights(library: Any, fights: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    positions = [play_at_random(scatter(rng), rng, int(rng.integers(0, 4)))[-1] for _ in range(fights)]
    assert check_with_library(library, positions) > fights // 20, "the test has to see mates"


def test_planes_and_moves_of_games_are_the_librarys(need_module: NeedModule) -> None:
    check_games(need_module("minioslcc"), 100, seed=1)


def test_planes_of_mates_are_the_librarys(need_module: NeedModule) -> None:
    check_fights(need_module("minioslcc"), 1000, seed=2)


@pytest.mark.slow
def test_many_planes_are_the_librarys(need_module: NeedModule) -> None:
    check_games(need_module("minioslcc"), 800, seed=3)
    check_fights(need_module("minioslcc"), 20_000, seed=4)


def test_planes_and_moves_have_not_changed() -> None:
    """Digests of planes that were the library's."""
    for case in json.loads(GOLDEN.read_text(encoding="utf-8")):
        position = SHOGI.start(Setup(**case["setup"]))
        for move in case["moves"].split():
            position = position.play(SHOGI.parse(position, move))
        planes, head = paint([position])[0], Miniosl().head_index(position)
        assert hashlib.sha256(planes.tobytes()).hexdigest()[:16] == case["planes"], position.sfen
        assert hashlib.sha256(head.astype("<i4").tobytes()).hexdigest()[:16] == case["head"], position.sfen


def test_the_number_of_a_piece_decides_which_mate_is_shown() -> None:
    """Either gold mates on 5b. An SFEN counts the left one first, but one that was in hand at the start comes last."""
    text = "4k4/9/3GG4/9/7B1/9/9/9/4K4 w - 1"
    assert path_of_threat(SHOGI.read(text)) == {(1, 4), (2, 5)}
    dropped = SHOGI.read("4k4/9/4G4/9/7B1/9/9/9/4K4 b G 1")
    for move in ("G*6c", "5a4a", "5i5h", "4a5a", "5h5i"):
        dropped = dropped.play(SHOGI.parse(dropped, move))
    assert dropped.key == SHOGI.read(text).key
    assert path_of_threat(dropped) == {(1, 4), (2, 4)}


def path_of_threat(position: ShogiPosition) -> set[tuple[int, int]]:
    """(rank, file), both from 0, as Black sees them."""
    return {(8 - rank, 8 - file) for rank, file in np.argwhere(paint([position])[0, 62]).tolist()}


def test_rated_planes_are_the_same_thirty_sixths() -> None:
    positions = play_at_random(SHOGI.start(), np.random.default_rng(5), 60)
    queries = [Query(each, Player(1800.0, "a"), Player(None, "b")) for each in positions]
    rated = MinioslRated(pools=("a", "b")).encode(queries)
    plain = Miniosl().encode(queries)["input"]
    assert rated["planes"].dtype == np.uint8
    assert rated["planes"].max() <= 36
    assert np.array_equal(rated["planes"].astype(np.float32) / np.float32(36), plain)
    assert rated["pool"].tolist() == [1] * len(queries)
    assert MinioslRated().head_index(positions[-1]).tolist() == Miniosl().head_index(positions[-1]).tolist()


@pytest.mark.parametrize(("moves", "planes"), [(0, 64), (3, 112), (7, 176)])
def test_fewer_of_the_last_moves_are_the_first_planes(moves: int, planes: int) -> None:
    positions = play_at_random(Shogi().start(), np.random.default_rng(5), 12)
    queries = [Query(position) for position in positions]
    shown = MinioslRated(moves=moves).encode(queries)["planes"]
    assert shown.shape[1] == planes
    assert (shown == MinioslRated().encode(queries)["planes"][:, :planes]).all()


def test_more_moves_than_there_are_planes_for_are_refused() -> None:
    with pytest.raises(BadInput, match="0 to 7, got 8"):
        MinioslRated(moves=8)
