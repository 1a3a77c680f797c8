"""The distance correction against the published formula, written out move by move."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Effort, Opinion, Player, Position, Query, Setup, index_of, last_touched, open_game
from hitonami.errors import BadInput, BadSpec
from hitonami.knobs import Curve
from hitonami.minds.near import Near
from hitonami.minds.uniform import Uniform
from hitonami.specs import mind_spec


class Only:
    """One move, and a view of the result."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        log_probs = np.full(len(queries[0].position.legal), -np.inf, dtype=np.float32)
        log_probs[0] = 0
        return [Opinion(log_probs, np.array([1, 0, 0], dtype=np.float32))]


def probabilities(position: Position, m: float, rating: float | None = None) -> dict[str, float]:
    """What `near` over `uniform` makes of each move, by the move's text."""
    (opinion,) = Near(Uniform(), m)([Query(position, Player(rating))], Effort.seeded())
    values = np.exp(opinion.log_probs.astype(np.float64)).tolist()
    return {
        position.game.format(position, move): value for move, value in zip(position.legal.tolist(), values, strict=True)
    }


def after(game: str, moves: str, setup: Setup | None = None) -> Position:
    rules: Any = open_game(game)
    position = rules.start(setup) if setup else rules.start()
    for text in moves.split():
        position = position.play(rules.parse(position, text))
    return position


def published_weight(distance: int, m: float) -> float:
    """The formula as GPW 2024 has it."""
    if distance > 14:
        return 0.1
    return 0.1 + (14 - distance) * m if distance > 4 else 0.1 + 10 * m


def by_hand(column: int, row: int, last: tuple[int, int]) -> int:
    across, along = abs(column - last[0]), abs(row - last[1])
    return across + along + max(across, along)


@settings(max_examples=25)  # each looks at all 361 moves
@given(st.integers(0, 18), st.integers(0, 18), st.floats(0.0, 0.5))
def test_go_has_the_published_weights(column: int, row: int, m: float) -> None:
    letters = "ABCDEFGHJKLMNOPQRST"
    found = probabilities(after("go", f"{letters[column]}{row + 1}"), m)
    weights = {
        f"{letters[x]}{y + 1}": published_weight(by_hand(x, y, (column, row)), m)
        for x in range(19)
        for y in range(19)
        if (x, y) != (column, row)
    }
    weights["pass"] = 1.0
    total = sum(weights.values())
    assert {name.upper(): value for name, value in found.items()} == pytest.approx(
        {name.upper(): weight / total for name, weight in weights.items()}, rel=1e-4
    )


def test_three_distances_worked_out() -> None:
    found = {name.upper(): value for name, value in probabilities(after("go", "K10"), 0.15).items()}
    assert found["K11"] / found["PASS"] == pytest.approx(1.6, rel=1e-5)  # d = 2: 0.1 + 10 · 0.15
    assert found["M13"] / found["PASS"] == pytest.approx(1.0, rel=1e-5)  # d = 2 + 3 + 3 = 8: 0.1 + 6 · 0.15
    assert found["A1"] / found["PASS"] == pytest.approx(0.1, rel=1e-5)  # d = 27


@pytest.mark.parametrize(
    ("game", "moves", "setup"),
    [
        ("go", "", None),
        ("go", "E5 pass", Setup(size=9)),
        ("chess", "", None),
        ("shogi", "", None),
    ],
)
def test_nothing_changes_without_a_place_to_look_at(game: str, moves: str, setup: Setup | None) -> None:
    found = probabilities(after(game, moves, setup), 0.2)
    assert list(found.values()) == pytest.approx([1 / len(found)] * len(found))


def test_what_the_last_move_touched_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Position] = []

    def ask(position: Position) -> tuple[tuple[int, int], ...]:
        asked.append(position)
        return last_touched(position)

    monkeypatch.setattr("hitonami.minds.near.last_touched", ask)
    start = open_game("chess").start()
    for position in (start, start.play(int(start.legal[0]))):
        asked.clear()
        probabilities(position, 0.1)
        assert asked == [position]


def test_chess_looks_at_the_square_where_the_last_move_ended() -> None:
    found = probabilities(after("chess", "e4 d5"), 0.1)
    weights = {"e4d5": 1.1, "d1g4": 0.1 + 0.1 * 3, "b1c3": 0.1 + 0.1 * 5, "a2a4": 0.1 + 0.1 * 3, "h2h3": 0.1}
    # Rémi's distances from d5: d5 0, g4 3 + 1 + 3 = 7, c3 1 + 2 + 2 = 5, a4 3 + 1 + 3 = 7, h3 4 + 2 + 4 = 10
    for name, weight in weights.items():
        assert found[name] / found["h2h3"] == pytest.approx(weight / 0.1, rel=1e-4), name


def test_shogi_looks_at_targets_of_moves_and_drops_alike() -> None:
    position = after("shogi", "7g7f 3c3d 8h2b+ 3a2b")
    found = probabilities(position, 0.1)
    # From 2b, files 1-9 and ranks a-i: 3c 1 + 1 + 1 = 3, 5e 3 + 3 + 3 = 9, 9g beyond 10
    assert found["B*3c"] / found["9g9f"] == pytest.approx((0.1 + 0.7) / 0.1, rel=1e-4)
    assert found["B*5e"] / found["9g9f"] == pytest.approx((0.1 + 0.1) / 0.1, rel=1e-4)


def test_the_knob_may_be_a_curve_over_rank() -> None:
    position = after("go", "E5", Setup(size=9))
    mind = Near(Uniform(), mind_spec({"kind": "near", "mind": "uniform", "m": [[14, 0.25], [38, 0.03]]}).fields[1][1])
    weak, strong = mind([Query(position, Player(14.0)), Query(position, Player(38.0))], Effort.seeded())
    close, far = (index_of(position, position.game.parse(position, text)) for text in ("E6", "A1"))
    assert weak.log_probs[close] - weak.log_probs[far] == pytest.approx(np.log((0.1 + 2.5) / (0.1 + 0.5)), abs=1e-4)
    assert strong.log_probs[close] - strong.log_probs[far] == pytest.approx(np.log(0.4 / 0.16), abs=1e-4)
    with pytest.raises(BadInput, match="give a rating"):
        mind([Query(position)], Effort.seeded())


def test_a_curve_of_one_point_is_a_number_and_needs_no_rating() -> None:
    query = Query(after("go", "E5", Setup(size=9)))
    (curve,) = Near(Uniform(), Curve(((20.0, 0.2),)))([query], Effort.seeded())
    (number,) = Near(Uniform(), 0.2)([query], Effort.seeded())
    assert curve.log_probs.tolist() == number.log_probs.tolist()


def test_what_the_other_mind_excludes_stays_excluded_and_its_result_stays() -> None:
    position = after("go", "E5", Setup(size=9))
    query = Query(position)
    (only,) = Near(Only(), 0.2)([query], Effort.seeded())
    assert np.isneginf(only.log_probs[1:]).all()
    assert only.log_probs[0] == 0
    assert only.wdl is not None


def test_bad_fields_are_refused() -> None:
    with pytest.raises(BadInput, match=r"m must lie between 0 and 1000, got -0\.1"):
        Near(Uniform(), -0.1)
    with pytest.raises(BadSpec, match="near: m: Field required"):
        mind_spec({"kind": "near", "mind": "uniform"})
