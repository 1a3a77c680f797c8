"""What a board shows of each move, as numbers for a ranker: one file a game, found by its name.

A game's sights hold what is seen on the board. What a base thinks of a move and who plays is the same in all games and
is here. Only the moves that come to mind are looked at: those that the base gives a thousandth at least, and those that
nobody overlooks who looks (mates), whatever the base thinks of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from hitonami.core import LogProbs, Player, Position, Query
from hitonami.parts import find_parts, load_part

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]
COMMON: Final = ("base", "base_below_top", "base_rank", "base_entropy", "base_top", "legal", "ply")
PLAYER: Final = ("rating", "rating_square", "rating_above", "rating_below", "rated", "opponent")
_LEAST: Final = float(np.log(1e-3))
_LOWEST: Final = -8.0
_MOST_APART: Final = 0.8
"""Of the scale's step: beyond it one opponent is as far as another."""


class Sights(Protocol):
    """The sights of a game."""

    @property
    def columns(self) -> tuple[str, ...]:
        """What `show` fills."""

    @property
    def scale(self) -> tuple[float, float]:
        """A rating in the middle of all, and how far from it a player of another class is."""

    def rate(self, player: Player) -> float | None:
        """A player's rating on the game's scale, whatever the pool's; None without one."""

    def strike(self, positions: Sequence[Any], moves: Whole, begins: Whole) -> NDArray[np.bool_]:
        """[M] the moves that are looked at whatever a base thinks of them."""

    def show(self, positions: Sequence[Any], moves: Whole, begins: Whole) -> Floats:
        """[M, columns] of moves (ids) that are given by position, the likeliest first, from `begins` on."""


@dataclass(frozen=True)
class Looked:
    """What was seen of a batch of positions: [M] the moves that came to mind, the likeliest of each position first."""

    places: Whole
    """Among all legal moves of all positions, one after the other."""
    begins: Whole
    log_probs: Floats
    columns: Floats
    """[M, game's columns + COMMON]."""


@cache
def sights_of(game: str) -> Sights | None:
    """The sights of a game; None where nobody wrote them."""
    if game not in find_parts("sights"):
        return None
    found: Sights = load_part("sights", game)()
    return found


def wins_at_once(position: Position) -> NDArray[np.bool_]:
    """[L] the legal moves that nobody overlooks who looks (in chess mates); none in a game without sights."""
    sights = sights_of(position.game.name)
    if sights is None:
        return np.zeros(len(position.legal), dtype=np.bool_)
    return sights.strike([position], position.legal.astype(np.int64), np.array([0, len(position.legal)]))


def columns_of(sights: Sights, pools: Sequence[str]) -> tuple[str, ...]:
    """All that a ranker of these pools reads, in order."""
    return (*sights.columns, *COMMON, *PLAYER, *(f"pool_{pool}" for pool in pools[1:]))


def look(sights: Sights, queries: Sequence[Query], log_probs: Sequence[LogProbs]) -> Looked:
    """Which moves come to mind in each position, and what is seen of them."""
    positions = [query.position for query in queries]
    counts = np.array([len(each) for each in log_probs])
    begins = np.concatenate([[0], np.cumsum(counts)])
    flat = np.concatenate(log_probs).astype(np.float64)
    row = np.repeat(np.arange(len(counts)), counts)
    legal = np.concatenate([position.legal for position in positions]).astype(np.int64)
    order = np.lexsort((-flat, row))
    rank = np.arange(len(flat)) - begins[row]
    known = (flat >= _LEAST) | sights.strike(positions, legal, begins)
    kept = known[order] | (rank == 0)
    places = order[kept]
    ends = np.concatenate([[0], np.cumsum(np.bincount(row[places], minlength=len(counts)))])
    shown = sights.show(positions, legal[places], ends)
    common = _common(flat, row, begins, places, rank[kept], np.array([each.ply for each in positions]))
    return Looked(places, ends, flat[places].astype(np.float32), np.concatenate([shown, common], axis=1))


def share_out(scores: LogProbs, looked: Looked) -> LogProbs:
    """[M] scores to log-probabilities: together the moves of a position keep what they had."""
    begins, widths = looked.begins[:-1], np.diff(looked.begins)
    shares = log_sums(scores, begins, widths) - log_sums(looked.log_probs, begins, widths)
    shifted: LogProbs = scores - np.repeat(shares, widths).astype(np.float32)
    return shifted


def log_sums(values: Any, begins: Whole, widths: Whole) -> Any:
    """[B] log Σ exp by position."""
    top = np.maximum.reduceat(values, begins)
    return top + np.log(np.add.reduceat(np.exp(values - np.repeat(top, widths)), begins))


def _common(  # noqa: PLR0913, PLR0917
    flat: NDArray[np.float64], row: Whole, begins: Whole, places: Whole, rank: Whole, ply: Whole
) -> Floats:
    own, at = flat[places], row[places]
    safe = np.maximum(flat, -100.0)
    entropy = -np.add.reduceat(np.exp(safe) * safe, begins[:-1])
    top = np.maximum.reduceat(flat, begins[:-1])
    columns = [
        np.maximum(own, _LOWEST) / 3,
        np.maximum(own - top[at], _LOWEST) / 3,
        np.log1p(rank) / 2,
        entropy[at] / 2,
        top[at] / 2,
        np.diff(begins)[at] / 40,
        np.minimum(ply, 120)[at] / 60,
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def player_columns(
    sights: Sights, players: Sequence[tuple[Player, Player]], pools: Sequence[str], ratings: tuple[float, float]
) -> Floats:
    """[B, PLAYER + pools but the first]: who plays whom. Ratings beyond the range count as its ends."""
    rows = [_player(sights, player, opponent, pools, ratings) for player, opponent in players]
    return np.array(rows, dtype=np.float32)


def _player(
    sights: Sights, player: Player, opponent: Player, pools: Sequence[str], ratings: tuple[float, float]
) -> list[float]:
    named = [float(player.pool == pool) for pool in pools[1:]]
    own, other = sights.rate(player), sights.rate(opponent)
    if own is None:
        return [0.0] * len(PLAYER) + named
    middle, step = sights.scale
    most = _MOST_APART * step
    apart = 0.0 if other is None else min(max(other - own, -most), most)
    height = (min(max(own, ratings[0]), ratings[1]) - middle) / step
    return [height, height * height / 2, max(height - 1, 0.0), max(-height - 1, 0.0), 1.0, apart / (most / 2), *named]
