"""Openings of people and of minds: what is drawn, what is compared, and that the yardstick is people's own spread."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from hitonami import dist
from hitonami.cli.openings import command
from hitonami.core import Effort, Mind, Opinion, Player, Query, Setup, open_game
from hitonami.dataset.reading import open_data
from hitonami.errors import BadInput
from hitonami.evaluate.grouping import Group
from hitonami.evaluate.repertoire import (
    Line,
    Repertoire,
    RepertoirePlan,
    Repertoires,
    collect,
    compare,
    divergence,
    fold,
    sample_lines,
)
from hitonami.report.repertoire import as_json, as_lines

CHESS = open_game("chess")
START = CHESS.start()
KING, QUEEN = (CHESS.parse(START, text) for text in ("e2e4", "d2d4"))


def repertoire(lines: Sequence[Line], game: str = "chess", setup: Setup = Setup()) -> Repertoire:  # noqa: B008
    return Repertoire(game, Group("", 0.0, "all"), Player(1500.0), setup, tuple(lines))


def one_move(king: float) -> Mind:
    """A mind that opens with e4 so often and with d4 otherwise, and then plays anything."""

    def mind(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions = []
        for query in queries:
            legal = query.position.legal
            if query.position.ply:
                opinions.append(Opinion(dist.uniform(len(legal))))
                continue
            shares = np.where(legal == KING, king, np.where(legal == QUEEN, 1 - king, 0.0))
            with np.errstate(divide="ignore"):
                opinions.append(Opinion(np.log(shares).astype(np.float32)))
        return opinions

    return mind


def test_lines_are_drawn_as_often_as_the_mind_plays_them() -> None:
    asked: list[int] = []
    inner = one_move(0.7)

    def mind(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        asked.append(len(queries))
        return inner(queries, effort)

    lines = sample_lines(mind, repertoire([]), 2000, 2, Effort.seeded())
    first = Counter(line[0] for line in lines)
    assert first[KING] / 2000 == pytest.approx(0.7, abs=0.04)
    assert len(lines) == 2000 == first[KING] + first[QUEEN]
    assert asked == [1, 2]  # each position once, however many games reach it


def test_a_mind_like_people_is_as_near_as_people_are() -> None:
    rng = np.random.default_rng(1)
    people = repertoire([(KING,) if rng.random() < 0.7 else (QUEEN,) for _ in range(600)])
    like = sample_lines(one_move(0.7), people, 600, 1, Effort.seeded(1))
    unlike = sample_lines(one_move(0.3), people, 600, 1, Effort.seeded(1))
    [near], [far] = (compare(people, lines, [1]).depths for lines in (like, unlike))
    assert near.divergence < near.among_people_high
    assert far.divergence > 10 * far.among_people_high
    assert near.entropy == pytest.approx(near.entropy_people, abs=0.1)
    assert (near.distinct, near.unseen) == (2, 0)
    [(king, share, own), _] = compare(people, unlike, [1]).commonest
    assert (king, round(share, 1), round(own, 1)) == ((KING,), 0.7, 0.3)


def test_a_mind_that_always_plays_one_line_is_found_out() -> None:
    rng = np.random.default_rng(2)
    people = repertoire([tuple(rng.integers(0, 3, 3).tolist()) for _ in range(400)])
    [_, deep] = compare(people, [(0, 0, 0)] * 400, [1, 3]).depths
    assert (deep.entropy, deep.distinct) == (0.0, 1)
    assert deep.entropy_people > 4
    assert deep.divergence > 3 * deep.among_people_high


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=6), st.lists(st.floats(0.0, 1.0), min_size=2, max_size=6))
def test_divergence_is_a_distance_between_0_and_1(one: list[float], other: list[float]) -> None:
    size = max(len(one), len(other))
    p, q = (np.array([*values, *[0.0] * (size - len(values))]) + 1e-9 for values in (one, other))
    p, q = p / p.sum(), q / q.sum()
    assert 0.0 <= divergence(p, q) <= 1.0 + 1e-9
    assert divergence(p, q) == pytest.approx(divergence(q, p))
    assert divergence(p, p) == pytest.approx(0.0, abs=1e-9)
    assert divergence(np.array([1.0, 0.0]), np.array([0.0, 1.0])) == pytest.approx(1.0)


@given(st.lists(st.integers(0, 81), max_size=6), st.integers(0, 3), st.booleans())
def test_mirror_images_of_a_line_are_one_line(line: list[int], turns: int, flipped: bool) -> None:
    board = np.arange(81).reshape(9, 9)
    image = np.append(np.rot90(board.T if flipped else board, turns).ravel(), 81)
    setup = Setup(size=9)
    assert fold([int(image[move]) for move in line], "go", setup) == fold(line, "go", setup)
    assert fold(line, "chess", Setup()) == tuple(line)


def test_games_of_one_group_are_collected(write_games: Callable[..., Path]) -> None:
    folder = write_games("chess", 120)
    data = open_data([str(folder)], "chess")
    plan = RepertoirePlan(
        "chess", band=2000.0, plies=6, positions=50, least=10, filter_text="none", pool="lichess", split="all"
    )
    (lichess,) = collect(data, plan)
    assert (lichess.group.pool, len(lichess.lines), {len(line) for line in lichess.lines}) == ("lichess", 50, {6})
    assert lichess.player.rating is not None
    assert 800 <= lichess.player.rating <= 2000
    with pytest.raises(BadInput, match=r"no group has 1000 games .* the largest has"):
        collect(data, replace(plan, least=1000, pool=""))


def test_the_command_tells_and_writes(write_games: Callable[..., Path], tmp_path: Path) -> None:
    folder, figures = write_games("go", 60, Setup(size=9)), tmp_path / "o.json"
    arguments = [
        "--mind",
        "uniform",
        "--by",
        "none",
        "--size",
        "9",
        "--filter",
        "none",
        "--least",
        "20",
        "--plies",
        "2",
    ]
    done = CliRunner().invoke(command, ["go", str(folder), *arguments, "--json", str(figures)], catch_exceptions=False)
    assert "uniform, all: 60 games of people" in done.output
    assert '"mind": "uniform"' in figures.read_text()


def test_text_and_json_name_the_lines() -> None:
    people = repertoire([(KING,)] * 60 + [(QUEEN,)] * 40)
    found = Repertoires("chess", "test", {"m": (compare(people, [(QUEEN,)] * 50, [1]),)})
    text = "\n".join(as_lines(found))
    assert " 60.0%   0.0%  e4" in text
    assert as_json(found)["minds"][0]["groups"][0]["commonest"][1] == {"line": "d4", "people": 0.4, "mind": 1.0}
