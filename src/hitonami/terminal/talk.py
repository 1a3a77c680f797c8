"""The conversation of a terminal game: prompt, commands, messages.

Anything that is not a command is read as a move. Bad input is answered and costs nothing.
"""

import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table as Grid

from hitonami import disk
from hitonami.abilities import CountingGame
from hitonami.agent import Decision, Play
from hitonami.errors import BadInput, HitonamiError, quote
from hitonami.play.table import Table
from hitonami.records import write_record
from hitonami.terminal.board import Look, paint

_HELP = {
    "MOVE": "play it, as people or programs write it",
    "moves [TEXT]": "legal moves, or those that begin with TEXT",
    "hint": "what the opponent's mind would play in your place",
    "undo": "take back your last move",
    "draw": "claim a draw, or offer one",
    "win": "declare a win where the rules give one",
    "resign": "give up",
    "flip": "turn the board around",
    "save FILE": "write the game: .pgn .kif .csa .sgf",
    "help": "this list",
    "quit": "leave",
}
_LONGEST_WAIT_SECONDS = 6.0


class Talk:
    """One sitting at a table."""

    def __init__(self, table: Table, console: Console, *, human_pace: bool) -> None:
        self.table = table
        self.console = console
        self.human_pace = human_pace
        self.flipped = table.human_side == 1
        self.finished = False
        self._commands: dict[str, Callable[[str], None]] = {
            "moves": self._show_moves,
            "hint": self._show_hint,
            "undo": lambda _: self._take_back(),
            "draw": lambda _: self._ask_for_draw(),
            "win": lambda _: self.table.declare_win(),
            "resign": lambda _: self.table.resign(),
            "flip": lambda _: self._flip(),
            "save": self._save,
            "help": lambda _: self._show_help(),
            "quit": lambda _: self._leave(),
        }

    def run(self) -> None:
        """Play until the person leaves. Ctrl-D and Ctrl-C leave too."""
        self._show_board()
        self.console.print("Type a move, or [bold]help[/].", style="dim")
        while not self.finished:
            if self.table.outcome is None and not self.table.humans_turn:
                self._opponents_turn()
                continue
            try:
                line = self.console.input(self._prompt())
            except (EOFError, KeyboardInterrupt):
                self.console.print()
                break
            if line.strip():
                self.hear(line)

    def hear(self, line: str) -> None:
        """Act on one line of input."""
        word, _, rest = line.strip().partition(" ")
        command = self._commands.get(word.lower())
        over = self.table.outcome
        try:
            if command is not None:
                command(rest.strip())
            else:
                self.table.play_text(line.strip())
                self._show_board()
        except BadInput as wrong:
            self.console.print(f"[red]{escape(str(wrong))}[/]")
            if command is None and over is None:
                self.console.print("`moves` lists what is legal here, `help` the commands.", style="dim", markup=False)
        if over is None and self.table.outcome is not None:
            self._show_outcome()

    def _prompt(self) -> str:
        side = self.table.position.game.sides[self.table.position.to_move]
        return "[dim]game over[/] > " if self.table.outcome else f"[bold]{side}[/] to move > "

    def _opponents_turn(self) -> None:
        before = self.table.position
        begin = time.monotonic()
        try:
            with self.console.status("thinking …"):
                decision = self.table.answer()
                self._wait(decision, begin)
        except HitonamiError as wrong:
            self.console.print(f"[red]The opponent cannot move: {escape(str(wrong))}[/]")
            self.finished = True
            return
        if isinstance(decision.action, Play):
            text = before.game.describe(before, decision.action.move)
            self._show_board()
            self.console.print(f"The opponent plays [bold]{escape(text)}[/].")
        if self.table.outcome is not None:
            self._show_outcome()

    def _wait(self, decision: Decision, begin: float) -> None:
        if self.human_pace:
            spent = time.monotonic() - begin
            time.sleep(max(0.0, min(decision.think_seconds, _LONGEST_WAIT_SECONDS) - spent))

    def _show_board(self) -> None:
        position = self.table.position
        self.console.print(paint(position.game.diagram(position), Look.of(self.console, flipped=self.flipped)))

    def _show_outcome(self) -> None:
        outcome = self.table.outcome
        if outcome is None:
            return
        sides = self.table.position.game.sides
        if outcome.score == 0.5:
            verdict = "Draw"
        else:
            winner = 0 if outcome.score > 0.5 else 1
            verdict = f"{sides[winner]} wins" + (" — well played" if winner == self.table.human_side else "")
        position = self.table.position
        counted = position.ending is not None and isinstance(position.game, CountingGame)
        reason = outcome.reason + (" with dead stones as we see them" if counted else "")
        self.console.print(Panel.fit(f"[bold]{verdict}[/] ({escape(reason)}). `save`, `undo` or `quit`?"))

    def _show_moves(self, prefix: str) -> None:
        position = self.table.position
        texts = [position.game.describe(position, int(move)) for move in position.legal]
        shown = [text for text in texts if text.lower().startswith(prefix.lower())]
        self.console.print(escape("  ".join(shown)) or f"no legal move begins with {quote(prefix)}")

    def _show_hint(self, _: str) -> None:
        position = self.table.position
        if self.table.outcome is not None:
            raise BadInput("the game is over")
        grid = Grid.grid(padding=(0, 1))
        for move, chance in self.table.hint():
            bar = "█" * round(24 * chance)
            grid.add_row(escape(position.game.describe(position, move)), f"{chance:6.1%}", f"[cyan]{bar}[/]")
        self.console.print(grid)

    def _take_back(self) -> None:
        self.table.undo()
        self._show_board()

    def _ask_for_draw(self) -> None:
        if not self.table.ask_for_draw():
            self.console.print("The opponent declines the draw.")

    def _flip(self) -> None:
        self.flipped = not self.flipped
        self._show_board()

    def _save(self, name: str) -> None:
        if not name:
            raise BadInput("save needs a file name, such as game.pgn, game.kif or game.sgf")
        path = Path(name).expanduser()
        text = write_record(self.table.record(), path.suffix.lstrip(".").lower())
        try:
            disk.write_text(path, text)
        except OSError as wrong:
            raise BadInput(f"cannot write {path}: {wrong.strerror}") from None
        self.console.print(f"Saved {path}.", markup=False)

    def _show_help(self) -> None:
        grid = Grid.grid(padding=(0, 2))
        for name, meaning in _HELP.items():
            grid.add_row(f"[bold]{escape(name)}[/]", meaning)
        self.console.print(grid)

    def _leave(self) -> None:
        self.finished = True
