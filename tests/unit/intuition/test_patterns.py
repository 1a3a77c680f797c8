"""Patterns: written and read, counted as a plain reading of the board counts them, alike in images."""

from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Position, Setup, last_touched, open_game
from hitonami.errors import BadInput
from hitonami.intuition.explaining import explain
from hitonami.intuition.knowledge import Knowledge, begin, load, read, write
from hitonami.intuition.lattice import TURNS, list_steps, turn_cells
from hitonami.intuition.patterns import FROM, NUMBER, TO, Condition, PatternSet, read_pattern, write_pattern
from hitonami.intuition.symmetry import find_frame


def test_patterns_are_read_as_they_are_written() -> None:
    pattern = (Condition(TO, (0, -1), "friend"), Condition(FROM, (2, 1), "their ♟"), Condition(NUMBER, (7, 0), ""))
    assert write_pattern(pattern) == "to(0,-1)=friend from(2,1)=their ♟ move(7)"
    assert read_pattern(write_pattern(pattern)) == pattern


@pytest.mark.parametrize("text", ["", "friend", "to(0,1)=friend,", "to(0,1)=friend  to(1,1)=enemy"])
def test_what_is_no_pattern_is_quoted(text: str) -> None:
    with pytest.raises(BadInput, match="not a pattern"):
        read_pattern(text)


def test_images_of_a_pattern_are_known() -> None:
    known = PatternSet([TURNS["same"], TURNS["mirror"]])
    assert known.add((Condition(TO, (0, 1), "friend"),))
    assert not known.add((Condition(TO, (0, -1), "friend"),))
    assert known.add((Condition(TO, (1, 0), "friend"),))
    assert known.keeps().tolist() == [[1, 1], [1, 0]]


@pytest.mark.parametrize(
    ("game", "turns", "opposite"),
    [
        ("connect-four", {"same", "mirror"}, "same"),
        ("breakthrough", {"same", "mirror"}, "half turn"),
        ("hex", {"same", "half turn"}, "diagonal"),
        ("othello", set(TURNS), "mirror"),
        ("gomoku", set(TURNS), "same"),
        ("chess", {"same"}, "upside down"),
        ("shogi", {"same"}, "half turn"),
    ],
)
def test_turns_that_a_game_does_not_tell_apart(game: str, turns: set[str], opposite: str) -> None:
    frame = find_frame(open_game(game), Setup())
    assert set(frame.turns) == turns
    assert frame.opposite == opposite


def test_hexagons_have_six_neighbours() -> None:
    assert sum(1 for step in list_steps(1, True) if step != (0, 0)) == 6
    assert sum(1 for step in list_steps(1, False) if step != (0, 0)) == 8


def random_position(game: str, plies: int, seed: int) -> Position:
    rng = np.random.default_rng(seed)
    here: Position = open_game(game).start()
    while here.ply < plies:
        after = here.play(int(rng.choice(here.legal)))
        if not len(after.legal):
            break
        here = after
    return here


def weighted(game: str) -> Knowledge:
    """Some patterns with weights."""
    knowledge = begin(game, Setup())
    texts = ["to(0,1)=friend", "to(0,1)=friend to(0,2)=enemy", "to(1,0)=off", "to(-1,-1)=last", "to(-1,0)=empty"]
    texts += ["to(0,1)=enemy", "to(0,1)=enemy to(0,2)=friend"]
    for at, text in enumerate(texts, start=1):
        knowledge.moves.add(read_pattern(text), [0.3 * at, -0.1 * at], [1.0, 1.0])
    knowledge.board.add(read_pattern("at(0,0)=friend at(0,1)=enemy"), [0.2], [1.0])
    knowledge.compile()
    return knowledge


def count_by_hand(knowledge: Knowledge, position: Position, move: int) -> float:
    """The weight of a move, from the diagram cell by cell."""
    game = position.game
    rows = game.diagram(position).rows
    last = (last_touched(position) or (None,))[-1]
    target = game.touches(position, move)[-1]
    total = 0.0
    for at, pattern in enumerate(knowledge.moves.known.patterns):
        seen = set()
        for turn in range(len(knowledge.frame.turns)):
            cells = []
            for condition in pattern:
                if condition.anchor == NUMBER:
                    break
                down, right = knowledge.turned(position.to_move, turn, condition.step)
                square = target[0] + down, target[1] + right
                inside = 0 <= square[0] < len(rows) and 0 <= square[1] < len(rows[0])
                side = rows[square[0]][square[1]].side if inside else None
                true = {
                    "off": not inside,
                    "empty": inside and side is None,
                    "friend": inside and side == position.to_move,
                    "enemy": inside and side == 1 - position.to_move,
                    "last": square == last,
                }[condition.test]
                if not true:
                    break
                cells.append((square, condition.test))
            else:
                seen.add(frozenset(cells))
        total += len(seen) * knowledge.moves.weights[at, 0]
    return total


@pytest.mark.parametrize("game", ["connect-four", "othello", "hex", "gomoku"])
def test_kernels_count_what_a_plain_reading_counts(game: str) -> None:
    knowledge = weighted(game)
    for seed in range(3):
        position = random_position(game, 9 + seed, seed)
        chances, expected = knowledge.judge(position)
        by_hand = [count_by_hand(knowledge, position, int(move)) for move in position.legal]
        assert np.allclose(chances - chances[0], np.array(by_hand) - by_hand[0])
        assert ((expected > 0) & (expected < 1)).all()


def test_images_of_a_position_are_judged_alike() -> None:
    knowledge = weighted("othello")
    text = open_game("othello").write(random_position("othello", 11, 5))
    board, side = text.split()
    position = open_game("othello").read(text)
    image = open_game("othello").read(f"{'/'.join(board.split('/')[::-1])} {side}")
    chances, image_chances = (
        dict(zip(p.legal.tolist(), knowledge.judge(p)[0], strict=True)) for p in (position, image)
    )
    taken = turn_cells("upside down", 8, 8)
    for move, chance in chances.items():
        assert np.isclose(image_chances[int(taken[move])], chance)


def test_a_file_says_the_same_as_what_it_was_made_from(tmp_path: Path) -> None:
    knowledge = weighted("hex")
    position = random_position("hex", 8, 1)
    for name in ("a.json", "b.json.gz"):
        write(knowledge, tmp_path / name)
        assert np.allclose(read(tmp_path / name).judge(position), knowledge.judge(position))
    (tmp_path / "c.json").write_text("{}")
    with pytest.raises(BadInput, match=r"c\.json is not what"):
        read(tmp_path / "c.json")
    with pytest.raises(BadInput, match="learned in hex, not in othello"):
        load(str(tmp_path / "a.json"), "othello")


def test_patterns_of_more_conditions_can_be_left_out(tmp_path: Path) -> None:
    write(weighted("othello"), tmp_path / "all.json")
    position = random_position("othello", 20, 3)
    whole, simple = (load(str(tmp_path / "all.json"), "othello", most) for most in (99, 1))
    assert not np.allclose(whole.judge(position)[0], simple.judge(position)[0])


def test_reasons_add_up_to_the_difference_of_two_moves() -> None:
    knowledge = weighted("gomoku")
    explained = explain(knowledge, random_position("gomoku", 9, 2), moves=0, reasons=99)
    first, last = explained[0], explained[-1]
    assert first.chance >= last.chance
    told = np.log(first.chance / last.chance)
    weights = [sum(reason.weight * reason.times for reason in each.reasons) for each in (first, last)]
    assert told == pytest.approx(weights[0] - weights[1], abs=0.1)  # reasons that say next to nothing are left out
    for reason in first.reasons:
        assert reason.cells
