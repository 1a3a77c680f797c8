"""The step `losses`: losses and blunders by the dissertation's protocol, temperatures from another split."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from hitonami.core import Mind
from hitonami.dataset.reading import open_data
from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.selection import Selection, select
from hitonami.experiments.likeness_step import finder_figures, region_figures
from hitonami.experiments.step import JUDGE, JUDGED, DrawingStep, Found, Work, figure, in_part, without_judge
from hitonami.judging.as_published import PublishedLosses, measure_as_published
from hitonami.judging.judge import Judge, scale_of
from hitonami.judging.losses import Judged
from hitonami.judging.run import JudgeWish, judge_drawn
from hitonami.outcomes import ALL, Cloud, Figure
from hitonami.report.likeness import blunders_json
from hitonami.specs import open_minds


class LossesStep(DrawingStep):
    """What minds' moves give away beside people's, in positions that are not decided; the first mind is the measure."""

    do: Literal["losses"]
    nodes: int | None = None
    fit_on: Literal["train", "validation", "test"] = "validation"
    fit_positions: int | None = Field(default=None, ge=1)

    def run(self, work: Work) -> Found:
        texts = without_judge(work, self.name)
        wish = JudgeWish(work.minds[JUDGE], self.nodes, work.shared / JUDGED)
        fit_plan = replace(self.plan, split=self.fit_on, positions=self.fit_positions or self.positions)
        with open_minds(texts) as minds, wish.open(self.game, texts) as judge:
            fit_on, judged = (self._judge(plan, minds, judge, work) for plan in (fit_plan, self.plan))
            return _as_json(measure_as_published(fit_on, judged, scale_of(judge), seed=self.seed))

    def _judge(self, plan: Selection, minds: Mapping[str, Mind], judge: Judge, work: Work) -> Judged:
        data = open_data(work.data, plan.game, named=plan.rules.reads_names)
        with work.watch(data.bytes_total, "games") as meter:
            drawn = select(data, plan, meter.show)
        return judge_drawn(drawn, minds, judge, work.watch)

    def figures(self, found: Found) -> Iterator[Figure]:
        every = {"group": ALL, "n": found["n"]}
        yield from in_part("Losses", figure(every | found, "people", "loss a move", "people"))
        yield from in_part("Losses", figure(every | found, "people_centipawns", "loss in centipawns", "people"))
        for mind in found["minds"]:
            yield from in_part("Losses", _loss_figures(every | mind))
        yield from in_part("Who finds the person's move, and who blunders", finder_figures(found["blunders"]))
        yield from in_part("Positions by who finds the person's move", region_figures(found["blunders"]))

    def clouds(self, found: Found) -> Iterator[Cloud]:
        for mind, points in found["points"].items():
            title = f"{mind}: what its draws give away"
            yield Cloud(title, "loss of the person's move", "mean loss of the mind's", tuple(map(tuple, points)))


def _loss_figures(row: dict[str, Any]) -> Iterator[Figure]:
    yield from figure(row | {"n": row["n_fit"]}, "temperature", "temperature", row["mind"])
    yield from figure(row, "loss", "loss a move", row["mind"])
    yield from figure(row, "squared", "squared difference", row["mind"])
    yield from figure(row, "more", "loses 0.05 more", row["mind"], "share")
    yield from figure(row, "less", "loses 0.05 less", row["mind"], "share")


def _as_json(found: PublishedLosses) -> Found:
    return {
        "judged": found.judged,
        "n": found.n,
        "people": vars(found.people),
        "people_centipawns": vars(found.people_centipawns),
        "minds": [
            {name: vars(value) if isinstance(value, Interval) else value for name, value in vars(each).items()}
            | {"n_fit": found.n_fit}
            for each in found.minds
        ],
        "points": {name: [[round(x, 4), round(y, 4)] for x, y in held] for name, held in found.points.items()},
        "blunders": blunders_json(found.blunders),
    }
