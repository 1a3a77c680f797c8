"""All measures of likeness in one run: draw once, ask the minds, have their moves judged where that is wished.

What the command and the step of the same name share. Prints nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from hitonami.core import Mind
from hitonami.dataset.reading import Data
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import ask, explain_failures
from hitonami.evaluate.level_matrix import LevelMatrix, level_matrices
from hitonami.evaluate.likeness import check_levels, measure_likeness
from hitonami.evaluate.population import PopulationMatch, find_crossings, match_population
from hitonami.evaluate.selection import Selected, Selection, select_with
from hitonami.judging.blunders import compare_blunders, favourite_losses
from hitonami.judging.judge import Judge
from hitonami.judging.likeness import JudgedLikeness, LikenessRun
from hitonami.judging.losses import agents_of, measure_losses
from hitonami.judging.run import JudgeWish, judge_drawn
from hitonami.progress import Watching
from hitonami.specs import Room

MOST_COMPARED = 4
"""Minds whose regions can be told apart: four make sixteen."""


@dataclass(frozen=True)
class LikenessWish:
    """What is asked for. `minds` are names and the texts of their specs; nobody judges where `judge` is None."""

    minds: Mapping[str, str]
    levels: tuple[float, ...] = ()
    level_matrix: bool = False
    judge: JudgeWish | None = None


def run_likeness(
    plan: Selection,
    wish: LikenessWish,
    arguments: Sequence[str],
    watch: Watching,
    told: Callable[[Selected], None] = lambda drawn: None,
) -> LikenessRun:
    """Do all of it. Input that cannot be used is refused before the data are read; `told` hears what was drawn."""
    check_levels(wish.levels)
    if wish.judge is not None and len(wish.minds) > MOST_COMPARED:
        raise BadInput(f"blunders of at most {MOST_COMPARED} minds are compared, got {len(wish.minds)}")
    with Room() as room:
        minds = {name: room.open(text) for name, text in wish.minds.items()}
        data = plan.open(arguments)
        with _open_judge(plan, wish) as judge:
            drawn = select_with(watch, data, plan)
            told(drawn)
            with watch(drawn.positions, "answers") as meter:
                found = measure_likeness(drawn, minds, wish.levels, report=meter.show)
            matrices = _matrices(drawn, minds, watch) if wish.level_matrix else []
            judged = None if judge is None else _judged(drawn, minds, wish, judge, watch)
        return LikenessRun(drawn, found, _population(data, plan, minds, watch), matrices, judged, wish.minds)


def _open_judge(plan: Selection, wish: LikenessWish) -> AbstractContextManager[Judge | None]:
    return nullcontext() if wish.judge is None else wish.judge.open(plan.game, wish.minds)


def _matrices(drawn: Selected, minds: Mapping[str, Mind], watch: Watching) -> list[LevelMatrix]:
    """Raises WorkFailed where a mind fails."""
    with watch(drawn.positions, "answers") as meter:
        table = ask(drawn, minds, seed=drawn.plan.seed, level_matrix=True, report=meter.show)
    if table.failed:
        raise explain_failures(table.failed)
    return level_matrices(table, seed=drawn.plan.seed)


def _judged(
    drawn: Selected, minds: Mapping[str, Mind], wish: LikenessWish, judge: Judge, watch: Watching
) -> JudgedLikeness:
    judged, seed = judge_drawn(drawn, minds, judge, watch), drawn.plan.seed
    losses = measure_losses(judged, agents_of(judged, drawn.plan.game, wish.minds), seed=seed)
    points = {
        name: tuple(zip(judged.person.tolist(), favourite_losses(judged, name).tolist(), strict=True)) for name in minds
    }
    return JudgedLikeness(losses, points, compare_blunders(judged, list(minds), seed=seed))


def _population(data: Data, plan: Selection, minds: Mapping[str, Mind], watch: Watching) -> list[PopulationMatch]:
    with watch(data.bytes_total, "games") as meter:
        crossings = find_crossings(data, plan, report=meter.show)
    with watch(len(crossings) * len(minds), "answers") as meter:
        return match_population(crossings, minds, seed=plan.seed, report=meter.show)
