"""What reading costs: in proportion to the bytes for every format, whatever they hold, and for broken games too.

Times are compared with each other in one run: a text four times as long may cost about four times as much. Texts are
tokens of the format repeated between a head and a tail, because that is what makes a reader look at a place again.
"""

import random
import time
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import cshogi
import numpy as np
import pytest

from hitonami.games.go_rules.board import SUPERKO, find_legal, place
from hitonami.parts import find_parts
from hitonami.records import Document, open_format, salvage

GOLDEN = Path(__file__).parents[2] / "golden" / "records"
SMALL = 4_000
TIMES = 4
GROWTH = 2.2 * TIMES
"""Twice what is proportional: quadratic cost is TIMES times it."""
WORTH = 4.0
"""How many times the cost of plain games of that size is worth a complaint."""
PLAIN = {
    "csa": b"PI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n%TORYO\n/\n",
    "eothello": b'{"id": "1", "result": "black", "moves": "c4e3f5g6e2d3"}\n',
    "hcpe": (GOLDEN / "games.hcpe").read_bytes(),
    "iccs": b'{"red": "a", "result": "1-0", "moves": "h2e2 h9g7 h0g2"}\n',
    "ki2": "▲７六歩△３四歩▲２六歩△８四歩\n*\n".encode(),
    "kif": "*手数\n*   1 ７六歩(77)\n*   2 ３四歩(33)\n".encode(),
    "littlegolem": b'{"size": 11, "moves": "a2 f6 resign"}\n',
    "ogs": b'{"width":9,"height":9,"komi":7,"handicap":0,"moves":[[1,1,9],[2,2,9],[3,3,9],[4,4,9]]}\n',
    "pgn": b'[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n',
    "plain": b"game: chess\nfirst: a\n\ne2e4 e7e5 g1f3 b8c6\n\n",
    "sgf": b"(;GM[1]SZ[9]PB[a]PW[b];B[ee];W[cc];B[gg];W[gc];B[cg])\n",
    "usi-lines": b"startpos moves 7g7f 3c3d 2g2f 8c8d\n",
    "wthor": b'[Event "x"]\n1. d3 c5 2. d6 e3\n\n',
}
TOKENS = {
    "csa": [
        "+7776FU\n",
        "-3334FU\n",
        "/\n",
        "'",
        "T1\n",
        ",",
        "PI",
        "\n",
        "%TORYO\n",
        "P+00AL",
        " win:",
        "1",
        ":",
        " ",
    ],
    "eothello": ["[", "{", "]", '"', ":", ",", "1", '{"moves": "', "\n", "\\", "c4e3", " "],
    "hcpe": ["\0", "\x7f", "a"],
    "iccs": ["[", "{", "]", '"', ":", ",", "1", '{"moves": "', "\n", "\\", "h2e2 ", " "],
    "ki2": ["▲", "▲７六歩", "△３四歩", "\n", " ", "同", "：", "1", "変化\n", "まで", "(", "先手：a\n"],
    "kif": ["   1 ７六歩(77)\n", "   2 ３四歩(33)\n", "*", "変化：1手\n", "|", "：", "\n", " ", "1", "同　", "(", "あ"],
    "littlegolem": ["[", "{", "]", '"', ":", ",", "1", '{"moves": "', "\n", "\\", "a2 ", " "],
    "ogs": ["[", "{", "]", '"', ":", ",", "1", '{"a":', "\n", "\\", "[0,0],", " "],
    "pgn": ["{", "}", "(", ")", ";", '"', "\n", " ", "e4 ", "1. ", "1-0", '[A "', "[%clk 1:", "Nf3 Nf6 Ng1 Ng8 ", "\\"],
    "plain": ["game: go\n\n", "game:", "\n", " ", "a", "1", "@1", "+1", ":", "first: a\n", "g1f3 g8f6 f3g1 f6g8 "],
    "sgf": ["(", ")", ";", "[", "]", "\\", "B[aa]", ";W[bb]", "A[", "A", ":", " ", "(;"],
    "usi-lines": ["7g7f ", "3c3d ", "\n", "sfen ", " ", "a", "1", "4i3h 6a5b 3h4i 5b6a ", "startpos moves "],
    "wthor": ['[Event "', '"]', "\n", "1. ", "d3 ", "a", "[", '"', " ", "."],
}
FRAMES = {
    "csa": [
        ("", ""),
        ("PI\n+\n", "x"),
        ("'summary:a:", " win\n"),
        ("'black_rate:", "x\n"),
        ("N+", "\n"),
        ("$TIME:", "x"),
    ],
    "eothello": [("", ""), ('{"id": "1", "result": "black", "moves": "', '"}')],
    "hcpe": [("", "")],
    "iccs": [("", ""), ('{"red": "a", "result": "1-0", "moves": "', '"}')],
    "ki2": [("", ""), ("手合割：平手\n▲", "▲"), ("先手：", "\n▲７六歩"), ("▲７六歩", "▲")],
    "kif": [("", ""), ("手合割：平手\n   1 ", "("), ("先手：", "\n"), ("持ち時間：", "\n"), ("まで1手で", "x")],
    "littlegolem": [("", ""), ('{"size": 11, "moves": "', '"}')],
    "ogs": [
        ("", ""),
        ('{"width":9,"height":9,"komi":7,"handicap":0,"moves":[', "]}"),
        ('{"black":{"username":"', '"}}'),
    ],
    "pgn": [("", ""), ('[Event "', '"]\n\n1. e4'), ("1. e4 {", "}"), ("1. e4 (", ")"), ('[Event "x"]\n\n1. e4 ', "x")],
    "plain": [("", ""), ("game: chess\n\n", "x"), ("game: chess\n\ne2e4", "x"), ("game: chess\nfirst: ", "\n\ne2e4")],
    "sgf": [("", ""), ("(;", ")"), ("(;PB[", "];B[aa])"), ("(;RE[", "];B[aa])"), ("(;B[aa]", "["), ("(;C[", "")],
    "usi-lines": [("", ""), ("startpos moves ", "x"), ("sfen ", " b - 1 moves 7g7f")],
    "wthor": [("", ""), ('[Event "x"]\n1. ', "x"), ('[Result "', '"]\n1. d3\n')],
}


def _seconds(work: Callable[[str, bytes], object], name: str, data: bytes) -> float:
    begin = time.thread_time()
    work(name, data)
    return time.thread_time() - begin


def _read(name: str, data: bytes) -> None:
    for _ in open_format(name).read(Document("", 0, data)):
        pass


def _texts(name: str) -> Iterator[tuple[str, Callable[[int], bytes]]]:
    tokens = TOKENS[name]
    for at, (head, tail) in enumerate(FRAMES[name]):
        pairs = [first + second for first, second in permutations(tokens, 2)] if at < 2 else []
        for unit in [*tokens, *pairs]:

            def make(size: int, head: str = head, unit: str = unit, tail: str = tail) -> bytes:
                return (head + unit * (size // len(unit.encode())) + tail).encode()

            yield f"{head!r} {unit!r} {tail!r}", make


def _grows(work: Callable[[str, bytes], object], name: str, make: Callable[[int], bytes], worth: float) -> str:
    """What is wrong with the growth of a text's cost. A suspicion is looked at again, with texts twice as long."""
    told = ""
    for size in (SMALL, 2 * SMALL, 4 * SMALL):
        if (large := _seconds(work, name, make(TIMES * size))) <= worth * size / SMALL:
            return ""
        if large <= GROWTH * (small := _seconds(work, name, make(size))):
            return ""
        told = f"{TIMES} times the bytes cost {large / small:.1f} times as much"
    return told


def test_every_format_is_measured() -> None:
    assert set(PLAIN) == set(TOKENS) == set(FRAMES) == set(find_parts("records"))


@pytest.mark.parametrize("name", sorted(TOKENS))
def test_reading_costs_in_proportion_to_the_bytes(name: str) -> None:
    plain = (PLAIN[name] * (TIMES * SMALL // len(PLAIN[name]) + 1))[: TIMES * SMALL]
    worth = WORTH * _seconds(_read, name, plain)
    found = {text: wrong for text, make in _texts(name) if (wrong := _grows(_read, name, make, worth))}
    assert not found


BROKEN = {
    "nested.sgf": lambda size: b"(;SZ[19]" + b"(;B[aa](;W[bb](;B[aa]" * (size // 21),
    "cut off.sgf": lambda size: b"(;SZ[9]" + b";B[aa];W[bb];B[];W[]C[;]" * (size // 24),
    "no move.kif": lambda size: "   1 ７六歩(77)\n   2 ５五玉(11)\n".encode() * (size // 46),
    "no move.csa": lambda size: b"PI\n+\n" + b"+7776FU\n-5555OU\n" * (size // 16),
    "no move.ki2": lambda size: "▲７六歩 △５五玉 ".encode() * (size // 28),
    "no move.pgn": lambda size: b"1. e4 e5 2. Nf3 " + b"{x} Qa9 (y) " * (size // 12),
    "open comments.pgn": lambda size: b"1. e4 e5 " + b"{x " * (size // 3),
    "shuffled.pgn": lambda size: b"1. " + b"Nf3 Nf6 Ng1 Ng8 " * (size // 16) + b"Qa9",
}


@pytest.mark.parametrize("kind", sorted(BROKEN))
def test_a_broken_game_costs_few_readings(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it is: it was read again for each of its last 3,000 moves, a minute of work for 30 kB."""
    form = open_format(kind.rpartition(".")[2])
    counted = 0
    read = type(form).read

    def count(self: object, document: Document) -> object:
        nonlocal counted
        counted += 1
        return read(form, document)

    monkeypatch.setattr(type(form), "read", count)
    for size in (3_000, 300_000):
        counted = 0
        salvage(kind.rpartition(".")[2], BROKEN[kind](size))
        assert 0 < counted <= 30


@pytest.mark.parametrize("kind", sorted(BROKEN))
def test_a_broken_game_costs_in_proportion_to_its_bytes(kind: str) -> None:
    name = kind.rpartition(".")[2]
    assert not _grows(salvage, name, BROKEN[kind], worth=_seconds(_read, name, BROKEN[kind](SMALL)))


def test_long_games_cost_in_proportion_to_their_moves() -> None:
    """Legal moves by the thousand, of rules that look back at all positions: superko, repetition, other rules."""
    go, shogi = _wander_in_go(8_000), _wander_in_shogi(1_000)
    for name, head, moves in (
        ("sgf", "(;SZ[9]RU[Chinese]", go),
        ("kif", "ルール：24-point\n", shogi),
        ("kif", "手合割：平手\n", shogi),
    ):

        def make(size: int, head: str = head, moves: list[str] = moves, name: str = name) -> bytes:
            kept = moves[: size * len(moves) // (4 * TIMES * SMALL)]
            return (head + "".join(kept) + ")" * (name == "sgf")).encode()

        assert not _grows(_read, name, make, worth=0.0)


def _wander_in_go(count: int) -> list[str]:
    size, side, ko, letters = 9, 1, -1, "abcdefghi"
    cells, trail, legal = np.zeros(162, np.uint8), np.zeros(1, np.uint64), np.empty(81, np.int32)
    rng = np.random.default_rng(1)
    out: list[str] = []
    while len(out) < count and (found := find_legal(cells, trail, size, side, ko, SUPERKO, legal)):
        move = int(rng.choice(legal[:found]))
        after, longer = np.zeros_like(cells), np.empty(len(trail) + 1, np.uint64)
        ko = int((place(cells, trail, size, side, ko, SUPERKO, move, after, longer) >> 32) - 1)
        cells, trail, side = after, longer, 3 - side
        out.append(f";{' BW'[3 - side]}[{letters[move % 9]}{letters[move // 9]}]")
    return out


def _wander_in_shogi(count: int) -> list[str]:
    board, rng = cshogi.Board(), random.Random(1)
    out: list[str] = []
    met: set[int] = set()
    from cshogi.KIF import move_to_kif

    while len(out) < count:
        moves = list(board.legal_moves)
        rng.shuffle(moves)
        for move in moves:
            text = move_to_kif(move, board.peek())
            board.push(move)
            if board.zobrist_hash() not in met and len(board.legal_moves):
                met.add(board.zobrist_hash())
                out.append(f"{len(out) + 1:>4} {text}\n")
                break
            board.pop()
        else:
            break
    return out
