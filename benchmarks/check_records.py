"""Read every record under a folder and replay a sample of each format in an independent library.

    python benchmarks/check_records.py DATA [--sample 2000]

DATA has folders named after games (go, shogi, othello, chess), as `hitonami ingest` would be given them.
For each file: how many games were accepted, and why others were not. For each format: how many games of
the sample end on the same board elsewhere (SGF in sgfmill, OGS and Othello in OpenSpiel, shogi in
rsshogi, HCPE in cshogi's decoder, PGN in python-chess). The exit code is 1 where one differs.
"""

import argparse
import io
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess.pgn
import cshogi
import numpy as np
import pyspiel
import rsshogi.record
from rich.console import Console
from rich.table import Table
from sgfmill import boards, sgf, sgf_moves

from hitonami.core import lineage, open_game
from hitonami.dataset.sources import find_sources
from hitonami.games.shogi_rules.sfen import canonical_sfen
from hitonami.records import Document, Record, Rejected, open_format
from hitonami.records._encoding import decode

GAMES = ("go", "shogi", "othello", "chess")


class Unreadable(Exception):
    """The other library does not take this record."""


def final_board(record: Record) -> Any:
    position = open_game(record.game).start(record.setup)
    for move in record.moves:
        position = position.play(move)
    return position


def same_in_sgfmill(record: Record, data: bytes) -> bool:
    try:
        board, moves = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(data))
    except ValueError as wrong:
        raise Unreadable(str(wrong)) from None
    if record.setup.handicap and board.is_empty():
        raise Unreadable("HA without AB: we lay the fixed stones, sgfmill none")
    position = final_board(record)
    passed = 0
    for colour, point in moves:
        passed = passed + 1 if point is None else 0
        if point is not None:
            board.play(*point, colour)
        elif passed == 2:
            break
    return same_stones(board, position)


def same_stones(board: boards.Board, position: Any) -> bool:
    size = position.size
    theirs = [board.get(size - 1 - at // size, at % size) for at in range(size * size)]
    return theirs == [None if stone == 0 else " bw"[stone] for stone in position.board.tolist()]


def same_go_in_openspiel(record: Record, _: bytes) -> bool:
    """Even games on boards that OpenSpiel has. It knows superko and no suicide, as Chinese rules do."""
    position = final_board(record)
    size = position.size
    if record.setup.start or record.setup.handicap or size not in (9, 13, 19):
        raise Unreadable("OpenSpiel has no free handicap and few sizes")
    state = pyspiel.load_game(f"go(board_size={size},komi=7.5,max_game_length=2000)").new_initial_state()
    for move in record.moves:
        action = move if move == size * size else (size - 1 - move // size) * size + move % size
        if action not in state.legal_actions():
            return False
        state.apply_action(action)
    rows = [line.split()[-1] for line in str(state).splitlines() if line[:2].strip().isdigit()]
    theirs = [".XO".index(each.replace("+", ".")) for row in rows for each in row]
    return theirs == position.board.tolist()


def same_shogi(parse: Callable[[str], Any]) -> Callable[[Record, bytes], bool]:
    def same(record: Record, data: bytes) -> bool:
        try:
            theirs = parse(decode(data))
        except (ValueError, RuntimeError) as wrong:
            raise Unreadable(str(wrong)) from None
        position = final_board(record)
        start, moves = lineage(position)
        usi = [cshogi.move_to_usi(move) for move in moves]
        read = [str(entry.move) for entry in theirs.moves]
        if record.termination == "illegal move":
            read = read[: len(usi)]  # we leave the illegal move itself out
        return bool(usi == read and canonical_sfen(theirs.init_position_sfen).split()[:3] == start.sfen.split()[:3])

    return same


def same_hcpe(record: Record, data: bytes) -> bool:
    entries = np.frombuffer(data, cshogi.HuffmanCodedPosAndEval, count=len(record.moves))
    position, board = open_game("shogi").start(record.setup), cshogi.Board()
    for entry, move in zip(entries, record.moves, strict=True):
        board.set_hcp(np.ascontiguousarray(entry["hcp"]))
        if board.sfen().split()[:3] != position.sfen.split()[:3] or int(entry["bestMove16"]) != move:
            return False
        position = position.play(move)
    return True


def same_othello(record: Record, _: bytes) -> bool:
    state = pyspiel.load_game("othello").new_initial_state()
    for move in record.moves:
        if move not in state.legal_actions():
            return False
        state.apply_action(move)
    if state.is_terminal() and "result-differs" not in record.marks:
        return record.score == (1 + state.returns()[0]) / 2
    return True


def same_chess(record: Record, data: bytes) -> bool:
    game = chess.pgn.read_game(io.StringIO(data.decode("utf-8", "replace")))
    if game is None or game.errors:
        raise Unreadable("python-chess finds errors")
    moves = [move.from_square | move.to_square << 6 | (move.promotion or 0) << 12 for move in game.mainline_moves()]
    return moves == list(record.moves)


USI = rsshogi.record.Record
CHECKS: dict[str, Callable[[Record, bytes], bool]] = {
    "sgf": same_in_sgfmill,
    "ogs": same_go_in_openspiel,
    "kif": same_shogi(USI.from_kif_str),
    "ki2": same_shogi(USI.from_ki2_str),
    "csa": same_shogi(USI.from_csa_str),
    "usi-lines": same_shogi(lambda text: USI.from_usi_position(f"position {text.strip()}")),
    "hcpe": same_hcpe,
    "wthor": same_othello,
    "pgn": same_chess,
}


def read_slices(format_name: str, document: Document) -> Iterator[tuple[Record | Rejected, bytes]]:
    """Each game with the bytes from where it begins to where the next one does."""
    found = list(open_format(format_name).read(document))
    starts = [each.offset - document.offset for each in found]
    for each, begin, end in zip(found, starts, [*starts[1:], len(document.data)], strict=True):
        yield each, document.data[begin:end]


class Tally:
    """Counts by file and by format, and the samples still to compare."""

    def __init__(self, sample: int) -> None:
        self.sample = sample
        self.accepted: Counter[str] = Counter()
        self.reasons: dict[str, Counter[str]] = {}
        self.samples: dict[str, list[tuple[str, Record, bytes]]] = {}
        self._seen: Counter[str] = Counter()
        self._rng = np.random.default_rng(0)

    def add(self, file: str, format_name: str, found: Record | Rejected, data: bytes) -> None:
        reasons = self.reasons.setdefault(file, Counter())
        if isinstance(found, Rejected):
            reasons[found.reason] += 1
            return
        self.accepted[file] += 1
        kept = self.samples.setdefault(format_name, [])
        self._seen[format_name] += 1
        if len(kept) < self.sample:
            kept.append((file, found, data))
        elif (at := int(self._rng.integers(self._seen[format_name]))) < self.sample:
            kept[at] = (file, found, data)  # every game of the format has the same chance


def compare(tally: Tally) -> tuple[Table, int]:
    table = Table("format", "sample", "the same", "different", "not taken by the other library")
    wrong = 0
    for name, kept in tally.samples.items():
        same, different, unread = 0, [], Counter[str]()
        for file, record, data in kept:
            try:
                if CHECKS[name](record, data):
                    same += 1
                else:
                    different.append(f"{file} at {record.offset}")
            except Unreadable as why:
                unread[str(why)[:60]] += 1
        wrong += len(different)
        table.add_row(
            name, f"{len(kept):,}", f"{same:,}", "; ".join(different[:5]) or "0", str(dict(unread.most_common(4)))
        )
    return table, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sample", type=int, default=2000)
    parser.add_argument("--game", choices=GAMES, action="append")
    asked = parser.parse_args()
    tally = Tally(asked.sample)
    for game in asked.game or GAMES[:3]:
        if (asked.data / game).is_dir():
            for name, document in find_sources([str(asked.data / game)], game).documents():
                for found, data in read_slices(name, document):
                    tally.add(document.source.partition("!")[0], name, found, data)
    files = Table("file", "accepted", "rejected", "why")
    for file, reasons in tally.reasons.items():
        why = ", ".join(f"{reason} {count:,}" for reason, count in reasons.most_common())
        files.add_row(file, f"{tally.accepted[file]:,}", f"{reasons.total():,}", why)
    table, wrong = compare(tally)
    console = Console(width=200)
    console.print(files)
    console.print(table)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
