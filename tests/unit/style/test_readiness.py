"""How soon a person gives up: which lost games count, and what they make of a twin."""

from dataclasses import replace
from pathlib import Path

import pytest

from hitonami.core import Effort, Player, Query, Setup, open_game
from hitonami.errors import BadSpec
from hitonami.records import Record
from hitonami.specs import open_mind
from hitonami.style.person import OwnGame
from hitonami.style.readiness import Readiness, read_readiness
from hitonami.twins.store import find_twin, path_of, read_twin, write_twin
from hitonami.twins.twin import Twin

FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


def _game(side: int, score: float | None, termination: str, moves: tuple[str, ...] = FOOLS_MATE[:3]) -> OwnGame:
    chess = open_game("chess")
    position, played = chess.start(), []
    for text in moves:
        played.append(chess.parse(position, text))
        position = position.play(played[-1])
    return OwnGame(0, Record("chess", Setup(), tuple(played), (Player(), Player()), score, termination), side)


def test_only_games_that_were_given_up_or_played_to_their_end_count() -> None:
    games = [
        _game(0, 0.0, "resignation"),  # the person, White, gave up
        _game(1, 0.0, "resignation"),  # the other one did
        _game(1, 1.0, "resignation"),  # the person, Black, gave up
        _game(0, 0.0, "checkmate", FOOLS_MATE),  # the person was mated
        _game(1, 0.0, "", FOOLS_MATE),  # the other one was, whatever the record says
        _game(0, 0.0, "time"),
        _game(0, 0.0, ""),
        _game(0, 0.5, "agreement"),
        _game(0, None, "resignation"),
    ]
    assert read_readiness(games) == Readiness(2, 3, 1, 2)


def test_readiness_is_what_lies_beyond_the_others_and_few_games_say_little() -> None:
    assert Readiness().log_odds == 0.0
    assert Readiness(5, 5, 0, 9).log_odds == 0.0, "nobody gives up there"
    assert Readiness(0, 0, 5, 9).log_odds == 0.0
    assert Readiness(6, 10, 60, 100).log_odds == pytest.approx(0.0, abs=1e-9)
    never, seldom, always = (Readiness(count, 40, 60, 100).log_odds for count in (0, 10, 40))
    assert never < seldom < 0 < always
    assert abs(Readiness(0, 2, 60, 100).log_odds) < 0.5 * abs(never)
    assert Readiness(40, 40, 100, 100).log_odds == pytest.approx(0.0, abs=1e-9)


def test_a_twin_keeps_it_and_its_opinions_say_so(tmp_path: Path) -> None:
    twin = Twin("slow", "chess", Player(1500.0, "lichess"), None, {}, {"mind": "uniform"}, -1.25)
    write_twin(twin)
    assert find_twin("slow").readiness == -1.25
    with open_mind("twin:slow") as mind:
        [opinion] = mind([Query(open_game("chess").start())], Effort.seeded())
    assert opinion.readiness == -1.25
    write_twin(replace(twin, readiness=99.0))
    with pytest.raises(BadSpec, match="readiness"):
        read_twin(path_of("slow"))
