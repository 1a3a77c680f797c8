"""Traits of Go and Othello against the same counted slowly: sgfmill's board, and discs turned over one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sgfmill.boards import Board

from hitonami.core import Player, Setup, open_game
from hitonami.dataset.columns import columns_of
from hitonami.dataset.shards import table_of
from hitonami.records import Record
from hitonami.traits import measure_traits, traits_of
from hitonami.traits._go_walk import APART, MADE


def chain(board: Board, point: tuple[int, int]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Stones and liberties."""
    colour, stones, liberties, todo = board.get(*point), set(), set(), [point]
    while todo:
        here = todo.pop()
        if here in stones:
            continue
        stones.add(here)
        for there in beside(here, board.side):
            if board.get(*there) is None:
                liberties.add(there)
            elif board.get(*there) == colour:
                todo.append(there)
    return stones, liberties


def beside(point: tuple[int, int], size: int, diagonal: bool = False) -> list[tuple[int, int]]:
    steps = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (abs(a) + abs(b) == 2) == diagonal and (a or b)]
    around = [(point[0] + a, point[1] + b) for a, b in steps]
    return [each for each in around if min(each) >= 0 and max(each) < size]


def stones_of_go(board: Board, point: tuple[int, int], colour: str) -> dict[str, float]:
    other, size = "w" if colour == "b" else "b", board.side
    line = 1 + min(*point, *(size - 1 - each for each in point))
    near = [board.get(*each) for each in beside(point, size)]
    found = {"line": float(line), "contact": float(other in near), "solid": float(colour in near)}
    slanted = [board.get(*each) for each in beside(point, size, diagonal=True)]
    found["diagonal"] = float(colour in slanted and colour not in near)
    for at, name in enumerate(MADE[1:6], 1):
        found[name] = float(min(line, 5) == at)
    before = sum(each[0] == other for each in board.list_occupied_points())
    board.play(*point, colour)
    taken = before - sum(each[0] == other for each in board.list_occupied_points())
    found |= {"captures": float(taken > 0), "stones_taken": float(taken)}
    threatened = [each for each in beside(point, size) if board.get(*each) == other and len(chain(board, each)[1]) == 1]
    return found | {"atari": float(bool(threatened)), "liberties": float(len(chain(board, point)[1]))}


@pytest.mark.parametrize("size", [9, 19])
def test_traits_of_go_are_those_of_a_slow_count(draw_games: Callable[..., Any], size: int) -> None:
    games, records = draw_games("go", 3, 200, (Setup(size=size, rules="japanese"),))
    found, names = measure_traits(games), traits_of("go").names
    for at, record in enumerate(records):
        board, noted = Board(size), {0: list[dict[str, float]](), 1: list[dict[str, float]]()}
        last: list[tuple[int, int] | None] = [None, None]
        passes = [0, 0]
        for ply, move in enumerate(record.moves):
            side = ply % 2
            if move == size * size:
                last[side], passes[side] = None, passes[side] + 1
                continue
            point = divmod(move, size)
            told = stones_of_go(board, point, "bw"[side])
            for name, other in zip(APART[:2], (last[1 - side], last[side]), strict=True):
                if other is not None:
                    dx, dy = abs(point[0] - other[0]), abs(point[1] - other[1])
                    told[name] = dx + dy + max(dx, dy)
                    if name == "from_last":
                        told["tenuki"] = float(max(dx, dy) > size / 3)
            noted[side].append(told)
            last[side] = point
        for side in (0, 1):
            for name in (*MADE, *APART):
                wanted = np.mean([each[name] for each in noted[side] if name in each])
                assert found[at, side, names.index(name)] == pytest.approx(wanted, abs=1e-4), name
            assert found[at, side, names.index("passes")] == pytest.approx(
                passes[side] / (passes[side] + len(noted[side]))
            )


def test_corners_of_go() -> None:
    position, moves = open_game("go").start(Setup(size=19)), []
    for text in ["Q16", "D4", "C16", "R3", "K10", "C6"]:
        moves.append(open_game("go").parse(position, text))
        position = position.play(moves[-1])
    record = Record("go", Setup(size=19), tuple(moves), (Player(), Player()))
    found = measure_traits(columns_of(table_of([record], [""]), "go"))[0]
    told = {name: found[:, at].tolist() for at, name in enumerate(traits_of("go").names)}
    assert told["star"] == [0.5, 0.5]
    assert told["komoku"] == [0.5, 0]
    assert told["san_san"] == [0, 0.5]


def turn_over(cells: dict[tuple[int, int], int], point: tuple[int, int], side: int) -> list[tuple[int, int]]:
    turned = []
    for step in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]:
        line, here = [], (point[0] + step[0], point[1] + step[1])
        while cells.get(here) == 1 - side:
            line.append(here)
            here = (here[0] + step[0], here[1] + step[1])
        turned += line if cells.get(here) == side else []
    return turned


def choices(cells: dict[tuple[int, int], int], side: int) -> int:
    return sum((r, c) not in cells and bool(turn_over(cells, (r, c), side)) for r in range(8) for c in range(8))


def test_traits_of_othello_are_those_of_a_slow_count(draw_games: Callable[..., Any]) -> None:
    games, records = draw_games("othello", 4)
    found, names = measure_traits(games), traits_of("othello").names
    for at, record in enumerate(records):
        cells = {(3, 3): 1, (4, 4): 1, (3, 4): 0, (4, 3): 0}
        noted, corners = {0: list[dict[str, float]](), 1: list[dict[str, float]]()}, [0, 0]
        for ply, move in enumerate(record.moves):
            side, point = ply % 2, divmod(move, 8)
            if move == 64:
                continue
            told: dict[str, float] = {"choices": choices(cells, side), "turned": len(turn_over(cells, point, side))}
            cells |= dict.fromkeys([point, *turn_over(cells, point, side)], side)
            told["choices_left"] = choices(cells, 1 - side)
            edge = sorted(min(each, 7 - each) for each in point)
            corners[side] += edge == [0, 0]
            told |= {"edges": edge[0] == 0 and edge[1] > 1, "c_squares": edge == [0, 1], "x_squares": edge == [1, 1]}
            for name, whose in (("frontier", side), ("their_frontier", 1 - side)):
                told[name] = sum(
                    owner == whose and any(each not in cells for d in (False, True) for each in beside(place, 8, d))
                    for place, owner in cells.items()
                )
            noted[side].append(told)
            if ply + 1 in (20, 40):
                lead = sum(1 - 2 * owner for owner in cells.values())
                assert found[at, :, names.index(f"lead_at_ply_{ply + 1}")].tolist() == [lead, -lead]
        for side in (0, 1):
            for name in noted[side][0]:
                wanted = np.mean([each[name] for each in noted[side]])
                assert found[at, side, names.index(name)] == pytest.approx(wanted, abs=1e-4), name
            assert found[at, side, names.index("corners")] == corners[side]


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        ("f5 f6", "diagonal"),
        ("f5 d6", "perpendicular"),
        ("f5 f4", "parallel"),
        ("d3 c3", "diagonal"),
        ("d3 e3", "parallel"),
        ("c4 e3", "perpendicular"),
    ],
)
def test_answers_to_the_first_disc(moves: str, name: str) -> None:
    game = open_game("othello")
    position, ids = game.start(), []
    for text in moves.split():
        ids.append(game.parse(position, text))
        position = position.play(ids[-1])
    record = Record("othello", Setup(), tuple(ids), (Player(), Player()))
    found = measure_traits(columns_of(table_of([record], [""]), "othello"))[0, 1]
    told = dict(zip(traits_of("othello").names, found.tolist(), strict=True))
    assert [each for each in ("diagonal", "perpendicular", "parallel") if told[each]] == [name]
