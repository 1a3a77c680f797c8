"""Shared options: collected into one value, with each command's own defaults, and checked before any work."""

import click
import pytest
from click.testing import CliRunner

from hitonami.cli._options import RATING, SelectionWish, check_minds, game_argument, selection_options
from hitonami.errors import BadInput

HEARD: list[SelectionWish] = []


@click.command()
@click.argument("game")
@click.option("--before", is_flag=True)
@selection_options(positions=7, split="test", chosen="none")
@click.option("--after", is_flag=True)
def command(game: str, before: bool, drawing: SelectionWish, after: bool) -> None:
    """A command."""
    HEARD.append(drawing)
    drawing.plan(game)


def call(*words: str) -> SelectionWish:
    result = CliRunner().invoke(command, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return HEARD.pop()


def test_defaults_are_the_commands_own() -> None:
    assert call("chess") == SelectionWish(None, 200.0, 7, "none", "", None, "test", 0)


def test_what_is_typed_arrives() -> None:
    words = "go --by rank --band 50 --positions 3 --filter maia-like --pool ogs --size 9 --split all --seed 4 --after"
    drawn = call(*words.split())
    assert drawn == SelectionWish("rank", 50.0, 3, "maia-like", "ogs", 9, "all", 4)
    plan = drawn.plan("go")
    assert (plan.game, plan.by, plan.positions, plan.size, plan.split, plan.seed) == ("go", "rank", 3, 9, "all", 4)


def test_the_game_decides_the_groups_where_nobody_asks() -> None:
    assert (call("go").plan("go").by, call("chess").plan("chess").by) == ("rank", "rating")


def test_options_are_listed_where_they_stand() -> None:
    told = CliRunner().invoke(command, ["--help"]).output
    places = [told.index(f"  --{name}") for name in ("before", "by", "band", "positions", "filter", "seed", "after")]
    assert places == sorted(places)


@click.command()
@selection_options(positions=60, counted="--games", chosen="", band=400.0)
def renamed(drawing: SelectionWish) -> None:
    """A command that counts something else, by a filter of its own."""
    HEARD.append(drawing)


def test_a_count_has_the_commands_own_name() -> None:
    assert CliRunner().invoke(renamed, ["--games", "9"]).exit_code == 0
    assert HEARD.pop() == SelectionWish(None, 400.0, 9, "", "", None, "all", 0)
    assert CliRunner().invoke(renamed, ["--positions", "9"]).exit_code == 2


@pytest.mark.parametrize("words", ["--by colour", "--band 0", "--positions 0", "--split none", "--seed -1", "--size 0"])
def test_bad_values_are_refused(words: str) -> None:
    result = CliRunner().invoke(command, ["chess", *words.split()])
    assert result.exit_code == 2
    assert words.split(maxsplit=1)[0] in result.output


def test_a_mind_given_twice_is_refused() -> None:
    check_minds(["human", "expert"])
    with pytest.raises(BadInput, match="twice: 'human'"):
        check_minds(["human", "expert", "human"])


@click.command()
@game_argument
@click.option("--rating", "ratings", type=RATING, multiple=True)
@click.option("--low", type=RATING, default=20.0)
def levels(game: str, ratings: tuple[float, ...], low: float) -> None:
    click.echo(f"{game} {ratings} {low}")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("go --rating 3k --rating 2d", "go (27.0, 31.0) 20.0"),
        ("--rating 3k --low 10k go", "go (27.0,) 20.0"),  # the game comes last and is known all the same
        ("chess --rating 1500", "chess (1500.0,) 20.0"),
    ],
)
def test_ratings_are_numbers_or_ranks(words: str, told: str) -> None:
    assert CliRunner().invoke(levels, words.split(), catch_exceptions=False).output.strip() == told


@pytest.mark.parametrize(
    ("words", "told"),
    [("--rating 3k chess", "is a rank, and chess has ratings"), ("go --rating strong", "is no rating")],
)
def test_bad_ratings_are_refused(words: str, told: str) -> None:
    result = CliRunner().invoke(levels, words.split())
    assert result.exit_code == 2
    assert told in " ".join(result.output.split())
