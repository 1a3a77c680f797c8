"""A whole game as boards to look at."""

from hitonami.core import Position, lineage
from hitonami.web.board_schemas import Board
from hitonami.web.views import show_board


def show_boards(end: Position) -> list[Board]:
    """Every position of a game, without what could be played in it."""
    here, moves = lineage(end)
    boards = [show_board(here)]
    for move in moves:
        here = here.follow(move)
        boards.append(show_board(here))
    return [board.model_copy(update={"legal": []}) for board in boards]
