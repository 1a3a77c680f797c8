"""Every rule, on a game that it keeps and one that it drops."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Player, Setup
from hitonami.dataset.filters import PRESETS, Filter, explain_rules, parse_filter
from hitonami.dataset.names import load_key, pseudonym
from hitonami.errors import BadInput
from hitonami.records import Record

BASE = Record(
    "chess",
    Setup(),
    tuple(range(24)),
    (Player(1510.0, "lichess", "a", "human"), Player(1590.0, "lichess", "b", "human")),
    score=1.0,
    termination="resignation",
    speed="blitz",
)


def rated(first: float | None, second: float | None) -> Record:
    return replace(BASE, players=(Player(first, "lichess"), Player(second, "lichess")))


GAME_RULES = [
    ("no-bullet", BASE, replace(BASE, speed="bullet")),
    ("no-bullet", replace(BASE, speed=""), replace(BASE, speed="ultrabullet")),
    ("speed:blitz", BASE, replace(BASE, speed="rapid")),
    ("rated-both", BASE, rated(1500.0, None)),
    ("gap:100", BASE, rated(1500.0, 1601.0)),
    ("gap:100", rated(None, 1500.0), rated(2000.0, 1500.0)),
    ("same-band:100", BASE, rated(1599.0, 1600.0)),
    ("same-band:100", rated(1500.0, 1599.0), rated(None, 1600.0)),
    ("same-rank", rated(27.2, 26.9), rated(27.0, 28.0)),
    ("rating:1500-1600", BASE, rated(1499.0, 1550.0)),
    ("no-time-loss", BASE, replace(BASE, termination="time")),
    ("no-handicap", BASE, replace(BASE, setup=Setup(handicap=2))),
    ("no-handicap", replace(BASE, setup=Setup(size=19)), replace(BASE, setup=Setup(variant="rook"))),
    ("size:19", replace(BASE, game="go"), replace(BASE, game="go", setup=Setup(size=9))),
    ("no-provisional", BASE, replace(BASE, marks=frozenset({"provisional-1"}))),
    ("no-casual", BASE, replace(BASE, marks=frozenset({"casual"}))),
    ("pool:lichess", BASE, replace(BASE, players=(Player(1.0, "lichess"), Player(1.0, "fide")))),
    ("no-bots", BASE, replace(BASE, players=(Player(kind="human"), Player(kind="bot")))),
    (
        "no-bots",
        replace(BASE, players=(Player(kind="human"), Player())),
        replace(BASE, marks=frozenset({"assisted-0"})),
    ),
    ("finished", BASE, replace(BASE, score=None)),
    ("clocked", replace(BASE, think_seconds=(1.0,) * 24), BASE),
]


@pytest.mark.parametrize(("text", "kept", "dropped"), GAME_RULES)
def test_game_rules(text: str, kept: Record, dropped: Record) -> None:
    chosen = parse_filter(text)
    assert chosen.keeps_game(kept)
    assert chosen.keeps_moves(kept).all()
    assert chosen.reason_against(dropped) == text.partition(":")[0]
    assert not chosen.keeps_moves(dropped).any()


def test_first_plies_are_left_out() -> None:
    assert np.flatnonzero(parse_filter("plies:10").keeps_moves(BASE)).tolist() == list(range(10, 24))


def test_a_clock_is_judged_before_the_move() -> None:
    clocks = tuple(float(60 - 2 * at) for at in range(24))  # after ply 15 the clock shows 30, after 16 it shows 28
    kept = parse_filter("clock:30").keeps_moves(replace(BASE, clocks=clocks))
    assert np.flatnonzero(~kept).tolist() == [18, 19, 20, 21, 22, 23]
    assert parse_filter("clock:30").keeps_moves(BASE).all(), "an unknown clock is not a low one"


def test_moves_of_bots_and_of_helped_players_are_left_out() -> None:
    chosen = parse_filter("human")
    bot = replace(BASE, players=(Player(kind="human"), Player(kind="bot")))
    assert np.flatnonzero(chosen.keeps_moves(bot)).tolist() == list(range(0, 24, 2))
    helped = replace(BASE, marks=frozenset({"assisted-0"}))
    assert np.flatnonzero(chosen.keeps_moves(helped)).tolist() == list(range(1, 24, 2))
    second_first = replace(bot, setup=Setup(start="4k3/8/8/8/8/8/8/4K2R b K - 0 1"))
    assert np.flatnonzero(chosen.keeps_moves(second_first)).tolist() == list(range(1, 24, 2))
    odds = replace(bot, game="shogi", setup=Setup(variant="rook"))
    assert np.flatnonzero(chosen.keeps_moves(odds)).tolist() == list(range(1, 24, 2)), "the giver of odds moves first"
    handicap = replace(bot, game="go", setup=Setup(size=9, handicap=2))
    assert np.flatnonzero(chosen.keeps_moves(handicap)).tolist() == list(range(1, 24, 2))


def test_moves_of_unrated_players_are_left_out() -> None:
    kept = parse_filter("known-rating").keeps_moves(rated(1500.0, None))
    assert np.flatnonzero(kept).tolist() == list(range(0, 24, 2))


def test_a_persons_moves_are_kept_whatever_the_case_and_commas(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    players = Player(name="Example, Hana", pool="fide"), Player(name="Other", pool="fide")
    record = Record("chess", Setup(), tuple(range(6)), players)
    assert parse_filter("player:hana example").keeps_moves(record).sum() == 0
    assert np.flatnonzero(parse_filter("player:example hana").keeps_moves(record)).tolist() == [0, 2, 4]
    assert np.flatnonzero(parse_filter("player:OTHER").keeps_moves(record)).tolist() == [1, 3, 5]
    hidden = replace(players[1], name=pseudonym("Third", "fide", load_key()))
    assert (
        np.flatnonzero(parse_filter("player:third").keeps_moves(replace(record, players=(players[0], hidden))))[0] == 1
    )


def test_presets_open_up_and_rules_join() -> None:
    joined = parse_filter("maia-like, no-casual,,no-casual")
    assert joined.text == PRESETS["maia-like"] + ",no-casual"
    assert parse_filter(joined.text) == joined
    assert parse_filter("none") == Filter(())
    for name in PRESETS:
        parse_filter(name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no-bulet", "did you mean no-bullet"),
        ("gap", "written as gap:N"),
        ("gap:wide", "'wide' is not a number"),
        ("human:yes", "written as human"),
        ("rating:1000-x", "'x' is not a number"),
    ],
)
def test_bad_filters_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_filter(text)


def test_every_rule_is_explained_and_tested() -> None:
    tested = {text.partition(":")[0] for text, _, _ in GAME_RULES} | {
        "plies",
        "clock",
        "human",
        "known-rating",
        "player",
    }
    assert tested == {usage.partition(":")[0] for usage in explain_rules()} - set(PRESETS)
