"""Wins at once: found where there are some, shared out by who plays them, and seen by strong agents."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hitonami import dist
from hitonami.agent import Agent
from hitonami.core import Effort, Opinion, Player, Query, Setup, open_game
from hitonami.dataset.shards import table_of, write_shard
from hitonami.errors import BadData, BadInput
from hitonami.judging.mates import PEOPLE, MateWish, run_mates
from hitonami.levels import seen_wins
from hitonami.records import Record
from hitonami.sights import wins_at_once
from hitonami.terminal.progress import Meter

BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


def _record(rating: float, text: str) -> Record:
    chess = open_game("chess")
    position, moves = chess.start(), []
    for word in text.split():
        moves.append(chess.parse(position, word))
        position = position.play(moves[-1])
    players = (Player(rating, "lichess", kind="human"), Player(rating, "lichess", kind="human"))
    return Record("chess", Setup(), tuple(moves), players, 0.5, "", "600+0")


def test_people_and_minds_are_counted_by_rating(tmp_path: Path) -> None:
    fool = "f3 e5 g4"
    games = [_record(900, f"{fool} Qh4"), _record(950, f"{fool} d5"), _record(1500, f"{fool} Qh4")]
    write_shard(table_of(games, ["made up"] * 3), tmp_path / "shard-00000.parquet")
    run = run_mates(MateWish("chess", ("uniform",), "all", "none"), [str(tmp_path)], Meter)
    low, high = run.groups
    assert (low.low, low.n, low.found[PEOPLE].value) == (800, 2, 0.5)
    assert (high.low, high.n, high.found[PEOPLE].value) == (1200, 1, 1.0)
    assert low.found["uniform"].value == pytest.approx(1 / 30)  # Black has thirty moves, one of them mates


def test_games_without_a_win_at_once_are_told_with_split_and_filter(tmp_path: Path) -> None:
    write_shard(table_of([_record(900, "e4 e5")], ["made up"]), tmp_path / "shard-00000.parquet")
    with pytest.raises(BadData, match="no win at once in 2 decisions of the split all; the filter was none"):
        run_mates(MateWish("chess", ("uniform",), "all", "none"), [str(tmp_path)], Meter)


def test_a_game_without_sights_is_refused() -> None:
    with pytest.raises(BadInput, match="othello"):
        run_mates(MateWish("othello", ("uniform",)), ["nowhere"], Meter)


def _blind(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
    """Thinks next to nothing of mates."""
    chances = [np.where(wins_at_once(query.position), 1e-5, 1.0) for query in queries]
    return [Opinion(dist.normalise(np.log(each))) for each in chances]


@pytest.mark.parametrize(("rating", "least", "most"), [(1500.0, 0.0, 0.001), (2600.0, 0.8, 1.0), (2750.0, 0.8, 1.0)])
def test_strong_agents_see_a_mate_that_their_mind_overlooks(rating: float, least: float, most: float) -> None:
    position = open_game("chess").read(BACK_RANK)
    query = Query(position, Player(rating, "fide"), Player(rating, "fide"))
    [opinion] = _blind([query], Effort.seeded())
    wins = wins_at_once(position)
    assert [open_game("chess").describe(position, int(move)) for move in position.legal[wins]] == ["Rd8#"]
    drawn = np.exp(Agent(_blind, style="human").draw_chances(query, opinion.log_probs))
    assert least <= drawn[wins].sum() <= most
    assert drawn.sum() == pytest.approx(1.0, abs=1e-5)
    assert seen_wins("human", query) == pytest.approx(drawn[wins].sum(), abs=1e-3)
    plain = np.exp(Agent(_blind).draw_chances(query, opinion.log_probs))
    np.testing.assert_array_equal(plain, np.exp(opinion.log_probs))  # a mind without a level's draw is left alone
