import pytest

from hitonami.core import Player
from hitonami.evaluate.grouping import By, default_by, group_of


@pytest.mark.parametrize(
    ("rating", "game", "by", "name"),
    [
        (1599.0, "chess", "rating", "1400"),
        (1600.0, "chess", "rating", "1600"),
        (-20.0, "go", "rank", "below 20k"),
        (9.9, "go", "rank", "below 20k"),
        (10.0, "go", "rank", "20k–16k"),
        (14.99, "go", "rank", "20k–16k"),
        (29.4, "go", "rank", "5k–1k"),
        (30.0, "go", "rank", "1d+"),
        (38.0, "go", "rank", "1d+"),
        (44.0, "go", "rank", "professional"),
        (1850.0, "go", "rank", "1800"),  # GoQuest has ratings, not ranks
        (24.0, "go", "rating", "6k"),
        (25.0, "shogi", "rank", "below 4k"),
        (29.0, "shogi", "rank", "4k–1k"),
        (31.0, "shogi", "rank", "1d–2d"),
        (35.0, "shogi", "rank", "5d+"),
        (None, "shogi", "rank", "unrated"),
        (1500.0, "chess", "none", "all"),
        (None, "chess", "none", "all"),
    ],
)
def test_names(rating: float | None, game: str, by: By, name: str) -> None:
    assert group_of(Player(rating, "here"), game, by).name == name


def test_the_weakest_comes_first_the_unrated_last_and_pools_stay_apart() -> None:
    ratings: list[float | None] = [None, 2100.0, 900.0, 1500.0]
    groups = sorted(group_of(Player(rating, pool), "chess", "rating") for pool in ("b", "a") for rating in ratings)
    assert [group.label(2) for group in groups[:4]] == ["a 800", "a 1400", "a 2000", "a unrated"]
    assert [group.label(1) for group in groups[4:]] == ["800", "1400", "2000", "unrated"]
    assert group_of(Player(900.0), "chess", "rating").label(2) == "unknown pool 800"
    ranks = [group_of(Player(rank, "ogs"), "go", "rank") for rank in (31.0, 45.0, 3.0, 12.0, 27.0, 17.0, 22.0)]
    assert [group.name for group in sorted(ranks)] == [
        "below 20k", "20k–16k", "15k–11k", "10k–6k", "5k–1k", "1d+", "professional",
    ]  # fmt: skip


def test_band_width_and_defaults() -> None:
    assert group_of(Player(1599.0), "chess", "rating", 100.0).name == "1500"
    assert [default_by(game) for game in ("chess", "go", "shogi")] == ["rating", "rank", "rank"]
