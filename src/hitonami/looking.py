"""How far agents of a level look ahead before they move.

A first impression is what people of a level have in common, and above some level it is not what tells them apart:
stronger players look further. So an agent looks along its mind's own likely moves, as many positions as was fitted for
its rating by games (`levels`, method "looks"), and draws from P · exp(Q / λ), Q what the looks show below each move
(piKL, docs/search.md). Who wins is the mind's own word: manners were fitted to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hitonami.core import Effort, Mind, Opinion, Position, Query, lineage
from hitonami.levels import looks_ahead
from hitonami.minds.ahead import Ahead
from hitonami.minds.search import own_budget

LAMBDA: Final = 0.2
"""How little what the looks show counts against the first impression."""
_WIDTH: Final = 2.0
"""c of the search: few looks go to few moves."""


_OPENING_PLIES: Final = 10
"""Draws and looks are fitted to moves from here on. Before, they would only make openings alike, and people's vary."""


@dataclass(frozen=True, slots=True)
class Looker:
    """Who looks: a mind, and the quicker one that it asks below the first position, if there is one."""

    mind: Mind
    leaves: Mind | None = None


def look_further(
    looker: Looker, style: str, queries: Sequence[Query], looks: int | None, effort: Effort
) -> list[Opinion]:
    """Opinions of the mind after as many looks as agents of the style take, or as many as are told; one look is the
    opinion itself. Searches of like length go together, so that their leaves share batches."""
    mind = looker.mind
    opinions = list(mind(queries, effort))
    counts = [_count(style, query) if looks is None else looks for query in queries]
    for count in {each for each in counts if each > 1}:
        rows = [at for at, each in enumerate(counts) if each == count and not is_opening(queries[at].position)]
        search = Ahead(simulations=count, c_puct=_WIDTH, kl_lambda=LAMBDA, leaves=looker.leaves).search(mind)
        for at, seen in zip(rows, search([queries[at] for at in rows], own_budget(effort)), strict=True):
            opinions[at] = replace(opinions[at], log_probs=seen.log_probs, lines=seen.lines)
    return opinions


def _count(style: str, query: Query) -> int:
    return looks_ahead(style, query) if style else 1


def is_opening(position: Position) -> bool:
    """Whether these are the first moves of a game from its usual start. A position set up is anywhere in a game."""
    if position.ply >= _OPENING_PLIES:
        return False
    usual = replace(position.setup, start="")
    return position.setup == usual or lineage(position)[0].key == position.game.start(usual).key
