"""Curves of chances: leans are taken out, Go's are averaged over both sides to move, results stay results."""

import numpy as np
import pytest

from hitonami.core import Effort, Player, Position, Query, open_game
from hitonami.dist import expected_score
from hitonami.records import Document, Record, open_format
from hitonami.review.chances import Point, average_sides, between, curve_of, lean_of, straighten
from hitonami.review.reading import Chosen
from hitonami.review.walk import AskedLevel, Minds, Reviewing
from hitonami.specs import open_mind

SGF = (
    b"(;SZ[9]KM[7];B[ee];W[ec];B[dc];W[eb];B[ge];W[dd];B[cc];W[cd];B[bd];W[be];B[bc];W[de];B[df];W[cf];B[dg];W[cg]"
    b";B[ch];W[dh];B[eh];W[bh];B[ci];W[fd];B[gd];W[gc];B[hc];W[hb];B[fc];W[gb];B[fe];W[db])"
)


def test_a_constant_lean_is_taken_out() -> None:
    fair = [0.5, 0.45, 0.6, 0.38, 0.65]
    tilted = [straighten(each, -1.2) for each in fair]
    lean = lean_of([Point(at % 2, each) for at, each in enumerate(tilted)])
    assert lean == pytest.approx(1.2, abs=0.15)
    assert [straighten(each, 1.2) for each in tilted] == pytest.approx(fair)
    assert straighten(1.0, 2.0) == 1.0
    assert straighten(None, 1.0) is None
    assert lean_of([]) == 0.0


def test_go_is_averaged_over_both_sides_to_move() -> None:
    rng = np.random.default_rng(1)
    truth = 0.5 + 0.3 * np.sin(np.arange(120) / 25)
    told = [abs(ply % 2 - chance) for ply, chance in enumerate(truth)]
    noisy = [straighten(chance, float(-0.8 + rng.normal(0, 0.3))) for chance in told]
    points = [Point(ply % 2, chance) for ply, chance in enumerate(noisy)]
    saw, smooth = (np.array(curve_of(game, points)) for game in ("chess", "go"))
    assert np.abs(np.diff(smooth)).mean() < 0.5 * np.abs(np.diff(saw)).mean()
    assert np.abs(smooth - truth).mean() < np.abs(saw - truth).mean()


def test_sides_that_move_twice_lean_and_average_with_the_other_side_alone() -> None:
    fair = [(0, 0.6), (1, 0.4), (1, 0.4), (0, 0.6), (0, 0.6), (1, 0.4), (1, 0.4)]
    assert lean_of([Point(side, chance) for side, chance in fair]) == pytest.approx(0.0)  # by parity it would be 0.2
    assert curve_of("chess", [Point(side, chance) for side, chance in fair]) == pytest.approx([0.6] * 7)
    assert average_sides([0.6, 0.9, 0.6], [0, 0, 0]) == [0.6, 0.9, 0.6]


def test_results_are_no_chances_and_shift_none() -> None:
    assert average_sides([0.5, 0.5, 1.0], [0, 1, 0]) == [0.5, 0.5, 1.0]
    assert average_sides([0.5, None, 0.5], [0, 1, 0]) == [0.5, None, 0.5]
    assert average_sides([0.3], [0]) == [0.3]
    assert average_sides([], []) == []
    curve = curve_of("go", [Point(0, 0.6), Point(1, 0.4), Point(0, 0.0, over=True)])
    assert curve == pytest.approx((0.6, 0.6, 0.0))


def test_a_chance_between_ratings_lies_between_theirs() -> None:
    assert between((1000, 2000), (0.2, 0.8), 1500) == pytest.approx(0.5)
    assert between((1000, 2000), (0.2, 0.8), 2500) == pytest.approx(0.8)
    assert between((1000, 2000), (0.2, None), 1500) is None


def test_between_equals_the_start_is_even_where_one_player_is_far_stronger() -> None:
    [record] = open_format("pgn").read(Document("", 0, b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *"))
    assert isinstance(record, Record)
    with open_mind("human") as human:
        level = AskedLevel("lichess", (1000, 2200), (900, 1500, 2100))
        reviewing = Reviewing(Chosen(record, 1, 1), Minds(human), level)
        steps = list(reviewing)
        review = reviewing.summary()
    assert review.equal_rating == 1600
    assert all(chance is not None and chance < 0.15 for chance in review.curves.people)
    assert all(chance is not None and 0.4 < chance < 0.65 for chance in review.curves.equals)
    assert steps[1].equal_before == pytest.approx(1 - (review.curves.equals[1] or 0), abs=0.05)


def test_a_real_curve_of_go_moves_less_than_half_as_far() -> None:
    [record] = open_format("sgf").read(Document("", 0, SGF))
    assert isinstance(record, Record)
    player = Player(18, "ogs", kind="human")
    positions: list[Position] = [open_game("go").start(record.setup)]
    for move in record.moves:
        positions.append(positions[-1].play(move))
    with open_mind("human") as human:
        opinions = human([Query(position, player, player) for position in positions], Effort.seeded())
        reviewing = Reviewing(Chosen(record, 1, 1), Minds(human), AskedLevel("ogs", (18, 18), (12, 24)))
        assert len(list(reviewing)) == len(record.moves)
    points = [
        Point(position.to_move, None if opinion.wdl is None else expected_score(opinion.wdl))
        for position, opinion in zip(positions, opinions, strict=True)
    ]
    before, after = np.array(curve_of("chess", points)), np.array(reviewing.summary().curves.people)
    assert np.abs(np.diff(after)).mean() < 0.5 * np.abs(np.diff(before)).mean()
