"""A whole fit of a level: draw, ask the mind, have the moves judged, fit ρ, check it on games that the fit never saw.

The work that takes long is the judge's. What it said is kept, so a run that was ended goes on where it was when it is
started again, and another mind, another split or another number of positions asks only about what is new.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any, Literal

import numpy as np

from hitonami.agent import level_style
from hitonami.bases import open_base, origin_of_base
from hitonami.core import Mind
from hitonami.customs import customs_of
from hitonami.dataset.groups import Split
from hitonami.dataset.reading import Data
from hitonami.errors import BadInput
from hitonami.evaluate.selection import Selected, Selection, select_with
from hitonami.fits.level import FittedLevel, fit_level, measure_level
from hitonami.fits.store import update_curves
from hitonami.judging.judge import Judge
from hitonami.judging.losses import Judged, Losses
from hitonami.judging.run import JudgeWish, judge_drawn
from hitonami.levels import read_levels, shape_of
from hitonami.models.fitted import packaged_origin
from hitonami.progress import Watching
from hitonami.specs import Room, mind_spec


@dataclass(frozen=True)
class LevelWish:
    """What is asked for."""

    mind: str = "human"
    judge: JudgeWish = field(default_factory=JudgeWish)
    held_out: Split | Literal["none"] = "test"
    out: Path | None = None
    default_pool: str = ""

    def __post_init__(self) -> None:
        if self.out is not None and not level_style(self.mind):
            raise BadInput(
                f"a file of levels holds the draws of the packaged human, blend and search, not of {self.mind!r}"
            )


@dataclass(frozen=True)
class LevelRun:
    """Everything that one run found."""

    drawn: Selected
    mind: str
    judge: str
    nodes: int | None
    fitted: FittedLevel
    held_out: Losses | None = None


def run_level(plan: Selection, wish: LevelWish, data: Data, watch: Watching) -> LevelRun:
    """Do all of it. Input that cannot be used is refused before anything is asked."""
    if wish.out is not None and wish.out.exists():
        read_levels(wish.out)
    with Room() as room:
        minds = {wish.mind: room.open(wish.mind)}
        with wish.judge.open(plan.game, {wish.mind: wish.mind}) as judge:
            drawn, judged = _ask(plan, data, minds, judge, watch)
            fitted = fit_level(judged, wish.mind, seed=plan.seed)
            if wish.out is not None:
                _keep(wish, fitted, drawn, judged, _origin(room, wish.mind, plan.game))
            run = LevelRun(drawn, PurePath(wish.mind).name, judge.name, judge.nodes, fitted)
            other = plan.unseen(wish.held_out)
            if other is None or not fitted.curves:
                return run
            _, unseen = _ask(other, data, minds, judge, watch)
            return replace(run, held_out=measure_level(fitted, unseen, seed=plan.seed))


def _ask(
    plan: Selection, data: Data, minds: Mapping[str, Mind], judge: Judge, watch: Watching
) -> tuple[Selected, Judged]:
    drawn = select_with(watch, data, plan)
    return drawn, judge_drawn(drawn, minds, judge, watch)


def _origin(room: Room, mind: str, game: str) -> str:
    """The network that the mind stands on, as provenance names it."""
    spec = mind_spec(mind)
    base = str(dict(spec.fields).get("base", ""))
    return origin_of_base(open_base(room, base), base) if base else packaged_origin(game, spec.kind)


def _keep(wish: LevelWish, fitted: FittedLevel, drawn: Selected, judged: Judged, origin: str) -> None:
    """Write the curves, with where they came from."""
    assert wish.out is not None
    curves, style = {each.pool: each.curve for each in fitted.curves}, level_style(wish.mind)
    made = {pool: {"minds": [origin], **_provenance(drawn, judged, style, pool)} for pool in curves}
    update_curves(wish.out, ("level", style.partition(":")[0]), curves, made, wish.default_pool)


def _provenance(drawn: Selected, judged: Judged, style: str, pool: str) -> dict[str, Any]:
    """Styles draw from one network, by the curves that shape them."""
    facts, plan = judged.facts, drawn.plan
    kind, _, profile = style.partition(":")
    rows = np.flatnonzero((np.array(facts.pool, dtype=object) == pool) & ~np.isnan(facts.rating))
    pairs = sorted(zip(facts.game[rows].tolist(), facts.ply[rows].tolist(), strict=True))
    return {
        "shape_sha256": shape_of(plan.game, kind, pool, profile),
        "judge": judged.judge,
        "nodes": judged.nodes,
        "least_drawn": customs_of(plan.game).least_drawn,
        **plan.drawn_from,
        "decisions": len(rows),
        "games": len(np.unique(facts.game[rows])),
        "decisions_sha256": sha256(json.dumps(pairs).encode()).hexdigest(),
    }
