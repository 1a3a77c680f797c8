"""Programs that keep real clocks drive `hitonami engine` over UCI, USI and GTP: it thinks, within its time."""

import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from hitonami.core import open_game

_HITONAMI = str(Path(sys.executable).with_name("hitonami"))
_MAIN_SECONDS = 90.0
"""More than a minute: below it a person's flag may fall."""
_MOVES = 3


class Client:
    """The least of a program that plays one side against an engine and keeps its clock."""

    def __init__(self, game: str, pace: str) -> None:
        command = [_HITONAMI, "engine", game, "--mind", "uniform", "--seed", "3"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.is_gtp = game == "go"
        self.rules, self.words = open_game(game), list[str]()
        self.position = self.rules.start()
        self.first = "w" if game == "chess" else "b"
        if self.is_gtp:
            self.ask(f"hitonami-set Pace {pace}")
            self.ask(f"time_settings {_MAIN_SECONDS:.0f} 0 0")
        else:
            self.tell("uci" if game == "chess" else "usi", f"setoption name Pace value {pace}", "isready")
            self.hear("readyok")

    def tell(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def hear(self, start: str) -> str:
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            if line.startswith(start):
                return line.strip()
        raise AssertionError(f"the engine ended without {start}")

    def ask(self, command: str) -> str:
        self.tell(command)
        return self.hear("=")[1:].strip()

    def move(self, left: float, other: float) -> str:
        """What the engine answers with so much on the clocks."""
        if self.is_gtp:
            self.ask(f"time_left b {left:.0f} 0")
            return self.ask("genmove b")
        second = "b" if self.first == "w" else "w"
        clocks = f"{self.first}time {left * 1000:.0f} {second}time {other * 1000:.0f}"
        self.tell(" ".join(["position", "startpos", "moves", *self.words]), f"go {clocks}")
        return self.hear("bestmove").split()[1]

    def play(self, text: str) -> None:
        self.position = self.position.play(self.rules.parse(self.position, text))
        self.words.append(text)

    def reply(self) -> None:
        text = self.rules.format(self.position, int(self.position.legal[0]))
        if self.is_gtp:
            self.ask(f"play w {text}")
        self.play(text)

    def close(self) -> None:
        self.tell("quit")
        self.process.wait(60)
        with self.process:
            pass


def time_used(game: str, pace: str, count: int = _MOVES) -> list[float]:
    client, used, left = Client(game, pace), list[float](), _MAIN_SECONDS
    try:
        for _ in range(count):
            began = monotonic()
            client.play(client.move(left, _MAIN_SECONDS))
            used.append(monotonic() - began)
            left -= used[-1]
            assert left > 0, "its flag fell"
            client.reply()
    finally:
        client.close()
    return used


@pytest.mark.parametrize("game", ["chess", "shogi", "go"])
def test_an_engine_thinks_as_people_do_and_at_once_where_time_is_turned_off(game: str) -> None:
    human, instant = time_used(game, "human"), time_used(game, "instant")
    assert sum(human) > 2 * sum(instant)
    assert len({round(each, 1) for each in human}) > 1, "people's times vary"
    assert sum(human) < _MAIN_SECONDS / 2, "three moves are not half of a game"
