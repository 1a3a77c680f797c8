"""What is compiled for seeing, learning and self-play: sights, intuition, traits, lanes. `warm_up` has the rest."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Effort, Query, Setup, lineage, open_game
from hitonami.customs import games_offered
from hitonami.dataset.columns import columns_of
from hitonami.dataset.shards import table_of
from hitonami.intuition.explaining import explain
from hitonami.intuition.knowledge import begin
from hitonami.intuition.learning import Learner, Plan
from hitonami.intuition.views import Eyes
from hitonami.lanes import CellGame, LaneGame, States
from hitonami.minds.uniform import Uniform
from hitonami.models.encoders.cells import Cells
from hitonami.models.tile_kernels import gather_outputs, spread_inputs, spread_outputs
from hitonami.parts import find_parts, load_part
from hitonami.records import Record
from hitonami.selfplay.playing import Generation
from hitonami.selfplay.recipe import PlaySpec
from hitonami.sights import look
from hitonami.traits import WeighingTraits, measure_traits
from hitonami.warm_up.task import Task, playout


def learning_steps() -> Iterator[Task]:
    """What most people need first."""
    for game in find_parts("sights"):
        yield Task(f"what a board of {game} shows of moves", partial(_look, game))
    yield Task("intuition and analysis", _learn)
    for game in games_offered():
        yield Task(f"how boards of {game} are seen", partial(_see, game))
    for game in find_parts("traits"):
        yield Task(f"what shows how people play {game}", partial(_measure, game))
    for board in all_cells():
        yield Task(f"self-play of {board.game}", partial(_play_itself, board))
    yield Task("training by tiles", _tile)


def all_cells() -> list[Cells]:
    """The encoders of games that can be learned by self-play."""
    return [Cells(game) for game in games_offered() if isinstance(open_game(game), LaneGame)]


def _see(game: str) -> None:
    rules = open_game(game)
    for setup in rules.examples:
        Eyes().look(playout(rules.start(setup), 3))


def _learn() -> None:
    """Three games: one of intuition alone, one with analysis, one after which patterns grow; and a move drawn."""
    game = next(name for name in games_offered() if isinstance(open_game(name), CellGame))
    knowledge = begin(game, Setup())
    learner = Learner(knowledge, plan=Plan(nodes=8, blind_games=1, grow_every=3))
    for _ in range(3):
        learner.play_and_learn()
    explain(knowledge, open_game(game).start())
    knowledge.draw(open_game(game).start(), 1.0, np.random.default_rng(0))


def _look(game: str) -> None:
    query = Query(playout(open_game(game).start(), 4))
    [opinion] = Uniform()([query], Effort.seeded())
    look(load_part("sights", game)(), [query], [opinion.log_probs])


def _measure(game: str) -> None:
    """The traits of one short game."""
    moves = lineage(playout(open_game(game).start(), 6))[1]
    measure_traits(columns_of(table_of([Record(game, Setup(), tuple(moves))], [""]), game))
    traits, start = load_part("traits", game)(), open_game(game).start()
    if isinstance(traits, WeighingTraits):
        traits.weigh([start], start.legal.astype(np.int64), np.array([0, len(start.legal)]))


def _tile() -> None:
    """One board there and back, without torch."""
    board, tiles = np.zeros((1, 4, 4, 2), np.float32), np.empty((36, 1, 2), np.float32)
    spread_inputs(board, tiles, 1, 1)
    gather_outputs(tiles, np.zeros(2, np.float32), board, 1, 1)
    spread_outputs(board, tiles, 1, 1)


def _play_itself(board: Cells) -> None:
    """A few plies by each kind of root, without a network."""
    places = board.head_size([])

    def know_nothing(states: States, *_: NDArray[np.int32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return np.zeros((len(states), places), np.float32), np.full((len(states), 3), 1 / 3, np.float32)

    for root in ("puct", "gumbel"):
        spec = PlaySpec(games=2, simulations=6, root=root, considered=4, most_plies=3)
        Generation(board, spec, [0], 0.0).play(know_nothing)
