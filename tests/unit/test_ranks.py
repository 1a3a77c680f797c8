"""Ranks and ratings in every spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.errors import BadInput
from hitonami.ranks import read_rating, read_standing, split_name


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1d", 30), ("1k", 29), ("3k", 27), ("30k", 0), ("9d", 38), ("7 dan", 36), ("5 Dan", 34), ("2 kyu", 28),
        ("3級", 27), ("3级", 27), ("十二級", 18), ("12級", 18), ("1段", 30), ("初段", 30), ("二段", 31), ("九段", 38),
        ("３段", 32), ("1p", 40), ("9p", 48), ("P9段", 48), ("p3段", 42), ("プロ九段", 48), ("9dan-pro", 48),
        ("1834", 1834), ("R481", 481), ("1573.5", 1573.5),
    ],
)  # fmt: skip
def test_spellings(text: str, value: float) -> None:
    standing = read_standing(text)
    assert standing is not None
    assert (standing.value, standing.doubtful) == (value, False)
    assert standing.is_rank == (value < 100)


@pytest.mark.parametrize(("text", "value"), [("[6d?]", 35), ("2k?", 28), ("3d*", 32), ("1500?", 1500), ("１級？", 29)])
def test_doubt_is_kept(text: str, value: float) -> None:
    standing = read_standing(text)
    assert standing is not None
    assert (standing.value, standing.doubtful) == (value, True)


@pytest.mark.parametrize("text", ["", "kyu", "dan", "d", "段", "0k", "0d", "99k", "11d", "12", "strong", "5dd", "p3k"])
def test_other_text_is_no_rank(text: str) -> None:
    assert read_standing(text) is None


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("ao 三段", "ao", 32), ("ao1234 2級", "ao1234", 28), ("青木一八段", "青木一", 37), ("ao(481) R481", "ao", 481),
        ("ao01 (2268)", "ao01", 2268), ("青木太郎九段・名人", "青木太郎", 38), ("ao [5k]", "ao", 25),
        ("ao[6d?]", "ao", 35),
        ("青木　明龍王", "青木　明", None), ("青木太郎前名人", "青木太郎", None), ("bob", "bob", None),
        ("bob 1834", "bob 1834", None), ("(2268)", "(2268)", None), ("ao-14k (13k)", "ao-14k", 17),
    ],
)  # fmt: skip
def test_names_with_ranks(text: str, name: str, value: float | None) -> None:
    found, standing = split_name(text)
    assert (found, standing and standing.value) == (name, value)


@given(st.text(max_size=60))
def test_any_text_is_taken(text: str) -> None:
    name, standing = split_name(text)
    assert len(name) <= len(text)
    assert standing is None or -10 <= standing.value <= 9999
    read_standing(text)


@pytest.mark.parametrize(
    ("text", "game", "value"),
    [
        ("1500", "chess", 1500),
        ("17.7", "go", 17.7),
        ("3k", "go", 27),
        ("2d", "shogi", 31),
        ("初段", "", 30),
        ("-1", "", -1),
    ],
)
def test_ratings_as_people_type_them(text: str, game: str, value: float) -> None:
    assert read_rating(text, game) == value


@pytest.mark.parametrize("text", ["", "strong", "nan", "inf", "3x", "99d", "R1500", "0k"])
def test_what_is_no_rating_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is no rating: write a number such as 1500, or a rank"):
        read_rating(text, "go")


def test_chess_has_no_ranks() -> None:
    with pytest.raises(BadInput, match="'3k' is a rank, and chess has ratings"):
        read_rating("3k", "chess")
