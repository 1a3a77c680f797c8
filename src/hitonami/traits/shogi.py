"""Traits of shogi players: the whole of the source's table 5.1, under its names, and how they build up."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.dataset.columns import Columns
from hitonami.games.shogi import HISTORY_BYTES
from hitonami.traits._shogi_walk import MADE, ONCE, STANDING, WIDTH, walk
from hitonami.traits._trait import Trait

_WORDS: Final = {
    "control_cnt": "squares controlled, counted once a piece",
    "own_piece_control_cnt": "own pieces guarded, counted once a guard",
    "opponent_piece_control_cnt": "opposing pieces attacked, counted once an attacker",
    "own_side_control_cnt": "controls in the four own ranks",
    "opponent_side_control_cnt": "controls in the four opposing ranks",
    "king_surround1_control_per_sq": "own controls a square beside the own king",
    "king_surround2_control_per_sq": "own controls a square within two of the own king",
    "king_surround1_piece_per_sq": "own pieces a square beside the own king",
    "king_surround2_piece_per_sq": "own pieces a square within two of the own king",
    "hand_cnt": "pieces in hand",
    "cover_ratio": "squares with at least one own control",
    "drop_own_side_cnt": "moves that drop into the four own ranks",
    "drop_opponent_side_cnt": "moves that drop into the four opposing ranks",
    "drops": "moves that drop a piece",
    "promotions": "moves that promote",
    "captures": "moves that take",
    "checks": "moves that give check",
    "ranging_rook": "games with the rook on the fifth file or to its left after ply 40",
    "king_left": "games with the king left of the middle after ply 40",
    "bishops_off": "games without bishops on the board after ply 40",
    "own_moves": "moves a game",
}
_SHARES: Final = {"cover_ratio", *MADE, *ONCE[:-1]}


class Shogi:
    """Even games and handicaps."""

    traits = tuple(
        Trait(name, _WORDS.get(name, f"moves of the {name.replace('_', ' ')}"), share=name in _SHARES)
        for name in (*STANDING, *MADE, *ONCE)
    )

    def measure(self, games: Columns) -> NDArray[np.float32]:
        starts: list[Any] = games.starts()
        blocks = np.frombuffer(b"".join(each.history for each in starts), np.uint8).reshape(-1, HISTORY_BYTES)
        hands = blocks[:, 81:95].reshape(-1, 2, 7).sum(axis=2).astype(np.int64)
        out = np.zeros((len(games), 2, WIDTH))
        walk(blocks, hands, games.setup, games.moves, games.movers, games.begins, out)
        return out.astype(np.float32)
