"""Write chess games as PGN, so that reading them gives the same record.

Two tags are our own: WhitePool and BlackPool name the pool of a rating where the site does not ("-" for
none). Names and events lose line breaks and repeated blanks, nothing else.
"""

from typing import Final

import chess

from hitonami.core import Player
from hitonami.errors import BadRecord, quote
from hitonami.games.chess import Chess
from hitonami.records import Record

_CHESS: Final = Chess()
_RESULTS: Final = {1.0: "1-0", 0.0: "0-1", 0.5: "1/2-1/2"}
_WORDS: Final = {"time": "time forfeit", "interrupted": "unterminated"}
_COLUMNS: Final = 80


def write_game(record: Record) -> str:
    """The record as PGN. Raises BadRecord for another game's."""
    if record.game != "chess":
        raise BadRecord(f"PGN holds games of chess, not of {quote(record.game)}")
    tags = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in _tags(record).items())
    lines = [""]
    for word in _words(record):
        if len(lines[-1]) + len(word) >= _COLUMNS:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return f"{tags}\n" + "\n".join(lines) + "\n\n"


def _escape(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')


def _tags(record: Record) -> dict[str, str]:
    year, month, day = (*record.date.split("-"), "", "", "")[:3]
    white, black = record.players
    tags = {
        "Event": record.event or "?",
        "Site": "?",
        "Date": f"{year or '????'}.{month or '??'}.{day or '??'}",
        "Round": "?",
        "White": white.name or "?",
        "Black": black.name or "?",
        "Result": "*" if record.score is None else _RESULTS.get(record.score, "*"),
    }
    rated = any(player.rating is not None for player in record.players)
    for side, player in enumerate(record.players):
        tags |= _player_tags("Black" if side else "White", player, rated, f"provisional-{side}" in record.marks)
    if record.setup.variant == "chess960":
        tags["Variant"] = "Chess960"
    if record.setup.start or record.setup.variant == "chess960":
        tags["SetUp"], tags["FEN"] = "1", record.setup.start or chess.STARTING_FEN
    if record.time_control:
        tags["TimeControl"] = record.time_control
    if record.termination:
        tags["Termination"] = _WORDS.get(record.termination, record.termination)
    return tags


def _player_tags(name: str, player: Player, rated: bool, provisional: bool) -> dict[str, str]:
    tags = {}
    if player.rating is not None:
        tags[f"{name}Elo"] = f"{player.rating:.10g}" + "?" * provisional
    if rated or player.pool:
        tags[f"{name}Pool"] = player.pool or "-"
    if player.kind != ("human" if player.pool else "unknown"):
        tags[f"{name}Type"] = "program" if player.kind == "bot" else player.kind
    return tags


def _words(record: Record) -> list[str]:
    position = _CHESS.start(record.setup)
    board = position.board
    words: list[str] = []
    for at, move in enumerate(record.moves):
        said = chess.Move(move & 63, move >> 6 & 63, move >> 12 or None)
        if not board.is_legal(said):
            raise BadRecord(f"illegal move: ply {at + 1}, {said.uci()} in {board.fen()}")
        if board.turn:
            words.append(f"{board.fullmove_number}.")
        elif at == 0:
            words.append(f"{board.fullmove_number}...")
        words.append(board.san(said))
        board.push(said)
        remarks = [
            f"[%{name} {_write_seconds(seconds)}]"
            for name, column in (("clk", record.clocks), ("emt", record.think_seconds))
            if at < len(column) and (seconds := column[at]) is not None
        ]
        if remarks:
            words.append(f"{{ {' '.join(remarks)} }}")
    words.append("*" if record.score is None else _RESULTS.get(record.score, "*"))
    return words


def _write_seconds(seconds: float) -> str:
    thousandths = round(seconds * 1000)
    whole, part = divmod(thousandths, 1000)
    text = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{text}.{part:03}".rstrip("0") if part else text
