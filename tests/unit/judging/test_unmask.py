"""Programs that play otherwise are told from people, those that play like people are not, whoever taught it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from hitonami.cli import cli
from hitonami.core import Effort, Opinion, Player, Query, Setup, open_game
from hitonami.errors import BadInput
from hitonami.judging.unmask import SEEN, Shown, kind_of, learn, show_games, unmask
from hitonami.judging.unmask_run import UnmaskWish, _fits
from hitonami.matches.alone import Alone, play_alone
from hitonami.matches.entrants import read_entrant
from hitonami.records import Record
from hitonami.specs import Room

NAMES = ("a", "b", "c")


def sides(count: int, centre: Sequence[float], seed: int) -> Shown:
    return Shown(NAMES, np.random.default_rng(seed).normal(size=(2 * count, 3)) + np.array(centre))


def test_what_differs_is_told_and_what_does_not_is_not() -> None:
    people = sides(80, (0, 0, 0), 0)
    programs = {
        "odd@1500": sides(40, (3, 0, 0), 1),
        "odd@1900": sides(40, (3, 0, 0), 2),
        "like@1500": sides(40, (0, 0, 0), 3),
    }
    programs["other"] = sides(40, (3, 0.5, 0), 4)
    found = unmask(people, programs)
    told = {each.agent: each for each in found.told}
    assert told["odd@1500"].auc.low > 0.9
    assert told["odd@1500"].accuracy.value > 0.8
    assert told["like@1500"].auc.low < 0.5 < told["like@1500"].auc.high
    assert found.weights[0][0] == "a"
    assert found.weights[0][1] > 0
    assert (told["other"].games, told["other"].people) == (40, 80)


def test_a_kind_is_never_learned_from_when_it_is_told() -> None:
    """What marks one kind alone cannot be known from others."""
    people = sides(80, (0, 0, 0), 0)
    programs = {
        "left@1": sides(40, (4, 0, 0), 1),
        "left@2": sides(40, (4, 0, 0), 2),
        "right@1": sides(40, (0, 4, 0), 3),
    }
    found = {each.agent: each for each in unmask(people, programs).told}
    assert all(each.auc.value < 0.75 for each in found.values())
    assert kind_of("left@1") == kind_of("left@2") == "left"
    with pytest.raises(BadInput, match="two kinds"):
        unmask(people, {"left@1": programs["left@1"], "left@2": programs["left@2"]})


def test_what_is_not_known_says_nothing() -> None:
    values = np.random.default_rng(0).normal(size=(40, 3))
    values[:, 2] = np.nan
    learned = learn(NAMES, values[:20], values[20:] + np.array([3, 0, 0]))
    assert learned.weights[3] == pytest.approx(0.0, abs=1e-6)
    assert not np.isnan(learned.score(values)).any()


@dataclass(frozen=True)
class Fond:
    """Nine tenths for the first legal move; the side to move of the first player is winning."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [self._of(query) for query in queries]

    def _of(self, query: Query) -> Opinion:
        count = len(query.position.legal)
        chances = np.full(count, 0.1 / (count - 1))
        chances[0] = 0.9
        score = 0.8 if query.position.to_move == 0 else 0.2
        return Opinion(np.log(chances).astype(np.float32), np.array([score, 0.0, 1 - score], dtype=np.float32))


def test_what_shows_of_a_game() -> None:
    """The first player always takes the first legal move, the second the last."""
    chess = open_game("chess")
    position, moves = chess.start(Setup()), list[int]()
    while len(moves) < 16:
        moves.append(int(position.legal[0 if position.to_move == 0 else -1]))
        position = position.play(moves[-1])
    shown = show_games([Record("chess", Setup(), tuple(moves))], Fond(), 16)
    first, second = shown.values[:, : len(SEEN)]
    assert shown.names[: len(SEEN)] == SEEN
    assert first[0] == pytest.approx(np.log(0.9), abs=1e-5)
    assert (first[2], second[2]) == (1.0, 0.0)
    assert second[3] == 1.0
    assert first[1] > 0 > second[1]
    assert first[5:8] == pytest.approx([0, 0, 0], abs=1e-6)  # 0.8 before, 1 - 0.2 after


def test_a_player_against_itself_makes_games_of_one_length_that_come_again() -> None:
    with Room() as room:
        wanted = Alone("connect-four", 5, 12, seed=3)
        made = play_alone(room, wanted, read_entrant("uniform@1500"))
        again = play_alone(room, wanted, read_entrant("uniform@1500"))
    assert [each.moves for each in made] == [each.moves for each in again]
    assert {len(each.moves) for each in made} == {12}
    assert len({each.moves for each in made}) == 5
    assert all(player.kind == "bot" for each in made for player in each.players)


def test_people_are_of_the_programs_levels() -> None:
    def record(first: float | None, second: float | None, kind: str = "human") -> Record:
        return Record("chess", Setup(), (), (Player(first, "lichess", None, kind), Player(second, "lichess")))  # type: ignore[arg-type]

    assert _fits(record(1450, 1600), [1500.0])
    assert not _fits(record(1450, 1800), [1500.0])
    assert not _fits(record(1450, 1500, "bot"), [1500.0])
    assert _fits(record(None, None), [1500.0])
    with pytest.raises(BadInput, match="show too little"):
        UnmaskWish("chess", ("uniform",), plies=10)


def test_through_the_command_line(write_games: Callable[..., Path]) -> None:
    words = [
        "unmask",
        "chess",
        str(write_games("chess", 12)),
        "--agent",
        "uniform",
        "--agent",
        "playout:2",
        "--games",
        "3",
    ]
    done = CliRunner().invoke(cli, [*words, "--people", "6", "--plies", "20", "--mind", "uniform", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert [each["agent"] for each in told["agents"]] == ["uniform", "playout:2"]
    assert 0.0 <= told["agents"][0]["auc"]["value"] <= 1.0
