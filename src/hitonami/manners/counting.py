"""What people count before they think: who has more, what a move takes, what it takes back."""

import numpy as np

from hitonami.core import Position
from hitonami.reckoning import LeadGame, MaterialGame, PerilGame


def balance_of(position: Position) -> float:
    """What the side to move has more, in pawns or stones; 0 in a game where nothing is counted."""
    game = position.game
    if not isinstance(game, MaterialGame):
        return 0.0
    return game.balance(position) * (1 - 2 * position.to_move)


def lead_of(position: Position) -> float:
    """Points by which the side to move is ahead; NaN in a game in which nobody reckons."""
    game = position.game
    return game.lead(position) * (1 - 2 * position.to_move) if isinstance(game, LeadGame) else np.nan


def peril_of(position: Position) -> float:
    """How near the side to move is to being beaten by force, 0 to 4; NaN in a game that does not tell."""
    game = position.game
    return game.peril(position) if isinstance(game, PerilGame) else np.nan


def gain_of(position: Position, move: int) -> float:
    """What a move takes."""
    after = position.follow(move)
    turned = -1 if after.to_move != position.to_move else 1
    return turned * balance_of(after) - balance_of(position)


def captures(position: Position, move: int) -> bool:
    """Whether a move takes something. One that only puts a stone down gains that stone."""
    placed = len(position.game.touches(position, move)) == 1
    return gain_of(position, move) > placed


def recaptures(position: Position, move: int) -> bool:
    """Whether a move takes where the last one took."""
    before, last = position.before, position.last_move
    if before is None or last is None or not captures(position, move) or not captures(before, last):
        return False
    return position.game.touches(position, move)[-1:] == position.game.touches(before, last)[-1:]
