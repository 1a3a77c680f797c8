"""Moves as texts, written once each."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.core import Position, Setup, open_game
from hitonami.web.move_log import MoveLog, move_names, move_texts


def _wander(game: str, picks: list[int]) -> list[Position]:
    rules: Any = open_game(game)
    here: Position = rules.start(Setup(size=9) if game == "go" else Setup())
    met = [here]
    for pick in picks:
        if len(here.legal):
            here = here.play(int(here.legal[pick % len(here.legal)]))
            met.append(here)
    return met


@pytest.mark.parametrize("game", ["chess", "shogi", "go"])
@given(st.lists(st.integers(0, 400), max_size=12), st.lists(st.integers(0, 12), max_size=8))
def test_a_log_says_what_a_fresh_one_says(game: str, picks: list[int], looks: list[int]) -> None:
    """In any order of asking: on, back, and the same again."""
    met, log = _wander(game, picks), MoveLog()
    for look in looks:
        position = met[look % len(met)]
        assert log.names(position) == move_names(position)
        assert log.texts(position) == move_texts(position)
        assert len(log.texts(position)) == position.ply


def test_another_branch_is_written_anew() -> None:
    log = MoveLog()
    one, other = _wander("chess", [3, 5, 7])[-1], _wander("chess", [3, 6, 7])[-1]
    assert log.names(one) != log.names(other) == move_names(other)


def test_texts_lead_to_the_position_again() -> None:
    met = _wander("shogi", [7, 11, 30, 2])
    here = met[0]
    for text in move_texts(met[-1]):
        here = here.play(here.game.parse(here, text))
    assert here.key == met[-1].key
