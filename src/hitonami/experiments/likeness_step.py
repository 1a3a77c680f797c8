"""The step `likeness`: what `hitonami likeness` measures, as figures, a level matrix and clouds of points."""

from collections.abc import Iterator
from typing import ClassVar, Final, Literal

from hitonami.experiments.likeness import LikenessWish, run_likeness
from hitonami.experiments.step import JUDGE, JUDGED, DrawingStep, Found, Work, figure, grid_of, in_part
from hitonami.judging.run import JudgeWish
from hitonami.outcomes import ALL, Cloud, Figure, Grid
from hitonami.report import likeness

_OWN: Final = "Probabilities of moves, and coherence over levels"
_DISTANCES: Final = "Distance to the last move"
_POPULATION: Final = "Population match: where many met the same position"
_LOSSES: Final = "What moves give away"
_FOUND: Final = "Whose likeliest move is the person's, and who blunders"
_REGIONS: Final = "Positions by who finds the person's move, and nobody else does"


class LikenessStep(DrawingStep):
    """Probabilities of moves, levels, population match, distances; with a mind called `judge`, losses and blunders."""

    VERSION: ClassVar[int] = 2
    do: Literal["likeness"]
    levels: tuple[float, ...] = ()
    level_matrix: bool = False
    nodes: int | None = None

    @property
    def plays(self) -> bool:
        return JUDGE in self.minds

    def run(self, work: Work) -> Found:
        texts = {name: text for name, text in work.minds.items() if name != JUDGE}
        judge = JudgeWish(work.minds[JUDGE], self.nodes, work.shared / JUDGED) if JUDGE in work.minds else None
        wish = LikenessWish(texts, self.levels, self.level_matrix, judge)
        return likeness.as_json(run_likeness(self.plan, wish, work.data, work.watch))

    def figures(self, found: Found) -> Iterator[Figure]:
        for mind in found["minds"]:
            yield from in_part(_OWN, _own_figures(mind, found["decisions"]))
        yield from in_part(_DISTANCES, _distance_figures(found["minds"]))
        yield from in_part(_POPULATION, _population_figures(found["population"]))
        if found["judged"] is not None:
            yield from in_part(_LOSSES, loss_figures(found["judged"]["losses"]["groups"]))
            yield from in_part(_FOUND, finder_figures(found["judged"]["blunders"]))
            yield from in_part(_REGIONS, region_figures(found["judged"]["blunders"]))

    def grids(self, found: Found) -> Iterator[Grid]:
        yield from map(grid_of, found["level_matrices"])

    def clouds(self, found: Found) -> Iterator[Cloud]:
        for mind, points in ((found["judged"] or {}).get("points", {})).items():
            title = f"{mind}: what its likeliest move gives away"
            yield Cloud(title, "loss of the person's move", "of the mind's", tuple(map(tuple, points)))


def _own_figures(mind: Found, decisions: int) -> Iterator[Figure]:
    row = {"group": ALL, "n": decisions} | mind | (mind["coherence"] or {})
    yield from figure(row, "move_calibration_error", "probabilities off by", mind["mind"])
    for name, key in (
        ("same favourite at all levels", "same"),
        ("none comes back", "no_return"),
        ("never falls", "rising"),
    ):
        yield from figure(row, key, name, mind["mind"], "share")


def _distance_figures(minds: list[Found]) -> Iterator[Figure]:
    for row in minds[0]["distances"]:
        yield from figure(row, "people", "distance", "people")
    for mind in minds:
        for row in mind["distances"]:
            yield from figure(row, "mind", "distance", mind["mind"])


def _population_figures(rows: list[Found]) -> Iterator[Figure]:
    """What one gets by copying people is the same whoever is asked."""
    name = "share of people who chose it"
    for row in rows:
        known = row | {"n": row["people"]}
        yield from figure(known, "favourite", name, row["mind"], "share")
        if row["mind"] == rows[0]["mind"]:
            yield from figure(known, "another_person", name, "copying another person", "share")
            yield from figure(known, "most_popular", name, "the most popular move", "share")


def loss_figures(rows: list[Found], *, whole: bool = True) -> Iterator[Figure]:
    """What people and agents give away; with `whole` also how far apart they are, over all groups."""
    for row in rows:
        known = {"group": row["group"], "n": row["n"]}
        yield from figure(known | row["people"], "loss", "loss a move", "people")
        for agent, held in row["agents"].items():
            own = known | held
            yield from figure(own, "loss", "loss a move", agent)
            yield from figure(own, "difference", "minus people", agent, "more")
            if whole and row["group"] == ALL:
                yield from figure(own, "squared", "squared difference", agent)
                yield from figure(own, "more", "loses 0.05 more", agent, "share")
                yield from figure(own, "less", "loses 0.05 less", agent, "share")


def finder_figures(blunders: Found) -> Iterator[Figure]:
    """Who finds the person's move, who is bad, and what each gains on the first."""
    first = blunders["minds"][0]["mind"]
    for mind in blunders["minds"]:
        row = mind | {"group": ALL, "n": blunders["n"]}
        yield from figure(row, "matched", "finds the person's move", mind["mind"], "share")
        yield from figure(row, "bad", "bad", mind["mind"], "share")
        if mind["mind"] != first:
            yield from figure(row, "gain", f"points over {first}", mind["mind"], "points")
            yield from figure(row, "gain_where_bad", f"of them where {first} is bad", mind["mind"], "points")


def region_figures(blunders: Found) -> Iterator[Figure]:
    """The regions of the Venn diagram."""
    first = blunders["minds"][0]["mind"]
    for region in blunders["regions"]:
        who = " + ".join(region["minds"]) or "nobody"
        row = {"group": ALL, "n": blunders["n"], "here": region["n"], "bad": region["n_bad"]}
        yield from figure(row, "here", "positions", who)
        yield from figure(row, "bad", f"where {first} is bad", who)
