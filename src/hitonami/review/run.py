"""A whole review: minds, judge and level opened for one game, the walk through it, its summary. Prints nothing."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from hitonami.core import open_game
from hitonami.errors import BadInput
from hitonami.judging.judge import cache_folder
from hitonami.models.self_played import expert_sees
from hitonami.progress import Watching
from hitonami.review.judging import open_bench
from hitonami.review.levels import level_for, no_level, pool_of, without_levels
from hitonami.review.reading import Chosen
from hitonami.review.steps import Review
from hitonami.review.walk import Minds, Reviewing
from hitonami.specs import Room, base_of
from hitonami.strength.estimate import calibration_for
from hitonami.strength.run import standing_on

Tell = Callable[[str], None]


@dataclass(frozen=True)
class ReviewWish:
    """What is asked for. `named` is whether somebody chose the mind, or it is what the game has."""

    mind: str = "human"
    named: bool = False
    rating: float | None = None
    pool: str = ""
    judge: str | None = None
    nodes: int | None = None
    cache: Path | None = None


def run_review(chosen: Chosen, wish: ReviewWish, watch: Watching, told: Tell) -> Review:
    """Review the game; `told` hears who judges instead of whom, and of an interrupt."""
    with ExitStack() as stack:
        return walk_through(_open(stack, chosen, wish, told), watch, told)


def walk_through(reviewing: Reviewing, watch: Watching, told: Tell) -> Review:
    """An interrupted review is a shorter one; before its first move there is none, and KeyboardInterrupt goes on."""
    try:
        with watch(reviewing.moves, "moves") as meter:
            for done, _ in enumerate(reviewing, start=1):
                meter.show(done, done)
    except KeyboardInterrupt:
        if not reviewing.steps:
            raise
        told(f"interrupted after {len(reviewing.steps)} of {reviewing.moves} moves")
    return reviewing.summary()


def _open(stack: ExitStack, chosen: Chosen, wish: ReviewWish, told: Tell) -> Reviewing:
    record = chosen.record
    game, pool, mind, nodes = record.game, pool_of(record, wish.pool), wish.mind, wish.nodes
    room = stack.enter_context(Room())
    start = open_game(game).start(record.setup)
    expert = room.open("expert:0") if mind == "human" and expert_sees(start) else None
    base = base_of(mind)
    known = mind == "human" or base
    calibration = calibration_for(game, pool, expert is not None, standing_on(room, base)) if known else None
    if wish.judge == "none" and nodes is not None:
        raise BadInput("--nodes is for a judge, and there is none")
    bench = open_bench(stack, start, wish.judge, nodes=nodes, cache=wish.cache or cache_folder())
    if nodes is not None and (bench.judge is None or bench.judge.nodes is None):
        raise BadInput(f"--nodes is for a judge that searches: name one with --judge. {bench.passed_over}".rstrip())
    if bench.passed_over:
        told(f"{bench.name or 'nobody'} judges, for the engine cannot: {bench.passed_over}")
    because = without_levels(record, mind, wish.named)
    level = no_level(because, wish.rating) if because else level_for(record, pool, wish.rating, calibration)
    return Reviewing(chosen, Minds(room.open(mind), expert, bench.judge, calibration, mind), level)
