"""The turns that resignation is learned from and measured on."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hitonami.fits.turns import Turns, join_turns
from hitonami.manners.additive import Features


@dataclass(frozen=True)
class Sample:
    """Turns that decide: of whole games all of them, of others (`ends`) the one at which a person gave up.

    Hardly one turn in a hundred is given up. Further games that end so cost three questions each and tell as much of
    who gives up as a whole one; how often it happens only the whole ones tell.
    """

    whole: Turns
    ends: Turns | None = None

    @cached_property
    def turns(self) -> Turns:
        return self.whole if self.ends is None else join_turns(self.whole, self.ends)

    @cached_property
    def decides(self) -> NDArray[np.bool_]:
        """[n] of `turns`: the turns that count; the rest are there for those after them to look back to."""
        turns = self.turns
        return (np.arange(len(turns)) < len(self.whole)) | (turns["resigned"] == 1)

    @property
    def resigned(self) -> int:
        return int(self.turns["resigned"].sum())


def join_samples(one: Sample, other: Sample) -> Sample:
    """Both as one."""
    ends = [each.ends for each in (one, other) if each.ends is not None]
    return Sample(join_turns(one.whole, other.whole), None if not ends else join_turns(ends[0], *ends[1:]))


def usable(turns: Turns) -> Turns:
    """People's turns with a view of the result and a known one, of games that were not abandoned."""
    kept = (turns["bot"] == 0) & ~np.isnan(turns["hope"]) & ~np.isnan(turns["score"])
    return turns.where(kept & ~np.isin(turns["ending"], ["abandoned", "rules infraction", ""]))


def columns_of(turns: Turns) -> Features:
    """What `resign_features` wants; own turns are two plies apart."""
    return {
        "rating": turns["rating"], "opponent": turns["opponent"], "ply": turns["ply"], "remaining": turns["remaining"],
        **{f"hope{at}": turns["hope"] if not at else turns.back_own("hope", at) for at in range(3)},
        "balance0": turns["balance"], "balance1": turns.back_own("balance", 1),
        "points": turns["points"], "peril": turns["peril"],
    }  # fmt: skip
