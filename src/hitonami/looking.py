"""How far agents of a level look ahead before they move.

A first impression is what people of a level have in common, and above some level it is not what tells them apart:
stronger players look further. So an agent looks along its mind's own likely moves, as many positions as was fitted for
its rating by games (`levels`, method "looks"), and draws from P · exp(Q / λ), Q what the looks show below each move
(piKL, docs/search.md). Who wins is the mind's own word: manners were fitted to it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.minds.puct import Puct
from hitonami.minds.search import own_budget

LAMBDA: Final = 0.2
"""How little what the looks show counts against the first impression."""
_WIDTH: Final = 2.0
"""c of the search: few looks go to few moves."""


def look_further(
    mind: Mind, queries: Sequence[Query], opinions: Sequence[Opinion], looks: Sequence[int], effort: Effort
) -> list[Opinion]:
    """Opinions of the mind after so many looks each; one look is the opinion itself. Searches of like length go
    together, so that their leaves share batches."""
    found = list(opinions)
    for count in {each for each in looks if each > 1}:
        rows = [at for at, each in enumerate(looks) if each == count]
        search = Puct(
            mind,
            simulations=count,
            c_puct=_WIDTH,
            root_force=0.0,
            kl="root",
            kl_lambda=LAMBDA,
            kl_untried="parent",
            reuse="never",
        )
        for at, seen in zip(rows, search([queries[at] for at in rows], own_budget(effort)), strict=True):
            found[at] = replace(opinions[at], log_probs=seen.log_probs, lines=seen.lines)
    return found
