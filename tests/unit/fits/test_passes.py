"""Passes: found at the end of records, and the chances of a mind that passes too soon, too late, or as people do."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from hitonami import dist
from hitonami.agent import Agent
from hitonami.core import Effort, Opinion, Player, Query, Setup, open_game
from hitonami.errors import BadInput
from hitonami.fits.manners_run import MannersWish
from hitonami.fits.passes import LOOKED_BACK, Ending, ask_endings, ends_in_passes, measure_passes, pass_of, run_passes
from hitonami.records import Record
from hitonami.terminal.progress import Meter


def record(plies: int) -> Record:
    """A game on 9×9 with so many stones and two passes."""
    game = open_game("go")
    position = game.start(Setup(size=9))
    passing, moves = int(position.legal[-1]), []
    for _ in range(plies):
        moves.append(int(position.legal[0]))
        position = position.play(moves[-1])
    return Record(
        "go", Setup(size=9), (*moves, passing, passing), (Player(25, "kgs"), Player(25, "kgs")), 1.0, "two passes"
    )


def test_a_game_that_two_passes_ended_is_known_by_its_board() -> None:
    game = record(14)
    assert open_game("go").format(open_game("go").start(Setup(size=9)), pass_of(game)).lower() == "pass"
    assert ends_in_passes(game, pass_of(game))
    assert not ends_in_passes(record(4), pass_of(game)), "too short to look back"


def test_each_turn_has_the_minds_chance_of_a_pass() -> None:
    def mind(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        told = []
        for query in queries:
            chances = np.full(len(query.position.legal), 0.1)
            chances[-1] = 0.9 * (len(chances) - 1)  # nine times all the others together
            told.append(Opinion(dist.normalise(np.log(chances))))
        return told

    [ending] = ask_endings([record(14)], Agent(mind), pass_of, lambda done, games: None)
    assert len(ending.chance) == LOOKED_BACK
    assert ending.passed == (*(False,) * (LOOKED_BACK - 2), True, True)
    assert ending.chance[-1] == pytest.approx(0.9, abs=1e-3)


def test_figures_tell_who_passes_sooner_and_who_later() -> None:
    passed = (*(False,) * 10, True, True)
    alike = Ending("a", passed, (*(0.0,) * 10, 1.0, 1.0))
    sooner = Ending("b", passed, (1.0, *(0.0,) * 11))
    never = Ending("c", passed, (0.0,) * 12)
    rows = {each.group: each for each in measure_passes([alike] * 5 + [sooner] * 5 + [never] * 5)}
    assert rows["a"].later.value == 0
    assert rows["b"].later.value == -10
    assert rows["c"].later.value == 1
    assert (rows["a"].first.value, rows["c"].answer.value) == (1.0, 0.0)
    assert rows["b"].before.value == pytest.approx(0.1)
    assert rows["all"].games == 15


def test_a_game_without_passes_is_refused(write_games: Callable[..., Path]) -> None:
    games = write_games("chess", 3, most=6)
    with pytest.raises(BadInput, match="chess"):
        run_passes(MannersWish("chess", 3, "none"), (str(games),), Meter)
