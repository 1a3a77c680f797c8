"""Draws of positions: exact in number, the same from whatever files, a smaller one part of a larger."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Setup
from hitonami.dataset.groups import split_of
from hitonami.dataset.picking import Picked, Picking, blocks_of, open_pool, pick_positions
from hitonami.dataset.shards import read_records, shards_in, table_of, write_shard
from hitonami.errors import BadData, BadInput
from hitonami.records import write_record

CHESS = Picking("chess")


@pytest.fixture(scope="module")
def games(write_games: Callable[..., Path]) -> Path:
    return write_games("chess", 60)


def keys(drawn: Picked) -> list[tuple[int, int]]:
    contents = drawn.games["content"].to_pylist()
    return [(content, ply) for content, plies in zip(contents, drawn.plies, strict=True) for ply in plies]


def draw(folder: Path, **fields: object) -> list[tuple[int, int]]:
    return keys(pick_positions(open_pool([str(folder)], "chess"), Picking("chess", **fields)))  # type: ignore[arg-type]


def test_everything_is_drawn_once_where_nothing_is_asked(games: Path) -> None:
    records = [record for path in shards_in(games) for record in read_records(path)]
    drawn = draw(games)
    assert len(drawn) == len(set(drawn)) == sum(len(record.moves) for record in records)


@pytest.mark.parametrize("count", [1, 7, 64, 100])
def test_a_draw_has_the_asked_number_and_is_the_beginning_of_a_larger_one(games: Path, count: int) -> None:
    few, many = draw(games, positions=count, per_game=3), draw(games, positions=150, per_game=3)
    assert len(few) == count
    assert few == many[:count]
    assert max(np.unique([content for content, _ in many], return_counts=True)[1]) <= 3


def test_the_seed_changes_the_draw_and_nothing_else_does(games: Path) -> None:
    assert draw(games, positions=40, per_game=2) == draw(games, positions=40, per_game=2)
    assert draw(games, positions=40, per_game=2) != draw(games, positions=40, per_game=2, seed=1)


def test_splits_are_parts_and_filters_hold(games: Path) -> None:
    train, test = draw(games, split="train", chosen="plies:10"), draw(games, split="test", chosen="plies:10")
    assert {split_of(content) for content, _ in train} == {"train"}
    assert not set(train) & set(test)
    assert min(ply for _, ply in train) == 10


def test_the_same_game_in_two_places_is_drawn_once(games: Path, tmp_path: Path) -> None:
    twice = open_pool([str(games), str(games)], "chess")
    assert len(twice.shards) == 1
    records = [record for path in shards_in(games) for record in read_records(path)]
    write_shard(table_of(records[::-1], ["copied"] * len(records)), tmp_path / "shard-00000.parquet")
    both = open_pool([str(games), str(tmp_path)], "chess")
    assert keys(pick_positions(both, CHESS)) == draw(games)


def test_record_files_give_the_draw_of_their_dataset(games: Path, tmp_path: Path) -> None:
    records = [record for path in shards_in(games) for record in read_records(path)]
    path = tmp_path / "games.pgn"
    path.write_text("\n\n".join(write_record(record, "pgn").strip() for record in records) + "\n", encoding="utf-8")
    assert draw(path, positions=30, per_game=2) == draw(games, positions=30, per_game=2)


def test_blocks_are_whole_games_in_order(games: Path) -> None:
    drawn = pick_positions(open_pool([str(games)], "chess"), Picking("chess", per_game=5))
    blocks = list(blocks_of(drawn, 16))
    assert [block.number for block in blocks] == list(range(len(blocks)))
    assert [key for block in blocks for key in keys(Picked(block.games, block.plies))] == keys(drawn)
    assert all(16 <= sum(map(len, block.plies)) < 16 + 5 for block in blocks[:-1])


def test_what_holds_nothing_is_refused(games: Path, tmp_path: Path, write_games: Callable[..., Path]) -> None:
    with pytest.raises(BadInput, match="no position is left"):
        draw(games, chosen="plies:400")
    with pytest.raises(BadInput, match="no position is left"):
        draw(write_games("go", 2, Setup(size=5)))
    with pytest.raises(BadData):
        open_pool([str(tmp_path / "nothing")], "chess")
    with pytest.raises(BadData, match="no such file"):
        open_pool([str(tmp_path / "nothing.parquet")], "chess")
    (tmp_path / "shard-00000.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(BadData, match="damaged"):
        open_pool([str(tmp_path)], "chess")
