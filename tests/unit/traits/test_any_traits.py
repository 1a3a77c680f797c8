"""Traits of games without a file of their own, time use, and the arrays that traits are measured over."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hitonami.core import Player, Setup, open_game
from hitonami.dataset.columns import Columns, columns_of, join
from hitonami.dataset.shards import table_of
from hitonami.parts import find_parts
from hitonami.records import Record
from hitonami.traits import measure_traits, traits_of


def laid_out(*records: Record) -> Columns:
    return columns_of(table_of(records, [""] * len(records)), records[0].game)


@pytest.mark.parametrize("game", ["breakthrough", "connect-four", "hex", "openspiel:tic_tac_toe", "heian"])
def test_a_game_without_a_file_has_traits(draw_games: Callable[..., Any], game: str) -> None:
    games, records = draw_games(game, 2, 30)
    found, names = measure_traits(games), traits_of(game).names
    assert found.shape == (2, 2, len(names))
    assert len(set(names)) == len(names)
    counts = [[len(record.moves) // 2 + len(record.moves) % 2, len(record.moves) // 2] for record in records]
    assert found[:, :, names.index("own_moves")].tolist() == counts
    assert not np.isnan(found[:, :, names.index("choices")]).any()


def test_plain_traits_see_pieces_and_captures() -> None:
    game = open_game("breakthrough")
    position, moves = game.start(), []
    for at in range(40):
        takes = [each for each in position.legal.tolist() if is_taking(position, each)]
        moves.append((takes or position.legal.tolist())[0 if takes else at % len(position.legal)])
        position = position.play(moves[-1])
        if not len(position.legal):
            break
    record = Record("breakthrough", Setup(), tuple(moves), (Player(), Player()))
    names = traits_of("breakthrough").names
    found = measure_traits(laid_out(record))[0, :, names.index("captures")]
    position, taken = game.start(), (list[bool](), list[bool]())
    for move in moves:
        taken[position.to_move].append(is_taking(position, move))
        position = position.follow(move)
    assert found == pytest.approx([np.mean(each) for each in taken])


def is_taking(position: Any, move: int) -> bool:
    def count(here: Any) -> int:
        return sum(cell.side is not None for row in here.game.diagram(here).rows for cell in row)

    return count(position.follow(move)) < count(position)


def test_each_file_is_about_a_game_and_names_are_unique() -> None:
    for name in find_parts("traits"):
        assert name in find_parts("games")
        assert len(set(traits_of(name).names)) == len(traits_of(name).names)


def test_time_use() -> None:
    seconds = (5.0, 1.0, 5.0, 9.0, 5.0, 1.0, 5.0, 9.0, 5.0, 1.0, 5.0, 9.0) + (5.0, 1.0) * 5
    position, moves = open_game("chess").start(), []
    for _ in seconds:
        moves.append(int(position.legal[0]))
        position = position.play(moves[-1])
    record = Record("chess", Setup(), tuple(moves), (Player(), Player()), think_seconds=seconds)
    found = measure_traits(laid_out(record))[0, :, -4:]
    assert found[0] == pytest.approx([5.0, 0.0, 0.0, 10 / 11], abs=1e-5)
    own = np.array(seconds[1::2])
    assert found[1] == pytest.approx(
        [
            np.exp(np.log1p(own).mean()) - 1,
            np.log1p(own).std(),
            (own < own.mean() / 4).mean(),
            own[:10].sum() / own.sum(),
        ]
    )


def test_clocks_tell_the_time_of_moves() -> None:
    position, moves = open_game("chess").start(), []
    for _ in range(6):
        moves.append(int(position.legal[0]))
        position = position.play(moves[-1])
    record = Record(
        *("chess", Setup(), tuple(moves), (Player(), Player())),
        clocks=(60.0, 60.0, 57.0, 52.0, 57.0, 40.0),
        time_control="60+2",
    )
    games = laid_out(record, replace(record, clocks=()))
    assert games.think_seconds[2:6].tolist() == [5.0, 10.0, 2.0, 14.0]
    assert np.isnan(games.think_seconds[:2]).all()
    assert np.isnan(games.think_seconds[6:]).all()


def test_columns_are_the_records(draw_games: Callable[..., Any]) -> None:
    plain, records = draw_games("chess", 3, 20)
    other, more = draw_games("chess", 2, 20, (Setup(start="8/8/8/4k3/8/4K3/4R3/8 b - - 0 1"),))
    games = join([plain, other])
    for at, record in enumerate([*records, *more]):
        assert tuple(games.moves[games.begins[at] : games.begins[at + 1]]) == record.moves
        assert games.setups[games.setup[at]] == record.setup
    assert games.movers[games.begins[3]] == 1  # Black begins there
    assert np.array_equal(
        measure_traits(games), np.concatenate([measure_traits(plain), measure_traits(other)]), equal_nan=True
    )
