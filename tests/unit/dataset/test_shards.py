"""Shards give back what was put in; duplicates are found in any number of buckets."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Player, Setup
from hitonami.dataset import duplicates
from hitonami.dataset.names import Names, key_mark, load_key, pseudonym
from hitonami.dataset.shards import (
    FLAG_BOT,
    FLAG_LOW_CLOCK,
    FLAG_OPENING,
    content_of,
    flags_of,
    identity_of,
    read_records,
    table_of,
    write_shard,
)
from hitonami.errors import BadInput
from hitonami.records import Record

FULL = Record(
    "go",
    Setup(size=9, komi=6.5, handicap=2, rules="japanese"),
    (40, 41, 81, 81),
    (Player(25.5, "ogs", "first", "human"), Player(None, "", None, "bot")),
    score=0.0,
    termination="counting",
    time_control="600+30/1",
    speed="rapid",
    date="2026-11",
    event="a club evening",
    clocks=(600.0, None, 590.5, 20.0),
    think_seconds=(1.0, 2.0, None, 3.0),
    marks=frozenset({"provisional-0", "casual"}),
    offset=12,
)
BARE = Record("chess", Setup(), (796,))


def test_records_survive_the_shard(tmp_path: Path) -> None:
    path = tmp_path / "shard-00000.parquet"
    write_shard(table_of([FULL, BARE, FULL], ["a", "b", "a"]), path)
    assert list(read_records(path)) == [FULL, BARE, FULL]
    assert [file.name for file in tmp_path.iterdir()] == ["shard-00000.parquet"]


def test_equal_rows_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_shard(table_of([FULL, BARE], ["a", "b"]), tmp_path / f"{name}.parquet")
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_content_is_golden_and_depends_on_the_game_alone() -> None:
    """Splits hang on it: it must never change."""
    assert content_of(BARE) == 0x2FBD74F77AB27276
    assert content_of(replace(FULL, players=(Player(), Player()), date="", event="")) == content_of(FULL)
    assert content_of(replace(FULL, moves=(40, 41, 81))) != content_of(FULL)
    assert content_of(replace(FULL, score=1.0)) != content_of(FULL)
    assert content_of(replace(FULL, setup=Setup(size=9))) != content_of(FULL)


def test_short_games_are_the_same_only_between_the_same_players() -> None:
    other = replace(FULL, players=(Player(name="third"), FULL.players[1]))
    assert identity_of(other, ["third", None]) != identity_of(FULL, ["first", None])
    long = replace(FULL, moves=tuple(range(40)), clocks=(), think_seconds=())
    assert identity_of(replace(long, date="1999"), ["third", None]) == identity_of(long, ["first", None])


def test_flags_say_why_a_move_is_left_out() -> None:
    record = replace(BARE, moves=tuple(range(14)), clocks=(60.0,) * 10 + (29.0, 31.0, 10.0, 10.0))
    flags = flags_of(record)
    assert np.flatnonzero(flags & FLAG_OPENING).tolist() == list(range(10))
    assert np.flatnonzero(flags & FLAG_LOW_CLOCK).tolist() == [12]
    assert np.flatnonzero(flags_of(FULL) & FLAG_BOT).tolist() == [0, 2], "White moves first after a handicap"


@pytest.mark.parametrize("bucket_rows", [7, 100, 1_000_000])
def test_repeats_are_found_whatever_the_bucket_size(bucket_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "_BUCKET_ROWS", bucket_rows)
    marks = np.random.default_rng(1).integers(0, 2**64, 300, dtype=np.uint64)
    marks[250:] = marks[np.random.default_rng(2).integers(0, 250, 50)]
    seen: set[int] = set()
    wanted = [at for at, mark in enumerate(marks.tolist()) if mark in seen or seen.add(mark)]  # type: ignore[func-returns-value]
    chunks = np.split(marks, [10, 10, 77, 200])
    assert duplicates.repeated_rows(iter(chunks), 300).tolist() == wanted


def test_nothing_repeats_in_nothing() -> None:
    assert duplicates.repeated_rows(iter([]), 0).tolist() == []


def test_pseudonyms_are_stable_keyed_and_hide_the_name(tmp_path: Path) -> None:
    key = load_key(tmp_path / "keys" / "mine.key")
    assert load_key(tmp_path / "keys" / "mine.key") == key
    assert (tmp_path / "keys" / "mine.key").stat().st_mode & 0o777 == 0o600
    other = load_key(tmp_path / "keys" / "other.key")
    assert key_mark(key) != key_mark(other)
    assert pseudonym("Somebody ", "ogs", key) == pseudonym("somebody", "ogs", key)
    assert pseudonym("somebody", "ogs", key) != pseudonym("somebody", "kgs", key)
    assert pseudonym("somebody", "ogs", key) != pseudonym("somebody", "ogs", other)
    path = tmp_path / "shard-00000.parquet"
    write_shard(table_of([FULL], ["a"], Names(key)), path)
    [hidden] = read_records(path)
    assert hidden.players[0].name == pseudonym("first", "ogs", key)
    assert hidden.event == ""
    assert hidden.players[1].name is None
    assert b"first" not in path.read_bytes()
    (tmp_path / "short.key").write_bytes(b"short")
    with pytest.raises(BadInput, match="at least 16 bytes"):
        load_key(tmp_path / "short.key")
