"""Who judges a review: whom the caller names, else whoever on this machine can, else random games by the rules alone.

An engine that is merely found has to show that it can judge: it takes the limit that is wanted, and tells chances of
the game's first position. One that does not is passed over, and the reason is kept. A judge that somebody named is
taken or refused, never replaced.
"""

import os
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from hitonami.core import Position, open_game
from hitonami.errors import BadInput, EngineFailed
from hitonami.judging.judge import Judge, default_judge, judge_variable, open_judge
from hitonami.models.self_played import expert_sees


@dataclass(frozen=True)
class Bench:
    """The judge of a review, None for nobody."""

    judge: Judge | None = None
    passed_over: str = ""
    """Why the engine of this machine does not judge, "" where it does or there is none."""

    @property
    def name(self) -> str:
        """As people are told it, "" for nobody."""
        return "" if self.judge is None else name_of(self.judge)


def name_of(judge: Judge) -> str:
    """As people are told it."""
    return "the expert head of the packaged network" if judge.spec.kind == "expert" else judge.name.removesuffix("()")


def open_bench(stack: ExitStack, start: Position, text: str | None, *, nodes: int | None, cache: Path) -> Bench:
    """The judge that is named ("none" for nobody); else an engine that can judge, else the expert head, else `playout`.

    `start` is where the game begins: an expert may not know its board. The stack ends the judge. Raises BadInput or
    EngineFailed where a judge that was named cannot judge.
    """
    if text == "none":
        return Bench()
    game = start.game.name
    if text is not None or os.environ.get(judge_variable(game)):
        return Bench(stack.enter_context(open_judge(game, text, nodes=nodes, cache=cache)))
    try:
        spec = default_judge(game)
    except BadInput:
        return _own(stack, start, cache, "")
    try:
        with ExitStack() as trial:
            judge = trial.enter_context(open_judge(game, spec, nodes=nodes, cache=cache))
            judge([(open_game(game).start(), None)])
            stack.enter_context(trial.pop_all())
            return Bench(judge)
    except (BadInput, EngineFailed) as wrong:
        return _own(stack, start, cache, str(wrong))


def _own(stack: ExitStack, start: Position, cache: Path, passed_over: str) -> Bench:
    """What comes with the package: it needs no engine, and takes no limit."""
    spec = "expert:0" if expert_sees(start) else "playout"
    return Bench(stack.enter_context(open_judge(start.game.name, spec, cache=cache)), passed_over)
