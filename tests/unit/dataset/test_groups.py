"""Splits that never move, groups that add up, roles that do not depend on order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.dataset.groups import (
    band_of,
    in_split,
    rank_name,
    split_of,
    splits_of,
)
from hitonami.errors import BadInput


@given(st.lists(st.integers(0, 2**64 - 1), max_size=50), st.sampled_from(["90/5/5", "80/10/10"]))
def test_one_game_and_many_games_agree(contents: list[int], shares: str) -> None:
    names = ["train", "validation", "test"]
    many = splits_of(np.array(contents, dtype=np.uint64), shares)
    assert [names[at] for at in many] == [split_of(content, shares) for content in contents]


@given(st.lists(st.integers(0, 2**64 - 1), max_size=50), st.sampled_from(["90/5/5", "80/10/10"]))
def test_the_splits_are_all_games_and_no_game_twice(contents: list[int], shares: str) -> None:
    hashes = np.array(contents, dtype=np.uint64)
    parts = [in_split(hashes, split, shares) for split in ("train", "validation", "test")]
    assert (np.sum(parts, axis=0) == in_split(hashes, "all", shares)).all()
    assert parts[2].tolist() == [split_of(content, shares) == "test" for content in contents]


@pytest.mark.parametrize(("shares", "wanted"), [("90/5/5", (0.9, 0.05, 0.05)), ("80/10/10", (0.8, 0.1, 0.1))])
def test_shares_come_out(shares: str, wanted: tuple[float, ...]) -> None:
    contents = np.random.default_rng(0).integers(0, 2**64, 200_000, dtype=np.uint64)
    found = np.bincount(splits_of(contents, shares), minlength=3) / len(contents)
    assert np.abs(found - wanted).max() < 0.004


def test_a_split_is_golden() -> None:
    """Were this to change, every held-out figure ever published would be contaminated."""
    contents = np.array([0, 900_000, 943_718, 943_719, 996_147, 996_148, 2**64 - 1, 2**63 + 950_000], dtype=np.uint64)
    assert splits_of(contents).tolist() == [0, 0, 0, 1, 1, 2, 2, 1]
    with pytest.raises(BadInput, match="90/5/5"):
        split_of(1, "70/30")


def test_bands() -> None:
    assert [band_of(rating) for rating in (1100.0, 1199.9, 1200.0)] == ["1100", "1100", "1200"]
    assert band_of(1250.0, 200.0) == "1200"


def test_ranks_have_names() -> None:
    assert [rank_name(rank) for rank in (0.0, 20.0, 29.9, 30.0, 38.0, 40.0, 48.0)] == [
        "30k",
        "10k",
        "1k",
        "1d",
        "9d",
        "1p",
        "9p",
    ]
