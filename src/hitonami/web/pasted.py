"""Text that a visitor pasted: a position or a whole game, in whatever the game's people use.

Chess: FEN or PGN. Shogi: SFEN, `position …` of USI, KIF, KI2 or CSA. Go: SGF. Empty text is the start.
"""

import re
from pathlib import PurePath
from typing import Any

from hitonami.core import Game, Position, Setup, lineage, open_game
from hitonami.errors import BadInput, BadMove, BadPosition
from hitonami.predict import read_position
from hitonami.records import Document, Record, open_format
from hitonami.web.refusals import Refusal

_FEN = re.compile(r"^\s*[pnbrqkPNBRQK1-8/]{15,}\s+[wb]\b")
_SFEN = re.compile(r"^\s*(?:position\s+)?(?:sfen\s|startpos\b|[+a-zA-Z1-9/]{17,}\s+[wb]\s)")
_CSA = re.compile(r"^(?:V[0-9]|P[I1-9+-]|[+-][0-9]{4}[A-Z]{2})", re.MULTILINE)
_NUMBERS = re.compile(r"(?<!\S)[0-9]+\.+")
_RESULTS = frozenset({"*", "1-0", "0-1", "1/2-1/2", "startpos", "moves", "position"})
_LONGEST_LINE = 4_000
_MOST_NODES = 2_000
"""Every position holds the trail of all before it, for superko: the memory grows with the square of the moves."""
_KI2 = re.compile(r"[▲△☗☖][１-９同]")
_SHOGI = (_KI2, re.compile(r"^(?:手合割|手数-|先手|後手|開始日時|棋戦)", re.MULTILINE))
_PGN = re.compile(r"^\s*\[[A-Z][A-Za-z]+ \"|(?:^|\s)1\.\s?(?:[a-hNBRQK]|O-O)", re.MULTILINE)
_HEAD_BYTES = 4096
ENDINGS = {
    "chess": (".pgn",),
    "shogi": (".kif", ".kifu", ".ki2", ".ki2u", ".csa", ".usi"),
    "go": (".sgf",),
}
"""Of files that hold records."""


def read_pasted(name: str, text: str) -> Position:
    """The last position of what the text holds; the moves before it are its history. Raises BadInput."""
    game: Game[Any] = open_game(name)
    bare = text.strip()
    if not bare or bare == "startpos":
        return game.start()
    if name == "go" and bare.count(";") > _MOST_NODES:
        raise Refusal("too-long", f"a game of at most {_MOST_NODES:,} moves can be looked at here")
    try:
        return _read(game, bare)
    except BadPosition:
        told = f"this is no position and no game of {name} that can be read"
        raise Refusal("unreadable-text", told, {"game": name}) from None


def _read(game: Game[Any], bare: str) -> Position:
    name = game.name
    if name == "go" or (name == "chess" and _FEN.match(bare)):
        return game.read(bare)
    if name == "shogi" and _SFEN.match(bare):
        return _read_usi(game, bare)
    return _read_record(game, format_of(name, bare), bare)


def format_of(game: str, text: str) -> str:
    """The format that a record of this game is written in, by its looks."""
    if game != "shogi":
        return "pgn" if game == "chess" else "sgf"
    return "csa" if _CSA.search(text) else "ki2" if _KI2.search(text) else "kif"


def game_of(name: str, content: bytes, usual: str | None) -> str:
    """The game that a record belongs to: by the ending of its name, else by its looks, else the usual one."""
    ending = PurePath(name.replace("\\", "/")).suffix.lower()
    named = next((game for game, endings in ENDINGS.items() if ending in endings), None)
    return named or _game_by_looks(content[:_HEAD_BYTES]) or usual or "chess"


def _game_by_looks(head: bytes) -> str | None:
    text = head.decode("utf-8", "replace")
    if text.lstrip("\ufeff \r\n\t").startswith("(;"):
        return "go"
    japanese = head.decode("cp932", "replace")
    if _CSA.search(text) or _SFEN.match(text) or any(sign.search(each) for sign in _SHOGI for each in (text, japanese)):
        return "shogi"
    return "chess" if _PGN.search(text) or _FEN.match(text) else None


def read_line(name: str, setup: Setup, text: str) -> Position:
    """A position to begin a game from: bare moves after the setup's start, or anything that `read_pasted` takes."""
    game: Game[Any] = open_game(name)
    here: Position = game.start(setup)
    words = [word for word in _NUMBERS.sub(" ", text).split() if word not in _RESULTS]
    if len(text) > _LONGEST_LINE or not words:
        return read_pasted(name, text) if words else here
    for at, word in enumerate(words):
        try:
            here = here.play(game.parse(here, word))
        except BadMove:
            if at == 0:  # no move at all, so perhaps a position or a record
                return read_pasted(name, text)
            raise
    return here


def position_at(end: Position, ply: int | None) -> Position:
    """The position of a game after `ply` moves, its end for None. Raises BadInput beyond it."""
    if ply is None or ply == end.ply:
        return end
    if ply > end.ply:
        raise BadInput(f"the game has {end.ply} moves, there is no position after {ply}")
    here, moves = lineage(end)
    for move in moves[:ply]:
        here = here.follow(move)
    return here


def _read_usi(game: Game[Any], text: str) -> Position:
    start, _, moves = text.removeprefix("position").strip().partition("moves")
    return read_position(game, start.strip().removeprefix("sfen").strip(), moves)


def _read_record(game: Game[Any], kind: str, text: str) -> Position:
    found = next(iter(open_format(kind).read(Document("pasted", 0, f"{text}\n".encode()))), None)
    if not isinstance(found, Record):
        told = f"this is no position of {game.name}, and no game that can be read as {kind.upper()}"
        raise Refusal("unreadable-text", told, {"game": game.name})
    position: Position = game.start(found.setup)
    for move in found.moves:
        position = position.follow(move)
    return position
