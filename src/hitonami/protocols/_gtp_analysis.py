"""Analysis in the words that Leela Zero and KataGo gave GTP: `lz-analyze`, `kata-analyze` and their `genmove_analyze`.

    lz-analyze [side] [interval] [key value …]      interval in hundredths of a second
    info move Q16 visits 313 winrate 4856 prior 3130 order 0 pv Q16 info move …

https://github.com/lightvector/KataGo/blob/master/docs/GTP_Extensions.md. Programs cannot do without two keys that a
mind need not have. `visits` are a search's own; without a search they are the probability in thousandths, because
programs draw a move as large as its visits. `winrate` is the mover's expected score after the move; a mind without a
view of results says even. `prior` is always the probability that the move is played. Points, ownership and confidence
bounds are not known here and not told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import exp
from time import monotonic
from typing import TYPE_CHECKING, Literal

from hitonami.errors import BadMove, quote
from hitonami.protocols._gtp_words import Refused, read_number, read_side, read_vertex
from hitonami.protocols._lines import Ranking, results_after, spell_line, told_results
from hitonami.protocols._options import read_integer

if TYPE_CHECKING:
    from hitonami.core import Effort, Line, Mind, Opinion, Query, Wdl

Dialect = Literal["lz", "kata"]
_MOST_MOVES = 20
"""Shown where `maxmoves` says nothing: a mind without search is asked about what follows each of them."""
_LEAST_SHARE = 0.002
"""Moves below it are left out, unless `minmoves` wants them."""
_INTERVAL_SECONDS = 1.0
_UNKNOWN_TO_US = frozenset(
    ("ownership", "ownershipstdev", "movesownership", "pvvisits", "pvedgevisits", "noresultvalue")
)
"""What KataGo can add to its lines and we cannot. Programs ask for it without needing it."""


@dataclass(frozen=True)
class Wish:
    """What an analysis command asks for, and in whose words."""

    dialect: Dialect = "kata"
    side: int | None = None
    """None: the side to move."""
    interval_seconds: float = _INTERVAL_SECONDS
    least: int = 0
    most: int = _MOST_MOVES
    avoided: tuple[tuple[int, str], ...] = ()
    """A side and a point that it is not to play first."""
    allowed: tuple[tuple[int, str], ...] = ()
    root: bool = False


def read_wish(dialect: Dialect, words: Sequence[str]) -> Wish:
    """The words after the command. Raises Refused."""
    left = list(words)
    side = read_side([left.pop(0)]) if left and left[0].lower() in ("b", "w", "black", "white") else None
    interval, least, most, root = _INTERVAL_SECONDS, 0, _MOST_MOVES, False
    points: dict[str, list[tuple[int, str]]] = {"avoid": [], "allow": []}
    if left and read_integer(left[0]) is not None:
        interval = read_number([left.pop(0)], 0) / 100
    while left:
        key = left.pop(0).lower()
        if key == "interval":
            interval = read_number(left, 0) / 100
        elif key == "minmoves":
            least = read_number(left, 0)
        elif key == "maxmoves":
            most = max(read_number(left, 0), 1)
        elif key == "rootinfo":
            root = _read_truth(left)
        elif key in points:
            points[key] += _read_points(left)
        elif key in _UNKNOWN_TO_US:
            _read_truth(left)
        else:
            raise Refused(f"unknown key {quote(key)}")
        left.pop(0)
    return Wish(dialect, side, interval, min(least, most), most, tuple(points["avoid"]), tuple(points["allow"]), root)


def _read_truth(words: Sequence[str]) -> bool:
    if not words or words[0].lower() not in ("true", "false"):
        raise Refused("syntax error")
    return words[0].lower() == "true"


def _read_points(words: list[str]) -> list[tuple[int, str]]:
    """`SIDE POINT,POINT… DEPTH`, of which the depth is left for the caller to take. Beyond the first move of a line
    nothing is restricted."""
    if len(words) < 3:
        raise Refused("syntax error")
    side, listed = read_side([words.pop(0)]), words.pop(0).split(",")
    if read_number(words, 0) < 1:
        raise Refused("syntax error")
    return [(side, read_vertex(listed, at)) for at in range(len(listed))]


def shown_moves(ranking: Ranking, wish: Wish) -> int:
    """How many of the likeliest moves to tell."""
    chances = [exp(ranking.opinion.log_probs[at]) for at in ranking.order[: wish.most]]
    return max(sum(chance >= _LEAST_SHARE for chance in chances), min(wish.least, len(chances)), 1)


def analysis_line(ranking: Ranking, results: Sequence[Wdl | None], wish: Wish) -> str:
    """All moves in one line, likeliest first, as programs expect it."""
    parts = [_tell_move(ranking, rank, result, wish.dialect) for rank, result in enumerate(results)]
    if wish.root:
        visits = sum(_visits(ranking, rank, ranking.line(rank)) for rank in range(len(results)))
        parts.append(f"rootInfo visits {visits} winrate {_rate(ranking.opinion.wdl, wish.dialect)}")
    return " ".join(parts)


def _tell_move(ranking: Ranking, rank: int, result: Wdl | None, dialect: Dialect) -> str:
    line = ranking.line(rank)
    shown = ranking.opinion.wdl if result is None else result
    prior = exp(ranking.opinion.log_probs[ranking.order[rank]])
    return (
        f"info move {ranking.spell(rank)} visits {_visits(ranking, rank, line)} winrate {_rate(shown, dialect)} "
        f"prior {_number(prior, dialect)} order {rank} pv {' '.join(spell_line(ranking, rank, line))}"
    )


def _visits(ranking: Ranking, rank: int, line: Line | None) -> int:
    if line is not None and line.visits is not None:
        return line.visits
    return max(round(1000 * exp(ranking.opinion.log_probs[ranking.order[rank]])), 1)


def _rate(wdl: Wdl | None, dialect: Dialect) -> str:
    return _number(0.5 if wdl is None else float(wdl[0]) + 0.5 * float(wdl[1]), dialect)


def _number(share: float, dialect: Dialect) -> str:
    """A share of 1: whole ten-thousandths for Leela Zero's programs, a fraction with a point for KataGo's."""
    return str(round(10_000 * share)) if dialect == "lz" else f"{share:.6f}"


class Stream:
    """The answer to one analysis command: `=`, then lines as they come. The blank line at its end is the session's."""

    def __init__(self, emit: Callable[..., None], number: str, wish: Wish) -> None:
        self._emit, self._number = emit, number
        self._due = 0.0
        self.wish = wish
        self.begun = False
        """Once it is, the command has succeeded whatever comes."""

    def say(self, *lines: str) -> None:
        self._emit(*([] if self.begun else [f"={self._number}"]), *lines)
        self.begun = True

    def hear(self, query: Query, opinion: Opinion) -> None:
        """A word from a mind that is still searching, told unless the last one was told just before."""
        now = monotonic()
        if now < self._due:
            return
        self._due = now + self.wish.interval_seconds
        ranking = Ranking.of(query, opinion)
        self.say(analysis_line(ranking, told_results(ranking, shown_moves(ranking, self.wish)), self.wish))

    def tell(self, mind: Mind, query: Query, opinion: Opinion, effort: Effort) -> None:
        """What a mind has found. It may be asked about what follows each move."""
        ranking = Ranking.of(query, opinion)
        results = results_after(mind, ranking, effort, shown_moves(ranking, self.wish))
        self.say(analysis_line(ranking, results, self.wish))


def first_moves(query: Query, wish: Wish) -> frozenset[int] | None:
    """The moves that the wish leaves the side to move; None where it leaves all. Raises Refused where none is left."""
    position = query.position

    def ids(points: tuple[tuple[int, str], ...]) -> set[int]:
        found = set()
        for side, point in points:
            if side == position.to_move:
                with suppress(BadMove):  # an occupied point needs no restriction
                    found.add(position.game.parse(position, point))
        return found

    allowed, avoided = ids(wish.allowed), ids(wish.avoided)
    if not allowed and not avoided:
        return None
    left = frozenset((allowed or set(position.legal.tolist())) - avoided)
    if not left:
        raise Refused("no move is left to analyse")
    return left
