"""A client of Fairy-Stockfish: the one engine of many games, each told by the name of a variant and its description.

The engine leaves out what it does not understand of a description, so its moves are compared with the game's own when a
variant is first told: an engine that plays by other rules is refused, not played with.
"""

import tempfile
from typing import Any, Final

from hitonami.core import Position
from hitonami.engines.process import Program
from hitonami.engines.uci import Dialect, Search, UciEngine, Wording
from hitonami.errors import BadInput, alternatives, quote
from hitonami.fairy import FairyKnown, FairyRules

_VARIANT: Final = "UCI_Variant"


class FairyWording(Wording):
    """Positions and moves as Fairy-Stockfish writes them."""

    def describe_start(self, start: Position, dialect: Dialect) -> str:
        return f"{dialect.position_word} {_known(start).fairy_fen(start)}"

    def format(self, position: Position, move: int) -> str:
        return _known(position).fairy_move(position, move)

    def parse(self, position: Position, text: str) -> int:
        return _known(position).read_fairy_move(position, text)


def _known(position: Position) -> FairyKnown:
    game: Any = position.game
    if not isinstance(game, FairyKnown):
        raise BadInput(f"Fairy-Stockfish is not known to play {game.name}")
    return game


class FairyEngine(UciEngine):
    """Fairy-Stockfish. Raises BadInput for a game that this build of it does not play by the same rules."""

    wording = FairyWording()

    def _greet(self, program: Program) -> None:
        self._variant: FairyRules | None = None
        super()._greet(program)

    def _tell_options(self, program: Program, wanted: Search) -> None:
        super()._tell_options(program, wanted)
        rules = _known(wanted.position).fairy_rules(wanted.position)
        if rules != self._variant:
            self._variant = None
            self._tell_rules(program, rules, wanted.position)
            self._variant = rules

    def _tell_rules(self, program: Program, rules: FairyRules, position: Position) -> None:
        known = self.require(_VARIANT).choices
        if not rules.description and rules.variant not in known:
            raise BadInput(f"{self.name} has no variant {quote(rules.variant)}; {alternatives(rules.variant, known)}")
        if rules.description:
            self.require("VariantPath")
            with tempfile.NamedTemporaryFile("w", suffix=".ini", encoding="utf-8") as file:
                file.write(rules.description)
                file.flush()
                program.send(f"setoption name VariantPath value {file.name}")
                self._synchronise(program)
        program.send(f"setoption name {_VARIANT} value {rules.variant}")
        self._compare(program, position)

    def _compare(self, program: Program, position: Position) -> None:
        """Raise BadInput where the engine's moves here are not the game's."""
        program.send(f"position {self.wording.describe_start(position, self.dialect)}")
        program.send("go perft 1")
        came = program.expect(lambda line: line.startswith("Nodes searched"), "a count of moves", self.timeout_seconds)
        theirs = {line.rpartition(":")[0] for line in came if line.endswith(": 1")}
        ours = {self.wording.format(position, int(move)) for move in position.legal}
        if theirs != ours:
            differing = sorted(theirs ^ ours)
            shown = ", ".join(differing[:5])
            raise BadInput(
                f"{self.name} plays {position.game.name} by other rules: {len(differing)} moves differ here ({shown})"
            )
