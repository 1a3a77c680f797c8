"""The mind `opening` and its counts: people's shares where they are known, the mind's where not, mirrors as one."""

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openings import Depth, Wanted, count_moves

from hitonami.core import Effort, Player, Position, Query, Setup, open_game
from hitonami.dataset.reading import open_data
from hitonami.errors import BadSpec
from hitonami.fits.opening_counts import fit_weight
from hitonami.games.go_rules.points import mirrors
from hitonami.levels import FOLDER
from hitonami.levels.opening_counts import CountTable, OpeningCounts, Section, read_counts, view_of, write_counts
from hitonami.minds import opening
from hitonami.minds.opening import Opening
from hitonami.minds.uniform import Uniform
from hitonami.specs import open_mind

GO, CHESS = open_game("go"), open_game("chess")


def play(position: Position, moves: Sequence[int]) -> Position:
    for move in moves:
        position = position.play(move)
    return position


def play_all(position: Position, texts: Sequence[str]) -> Position:
    for text in texts:
        position = position.play(position.game.parse(position, text))
    return position


def use(monkeypatch: pytest.MonkeyPatch, counts: OpeningCounts) -> None:
    monkeypatch.setattr(opening, "opening_counts", lambda game: counts)


def shares(mind: Opening, position: Position, player: Player) -> dict[str, float]:
    [opinion] = mind([Query(position, player)], Effort.seeded())
    texts = [position.game.format(position, int(move)) for move in position.legal]
    return dict(zip(texts, np.exp(opinion.log_probs).tolist(), strict=True))


def held_by(table: CountTable, name: str) -> dict[int, dict[str, int]]:
    """What a table holds of a position, in the shape in which it is counted."""
    rows, found = table.find(name), dict[int, dict[str, int]]()
    if rows is not None:
        for move, band, count in zip(rows.moves.tolist(), rows.bands.tolist(), rows.counts.tolist(), strict=True):
            found.setdefault(band, {})[str(move)] = count
    return found


def one(limits: tuple[float, ...], table: dict[str, dict[int, dict[str, int]]], weight: float = 20.0) -> Section:
    return Section(("lichess",), 0, limits, weight, 80, CountTable.of(table))


def test_counts_and_mind_are_mixed_by_their_games(monkeypatch: pytest.MonkeyPatch) -> None:
    start = CHESS.start()
    king, queen = (str(CHESS.parse(start, text)) for text in ("e2e4", "d2d4"))
    table = {view_of(start).name: {0: {king: 60, queen: 20}}}
    use(monkeypatch, OpeningCounts(4, (one((), table),)))
    found = shares(Opening(Uniform()), start, Player(1200.0, "lichess"))
    assert found["e2e4"] == pytest.approx((60 + 20 / 20) / 100)
    assert found["d2d4"] == pytest.approx((20 + 20 / 20) / 100)
    assert found["a2a3"] == pytest.approx(20 / 20 / 100)
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-5)
    heavy = shares(Opening(Uniform(), weight=2000.0), start, Player(1200.0, "lichess"))
    assert heavy["e2e4"] < 0.1


@pytest.mark.parametrize(("rating", "own"), [(900.0, "e2e4"), (1000.0, "d2d4"), (2400.0, "d2d4"), (None, "")])
def test_games_of_other_ratings_stand_behind_those_of_the_own(
    monkeypatch: pytest.MonkeyPatch, rating: float | None, own: str
) -> None:
    start = CHESS.start()
    king, queen = (str(CHESS.parse(start, text)) for text in ("e2e4", "d2d4"))
    use(monkeypatch, OpeningCounts(4, (one((1000.0,), {view_of(start).name: {0: {king: 30}, 1: {queen: 30}}}, 10.0),)))
    found = shares(Opening(Uniform()), start, Player(rating, "lichess"))
    if own:
        other = "d2d4" if own == "e2e4" else "e2e4"
        behind = (30 + 10 / 20) / 40  # what the other band makes of the mind's twentieth
        assert found[other] == pytest.approx(10 * behind / 40, abs=1e-6)
        assert found[own] == pytest.approx((30 + 10 * (10 / 20) / 40) / 40, abs=1e-6)
    else:  # whose rating is not known is like everybody
        assert found["e2e4"] == pytest.approx(found["d2d4"]) == pytest.approx((30 + 10 / 20) / 70, abs=1e-6)


@pytest.mark.parametrize(
    ("player", "moves"),
    [
        (Player(1200.0, "fide"), ()),
        (Player(1200.0, ""), ()),
        (Player(1200.0, "lichess"), ("e2e4",)),
        (Player(1200.0, "lichess"), ("g1f3", "g8f6", "f3g1", "f6g8")),  # the start again, but beyond the plies
    ],
)
def test_what_the_counts_are_not_about_is_left_to_the_mind(
    monkeypatch: pytest.MonkeyPatch, player: Player, moves: tuple[str, ...]
) -> None:
    start = CHESS.start()
    table = {view_of(start).name: {0: {str(CHESS.parse(start, "e2e4")): 60}}}
    use(monkeypatch, OpeningCounts(4, (one((), table),)))
    position = play_all(start, moves)
    found = list(shares(Opening(Uniform()), position, player).values())
    assert found == pytest.approx([1 / len(position.legal)] * len(found))


@given(st.lists(st.integers(0, 80), max_size=5, unique=True), st.integers(0, 7), st.data())
def test_mirror_images_have_one_name_and_the_same_chances(moves: list[int], image: int, data: st.DataObject) -> None:
    board = mirrors(9)[image]
    here, there = (play(GO.start(Setup(size=9)), line) for line in (moves, [int(board[move]) for move in moves]))
    assert view_of(here).name == view_of(there).name
    move = int(data.draw(st.sampled_from(here.legal.tolist())))
    named = np.array([int(view_of(here).move(move))], np.int32)
    spread, mirrored = (view_of(each).spread(each.legal, named, np.array([12], np.uint32)) for each in (here, there))
    assert spread.sum() == pytest.approx(12)
    assert {int(board[at]): share for at, share in zip(here.legal.tolist(), spread, strict=True)} == pytest.approx(
        dict(zip(there.legal.tolist(), mirrored, strict=True))
    )


def test_games_are_counted_and_written_and_read(write_games: Callable[..., Path], tmp_path: Path) -> None:
    data = open_data([str(write_games("chess", 200))], "chess")
    wanted = [Wanted(("lichess", ""), 0, (1500,), "none"), Wanted(("ogs",), filter_text="none")]
    section, none = count_moves(data, wanted, Depth(4, 5))
    assert (len(none.table.names), none.games) == (0, 0)
    bands = held_by(section.table, view_of(CHESS.start()).name)
    assert set(bands) == {0, 1}
    assert sum(sum(moves.values()) for moves in bands.values()) == section.games
    assert 100 < section.games < 160  # three of four are of the pool, and nine of ten in the split
    assert all(section.table.counts[begin:end].sum() >= 5 for begin, end in pairwise(section.table.begins.tolist()))
    counts = OpeningCounts(4, (section, none))
    path = tmp_path / "counts.npz"
    path.write_bytes(write_counts(counts, {"split": "train"}))
    assert path.read_bytes() == write_counts(counts, {"split": "train"})
    again, provenance = read_counts(path)
    assert provenance == {"split": "train"}
    assert [replace(each, table=section.table) for each in again.sections[:1]] == [section]
    assert held_by(again.sections[0].table, view_of(CHESS.start()).name) == bands
    gains = fit_weight(data, Uniform(), counts)
    assert max(gains, key=gains.__getitem__) >= 100  # random games: the uniform mind knows best


@given(
    st.dictionaries(
        st.text(max_size=6),
        st.dictionaries(
            st.integers(0, 5),
            st.dictionaries(st.integers(0, 2**31 - 1).map(str), st.integers(1, 2**32 - 1), min_size=1, max_size=4),
            min_size=1,
        ),
        max_size=8,
    ),
    st.text(max_size=6),
)
def test_a_table_gives_back_what_was_counted_and_nothing_else(
    table: dict[str, dict[int, dict[str, int]]], other: str
) -> None:
    held = CountTable.of(table)
    assert {name: held_by(held, name) for name in table} == table
    assert other in table or held.find(other) is None


def _zipped(**arrays: Any) -> bytes:
    made = io.BytesIO()
    np.savez(made, **{name: np.asarray(value) for name, value in arrays.items()})  # type: ignore[arg-type]
    return made.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no archive",
        _zipped(other=[1]),
        _zipped(about=np.frombuffer(b'{"plies": 1, "sections": 3, "provenance": {}}', np.uint8)),
        _zipped(about=np.frombuffer(b'{"plies": 1, "sections": [{}], "provenance": {}}', np.uint8)),
        _zipped(about=np.array(["object"], dtype=object)),
    ],
    ids=["empty", "no archive", "nothing in it", "no sections", "no section", "objects"],
)
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "openings-chess.npz"
    path.write_bytes(content)
    with pytest.raises(BadSpec, match=r"openings-chess\.npz: no counts of opening moves"):
        read_counts(path)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("openings-*.npz")), ids=lambda path: path.name)
def test_packaged_counts_name_nobody_and_fit_their_games(path: Path) -> None:
    assert path.stat().st_size < 3_000_000
    counts, provenance = read_counts(path)
    assert set(provenance) == {"split", "sources", "log_likelihood"}
    game = open_game(path.stem.removeprefix("openings-"))
    for section in counts.sections:
        start = game.start(Setup(size=section.size) if section.size else Setup())
        view = view_of(start)
        bands = held_by(section.table, view.name)
        assert set(bands) <= set(range(len(section.limits) + 1))
        assert {move for moves in bands.values() for move in moves} <= {view.move(int(move)) for move in start.legal}
        begun = sum(sum(moves.values()) for moves in bands.values())
        assert 0 < begun < 1.02 * section.games  # now and then a game comes back to the start
        assert np.all(np.diff(section.table.names.astype(np.float64)) > 0)
        assert section.table.counts.min() > 0


NAJDORF = ("e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6", "b1c3", "a7a6", "c1g5", "e7e6", "f2f4")


def test_theory_beyond_the_first_moves_is_known() -> None:
    """Masters know a handful of moves in the main line of the Najdorf; the network leaves others their share."""
    position = play_all(CHESS.start(), NAJDORF)
    theory = [CHESS.parse(position, text) for text in ("f8e7", "b8d7", "d8b6", "b7b5", "d8c7", "b8c6", "h7h6")]
    at = np.isin(position.legal, theory)
    master = Query(position, Player(2550.0, "fide"))
    with open_mind("human") as counted, open_mind({"kind": "human", "openings": False}) as plain:
        [known], [thought] = (mind([master], Effort.seeded()) for mind in (counted, plain))
    assert position.ply == 13
    assert np.exp(known.log_probs[at]).sum() > max(0.99, np.exp(thought.log_probs[at]).sum())


def test_human_can_do_without_them() -> None:
    start = open_game("shogi").start()
    query = Query(start, Player(28.0, "shogiwars"))
    with open_mind({"kind": "human"}) as counted, open_mind({"kind": "human", "openings": False}) as plain:
        [one], [other] = (mind([query], Effort.seeded()) for mind in (counted, plain))
    assert one.wdl == pytest.approx(other.wdl)
    assert not np.allclose(one.log_probs, other.log_probs)


def test_a_weight_must_be_one() -> None:
    with pytest.raises(BadSpec, match="weight must be above 0, got 0"):
        Opening(Uniform(), 0.0)
