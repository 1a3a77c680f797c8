"""Othello records: legality against OpenSpiel, passes put in, results, reasons."""

import random
from collections.abc import Callable
from types import ModuleType

import pytest

from hitonami.records import Document, Record, Rejected
from hitonami.records.wthor import Wthor

WTHOR = Wthor()


def read(text: str) -> Record | Rejected:
    (found,) = WTHOR.read(Document("test", 0, text.encode()))
    return found


def test_games_replay_as_in_openspiel(need_module: Callable[[str], ModuleType]) -> None:
    spiel, rng, passes = need_module("pyspiel").load_game("othello"), random.Random(4), 0
    for _ in range(60):
        state, actions = spiel.new_initial_state(), []
        while not state.is_terminal():
            actions.append(rng.choice(state.legal_actions()))
            state.apply_action(actions[-1])
        squares = " ".join("abcdefgh"[at % 8] + str(at // 8 + 1) for at in actions if at != 64)
        found = read(f'[Event "e"]\n1. {squares}\n')
        assert isinstance(found, Record)
        assert found.moves == tuple(actions)
        assert found.score == (1 + state.returns()[0]) / 2
        passes += actions.count(64)
    assert passes > 0


def test_illegal_squares_are_found_as_openspiel_finds_them(need_module: Callable[[str], ModuleType]) -> None:
    spiel, rng = need_module("pyspiel").load_game("othello"), random.Random(5)
    for _ in range(40):
        state, actions = spiel.new_initial_state(), []
        for _ in range(rng.randrange(30)):
            actions.append(rng.choice(state.legal_actions()))
            state.apply_action(actions[-1])
        wrong = rng.choice([at for at in range(64) if at not in state.legal_actions()])
        if state.legal_actions() == [64]:
            continue
        squares = " ".join("ABCDEFGH"[at % 8] + str(at // 8 + 1) for at in [*actions, wrong] if at != 64)
        found = read(squares)
        assert isinstance(found, Rejected)
        assert found.reason == "illegal move"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[Event "x"]\n', "no moves"),
        ("1. f5 f5", "illegal move"),
        ("1. f5 z9", "not a move"),
        ("1. pass f5", "illegal move"),
        ("1. " + "f5 " * 100, "play after the end"),
    ],
)
def test_reasons(text: str, reason: str) -> None:
    found = read(text)
    assert isinstance(found, Rejected)
    assert found.reason == reason


@pytest.mark.parametrize(
    ("result", "score", "termination"),
    [("40-24", 1.0, "40-24"), ("0-64", 0.0, "0-64"), ("32-32", 0.5, "32-32"), ("?", None, "")],
)
def test_an_unfinished_board_has_the_result_that_is_said(result: str, score: float | None, termination: str) -> None:
    found = read(f'[Event "e"]\n[Result "{result}"]\n1. F5 D6\n')
    assert isinstance(found, Record)
    assert (found.score, found.termination, found.marks) == (score, termination, frozenset({"prefix"}))
    assert found.moves == (37, 43)


def test_one_bad_game_costs_no_neighbour() -> None:
    good, bad = '[Event "e"]\n1. F5 D6\n\n', '[Event "e"]\n1. A1\n\n'
    found = list(WTHOR.read(Document("test", 0, (good + bad + good).encode())))
    assert [type(each) for each in found] == [Record, Rejected, Record]


def test_programs_are_told_by_how_the_base_spells_them() -> None:
    found = read('[Event "e"]\n[Black "Prog (somebody)"]\n[White "Person Some"]\n1. f5 d6\n')
    assert isinstance(found, Record)
    assert [player.kind for player in found.players] == ["bot", "unknown"]
    nameless = read('[Event "e"]\n[Black "Prog 2 ()"]\n[White ""]\n1. f5 d6\n')
    assert isinstance(nameless, Record)
    assert [player.kind for player in nameless.players] == ["bot", "unknown"]
