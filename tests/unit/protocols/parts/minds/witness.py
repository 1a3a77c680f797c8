"""A mind that tells what it was asked, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass

from hitonami.core import Effort, Opinion, Query
from hitonami.errors import NoOpinion


@dataclass(frozen=True)
class Witness:
    """Refuses every query with a description of it."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        [query] = queries
        own, other, clock = query.player, query.opponent, query.clock
        told = [f"rating={own.rating:g}", f"pool={own.pool}", f"opponent={other.rating:g}"]
        if clock is not None:
            told += [f"left={clock.remaining_seconds:g}/{clock.opponent_seconds:g}"]
            told += [f"increment={clock.increment_seconds:g}/{clock.opponent_increment_seconds:g}"]
            told += [f"byoyomi={clock.byoyomi_seconds:g}", f"moves={clock.moves_to_go}"]
        told += [f"simulations={effort.simulations}"]
        told += ["seconds=None" if effort.seconds is None else f"seconds={effort.seconds:.2f}"]
        raise NoOpinion(" ".join(told))
