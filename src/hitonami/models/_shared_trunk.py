"""One board asked about for several players: the part of a network that sees the board alone is computed once.

A network of ours sees the board in its trunk and hears who is playing (`player`, `pool`) behind it. `share_trunk`
rewrites its graph so that boards and players may differ in number: a new input says which board each player looks at,
and a Gather stands wherever the two parts meet. Nothing else changes; outputs are the same but for float rounding.
The trunk is three quarters of a packaged network's work, so nine ratings of one position cost about as much as two or
three. Graphs that this is not meant for (no players, inner graphs) are left alone.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np

from hitonami.models._wire import Message, write_bytes, write_number
from hitonami.models.onnx_graph import Dimension, Graph

PLAYER_INPUTS: Final = frozenset(("player", "pool"))
WHICH_BOARD: Final = "which_board"
"""[players] int64, the place of each one's board."""
_NODES, _INPUTS, _OUTPUTS, _SHAPES = 1, 11, 12, 13  # fields of a graph; shapes noted within it would no longer hold
_ATTRIBUTES, _INNER_GRAPHS = 5, (6, 11)
_ELEMENTS: Final[dict[int, type[np.generic]]] = {1: np.float32, 7: np.int64}


def share_trunk(onnx: bytes) -> bytes | None:
    """The rewritten model, or None where there is nothing to share."""
    model = Message(onnx)
    graphs = model.messages(7)
    if len(graphs) != 1 or 25 in model:  # functions may hold anything
        return None
    graph = graphs[0]
    inputs = {Message(data).text(1): Message(data) for data in graph.all_data(_INPUTS)}
    players = PLAYER_INPUTS & set(inputs)
    boards = set(inputs) - players
    nodes = graph.messages(_NODES)
    if not players or not boards or any(_has_graph(node) for node in nodes):
        return None
    added = Graph("", "shared_")
    for name in sorted(players):
        if not _add_player(added, name, inputs[name]):
            return None
    added.input(WHICH_BOARD, ("players",), np.int64)
    outputs = {value.text(1) for value in graph.messages(_OUTPUTS)}
    rewritten = _Rewriting(boards, set(players), outputs).write(nodes)
    kept = [(field, value) for field, value in graph.pairs() if field not in (_NODES, _INPUTS, _SHAPES)]
    kept += [(_INPUTS, data) for data in graph.all_data(_INPUTS) if Message(data).text(1) in boards]
    body = write_bytes(7, rewritten + _write(kept) + added.to_parts())
    return _write((field, value) for field, value in model.pairs() if field != 7) + body


def _has_graph(node: Message) -> bool:
    return any(inner in each for each in node.messages(_ATTRIBUTES) for inner in _INNER_GRAPHS)


def _add_player(graph: Graph, name: str, value: Message) -> bool:
    """The input with a batch of its own name: ONNX Runtime takes equal names of sizes at their word."""
    tensor = value.message(2).message(1)
    shape: list[Dimension] = [size.text(2) or size.number(1) for size in tensor.message(2).messages(1)]
    kind = _ELEMENTS.get(tensor.number(1))
    if kind is None or not shape:
        return False
    graph.input(name, ("players", *shape[1:]), kind)
    return True


def _write(pairs: Iterable[tuple[int, int | memoryview]]) -> bytes:
    return b"".join(
        write_number(field, value) if isinstance(value, int) else write_bytes(field, bytes(value))
        for field, value in pairs
    )


class _Rewriting:
    """Walks the nodes in their order and parts those that see the board alone from those that hear of players."""

    def __init__(self, boards: set[str], players: set[str], outputs: set[str]) -> None:
        self._boards, self._players, self._outputs = set(boards), set(players), outputs
        self._gathered: set[str] = set()
        self._written: list[bytes] = []

    def write(self, nodes: Iterable[Message]) -> bytes:
        for node in nodes:
            inputs = [bytes(data).decode() for data in node.all_data(1)]
            made = [bytes(data).decode() for data in node.all_data(2)]
            if self._players.intersection(inputs):
                self._players.update(made)
                inputs = [self._rows_of(name) if name in self._boards else name for name in inputs]
            elif self._boards.intersection(inputs):
                self._boards.update(made)
                inputs, made = [*map(self._board_of, inputs)], [*map(self._board_of, made)]
            self._add(node, inputs, made)
        for name in sorted(self._outputs & self._boards):
            self._rows_of(name)
        return b"".join(self._written)

    def _add(self, node: Message, inputs: Iterable[str], made: Iterable[str]) -> None:
        names = [*(write_bytes(1, name) for name in inputs), *(write_bytes(2, name) for name in made)]
        rest = _write((field, value) for field, value in node.pairs() if field > 2)
        self._written.append(write_bytes(1, b"".join(names) + rest))

    def _board_of(self, name: str) -> str:
        """What a tensor of boards is called: an output's own name belongs to its rows."""
        return f"{name}/board" if name in self._boards and name in self._outputs else name

    def _rows_of(self, name: str) -> str:
        """The same tensor with a row for each player."""
        rows = name if name in self._outputs else f"{name}/rows"
        if rows not in self._gathered:
            self._gathered.add(rows)
            node = write_bytes(1, self._board_of(name)) + write_bytes(1, WHICH_BOARD) + write_bytes(2, rows)
            self._written.append(write_bytes(1, node + write_bytes(4, "Gather")))  # along the first axis
        return rows
