"""Engines as minds: probabilities, results, sharing, limits, specs."""

import tomllib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.core import Effort, Line, Opinion, Player, Position, Query, Setup, open_game
from hitonami.dist import expected_score
from hitonami.engines.scores import centipawns_of, result_of, spread_scores
from hitonami.errors import BadInput, BadSpec, EngineFailed
from hitonami.minds.uci import Uci
from hitonami.specs import Room, mind_spec, open_mind, read_spec

Misbehave = Callable[..., str]
Need = Callable[[str], str]
CHESS, SHOGI, GO = open_game("chess"), open_game("shogi"), open_game("go")


def share(position: Position, opinion: Opinion, text: str) -> float:
    at = position.legal.tolist().index(position.game.parse(position, text))
    return float(np.exp(opinion.log_probs[at]))


def ask(spec: dict[str, Any], position: Position, effort: Effort | None = None, player: Player = Player()) -> Opinion:  # noqa: B008
    with open_mind(spec) as mind:
        return mind([Query(position, player)], effort or Effort.seeded())[0]


# From scores to probabilities and results


def test_every_mate_is_beyond_every_score_and_short_mates_are_best() -> None:
    lines = [Line((0,), mate_in=n) for n in (1, 2, 600)]
    lines += [Line((0,), centipawns=n) for n in (99_999, 300, -300, -99_999)]
    lines += [Line((0,), mate_in=n) for n in (-600, -2, -1)]
    values = [centipawns_of(line) for line in lines]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


@given(
    st.dictionaries(st.integers(0, 19), st.integers(-35_000, 40_000), min_size=1),
    st.floats(0.001, 1000),
    st.floats(0.0, 1.0),
)
def test_scores_are_spread_in_order_with_a_floor_under_all(
    scores: dict[int, int], temperature: float, floor: float
) -> None:
    start = CHESS.start()
    by_move = {int(start.legal[at]): float(score) for at, score in scores.items()}
    log_probs = spread_scores(start, by_move, temperature, floor)
    probs = np.exp(log_probs.astype(np.float64))
    assert probs.sum() == pytest.approx(1.0, abs=1e-5)
    assert probs.min() >= floor / 20 - 1e-6
    ranked = sorted(scores, key=lambda at: scores[at])
    assert all(probs[a] <= probs[b] + 1e-9 for a, b in pairwise(ranked))
    unscored = [probs[at] for at in range(20) if at not in scores]
    assert all(value == pytest.approx(floor / 20, abs=1e-6) for value in unscored)
    if floor == 0.0:
        assert all(np.isneginf(log_probs[at]) for at in range(20) if at not in scores)


@given(st.integers(-50_000, 50_000), st.floats(1.0, 2000.0), st.floats(0.0, 0.5))
def test_results_are_chances_and_mirror_with_the_side(centipawns: int, scale: float, draws: float) -> None:
    wdl = result_of(Line((0,), centipawns=centipawns), scale, draws)
    assert (wdl >= -1e-7).all()
    assert wdl.sum() == pytest.approx(1.0, abs=1e-5)
    mirrored = result_of(Line((0,), centipawns=-centipawns), scale, draws)
    assert wdl[::-1] == pytest.approx(mirrored, abs=1e-5)
    assert (expected_score(wdl) >= 0.5 - 1e-6) == (centipawns >= 0) or abs(expected_score(wdl) - 0.5) < 1e-4


def test_the_result_is_the_documented_logistic() -> None:
    assert expected_score(result_of(Line((0,), centipawns=272), 272.0, 0.3)) == pytest.approx(1 / (1 + np.exp(-1)))
    assert result_of(Line((0,), centipawns=0), 272.0, 0.3) == pytest.approx([0.35, 0.3, 0.35])


# With real engines


def test_stockfish_has_opinions(need_program: Need) -> None:
    need_program("stockfish")
    position = CHESS.read("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1")
    opinion = ask({"kind": "uci", "command": "stockfish", "nodes": 2000}, position)
    assert share(position, opinion, "h5f7") > 0.98
    assert opinion.wdl is not None
    assert opinion.wdl[0] == pytest.approx(1.0, abs=0.01)
    assert len(opinion.lines) == 5
    assert share(position, opinion, "a2a3") > 0


def test_a_greater_temperature_is_flatter_and_no_floor_excludes(need_program: Need) -> None:
    need_program("stockfish")
    spec = {"kind": "uci", "command": "stockfish", "nodes": 2000, "floor": 0.0, "multipv": 3}
    sharp = ask(spec | {"temperature_centipawns": 5.0}, CHESS.start())
    flat = ask(spec | {"temperature_centipawns": 500.0}, CHESS.start())
    assert np.isfinite(sharp.log_probs).sum() == 3
    assert np.isfinite(flat.log_probs).sum() == 3
    assert sharp.log_probs.max() > flat.log_probs.max()


def test_equal_engines_are_started_once_whatever_is_made_of_their_scores(need_program: Need) -> None:
    need_program("stockfish")
    room = Room()
    try:
        first = room.open({"kind": "uci", "command": "stockfish", "nodes": 10})
        second = room.open({"kind": "uci", "command": "stockfish", "nodes": 20, "temperature_centipawns": 9.0})
        other = room.open({"kind": "uci", "command": "stockfish", "options": {"Hash": 2}})
        pids = [mind.engines[0].pid for mind in (first, second, other)]  # type: ignore[attr-defined]
        assert pids[0] == pids[1] != pids[2]
    finally:
        room.close()


def test_several_processes_give_what_one_gives(need_program: Need) -> None:
    need_program("stockfish")
    queries = [Query(CHESS.start())]
    for text in ("e2e4", "c7c5", "g1f3", "d7d6"):
        queries.append(queries[-1].after(CHESS.parse(queries[-1].position, text)))
    spec = {"kind": "uci", "command": "stockfish", "nodes": 500}
    with open_mind(spec) as one, open_mind(spec | {"processes": 2}) as two:
        for left, right in zip(one(queries, Effort.seeded()), two(queries, Effort.seeded()), strict=True):
            assert np.array_equal(left.log_probs, right.log_probs)


def test_limited_strength_asks_for_the_players_rating(need_program: Need) -> None:
    need_program("stockfish")
    spec = {"kind": "uci", "command": "stockfish", "nodes": 500, "limit_strength": True}
    opinion = ask(spec, CHESS.start(), player=Player(rating=1400.0, pool="test"))
    assert np.exp(opinion.log_probs).max() > 0.98
    with pytest.raises(BadInput, match="rating"):
        ask(spec, CHESS.start())


def test_reports_grow_and_stop_is_heard(need_program: Need) -> None:
    need_program("stockfish")
    stop, heard = Event(), list[Opinion]()

    def report(opinion: Opinion) -> None:
        heard.append(opinion)
        if len(heard) == 3:
            stop.set()

    effort = Effort(np.random.default_rng(0), simulations=10**12, stop=stop, report=report)
    opinion = ask({"kind": "uci", "command": "stockfish"}, CHESS.start(), effort)
    assert len(heard) >= 3
    for each in [*heard, opinion]:
        assert np.exp(each.log_probs).sum() == pytest.approx(1.0, abs=1e-4)
        assert each.wdl is not None


def test_shogi_engines_have_opinions(need_program: Need) -> None:
    need_program("fairy-stockfish")
    position = SHOGI.read("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    opinion = ask({"kind": "usi", "command": "fairy-stockfish", "nodes": 2000}, position)
    assert share(position, opinion, "G*5b") > 0.98
    assert opinion.wdl is not None
    assert opinion.wdl[0] > 0.99


def test_gps_shogi_has_opinions_without_multipv(need_program: Need) -> None:
    need_program("gpsusi")
    opinion = ask(
        {"kind": "usi", "command": "gpsusi", "options": {"LimitDepth": 4}, "move_milliseconds": 50}, SHOGI.start()
    )
    assert np.exp(opinion.log_probs).sum() == pytest.approx(1.0, abs=1e-4)
    assert np.exp(opinion.log_probs).max() > 0.15


@pytest.mark.parametrize("temperature", [0.0, 20.0])
def test_gnu_go_has_opinions(temperature: float, need_program: Need) -> None:
    need_program("gnugo")
    position = GO.start(Setup(start="(;SZ[9]AB[dd][ed][dc][eb]AW[ec]PL[W])"))
    spec = {"kind": "gtp", "command": "gnugo --mode gtp --level 1", "temperature_points": temperature}
    opinion = ask(spec, position)
    assert np.isfinite(opinion.log_probs).all()
    likely = (np.exp(opinion.log_probs) > 0.02).sum()
    assert likely == 1 if temperature == 0.0 else likely > 1


@pytest.mark.parametrize(
    ("spec", "position", "said"),
    [
        ({"kind": "uci", "command": "stockfish"}, SHOGI.start(), "plays chess, not shogi"),
        ({"kind": "gtp", "command": "gnugo --mode gtp"}, CHESS.start(), "speaks GTP, in which chess is not played"),
    ],
)
def test_engines_refuse_other_games(spec: dict[str, Any], position: Position, said: str, need_program: Need) -> None:
    need_program(spec["command"].split()[0])
    with pytest.raises(BadInput, match=said):
        ask(spec, position)


# With engines that do what they are told to


@pytest.mark.parametrize(
    ("fields", "effort", "go"),
    [
        ({}, {}, "go nodes 10000"),
        ({"depth": 4}, {}, "go depth 4"),
        ({"nodes": 9, "move_milliseconds": 40}, {}, "go movetime 40 nodes 9"),
        ({"nodes": 9}, {"seconds": 0.5}, "go movetime 250"),
        ({"depth": 4}, {"simulations": 77}, "go nodes 77"),
        ({"depth": 4}, {"simulations": 77, "seconds": 1}, "go movetime 500 nodes 77"),
    ],
)
def test_the_limits_of_a_call_stand_in_for_those_of_the_mind(
    fields: dict[str, int], effort: dict[str, Any], go: str, misbehave: Misbehave, tmp_path: Path
) -> None:
    told = tmp_path / "told"
    query = Query(CHESS.start())
    with open_mind({"kind": "uci", "command": misbehave("uci", "record", told)} | fields) as mind:
        mind([query, query], Effort(np.random.default_rng(0), **effort))
    assert [line for line in told.read_text().splitlines() if line.startswith("go")] == [go, go]


@pytest.mark.parametrize(("verdict", "wdl"), [("resign", [0, 0, 1]), ("win", [1, 0, 0])])
def test_a_verdict_is_a_result(verdict: str, wdl: list[int], misbehave: Misbehave) -> None:
    opinion = ask({"kind": "usi", "command": misbehave("usi", verdict)}, SHOGI.start())
    assert opinion.wdl is not None
    assert opinion.wdl.tolist() == wdl
    assert np.exp(opinion.log_probs) == pytest.approx(1 / 30)


def test_a_go_engine_that_resigns_expects_a_loss(misbehave: Misbehave) -> None:
    opinion = ask({"kind": "gtp", "command": misbehave("gtp", "resign")}, GO.start(Setup(size=9)))
    assert opinion.wdl is not None
    assert opinion.wdl.tolist() == [0, 0, 1]


def test_a_move_without_a_score_has_all_but_the_floor(misbehave: Misbehave) -> None:
    opinion = ask({"kind": "uci", "command": misbehave("uci", "no-info"), "floor": 0.2}, CHESS.start())
    assert share(CHESS.start(), opinion, "e2e4") == pytest.approx(0.81)
    assert opinion.wdl is None


def test_failures_reach_the_caller_and_the_room_closes(misbehave: Misbehave) -> None:
    with pytest.raises(EngineFailed, match="e2e5"):
        ask({"kind": "uci", "command": misbehave("uci", "illegal")}, CHESS.start())


# Specs


def test_a_spec_with_options_goes_through_toml_and_stays_hashable(tmp_path: Path) -> None:
    path = tmp_path / "mind.toml"
    text = 'kind = "uci"\ncommand = "stockfish"\nnodes = 50\n[options]\nHash = 8\nPonder = false\n"Skill Level" = 3\n'
    path.write_text(text)
    spec = read_spec(path)
    assert spec == mind_spec(tomllib.loads(text)) == mind_spec(spec.as_dict())
    assert hash(spec) == hash(mind_spec(spec.as_dict()))
    assert dict(spec.fields)["options"] == (("Hash", 8), ("Ponder", False), ("Skill Level", 3))
    assert dict(spec.fields)["options"][1][1] is False


def test_options_work_from_python_as_a_table_and_as_pairs() -> None:
    assert Uci("stockfish", {"b": 1, "a": True}) == Uci("stockfish", (("b", 1), ("a", True)))
    assert hash(Uci("stockfish", {"b": 1}))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"options": {"MultiPV": 3}}, "the field multipv"),
        ({"options": {"UCI_Elo": 1500}}, "the field limit_strength"),
        ({"options": {"Hash": [1]}}, "Hash"),
        ({"options": 7}, "table"),
        ({"options": {"Hahs": 1}}, "did you mean Hash"),
        ({"options": {"Hash": 0}}, "from 1"),
        ({"nodes": 0}, "at least 1"),
        ({"temperature_centipawns": 0.0}, "temperature"),
        ({"floor": 1.5}, "floor"),
        ({"multipv": 0}, "multipv"),
        ({"draw_share": 0.6}, "draw_share"),
        ({"command": "stokfish"}, "stokfish"),
    ],
)
def test_what_cannot_be_is_refused_by_name(fields: dict[str, Any], said: str, need_program: Need) -> None:
    need_program("stockfish")
    with pytest.raises(BadInput, match=said), open_mind({"kind": "uci", "command": "stockfish"} | fields):
        pass


def test_limited_strength_needs_an_engine_that_can(misbehave: Misbehave) -> None:
    spec = {"kind": "usi", "command": misbehave("usi", "good"), "limit_strength": True}
    with pytest.raises(BadSpec, match="UCI_LimitStrength"), open_mind(spec):
        pass
