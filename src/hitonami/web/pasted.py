"""Text that a visitor pasted: a position or a whole game, in whatever the game's people use.

Chess: FEN or PGN. Shogi: SFEN, `position …` of USI, KIF, KI2 or CSA. Go: SGF. Any game: a position as its rules write
it with moves after it, or a plain record. Empty text is the start.
"""

import re
from pathlib import PurePath
from typing import Any, Final

from hitonami.core import Game, Position, Setup, lineage, open_game
from hitonami.customs import customs_of, games_offered
from hitonami.errors import BadInput, BadMove, BadPosition
from hitonami.predict import read_position
from hitonami.records import Document, Record, open_format
from hitonami.web.refusals import Refusal

_NUMBERS = re.compile(r"(?<!\S)[0-9]+\.+")
_RESULTS = frozenset({"*", "1-0", "0-1", "1/2-1/2", "startpos", "moves", "position"})
_LONGEST_LINE = 4_000
_MOST_NODES = 2_000
"""Every position holds the trail of all before it, for superko: the memory grows with the square of the moves."""
_LOOKS: Final = {
    "plain": re.compile(r"\A[\ufeff\s]*game:[ \t]*(\S+)"),
    "sgf": re.compile(r"\A[\ufeff\s]*\(;"),
    "csa": re.compile(r"^(?:V[0-9]|P[I1-9+-]|[+-][0-9]{4}[A-Z]{2})", re.MULTILINE),
    "ki2": re.compile(r"[▲△☗☖][１-９同]"),
    "kif": re.compile(r"^(?:手合割|手数-|先手|後手|開始日時|棋戦)", re.MULTILINE),
    "usi-lines": re.compile(r"^\s*(?:position\s+)?(?:sfen\s|startpos\b|[+a-zA-Z1-9/]{17,}\s+[wb]\s)"),
    "pgn": re.compile(
        r"^\s*\[[A-Z][A-Za-z]+ \"|(?:^|\s)1\.\s?(?:[a-hNBRQK]|O-O)|\A\s*[pnbrqkPNBRQK1-8/]{15,}\s+[wb]\b", re.M
    ),
}
"""Formats of records that are told by their looks, the surest first; a bare position counts as its game's format."""
_HEAD_BYTES = 4096


def read_pasted(name: str, text: str) -> Position:
    """The last position of what the text holds; the moves before it are its history. Raises BadInput."""
    game: Game[Any] = open_game(name)
    bare = text.strip()
    if not bare or bare == "startpos":
        return game.start()
    if _LOOKS["sgf"].match(bare) and bare.count(";") > _MOST_NODES:
        raise Refusal("too-long", f"a game of at most {_MOST_NODES:,} moves can be looked at here")
    position = bare.removeprefix("position").strip().removeprefix("sfen").strip()
    start, _, moves = position.partition(" moves")
    for whole, after in ((position, ""), (start, moves)):  # the word may stand in a comment
        try:
            return read_position(game, whole, after)
        except BadPosition:
            continue
    return _read_record(game, bare)


def format_of(game: str, text: str) -> str:
    """The format that a record of this game is written in, by its looks; the usual one where they do not tell."""
    fitting = (kind for kind, looks in _LOOKS.items() if open_format(kind).game in ("", game) and looks.search(text))
    return next(fitting, customs_of(game).records[0])


def game_of(name: str, content: bytes, usual: str | None) -> str:
    """The game that a record belongs to: by the ending of its name, else by its looks, else the usual one."""
    ending = PurePath(name.replace("\\", "/")).suffix.lower()
    formats = [open_format(kind) for kind in _LOOKS]
    named = next((each.game for each in formats if each.game and ending in each.suffixes), None)
    return named or _game_by_looks(content[:_HEAD_BYTES]) or usual or games_offered()[0]


def endings_of(game: str) -> tuple[str, ...]:
    """Of files that hold records of the game."""
    formats = [open_format(kind) for kind in _LOOKS]
    return tuple(ending for each in formats if each.game in ("", game) for ending in each.suffixes)


def _game_by_looks(head: bytes) -> str | None:
    texts = head.decode("utf-8", "replace"), head.decode("cp932", "replace")
    for kind, looks in _LOOKS.items():
        found = next((match for each in texts if (match := looks.search(each))), None)
        if found is not None:
            game = open_format(kind).game or found[1]
            return game if game in games_offered() else None
    return None


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
            try:  # a position, or a record: also one that begins with moves and has a remark among them
                return read_pasted(name, text)
            except BadInput:
                if at == 0:
                    raise
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


def _read_record(game: Game[Any], text: str) -> Position:
    kind = format_of(game.name, text)
    found = next(iter(open_format(kind).read(Document("pasted", 0, f"{text}\n".encode()))), None)
    if not isinstance(found, Record) or found.game != game.name:
        told = f"this is no position of {game.name}, and no game that can be read as {kind.upper()}"
        raise Refusal("unreadable-text", told, {"game": game.name})
    position: Position = game.start(found.setup)
    for move in found.moves:
        position = position.follow(move)
    return position
