"""Opinions as the `info` lines of UCI and USI: the likeliest moves, each with what the mind expects after it.

Scores are whole centipawns by the logistic curve that Lichess fitted to games of people. A move whose
result the mind has no view of gets a line without a score; none is made up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hitonami.core import Effort, Line, Mind, Opinion, Query, Wdl

_CENTIPAWN_SLOPE = 0.00368208
"""ln(odds of the expected score) per centipawn: https://lichess.org/page/accuracy"""
_SURE = 0.001
_SHOWN = 5


@dataclass(frozen=True)
class Ranking:
    """The moves of an opinion, likeliest first, with the search line of each where there is one."""

    query: Query
    opinion: Opinion
    order: tuple[int, ...]
    """Indices into the legal moves; excluded moves are left out."""

    @classmethod
    def of(cls, query: Query, opinion: Opinion) -> Ranking:
        import numpy as np

        order = np.argsort(-opinion.log_probs, kind="stable")
        kept = [int(at) for at in order if opinion.log_probs[at] > -np.inf]
        return cls(query, opinion, tuple(kept))

    def move(self, rank: int) -> int:
        return int(self.query.position.legal[self.order[rank]])

    def spell(self, rank: int) -> str:
        position = self.query.position
        return position.game.format(position, self.move(rank))

    def line(self, rank: int) -> Line | None:
        move = self.move(rank)
        return next((line for line in self.opinion.lines if line.moves and line.moves[0] == move), None)

    def probabilities(self, count: int = _SHOWN) -> str:
        """The likeliest moves and their chances: `e2e4 31.2% d2d4 20.1%`."""
        from math import exp

        ranks = range(min(count, len(self.order)))
        return " ".join(f"{self.spell(rank)} {exp(self.opinion.log_probs[self.order[rank]]):.1%}" for rank in ranks)


def info_lines(ranking: Ranking, results: Sequence[Wdl | None], show_wdl: bool) -> list[str]:
    """One line for each result, likeliest move first, then the probabilities for people."""
    lines = []
    for rank, result in enumerate(results):
        line = ranking.line(rank)
        score = _score(line, result, show_wdl)
        variation = " ".join(spell_line(ranking, rank, line))
        lines.append(f"info {_depth(ranking, line)} multipv {rank + 1}{score} pv {variation}")
    return [*lines, f"info string {ranking.probabilities(max(_SHOWN, len(results)))}"]


def _depth(ranking: Ranking, line: Line | None) -> str:
    """`depth N`, and of a search that counts its visits `depth N nodes N`: the root and all visits of its moves."""
    if line is None or line.visits is None:
        return "depth 1"
    return f"depth {len(line.moves)} nodes {1 + sum(each.visits or 0 for each in ranking.opinion.lines)}"


def told_results(ranking: Ranking, count: int) -> list[Wdl | None]:
    """What the opinion itself says of its likeliest moves. A single move stands for the whole opinion."""
    lines = [ranking.line(rank) for rank in range(min(count, len(ranking.order)))]
    if len(lines) == 1 and (lines[0] is None or lines[0].wdl is None):
        return [ranking.opinion.wdl]
    return [None if line is None else line.wdl for line in lines]


def results_after(mind: Mind, ranking: Ranking, effort: Effort, count: int) -> list[Wdl | None]:
    """What the mover may expect after each of the likeliest moves.

    A mind that has a view of the result and shows no lines is asked about what follows, in one batch. One
    that searches has said what it found, and asking it again would cost a search a move.
    """
    told = told_results(ranking, count)
    if len(told) < 2 or ranking.opinion.wdl is None or ranking.opinion.lines:
        return told
    after = [ranking.query.after(ranking.move(rank)) for rank in range(len(told))]
    opinions = iter(mind(going_on, effort) if (going_on := [q for q in after if len(q.position.legal)]) else [])
    mover = ranking.query.position.to_move
    results: list[Wdl | None] = []
    for query in after:
        if len(query.position.legal):
            results.append(_for_side(next(opinions).wdl, query.position.to_move == mover))
        else:
            results.append(_final(query.position.score, mover))
    return results


def _for_side(wdl: Wdl | None, same_side: bool) -> Wdl | None:
    return wdl if wdl is None or same_side else wdl[::-1]


def _final(score: float | None, mover: int) -> Wdl | None:
    import numpy as np

    if score is None:
        return None
    own = score if mover == 0 else 1.0 - score
    return np.array([own == 1.0, 0.0 < own < 1.0, own == 0.0], dtype=np.float32)


def spell_line(ranking: Ranking, rank: int, line: Line | None) -> list[str]:
    """The variation in the game's notation, as far as it can be played."""
    position = ranking.query.position
    words = []
    for move in line.moves if line is not None else (ranking.move(rank),):
        if move not in position.legal:
            break
        words.append(position.game.format(position, move))
        position = position.play(move)
    return words


def _score(line: Line | None, wdl: Wdl | None, show_wdl: bool) -> str:
    shown = "" if wdl is None or not show_wdl else " wdl {} {} {}".format(*_permille(wdl))
    if line is not None and line.mate_in is not None:
        return f" score mate {line.mate_in}{shown}"
    if line is not None and line.centipawns is not None:
        return f" score cp {line.centipawns}{shown}"
    return "" if wdl is None else f" score cp {centipawns(wdl)}{shown}"


def centipawns(wdl: Wdl) -> int:
    """The score at which people expect this result."""
    expected = min(max(float(wdl[0]) + 0.5 * float(wdl[1]), _SURE), 1.0 - _SURE)
    return round(log(expected / (1.0 - expected)) / _CENTIPAWN_SLOPE)


def _permille(wdl: Wdl) -> tuple[int, int, int]:
    """Whole thousandths that sum to 1000."""
    win, loss = round(1000 * float(wdl[0])), round(1000 * float(wdl[2]))
    return win, 1000 - win - loss, loss
