"""A client of KataGo's analysis engine: JSON lines, many positions under way at once.

It tells KataGo the whole record (start, stones, moves, rules, komi) and reads its network's policy and the moves that
it searched. Chances are of the side to move here. Whose chances KataGo reports depends on its configuration and, in
version 1.6, differs between the position and its moves; so both are measured at the start, on two boards whose winner
is certain. There is no time limit and no stopping: a request ends when its visits are done, or fails when its time is
up.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Line, walk_back
from hitonami.engines.client import Client
from hitonami.engines.process import Program
from hitonami.errors import BadMove, EngineFailed, quote
from hitonami.games.go import GoPosition
from hitonami.games.go_rules.board import SITUATIONAL, SUICIDE
from hitonami.games.go_rules.points import vertex

START_SECONDS: Final = 1800.0
"""The first start on a machine tunes OpenCL, which takes minutes."""
_POLL_SECONDS: Final = 0.05
_COLOURS: Final = ("B", "W")
_HOPELESS_KOMI: Final = 40.0
"""White cannot lose with it on a board of 9 lines. Networks never saw much more, and answer nonsense there."""
Perspective = Literal["black", "white", "mover", "opponent"]
_PERSPECTIVES: Final[Mapping[tuple[bool, bool], Perspective]] = {
    (False, False): "black",
    (True, True): "white",
    (False, True): "mover",
    (True, False): "opponent",
}
"""By whether the chance that is told of a game that White wins is above a half, with Black and with White to move."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What KataGo says of one position: of the side to move, all of it."""

    policy: NDArray[np.float64]
    """[size² + 1] its network's probabilities, pass last; 0 where KataGo's rules allow no move."""
    win: float
    lines: tuple[Line, ...]
    """The searched moves, best first by KataGo's own order, with visits; none after a single visit."""


class KatagoEngine(Client):
    """KataGo's analysis engine. `name` has its version where it tells it."""

    def __init__(self, command: str, timeout_seconds: float = 60.0, start_seconds: float = START_SECONDS) -> None:
        super().__init__(command, timeout_seconds)
        self.name = "KataGo"
        self._start_seconds = start_seconds
        self._of_root: Perspective = "mover"
        self._of_moves: Perspective = "mover"
        self._number = 0

    def analyse(
        self, positions: Sequence[GoPosition], visits: int, profiles: Sequence[str] | None = None
    ) -> list[Analysis]:
        """Search each position with so many visits; 1 is the network alone. `timeout_seconds` is for each.

        With `profiles`, one for each position, policy and chances are the human network's, of players like these.
        """
        asked: Sequence[str | None] = [None] * len(positions) if profiles is None else profiles

        def work(program: Program) -> list[Analysis]:
            requests = [
                _describe(position) | {"maxVisits": visits} | _imitate(profile)
                for position, profile in zip(positions, asked, strict=True)
            ]
            answers = self._request(program, requests, self.timeout_seconds * max(1, len(requests)))
            pairs = zip(positions, answers, strict=True)
            return [self._read(position, answer, human=profiles is not None) for position, answer in pairs]

        return self._ask(work)

    def _greet(self, program: Program) -> None:
        self._number = 0
        blank = {"rules": "tromp-taylor", "komi": _HOPELESS_KOMI, "boardXSize": 9, "boardYSize": 9, "maxVisits": 2}
        boards: list[dict[str, Any]] = [blank | {"moves": moves} for moves in ([], [["B", "E5"]])]
        black, white = self._request(program, boards, self._start_seconds)  # to move
        self._of_root = _PERSPECTIVES[_number(black, "winrate") > 0.5, _number(white, "winrate") > 0.5]
        self._of_moves = _PERSPECTIVES[self._first_chance(black) > 0.5, self._first_chance(white) > 0.5]
        self.name = f"KataGo {self._version(program)}".strip()

    def _first_chance(self, answer: Mapping[str, Any]) -> float:
        infos = answer.get("moveInfos")
        if not infos:
            raise EngineFailed(f"{quote(self.command)} searched nothing with two visits")
        return float(infos[0]["winrate"])

    def _version(self, program: Program) -> str:
        """Its answer to `query_version`; old versions do not know that."""
        try:
            [answer] = self._request(program, [{"action": "query_version"}], self.timeout_seconds)
        except EngineFailed:
            return ""
        return str(answer.get("version", ""))

    def _request(self, program: Program, requests: Sequence[dict[str, Any]], seconds: float) -> list[dict[str, Any]]:
        """Send all, and wait for all of the answers, which come in any order."""
        first = self._number
        self._number += len(requests)
        for at, request in enumerate(requests, start=first):
            program.send(json.dumps({"id": str(at)} | request))
        answers: dict[int, dict[str, Any]] = {}
        deadline = time.monotonic() + seconds
        while len(answers) < len(requests):
            if time.monotonic() > deadline:
                raise program.silent(f"{len(requests)} analyses were expected within {seconds:g} s")
            line = program.read_line(_POLL_SECONDS)
            answer = None if line is None else self._read_answer(line)
            if answer is not None and first <= int(answer["id"]) < self._number:
                answers[int(answer["id"])] = answer
        return [answers[at] for at in range(first, self._number)]

    def _read_answer(self, line: str) -> dict[str, Any] | None:
        """An answer, None for a remark or a warning. Raises EngineFailed for an error."""
        try:
            answer = json.loads(line)
        except (json.JSONDecodeError, RecursionError):
            return None
        if not isinstance(answer, dict):
            return None
        if "error" in answer:
            raise EngineFailed(f"{quote(self.command)} refused: {quote(str(answer['error']))}")
        is_final = (
            str(answer.get("id", "")).isdecimal() and not answer.get("isDuringSearch") and "warning" not in answer
        )
        return answer if is_final else None

    def _read(self, position: GoPosition, answer: dict[str, Any], *, human: bool) -> Analysis:
        if human and "humanPolicy" not in answer:
            raise EngineFailed(f"{quote(self.command)} has no human network: start it with -human-model FILE (1.15 on)")
        policy = np.asarray(answer.get("humanPolicy" if human else "policy", ()), dtype=np.float64)
        if policy.shape != (position.size**2 + 1,) or not np.isfinite(policy).all():
            raise EngineFailed(f"{quote(self.command)} gave no policy for a board of {position.size}×{position.size}")
        infos = sorted(answer.get("moveInfos", ()), key=lambda info: int(info.get("order", 0)))
        turned = _is_turned(self._of_root, position.to_move)
        told = human and "humanWinrate" in answer["rootInfo"]
        win = _number(answer, "humanWinrate" if told else "winrate")
        return Analysis(
            np.maximum(policy, 0.0),
            1.0 - win if turned else win,
            tuple(self._read_line(position, info) for info in infos if int(info.get("visits", 0)) > 0),
        )

    def _read_line(self, position: GoPosition, info: Mapping[str, Any]) -> Line:
        win = float(info["winrate"])
        win = 1.0 - win if _is_turned(self._of_moves, position.to_move) else win
        moves: list[int] = []
        here = position
        for text in info.get("pv") or [info["move"]]:
            try:
                moves.append(position.game.parse(here, text))
                here = here.play(moves[-1])
            except BadMove as wrong:  # superko further on may differ; the first move may not
                if not moves:
                    raise EngineFailed(f"{quote(self.command)} chose {quote(str(text))}: {wrong}") from None
                break
        return Line(tuple(moves), np.array([win, 0.0, 1.0 - win], dtype=np.float32), visits=int(info["visits"]))


def _is_turned(perspective: Perspective, to_move: int) -> bool:
    """Whether what is told is of the side that is not to move."""
    return perspective == "opponent" or perspective == ("white", "black")[to_move]


def _number(answer: Mapping[str, Any], name: str) -> float:
    root = answer.get("rootInfo")
    value = root.get(name) if isinstance(root, dict) else None
    if not isinstance(value, int | float):
        raise EngineFailed(f"KataGo's answer has no {name} of the root: {quote(json.dumps(answer))}")
    return float(value)


def _describe(position: GoPosition) -> dict[str, Any]:
    """A request for the position: the start of the record and all moves since."""
    record = list(walk_back(position))[::-1]
    start = record[0]
    stones = [[_COLOURS[int(colour) - 1], vertex(start.size, at)] for at, colour in enumerate(start.board) if colour]
    moves = [
        [_COLOURS[here.to_move], vertex(here.size, after.last_move)]
        for here, after in pairwise(record)
        if after.last_move is not None
    ]
    return {
        "initialStones": stones,
        "initialPlayer": _COLOURS[start.to_move],
        "moves": moves,
        "rules": _describe_rules(position),
        "komi": position.komi,
        "boardXSize": position.size,
        "boardYSize": position.size,
        "includePolicy": True,
    }


def _imitate(profile: str | None) -> dict[str, Any]:
    """Whom the human network is to imitate. People look at the last moves, so those count."""
    if profile is None:
        return {}
    return {"overrideSettings": {"humanSLProfile": profile, "ignorePreRootHistory": False}}


def _describe_rules(position: GoPosition) -> dict[str, Any]:
    """Our rule set in KataGo's words; White gets no points for handicap stones, which our rules leave to the komi."""
    rules = position.rules
    superko = "SITUATIONAL" if rules.flags & SITUATIONAL else "POSITIONAL"
    return {
        "ko": superko if rules.superko else "SIMPLE",
        "scoring": rules.scoring.upper(),
        "tax": "SEKI" if rules.scoring == "territory" else "NONE",
        "suicide": bool(rules.flags & SUICIDE),
        "hasButton": False,
        "whiteHandicapBonus": "0",
    }
