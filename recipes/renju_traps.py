"""Trap states of renju: positions in which the natural move is forbidden, or loses by force.

    python recipes/renju_traps.py make recipes/renju-traps.json [--positions 60]
    python recipes/renju_traps.py ask recipes/renju-traps.json --mind uniform --mind playout:64 [--html traps.html]

`make` plays games by a simple rule (go on with the longest row, or stop the other side's) and keeps positions whose
natural move, the best by that rule, is a trap while another move is not. A move loses where the other side then wins
by fours alone, each answered in the only way: by a second four at once, by five, or by a four that Black may not
answer, because the point is forbidden. `ask` says how often minds fall in: the chance on losing moves, and whether the
likeliest move is one.
"""

import argparse
import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Effort, Query, open_game
from hitonami.evaluate.intervals import Interval, interval_of, resample_means, sum_by_game
from hitonami.games._five import FivePosition
from hitonami.games._five_rules import count_run, is_forbidden, makes_five
from hitonami.report.small_board import draw_board
from hitonami.specs import Room

_GAME = open_game("renju")
_SIZE = 15
_FOURS = 4
"""Fours in a row that are looked for."""
_LEAST_LOSING = 5
_GAMES_EACH = 6
"""Games that are played at most for each position that is wanted."""
_PLIES = (9, 36)
_WARMTH = 1.3
_DRAWN = 12
"""Positions on the page."""
KINDS = ("forbidden", "answer forbidden", "fours")
Cells = NDArray[np.uint8]


def _near(cells: Cells, reach: int) -> list[int]:
    """Empty points within reach of a stone."""
    board = cells.reshape(_SIZE, _SIZE) > 0
    wide = np.zeros_like(board)
    for row, column in np.argwhere(board).tolist():
        wide[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1] = True
    found: list[int] = np.flatnonzero(wide.ravel() & (cells == 0)).tolist()
    return found


def _fives(cells: Cells, colour: int, points: list[int]) -> list[int]:
    """Where a stone of this colour makes five."""
    return [point for point in points if makes_five(cells, _SIZE, point, colour, colour == 1)]


def _in_reach(point: int) -> list[int]:
    """The points on the lines through a point that can be in five with it."""
    row, column = divmod(point, _SIZE)
    steps = [(a * n, b * n) for a, b in ((0, 1), (1, 0), (1, 1), (1, -1)) for n in range(-4, 5) if n]
    return [(row + a) * _SIZE + column + b for a, b in steps if 0 <= row + a < _SIZE and 0 <= column + b < _SIZE]


_LINES = [_in_reach(point) for point in range(_SIZE * _SIZE)]


def wins_by_fours(cells: Cells, colour: int, depth: int = _FOURS) -> str:
    """How the side to move wins by fours, a kind of trap for the other; "" where it does not."""
    other = 3 - colour
    near = _near(cells, 2)
    if _fives(cells, colour, near):
        return "fours"
    must = _fives(cells, other, near)
    if depth == 0 or len(must) > 1:
        return ""
    for point in must or near:
        stones = [each for each in _LINES[point] if cells[each] == colour]
        if len(stones) < 3 or (colour == 1 and is_forbidden(cells, _SIZE, point)):
            continue
        cells[point] = colour
        found = _after_four(cells, colour, point, depth)
        cells[point] = 0
        if found:
            return found
    return ""


def _after_four(cells: Cells, colour: int, point: int, depth: int) -> str:
    """The same for a stone that was just placed and may have made a four."""
    other = 3 - colour
    answers = _fives(cells, colour, [each for each in _LINES[point] if not cells[each]])
    if not answers or _fives(cells, other, _near(cells, 1)):
        return ""
    if len(answers) > 1:
        return "fours"
    [answer] = answers
    if other == 1 and is_forbidden(cells, _SIZE, answer):
        return "answer forbidden"
    cells[answer] = other
    found = wins_by_fours(cells, colour, depth - 1)
    cells[answer] = 0
    return found


def pull_of(cells: Cells, side: int, points: list[int]) -> NDArray[np.float64]:
    """[points] how natural a move is: the longest own row it makes, and the longest of the other side's it stops."""
    own, other = side + 1, 2 - side
    rows = [
        sorted(
            (count_run(cells, _SIZE, point, colour, way) + (0.1 if colour == own else 0.0))
            for colour in (own, other)
            for way in range(4)
        )
        for point in points
    ]
    return np.array([row[-1] + 0.3 * row[-2] + 0.1 * row[-3] for row in rows])


def traps(position: FivePosition) -> dict[str, Any] | None:
    """A position as a trap: its natural move, and the moves that do not lose. None where it is none."""
    side, cells = position.to_move, position.cells.copy()
    near = _near(cells, 2)
    if _fives(cells, 1, near) or _fives(cells, 2, near):
        return None  # somebody makes five at once: nothing natural about it
    legal = set(position.legal.tolist())
    natural = near[int(pull_of(cells, side, near).argmax())]
    kind = "forbidden" if natural not in legal else _loses(cells, side, natural)
    if not kind:
        return None
    elsewhere = "" if wins_by_fours(cells, 2 - side) == "" else "fours"  # a move far away changes nothing
    safe = [move for move in position.legal.tolist() if not (_loses(cells, side, move) if move in near else elsewhere)]
    if not safe or len(legal) - len(safe) < _LEAST_LOSING or wins_by_fours(cells, side + 1):
        return None
    return {"position": _GAME.write(position), "kind": kind, "natural": natural, "safe": safe}


def _loses(cells: Cells, side: int, move: int) -> str:
    cells[move] = side + 1
    found = wins_by_fours(cells, 2 - side)
    cells[move] = 0
    return found


def play_on(rng: np.random.Generator) -> Iterator[FivePosition]:
    """The positions of a game by the simple rule."""
    here = _GAME.start()
    for word in str(rng.choice([opening.moves for opening in _GAME.customs.openings])).split():
        here = here.play(_GAME.parse(here, word))
    while len(here.legal) and here.ply < _PLIES[1]:
        points = [point for point in _near(here.cells, 2) if point in set(here.legal.tolist())]
        if not points:
            return
        warm = np.exp(_WARMTH * pull_of(here.cells, here.to_move, points))
        here = here.play(points[int(rng.choice(len(points), p=warm / warm.sum()))])
        if here.ply >= _PLIES[0] and len(here.legal):
            yield here


def make(count: int) -> list[dict[str, Any]]:
    """As many traps of each kind as are found, one a game, until there are enough in all."""
    found: list[dict[str, Any]] = []
    for seed in range(_GAMES_EACH * count):
        rng = np.random.default_rng([23, seed])
        for here in play_on(rng):
            trap = traps(here)
            have = sum(each["kind"] == trap["kind"] for each in found) if trap else 0
            if trap and have < count // 2:
                found.append(trap)
                print(f"{len(found)} of {count}, game {seed}: {trap['kind']}", flush=True)
                break
        if len(found) == count:
            break
    return found


def ask(suite: list[dict[str, Any]], spec: str) -> tuple[NDArray[np.float64], list[int]]:
    """[positions, 2] the chance on losing moves, and whether the likeliest is one; the likeliest moves."""
    positions = [_GAME.read(each["position"]) for each in suite]
    with Room() as room:
        opinions = room.open(spec)([Query(position) for position in positions], Effort.seeded())
    rows, best = [], []
    for each, position, opinion in zip(suite, positions, opinions, strict=True):
        lost = ~np.isin(position.legal, each["safe"])
        chances = np.exp(opinion.log_probs.astype(np.float64))
        rows.append((chances[lost].sum() / chances.sum(), float(lost[int(chances.argmax())])))
        best.append(int(position.legal[int(chances.argmax())]))
    return np.array(rows), best


def share(rows: NDArray[np.float64]) -> list[Interval]:
    sums = sum_by_game(np.arange(len(rows)), rows)
    [draws] = resample_means([sums], len(rows), 23)
    return [interval_of(float(sums.means[at]), draws[:, at]) for at in (0, 1)]


def _say(found: Interval) -> str:
    return f"{found.value:.0%} ({found.low:.0%}–{found.high:.0%})"


def page(suite: list[dict[str, Any]], table: list[tuple[str, ...]], played: dict[str, list[int]]) -> str:
    """A table, and some of the positions: the ring is the natural move."""
    lines = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in table]
    head = "<tr><th>mind<th>kind<th>n<th>chance on losing moves<th>likeliest move loses</tr>"
    boards = []
    for at, each in enumerate(suite[:_DRAWN]):
        position = _GAME.read(each["position"])
        answers = "; ".join(f"{mind}: {_name(position, moves[at])}" for mind, moves in played.items())
        drawn = draw_board(_GAME.diagram(position), [divmod(each["natural"], _SIZE)], None)
        side, safe = _GAME.sides[position.to_move], len(each["safe"])
        boards.append(
            f"<figure>{drawn}<figcaption>{side} to move; {escape(each['kind'])}; "
            f"{safe} of {len(position.legal)} moves do not lose. {escape(answers)}</figcaption></figure>"
        )
    style = (
        "body{font:15px sans-serif;margin:2em}figure{display:inline-block;width:19em;margin:.6em;vertical-align:top}"
    )
    table_text = f"<table border=1 cellpadding=6>{head}{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
    return (
        f"<!doctype html><meta charset=utf-8><title>Trap states of renju</title><style>{style}</style>"
        "<h1>Trap states of renju</h1><p>The ring is the natural move: it is forbidden, or loses by force.</p>"
        f"{table_text}{''.join(boards)}"
    )


def _name(position: FivePosition, move: int) -> str:
    return _GAME.format(position, move)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["make", "ask"])
    parser.add_argument("suite", type=Path)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--mind", action="append", default=[])
    parser.add_argument("--html", type=Path)
    asked = parser.parse_args()
    if asked.what == "make":
        asked.suite.write_text(json.dumps(make(asked.positions), indent=0) + "\n", encoding="utf-8")
        return
    suite = json.loads(asked.suite.read_text(encoding="utf-8"))
    table, played = [], {}
    for spec in asked.mind:
        rows, played[spec] = ask(suite, spec)
        for kind in ("all", *KINDS):
            here = np.array([kind in ("all", each["kind"]) for each in suite])
            if here.any():
                row = (spec, kind, str(here.sum()), *(_say(each) for each in share(rows[here])))
                table.append(row)
                print("  ".join(row), flush=True)
    if asked.html:
        asked.html.write_text(page(suite, table, played), encoding="utf-8")


if __name__ == "__main__":
    main()
