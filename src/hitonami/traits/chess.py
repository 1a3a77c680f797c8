"""Traits of chess players: what the source's table 5.1 counts, as chess has it, and what coaches name."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.dataset.columns import Columns
from hitonami.games.chess import ChessPosition
from hitonami.games.chess_rules.mailbox import lay_out
from hitonami.traits._chess_walk import MADE, ONCE, STANDING, WIDTH, walk, weigh_moves
from hitonami.traits._trait import Trait

_WORDS: Final = {
    "control": "squares controlled, counted once a piece",
    "own_piece_control": "own pieces guarded, counted once a guard",
    "opponent_piece_control": "opposing pieces attacked, counted once an attacker",
    "own_side_control": "controls in the own half",
    "opponent_side_control": "controls in the opposing half",
    "king1_control": "own controls a square beside the own king",
    "king2_control": "own controls a square within two of the own king",
    "king1_pieces": "own pieces a square beside the own king",
    "king2_pieces": "own pieces a square within two of the own king",
    "their_king_control": "own controls a square beside the opposing king",
    "cover_ratio": "squares with at least one own control",
    "doubled_pawns": "doubled pawns",
    "isolated_pawns": "isolated pawns",
    "passed_pawns": "passed pawns",
    "pawn_islands": "pawn islands",
    "pawn_advance": "mean rank of the own pawns",
    "captures": "moves that take",
    "recaptures": "moves that take back (trades)",
    "checks": "moves that give check",
    "flank_pawns": "moves of the pawns of the files a, b, g, h",
    "retreats": "moves of pieces backwards",
    "castles_short": "games with castling short",
    "castles_long": "games with castling long",
    "castling_move": "move of castling",
    "queen_out_move": "first move of the queen",
    "first_capture_move": "first own capture, move",
    "queens_off": "games in which the queens come off",
    "men_at_ply_40": "men left after ply 40",
    "fianchetto": "games with a bishop on b2 or g2 (b7, g7) by ply 30",
    "own_moves": "moves a game",
}
_SHARES: Final = {
    *("cover_ratio", "castles_short", "castles_long", "queens_off", "fianchetto"),
    *MADE,
}


def _id(text: str) -> int:
    source, target = (ord(text[at]) - 97 + 8 * (int(text[at + 1]) - 1) for at in (0, 2))
    return source | target << 6


_FIRST: Final = {"e4": _id("e2e4"), "d4": _id("d2d4"), "c4": _id("c2c4"), "Nf3": _id("g1f3")}
_REPLIES: Final = {
    "e4": {"e5": _id("e7e5"), "c5": _id("c7c5"), "e6": _id("e7e6"), "c6": _id("c7c6"), "d5": _id("d7d5")},
    "d4": {"d5": _id("d7d5"), "Nf6": _id("g8f6"), "e6": _id("e7e6"), "f5": _id("f7f5")},
}
"""Families of openings that people name themselves by."""


def _opening_traits() -> tuple[Trait, ...]:
    first = [Trait(f"white_{name}", f"with White, 1 {name}", share=True) for name in _FIRST]
    replies = [
        Trait(f"{name}_{reply}", f"against 1 {name}, 1 … {reply}", share=True)
        for name, known in _REPLIES.items()
        for reply in known
    ]
    return (*first, *replies)


class Chess:
    """Standard chess and Chess960; openings are of games from the usual start only."""

    traits = (
        *(
            Trait(name, _WORDS.get(name, f"moves of the {name}"), share=name in _SHARES)
            for name in (*STANDING, *MADE, *ONCE)
        ),
        *_opening_traits(),
    )

    weighed = (*STANDING, *MADE)

    def weigh(
        self, positions: Sequence[ChessPosition], moves: NDArray[np.int64], begins: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Whether a move takes back is told of none."""
        boards = np.stack([_board_of(each) for each in positions])
        sides = np.array([1 - 2 * each.to_move for each in positions], dtype=np.int64)
        out = np.zeros((len(moves), len(self.weighed)))
        weigh_moves(boards, sides, moves, begins, out)
        return out.astype(np.float32)

    def measure(self, games: Columns) -> NDArray[np.float32]:
        starts: list[Any] = games.starts()
        boards = np.stack([_board_of(each) for each in starts]) if starts else np.zeros((0, 120), np.int8)
        out = np.zeros((len(games), 2, WIDTH))
        walk(boards, games.setup, games.moves, games.movers, games.begins, out)
        return np.concatenate([out, _openings(games)], axis=2).astype(np.float32)


def _board_of(position: ChessPosition) -> NDArray[np.int8]:
    return lay_out(position.board)[0]


def _openings(games: Columns) -> NDArray[np.float64]:
    """[games, 2, openings]: 1 where it was played, 0 where something else was, NaN where nobody could."""
    plain = np.array([not each.start and each.variant in ("", "standard") for each in games.setups], dtype=np.bool_)
    usual = plain[games.setup] if len(games) else np.zeros(0, dtype=np.bool_)
    moves = np.append(games.moves, [-1, -1])
    first = np.where(usual & (games.plies > 0), moves[games.begins[:-1]], -1)
    second = np.where(usual & (games.plies > 1), moves[games.begins[:-1] + 1], -1)
    out = np.full((len(games), 2, len(_opening_traits())), np.nan)
    for at, move in enumerate(_FIRST.values()):
        out[:, 0, at] = np.where(first >= 0, first == move, np.nan)
    at = len(_FIRST)
    for name, replies in _REPLIES.items():
        for move in replies.values():
            out[:, 1, at] = np.where((first == _FIRST[name]) & (second >= 0), second == move, np.nan)
            at += 1
    return out
