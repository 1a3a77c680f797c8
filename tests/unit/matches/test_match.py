"""Blocks of games: what ends a game, who forfeits, and that minds are asked about many games at once."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hitonami.core import Setup, open_game
from hitonami.matches.block import Played, play_block
from hitonami.matches.entrants import Entrant
from hitonami.matches.openings import Opening, Sampled, read_openings
from hitonami.matches.pairing import Block, Judge, Schedule, blocks_of
from hitonami.matches.standings import draw_up
from hitonami.matches.tournament import Store, run_tournament
from hitonami.minds import neural
from hitonami.specs import mind_spec

SAMPLE = Path(neural.__file__).with_name("_sample_network.pb.gz")
Misbehave = Callable[..., str]
START = (Opening(Setup()),)


def entrant(name: str, rating: float | None = None, **fields: Any) -> Entrant:
    spec = mind_spec({"kind": name, **fields}) if fields else mind_spec(name)
    return Entrant(f"{name}{fields}", spec, rating)


def plan_of(one: Entrant, other: Entrant, games: int = 2, **fields: Any) -> Schedule:
    return Schedule(fields.pop("game", "chess"), (one, other), games, fields.pop("openings", START), **fields)


def play(plan: Schedule) -> list[Played]:
    return [game for block in blocks_of(plan) for game in play_block(plan, block)]


def test_colours_swap_and_openings_come_in_pairs() -> None:
    book = read_openings("book", open_game("chess"), Setup())
    assert isinstance(book, tuple)
    plan = plan_of(entrant("uniform"), entrant("uniform", 1500), 5, openings=book, max_plies=12)
    games = play(plan)
    assert [(game.first, game.second, game.number) for game in games] == [
        (0, 1, 0), (1, 0, 1), (0, 1, 2), (1, 0, 3), (0, 1, 4),
    ]  # fmt: skip
    heads = [game.moves[:6] for game in games]
    assert heads == [book[0].moves, book[0].moves, book[1].moves, book[1].moves, book[2].moves]
    assert all((game.score, game.termination, len(game.moves)) == (0.5, "move limit", 12) for game in games)


def test_a_game_depends_on_its_place_and_the_seed_alone() -> None:
    plan = plan_of(entrant("uniform"), entrant("uniform", 1500), 6, max_plies=30)
    whole = play_block(plan, Block((0, 1), 0, 6))
    parts = play_block(plan, Block((0, 1), 0, 2)) + play_block(plan, Block((0, 1), 2, 6))
    assert whole == parts
    assert len({game.moves for game in whole}) == 6
    assert play_block(replace(plan, seed=1), Block((0, 1), 0, 6)) != whole


@pytest.mark.parametrize(
    ("sfen", "score", "plies"),
    [
        ("K+R+R+B+B4/PPPPPP3/9/9/9/9/9/9/8k b 2G 1", 1.0, 0),  # the first side has entered with 28 points, at its turn
        ("8K/9/9/9/9/9/9/3pppppp/4+b+b+r+rk w g 1", 0.0, 0),  # the second side, with 27
        ("K+R+R+B+B4/PPPPPP3/9/9/9/9/9/9/8k w 2G 1", 1.0, 1),  # the first, once the other has moved
    ],
)
def test_an_entered_king_is_declared_at_its_turn(sfen: str, score: float, plies: int) -> None:
    openings = (Opening(Setup(start=sfen)),)
    games = play(plan_of(entrant("uniform"), entrant("uniform", 20), game="shogi", openings=openings))
    assert [(game.score, game.termination, len(game.moves)) for game in games] == [
        (score, "entering king, 27-point rule", plies)
    ] * 2


def test_a_network_is_asked_about_all_games_at_once(made: None, tmp_path: Path) -> None:
    logs = tmp_path / "one.txt", tmp_path / "two.txt"
    one, other = (entrant("made", log=str(log)) for log in logs)
    play(plan_of(one, other, 16, max_plies=20))
    for log in logs:
        sizes = [int(line) for line in log.read_text().split()]
        assert sum(sizes) == 16 * 20 / 2
        assert max(sizes) == 16
        assert len(sizes) <= 12  # ten moves each, and one more until all games wait for the same player


def test_a_mind_that_fails_loses_by_forfeit_and_the_others_go_on(made: None) -> None:
    games = play(plan_of(entrant("made", fails_at=6), entrant("uniform"), 4, max_plies=30))
    assert [game.score for game in games] == [0.0, 1.0, 0.0, 1.0]
    assert {game.termination for game in games} == {"forfeit"}
    assert {game.forfeit for game in games} == {"nothing left to say at ply 6"}
    assert {len(game.moves) for game in games} == {6, 7}  # it moves first in every other game


LONG, SHORT = 60.0, 1.0
"""Seconds that an engine has: only those that never answer are given few, so that a busy machine changes no reason."""
FAULTS = [
    ("uci", "crash-in-search", LONG, "exit code 7"),
    ("uci", "illegal", LONG, "e2e5"),
    ("uci", "flood", SHORT, "did not answer|bytes that nobody asked for"),  # whichever limit a machine comes to first
    ("uci", "long-line", LONG, "was ended for a line longer"),
    ("uci", "hang-in-search", SHORT, "did not answer"),
    ("usi", "crash-in-search", LONG, "exit code 7"),
    ("usi", "illegal", LONG, "e2e5"),
    ("gtp", "crash-in-search", LONG, "exit code 7"),
    ("gtp", "illegal", LONG, "Z99"),
    ("gtp", "hang-in-search", SHORT, "did not answer"),
]
GAMES = {"uci": ("chess", {}), "usi": ("shogi", {}), "gtp": ("go", {"openings": (Opening(Setup(size=9)),)})}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault[0]}-{fault[1]}")
def test_an_engine_that_misbehaves_loses(
    misbehave: Misbehave, tmp_path: Path, fault: tuple[str, str, float, str]
) -> None:
    protocol, how, seconds, reason = fault
    command = misbehave(protocol, how, tmp_path / "mark")
    engine = entrant(protocol, command=command, timeout_seconds=seconds)
    game, fields = GAMES[protocol]
    games = play(plan_of(engine, entrant("uniform"), 2, max_plies=20, game=game, **fields))
    assert [game.score for game in games] == [0.0, 1.0]
    assert all(game.termination == "forfeit" and re.search(reason, game.forfeit) for game in games), games


def test_an_event_goes_on_around_engines_that_misbehave(misbehave: Misbehave, tmp_path: Path) -> None:
    """All four faults, and games of the others before, between and after them; the table names every reason."""
    faulty = [
        (how, seconds, reason) for protocol, how, seconds, reason in FAULTS if protocol == "uci" if how != "long-line"
    ]
    engines = [entrant("uci", command=misbehave("uci", how), timeout_seconds=limit) for how, limit, _ in faulty]
    plan = Schedule(
        "chess", (entrant("uniform"), entrant("uniform", 1), *engines), 2, START, max_plies=12, gauntlet=True
    )
    event = run_tournament(plan, Store(tmp_path / "event", plan))
    assert len(event.games) == 2 * (1 + len(engines))
    assert [game.termination for game in event.games[:2]] == ["move limit"] * 2
    found = draw_up(event)
    assert found.totals[0].wins == 2 * len(engines)
    told = dict(found.forfeits)
    assert sorted(told) == [2, 3, 4, 5]
    for at, (_, _, reason) in enumerate(faulty, start=2):
        assert re.search(reason, told[at])
    assert run_tournament(plan, Store(tmp_path / "event", plan, resume=True)) == event


def test_the_hopeless_resign_unless_they_may_not(made: None) -> None:
    one, other = entrant("made", first=0.01), entrant("uniform")
    plan = plan_of(one, other, 2, max_plies=120)
    assert [game.termination for game in play(plan)] == ["resignation", "move limit"]  # as second it is winning
    assert [game.score for game in play(plan)] == [0.0, 0.5]
    assert [game.termination for game in play(replace(plan, resigns=False))] == ["move limit"] * 2


def test_a_judge_ends_clear_games(made: None) -> None:
    plan = plan_of(entrant("uniform"), entrant("uniform", 1500), 2, max_plies=40)
    clear = replace(plan, judge=Judge(mind_spec({"kind": "made", "first": 0.02}), 0.97, plies=5))
    games = play(clear)
    assert [(game.score, game.termination, len(game.moves)) for game in games] == [(0.0, "adjudication", 5)] * 2
    unclear = replace(plan, judge=Judge(mind_spec({"kind": "made", "first": 0.1}), 0.97, plies=5))
    assert [game.termination for game in play(unclear)] == ["move limit"] * 2


def test_repetition_is_a_draw_though_nobody_claims_it() -> None:
    shuffled = []
    position = open_game("chess").start()
    for text in ("g1f3 g8f6 f3g1 f6g8 " * 2).split()[:-1]:
        shuffled.append(position.game.parse(position, text))
        position = position.play(shuffled[-1])
    knight = position.game.parse(position, "f6g8")
    after = position.play(knight)
    assert after.game.claims(after).draw == "threefold repetition"
    plan = plan_of(entrant("uniform"), entrant("uniform", 1), 1, openings=(Opening(Setup(), (*shuffled, knight)),))
    (game,) = play(plan)
    assert (game.score, game.termination, len(game.moves)) == (0.5, "threefold repetition", 8)


def test_a_game_of_go_is_counted() -> None:
    plan = plan_of(entrant("uniform"), entrant("uniform", 1), 2, game="go", openings=(Opening(Setup(size=5)),))
    for game in play(replace(plan, setup=Setup(size=5))):
        assert game.termination.endswith(" points")
        assert game.score in (0.0, 1.0)


def test_sampled_openings_are_shared_by_the_two_games_of_a_pair() -> None:
    plan = plan_of(entrant("uniform"), entrant("uniform", 1), 4, openings=Sampled(6), max_plies=20)
    games = play(plan)
    assert [game.opening_plies for game in games] == [6] * 4
    assert games[0].moves[:6] == games[1].moves[:6] != games[2].moves[:6] == games[3].moves[:6]
    assert games[0].moves != games[1].moves


def test_networks_of_two_ratings_play() -> None:
    network = {"kind": "neural", "model": str(SAMPLE), "threads": 1}
    spec = mind_spec({"kind": "temper", "rho": 0.1, "mind": network})  # the untrained network is nearly certain
    one, other = (Entrant(f"net@{rating}", spec, rating) for rating in (1100.0, 1900.0))
    games = play(plan_of(one, other, 4, max_plies=30))
    assert len({game.moves for game in games}) == 4


def test_blocks_cover_every_game_once_and_take_turns() -> None:
    plan = Schedule("chess", tuple(entrant("uniform", at) for at in range(3)), 70, START)
    blocks = list(blocks_of(plan))
    assert [(block.pair, block.begin) for block in blocks[:4]] == [((0, 1), 0), ((0, 2), 0), ((1, 2), 0), ((0, 1), 64)]
    for pair in plan.pairs():
        numbers = [at for block in blocks if block.pair == pair for at in range(block.begin, block.end)]
        assert numbers == list(range(70))
    assert replace(plan, gauntlet=True).pairs() == [(0, 1), (0, 2)]
    assert plan_of(entrant("uci", command="stockfish"), entrant("uniform")).block_size((0, 1)) == 2
