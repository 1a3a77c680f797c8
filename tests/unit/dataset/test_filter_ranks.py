"""A range of ranks in a filter is the range of their numbers."""

import pytest

from hitonami.core import Player, Setup
from hitonami.dataset.filters import parse_filter
from hitonami.errors import BadInput
from hitonami.records import Record


@pytest.mark.parametrize(("rating", "kept"), [(24.0, False), (25.0, True), (31.0, True), (32.0, False)])
def test_ranks_bound_a_range(rating: float, kept: bool) -> None:
    record = Record("go", Setup(), (), (Player(rating), Player(27.0)))
    assert parse_filter("rating:5k-2d").keeps_game(record) is kept
    assert parse_filter("rating:25-31").keeps_game(record) is kept


@pytest.mark.parametrize("text", ["rating:5x-2d", "rating:5k-", "rating:1500-strong"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is not a number, and not a rank"):
        parse_filter(text)
