"""KIF and CSA alike: what is written is read back, what is bad is rejected with its reason."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Player, Setup, lineage
from hitonami.errors import BadRecord
from hitonami.games.shogi import Shogi
from hitonami.games.shogi_rules.sfen import HANDICAPS, canonical_sfen
from hitonami.records import Document, Format, Record, Rejected
from hitonami.records._shogi_text import setup_from
from hitonami.records.csa import Csa
from hitonami.records.kif import Kif

SHOGI = Shogi()
FORMATS: list[Format] = [Kif(), Csa()]
names = st.one_of(
    st.none(), st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=9)
)
endings = st.sampled_from(
    [(1.0, "resignation"), (0.0, "time"), (0.5, "impasse"), (1.0, "entering king"), (0.0, "illegal move"), (None, "")]
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    sfens = [canonical_sfen(example.start) for example in SHOGI.examples if example.start] + list(HANDICAPS.values())
    position = SHOGI.start(setup_from(draw(st.sampled_from(sfens))))
    for choice in draw(st.lists(st.integers(0, 9999), max_size=50)):
        if len(position.legal):
            position = position.play(int(position.legal[choice % len(position.legal)]))
    start, moves = lineage(position)
    score, termination = (position.score, position.ending) if position.ending else draw(endings)
    if termination in ("entering king", "resignation", "time"):  # the last word is the mover's
        score = float(position.to_move if termination != "entering king" else 1 - position.to_move)
    spent = draw(st.lists(st.integers(0, 4000).map(float), min_size=len(moves), max_size=len(moves)))
    return Record(
        game="shogi",
        setup=start.setup,
        moves=tuple(moves),
        players=(Player(name=draw(names)), Player(name=draw(names))),
        score=score,
        termination=termination or "",
        time_control=draw(st.sampled_from(["", "600+30/1", "5400+0", "0+30/1"])),
        date=draw(st.sampled_from(["", "2026", "2026-11", "2026-11-15"])),
        event=draw(names) or "",
        think_seconds=tuple(spent) if draw(st.booleans()) else (),
    )


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: type(form).__name__)
class TestBothFormats:
    @settings(max_examples=60)
    @given(record=records())
    def test_what_is_written_is_read_back(self, form: Format, record: Record) -> None:
        text = form.write(record)
        (document,) = form.documents("test", io.BytesIO(text.encode()))
        assert list(form.read(document)) == [record]

    @settings(max_examples=200)
    @given(record=records(), data=st.data())
    def test_damaged_text_is_read_or_rejected(self, form: Format, record: Record, data: st.DataObject) -> None:
        text = bytearray(form.write(record).encode())
        for _ in range(data.draw(st.integers(1, 6))):
            at = data.draw(st.integers(0, len(text)))
            text[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
        for found in form.read(Document("test", 0, bytes(text))):
            assert isinstance(found, Record | Rejected)

    @settings(max_examples=200)
    @given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
    def test_any_bytes_are_read_or_rejected(self, form: Format, data: bytes) -> None:
        for found in form.read(Document("test", 0, data)):
            assert isinstance(found, Record | Rejected)

    def test_another_games_record_is_refused(self, form: Format) -> None:
        with pytest.raises(BadRecord, match="shogi"):
            form.write(Record("chess", Setup(), ()))

    def test_a_fourth_occurrence_ends_the_record(self, form: Format) -> None:
        position = SHOGI.start()
        for text in ("2h5h", "8b5b", "5h2h", "5b8b") * 3:
            position = position.play(SHOGI.parse(position, text))
        text = form.write(Record("shogi", Setup(), tuple(lineage(position)[1]), score=0.5, termination="repetition"))
        (found,) = form.read(Document("test", 0, text.encode()))
        assert isinstance(found, Record)
        assert (found.score, found.termination) == (0.5, "repetition")

    @pytest.mark.parametrize("score", [0.0, 1.0])
    def test_a_result_that_no_last_word_fits_is_kept(self, form: Format, score: float) -> None:
        (found,) = form.read(
            Document("test", 0, form.write(Record("shogi", Setup(), (), score=score, termination="abandoned")).encode())
        )
        assert isinstance(found, Record)
        assert found.score == score

    def test_a_name_cannot_break_out_of_its_line(self, form: Format) -> None:
        record = Record("shogi", Setup(), (), (Player(name="a\n%TORYO\n1 投了"), Player()), event="b\r\nPI")
        (found,) = form.read(Document("test", 0, form.write(record).encode()))
        assert isinstance(found, Record)
        assert (found.players[0].name, found.score, found.moves) == ("a %TORYO 1 投了", None, ())
