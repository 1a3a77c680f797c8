"""How often people of a level play a mate in one that they have, and what minds think they do.

Every position of the games drawn in which a move mates at once is a decision: did the person play one of the mating
moves, and what probability does each mind give to them together? By rating group, with intervals over games. A mind
whose draw was fitted to levels (`human`, `blend`) has a second column, "drawn": how often its agent there mates.
Others mate as often as their probability says. Chess only; bullet and low clocks are left out as in an evaluation,
openings are not.

    python benchmarks/missed_mates.py --mind human DATA…
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import chess
import numpy as np

from hitonami.agent import Agent, level_style
from hitonami.core import Effort, LogProbs, Mind, Query, open_game
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.reading import Tally, open_data
from hitonami.dataset.samples import samples_at
from hitonami.evaluate.intervals import interval_of, resample_means, sum_by_game
from hitonami.records import Record
from hitonami.specs import Room

FILTER = "human,no-bullet,clock:30,rated-both,gap:200,no-handicap"


@dataclass(frozen=True)
class Chance:
    """A position with a mate in one: what was played, and which places among the legal moves mate."""

    query: Query
    game: int
    played: bool
    mating: list[int]


def chances_of(record: Record, content: int, keep: Sequence[int]) -> Iterator[Chance]:
    """Positions of a game, at these plies, with a mate in one."""
    rules, board, wanted = open_game("chess"), chess.Board(), {}
    position = rules.start()
    for ply, move in enumerate(record.moves):
        if ply in keep:
            mates = [each for each in board.legal_moves if board.gives_check(each) and _mates(board, each)]
            if mates:
                wanted[ply] = {rules.parse(position, each.uci()) for each in mates}
        if move not in position.legal:
            return
        board.push_uci(rules.format(position, move))
        position = position.follow(move)
    for sample in samples_at(record, sorted(wanted)):
        ids = wanted[sample.query.position.ply]
        places = np.flatnonzero(np.isin(sample.query.position.legal, list(ids))).tolist()
        yield Chance(sample.query, content, sample.move in ids, places)


def _mates(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    found = board.is_checkmate()
    board.pop()
    return found


def collect(data: Sequence[str], split: str) -> list[Chance]:
    rules = parse_filter(FILTER)
    found: list[Chance] = []
    for each in open_data(data, "chess").games(Tally(), split, lambda done: None):  # type: ignore[arg-type]
        plies = set(np.flatnonzero(rules.keeps_moves(each.record)).tolist())
        found += chances_of(each.record, each.content, plies)  # type: ignore[arg-type]
    return found


def ask(found: Sequence[Chance], name: str, mind: Mind) -> dict[str, list[float]]:
    """By column, the chance of each position's mating moves together: as the mind says, and as its agent draws."""
    style = level_style(name)
    agent = Agent(mind, style=style)
    told: list[float] = []
    drawn: list[float] = []
    for begin in range(0, len(found), 256):
        part = found[begin : begin + 256]
        for opinion, chance in zip(mind([each.query for each in part], Effort.seeded()), part, strict=True):
            told.append(_mass(opinion.log_probs, chance))
            drawn.append(_mass(agent.draw_chances(chance.query, opinion.log_probs), chance))
    return {name: told, f"{name}, drawn": drawn} if style else {name: told}


def _mass(log_probs: LogProbs, chance: Chance) -> float:
    return float(np.exp(log_probs[chance.mating]).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+")
    parser.add_argument("--mind", action="append", default=[])
    parser.add_argument("--split", action="append", default=[], help="test, validation, train or all; else test.")
    parser.add_argument("--band", type=float, default=400.0)
    wish = parser.parse_args()
    found = [each for split in wish.split or ["test"] for each in collect(wish.data, split)]
    room, columns = Room(), {"people": [float(each.played) for each in found]}
    try:
        for name in wish.mind or ["human"]:
            columns |= ask(found, name, room.open(name))
    finally:
        room.close()
    show(found, columns, wish.band)


def show(found: Sequence[Chance], columns: dict[str, list[float]], band: float) -> None:
    """A table: one row a group, people and then each mind."""
    groups = [f"{each.query.player.pool} {int((each.query.player.rating or 0) // band * band):>4}" for each in found]
    values = np.array(list(columns.values())).T
    print("group | n |", " | ".join(columns))
    for group in sorted(set(groups)):
        rows = [at for at, each in enumerate(groups) if each == group]
        game = np.unique([found[at].game for at in rows], return_inverse=True)[1]
        sums = sum_by_game(game, values[rows])
        [draws] = resample_means([sums], int(game.max()) + 1, 0)
        cells = [interval_of(float(value), draws[:, at]) for at, value in enumerate(sums.means)]
        told = " | ".join(f"{100 * x.value:.1f} ({100 * x.low:.1f}–{100 * x.high:.1f})" for x in cells)
        print(f"{group} | {len(rows)} | {told}")


if __name__ == "__main__":
    main()
