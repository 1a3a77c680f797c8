"""Compile every kernel once, by using it, so that nobody waits for a compiler in the middle of a game.

Each step really does what its part does for a user: plays, reads, encodes, searches. What is compiled already takes a
moment. Nothing is checked here beyond that nothing breaks: `hitonami doctor` and the tests do that.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hitonami.abilities import CellGame
from hitonami.core import Effort, Player, Position, Query, Setup, lineage, open_game
from hitonami.customs import games_offered
from hitonami.dataset.columns import columns_of
from hitonami.dataset.shards import table_of
from hitonami.games.chess import Chess
from hitonami.games.go import Go
from hitonami.intuition.explaining import explain
from hitonami.intuition.knowledge import begin
from hitonami.intuition.learning import Learner, Plan
from hitonami.intuition.views import Eyes
from hitonami.lanes import LaneGame, States
from hitonami.minds.puct import Puct
from hitonami.minds.uniform import Uniform
from hitonami.models.encoders import Encoder
from hitonami.models.encoders.cells import Cells
from hitonami.parts import find_parts, load_part
from hitonami.records import Document, Record, open_format
from hitonami.selfplay.playing import Generation
from hitonami.selfplay.recipe import PlaySpec
from hitonami.sights import look
from hitonami.traits import WeighingTraits, measure_traits

_PGN = b"""[Event "warm-up"]
[White "?"]
[Black "?"]
[Result "1-0"]

1. e4 {[%clk 0:05:00]} e5 2. Nf3 (2. Bc4) Nc6 3. Bb5 a6 4. O-O 1-0
"""
_SGF = b"(;GM[1]FF[4]SZ[9]KM[6.5];B[ee];W[cc];B[gg];W[])"
_OTHELLO = b'[Event "warm-up"]\n[Result "2-0"]\n\n1. F5 D6 2. C3 D3\n'
_RECORDS = {"pgn": _PGN, "sgf": _SGF, "wthor": _OTHELLO}


@dataclass(frozen=True)
class Task:
    """Something to compile, in words, and what compiles it."""

    what: str
    run: Callable[[], None]


def steps() -> Iterator[Task]:
    """All that is compiled, what most people need first."""
    yield Task("the rules of Go", _play_go)
    yield Task("search", _search)
    for game in find_parts("sights"):
        yield Task(f"what a board of {game} shows of moves", partial(_look, game))
    yield Task("intuition and analysis", _learn)
    yield Task("reading records", _read)
    for game in games_offered():
        yield Task(f"the rules of {game}", partial(_play, game))
    for game in find_parts("traits"):
        yield Task(f"what shows how people play {game}", partial(_measure, game))
    boards = [Cells(game) for game in games_offered() if isinstance(open_game(game), LaneGame)]
    for board in boards:
        yield Task(f"self-play of {board.game}", partial(_play_itself, board))
    kinds = [load_part("models/encoders", name) for name in find_parts("models/encoders")]
    encoders: list[Encoder] = [*(kind() for kind in kinds if kind is not Cells), *boards]
    for game in dict.fromkeys(encoder.game for encoder in encoders):
        fitting = [encoder for encoder in encoders if encoder.game == game]
        yield Task(f"the input of networks for {game}", partial(_encode, game, fitting))


def _playout(start: Position, count: int) -> Position:
    rng = np.random.default_rng(0)
    while len(start.legal) and start.ply < count:
        start = start.play(int(rng.choice(start.legal)))
    return start


def _play(game: str) -> None:
    """A few moves from every start that the game gives as an example, each position written and read again."""
    rules = open_game(game)
    for setup in rules.examples:
        position = _playout(rules.start(setup), 3)
        rules.read(rules.write(position))
        rules.diagram(position)
        Eyes().look(position)


def _learn() -> None:
    """Three games: one of intuition alone, one with analysis, one after which patterns grow."""
    game = next(name for name in games_offered() if isinstance(open_game(name), CellGame))
    knowledge = begin(game, Setup())
    learner = Learner(knowledge, plan=Plan(nodes=8, blind_games=1, grow_every=3))
    for _ in range(3):
        learner.play_and_learn()
    explain(knowledge, open_game(game).start())


def _look(game: str) -> None:
    query = Query(_playout(open_game(game).start(), 4))
    [opinion] = Uniform()([query], Effort.seeded())
    look(load_part("sights", game)(), [query], [opinion.log_probs])


def _play_go() -> None:
    go = Go()
    position = go.start(Setup(size=9))
    for text in ("E5", "C3", "G7", "E6"):
        position = position.play(go.parse(position, text))
    position = position.play(int(position.legal[0]))
    assert position.liberties is not None
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


def _measure(game: str) -> None:
    """The traits of one short game."""
    moves = lineage(_playout(open_game(game).start(), 6))[1]
    measure_traits(columns_of(table_of([Record(game, Setup(), tuple(moves))], [""]), game))
    traits, start = load_part("traits", game)(), open_game(game).start()
    if isinstance(traits, WeighingTraits):
        traits.weigh([start], start.legal.astype(np.int64), np.array([0, len(start.legal)]))


def _play_itself(board: Cells) -> None:
    """A few plies by each kind of root, without a network."""
    places = board.head_size([])

    def know_nothing(states: States, *_: NDArray[np.int32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return np.zeros((len(states), places), np.float32), np.full((len(states), 3), 1 / 3, np.float32)

    for root in ("puct", "gumbel"):
        spec = PlaySpec(games=2, simulations=6, root=root, considered=4, most_plies=3)
        Generation(board, spec, [0], 0.0).play(know_nothing)


def _encode(game: str, encoders: Sequence[Encoder]) -> None:
    position = _playout(open_game(game).start(), 10)
    for encoder in encoders:
        encoder.encode([Query(position, Player(1500.0), Player(1500.0))])
        encoder.head_index(position)
