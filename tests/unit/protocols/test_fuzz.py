"""Random and mutated lines: no exception, no hang, every command answered once, and the right state afterwards."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hitonami.core import Setup, open_game

_SIZES = [2_000, pytest.param(100_000, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])]
_BATCH = 200
_ALPHABET = "abcdefghikpqrstwx0123456789 +-*/#.,:;=\t\r\x00\x07\x1bäあ🂡\u2028"
_UCI = """uci
isready
ucinewgame
debug on
register later
stop
ponderhit
setoption name MultiPV value 3
setoption name UCI_Elo value 1800
setoption name UCI_LimitStrength value false
setoption name UCI_Chess960 value true
setoption name UCI_Chess960 value false
setoption name UCI_ShowWDL value true
setoption name UCI_Opponent value GM 2800 human Somebody
setoption name Ponder value true
setoption name Seed value 7
setoption name Choice value best
setoption name Mind value uniform
setoption name Mind value <empty>
position startpos
position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6
position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1
position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1
position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
go
go infinite
go ponder wtime 1000 btime 1000
go wtime 300000 btime 300000 winc 1000 binc 1000 movestogo 40
go movetime 10 nodes 100 depth 5
go searchmoves e2e4 d2d4 nodes 1""".splitlines()
_USI = """usi
isready
usinewgame
stop
ponderhit
gameover win
setoption name MultiPV value 3
setoption name USI_Ponder value true
setoption name USI_Hash value 64
setoption name Rating value 1800
setoption name Resign value false
setoption name Seed value 7
setoption name Mind value uniform
position startpos
position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e
position sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3 moves 8h2b+
position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1
position sfen 8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124
go
go infinite
go ponder btime 1000 wtime 1000
go btime 600000 wtime 600000 byoyomi 10000
go btime 0 wtime 0 binc 1000 winc 1000
go mate 1000
go mate infinite""".splitlines()
_GTP = """1 protocol_version
name
version
22 known_command genmove
list_commands
boardsize 9
boardsize 5
boardsize 19
clear_board
komi 6.5
kgs-rules japanese
kgs-rules chinese
play b D4
play w E5
play b C3
play white pass
play black pass
play b A1
genmove b
genmove w
333 genmove w # comment
reg_genmove b
undo
undo
fixed_handicap 2
place_free_handicap 5
set_free_handicap C3 E5 C5
time_settings 300 30 5
time_left b 100 0
kgs-time_settings byoyomi 300 30 5
final_score
final_status_list dead
loadsgf nowhere.sgf 3
printsgf
showboard
hitonami-predict 3
hitonami-options
hitonami-set Rating 1800""".splitlines()


def _mutate(rng: random.Random, lines: list[str]) -> str:
    line = rng.choice(lines)
    for _ in range(rng.choice((0, 0, 1, 1, 2, 6))):
        at = rng.randrange(len(line) + 1)
        words = line.split(" ")
        kind = rng.randrange(7)
        if kind == 0:
            line = line[:at] + line[at + 1 :]
        elif kind == 1:
            line = line[:at] + rng.choice(_ALPHABET) + line[at:]
        elif kind == 2:
            line = line[:at] + rng.choice(_ALPHABET) + line[at + 1 :]
        elif kind == 3:
            rng.shuffle(words)
            line = " ".join(words)
        elif kind == 4:
            line = " ".join([*words, rng.choice(words)])
        elif kind == 5:
            line = line[:at] + str(rng.randrange(-(10**20), 10**20)) + line[at:]
        else:
            line = f"{line} {rng.choice(lines)}"
    return line


def _lines(seed: str, corpus: list[str], count: int) -> Iterator[str]:
    rng = random.Random(seed)
    for _ in range(count):
        noise = "".join(rng.choices(_ALPHABET, k=rng.randrange(60)))
        line = noise if rng.random() < 0.1 else _mutate(rng, corpus)
        if "quit" not in line:
            yield line


def _batches(seed: str, corpus: list[str], count: int) -> Iterator[list[str]]:
    held: list[str] = []
    for line in _lines(seed, corpus, count):
        held.append(line)
        if len(held) == _BATCH:
            yield held
            held = []
    yield held


_GOOD = {"uci": "position startpos moves e2e4 e7e5", "usi": "position startpos moves 7g7f 3c3d"}
_BAD = {"uci": "position startpos moves e2e4 e2e4", "usi": "position startpos moves 7g7f 7g7f"}


@pytest.mark.parametrize("count", _SIZES)
@pytest.mark.parametrize(("protocol", "corpus", "none"), [("uci", _UCI, "0000"), ("usi", _USI, "none")])
def test_uci_and_usi(protocol: str, corpus: list[str], none: str, count: int, talk: Callable[..., Any]) -> None:
    there = talk(protocol)
    commands = {line.split()[0] for line in corpus} | {"position", "go"}
    game = open_game(there.session.game)
    position = game.start()
    for text in _GOOD[protocol].split()[3:]:
        position = position.play(game.parse(position, text))
    for lines in _batches(protocol, corpus, count):
        there.send(*lines, "stop")
        said = there.rest()
        asked = 0
        for line in lines:
            words = line.split()
            at = next((at for at, word in enumerate(words) if word in commands), len(words))
            asked += words[at : at + 1] == ["go"] and (protocol == "uci" or words[at + 1 : at + 2] != ["mate"])
        assert sum(line.startswith("bestmove ") for line in said) == asked
        assert there.ask(_BAD[protocol], "go").split() == ["bestmove", none]
        move = there.ask(_GOOD[protocol], "go").split()[1]
        assert game.parse(position, move) in position.legal
        assert there.rest() == []


@pytest.mark.parametrize("count", _SIZES)
def test_gtp(count: int, talk: Callable[..., Any]) -> None:
    there = talk("gtp")
    game = open_game("go")
    for lines in _batches("gtp", _GTP, count):
        there.send(*lines)
        answers = [line for line in there.rest() if line.startswith(("=", "?"))]
        printable = ["".join(each for each in line.partition("#")[0] if each >= " " or each == "\t") for line in lines]
        assert len(answers) == sum(bool(line.strip()) for line in printable)
        there.send("boardsize 9", "kgs-rules chinese", "clear_board", "play b D4", "play w D4", "genmove w", "undo")
        *fine, refused, drawn, undone = [line for line in there.rest() if line]
        assert [*fine, refused, undone] == ["=", "=", "=", "=", "? illegal move", "="]
        position = game.start(Setup(size=9))
        position = position.play(game.parse(position, "D4"))
        assert game.parse(position, drawn.removeprefix("= ")) in position.legal
