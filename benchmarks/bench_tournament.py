"""Games that advance together against games one after the other, in the same run.

Ours is a tournament's block of 32 games, opening its minds included. The reference plays the same openings to the same
length as one would without batches: an agent decides, the move is played, and so on, with the network loaded before.
Rules, encoding and drawing cost both sides the same, and on one thread a pass over 32 positions is hardly cheaper than
32 passes for a network of Maia's size (6×64), so the gain there is bounded; the bars guard it. A small network (1×32)
and all cores are told beside it. Networks are random, made here.
"""

import hashlib
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from _measure import Row, ratio_of, show
from bench_serving import make_model, random_network
from hitonami.agent import Agent, Play
from hitonami.core import Effort, Query, Setup, open_game
from hitonami.matches.entrants import Entrant
from hitonami.matches.openings import deal, read_openings
from hitonami.matches.pairing import Schedule
from hitonami.matches.tournament import run_tournament
from hitonami.models.importers.lc0 import to_onnx
from hitonami.models.store import Model, write_model
from hitonami.specs import mind_spec, open_mind

TOGETHER, ALONE, PLIES = 32, 8, 40


def make_plan(folder: Path, threads: int) -> Schedule:
    spec = mind_spec({"kind": "neural", "model": str(folder), "threads": threads, "cache": 0})
    book = read_openings("book", open_game("chess"), Setup())
    assert isinstance(book, tuple)
    entrants = Entrant("a@1100", spec, 1100.0), Entrant("b@1900", spec, 1900.0)
    return Schedule("chess", entrants, TOGETHER, deal(book, 0), max_plies=PLIES, resigns=False)


def play_alone(agent: Agent, plan: Schedule) -> int:
    """The first games of the plan, one after the other."""
    assert isinstance(plan.openings, tuple)
    for number in range(ALONE):
        position, effort = open_game("chess").start(), Effort(np.random.default_rng(number))
        for move in plan.openings[number // 2].moves:
            position = position.play(move)
        seats = plan.entrants if number % 2 == 0 else plan.entrants[::-1]
        while len(position.legal) and position.ply < PLIES and position.game.claims(position).draw is None:
            here = position.to_move
            query = Query(position, seats[here].asked_as, seats[1 - here].asked_as)
            action = agent.decide(query, effort).action
            if not isinstance(action, Play):
                break
            position = position.play(action.move)
    return ALONE


def measure(name: str, folder: Path, threads: int, bar: float | None) -> Row:
    plan = make_plan(folder, threads)
    with open_mind(plan.entrants[0].mind) as mind:
        agent = Agent(mind, patience=None)
        return ratio_of(
            f"tournament: {TOGETHER} games at once against one by one, {name}",
            lambda: len(run_tournament(plan).games),
            lambda: play_alone(agent, plan),
            at_least=bar,
            rounds=5,
        )


def write_small(large: Model, folder: Path) -> None:
    onnx = to_onnx(random_network(width=32, blocks=1))
    card = large.card.model_copy(update={"model_sha256": hashlib.sha256(onnx).hexdigest(), "name": "small"})
    write_model(replace(large, card=card, onnx=onnx), folder)


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        write_small(make_model(Path(name)), Path(name) / "small")
        return [
            measure("a small network, one thread", Path(name) / "small", 1, 1.3),
            measure("Maia's size, one thread", Path(name) / "random", 1, 1.2),
            measure("Maia's size, all cores", Path(name) / "random", 0, None),
        ]


if __name__ == "__main__":
    show(run())
