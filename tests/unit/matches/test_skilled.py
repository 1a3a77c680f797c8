"""Games of an engine against itself: scored turn by turn, kept one by one, gone on with after an interruption."""

from pathlib import Path
from typing import Any

import pytest

from hitonami.core import Line, open_game
from hitonami.engines.uci import Found, Limits, Search
from hitonami.errors import BadData, BadSpec
from hitonami.matches.skilled import (
    SKILL,
    ScoredGame,
    draw_openings,
    keep_games,
    open_engine,
    play_game,
    read_games,
    turns_of_loser,
)
from hitonami.minds.uniform import Uniform

_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


class Scripted:
    """An engine that plays a line and says that White loses more with each ply."""

    name = "scripted"

    def __init__(self, line: tuple[str, ...]) -> None:
        self.line, self.asked = line, list[Search]()

    def search(self, wanted: Search) -> Found:
        self.asked.append(wanted)
        ply = wanted.position.ply
        move = wanted.position.game.parse(wanted.position, self.line[ply])
        score = -100 * ply * (1 - 2 * wanted.position.to_move)
        return Found(move, (Line((move,), None, score, None),))


def test_a_game_goes_to_its_end_and_every_turn_has_the_score_of_who_moves() -> None:
    engine: Any = Scripted(_MATE)
    game = play_game(engine, Limits(nodes=1), open_game("chess").start())
    assert (game.score, game.ending) == (0.0, "checkmate")
    assert game.sides == (0, 1, 0, 1)
    assert game.scores == (0.0, 100.0, -200.0, 300.0)
    assert game.legal[0] == 20
    assert [search.fresh for search in engine.asked] == [True, False, False, False], "memory is the game's own"
    assert list(turns_of_loser(game)) == [(0, 0.0), (1, -100.0), (2, -200.0), (3, -300.0)]


def test_nobody_wins_a_game_that_repeats_itself() -> None:
    engine: Any = Scripted(("g1f3", "g8f6", "f3g1", "f6g8") * 2)
    game = play_game(engine, Limits(nodes=1), open_game("chess").start())
    assert (game.score, len(game.sides)) == (0.5, 8)
    assert not list(turns_of_loser(game))


def test_what_was_played_is_kept_and_a_line_cut_off_is_played_again(tmp_path: Path) -> None:
    path, played = tmp_path / "games.jsonl", list[int]()

    def play(at: int) -> ScoredGame:
        played.append(at)
        return ScoredGame((0, 1), (10.0, None), (20, 20), 1.0, f"game {at}")

    first = keep_games(path, 3, play, lambda done, games: None)
    assert read_games(path) == first
    path.write_bytes(path.read_bytes()[:-9])
    assert keep_games(path, 4, play, lambda done, games: None)[:2] == first[:2]
    assert played == [0, 1, 2, 2, 3]
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(["{", *lines]), encoding="utf-8")
    with pytest.raises(BadData, match="line 1"):
        read_games(path)


def test_only_engines_have_a_skill() -> None:
    with pytest.raises(BadSpec, match="uniform"):
        open_engine("uniform", 5)
    engine, limits = open_engine("uci:stockfish", 5)
    assert limits == Limits(nodes=10_000)
    assert SKILL in engine._given


def test_openings_are_drawn_from_a_mind_and_the_same_by_one_seed() -> None:
    starts = draw_openings("chess", Uniform(), 6, 3, 7)
    assert {start.ply for start in starts} == {3}
    assert len({start.key for start in starts}) > 3
    assert [start.key for start in starts] == [start.key for start in draw_openings("chess", Uniform(), 6, 3, 7)]
