"""Groups of decisions: by the mover's rating, by rank, or none.

    >>> group_of(Player(1710, "lichess"), "chess", "rating")
    Group(pool='lichess', order=1600.0, name='1600')
    >>> group_of(Player(23, "ogs"), "go", "rank").name
    '10k–6k'

Ratings of different pools are different scales, so the pool belongs to the group. Ranks share one scale of numbers
(30 is 1 dan, 29 is 1 kyu); numbers above 100 are ratings. A rank has no 200-point band and a rating has no rank: by
rating, ranks stand each for itself; by rank, ratings fall into bands.
"""

from dataclasses import dataclass
from typing import Final, Literal

from hitonami.core import Player
from hitonami.customs import customs_of
from hitonami.dataset.groups import band_of, rank_name

By = Literal["rating", "rank", "none"]
UNRATED: Final = "unrated"
ALL: Final = "all"
_LARGEST_RANK: Final = 100.0


@dataclass(frozen=True, order=True)
class Group:
    """Decisions that are measured together. Sorts by pool, then the weakest first, the unrated last."""

    pool: str
    order: float
    name: str

    def label(self, pools: int) -> str:
        """How it is called where the data hold so many pools."""
        return f"{self.pool or 'unknown pool'} {self.name}" if pools > 1 else self.name


def is_rank(rating: float) -> bool:
    """Whether a number is on the scale of ranks."""
    return rating <= _LARGEST_RANK


def default_by(game: str) -> By:
    """Ranks where people have ranks."""
    return customs_of(game).scale.kind


def group_of(player: Player, game: str, by: By, band: float = 200.0) -> Group:
    """The group of a decision of this player."""
    if by == "none":
        return Group("", 0.0, ALL)
    rating = player.rating
    if rating is None:
        return Group(player.pool, float("inf"), UNRATED)
    if not is_rank(rating) or customs_of(game).scale.kind == "rating":
        return Group(player.pool, rating // band * band, band_of(rating, band))
    if by == "rating":
        return Group(player.pool, rating // 1, rank_name(rating))
    held = [group for group in customs_of(game).rank_groups if group[0] <= rating]
    return Group(player.pool, *(held[-1] if held else (rating // 1, rank_name(rating))))
