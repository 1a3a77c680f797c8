"""Short opening lines for tournaments: the usual first moves of each game, even enough for either side.

Chess and shogi as UCI and USI moves; Go is made for any board size from the usual corner points.
"""

from typing import Final

CHESS: Final = (
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
    "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5",
    "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6",
    "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4",
    "e2e4 e7e5 g1f3 g8f6 f3e5 d7d6",
    "e2e4 e7e5 b1c3 g8f6 f1c4 b8c6",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4",
    "e2e4 c7c5 g1f3 b8c6 d2d4 c5d4",
    "e2e4 c7c5 g1f3 e7e6 d2d4 c5d4",
    "e2e4 c7c5 b1c3 b8c6 g2g3 g7g6",
    "e2e4 c7c5 c2c3 g8f6 e4e5 f6d5",
    "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6",
    "e2e4 e7e6 d2d4 d7d5 e4e5 c7c5",
    "e2e4 c7c6 d2d4 d7d5 e4e5 c8f5",
    "e2e4 c7c6 d2d4 d7d5 e4d5 c6d5",
    "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5",
    "e2e4 d7d6 d2d4 g8f6 b1c3 g7g6",
    "e2e4 g7g6 d2d4 f8g7 b1c3 d7d6",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6",
    "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6",
    "d2d4 d7d5 c2c4 d5c4 g1f3 g8f6",
    "d2d4 d7d5 g1f3 g8f6 c1f4 e7e6",
    "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7",
    "d2d4 g8f6 c2c4 g7g6 b1c3 d7d5",
    "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4",
    "d2d4 g8f6 c2c4 e7e6 g1f3 b7b6",
    "d2d4 g8f6 c1g5 e7e6 e2e4 h7h6",
    "d2d4 f7f5 g2g3 g8f6 f1g2 e7e6",
    "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6",
    "c2c4 c7c5 g1f3 g8f6 b1c3 b8c6",
    "g1f3 d7d5 g2g3 g8f6 f1g2 e7e6",
    "g1f3 g8f6 c2c4 g7g6 g2g3 f8g7",
)
SHOGI: Final = (
    "7g7f 3c3d 2g2f 8c8d",
    "7g7f 8c8d 2g2f 4a3b",
    "7g7f 3c3d 6g6f 8c8d",
    "7g7f 3c3d 7f7e 8c8d",
    "7g7f 8c8d 6g6f 5c5d",
    "7g7f 8c8d 7i6h 3c3d",
    "7g7f 3c3d 2g2f 4c4d",
    "7g7f 3c3d 2g2f 8b4b",
    "7g7f 3c3d 5g5f 8c8d",
    "7g7f 3c3d 2h6h 8c8d",
    "2g2f 8c8d 2f2e 8d8e",
    "2g2f 3c3d 7g7f 5c5d",
    "2g2f 3c3d 2f2e 2b3c",
    "5g5f 8c8d 2h5h 3c3d",
    "7g7f 4a3b 2g2f 3c3d",
    "9g9f 8c8d 7g7f 3c3d",
)


def go_lines(size: int) -> tuple[str, ...]:
    """Four moves into four corners (two into opposite ones on small boards), each on a usual point."""
    if size < 9:
        return ()
    kinds = ((4, 4), (3, 4), (4, 3)) if size >= 13 else ((3, 3), (3, 4), (4, 3), (4, 4))
    corners = ((1, 1), (0, 0), (1, 0), (0, 1))
    lines = []
    for black in kinds:
        for white in kinds:
            points = (black, white, black[::-1], white[::-1])[: 4 if size >= 13 else 2]
            placed = [_in_corner(size, point, corner) for point, corner in zip(points, corners, strict=False)]
            lines.append(" ".join(_vertex(column, row) for column, row in placed))
    return tuple(dict.fromkeys(lines))


def _in_corner(size: int, point: tuple[int, int], corner: tuple[int, int]) -> tuple[int, int]:
    """Column and row from 1, for a point counted from the corner's own edges."""
    column, row = (size + 1 - part if far else part for part, far in zip(point, corner, strict=True))
    return column, row


def _vertex(column: int, row: int) -> str:
    return f"{'ABCDEFGHJKLMNOPQRSTUVWXYZ'[column - 1]}{row}"
