"""Whole runs before a judge: how much is given away a move, and what becomes of won positions. Prints nothing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from hitonami.core import Mind
from hitonami.evaluate.grouping import Group
from hitonami.evaluate.selection import Selected, Selection, select_with
from hitonami.judging.conversion import ConversionPlan, Summary, Won, course_of_people, find_won, play_on, summarise
from hitonami.judging.judge import Judge, cache_folder, open_judge
from hitonami.judging.losses import Judged, Losses, agents_of, ask_decisions, judge_choices, measure_losses
from hitonami.progress import Progress, Watching
from hitonami.specs import mind_spec, open_minds

_SHARES: Final = 1000
"""Steps of a progress whose total is known only on the way."""


@dataclass(frozen=True)
class JudgeWish:
    """Who judges: a mind's text, or None for the judge of this machine; its limit, memory and processes."""

    spec: str | None = None
    nodes: int | None = None
    cache: Path | None = None
    jobs: int = 1

    @contextmanager
    def open(self, game: str, minds: Mapping[str, str]) -> Iterator[Judge]:
        """The judge, refused where it is one of the minds."""
        folder = self.cache or cache_folder()
        with open_judge(game, self.spec, nodes=self.nodes, cache=folder, jobs=self.jobs) as judge:
            judge.refuse_own(minds)
            yield judge


def judge_drawn(drawn: Selected, minds: Mapping[str, Mind], judge: Judge, watch: Watching) -> Judged:
    """Ask the minds about all that was drawn, then the judge about their moves, each with a progress."""
    with watch(drawn.positions, "decisions") as meter:
        choices = ask_decisions(drawn, minds, lambda done: meter.show(done, done))
    with watch(_SHARES, "positions judged") as meter:
        return judge_choices(choices, judge, lambda done, total: meter.show(_SHARES * done // max(total, 1), done))


def run_losses(  # noqa: PLR0913, PLR0917  (what, whom, by whom, of what, and two who listen)
    plan: Selection,
    texts: Mapping[str, str],
    wish: JudgeWish,
    arguments: Sequence[str],
    watch: Watching,
    told: Callable[[Selected], None] = lambda drawn: None,
) -> tuple[Selected, Losses]:
    """What people and agents of their level give away a move. `told` hears what was drawn before anybody is asked."""
    with open_minds(texts) as minds, wish.open(plan.game, texts) as judge:
        drawn = select_with(watch, plan.open(arguments), plan)
        told(drawn)
        judged = judge_drawn(drawn, minds, judge, watch)
    return drawn, measure_losses(judged, agents_of(judged, plan.game, texts), seed=plan.seed)


@dataclass(frozen=True)
class Endings:
    """For each group the people's courses and each mind's."""

    game: str
    split: str
    judge: str
    won: float
    groups: dict[Group, dict[str, Summary]]
    """By who went on: "people" first, then the minds."""


def run_endings(  # noqa: PLR0913, PLR0917
    plan: ConversionPlan,
    texts: Mapping[str, str],
    wish: JudgeWish,
    arguments: Sequence[str],
    out: Path | None,
    watch: Watching,
) -> Endings:
    """Find positions that the judge calls won, and let each mind go on from them. `out` keeps the games."""
    with wish.open(plan.game, texts) as judge:
        data = plan.open(arguments)
        with watch(data.bytes_total, "games") as meter:
            found = find_won(data, judge, plan, meter.show)
        judged_by = judge.name
    with watch(2 * len(texts) * sum(map(len, found.values())), "games") as meter:
        groups = _play_all(plan, texts, found, out, meter)
    return Endings(plan.game, plan.split, judged_by, plan.won, groups)


def _play_all(
    plan: ConversionPlan, texts: Mapping[str, str], found: Mapping[Group, list[Won]], out: Path | None, meter: Progress
) -> dict[Group, dict[str, Summary]]:
    groups = {
        group: {"people": summarise([[course_of_people(each)] for each in wons], plan.seed)}
        for group, wons in found.items()
    }
    done = 0
    for name, text in texts.items():
        for group, wons in found.items():
            folder = None if out is None else out / f"{name}-{group.pool}-{group.name}".replace("/", "_")
            courses = play_on(plan, mind_spec(text), wons, folder, partial(_show, meter, done))
            groups[group][name] = summarise(courses, plan.seed)
            done += 2 * len(wons)
    return groups


def _show(meter: Progress, before: int, games: int) -> None:
    meter.show(before + games, before + games)
