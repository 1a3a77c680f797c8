"""A protocol for every game that has none of its own: commands and answers in the manner of GTP.

Moves are as the game's rules write them for programs (`Game.format`). It is always the turn of the side that the
rules say, so commands name no side. `docs/protocols.md` has the list. What cannot be done is answered `? reason` and
changes nothing; a finished game takes no move and gives none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any

from hitonami.errors import BadInput, alternatives, quote
from hitonami.protocols._commanded import Commanded, Obeying
from hitonami.protocols._gtp_clock import read_time_settings
from hitonami.protocols._gtp_words import Refused
from hitonami.protocols._session import one_line

if TYPE_CHECKING:
    from hitonami.core import Position, Query

_NUMBERS: dict[str, Callable[[str], Any]] = {"size": int, "handicap": int, "komi": float}


class Plain(Commanded):
    """A session of any game."""

    def __init__(self, emit: Callable[[str], None], *, game: str, **options: Any) -> None:
        self.game = game
        super().__init__(emit, **options)

    @cached_property
    def _commands(self) -> dict[str, Obeying]:
        return {
            "protocol_version": lambda _: "1",
            **self._common,
            "game": lambda _: self.game,
            "sides": lambda _: " ".join(self._rules.sides),
            "new": self._begin,
            "position": self._set_up,
            "legal": lambda _: " ".join(self._spelled(self._position)),
            "turn": lambda _: self._rules.sides[self._running.to_move],
            "play": self._play,
            "undo": self._undo,
            "genmove": self._generate,
            "reg_genmove": lambda _: self._choose(),
            "show": lambda _: "\n".join(["", *self._show()]),
            "write": lambda _: self._rules.write(self._position),
            "record": lambda _: self._record(),
            "result": lambda _: self._result(),
            "time_settings": lambda words: self._keep_time(read_time_settings(words)),
            "time_left": lambda words: self._keep_time(self._clock.told(words)),
            **self._own,
        }

    @cached_property
    def _trail(self) -> list[Position]:
        """The positions of the game, the present one last. Changes replace its content as a whole."""
        self._worker.loading = True
        try:
            return [self._rules.start()]
        finally:
            self._worker.loading = False

    @property
    def _position(self) -> Position:
        return self._trail[-1]

    @property
    def _running(self) -> Position:
        if not len(self._position.legal):
            raise Refused("the game is over")
        return self._position

    def _begin(self, words: Sequence[str]) -> None:
        """`new`, or `new size=9 komi=6.5`: the fields of a setup."""
        from hitonami.core import Setup

        known = [each.name for each in fields(Setup)]
        told = {}
        for word in words:
            name, _, text = word.partition("=")
            if name not in known:
                raise BadInput(f"a game begins with no {quote(name)}; {alternatives(name, known)}")
            try:
                told[name] = _NUMBERS.get(name, str)(text)
            except ValueError:
                raise BadInput(f"{name} is a number, got {quote(text)}") from None
        self._trail[:] = [self._rules.start(Setup(**told)) if told else self._rules.start()]

    def _set_up(self, words: Sequence[str]) -> None:
        if not words:
            raise Refused("syntax error")
        self._trail[:] = [self._rules.read(" ".join(words))]

    def _play(self, words: Sequence[str]) -> None:
        """One move or several: all of them, or none."""
        if not words:
            raise Refused("syntax error")
        trail, here = [], self._running
        for word in words:
            here = here.play(self._rules.parse(here, word))
            trail.append(here)
        self._trail.extend(trail)

    def _undo(self, _: list[str]) -> None:
        if len(self._trail) < 2:
            raise Refused("cannot undo")
        self._trail.pop()

    def _generate(self, _: list[str]) -> str:
        answer = self._choose()
        if answer != "resign":
            self._play([answer])
        return answer

    def _choose(self) -> str:
        from hitonami.agent import Patience

        begin = monotonic()
        query = self._ask_about_turn()
        effort = self._effort(self._closing, self._clock.budget_seconds(query.position.to_move))
        patience = Patience() if self._options.flag("Resign") else None
        decision = self._decide(self._load(), query, effort, patience)
        if self._options.text("Pace") == "human":
            self._closing.wait(max(decision.think_seconds - (monotonic() - begin), 0.0))
        return self._spell(query, decision.action, decision.opinion, effort)

    def _ask_about_turn(self) -> Query:
        return self._query(self._running, self._clock.view(self._running.to_move))

    def _spelled(self, position: Position) -> list[str]:
        return [self._rules.format(position, move) for move in position.legal.tolist()]

    def _result(self) -> str:
        """The first side's score and how it came about, or that the game goes on."""
        position = self._position
        return "*" if position.score is None else one_line(f"{position.score:g} {position.ending}")

    def _record(self) -> str:
        """The game so far as a plain record; its empty line is left out, since one would end the answer."""
        from hitonami.core import lineage
        from hitonami.records import Record
        from hitonami.records.plain import Plain as PlainRecord

        start, moves = lineage(self._position)
        record = Record(self.game, start.setup, tuple(moves), score=self._position.score)
        return PlainRecord().write(record)

    def _show(self) -> list[str]:
        """The board in plain characters: the first letter of a piece, capitals for the first side."""
        diagram = self._rules.diagram(self._position)
        width = max(map(len, diagram.ranks), default=1)
        rows = [
            f"{rank:>{width}} " + " ".join(_letter(cell.glyph, cell.side) for cell in row)
            for rank, row in zip(diagram.ranks, diagram.rows, strict=True)
        ]
        hands = [f"{side}: {hand}" for side, hand in zip(self._rules.sides, diagram.hands, strict=True) if hand]
        lines = [*rows, f"{'':{width}} {' '.join(diagram.columns)}", *hands]
        return [line if line.isascii() else one_line(line) for line in lines]


def _letter(glyph: str, side: int | None) -> str:
    """Programs that read ASCII alone see whose piece it is, and which where letters name pieces."""
    if side is None:
        return "."
    letter = glyph[:1] if glyph[:1].isascii() and glyph[:1].isalpha() else "x"
    return letter.upper() if side == 0 else letter.lower()
