"""Which turns of a board a game does not tell apart, found by playing: nobody has to say it.

A turn is one of the game's where the start is its own image and games that are played move by move as images of each
other keep the same moves and the same board. The way that player 1 looks at the board is the turn that takes the start
to the one with sides exchanged, edges included; where moves have no direction those turns are shared, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Diagram, Game, Position, Setup
from hitonami.intuition.lattice import TURNS, turn_cells, turn_step, turns_of_board
from hitonami.intuition.views import BLOCKED, MOST_KINDS, Eyes, list_landings

_GAMES: Final = 6
_PLIES: Final = 60
_EARLY: Final = 10
"""Plies in which the steps of player 0's moves are compared: later, promoted pieces may go backwards."""
_EDGES: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))


@dataclass(frozen=True)
class Frame:
    """How a game is looked at: the kinds of its pieces, its turns, and how player 1 looks at the board."""

    eyes: Eyes
    hexagonal: bool
    turns: tuple[str, ...]
    opposite: str


def find_frame(game: Game[Any], setup: Setup, seed: int = 0) -> Frame:
    """Look at a few random games. Takes a second or less."""
    start = game.start(setup)
    diagram = game.diagram(start)
    eyes = Eyes(_find_kinds(start, diagram, np.random.default_rng(seed)))
    hexagonal = diagram.style == "hexagons"
    codes, high, wide = eyes.codes(start)
    if not wide:
        return Frame(eyes, False, ("same",), "same")
    names = turns_of_board(high, wide, hexagonal)
    plain = [name for name in names if _keeps(name, codes, diagram, swap=False)]
    plain = [name for name in plain if name == "same" or _plays_alike(start, eyes, name, np.random.default_rng(seed))]
    swapped = [name for name in names if _keeps(name, codes, diagram, swap=True)]
    steps = _first_steps(start, wide, np.random.default_rng(seed))
    shared = [name for name in swapped if _edges(name, diagram) == diagram.edges and _goes_alike(name, steps)]
    if not _plays_as_drawn(plain, swapped):
        shared = []
    opposite = "same" if "same" in swapped or not swapped else swapped[0]
    return Frame(eyes, hexagonal, tuple(name for name in names if name in plain or name in shared), opposite)


def _plays_as_drawn(plain: Sequence[str], swapped: Sequence[str]) -> bool:
    """Whether no turn was refused by play: what falls down, falls down for both."""
    return "same" not in swapped or set(swapped) <= set(plain)


def _find_kinds(start: Position, diagram: Diagram, rng: np.random.Generator) -> tuple[tuple[str, str], ...]:
    """Pairs of drawings that mean the same for the two sides; none where each side has one kind."""
    seen: tuple[dict[str, None], dict[str, None]] = {}, {}
    game = start.game
    for here in [start, *_random_games(start, rng)]:
        for row in game.diagram(here).rows:
            for cell in row:
                if cell.side is not None and not cell.off:
                    seen[cell.side][cell.glyph] = None
    if max(len(each) for each in seen) < 2:
        return ()
    pairs = _pair_by_start(diagram)
    kinds = [(glyph, pairs.get(glyph, glyph)) for glyph in seen[0]]
    known = {other for _, other in kinds}
    kinds += [(glyph, glyph) for glyph in seen[1] if glyph not in known]
    return tuple(kinds[:MOST_KINDS])


def _random_games(start: Position, rng: np.random.Generator) -> list[Position]:
    found = []
    for _ in range(_GAMES):
        here = start
        for ply in range(2 * _PLIES):
            if not len(here.legal):
                break
            here = here.play(int(rng.choice(here.legal)))
            if ply % 5 == 0:
                found.append(here)
    return found


def _pair_by_start(diagram: Diagram) -> dict[str, str]:
    """Player 1's drawing for each of player 0's, by the turn that exchanges most of the start."""
    cells = [cell for row in diagram.rows for cell in row]
    high, wide = len(diagram.rows), len(diagram.rows[0])
    best: dict[str, str] = {}
    fewest = len(cells) + 1, 0
    for name in ("upside down", "half turn"):
        taken = turn_cells(name, high, wide)
        found: dict[str, str] = {}
        odd = 0
        for at, cell in enumerate(cells):
            other = cells[taken[at]]
            if cell.side == 0 and other.side == 1:
                odd += found.setdefault(cell.glyph, other.glyph) != other.glyph
            elif cell.side == 0:
                odd += 1
        unlike = sum(own != other for own, other in found.items())
        if (odd, unlike) < fewest:
            best, fewest = found, (odd, unlike)
    return best


def _edges(name: str, diagram: Diagram) -> tuple[int | None, ...]:
    """Whose the edges are after a turn."""
    turned = [turn_step(TURNS[name], way) for way in _EDGES]
    return tuple(diagram.edges[turned.index(way)] for way in _EDGES)


def _keeps(name: str, codes: NDArray[np.int8], diagram: Diagram, *, swap: bool) -> bool:
    """Whether a turn takes the start to itself, or with `swap` to the start with sides exchanged."""
    turned = np.empty_like(codes)
    turned[turn_cells(name, len(diagram.rows), len(diagram.rows[0]))] = codes
    wanted = np.where(codes == BLOCKED, codes, -codes) if swap else codes
    edges = [1 - each if swap and each is not None else each for each in diagram.edges]
    return bool((turned == wanted).all()) and list(_edges(name, diagram)) == edges


def _first_steps(start: Position, wide: int, rng: np.random.Generator) -> set[tuple[int, int]]:
    """From where to where player 0's first moves go."""
    steps = set()
    for here in [start, *islice(_random_games(start, rng), 4 * _EARLY)]:
        if here.to_move or here.ply >= _EARLY:
            continue
        for origin, target in list_landings(here, wide).tolist():
            if origin >= 0:
                steps.add((target // wide - origin // wide, target % wide - origin % wide))
    return steps


def _goes_alike(name: str, steps: set[tuple[int, int]]) -> bool:
    return {turn_step(TURNS[name], step) for step in steps} == steps


def _plays_alike(start: Position, eyes: Eyes, name: str, rng: np.random.Generator) -> bool:
    """Whether games that are images of each other stay so."""
    codes, high, wide = eyes.codes(start)
    taken = np.append(turn_cells(name, high, wide), -1)  # where nothing is left or landed on stays -1
    for _ in range(_GAMES):
        here, image = start, start
        for _ in range(_PLIES):
            if not len(here.legal) or not len(image.legal):
                break
            own = taken[list_landings(here, wide)]
            other = list_landings(image, wide)
            if sorted(map(tuple, own.tolist())) != sorted(map(tuple, other.tolist())):
                return False
            at = int(rng.integers(len(own)))
            alike = np.flatnonzero((own == own[at]).all(axis=1))
            images = np.flatnonzero((other == own[at]).all(axis=1))
            twin = int(images[int(np.flatnonzero(alike == at)[0])])
            here, image = here.play(int(here.legal[at])), image.play(int(image.legal[twin]))
            after = np.empty_like(codes)
            after[taken[:-1]] = eyes.codes(here)[0]
            if here.to_move != image.to_move or not (after == eyes.codes(image)[0]).all():
                return False
        if here.score != image.score:
            return False
    return True
