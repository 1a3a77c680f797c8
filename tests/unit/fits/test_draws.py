"""Draws by agreement: told from records by the rules, fitted where made-up people agree in even endings."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from hitonami import dist
from hitonami.core import Effort, Opinion, Player, Query, Setup, open_game
from hitonami.fits.draws import Asked, Chosen, ask_about, fit_draws, is_agreed, measure_draws
from hitonami.records import Record

_SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


def record(words: Sequence[str], score: float, ending: str = "") -> Record:
    game = open_game("chess")
    position, moves = game.start(), []
    for word in words:
        moves.append(game.parse(position, word))
        position = position.play(moves[-1])
    return Record("chess", Setup(), tuple(moves), (Player(1500, "lichess"), Player(1500, "lichess")), score, ending)


def test_a_draw_is_agreed_where_the_rules_gave_none() -> None:
    quiet = ("e2e4", "e7e5", "g1f3", "b8c6")
    assert is_agreed(record(quiet, 0.5))
    assert is_agreed(record(quiet, 0.5, "agreement"))
    assert not is_agreed(record(quiet, 1.0))
    assert not is_agreed(record(quiet, 0.5, "time"))
    assert not is_agreed(record(_SHUFFLE * 2, 0.5)), "a threefold repetition was there to claim"


def made_up(rng: np.random.Generator, count: int) -> Asked:
    """People who agree one turn in twenty where the game is even, and hardly ever else."""
    hope = rng.uniform(0.05, 0.95, count)
    lead = np.abs(np.log(hope / (1 - hope)))
    agreed = (rng.random(count) < np.where(lead < 0.4, 0.05, 0.001)).astype(np.float64)
    columns = {
        "hope": hope, "draw": rng.uniform(0.05, 0.5, count), "balance": rng.normal(0, 2, count),
        "ply": rng.uniform(20, 160, count), "rating": rng.uniform(1000, 2200, count),
        "opponent": rng.uniform(1000, 2200, count),
    }  # fmt: skip
    ones = np.ones(count)
    games = np.arange(count, dtype=np.int64)
    return Asked(columns, agreed, ones, ones, games, np.full(count, "lichess"), count, int(agreed.sum()))


def test_what_people_go_by_is_found_again_and_shares_agree() -> None:
    rng = np.random.default_rng(2)
    model = fit_draws(made_up(rng, 6_000))
    test = made_up(rng, 6_000)
    even, lost = (
        {"hope": np.array([hope]), "draw": np.array([0.2]), "balance": np.zeros(1), "ply": np.array([80.0]),
         "rating": np.array([1600.0]), "opponent": np.array([1600.0])}
        for hope in (0.5, 0.9)
    )  # fmt: skip
    from hitonami.manners.draws import draw_features

    assert model.chance(draw_features(even)).item() > 10 * model.chance(draw_features(lost)).item()
    figures = measure_draws(model, test, np.full(6_000, "all"))
    [(name, people, ours)] = figures.levels
    assert name == "all"
    assert people.low <= ours <= people.high
    assert figures.gain.value > 0


def test_every_turn_counts_for_those_that_it_stands_for() -> None:
    quiet = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1", "g8f6", "d2d3", "d7d6", "c2c3", "e8g8")
    long = record((*quiet, *("f1e1", "f8e8", "e1f1", "e8f8") * 2, "h2h3", "h7h6", "a2a3", "a7a6"), 0.5)

    def mind(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        even = np.array([0.3, 0.4, 0.3], np.float32)
        return [Opinion(dist.uniform(len(query.position.legal)), even) for query in queries]

    asked = ask_about([Chosen(long, True, 5.0), Chosen(long, False, 7.0)], (2, 1), mind, 0, lambda done, all_: None)
    assert asked.agreed.sum() == 1
    turns = len(long.moves) - 20
    assert asked.weights[asked.agreed == 1].tolist() == [5.0]
    assert asked.weights[asked.games == 1].sum() == pytest.approx(7.0 * turns)
    assert asked.weights[(asked.games == 0) & (asked.agreed == 0)].sum() == pytest.approx(5.0 * turns)
    assert set(asked.columns["draw"].tolist()) == {np.float64(np.float32(0.4))}


def test_the_command_learns_from_games_and_says_what_it_has_not(
    write_games: Callable[..., Path], tmp_path: Path
) -> None:
    from click.testing import CliRunner

    from hitonami.cli import cli

    games = write_games("chess", 6, most=8)
    told = CliRunner().invoke(cli, ["draws", "chess", str(games), "--mind", "uniform", "--filter", "none"])
    assert told.exit_code != 0
    assert "agreed drawn" in str(told.exception or told.output)
    other = CliRunner().invoke(cli, ["draws", "go", str(games)])
    assert "nobody offers draws in go" in str(other.exception or other.output)
