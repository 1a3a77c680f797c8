"""All traits of chess games against python-chess making the same moves and nothing else, in the same run."""

import chess
import numpy as np

from _measure import Row, ratio_of, show
from hitonami.dataset.columns import join, read_columns
from hitonami.dataset.reading import Tally, open_data
from hitonami.traits import measure_traits


def run() -> list[Row]:
    games = join(list(read_columns(open_data(["sample:chess"], "chess"), Tally())))
    many = join([games] * 20)

    def ours() -> int:
        return int(np.isfinite(measure_traits(many)).any()) * len(many.moves)

    def replayed() -> int:
        for at in range(len(games)):
            board = chess.Board()
            for move in games.moves[games.begins[at] : games.begins[at + 1]].tolist():
                board.push(chess.Move(move & 63, move >> 6 & 63, move >> 12 or None))
        return len(games.moves)

    return [ratio_of("traits against python-chess's moves", ours, replayed, at_least=3.0)]


if __name__ == "__main__":
    show(run())
