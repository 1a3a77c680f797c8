"""Many searches at once over one mind: each round collects leaves of all trees and asks the mind once.

How many leaves a tree gives to a round depends on that tree alone, never on its neighbours, so a query gets the same
answer alone and in a batch. A young tree gives one: leaves chosen together do not know of each other's results.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final, Protocol, runtime_checkable

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.search.kernels import BUSY
from hitonami.search.tree import Leaf, Sketched, Tree

_VISITS_PER_LEAF: Final = 8
"""A tree of so many visits for each leaf of a round: at most an eighth of its simulations is ever under way."""
_UNASKED_IN_A_ROUND: Final = 512
"""Simulations that need no mind, before the clock and `stop` are looked at again."""
_FIRST_REPORT: Final = 16
_REPORT_GROWTH: Final = 1.25
"""The next report comes when the tree has grown by a quarter: at the same visits in every run."""


@runtime_checkable
class Sketching(Protocol):
    """A mind that knows the result before it has thought its moves through.

    Most leaves of a search are never come back to: what their moves are worth is nothing that it needs.
    """

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]: ...

    def sketch(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        """The result as it is, and moves from which `finish` makes what a plain call says."""

    def finish(self, queries: Sequence[Query], sketches: Sequence[Opinion]) -> list[Opinion]: ...


@dataclass(frozen=True, slots=True)
class Budget:
    """When to end: at so many simulations a tree, at a time of the monotonic clock, or when told."""

    simulations: int | None
    deadline: float | None
    effort: Effort

    @property
    def is_spent(self) -> bool:
        return self.effort.stopped or (self.deadline is not None and monotonic() >= self.deadline)


def search(trees: Sequence[Tree], mind: Mind, budget: Budget, report: Callable[[Tree], None] | None = None) -> None:
    """Grow trees that are planted until the budget is spent."""
    inner = _inner(budget.effort)
    due = float(_FIRST_REPORT)
    active = [tree for tree in trees if _goes_on(tree, budget)]
    while active and not budget.is_spent:
        leaves = _collect_all(active, budget, mind)
        ask = mind.sketch if isinstance(mind, Sketching) else mind
        opinions = ask([leaf.query for leaf in leaves], inner) if leaves else []
        for leaf, opinion in zip(leaves, opinions, strict=True):
            leaf.absorb(opinion, sketched=ask is not mind)
        if report is not None and active[0].visits >= due:
            due = _REPORT_GROWTH * active[0].visits
            report(active[0])
        active = [tree for tree in active if _goes_on(tree, budget)]


def plant(trees: Sequence[Tree], mind: Mind, effort: Effort) -> None:
    """Ask the mind about the roots of new trees, all at once, and for the rest of what it said of old ones."""
    _finish([sketched for tree in trees if (sketched := tree.sketched_root) is not None], mind)
    fresh = [tree for tree in trees if not tree.size]
    opinions = mind([tree.query for tree in fresh], _inner(effort)) if fresh else []
    for tree, opinion in zip(fresh, opinions, strict=True):
        tree.plant(opinion)


def _inner(effort: Effort) -> Effort:
    """What the searched mind is given: the time and the simulations are the search's own."""
    return replace(effort, seconds=None, simulations=None, report=None)


def _goes_on(tree: Tree, budget: Budget) -> bool:
    """Whether there is anything left to find out. What a proved win leaves of a count of simulations is its own."""
    left = None if budget.simulations is None else budget.simulations - tree.visits
    if tree.proof and left is not None and left > 0:
        tree.credit(left)
    return not tree.proof and (left is None or left > 0)


def _collect_all(trees: Sequence[Tree], budget: Budget, mind: Mind) -> list[Leaf]:
    """Leaves of all trees for one round. Where trees wait for sketches to be finished, that is done for all at once."""
    leaves: list[list[Leaf]] = [[] for _ in trees]
    seeking = [_collect(tree, budget, own) for tree, own in zip(trees, leaves, strict=True)]
    while seeking:
        waiting = [(each, found) for each in seeking if (found := next(each, None)) is not None]
        _finish([found for _, found in waiting], mind)
        seeking = [each for each, _ in waiting]
    return [leaf for own in leaves for leaf in own]


def _finish(sketches: Sequence[Sketched], mind: Mind) -> None:
    if sketches:
        assert isinstance(mind, Sketching), "nobody else sketches"
        finished = mind.finish([each.query for each in sketches], [each.opinion for each in sketches])
        for each, opinion in zip(sketches, finished, strict=True):
            each.finish(opinion)


def _collect(tree: Tree, budget: Budget, leaves: list[Leaf]) -> Generator[Sketched, None, None]:
    """Leaves of one tree for one round. Simulations that need no mind are counted on the way."""
    most = min(tree.settings.batch, max(1, tree.visits // _VISITS_PER_LEAF))
    for _ in range(_UNASKED_IN_A_ROUND):
        if len(leaves) == most or tree.proof:
            break
        if budget.simulations is not None and tree.visits + len(leaves) >= budget.simulations:
            break
        while isinstance(found := tree.seek(), Sketched):
            yield found
        if isinstance(found, Leaf):
            leaves.append(found)
        elif found == BUSY:
            break
