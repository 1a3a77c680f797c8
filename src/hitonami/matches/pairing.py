"""The plan of a tournament: who meets whom, in which blocks of games, from which openings. Plain data, no play.

A *block* is what one process plays at once: consecutive games of one pair, all advancing together so that networks are
asked about many positions in one pass. A block depends on nothing but the plan and its own place in it, so it can be
played anywhere, in any order and again.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from hitonami.core import Setup
from hitonami.customs import customs_of
from hitonami.errors import BadInput
from hitonami.matches.entrants import Entrant, uses_engine
from hitonami.matches.openings import Openings, Sampled
from hitonami.specs import MindSpec

NETWORK_BLOCK = 64
"""Games that advance together where networks play."""
ENGINE_BLOCK = 2
"""With an external program there is nothing to gain from more, and an interruption costs a whole block."""
_STANDARD = Setup()


@dataclass(frozen=True, slots=True)
class Judge:
    """Ends games whose result is clear: a side above `threshold` at each of `plies` positions in a row."""

    mind: MindSpec
    threshold: float = 0.98
    plies: int = 6

    def __post_init__(self) -> None:
        if not 0.5 < self.threshold <= 1.0:
            raise BadInput(f"the judge's threshold must lie between 0.5 and 1, got {self.threshold:g}")


@dataclass(frozen=True, slots=True)
class Schedule:
    """All that decides the games of a tournament."""

    game: str
    entrants: tuple[Entrant, ...]
    games: int
    """Between each pair."""
    openings: Openings
    setup: Setup = _STANDARD
    seed: int = 0
    gauntlet: bool = False
    """Only games of the first entrant."""
    max_plies: int = 0
    judge: Judge | None = None
    resigns: bool = True
    block_games: int = 0
    """0: as many as pay."""
    meetings: tuple[tuple[int, int], ...] = ()
    """Numbers of the entrants that meet; none: all of them."""

    def pairs(self) -> list[tuple[int, int]]:
        """Numbers of the entrants that meet."""
        return list(self.meetings) or [
            (one, other) for one, other in combinations(range(len(self.entrants)), 2) if not self.gauntlet or not one
        ]

    @property
    def ply_limit(self) -> int:
        if self.max_plies:
            return self.max_plies
        return customs_of(self.game).ply_limit(self.setup.size)

    def block_size(self, pair: tuple[int, int]) -> int:
        if self.block_games:
            return self.block_games
        minds = [self.entrants[at].mind for at in pair]
        return ENGINE_BLOCK if any(uses_engine(mind) for mind in minds) else NETWORK_BLOCK

    def describe(self) -> dict[str, Any]:
        """As JSON, for the record of the run: equal exactly for plans that make equal games."""
        plain = asdict(self)
        if not self.meetings:  # as events were described before there were any: they can still be gone on with
            del plain["meetings"]
        plain["entrants"] = [_describe(each) for each in self.entrants]
        plain["judge"] = None if self.judge is None else asdict(self.judge) | {"mind": self.judge.mind.as_dict()}
        if isinstance(self.openings, Sampled):
            entrant = self.openings.entrant
            who = None if entrant is None else _describe(entrant)
            plain["openings"] = {"plies": self.openings.plies, "entrant": who}
        return plain


def _describe(entrant: Entrant) -> dict[str, Any]:
    plain = asdict(entrant) | {"mind": entrant.mind.as_dict()}
    for knob in ("rho", "looks"):
        if plain[knob] is None:
            del plain[knob]
    return plain


@dataclass(frozen=True, slots=True)
class Block:
    """Games `begin` … `end - 1` between two entrants. In even games the first of the pair moves first."""

    pair: tuple[int, int]
    begin: int
    end: int

    @property
    def name(self) -> str:
        return f"{self.pair[0]:02}-{self.pair[1]:02}-{self.begin:05}-{self.end - 1:05}"


def blocks_of(plan: Schedule) -> Iterator[Block]:
    """Every block, the first of each pair before the second of any, so that an unfinished event is balanced."""
    sizes = {pair: plan.block_size(pair) for pair in plan.pairs()}
    begun = dict.fromkeys(sizes, 0)
    while any(begin < plan.games for begin in begun.values()):
        pair = min(sizes, key=lambda each: (begun[each], each))
        end = min(begun[pair] + sizes[pair], plan.games)
        yield Block(pair, begun[pair], end)
        begun[pair] = end
