"""Go in SGF: a main line into a setup and moves, a start into a root node.

Stones of AB, AW and AE count until the first move; after it they are refused, since a position is its
start and its moves. A move out of turn is refused too: nothing is inserted to make it fit.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from hitonami.core import Setup
from hitonami.errors import BadPosition, BadRecord, BadSetup, quote
from hitonami.games.go_rules.rulesets import (
    HANDICAP_KOMI,
    LARGEST,
    SMALLEST,
    Start,
    check_size,
    find_rules,
    handicap_points,
    named_rules,
)
from hitonami.games.go_rules.sgf_tree import Node, read_main_line, split_compose, write_node

_COLOURS: Final = ("B", "W")
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"[:LARGEST]
_FULL_KOMI: Final = 100
"""No komi is as large; files that write such a number mean hundredths."""
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,7}(?:[.,][0-9]{0,6})?|[+-]?[.,][0-9]{1,6}")


@lru_cache(maxsize=LARGEST)
def point_ids(size: int) -> dict[str, int]:
    """SGF's moves on a board of this size by their ids. `tt` passes where the board has no such point."""
    ids = {_LETTERS[column] + _LETTERS[row]: row * size + column for row in range(size) for column in range(size)}
    ids[""] = size * size
    ids.setdefault("tt", size * size)
    return ids


def write_move(size: int, move: int) -> str:
    return "" if move == size * size else _LETTERS[move % size] + _LETTERS[move // size]


def read_number(text: str) -> float:
    """A komi or a time as people write it. Raises BadRecord for anything that is no plain number."""
    if _NUMBER.fullmatch(text.strip()) is None:
        raise BadRecord(f"not a number: {quote(text)}")
    return float(text.strip().replace(",", "."))


def read_game(nodes: Sequence[Node], default_rules: str) -> tuple[Setup, list[int]]:
    """The setup and the moves of a main line. Raises BadInput; a message says the cause, a colon, the particulars.

    Where no rules are named, or names that nobody here knows, `default_rules` are put in.
    """
    size = board_size(nodes[0])
    first = next((at for at, node in enumerate(nodes) if "B" in node or "W" in node), len(nodes))
    sides, moves = _read_moves(nodes[first:], size)
    return arrange_game(nodes[: first + 1], sides, moves, default_rules)


def board_size(root: Node) -> int:
    """How many lines the board has. Raises BadRecord, also for another game's root."""
    if root.get("GM", ["1"])[0].strip() not in ("1", ""):
        raise BadRecord(f"not a game of Go: GM {quote(root['GM'][0], 20)}")
    return _read_size(root)


def arrange_game(
    nodes: Sequence[Node], sides: list[int], moves: list[int], default_rules: str
) -> tuple[Setup, list[int]]:
    """As `read_game`, from the nodes up to the first move, and who moved where."""
    root = nodes[0]
    size = _read_size(root)
    black, white, side = _read_stones(nodes, size)
    given = _read_handicap(root)
    setup = Setup(size=size, komi=_read_komi(root), rules=_read_rules(root, default_rules))
    if given >= 2 and not black and sides[:given] == [0] * given:
        black, sides, moves = set(moves[:given]), sides[given:], moves[given:]  # given stones, written as moves
        if len(black) != given or size * size in black:
            raise BadRecord(f"handicap written as moves, but not on so many points: {given}")
    if side is None:
        side = sides[0] if sides else int(bool(black) and not white)
    if sides and sides[0] != side:
        raise BadRecord("wrong first mover")
    if any(sides[side::2]) or not all(sides[1 - side :: 2]):
        raise BadRecord("two moves in a row")
    return with_stones(setup, given, black, white, side), moves


def with_stones(setup: Setup, given: int, black: set[int], white: set[int], side: int) -> Setup:
    """The setup with these stones, in its plainest form. Raises BadRecord where given stones are missing."""
    size = setup.size
    if given >= 2 and side == 1 and not white and _is_fixed(size, given, black):
        return replace(setup, handicap=given)
    if given >= 2 and not black:
        raise BadRecord(f"handicap without its stones: {given}")
    if not black and not white and side == 0:
        return setup
    start = Start(size, 0.0, named_rules(setup.rules), side, tuple(sorted(black)), tuple(sorted(white)), given)
    return replace(setup, start=_start_text(start))


def _is_fixed(size: int, given: int, black: set[int]) -> bool:
    """Whether the stones are the fixed handicap's; without any, the fixed ones are meant."""
    try:
        return not black or set(handicap_points(size, given)) == black
    except BadSetup:
        return False


def _read_size(root: Node) -> int:
    text = root.get("SZ", ["19"])[0].strip()
    wide, tall = split_compose(text)
    wide, tall = wide.strip(), (wide if tall is None else tall).strip()
    if tall != wide or re.fullmatch(r"[0-9]{1,2}", wide) is None or not SMALLEST <= int(wide) <= LARGEST:
        raise BadRecord(f"not a square board of {SMALLEST} to {LARGEST} lines: SZ {quote(text, 20)}")
    return int(wide)


def _read_handicap(root: Node) -> int:
    text = root.get("HA", [""])[0].strip()
    return int(text) if re.fullmatch(r"[0-9]{1,2}", text) else 0


def _read_komi(root: Node) -> float | None:
    """KM in points. Fox writes hundredths, of stones where it means a quarter of one: 375 is 3¾ stones, 7.5 points."""
    text = root.get("KM", [""])[0].strip()
    if not text:
        return None
    komi = read_number(text)
    if abs(komi) < _FULL_KOMI:
        return komi
    return komi / 100 * (2 if komi % 50 else 1)


def _read_rules(root: Node, default: str) -> str:
    found = find_rules(root.get("RU", [""])[0])
    return default if found is None else found.name


def _read_moves(nodes: Sequence[Node], size: int) -> tuple[list[int], list[int]]:
    """Who moved, and where."""
    ids = point_ids(size)
    sides: list[int] = []
    moves: list[int] = []
    for node in nodes:
        side = 0 if "B" in node else 1
        values = node.get(_COLOURS[side])
        if len(node) > 1 or values is None:
            _check_move_node(node, bool(moves))
        if values is None:
            continue
        move = ids.get(values[0])
        if move is None:
            move = ids.get(values[0].strip())
        if move is None or len(values) > 1:
            raise BadRecord(f"not a move: {_COLOURS[side]} {quote(']['.join(values), 40)}")
        sides.append(side)
        moves.append(move)
    return sides, moves


def _check_move_node(node: Node, under_way: bool) -> None:
    if "B" in node and "W" in node:
        raise BadRecord("a node with moves of both sides")
    if not node.keys().isdisjoint(("AB", "AW", "AE")):
        raise BadRecord("stones set up after the first move" if under_way else "stones set up in a move's node")


def _read_stones(nodes: Sequence[Node], size: int) -> tuple[set[int], set[int], int | None]:
    """Stones of both sides before the first move, and the side to move where PL names it."""
    black: set[int] = set()
    white: set[int] = set()
    side: int | None = None
    for node in nodes:
        if not node.keys().isdisjoint(("AB", "AW", "AE")):
            added = [_read_points(node.get(name, ()), size) for name in ("AB", "AW", "AE")]
            if sum(map(len, added)) != len(set().union(*added)):
                raise BadRecord("a point set up twice")
            black = black - added[1] - added[2] | added[0]
            white = white - added[0] - added[2] | added[1]
        if "PL" in node:
            name = node["PL"][0].strip().upper()[:1]
            if name not in ("B", "W"):
                raise BadRecord(f"not a side to move: PL {quote(node['PL'][0], 20)}")
            side = _COLOURS.index(name)
    return black, white, side


def _read_points(values: Sequence[str], size: int) -> set[int]:
    ids, found = point_ids(size), set()
    for value in values:
        corner, opposite = split_compose(value)
        ends = [ids.get(each.strip()) for each in (corner, corner if opposite is None else opposite)]
        if any(end is None or end == size * size for end in ends):
            raise BadRecord(f"not a point: {quote(value, 20)} on {size}×{size}")
        (top, left), (bottom, right) = (divmod(end or 0, size) for end in ends)
        found |= {row * size + column for row in range(top, bottom + 1) for column in range(left, right + 1)}
    return found


def _start_text(start: Start) -> str:
    return f"({write_node(_stones_of(start))})"


def _stones_of(start: Start) -> Node:
    node = {"SZ": [str(start.size)]}
    if start.handicap:
        node["HA"] = [str(start.handicap)]
    for name, stones in (("AB", start.black), ("AW", start.white)):
        if stones:
            node[name] = [write_move(start.size, at) for at in stones]
    node["PL"] = [_COLOURS[start.to_move]]
    return node


def root_node(start: Start) -> Node:
    """The properties of a root that `read_game` turns into an equal start."""
    said = {"GM": ["1"], "FF": ["4"], "CA": ["UTF-8"], "RU": [start.rules.name], "KM": [f"{start.komi:.12g}"]}
    return said | _stones_of(start)


@lru_cache(maxsize=256)
def resolve(setup: Setup) -> Start:
    """Work a setup out. Its own fields go before those of its start text; sizes must agree. Raises BadInput."""
    if setup.variant:
        raise BadSetup(f"Go has no variants, got {quote(setup.variant)}; rules and sizes are fields of their own")
    nodes = _read_start_text(setup.start)
    root = nodes[0]
    size = _read_size(root) if "SZ" in root else check_size(setup.size or 19)
    if setup.size not in (0, size):
        raise BadSetup(f"the board is {size}×{size} in the start position and {setup.size}×{setup.size} in the setup")
    if setup.handicap and setup.start:
        raise BadSetup("give the handicap's stones in the start position or as a handicap, not both")
    rules = named_rules(setup.rules or _read_rules(root, ""))
    given = setup.handicap or _read_handicap(root)
    komi = _choose_komi(setup, root, rules.komi if given < 2 else HANDICAP_KOMI)
    if setup.handicap:
        return Start(size, komi, rules, 1, handicap_points(size, given), (), given)
    black, white, side = _read_stones(nodes, size)
    if side is None:
        side = int(bool(black) and not white)
    return Start(size, komi, rules, side, tuple(sorted(black)), tuple(sorted(white)), given if black else 0)


def _read_start_text(text: str) -> list[Node]:
    if not text:
        return [{}]
    nodes = read_main_line(text)
    if any("B" in node or "W" in node for node in nodes):
        raise BadPosition("a start position holds stones (AB, AW), not moves: read the text to play its moves")
    return nodes


def _choose_komi(setup: Setup, root: Node, default: float) -> float:
    said = setup.komi if setup.komi is not None else _read_komi(root)
    komi = float(default if said is None else said)
    if not abs(komi) < _FULL_KOMI:
        raise BadSetup(f"a komi lies between -{_FULL_KOMI} and {_FULL_KOMI} points, got {komi:g}")
    return komi
