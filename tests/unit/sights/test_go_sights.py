"""What a Go board shows of each move, on boards that are easy to see through and against the rules themselves."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Player, Query, Setup, open_game
from hitonami.games.go import GoPosition
from hitonami.games.go_rules.score import count_liberties
from hitonami.models.encoders._katago_planes import LADDERS, PLANES, WORKING
from hitonami.models.encoders.katago import Katago
from hitonami.sights import Sights, look, player_columns, sights_of

GO = open_game("go")


@pytest.fixture(scope="module")
def sights() -> Sights:
    return open_sights()


def open_sights() -> Sights:
    found = sights_of("go")
    assert found is not None
    return found


def play(size: int, *moves: str) -> GoPosition:
    position = GO.start(Setup(size=size))
    for text in moves:
        position = position.play(GO.parse(position, text))
    assert isinstance(position, GoPosition)
    return position


def shown_of(sights: Sights, position: GoPosition) -> dict[str, dict[str, float]]:
    """{vertex: {column: value}} of all legal moves."""
    rows = sights.show([position], position.legal.astype(np.int64), np.array([0, len(position.legal)]))
    return {
        GO.format(position, int(move)): dict(zip(sights.columns, row.tolist(), strict=True))
        for move, row in zip(position.legal, rows, strict=True)
    }


def random_position(seed: int, plies: int, size: int = 9) -> GoPosition:
    rng, position = np.random.default_rng(seed), GO.start(Setup(size=size))
    for _ in range(plies):
        position = position.play(int(rng.choice(position.legal[:-1] if len(position.legal) > 1 else position.legal)))
    assert isinstance(position, GoPosition)
    return position


def liberties_of(position: GoPosition) -> list[int]:
    found = np.empty(position.size**2, np.int16)
    count_liberties(position.board, position.size, found)
    return [int(each) for each in found]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 70))
def test_what_the_rules_do_is_seen(seed: int, plies: int) -> None:
    sights, position = open_sights(), random_position(seed, plies)
    own, before = position.to_move, liberties_of(position)
    for text, shown in shown_of(sights, position).items():
        move = GO.parse(position, text)
        assert bool(shown["passes"]) == (move == position.size**2)
        if move == position.size**2:
            continue
        after = position.play(move)
        assert isinstance(after, GoPosition)
        liberties = liberties_of(after)
        assert bool(shown["takes_any"]) == (after.captures[own] > position.captures[own])
        assert round(4 * shown["liberties"]) == min(liberties[move], 4)
        assert bool(shown["self_atari_any"]) == (liberties[move] == 1)
        assert bool(shown["opens_ko"]) == (after.ko_point >= 0)
        beside = [at for at in neighbours(move, position.size) if position.board[at] == 2 - own]
        assert bool(shown["gives_atari_any"]) == any(before[at] > 1 and liberties[at] == 1 for at in beside)


def neighbours(move: int, size: int) -> Sequence[int]:
    row, column = divmod(move, size)
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * size + c for r, c in near if 0 <= r < size and 0 <= c < size]


def test_atari_is_answered_and_stones_are_taken(sights: Sights) -> None:
    position = play(9, "E5", "E6", "A1", "D5", "A2", "F5")
    shown = shown_of(sights, position)
    assert shown["E4"]["saves_any"] == 1
    assert shown["E4"]["touches_last"] == 1
    assert shown["H8"]["saves_any"] == 0
    assert shown["H8"]["own_in_atari"] == 0.25
    taken = shown_of(sights, play(9, "E5", "E6", "A1", "D5", "A2", "F5", "A3"))
    assert (taken["E4"]["takes_any"], taken["E4"]["takes"]) == (1, 0.25)
    again = shown_of(sights, play(9, "E5", "E6", "A1", "D5", "A2", "F5", "A3", "E4"))
    assert again["A4"]["taken_last"] == 0.25


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.integers(20, 70))
def test_ladders_are_those_that_networks_are_told_of(seed: int, plies: int) -> None:
    position = random_position(seed, plies)
    planes = Katago().encode([Query(position, Player(), Player())])["planes"][0].reshape(PLANES, -1)
    for text, shown in shown_of(open_sights(), position).items():
        move = GO.parse(position, text)
        if move == position.size**2:
            continue
        own = [at for at in neighbours(move, position.size) if position.board[at] == position.to_move + 1]
        assert bool(shown["starts_ladder"]) == bool(planes[WORKING, move])
        assert bool(shown["runs_in_ladder"]) == any(planes[LADDERS, at] for at in own)


def test_where_moves_lie(sights: Sights) -> None:
    shown = shown_of(sights, play(19, "D4", "Q16", "D16", "Q4"))
    assert shown["R3"]["near_last"] == pytest.approx(0.1)
    assert shown["A1"]["line"] == 0
    assert shown["K10"]["line"] == 1
    assert shown["D5"]["near_own"] == 1  # D16 was its own last move
    assert (shown["D5"]["middle"], shown["D5"]["small"]) == (0, 0)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 60))
def test_turned_boards_show_the_same(seed: int, plies: int) -> None:
    sights, rng = open_sights(), np.random.default_rng(seed)
    position, turned = GO.start(Setup(size=9)), GO.start(Setup(size=9))
    for _ in range(plies):
        move = int(rng.choice(position.legal[:-1] if len(position.legal) > 1 else position.legal))
        position, turned = position.play(move), turned.play(move if move == 81 else move % 9 * 9 + move // 9)
    assert isinstance(position, GoPosition)
    assert isinstance(turned, GoPosition)
    own = sights.show([position], position.legal.astype(np.int64), np.array([0, len(position.legal)]))
    across = np.array([move if move == 81 else move % 9 * 9 + move // 9 for move in position.legal.tolist()])
    assert sights.show([turned], across, np.array([0, len(across)])) == pytest.approx(own, abs=1e-6)


def test_sizes_share_a_batch_and_pools_a_scale(sights: Sights) -> None:
    queries = [
        Query(play(9, "E5"), Player(1700.0, "goquest"), Player(None, "goquest")),
        Query(play(19, "D4"), Player(21.0, "ogs"), Player(21.0, "ogs")),
        Query(play(9, "E5", "D5"), Player(None, "kgs"), Player(30.0, "kgs")),
    ]
    counts = [len(query.position.legal) for query in queries]
    inner = [np.full(count, -np.log(count), dtype=np.float32) for count in counts]
    together = look(sights, queries, inner)
    for at, (query, own) in enumerate(zip(queries, inner, strict=True)):
        alone = look(sights, [query], [own])
        part = together.columns[together.begins[at] : together.begins[at + 1]]
        assert part == pytest.approx(alone.columns, abs=1e-6)
    told = player_columns(
        sights, [(query.player, query.opponent) for query in queries], ("ogs", "goquest", "kgs"), (5.0, 38.0)
    )
    assert told[0, 0] == pytest.approx(told[1, 0])
    assert told[2, :6].tolist() == [0.0] * 6
