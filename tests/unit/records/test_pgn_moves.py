"""PGN moves: each as python-chess resolves it, alone and in games with asides; endings as our own rules have them."""

import io
import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import cast

import chess
import chess.pgn
import numpy as np
import pytest

from hitonami.core import lineage
from hitonami.games.chess import Chess
from hitonami.games.chess_rules.mailbox import hash_of, lay_out
from hitonami.games.chess_rules.rules import id_of
from hitonami.records import Record, Rejected
from hitonami.records import _pgn_walk as walk
from hitonami.records.pgn import Pgn

CHESS, PGN = Chess(), Pgn()
Boards = Callable[[int, int], Iterator[chess.Board]]
ReadPgn = Callable[[bytes], list[Record | Rejected]]
ReadGame = Callable[[str], Record]


def resolve(board: chess.Board, words: Sequence[str]) -> list[int | None]:
    """The move that each word means on the board, None where it means none."""
    texts = [word.encode() + b" *" for word in words]
    lengths = np.array([len(text) for text in texts], np.int64)
    ends = np.cumsum(lengths)
    starts = ends - lengths
    data = np.frombuffer(b"".join(texts), np.uint8)
    layout, state = lay_out(board)
    rows = np.zeros((len(words), walk.COLUMNS), np.int64)
    moves, clocks, spent = np.empty(len(data), np.int32), np.empty(len(data)), np.empty(len(data))
    chosen = np.ones(len(words), np.int64)
    boards, states = np.stack([layout, layout]), np.stack([state, state])
    walk.walk_games(data, starts, ends, chosen, boards, states, rows, moves, clocks, spent)
    good = [row[walk.PROBLEM] == 0 and row[walk.COUNT] == 1 for row in rows]
    return [int(moves[row[walk.FIRST]]) if is_good else None for row, is_good in zip(rows, good, strict=True)]


def parse(board: chess.Board, word: str) -> int | None:
    try:
        return id_of(board.parse_san(word))
    except ValueError:
        return None


def random_words(board: chess.Board, count: int, rng: random.Random) -> list[str]:
    """Words that look like moves, most of them near a real one."""
    legal = [board.san(move).rstrip("+#") for move in board.legal_moves] or ["e4"]
    words = []
    for _ in range(count):
        word = list(rng.choice(legal))
        at = rng.randrange(len(word))
        word[at : at + rng.randrange(2)] = rng.choice(["", *"NBRQKabcdefgh12345678x=-", "O-O"])
        words.append("".join(word))
    return [
        word for word in words if re.fullmatch(r"[NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8](=?[nbrqNBRQ])?|O-O(-O)?", word)
    ]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_words_mean_what_python_chess_says(seed: int, random_boards: Boards) -> None:
    rng = random.Random(seed)
    for board in random_boards(240 if seed == 1 else 6000, seed):
        words = [board.san(move) for move in board.legal_moves]
        assert resolve(board, words) == [id_of(move) for move in board.legal_moves], board.fen()
        words = [move.uci() for move in board.legal_moves] if not board.chess960 else []
        words += random_words(board, 60, rng)
        # A digit in front is a move number here.
        words = [word for word in words if not word[0].isdigit()]
        assert resolve(board, words) == [parse(board, word) for word in words], board.fen()


def test_hashes_are_kept_up_to_date(random_boards: Boards) -> None:
    """The hash after a move is the hash from nothing, castling rights and all."""
    for board in random_boards(60, 3):
        for move in islice(board.legal_moves, 8):
            before, state = lay_out(board)
            board.push(move)
            after, wanted = lay_out(board)
            board.pop()
            word = np.frombuffer(board.san(move).encode(), np.uint8)
            walk._play_word(word, 0, len(word), before, state)
            assert (before == after).all()
            assert hash_of(before, state) == state[10] == wanted[10]
            assert (state[:10] == wanted[:10])[[0, 2, 3, 4, 5, 6, 7, 8, 9]].all()


def write_with_asides(moves: Sequence[chess.Move], board: chess.Board, rng: random.Random) -> str:
    """A game as python-chess writes it, with comments, annotations and variations at random."""
    game = chess.pgn.Game.without_tag_roster()
    game.setup(board)
    node: chess.pgn.GameNode = game
    for move in moves:
        here = node.board()
        following = node.add_variation(move)
        others = [other for other in here.legal_moves if other != move]
        if others and rng.random() < 0.2:
            side_line = node.add_variation(rng.choice(others))
            side_line.comment = rng.choice(["", "a ) bracket", "[%clk 0:00:01]", "( ; %"])
        node = following
        if rng.random() < 0.3:
            node.set_clock(rng.randrange(40_000) / 10)
        if rng.random() < 0.1:
            node.nags.add(rng.randrange(1, 140))
    return str(game)


def test_games_with_asides_are_read_as_python_chess_reads_them(random_boards: Boards, read_pgn: ReadPgn) -> None:
    rng = random.Random(5)
    texts, wanted = [], []
    for board in random_boards(60, 4):
        start = board.root()
        if not board.move_stack:
            continue
        text = write_with_asides(board.move_stack, start, rng)
        game = chess.pgn.read_game(io.StringIO(text))
        assert game is not None
        nodes = list(game.mainline())
        texts.append(text if text.startswith("[") else f'[Event "made"]\n\n{text}')
        wanted.append(([id_of(node.move) for node in nodes], [node.clock() for node in nodes]))
    found = read_pgn("\n\n".join(texts).encode())
    assert all(isinstance(each, Record) for each in found)
    records = cast("list[Record]", found)
    assert [list(record.moves) for record in records] == [moves for moves, _ in wanted]
    for record, (_, clocks) in zip(records, wanted, strict=True):
        assert list(record.clocks) == clocks if any(clock is not None for clock in clocks) else record.clocks == ()


def test_endings_are_those_of_the_rules(read_game: ReadGame) -> None:
    """Random games from positions near every end; the termination is the ending of the replayed game."""
    starts = (
        "8/8/8/4k3/8/4K3/4R3/8 w - - 140 200",
        "8/8/4k3/8/2b5/8/3BK3/8 w - - 0 1",
        "k7/8/1K6/8/8/8/8/1Q6 w - - 0 1",
        "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",
        "8/8/3n4/4k3/8/4K3/3N4/8 w - - 0 1",
        "b7/8/8/4k3/2pP4/4K3/8/7B b - d3 0 1",
        chess.STARTING_FEN,
    )
    rng = random.Random(7)
    endings = set()
    for number in range(140):
        position = CHESS.read(starts[number % len(starts)])
        knows = rng.choice([2, 99])  # who knows two moves repeats positions
        while len(position.legal) and position.ply < 160:
            position = position.play(int(position.legal[rng.randrange(min(knows, len(position.legal)))]))
        if position.last_move is None:
            continue
        _, moves = lineage(position)
        record = Record("chess", position.setup, tuple(moves), score=position.score, termination=position.ending or "")
        again = read_game(PGN.write(record))
        assert (again.moves, again.score, again.termination) == (record.moves, record.score, record.termination)
        assert "overrun" not in again.marks
        endings.add(again.termination)
    assert endings >= {"checkmate", "insufficient material", "75-move rule", "fivefold repetition", "stalemate"}


@pytest.mark.parametrize(
    ("result", "moves", "termination"),
    [
        ("1/2-1/2", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8", "threefold repetition"),
        ("1/2-1/2", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1", "agreement"),
        ("1-0", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8", "resignation"),
        ("1/2-1/2", "1. e4 Nf6 2. Nf3 Ng8 3. Ng1 Nf6 4. Nf3 Ng8 5. Ng1", "threefold repetition"),
        ("1/2-1/2", "1. a3 a6 2. e4 Nf6 3. e5 d5 4. Nf3 Ng8 5. Ng1 Nf6 6. Nf3 Ng8 7. Ng1 Nf6", "agreement"),
    ],
)
def test_normal_ends_are_told_apart(result: str, moves: str, termination: str, read_game: ReadGame) -> None:
    """In the last, a pawn could be taken in passing when the position first stood: it has stood only twice."""
    assert read_game(f'[Result "{result}"]\n[Termination "Normal"]\n\n{moves} {result}').termination == termination


def test_play_past_an_end_is_marked(read_game: ReadGame) -> None:
    shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 " * 4
    assert "overrun" not in read_game(f"{shuffle} *").marks
    assert read_game(f"{shuffle} 1. e4 *").marks == {"overrun"}
