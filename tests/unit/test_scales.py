"""What is said of people whom the packaged networks do not know."""

import pytest

from hitonami.scales import doubts_of, scale_of


@pytest.mark.parametrize(
    ("game", "ratings", "pool", "said"),
    [
        ("chess", (600.0, 1500.0, 2800.0), "lichess", []),
        ("chess", (1500.0,), "", []),
        ("chess", (1500.0,), "nowhere", ["knows no pool 'nowhere' and takes it for none; it knows lichess, fide"]),
        ("chess", (99.0, 1500.0, 99999.0), "fide", ["players of 600 to 2800: 99, 99999 is taken for the nearer end"]),
        ("go", (1500.0,), "goquest", []),
        ("othello", (5000.0,), "nowhere", []),
        ("hex", (5000.0,), "nowhere", []),
    ],
)
def test_people_beyond_a_network_are_named(game: str, ratings: tuple[float, ...], pool: str, said: list[str]) -> None:
    told = list(doubts_of(game, ratings, pool))
    assert len(told) == len(said)
    assert all(each in whole for each, whole in zip(said, told, strict=True))


def test_a_scale_is_that_of_the_network_where_there_is_one() -> None:
    assert (scale_of("chess").low, scale_of("chess").high) == (600, 2800)
    assert scale_of("hex").pools == ("",)
