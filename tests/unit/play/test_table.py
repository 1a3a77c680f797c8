"""One set of rules for all who play: claims, counts, offers, time, and turns as the position says."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hitonami.agent import Agent, Decision, Resign
from hitonami.core import Claims, Effort, Game, Opinion, Player, Position, Query, Setup, open_game, turns_of
from hitonami.games.chess import Chess
from hitonami.play.endings import guess_dead, outcome_by_claim, outcome_on_time
from hitonami.play.table import Bout, Table, replay
from hitonami.records import told_movers

_SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8") * 2


def _even(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
    """Any move, and chances that are even."""
    sizes = [len(query.position.legal) for query in queries]
    return [Opinion(np.full(n, -np.log(n), dtype=np.float32), np.array([0.3, 0.4, 0.3], np.float32)) for n in sizes]


def _table(position: Position) -> Table:
    return Table(position, Agent(_even), position.to_move, Player(), Player(), Effort.seeded())


class Generous(Chess):
    """Chess in which the side to move may always claim either."""

    def claims(self, position: Any) -> Claims:
        return Claims(draw="a draw", win="a win")


def test_a_win_is_claimed_before_a_draw() -> None:
    for moves, score in ((), 1.0), (("e2e4",), 0.0):
        position: Any = replay(Chess(), Setup(), moves)
        generous: Any = SimpleNamespace(game=Generous(), to_move=position.to_move)
        claim = outcome_by_claim(generous)
        assert claim is not None
        assert (claim.score, claim.reason) == (score, "a win")


def test_who_asks_for_a_draw_gets_what_the_rules_give_before_anything_is_offered() -> None:
    table = _table(replay(open_game("chess"), Setup(), _SHUFFLE))
    assert table.ask_for_draw()
    assert table.outcome is not None
    assert table.outcome.reason != "agreement"
    assert table.outcome.score == 0.5


def _winning(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
    """Any move, and White wins."""
    chances = [np.array([0.99, 0, 0.01], np.float32)[:: 1 - 2 * query.position.to_move] for query in queries]
    sizes = [len(query.position.legal) for query in queries]
    return [Opinion(np.full(n, -np.log(n), dtype=np.float32), own) for n, own in zip(sizes, chances, strict=True)]


def test_an_offer_is_taken_by_who_loses_and_not_before_the_opening_is_over() -> None:
    table = _table(replay(open_game("chess"), Setup(), ("e2e4", "e7e5")))
    table.agent = Agent(_winning)
    assert not table.ask_for_draw()
    late = ("g1f3", "b8c6", "f1c4", "f8c5", "e1g1", "g8f6", "d2d3", "d7d6", "c2c3", "e8g8")
    for text in (*late, "f1e1", "a7a6", "c4b3", "c5a7", "h2h3", "h7h6", "b1d2", "f8e8"):
        table.play_text(text)
    assert table.humans_turn, "White, who is the person and wins"
    assert table.ask_for_draw()
    assert table.outcome is not None
    assert table.outcome.reason == "agreement"
    table.undo()
    table.play_text("b3c4")
    table.human_side = 1
    assert table.humans_turn
    assert not table.ask_for_draw(), "the agent has White now"


def test_a_flag_draws_where_nothing_is_left_to_mate_with() -> None:
    chess = open_game("chess")
    assert outcome_on_time(chess.read("8/8/4k3/8/8/3QK3/8/8 b - - 0 1")).score == 1.0
    assert outcome_on_time(chess.read("8/8/4k3/8/8/3QK3/8/8 w - - 0 1")).score == 0.5
    assert outcome_on_time(open_game("shogi").start()).score == 0.0


def test_a_board_is_counted_the_same_by_whoever_counts_it() -> None:
    go: Game[Any] = open_game("go")
    moves = ("C3", "C4", "D3", "D4", "B3", "B4", "E3", "E4", "A3", "A4", "pass", "pass")
    bouts = [Bout(replay(go, Setup(size=5), moves)) for _ in range(2)]
    for bout in bouts:
        bout.look_for_end()
    assert bouts[0].outcome == bouts[1].outcome
    assert bouts[0].dead == guess_dead(bouts[0].position)
    bouts[0].count_with([])
    assert bouts[0].dead == ()


@pytest.mark.parametrize(("sides", "told"), [((0, 1, 0), ()), ((0, 0, 1), (0, 0, 1)), ((1, 0, 1, 1), (1, 0, 1, 1))])
def test_movers_are_told_only_where_turns_do_not_alternate(sides: tuple[int, ...], told: tuple[int, ...]) -> None:
    assert told_movers(sides) == told


def test_a_game_whose_turns_do_not_alternate_is_written_down_with_its_movers(game_in_one_file: str) -> None:
    table = _table(replay(open_game(game_in_one_file), Setup(), ("d4", "a1", "a2", "b1")))
    assert turns_of(table.position) == (0, 1, 1, 0, 0)
    assert table.humans_turn
    assert table.record().movers == (0, 1, 1, 0)
    table.undo()
    assert turns_of(table.position) == (0, 1, 1, 0)


def test_a_resignation_tells_why_and_its_record_does_not() -> None:
    table = _table(replay(open_game("chess"), Setup(), ("e2e4",)))
    [opinion] = _even([Query(table.position)], table.effort)
    table.carry_out(Decision(Resign(0.02, 5.0), opinion, 1.0))
    assert table.outcome is not None
    assert table.outcome.reason == "resignation, 2% hope, 5 behind"
    assert table.record().termination == "resignation"
    assert table.record().score == table.outcome.score == 0.0 + (table.human_side == 0)
