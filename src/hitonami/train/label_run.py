"""A whole labelling: the plan from what was asked, the data opened, the work as far as it comes. Prints nothing."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hitonami.core import open_game
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.groups import SplitChoice
from hitonami.dataset.picking import Picking, open_pool
from hitonami.errors import BadInput, WorkFailed
from hitonami.progress import Progress, Watching
from hitonami.specs import mind_spec
from hitonami.train import label as labels
from hitonami.train.labelling import Asking


@dataclass(frozen=True)
class LabelWish:
    """What is asked for. `nodes` and `simulations` are two names of one budget."""

    game: str
    mind: str
    out: Path
    nodes: int | None = None
    simulations: int | None = None
    lines: int | None = None
    policy: bool = False
    played: bool = False
    positions: int | None = None
    per_game: int | None = None
    chosen: str = "none"
    split: SplitChoice = "all"
    jobs: int = 1
    seed: int = 0

    def plan(self) -> labels.LabelPlan:
        """Raises BadInput."""
        if self.nodes is not None and self.simulations is not None:
            raise BadInput("--nodes and --simulations are two names for one budget: give one of them")
        spec = mind_spec(self.mind)
        rules = parse_filter(self.chosen).text
        draw = Picking(open_game(self.game).name, rules, self.split, "90/5/5", self.positions, self.per_game, self.seed)
        asking = Asking(self.nodes or self.simulations, self.policy, self.played, self.seed)
        judge = spec if self.lines is None else labels.with_lines(spec, self.lines)
        return labels.LabelPlan(judge, draw, self.out, asking, self.jobs)


def run_labels(
    wish: LabelWish, data: Sequence[str], watch: Watching, told: Callable[[str], None], *, resume: bool = False
) -> dict[str, Any]:
    """Do all of it and return the manifest; `told` hears what is wrong with the data and which position failed first.

    What was done before an interrupt is kept, and WorkFailed says so.
    """
    plan = wish.plan()
    pool = open_pool(data, plan.draw.game, named=parse_filter(plan.draw.chosen).reads_names)
    for complaint in pool.tally.complaints():
        told(complaint)
    meters: list[Progress] = []
    with ExitStack() as stack:

        def show(news: labels.Progress) -> None:
            if not meters:
                meters.append(stack.enter_context(watch(news.total, "positions")))
            meters[0].show(news.done, news.fresh)

        try:
            manifest = labels.label(plan, pool, resume=resume, report=show)
        except KeyboardInterrupt:
            raise WorkFailed(f"interrupted; {plan.out} is saved, go on with --resume") from None
    if manifest["failed"]["positions"]:
        told(f"the first position without a label: {manifest['failed']['reason']}")
    return manifest
