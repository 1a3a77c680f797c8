"""What every game must do, for every file in games/. The contract is the definition of `Game` and `Position`."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Position, Setup, lineage, open_game, walk_back
from hitonami.customs import games_offered
from hitonami.errors import BadMove, BadPosition, BadSetup

GAMES = games_offered()
CASES = [(name, setup) for name in GAMES for setup in open_game(name).examples]


def _case_id(value: object) -> str:
    return value if isinstance(value, str) else "-".join(str(part) for part in vars_of(value) if part) or "standard"


def vars_of(setup: object) -> list[object]:
    return [getattr(setup, name) for name in ("variant", "size", "rules", "handicap", "start")]


def playout(start: Position, seed: int, most: int) -> Position:
    rng = np.random.default_rng(seed)
    position = start
    while len(position.legal) and position.ply < most:
        position = position.play(int(rng.choice(position.legal)))
    return position


@pytest.mark.parametrize(("name", "setup"), CASES, ids=_case_id)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32 - 1), most=st.integers(0, 80))
def test_every_position_keeps_the_contract(name: str, setup: Setup, seed: int, most: int) -> None:
    position = playout(open_game(name).start(setup), seed, most)
    legal = position.legal
    assert legal.dtype == np.int32
    assert (np.diff(legal) > 0).all(), "ascending, each once"
    assert position.to_move in (0, 1)
    over = len(legal) == 0
    assert (position.score is not None) == over
    assert (position.ending is not None) == over
    assert position.score in (None, 0.0, 0.5, 1.0)
    assert hash(position.key) == hash(position.key)
    assert position.game.name == name
    assert position.setup == setup
    diagram = position.game.diagram(position)
    assert len(diagram.rows) == len(diagram.ranks)
    assert all(len(row) == len(diagram.columns) for row in diagram.rows)


@pytest.mark.parametrize(("name", "setup"), CASES, ids=_case_id)
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32 - 1), most=st.integers(0, 60))
def test_notation_is_its_own_inverse(name: str, setup: Setup, seed: int, most: int) -> None:
    game = open_game(name)
    position = playout(game.start(setup), seed, most)
    texts = [game.format(position, int(move)) for move in position.legal]
    assert len(set(texts)) == len(texts)
    for move, text in zip(position.legal, texts, strict=True):
        assert game.parse(position, text) == move
        assert game.parse(position, game.describe(position, int(move))) == move


@pytest.mark.parametrize(("name", "setup"), CASES, ids=_case_id)
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32 - 1), most=st.integers(0, 60))
def test_text_gives_the_position_back(name: str, setup: Setup, seed: int, most: int) -> None:
    game = open_game(name)
    position = playout(game.start(setup), seed, most)
    again = game.read(game.write(position))
    assert again.key == position.key
    assert again.to_move == position.to_move
    assert game.write(again) == game.write(position)


@pytest.mark.parametrize(("name", "setup"), CASES, ids=_case_id)
def test_playing_leaves_the_position_as_it_was(name: str, setup: Setup) -> None:
    game = open_game(name)
    start = game.start(setup)
    text, key, legal = game.write(start), start.key, start.legal.copy()
    end = playout(start, 7, 60)
    assert (game.write(start), start.key) == (text, key)
    assert (start.legal == legal).all()
    root, moves = lineage(end)
    assert root is start
    assert len(moves) == end.ply == len(list(walk_back(end))) - 1
    again = start
    for move in moves:
        again = again.play(move)
    assert again.key == end.key
    assert (again.legal == end.legal).all()
    followed = start
    for move in moves:
        followed = followed.follow(move)
    assert followed.key == end.key
    assert (followed.legal == end.legal).all()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("move", [-1, 2**31 - 1, 2**15 - 1])
def test_a_move_that_is_not_legal_is_refused(name: str, move: int) -> None:
    game = open_game(name)
    position = game.start()
    assert move not in position.legal
    for attempt in (position.play, lambda m: game.format(position, m), lambda m: game.describe(position, m)):
        with pytest.raises(BadMove):
            attempt(move)


@pytest.mark.parametrize("name", GAMES)
@given(text=st.text(max_size=12))
def test_nonsense_is_a_bad_move_or_a_legal_one(name: str, text: str) -> None:
    position = open_game(name).start()
    with suppress(BadMove):
        assert open_game(name).parse(position, text) in position.legal


@pytest.mark.parametrize("name", GAMES)
@given(text=st.text(max_size=60))
def test_nonsense_is_a_bad_position_or_a_good_one(name: str, text: str) -> None:
    with suppress(BadPosition, BadSetup, BadMove):
        position = open_game(name).read(text)
        assert position.ending is None or len(position.legal) == 0


@pytest.mark.parametrize("name", GAMES)
def test_a_setup_that_the_game_does_not_have_is_refused(name: str) -> None:
    for setup in (Setup(size=-3), Setup(size=9999), Setup(variant="no such variant"), Setup(rules="no such rules")):
        with pytest.raises(BadSetup):
            open_game(name).start(setup)
    with pytest.raises(BadPosition):
        open_game(name).start(Setup(start="no such position"))


@pytest.mark.parametrize("name", GAMES)
def test_the_standard_start_has_a_name(name: str) -> None:
    game = open_game(name)
    assert game.read("startpos").key == game.start().key
    assert len(set(game.sides)) == 2
