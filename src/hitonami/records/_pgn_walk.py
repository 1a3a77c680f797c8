"""Kernels that walk the movetext of many games: words in, legal moves and clock times out.

Passed over are comments (clock times aside), variations, annotations, move numbers and signs that are no
words. A word that is no move ends the walk, since whatever follows might be anything. What follows the
result is not looked at.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments; comparisons compile to less than `in`)

from typing import Any, Final

import numpy as np

from hitonami.games.chess_rules.mailbox import (
    AMBIGUOUS,
    KING,
    KINGS,
    NOBODY,
    PAWN,
    ROOKS,
    SHUFFLED,
    SIDE,
    castle,
    find_pawn,
    find_piece,
    may_castle,
    play,
)
from hitonami.kernel import kernel
from hitonami.records._pgn_endings import TRAIL, is_drawn, judge, note
from hitonami.records._pgn_san import (
    PAREN,
    UNPAREN,
    read_castling,
    read_move,
    read_result,
    read_seconds,
    skip_en_passant,
)
from hitonami.records._pgn_text import DOT, MINUS, NEWLINE, OPEN, RETURN, SPACE, STAR, ZERO, index_tags

DONE: Final = 0
ILLEGAL: Final = 1
UNCLEAR: Final = 2
UNREADABLE: Final = 3
NULL: Final = 4
UNCLOSED: Final = 5

FIRST: Final = 0
"""Columns of a game's row: where its moves begin among all moves, and how many they are."""
COUNT: Final = 1
PROBLEM: Final = 2
"""DONE, or what ended the walk at the place WHERE."""
WHERE: Final = 3
RESULT: Final = 4
"""The result at the end of the movetext, 0 where there is none."""
ENDING: Final = 5
"""How the last position stands, from `_pgn_endings`."""
OVER: Final = 6
"""How many moves were played when the rules ended the game by force, -1 where they did not."""
SEEN: Final = 7
"""A sum of the following."""
COLUMNS: Final = 8

CLOCKS: Final = 1
SPENDINGS: Final = 2
EVALUATIONS: Final = 4

_BRACE: Final = ord("{")
_UNBRACE: Final = ord("}")
_SEMICOLON: Final = ord(";")
_PERCENT: Final = ord("%")
_AT: Final = ord("@")
_NINE: Final = ord("9")
_E: Final = ord("e")
_SIGN: Final = 0
_A_WORD: Final = 1
_EITHER: Final = 2


def _first_letters() -> Any:
    """What may begin with a character: a sign, a word, or either."""
    table = np.full(256, _SIGN, np.uint8)
    table[[code for code in range(128) if chr(code).isalpha() or chr(code) in "[]_&"]] = _A_WORD
    for letter in "01-@ZeND\xc2\xe2":
        table[ord(letter)] = _EITHER
    return table


_FIRST_LETTER: Final = _first_letters()


@kernel
def _skip_line(data: Any, at: int, end: int) -> Any:
    while at < end and data[at] != NEWLINE and data[at] != RETURN:
        at += 1
    return at


@kernel
def _read_comment(data: Any, at: int, end: int) -> Any:
    """(place after the brace or 0, clock, time spent, was there an evaluation) of the comment opened before `at`."""
    clock, spent, rated = np.nan, np.nan, False
    while at < end and data[at] != _UNBRACE:
        if data[at] == OPEN and at + 6 < end and data[at + 1] == _PERCENT:
            first, second, third = data[at + 2], data[at + 3], data[at + 4]
            if first == ord("c") and second == ord("l") and third == ord("k"):
                clock = read_seconds(data, at + 5, end)
            elif first == _E and second == ord("m") and third == ord("t"):
                spent = read_seconds(data, at + 5, end)
            elif first == _E and second == ord("v") and third == ord("a"):
                rated = True
        at += 1
    return (at + 1 if at < end else 0), clock, spent, rated


@kernel
def _skip_variation(data: Any, at: int, end: int) -> Any:
    """The place after the bracket that closes the one before `at`, 0 where none does."""
    depth = 1
    while at < end:
        letter = data[at]
        at += 1
        if letter == PAREN:
            depth += 1
        elif letter == UNPAREN:
            depth -= 1
            if depth == 0:
                return at
        elif letter == _SEMICOLON:
            at = _skip_line(data, at, end)
        elif letter == _BRACE:
            while at < end and data[at] != _UNBRACE:
                at += 1
    return 0


@kernel
def _square(place: int) -> Any:
    return (place // 10 - 2) * 8 + place % 10 - 1


@kernel
def _wing_of(state: Any, source: int, target: int) -> Any:
    """Which castling the king's move means where it is written as two squares, -1 if none."""
    if state[SHUFFLED]:
        own = ROOKS + 2 * (state[SIDE] < 0)
        return 0 if target == state[own] else 1 if target == state[own + 1] else -1
    return -1 if abs(target - source) != 2 else 0 if target > source else 1


@kernel
def _resolve(board: Any, state: Any, kind: int, from_file: int, from_rank: int, target: int, promotion: int) -> Any:
    """(source, target, wing of castling or -1) of the one legal move that is meant; source NOBODY or AMBIGUOUS."""
    if kind == PAWN and from_file >= 0 and from_rank >= 0:
        kind = board[21 + from_file + 10 * from_rank] * state[SIDE]
        if kind == KING:
            wing = _wing_of(state, state[KINGS + (state[SIDE] < 0)], target)
            if wing >= 0:
                return (target if may_castle(board, state, wing) and promotion == 0 else NOBODY), target, wing
        if kind < PAWN or kind > KING:
            return NOBODY, target, -1
    last = kind == PAWN and (target < 30 or target >= 90)
    if promotion > 0 and not last:
        return NOBODY, target, -1
    if kind != PAWN:
        return find_piece(board, state, kind, target, from_file, from_rank), target, -1
    source = find_pawn(board, state, target, from_file, from_rank)
    return (AMBIGUOUS if source > 0 and last and promotion == 0 else source), target, -1


@kernel
def _play_word(data: Any, at: int, end: int, board: Any, state: Any) -> Any:
    """Play the move that is written there: (place after, problem, move id, was it a capture)."""
    after, wing = read_castling(data, at, end)
    promotion = 0
    if after:
        source = 1 if may_castle(board, state, wing) else NOBODY
        target = 0
    else:
        after, kind, from_file, from_rank, target, promotion = read_move(data, at, end)
        if after == 0:
            return at, UNREADABLE, 0, False
        source, target, wing = _resolve(board, state, kind, from_file, from_rank, target, promotion)
    if source <= 0:
        return at, (UNCLEAR if source == AMBIGUOUS else ILLEGAL), 0, False
    if wing >= 0:
        source, target = castle(board, state, wing)
        return after, DONE, _square(source) | _square(target) << 6, False
    capture = play(board, state, source, target, promotion)
    return after, DONE, _square(source) | _square(target) << 6 | promotion << 12, capture


@kernel
def _is_null(data: Any, at: int, end: int) -> Any:
    """Does a null move stand there: --, Z0, 0000 or @@@@?"""
    if at + 1 < end and data[at + 1] == MINUS and data[at] == MINUS:
        return at + 2 >= end or data[at + 2] <= SPACE
    if at + 1 < end and data[at] == ord("Z") and data[at + 1] == ZERO:
        return True
    if data[at] != _AT and data[at] != ZERO:
        return False
    return at + 3 < end and data[at] == data[at + 1] == data[at + 2] == data[at + 3]


@kernel
def _skip_number(data: Any, at: int, end: int) -> Any:
    while at < end and (ZERO <= data[at] <= _NINE or data[at] == DOT):
        at += 1
    return at


@kernel
def _is_word(data: Any, at: int, end: int) -> Any:
    """Does a move begin there, or a remark (e.p., N for novelty, D for diagram), a number, a sign?"""
    letter = data[at]
    following = data[at + 1] if at + 1 < end else SPACE
    if letter == ZERO:
        return read_castling(data, at, end)[0] > 0
    if letter == 0xE2:
        return following == 0x99 and at + 2 < end and 0x94 <= data[at + 2] <= 0x9F
    if letter == _E:
        return skip_en_passant(data, at, end) == at
    if letter == ord("N") or letter == ord("D"):
        return following > SPACE
    return letter == _AT or letter == ord("Z")


@kernel
def _take_comment(data: Any, at: int, end: int, row: Any, clocks: Any, spent: Any) -> Any:
    """Note what the comment says of the last move. Returns the place after it, 0 where it is not closed."""
    after, clock, took, rated = _read_comment(data, at, end)
    if row[COUNT] and clock >= 0:
        clocks[row[FIRST] + row[COUNT] - 1] = clock
        row[SEEN] |= CLOCKS
    if row[COUNT] and took >= 0:
        spent[row[FIRST] + row[COUNT] - 1] = took
        row[SEEN] |= SPENDINGS
    if rated:
        row[SEEN] |= EVALUATIONS
    return after


@kernel
def _pass_over(data: Any, at: int, end: int, row: Any, clocks: Any, spent: Any) -> Any:
    """The place after the comment, variation, number or sign there; 0 where it is not closed."""
    letter = data[at]
    if letter == _BRACE:
        return _take_comment(data, at + 1, end, row, clocks, spent)
    if letter == PAREN:
        return _skip_variation(data, at + 1, end)
    if letter == _SEMICOLON or (letter == _PERCENT and (at == 0 or data[at - 1] == NEWLINE or data[at - 1] == RETURN)):
        return _skip_line(data, at, end)
    if ZERO <= letter <= _NINE:
        return _skip_number(data, at, end)
    return skip_en_passant(data, at, end) if letter == _E else at + 1


@kernel
def _walk(data: Any, at: int, end: int, board: Any, state: Any, row: Any, moves: Any, clocks: Any, spent: Any) -> Any:
    """Walk one game's movetext and fill its row, whose FIRST is set."""
    trail = np.empty(TRAIL, np.int64)
    held = note(state, trail, 0)
    row[OVER] = 0 if is_drawn(board, state, trail, held, True) else -1
    while at < end and data[at] != STAR:
        kind = _FIRST_LETTER[data[at]]
        row[WHERE] = at
        if kind == _EITHER:
            after, row[RESULT] = read_result(data, at, end)
            if after:
                break
            if _is_null(data, at, end):
                row[PROBLEM] = NULL
                return
            kind = _A_WORD if _is_word(data, at, end) else _SIGN
        if kind == _SIGN:
            at = at + 1 if data[at] <= SPACE else _pass_over(data, at, end, row, clocks, spent)
            if at == 0:
                row[PROBLEM] = UNCLOSED
                return
            continue
        at, row[PROBLEM], move, capture = _play_word(data, at, end, board, state)
        if row[PROBLEM]:
            return
        index = row[FIRST] + row[COUNT]
        moves[index], clocks[index], spent[index] = move, np.nan, np.nan
        row[COUNT] += 1
        held = note(state, trail, held)
        if row[OVER] < 0 and is_drawn(board, state, trail, held, capture):
            row[OVER] = row[COUNT]
    row[ENDING] = judge(board, state, trail, held)


@kernel
def walk_games(
    data: Any,
    texts: Any,
    ends: Any,
    starts: Any,
    boards: Any,
    states: Any,
    rows: Any,
    moves: Any,
    clocks: Any,
    spent: Any,
) -> Any:
    """Walk data[texts[i]:ends[i]] from boards[starts[i]] (not at all where that is 0). Returns the number of moves.

    rows is int64[games, COLUMNS] of zeros; moves, clocks and spent hold at least a move for every two bytes.
    """
    total = 0
    for index in range(len(texts)):
        row = rows[index]
        row[FIRST] = total
        if starts[index]:
            board, state = boards[starts[index]].copy(), states[starts[index]].copy()
            _walk(data, texts[index], ends[index], board, state, row, moves, clocks, spent)
            total += row[COUNT]
    return total


@kernel
def index_games(data: Any, starts: Any, ends: Any, names: Any, spans: Any, texts: Any) -> Any:
    """Fill every game's spans (see `index_tags`) and where its movetext begins."""
    for index in range(len(starts)):
        texts[index] = index_tags(data, starts[index], ends[index], names, spans[index])
