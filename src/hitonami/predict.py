"""What would people of these levels play here, and how often do they win from here?

A prediction is one mind's opinion on one position for several ratings. It ranks nothing and judges no move: the
probabilities are those of the mind.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hitonami import dist
from hitonami.core import Effort, Game, Mind, Opinion, Player, Position, Query
from hitonami.errors import BadInput, BadMove


@dataclass(frozen=True)
class View:
    """One rating's moves, aligned with `Prediction.moves`, and its chances, where the mind has an opinion on them."""

    rating: float | None
    probabilities: tuple[float, ...]
    wdl: tuple[float, float, float] | None
    expected_score: float | None


@dataclass(frozen=True)
class Prediction:
    """Moves as programs and as people write them, and a view of them for each rating."""

    game: str
    position: str
    side: str
    moves: tuple[str, ...]
    names: tuple[str, ...]
    views: tuple[View, ...]

    def order(self) -> list[int]:
        """Places of the moves, the likeliest first by the mean over the ratings; equals in the order of the rules."""
        means = np.mean([view.probabilities for view in self.views], axis=0)
        return [int(at) for at in np.argsort(-means, kind="stable")]


def read_position(game: Game[Position], text: str, moves: str = "") -> Position:
    """The position after moves (in the game's notation, separated by spaces) from a text. Raises BadInput."""
    position = game.read(text)
    for at, move in enumerate(moves.split(), start=1):
        if not len(position.legal):
            raise BadMove(f"move {at}, {move!r}: the game is over: {position.ending}")
        position = position.play(game.parse(position, move))
    return position


def last_open(position: Position) -> Position | None:
    """The position itself where it has moves, else the last one before it that has; None where there is none."""
    here: Position | None = position
    while here is not None and not len(here.legal):
        here = here.before
    return here


def predict(mind: Mind, position: Position, ratings: Sequence[float | None], pool: str, effort: Effort) -> Prediction:
    """Ask the mind once for all ratings; the opponent is taken to be of the same rating. Raises BadInput at the end."""
    game = position.game
    if not len(position.legal):
        raise BadInput(f"there is nothing to predict, the game is over: {position.ending}")
    players = [Player(rating, pool, kind="human") for rating in ratings or [None]]
    opinions = mind([Query(position, player, player) for player in players], effort)
    legal = position.legal.tolist()
    return Prediction(
        game=game.name,
        position=game.write(position),
        side=game.sides[position.to_move],
        moves=tuple(game.format(position, move) for move in legal),
        names=tuple(game.describe(position, move) for move in legal),
        views=tuple(_view(player, opinion) for player, opinion in zip(players, opinions, strict=True)),
    )


def _view(player: Player, opinion: Opinion) -> View:
    probabilities = tuple(np.exp(opinion.log_probs.astype(np.float64)).tolist())
    if opinion.wdl is None:
        return View(player.rating, probabilities, None, None)
    win, draw, loss = opinion.wdl.tolist()
    return View(player.rating, probabilities, (win, draw, loss), dist.expected_score(opinion.wdl))
