"""What people count before they think: who has more, what a move takes, what it takes back."""

from hitonami.abilities import MaterialGame
from hitonami.core import Position


def balance_of(position: Position) -> float:
    """What the side to move has more, in pawns or stones; 0 in a game where nothing is counted."""
    game = position.game
    if not isinstance(game, MaterialGame):
        return 0.0
    return game.balance(position) * (1 - 2 * position.to_move)


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
