"""Plain records: any game there and back, who moved where turns do not alternate, and what is refused by which name."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Player, Setup, open_game
from hitonami.dataset.shards import clocks_before, movers_of, records_of, table_of
from hitonami.errors import BadRecord
from hitonami.records import Document, Record, Rejected
from hitonami.records.plain import Plain


def read(text: str) -> list[Record | Rejected]:
    return list(Plain().read(Document("test", 0, text.encode())))


def random_record(game: str, seed: int, setup: Setup, timed: bool) -> Record:
    rng = np.random.default_rng(seed)
    position = open_game(game).start(setup)
    moves, movers = [], []
    for _ in range(int(rng.integers(1, 40))):
        if not len(position.legal):
            break
        moves.append(int(rng.choice(position.legal)))
        movers.append(position.to_move)
        position = position.play(moves[-1])
    first = open_game(game).start(setup).to_move
    alternating = [(first + at) % 2 for at in range(len(moves))]
    return Record(
        game,
        setup,
        tuple(moves),
        (Player(1500.0 + seed, "lichess", "A: person", "human"), Player(None, "", None, "bot")),
        score=0.5,
        termination="agreement",
        time_control="300+3" if timed else "",
        clocks=tuple(300.0 - at for at in range(len(moves))) if timed else (),
        movers=() if movers == alternating else tuple(movers),
    )


@settings(max_examples=30)
@given(
    st.sampled_from(
        [
            ("chess", Setup()),
            ("chess", Setup(start="4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")),
            ("shogi", Setup()),
            ("go", Setup(size=9, komi=0.0, handicap=2)),
        ]
    ),
    st.integers(0, 1000),
    st.booleans(),
)
def test_every_game_survives_the_text(game: tuple[str, Setup], seed: int, timed: bool) -> None:
    made = [random_record(game[0], each, game[1], timed) for each in (seed, seed + 1)]
    texts = [Plain().write(record) for record in made]
    found = read("\n".join(texts))
    assert [each for each in found if isinstance(each, Record)] == [
        made[0],
        Record(**{name: getattr(made[1], name) for name in Record.__slots__} | {"offset": len(texts[0].encode()) + 1}),
    ]


def test_who_moved_is_told_where_turns_do_not_alternate(game_in_one_file: str) -> None:
    [record] = read(f"game: {game_in_one_file}\nsecond-kind: bot\n\nd4@9 a1@8 a2@7 b1@6 b2@5 c1@4\n")
    assert isinstance(record, Record)
    assert record.movers == (0, 1, 1, 0, 0, 1)
    assert clocks_before(record).tolist() == [np.inf, np.inf, 8, 9, 6, 7]
    [again] = records_of(table_of([record], ["a file"]))
    assert movers_of(again).tolist() == list(record.movers)
    table = table_of([record], ["a file"])
    assert [flag & 4 for flag in table["flags"][0].as_py()] == [0, 4, 4, 0, 0, 4]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("game: chess\nresult: 1-0\n\ne2e4 e2e4\n", "illegal move"),
        ("game: chess\n\nf2f3 e7e5 g2g4 d8h4 e2e4\n", "play after the end"),
        ("game: ludo\n\na b\n", "unknown game"),
        ("game: go\nsize: seventeen\n\nA1\n", "not a start of the game"),
        ("game: go\nsize: 99\n\nA1\n", "not a start of the game"),
        ("game: chess\nresult: 1-0\n", "no moves"),
        ("game: chess\nresult: 7\n\ne2e4\n", "not a line of the header"),
        ("game: chess\nfirst-rating: much\n\ne2e4\n", "not a line of the header"),
        ("game: chess\nwhat is this\n\ne2e4\n", "not a line of the header"),
    ],
)
def test_what_is_refused_costs_no_neighbour(text: str, reason: str) -> None:
    before, found, after = read(f"game: chess\n\ne2e4\n\n{text}\ngame: chess\n\nd2d4\n")
    assert isinstance(before, Record)
    assert isinstance(found, Rejected)
    assert found.reason == reason
    assert isinstance(after, Record)


def test_a_game_that_the_rules_do_not_allow_is_not_written() -> None:
    with pytest.raises(BadRecord, match="illegal move"):
        Plain().write(Record("chess", Setup(), (0,)))
    with pytest.raises(BadRecord, match="unknown game"):
        Plain().write(Record("ludo", Setup(), (0,)))
