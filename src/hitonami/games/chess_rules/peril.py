"""How near a side is to being mated, as people see it at a glance: a threat, or a mate that cannot be parried."""

import chess


def judge_peril(board: chess.Board) -> float:
    """Of the side to move: 4 where every move of its is met by mate, 1 where it would be mated if it passed, else 0."""
    if all(_is_mated_after(board, move) for move in list(board.legal_moves)):
        return 4.0
    return float(not board.is_check() and _is_mated_after(board, chess.Move.null()))


def _is_mated_after(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    mates = any(_mates(board, reply) for reply in list(board.legal_moves) if board.gives_check(reply))
    board.pop()
    return mates


def _mates(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    mates = board.is_checkmate()
    board.pop()
    return mates
