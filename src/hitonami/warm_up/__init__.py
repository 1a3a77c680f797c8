"""Compile every kernel once, by using it, so that nobody waits for a compiler in the middle of a game.

Each step really does what its part does for a user: plays, reads, encodes, searches. What is compiled already takes a
moment. Nothing is checked here beyond that nothing breaks: `hitonami doctor` and the tests do that.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from hitonami.core import Effort, Player, Query, Setup, open_game
from hitonami.customs import games_offered
from hitonami.games.chess import Chess
from hitonami.games.go import Go
from hitonami.minds.puct import Puct
from hitonami.minds.uniform import Uniform
from hitonami.models.encoders import Encoder
from hitonami.models.encoders.cells import Cells
from hitonami.parts import find_parts, load_part
from hitonami.records import Document, open_format
from hitonami.warm_up.learning import all_cells, learning_steps
from hitonami.warm_up.task import Task, playout

_PGN = b"""[Event "warm-up"]
[White "?"]
[Black "?"]
[Result "1-0"]

1. e4 {[%clk 0:05:00]} e5 2. Nf3 (2. Bc4) Nc6 3. Bb5 a6 4. O-O 1-0
"""
_SGF = b"(;GM[1]FF[4]SZ[9]KM[6.5];B[ee];W[cc];B[gg];W[])"
_OTHELLO = b'[Event "warm-up"]\n[Result "2-0"]\n\n1. F5 D6 2. C3 D3\n'
_RECORDS = {"pgn": _PGN, "sgf": _SGF, "wthor": _OTHELLO}


def steps() -> Iterator[Task]:
    """All that is compiled, what most people need first."""
    yield Task("the rules of Go", _play_go)
    yield Task("search", _search)
    yield Task("reading records", _read)
    for game in games_offered():
        yield Task(f"the rules of {game}", partial(_play, game))
    yield from learning_steps()
    kinds = [load_part("models/encoders", name) for name in find_parts("models/encoders")]
    encoders: list[Encoder] = [*(kind() for kind in kinds if kind is not Cells), *all_cells()]
    for game in dict.fromkeys(encoder.game for encoder in encoders):
        fitting = [encoder for encoder in encoders if encoder.game == game]
        yield Task(f"the input of networks for {game}", partial(_encode, game, fitting))


def _play(game: str) -> None:
    """A few moves from every start that the game gives as an example, each position written and read again."""
    rules = open_game(game)
    for setup in rules.examples:
        position = playout(rules.start(setup), 3)
        rules.read(rules.write(position))
        rules.diagram(position)


def _play_go() -> None:
    go = Go()
    position = go.start(Setup(size=9))
    for text in ("E5", "C3", "G7", "E6"):
        position = position.play(go.parse(position, text))
    position = position.play(int(position.legal[0]))
    go.count(position, go.guess_dead(position, np.random.default_rng(0), playouts=1))
    go.read(go.write(position))


def _search() -> None:
    position = Chess().read("k7/7p/8/8/8/8/7P/K7 w - - 0 1")  # few moves: leaves asked about at once collide
    for way in ("off", "tree"):
        mind = Puct(Uniform(), simulations=200, kl=way, reuse="always")
        query = Query(position, Player())
        mind([query], Effort.seeded())
        mind([query.after(int(position.legal[0]))], Effort.seeded())


def _read() -> None:
    for name, data in _RECORDS.items():
        for _ in open_format(name).read(Document("warm-up", 0, data)):
            pass


def _encode(game: str, encoders: Sequence[Encoder]) -> None:
    position = playout(open_game(game).start(), 10)
    for encoder in encoders:
        encoder.encode([Query(position, Player(1500.0), Player(1500.0))])
        encoder.head_index(position)
