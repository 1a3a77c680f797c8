"""Games of Go in SGF: what is read, what is rejected and why, and that writing gives it back."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Player, Setup, lineage
from hitonami.errors import BadRecord
from hitonami.games.go import Go, GoPosition
from hitonami.ranks import write_rank
from hitonami.records import DOCUMENT_BYTES, Document, Record, Rejected, open_format, write_record
from hitonami.records.sgf import read_text

GO = Go()
SGF = open_format("sgf")
GAMES = sorted((Path(__file__).parents[2] / "golden" / "go").glob("finished-*.sgf"))
FULL = """(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[5.5]RU[Japanese]PB[Kuro]BR[3k]PW[Shi\\]ro]WR[2d?]DT[2024-05-03,04]
EV[Spring: cup]TM[600]OT[5x30 byo-yomi]RE[W+3.50]
;B[ee]BL[590.5];W[eg]WL[595];B[]BL[580];W[tt]WL[590])"""

KO = "AB[ba][ab][bc][cb]AW[ca][db][cc]PL[W]"


def read_one(text: str) -> Record:
    record = read_text(text)
    assert isinstance(record, Record), record
    return record


def test_everything_a_file_says() -> None:
    assert read_one(FULL) == Record(
        game="go",
        setup=Setup(size=9, komi=5.5, rules="japanese"),
        moves=(40, 58, 81, 81),
        players=(Player(27.0, name="Kuro"), Player(31.0, name="Shi]ro")),
        score=0.0,
        termination="3.5 points",
        time_control="600+30/5",
        date="2024-05-03",
        event="Spring: cup",
        clocks=(590.5, 595.0, 580.0, 590.0),
        marks=frozenset({"provisional-1"}),
    )


@pytest.mark.parametrize(
    ("text", "setup", "moves"),
    [
        ("(;SZ[9];B[aa])", Setup(size=9, rules="record"), (0,)),
        ("(;SZ[9]RU[AGA];B[aa])", Setup(size=9, rules="aga"), (0,)),
        ("(;SZ[9]RU[my own];B[aa])", Setup(size=9, rules="record"), (0,)),
        ("(;SZ[9]HA[2]AB[cg][gc];W[aa])", Setup(size=9, handicap=2, rules="record"), (0,)),
        ("(;SZ[9]HA[2];W[aa])", Setup(size=9, handicap=2, rules="record"), (0,)),
        ("(;SZ[9]HA[2];B[cg];B[gc];W[aa])", Setup(size=9, handicap=2, rules="record"), (0,)),
        ("(;SZ[9]HA[1];B[aa])", Setup(size=9, rules="record"), (0,)),
        ("(;SZ[9]HA[2]AB[aa][bb];W[cc])", Setup("(;SZ[9]HA[2]AB[aa][bb]PL[W])", 9, rules="record"), (20,)),
        ("(;SZ[9];AB[aa]AW[bb];PL[W];W[cc])", Setup("(;SZ[9]AB[aa]AW[bb]PL[W])", 9, rules="record"), (20,)),
        ("(;SZ[9];W[cc])", Setup("(;SZ[9]PL[W])", 9, rules="record"), (20,)),
        ("(;SZ[9](;B[aa];W[bb](;B[])(;B[cc]))(;B[dd]))", Setup(size=9, rules="record"), (0, 10, 81)),
        ("(;SZ[9];B[];W[];B[];W[])", Setup(size=9, rules="record"), (81, 81)),
    ],
)
def test_setups_and_moves(text: str, setup: Setup, moves: tuple[int, ...]) -> None:
    record = read_one(text)
    assert (record.setup, record.moves) == (setup, moves)
    position = GO.start(record.setup)
    for move in moves:
        position = position.play(move)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no SGF game"),
        ("hello", "no SGF game"),
        ("(;SZ[9];B[aa]", "not SGF"),
        ("(;SZ[9];B[aa]%)", "not SGF"),
        ("(;GM[2])", "not a game of Go"),
        ("(;SZ[40])", "not a square board of 2 to 25 lines"),
        ("(;SZ[9:9]KM[x])", "not a number"),
        ("(;SZ[9];B[zz])", "not a move"),
        ("(;SZ[9];B[aa][bb])", "not a move"),
        ("(;SZ[9];B[aa]W[bb])", "a node with moves of both sides"),
        ("(;SZ[9];B[aa];B[bb])", "two moves in a row"),
        ("(;SZ[9]PL[W];B[aa])", "wrong first mover"),
        ("(;SZ[9];B[aa];W[aa])", "illegal move, the point is taken"),
        ("(;SZ[9];B[aa];AW[bb];B[cc])", "stones set up after the first move"),
        ("(;SZ[9];B[aa];W[bb]AB[dd])", "stones set up after the first move"),
        ("(;SZ[9]AB[zz])", "not a point"),
        ("(;SZ[9]AB[aa][aa]AW[aa])", "a point set up twice"),
        ("(;SZ[2]AB[aa:bb])", "stones without a liberty"),
        ("(;SZ[9]HA[3];B[aa];W[bb])", "handicap without its stones"),
        ("(;SZ[9]HA[2];B[aa];B[aa];W[bb])", "handicap written as moves, but not on so many points"),
        ("(;SZ[9];B[];W[];B[aa])", "play after two passes"),
        (f"(;SZ[9]{KO};W[bb];B[cb])", "illegal move, the ko may not be retaken at once"),
    ],
)  # fmt: skip
def test_rejections_name_the_cause(text: str, reason: str) -> None:
    rejected = read_text(text)
    assert isinstance(rejected, Rejected)
    assert rejected.reason == reason


def test_superko_binds_only_those_who_agreed_to_it() -> None:
    sent_two = "AB[bb][cb][da]AW[ab][ac][ba]PL[W];W[ca];B[aa];W[ba])"
    for rules in ("Japanese", "AGA", "whatever"):
        assert isinstance(read_text(f"(;SZ[5]RU[{rules}]{sent_two}"), Record)
    rejected = read_text(f"(;SZ[5]RU[Chinese]{sent_two}")
    assert rejected == Rejected("illegal move, the board would repeat an earlier one", "move 3 at B5")


@pytest.mark.parametrize(
    ("said", "score", "termination"),
    [
        ("B+R", 1.0, "resignation"),
        ("w+Resign", 0.0, "resignation"),
        ("B+T", 1.0, "time"),
        ("W+Forfeit", 0.0, "forfeit"),
        ("B+0.5", 1.0, "0.5 points"),
        ("B+", 1.0, ""),
        ("0", 0.5, "jigo"),
        ("Draw", 0.5, "jigo"),
        ("Void", None, "void"),
        ("?", None, ""),
    ],
)
def test_results(said: str, score: float | None, termination: str) -> None:
    record = read_one(f"(;SZ[9]RE[{said}])")
    assert (record.score, record.termination) == (score, termination)
    assert read_one(SGF.write(record)).score == score


@given(rank=st.integers(0, 48) | st.floats(100, 3500).map(lambda x: round(x, 2)))
def test_ranks_come_back(rank: float) -> None:
    (found,) = SGF.read(Document("test", 0, f"(;BR[{write_rank(rank)}])".encode()))
    assert isinstance(found, Record)
    assert found.players[0].rating == rank


@st.composite
def records(draw: st.DrawFn) -> Record:
    setup = draw(st.sampled_from([each for each in GO.examples if not each.start]))
    position: GoPosition = GO.start(setup)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 40))):
        if len(position.legal):
            position = position.play(int(rng.choice(position.legal)))
    moves = tuple(lineage(position)[1])
    names = st.none() | st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=10)
    players = tuple(Player(draw(st.none() | st.just(1700.0)), name=draw(names)) for _ in range(2))
    score, ending = draw(
        st.sampled_from([(1.0, "time"), (0.0, "12.5 points"), (0.5, "jigo"), (None, "void"), (None, "")])
    )
    return Record(
        "go",
        setup=Setup(position.setup.start, position.size, position.komi, position.handicap, position.rules.name),
        moves=moves,
        players=(players[0], players[1]),
        score=score,
        termination=ending,
        time_control=draw(st.sampled_from(["", "600", "600+30/5", "300+10/25 Canadian", "-"])),
        date=draw(st.sampled_from(["", "2024", "2024-05", "2024-05-03"])),
        event=draw(names) or "",
        clocks=draw(st.sampled_from([(), tuple(500.25 - at for at in range(len(moves)))])),
        marks=frozenset() if score is not None or ending or position.ending else frozenset({"prefix"}),
    )  # fmt: skip


@given(record=records())
def test_writing_gives_the_record_back(record: Record) -> None:
    assert read_one(write_record(record, "sgf")) == record


def test_other_games_are_refused() -> None:
    with pytest.raises(BadRecord, match="chess"):
        SGF.write(Record("chess", Setup(), ()))


def test_a_collection_is_read_game_by_game() -> None:
    text = f"junk 囲{FULL}\n(;SZ[9];B[aa];W[aa])  more\n{FULL}"
    data = text.encode()
    found = list(SGF.read(Document("file", 1000, data)))
    assert [type(each) for each in found] == [Record, Rejected, Record]
    assert [data[each.offset - 1000 :][:5] for each in found] == [b"(;GM[", b"(;SZ[", b"(;GM["]
    assert list(SGF.read(Document("file", 0, b"nothing here"))) == [Rejected("no SGF game", "'nothing here'")]
    assert list(SGF.read(Document("file", 0, b" \n"))) == []


def test_large_files_are_cut_between_games() -> None:
    game = "(;SZ[9]C[a ) and a ( and a \\] (;]\n(;B[aa]\n(;W[bb])\n(;W[cc]))\n(;B[dd]))\n"
    count = 3 * DOCUMENT_BYTES // len(game)
    documents = list(SGF.documents("many", BytesIO(game.encode() * count)))
    assert len(documents) > 2
    assert b"".join(document.data for document in documents).rstrip() == (game.encode() * count).rstrip()
    at = 0
    for document in documents:
        assert document.offset == at
        assert document.data.strip().startswith(b"(;SZ")
        at += len(document.data)
    first = list(SGF.read(documents[1]))
    assert {each.moves for each in first if isinstance(each, Record)} == {(0, 10)}
    assert all(isinstance(each, Record) for each in first)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_sgfmill_replays_to_the_same_board(need_module: Callable[[str], ModuleType], path: Path) -> None:
    need_module("sgfmill")
    from sgfmill import sgf, sgf_moves

    record = read_one(path.read_text())
    position = GO.start(record.setup)
    board, moves = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(path.read_bytes()))
    for move, (colour, point) in zip(record.moves, moves, strict=True):
        assert colour == "bw"[position.to_move]
        position = position.play(move)
        if point is not None:
            board.play(*point, colour)
    size = position.size
    theirs = [board.get(size - 1 - at // size, at % size) for at in range(size * size)]
    assert [None if each == 0 else " bw"[each] for each in position.board] == theirs


@settings(max_examples=300)
@given(data=st.data())
def test_the_fast_way_reads_what_the_full_way_reads(data: st.DataObject) -> None:
    """Plain games take a short cut; a comment after the moves forces the long way."""
    points = st.sampled_from(["", "aa", "ab", "bb", "ee", "tt", "ii", "jj", "zz", "a"])
    nodes = data.draw(
        st.lists(st.tuples(st.sampled_from(["B", "W"]), points, st.sampled_from(["", " ", "\n"])), max_size=12)
    )
    root = data.draw(
        st.sampled_from(["SZ[9]", "SZ[9]HA[2]AB[aa][bb]", "SZ[9]HA[2]", "SZ[9]PL[W]", "GM[2]", "SZ[21]", "", "B[cc]"])
    )
    text = f"(;{root}{''.join(f';{gap}{colour}[{point}]{gap}' for colour, point, gap in nodes)}"
    if not nodes:
        return
    assert read_text(f"{text})") == read_text(f"{text}C[])")


@settings(max_examples=200)
@given(data=st.data())
def test_no_mutation_breaks_the_reader(data: st.DataObject) -> None:
    raw = bytearray(data.draw(st.sampled_from([FULL.encode(), GAMES[0].read_bytes()])))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(raw)))
        cut = data.draw(st.integers(0, 8))
        raw[at : at + cut] = data.draw(
            st.binary(max_size=6) | st.sampled_from([b"[", b"]", b"(", b")", b";", b"\\", b"]]"])
        )
    found = list(SGF.read(Document("fuzz", 0, bytes(raw))))
    assert all(isinstance(each, Record | Rejected) for each in found)
    assert isinstance(read_text(bytes(raw)), Record | Rejected)
