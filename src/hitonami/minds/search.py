"""The style `search`: an expert, searched by knobs that were fitted to people of a level (ACE, HAI 2019).

What was fitted is searched as it was fitted: the plain formula, without what makes an engine sure (first visits,
proofs, shared positions), and with a floor of the prior. Where nothing was fitted for a game it says so. Any other
search over any mind is a `puct`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import BadSpec
from hitonami.knobs import Knob, check_knob
from hitonami.levels import levels_of, read_level
from hitonami.minds.puct import Puct
from hitonami.specs import Room

_LEAST_FLOOR: Final = 0.02
_UNFITTED: Final = 64
"""Simulations over a mind that nothing was fitted to."""
QUIET: Final = (0.0, 10.0)
"""No noise at the root."""


def floor_of(simulations: int) -> float:
    """The share of the prior in an answer by visits: people play moves that a search never looks at.

    What n visits leave out weighs about as much as a few of them, so short searches need more of it.
    """
    return min(max(_LEAST_FLOOR, 2.0 / simulations), 0.5)


def ace_search(mind: Mind, simulations: int, theta: tuple[Knob, Knob, Knob], noise: tuple[Knob, Knob] = QUIET) -> Puct:
    """The search that Θ = (τ, t, c_puct) belongs to, and noise (share, concentration) where that was fitted too."""
    tau, prior_temperature, c_puct = theta
    return Puct(
        mind,
        simulations=simulations,
        tau=tau,
        prior_temperature=prior_temperature,
        c_puct=c_puct,
        root_force=0.0,
        noise_share=noise[0],
        noise_concentration=noise[1],
        prior_share=floor_of(simulations),
        proofs=False,
        transpositions=False,
        batch=1,
        reuse="never",
    )


@dataclass(frozen=True)
class Search:
    """A search at a level. Without fields: the packaged expert with the knobs fitted for the player's rating and pool.

    `tau`, `prior_temperature` and `c_puct` replace what was fitted, `mind` the expert. The fitted knobs belong to that
    expert: another mind needs all three. `noise_share` of Dirichlet noise with `noise_concentration` in all disturbs
    the root. `simulations` are those of the fit unless given; a call that names a budget changes nothing, since a
    longer search would be another player.
    """

    mind: Mind | None = None
    tau: Knob | None = None
    prior_temperature: Knob | None = None
    c_puct: Knob | None = None
    simulations: int | None = None
    noise_share: Knob = 0.0
    noise_concentration: Knob = 10.0

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"mind": "uniform", "tau": 1.0, "prior_temperature": 1.5, "c_puct": [[1000, 3], [2000, 1]], "simulations": 12},
    )

    def __post_init__(self) -> None:
        for name, low, high in (("tau", 0.0, 100.0), ("prior_temperature", 0.01, 100.0), ("c_puct", 0.0, 1e6)):
            knob = getattr(self, name)
            if knob is not None:
                check_knob(name, knob, low, high)
            elif self.mind is not None:
                raise BadSpec(f"search: the fitted {name} belongs to the packaged expert; another mind needs its own")
        check_knob("noise_share", self.noise_share, 0.0, 1.0)
        check_knob("noise_concentration", self.noise_concentration, 1e-3, 1e6)
        if self.simulations is not None:
            check_knob("simulations", self.simulations, 1, 2**31 - 1)

    def open(self, room: Room) -> Mind:
        return _Searching(self, room.open({"kind": "expert", "symmetries": 1}) if self.mind is None else self.mind)


@dataclass(frozen=True)
class _Searching:
    """The mind that is open. Queries of one game and pool are searched together."""

    wish: Search
    mind: Mind

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions: dict[int, Opinion] = {}
        places: dict[tuple[str, str], list[int]] = {}
        for at, query in enumerate(queries):
            places.setdefault((query.position.game.name, query.player.pool), []).append(at)
        for rows in places.values():
            group = [queries[at] for at in rows]
            opinions.update(zip(rows, self._puct(group[0])(group, own_budget(effort)), strict=True))
        return [opinions[at] for at in range(len(queries))]

    def _puct(self, query: Query) -> Puct:
        wish = self.wish
        given = {"tau": wish.tau, "prior_temperature": wish.prior_temperature, "c_puct": wish.c_puct}
        tau, heat, c_puct = (_fitted(name, query) if knob is None else knob for name, knob in given.items())
        noise = wish.noise_share, wish.noise_concentration
        return ace_search(self.mind, self._simulations(query), (tau, heat, c_puct), noise)

    def _simulations(self, query: Query) -> int:
        if self.wish.simulations is not None:
            return self.wish.simulations
        return _UNFITTED if self.wish.mind is not None else round(read_level("search", "simulations", [query])[0])


def own_budget(effort: Effort) -> Effort:
    """Of a search that was fitted, or is compared, with the simulations that it has."""
    return replace(effort, seconds=None, simulations=None)


def _fitted(name: str, query: Query) -> Knob:
    """The curve of the query's game and pool."""
    read_level("search", name, [query])  # refuses where there is none
    curves = levels_of(query.position.game.name)["search"][name]
    return curves.get(query.player.pool) or curves[""]
