"""Reading shogi and Go records, moves checked by the rules, against other parsers on the same texts.

Games are random ones of our own. cshogi's parsers do not check moves; its CSA parser is C++, its KIF parser
Python over a C++ board; python-shogi is Python throughout. sgfmill parses and replays on a Python board.
"""

import random
from collections.abc import Callable, Sequence
from importlib import import_module

import cshogi
import cshogi.CSA
import cshogi.KIF
from sgfmill import sgf, sgf_moves

from _measure import Row, ratio_of, show
from hitonami.core import Player, Position, Setup, lineage, open_game
from hitonami.records import Document, Record, open_format

_GAMES = 60
_PLIES = 120
_SLOW = 3
"""How many games the slowest reference is given."""


def random_records(game: str, setup: Setup, seed: int) -> list[Record]:
    """Random games with names, times and a result, as sites write them."""
    rng, rules, records = random.Random(seed), open_game(game), []
    for number in range(_GAMES):
        position: Position = rules.start(setup)
        while position.ply < _PLIES and len(position.legal) > 1:
            position = position.play(int(rng.choice(position.legal[:-1])))
        moves = tuple(lineage(position)[1])
        players = (Player(name=f"first {number}"), Player(name=f"second {number}"))
        spent = tuple(float(rng.randrange(60)) for _ in moves)
        records.append(Record(game, setup, moves, players, 1.0, "resignation", date="2026-11-15", think_seconds=spent))
    return records


def write_all(format_name: str, records: Sequence[Record]) -> list[str]:
    form = open_format(format_name)
    return [form.write(record) for record in records]


def read_ours(format_name: str, texts: Sequence[str]) -> Callable[[], int]:
    form, documents = open_format(format_name), [Document("bench", 0, text.encode()) for text in texts]

    def work() -> int:
        accepted = sum(isinstance(found, Record) for document in documents for found in form.read(document))
        assert accepted == len(documents)
        return accepted

    return work


def read_theirs(parse: Callable[[str], object], texts: Sequence[str]) -> Callable[[], int]:
    def work() -> int:
        for text in texts:
            parse(text)
        return len(texts)

    return work


def replay_in_sgfmill(text: str) -> None:
    board, moves = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_string(text))
    for colour, point in moves:
        if point is not None:
            board.play(*point, colour)


def run() -> list[Row]:
    shogi_records = random_records("shogi", Setup(), seed=1)
    csa, kif = write_all("csa", shogi_records), write_all("kif", shogi_records)
    go = write_all("sgf", random_records("go", Setup(size=19), seed=2))
    return [
        ratio_of(
            "CSA read and checked, against python-shogi",
            read_ours("csa", csa),
            read_theirs(import_module("shogi.CSA").Parser.parse_str, csa[:_SLOW]),
            at_least=5.0,
        ),
        ratio_of(
            "CSA read and checked, against cshogi's C++ parser, unchecked",
            read_ours("csa", csa),
            read_theirs(cshogi.CSA.Parser.parse_str, csa),
            at_least=None,
        ),
        ratio_of(
            "KIF read and checked, against cshogi's parser, unchecked",
            read_ours("kif", kif),
            read_theirs(cshogi.KIF.Parser.parse_str, kif),
            at_least=1 / 1.5,
        ),
        ratio_of(
            "SGF read and checked, against sgfmill parsed and replayed",
            read_ours("sgf", go),
            read_theirs(replay_in_sgfmill, go),
            at_least=5.0,
        ),
    ]


if __name__ == "__main__":
    show(run())
