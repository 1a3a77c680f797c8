"""PGN: what is written is read back, what is bad is rejected with its reason."""

import io
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Player, Setup, lineage
from hitonami.errors import BadRecord
from hitonami.games.chess import Chess, ChessPosition
from hitonami.records import Document, Record, Rejected
from hitonami.records.pgn import Pgn

CHESS, PGN = Chess(), Pgn()
GOLDEN = Path(__file__).parents[2] / "golden" / "chess"


def read(data: bytes) -> list[Record | Rejected]:
    return list(PGN.read(Document("test", 0, data)))


def reasons(data: bytes) -> list[str]:
    return [found.reason for found in read(data) if isinstance(found, Rejected)]


def play(setup: Setup, choices: list[int]) -> ChessPosition:
    position = CHESS.start(setup)
    for choice in choices:
        if not len(position.legal):
            break
        position = position.play(int(position.legal[choice % len(position.legal)]))
    return position


names = st.one_of(
    st.none(), st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=2, max_size=9)
)
pools = st.sampled_from(["", "lichess", "fide", "chess.com", "mine"])
kinds: st.SearchStrategy[Literal["human", "bot", "unknown"]] = st.sampled_from(["human", "bot", "unknown"])


@st.composite
def records(draw: st.DrawFn) -> Record:
    position = play(draw(st.sampled_from(CHESS.examples)), draw(st.lists(st.integers(0, 999), min_size=1, max_size=40)))
    start, moves = lineage(position)
    score, termination = position.score, position.ending or ""
    if score is None:
        score, termination = draw(
            st.sampled_from(
                [(1.0, "resignation"), (0.0, "time"), (None, "interrupted"), (None, ""), (0.5, "adjudication")]
            )
        )
    seconds = st.one_of(st.none(), st.integers(0, 90000).map(lambda tenths: tenths / 10))
    clocks = draw(st.lists(seconds, min_size=len(moves), max_size=len(moves)))
    time_control, speed = draw(
        st.sampled_from(
            [
                ("", ""),
                ("-", "correspondence"),
                ("300+3", "blitz"),
                ("40/7200:3600", "classical"),
                ("20+0", "ultrabullet"),
            ]
        )
    )
    return Record(
        game="chess",
        setup=start.setup,
        moves=tuple(moves),
        players=(
            Player(
                rating=draw(st.one_of(st.none(), st.integers(1, 35000).map(lambda tenths: tenths / 10))),
                pool=draw(pools),
                name=draw(names),
                kind=draw(kinds),
            ),
            Player(pool=draw(pools), name=draw(names), kind=draw(kinds)),
        ),
        score=score,
        termination=termination,
        time_control=time_control,
        speed=speed,
        date=draw(st.sampled_from(["", "2026", "2026-11", "2026-11-15"])),
        event=draw(names) or "",
        clocks=tuple(clocks) if any(clock is not None for clock in clocks) else (),
    )


@settings(max_examples=60)
@given(records())
def test_what_is_written_is_read_back(record: Record) -> None:
    assert read(PGN.write(record).encode()) == [record]


@settings(max_examples=20)
@given(st.lists(records(), min_size=2, max_size=3))
def test_games_in_one_file_are_told_apart(several: list[Record]) -> None:
    texts = [PGN.write(record).encode() for record in several]
    found = read(b"".join(texts))
    assert [each.moves for each in found if isinstance(each, Record)] == [record.moves for record in several]
    assert [each.offset for each in found] == [sum(map(len, texts[:at])) for at in range(len(texts))]


def test_documents_hold_whole_games() -> None:
    text = PGN.write(Record("chess", Setup(), (), score=1.0)).encode() + b"\n"
    cut = list(PGN.documents("test", io.BytesIO(text * 20_000)))
    assert len(cut) > 1
    assert all(document.data.startswith(b"[Event ") for document in cut)
    assert b"".join(document.data for document in cut) == text * 20_000


def test_a_game_as_a_site_writes_it() -> None:
    (found,) = read((GOLDEN / "blitz.pgn").read_bytes())
    assert isinstance(found, Record)
    assert (found.score, found.termination, found.time_control, found.date) == (0.0, "checkmate", "180+2", "2026-11-15")
    assert [player.rating for player in found.players] == [1512.0, 1498.0]
    assert found.clocks[:3] == (180.0, 180.0, 179.0)
    assert len(found.moves) == 4


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[Event "a"]\n\n1. e4 e4 *', "illegal move"),
        ('[Event "a"]\n\n1. e4 Qh3 *', "illegal move"),
        ('[Event "a"]\n[FEN "nonsense"]\n\n1. e4 *', "bad start position"),
        ('[Event "a"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*', "bad start position"),
        ('[Event "a"]\n[Variant "Atomic"]\n\n1. e4 *', "variant"),
        ('[Event "a"]\n\n*', "no moves"),
    ],
)
def test_a_bad_game_is_rejected_and_its_neighbours_are_not(text: str, reason: str) -> None:
    good = '[Event "b"]\n\n1. d4 d5 1/2-1/2\n\n'
    found = read(f"{good}{text}\n\n{good}".encode())
    assert [type(each) for each in found] == [Record, Rejected, Record]
    assert [each.reason for each in found if isinstance(each, Rejected)] == [reason]


def test_play_may_go_on_past_an_end_by_force() -> None:
    (found,) = read(b'[Event "a"]\n[FEN "8/8/8/8/8/4k3/8/4K3 w - - 0 1"]\n\n1. Kd1 Kd3 2. Kc1 1/2-1/2')
    assert isinstance(found, Record)
    assert (len(found.moves), found.score, found.termination) == (3, 0.5, "insufficient material")
    assert read(PGN.write(found).encode()) == [found]


@pytest.mark.parametrize(
    ("result", "score", "termination"),
    [("1-0", 1.0, "checkmate"), ("*", 1.0, "checkmate"), ("0-1", 0.0, "resignation")],
)
def test_the_record_is_believed_before_the_rules(result: str, score: float, termination: str) -> None:
    (found,) = read(f'[Result "{result}"]\n[Termination "Normal"]\n\n1. e4 f6 2. d4 g5 3. Qh5# {result}'.encode())
    assert isinstance(found, Record)
    assert (found.score, found.termination) == (score, termination)


def test_latin_1_and_byte_order_marks_are_read() -> None:
    text = '[Event "Zürich"]\n\n1. d4 d5 1/2-1/2\n'
    for data in (text.encode("latin-1"), text.encode("utf-8-sig")):
        (found,) = read(data)
        assert isinstance(found, Record)
        assert found.event == "Zürich"


def test_another_games_record_is_refused() -> None:
    with pytest.raises(BadRecord, match="chess"):
        PGN.write(Record("shogi", Setup(), ()))


def test_illegal_moves_are_not_written() -> None:
    with pytest.raises(BadRecord, match="ply 2"):
        PGN.write(Record("chess", Setup(), (1804, 1804)))


@settings(max_examples=300)
@given(st.data())
def test_damaged_text_is_read_or_rejected(data: st.DataObject) -> None:
    text = bytearray((GOLDEN / "blitz.pgn").read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text)))
        text[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
    for found in read(bytes(text)):
        assert isinstance(found, Record | Rejected)


@settings(max_examples=200)
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_any_bytes_are_read_or_rejected(data: bytes) -> None:
    for found in read(data):
        assert isinstance(found, Record | Rejected)
