"""The mind `opening` and its counts: people's shares where they are known, the mind's where not, mirrors as one."""

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openings import Wanted, count_moves, write_counts

from hitonami.core import Effort, Player, Position, Query, Setup, open_game
from hitonami.dataset.reading import open_data
from hitonami.errors import BadSpec
from hitonami.fits.opening_counts import fit_weight
from hitonami.games.go_rules.points import mirrors
from hitonami.levels import FOLDER
from hitonami.levels.opening_counts import OpeningCounts, Section, read_counts, view_of
from hitonami.minds import opening
from hitonami.minds.opening import Opening
from hitonami.minds.uniform import Uniform
from hitonami.specs import open_mind

GO, CHESS = open_game("go"), open_game("chess")


def play(position: Position, moves: Sequence[int]) -> Position:
    for move in moves:
        position = position.play(move)
    return position


def use(monkeypatch: pytest.MonkeyPatch, counts: OpeningCounts) -> None:
    monkeypatch.setattr(opening, "opening_counts", lambda game: counts)


def shares(mind: Opening, position: Position, player: Player) -> dict[str, float]:
    [opinion] = mind([Query(position, player)], Effort.seeded())
    texts = [position.game.format(position, int(move)) for move in position.legal]
    return dict(zip(texts, np.exp(opinion.log_probs).tolist(), strict=True))


def test_counts_and_mind_are_mixed_by_their_games(monkeypatch: pytest.MonkeyPatch) -> None:
    start = CHESS.start()
    king, queen = (str(CHESS.parse(start, text)) for text in ("e2e4", "d2d4"))
    table = {view_of(start).name: {king: 60, queen: 20}}
    use(monkeypatch, OpeningCounts(4, 20.0, (Section(("lichess",), 0, (1000.0, 1500.0), table),)))
    found = shares(Opening(Uniform()), start, Player(1200.0, "lichess"))
    assert found["e2e4"] == pytest.approx((60 + 20 / 20) / 100)
    assert found["d2d4"] == pytest.approx((20 + 20 / 20) / 100)
    assert found["a2a3"] == pytest.approx(20 / 20 / 100)
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-5)
    heavy = shares(Opening(Uniform(), weight=2000.0), start, Player(1200.0, "lichess"))
    assert heavy["e2e4"] < 0.1


@pytest.mark.parametrize(
    ("player", "moves"),
    [
        (Player(1200.0, "fide"), ()),
        (Player(1500.0, "lichess"), ()),
        (Player(None, "lichess"), ()),
        (Player(1200.0, "lichess"), ("e2e4",)),
        (Player(1200.0, "lichess"), ("g1f3", "g8f6", "f3g1", "f6g8")),  # the start again, but beyond the plies
    ],
)
def test_what_the_counts_are_not_about_is_left_to_the_mind(
    monkeypatch: pytest.MonkeyPatch, player: Player, moves: tuple[str, ...]
) -> None:
    start = CHESS.start()
    table = {view_of(start).name: {str(CHESS.parse(start, "e2e4")): 60}}
    use(monkeypatch, OpeningCounts(4, 1.0, (Section(("lichess",), 0, (1000.0, 1500.0), table),)))
    position = start
    for text in moves:
        position = position.play(CHESS.parse(position, text))
    found = list(shares(Opening(Uniform()), position, player).values())
    assert found == pytest.approx([1 / len(position.legal)] * len(found))


@given(st.lists(st.integers(0, 80), max_size=5, unique=True), st.integers(0, 7), st.data())
def test_mirror_images_have_one_name_and_the_same_chances(moves: list[int], image: int, data: st.DataObject) -> None:
    board = mirrors(9)[image]
    here, there = (play(GO.start(Setup(size=9)), line) for line in (moves, [int(board[move]) for move in moves]))
    assert view_of(here).name == view_of(there).name
    move = int(data.draw(st.sampled_from(here.legal.tolist())))
    counts = {view_of(here).move(move): 12}
    spread, mirrored = (view_of(each).spread(each.legal, counts) for each in (here, there))
    assert spread.sum() == pytest.approx(12)
    assert {int(board[at]): share for at, share in zip(here.legal.tolist(), spread, strict=True)} == pytest.approx(
        dict(zip(there.legal.tolist(), mirrored, strict=True))
    )


def test_games_are_counted_and_written_and_read(write_games: Callable[..., Path], tmp_path: Path) -> None:
    data = open_data([str(write_games("chess", 200))], "chess")
    [(section, games), (none, no_games)] = count_moves(
        data, [Wanted(("lichess", ""), filter_text="none"), Wanted(("ogs",), filter_text="none")], 4, 5
    )
    assert (none.table, no_games) == ({}, 0)
    start = view_of(CHESS.start()).name
    assert sum(section.table[start].values()) == games
    assert 100 < games < 160  # three of four are of the pool, and nine of ten in the split
    assert all(sum(moves.values()) >= 5 for moves in section.table.values())
    counts = OpeningCounts(4, 10.0, (section,))
    path = tmp_path / "counts.json.gz"
    path.write_bytes(write_counts(counts, "chess", [games], {"split": "train"}))
    assert read_counts(path) == counts
    gains = fit_weight(data, Uniform(), counts)
    assert max(gains, key=gains.__getitem__) >= 100  # random games: the uniform mind knows best


@pytest.mark.parametrize(
    "content",
    [b"", b"no gzip", gzip.compress(b"{}", mtime=0), gzip.compress(b'{"plies": 1, "sections": 3}', mtime=0)],
    ids=["empty", "no gzip", "nothing in it", "no sections"],
)
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "openings-chess.json.gz"
    path.write_bytes(content)
    with pytest.raises(BadSpec, match=r"openings-chess\.json\.gz: no counts of opening moves"):
        read_counts(path)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("openings-*.json.gz")), ids=lambda path: path.name)
def test_packaged_counts_name_nobody_and_fit_their_games(path: Path) -> None:
    data = json.loads(gzip.decompress(path.read_bytes()))
    assert path.stat().st_size < 600_000
    assert set(data) == {"game", "plies", "weight", "provenance", "sections"}
    game = open_game(data["game"])
    for section in data["sections"]:
        setup = Setup(size=section["size"]) if section["size"] else Setup()
        start = game.start(setup)
        view = view_of(start)
        names = {view.move(int(move)) for move in start.legal}
        assert set(section["table"][view.name]) <= names
        begun = sum(section["table"][view.name].values())
        assert 0 < begun < 1.02 * section["games"]  # now and then a game comes back to the start


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
