"""What Go is used to. Openings have the names of the literature; lines for matches are made for each board size."""

from math import exp
from typing import Final

from hitonami.core import Setup
from hitonami.customs import Customs, Handicap, KnownEngine, Opening, Phases, Scale
from hitonami.knobs import Curve

_OPENINGS: Final = (
    Opening("Three Stars (sanrensei)", "三連星", "Q16 D4 Q4 D16 Q10", 19),
    Opening("Two Stars (nirensei)", "二連星", "Q16 D4 Q4 D16", 19),
    Opening("Low Chinese", "低い中国流", "Q16 D4 Q3 D16 R9", 19),
    Opening("High Chinese", "高い中国流", "Q16 D4 Q3 D16 Q9", 19),
)
_MOST_STONES: Final = 9
_OGS: Final = Curve(tuple((float(rank), 850.0 * exp(0.032 * rank)) for rank in range(-5, 41)))
"""OGS's own formula from 2017 to 2020, when the records were played; in 2021 it became 525 · exp(rank / 23.15)."""


def _lines(size: int) -> tuple[str, ...]:
    """Four moves into four corners (two into opposite ones on small boards), each on a usual point."""
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


CUSTOMS: Final = Customs(
    title="Go",
    japanese={"Go": "囲碁"},
    board="stones",
    place=3,
    scale=Scale("rank", ("ogs",), 5, 38, 1, 20, points={"ogs": _OGS}),
    told={"": (7.0, 12.0, 17.0, 22.0, 27.0, 31.0), "goquest": (900.0, 1200.0, 1500.0, 1800.0, 2100.0, 2500.0)},
    spans={"": (0.0, 38.0), "goquest": (400.0, 3000.0)},
    rank_groups=(
        (float("-inf"), "below 20k"),
        (10.0, "20k–16k"),
        (15.0, "15k–11k"),
        (20.0, "10k–6k"),
        (25.0, "5k–1k"),
        (30.0, "1d+"),
        (40.0, "professional"),
    ),
    ratings_known=True,
    sizes=(9, 13, 19),
    usual_size=19,
    openings=_OPENINGS,
    lines={size: _lines(size) for size in range(9, 26)},
    handicaps=tuple(
        Handicap(str(stones), 1, Setup(handicap=stones), f"{stones} stones", f"{stones}子")
        for stones in range(2, _MOST_STONES + 1)
    ),
    controls=("300+20/1", "600+30/1", "1200+30/1"),
    phases=Phases(1 / 6, 1 / 2, per_point=True),
    plies_per_point=3,
    passes=True,
    chances_averaged=True,
    reach=(4.0, 14.0),  # as published
    least_drawn=0.01,  # ten times as many moves as elsewhere
    refinement=(250, 208, 0.076),
    engine=KnownEngine("gnugo", "gnugo", "gtp:gnugo --mode gtp --positional-superko"),
    records=("sgf",),
    protocol="gtp",
)
