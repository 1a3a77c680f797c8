"""UCI and USI beyond the transcripts: seeds, stops, clocks, levels, minds that fail, claims and resignations."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hitonami.core import Clock, open_game
from hitonami.protocols._thinking import read_limits
from hitonami.specs import mind_spec

both = pytest.mark.parametrize("protocol", ["uci", "usi"])
_GAMES = {"uci": "chess", "usi": "shogi"}
_NONE = {"uci": "bestmove 0000", "usi": "bestmove none"}
_LONG = {"uci": "go wtime 99999999 btime 99999999", "usi": "go btime 99999999 wtime 99999999"}
_REPEATED = "position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 2


def _far_into_a_game(game: str, plies: int) -> str:
    rules, rng = open_game(game), np.random.default_rng(1)
    position, words = rules.start(), list[str]()
    while len(words) < plies:
        move = int(rng.choice(position.legal))
        words.append(rules.format(position, move))
        position = position.play(move)
    return f"position startpos moves {' '.join(words)}"


@both
def test_a_seed_repeats_the_whole_session(protocol: str, talk: Callable[..., Any]) -> None:
    def play(seed: int) -> list[str]:
        there = talk(protocol, seed=seed)
        return [there.ask("position startpos", "go") for _ in range(6)]

    assert play(1) == play(1)
    assert play(1) != play(2)
    assert len(set(play(1))) > 1


@both
def test_setting_the_seed_starts_its_sequence_again(protocol: str, talk: Callable[..., Any]) -> None:
    there = talk(protocol)
    first = [there.ask("go") for _ in range(6)]
    there.send("setoption name Seed value 1")
    assert [there.ask("go") for _ in range(6)] == first


@both
@pytest.mark.parametrize("last", ["stop", "position startpos", "go infinite", "newgame"])
def test_a_thought_is_ended_and_answered_once(protocol: str, last: str, talk: Callable[..., Any]) -> None:
    there = talk(protocol, mind="brooding")
    there.send("position startpos", "go")
    there.hear_until("info string")  # it thinks now
    assert there.ask("isready", until="readyok") == "readyok"
    there.send(f"{protocol}{last}" if last == "newgame" else last)
    assert there.hear().startswith("info")
    assert there.hear_until("bestmove")[-1] not in ("bestmove 0000", "bestmove none")
    there.send("stop")
    again = [line for line in there.rest() if line.startswith("bestmove")]
    assert len(again) == (1 if last == "go infinite" else 0)


@both
def test_closing_ends_a_thought(protocol: str, talk: Callable[..., Any]) -> None:
    there = talk(protocol, mind="brooding")
    there.send("go infinite")
    there.hear_until("info string")
    assert there.session.close()
    assert sum(line.startswith("bestmove") for line in there.rest()) == 1


@both
def test_stop_ends_the_pause_of_a_human_pace(protocol: str, talk: Callable[..., Any]) -> None:
    there = talk(protocol, mind="judge")
    there.send("setoption name Pace value human", "position startpos", _LONG[protocol])  # a pause of many minutes
    there.hear_until("info string")
    there.send("stop")
    assert there.hear().startswith("bestmove ")


@both
def test_a_mind_that_breaks_is_told_and_not_replaced(protocol: str, talk: Callable[..., Any]) -> None:
    there = talk(protocol, mind="broken")
    there.send("position startpos", "go")
    wrong, best = there.rest()
    assert wrong.startswith("info string error KeyError: ")
    assert "a defect" in wrong
    assert best == _NONE[protocol]
    assert there.ask("setoption name Mind value uniform", "go") != _NONE[protocol]


@both
def test_a_mind_that_cannot_be_opened_is_told_at_isready_and_at_go(protocol: str, talk: Callable[..., Any]) -> None:
    there = talk(protocol, mind="uci:no-such-program-anywhere")
    there.send("isready")
    wrong, ready = there.rest()
    assert "no-such-program-anywhere" in wrong
    assert ready == "readyok"
    assert there.ask("position startpos", "go") == _NONE[protocol]


@both
def test_a_spec_as_mind_is_shown_and_comes_back_as_the_default(protocol: str, talk: Callable[..., Any]) -> None:
    there = talk(protocol, mind=mind_spec({"kind": "temper", "mind": "judge", "rho": 3.0}))
    there.send(protocol)
    [shown] = [line.partition(" default ")[2] for line in there.rest() if line.startswith("option name Mind ")]
    sharp = there.ask("go", until="info string")
    for text in (shown, "", "<empty>"):
        there.rest()
        there.send("setoption name Mind value uniform", f"setoption name Mind value {text}")
        assert there.ask("go", until="info string") == sharp


def test_uci_tells_the_mind_who_plays_and_with_what_time(talk: Callable[..., Any]) -> None:
    there = talk("uci", mind="witness", rating=1234, pool="lichess")

    def ask(*lines: str) -> str:
        return str(there.ask(*lines, until="info string error")).partition("error ")[2]

    assert ask("go") == "rating=1234 pool=lichess opponent=1234 simulations=None seconds=None"
    assert "rating=1800 " in ask("setoption name UCI_Elo value 1800", "go")
    assert "rating=2900 " in ask("setoption name UCI_LimitStrength value false", "go")
    assert "opponent=2100 " in ask("setoption name UCI_Opponent value none 2100 human A Person", "go")
    assert "opponent=2900 " in ask("setoption name UCI_Opponent value none none computer X", "go")
    black = ask("position startpos moves e2e4", "go wtime 1000 btime 62000 winc 100 binc 3000 movestogo 30 nodes 9")
    assert "left=62/1 increment=3/0.1 byoyomi=0 moves=30 simulations=9 seconds=4.10" in black
    assert "seconds=0.25" in ask("go wtime 1000 btime 62000 movetime 250")
    assert "left=0/1" in ask("go wtime 1000 btime -50")
    assert "left" not in ask("go wtime 1000")
    assert "seconds=inf" in ask("go infinite")


def test_usi_tells_the_mind_who_plays_and_with_what_time(talk: Callable[..., Any]) -> None:
    there = talk("usi", mind="witness")

    def ask(*lines: str) -> str:
        return str(there.ask(*lines, until="info string error")).partition("error ")[2]

    first = ask("setoption name Rating value 1900", "position startpos", "go btime 62000 wtime 1000 byoyomi 10000")
    assert first.startswith("rating=1900 ")
    assert "left=62/1 increment=0/0 byoyomi=10 moves=None simulations=None seconds=9.00" in first
    second = ask("position startpos moves 7g7f", "go btime 62000 wtime 1000 binc 5000 winc 2000")
    assert "left=1/62 increment=2/5 byoyomi=0" in second


def test_uci_plays_on_where_a_person_would_claim_a_draw(talk: Callable[..., Any]) -> None:
    there = talk("uci", mind=mind_spec({"kind": "judge", "win": 0.1, "draw": 0.1}))
    move = there.ask(_REPEATED, "go").split()[1]
    rules = open_game("chess")
    position = rules.start()
    for text in _REPEATED.split()[3:]:
        position = position.play(rules.parse(position, text))
    assert rules.claims(position).draw is not None
    assert rules.parse(position, move) in position.legal


def test_usi_resigns_a_lost_game_unless_told_not_to(talk: Callable[..., Any]) -> None:
    there = talk("usi", mind=mind_spec({"kind": "judge", "win": 0.0, "draw": 0.0}))
    late = _far_into_a_game("shogi", 40)
    assert there.ask(late, "go") == "bestmove resign"
    assert there.ask("setoption name Resign value false", late, "go") not in ("bestmove resign", "bestmove none")


def test_uci_never_resigns(talk: Callable[..., Any]) -> None:
    there = talk("uci", mind=mind_spec({"kind": "judge", "win": 0.0, "draw": 0.0}))
    assert there.ask(_far_into_a_game("chess", 40), "go") != "bestmove 0000"


@pytest.mark.parametrize("protocol", ["uci", "usi"])
def test_a_search_without_end_tells_how_it_stands_and_answers_when_stopped(
    protocol: str, talk: Callable[..., Any]
) -> None:
    there = talk(protocol, mind="puct:judge")
    there.send("go infinite")
    nodes = [int(there.hear_until("info depth")[-1].split()[4]) for _ in range(12)]
    assert nodes == sorted(set(nodes))
    assert nodes[-1] > 200  # what the mind does unasked
    assert there.ask("stop").startswith("bestmove ")
    assert there.ask("go nodes 20").startswith("bestmove ")


@both
def test_a_session_knows_what_the_last_moves_took(protocol: str, talk: Callable[..., Any]) -> None:
    there = talk(protocol, mind="uniform")
    first, second = {"uci": ("w", "b"), "usi": ("b", "w")}[protocol]
    rules = open_game(_GAMES[protocol])
    position, words, seen = rules.start(), list[str](), []
    for own, other in ((60, 60), (55, 58), (54, 40)):
        seen.append(there.session._query(position, _told(first, second, own, other)))
        for _ in range(2):
            words.append(rules.format(position, int(position.legal[0])))
            position = position.play(int(position.legal[0]))
    clocks = [query.clock for query in seen]
    assert [(each.spent_seconds, each.opponent_spent_seconds) for each in clocks] == [
        (None, None),
        (6.0, 3.0),
        (2.0, 19.0),
    ]
    assert clocks[2].usual_seconds == pytest.approx((6.5 * 2.5) ** 0.5 - 0.5)
    another = rules.start().play(int(rules.start().legal[-1]))
    fresh = there.session._query(another, _told(first, second, 50, 50)).clock
    assert fresh.spent_seconds is None, "another game"


def _told(first: str, second: str, own: int, other: int) -> Clock | None:
    words = f"{first}time {own}000 {second}time {other}000 {first}inc 1000 {second}inc 1000".split()
    return read_limits(words).clock(0, first)
