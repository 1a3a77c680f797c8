"""Kernels for the Go board: play one stone, find every legal point.

Cells are uint8[2·n] for n points: first the stones (0 empty, 1 Black, 2 White), then who ever stood on
each point (bit 1 Black, bit 2 White), without which superko would have to be looked up for every point.
The trail is uint64[plies + 1], one Zobrist hash a position from the start to here. Two different boards
of one game share a 64-bit hash with a chance below 1e-13, and that is the one inexactness here.

Inside, the board has a margin of one point, so that neighbours need no bounds check. Nothing here knows
of passes, turns or scores.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.kernel import kernel

Cells = NDArray[np.uint8]

SUPERKO: Final = 1
"""No play may repeat a position of the trail."""
SITUATIONAL: Final = 2
"""The side to move is part of a position's hash."""
SUICIDE: Final = 4
"""A play may take its own chain off the board."""
LONE_SUICIDE: Final = 8
"""...even a chain of one stone, which leaves the board as it was."""

TAKEN: Final = -1
KO: Final = -2
NO_LIBERTY: Final = -3
REPEATS: Final = -4
REASONS: Final = {
    TAKEN: "the point is taken",
    KO: "the ko may not be retaken at once",
    NO_LIBERTY: "the stone would have no liberty",
    REPEATS: "the board would repeat an earlier one",
}
"""Why `place` refuses, by its answer."""

WALL: Final = 3
MARGINED: Final = 27 * 27
_BLOOM: Final = 4096
_ZOBRIST: Final = np.random.default_rng(0x60).integers(1, 2**63, size=(3, MARGINED), dtype=np.uint64)
WHITE_TO_MOVE: Final = np.uint64(0x9E3779B97F4A7C15)


@kernel
def with_margin(cells: Any, size: int) -> Any:
    """The stones on a board of (size + 2)² with walls around; out[p] belongs to (p // wide - 1, p % wide - 1)."""
    wide = size + 2
    out = np.full(wide * wide, WALL, np.uint8)
    at = 0
    for row in range(size):
        to = (row + 1) * wide + 1
        for column in range(size):
            out[to + column] = cells[at]
            at += 1
    return out


@kernel
def hash_board(cells: Any, size: int) -> Any:
    """The Zobrist hash of the stones, without the side to move."""
    out = np.uint64(0)
    for at in range(size * size):
        if cells[at]:
            out ^= _ZOBRIST[cells[at], (at // size + 1) * (size + 2) + at % size + 1]
    return out


@kernel
def _take_off(board: Any, first: int, size: int, stack: Any) -> Any:
    """Remove the chain at `first` if it has no liberty. Returns its stones and their hash, (0, 0) if it lives.

    `stack` is left holding the removed points.
    """
    wide = size + 2
    colour = board[first]
    board[first] = colour + 4  # marked as visited
    stack[0] = first
    held, at = 1, 0
    alive = False
    while at < held and not alive:
        here = stack[at]
        at += 1
        for step in (-wide, -1, 1, wide):
            there = here + step
            if board[there] == 0:
                alive = True
                break
            if board[there] == colour:
                board[there] = colour + 4
                stack[held] = there
                held += 1
    if alive:
        for index in range(held):
            board[stack[index]] = colour
        return 0, np.uint64(0)
    gone = np.uint64(0)
    for index in range(held):
        here = stack[index]
        board[here] = 0
        gone ^= _ZOBRIST[colour, here]
    return held, gone


@kernel
def put_stone(board: Any, size: int, own: int, ko: int, flags: int, move: int, stack: Any) -> Any:
    """Put a stone of `own` at unmargined `move`. Returns (answer, captured, lost, ko after, change of the hash).

    A negative answer leaves the board spoiled: the caller drops it.
    """
    wide = size + 2
    here = (move // size + 1) * wide + move % size + 1
    change = _ZOBRIST[own, here]
    if board[here] != 0:
        return TAKEN, 0, 0, -1, change
    if move == ko:
        return KO, 0, 0, -1, change
    board[here] = own
    captured, taken_at, lone = 0, -1, True
    for step in (-wide, -1, 1, wide):
        there = here + step
        if board[there] == 3 - own:
            stones, gone = _take_off(board, there, size, stack)
            if stones:
                captured += stones
                taken_at = there
                change ^= gone
        elif board[there] == own:
            lone = False
    lost = 0
    if captured == 0:
        lost, gone = _take_off(board, here, size, stack)
        if lost:
            if not flags & SUICIDE or (lost == 1 and not flags & LONE_SUICIDE):
                return NO_LIBERTY, 0, 0, -1, change
            change ^= gone
    after = -1
    if captured == 1 and lone:
        free = 0
        for step in (-wide, -1, 1, wide):
            free += board[here + step] == 0
        if free == 1:
            after = (taken_at // wide - 1) * size + taken_at % wide - 1
    return 0, captured, lost, after, change


@kernel
def _met_before(trail: Any, count: int, sought: Any) -> bool:
    for at in range(count):  # noqa: SIM110  (numba has no any() over a generator)
        if trail[at] == sought:
            return True
    return False


@kernel
def place(
    cells: Any, trail: Any, size: int, own: int, ko: int, flags: int, move: int, new_cells: Any, new_trail: Any
) -> int:
    """Play a stone of `own` (1 or 2) and fill the new cells and trail.

    Returns a negative reason, or captured + lost << 16 + (ko point + 1) << 32 packed in one number, since
    handing back one integer costs less than a tuple. `new_trail` has one entry more than `trail`.
    """
    n = size * size
    board = with_margin(cells, size)
    stack = np.empty(MARGINED, np.int32)
    answer, captured, lost, after, change = put_stone(board, size, own, ko, flags, move, stack)
    if answer < 0:
        return answer
    count = len(trail)
    fresh = trail[count - 1] ^ change
    if flags & SITUATIONAL:
        fresh ^= WHITE_TO_MOVE
    if flags & SUPERKO and (lost or cells[n + move] & own) and _met_before(trail, count, fresh):
        return REPEATS
    for at in range(count):
        new_trail[at] = trail[at]
    new_trail[count] = fresh
    copy_back(board, size, new_cells)
    for at in range(n):
        new_cells[n + at] = cells[n + at] | new_cells[at]
    new_cells[n + move] |= own
    return captured + (lost << 16) + ((after + 1) << 32)


@kernel
def copy_back(board: Any, size: int, cells: Any) -> None:
    at = 0
    for row in range(size):
        start = (row + 1) * (size + 2) + 1
        for column in range(size):
            cells[at] = board[start + column]
            at += 1


@kernel
def _find_chains(board: Any, size: int, chain: Any, in_atari: Any, hashes: Any) -> None:
    """Number the chains from 1 on in `chain` (margined), and fill each one's hash and whether it has one liberty."""
    wide = size + 2
    stack = np.empty(MARGINED, np.int32)
    count = 0
    for first in range(wide + 1, wide * (size + 1)):
        colour = board[first]
        if colour == 0 or colour == WALL or chain[first]:  # noqa: PLR1714  (numba is slower on a tuple)
            continue
        count += 1
        liberty, own_hash = 0, np.uint64(0)  # the only one so far, 0 for none, -1 for several
        chain[first] = count
        stack[0] = first
        held = 1
        while held:
            held -= 1
            here = stack[held]
            own_hash ^= _ZOBRIST[colour, here]
            for step in (-wide, -1, 1, wide):
                there = here + step
                if board[there] == 0:
                    liberty = there if liberty in (0, there) else -1
                elif board[there] == colour and chain[there] == 0:
                    chain[there] = count
                    stack[held] = there
                    held += 1
        in_atari[count] = liberty > 0
        hashes[count] = own_hash


@kernel
def find_legal(cells: Any, trail: Any, size: int, own: int, ko: int, flags: int, legal: Any) -> int:
    """Write the legal points, ascending, to `legal`. Returns how many they are.

    A play that loses no stones can repeat a board only where its own side has had a stone before, so
    superko is looked up for few points.
    """
    wide, n = size + 2, size * size
    board = with_margin(cells, size)
    chain = np.zeros(wide * wide, np.int32)
    in_atari = np.zeros(n + 1, np.bool_)
    hashes = np.zeros(n + 1, np.uint64)
    _find_chains(board, size, chain, in_atari, hashes)
    bloom = _fill_bloom(trail) if flags & SUPERKO else np.zeros(0, np.bool_)
    found = 0
    for at in range(n):
        if cells[at] or at == ko:
            continue
        here = (at // size + 1) * wide + at % size + 1
        breathes, takes, joins = False, False, False
        for step in (-wide, -1, 1, wide):
            there = here + step
            beside = board[there]
            if beside == 0:
                breathes = True
            elif beside == own:
                joins = True
                breathes |= not in_atari[chain[there]]
            elif beside != WALL:
                takes |= in_atari[chain[there]]
        suicide = not (breathes or takes)
        if suicide and (not flags & SUICIDE or not (joins or flags & LONE_SUICIDE)):
            continue
        if flags & SUPERKO and (suicide or cells[n + at] & own):
            after = _hash_after(board, chain, in_atari, hashes, trail, here, wide, own, flags, suicide)
            if bloom[after & np.uint64(_BLOOM - 1)] and _met_before(trail, len(trail), after):
                continue
        legal[found] = at
        found += 1
    return found


@kernel
def _fill_bloom(trail: Any) -> Any:
    """Which low bits occur in the trail: most look-ups end here instead of walking it."""
    bloom = np.zeros(_BLOOM, np.bool_)
    for at in range(len(trail)):
        bloom[trail[at] & np.uint64(_BLOOM - 1)] = True
    return bloom


@kernel
def _hash_after(
    board: Any, chain: Any, in_atari: Any, hashes: Any, trail: Any,
    here: int, wide: int, own: int, flags: int, suicide: bool,
) -> Any:  # fmt: skip
    """The trail's next hash if `own` plays at `here`."""
    after = trail[len(trail) - 1]
    if flags & SITUATIONAL:
        after ^= WHITE_TO_MOVE
    if not suicide:
        after ^= _ZOBRIST[own, here]
    leaves = own if suicide else 3 - own
    first, second, third = 0, 0, 0  # chains already taken off
    for step in (-wide, -1, 1, wide):
        if board[here + step] == leaves:
            number = chain[here + step]
            if (suicide or in_atari[number]) and number not in (first, second, third):
                after ^= hashes[number]
                first, second, third = number, first, second
    return after
