"""Subsets are nested, keep their splits, and take only what the filter keeps."""

from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from hitonami.dataset.filters import explain_rules, parse_filter
from hitonami.dataset.groups import split_of
from hitonami.dataset.shards import read_records, records_of, shards_in
from hitonami.dataset.subset import _headers_of, write_subset
from hitonami.errors import BadInput


def contents(folder: Path) -> set[int]:
    return {content for path in shards_in(folder) for content in pq.read_table(path)["content"].to_pylist()}


@pytest.fixture(scope="module")
def games(write_games: Callable[..., Path]) -> Path:
    return write_games("chess", 160)


def test_small_subsets_are_part_of_large_ones(games: Path, tmp_path: Path) -> None:
    small, large = (write_subset([games], tmp_path / str(count), count, held_out=3) for count in (20, 60))
    assert (small.train, large.train) == (20, 60)
    inner, outer = contents(tmp_path / "20"), contents(tmp_path / "60")
    train = {content for content in inner if split_of(content) == "train"}
    assert len(train) == 20
    assert train <= outer <= contents(games)
    assert len(inner) == small.train + small.validation + small.test


def test_the_filter_decides(games: Path, tmp_path: Path) -> None:
    records = [record for path in shards_in(games) for record in read_records(path)]
    ratings = sorted(min(player.rating or 0 for player in record.players) for record in records)
    low = int(ratings[len(ratings) // 2])
    write_subset([games], tmp_path / "strong", 5, f"rating:{low}-4000", held_out=0)
    for path in shards_in(tmp_path / "strong"):
        for record in read_records(path):
            assert min(player.rating or 0 for player in record.players) >= low


def test_too_few_games_are_an_error(games: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="100,000 are wanted"):
        write_subset([games], tmp_path / "out", 100_000)
    assert not (tmp_path / "out").exists()
    with pytest.raises(BadInput, match="no dataset"):
        write_subset([tmp_path], tmp_path / "out", 1)


def test_a_game_of_two_datasets_is_taken_once(games: Path, tmp_path: Path) -> None:
    write_subset([games, games], tmp_path / "twice", 60, held_out=3)
    write_subset([games], tmp_path / "once", 60, held_out=3)
    assert contents(tmp_path / "twice") == contents(tmp_path / "once")
    held = [content for path in shards_in(tmp_path / "twice") for content in pq.read_table(path)["content"].to_pylist()]
    assert len(held) == len(set(held))


def test_no_rule_about_games_reads_moves(games: Path) -> None:
    """Subsets are chosen without them."""
    table, examples = pq.read_table(shards_in(games)[0]), {"N": "100", "R-R": "900-1600", "NAME": "lichess"}
    for usage in explain_rules():
        name, _, argument = usage.partition(":")
        rule = parse_filter(f"{name}:{examples[argument]}" if argument else name)
        with_moves = [rule.keeps_game(record) for record in records_of(table)]
        assert with_moves == [rule.keeps_game(record) for record in records_of(_headers_of(table))]
