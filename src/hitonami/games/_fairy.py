"""Games by the rules of Fairy-Stockfish, through pyffish: everything but which variant, and how it is drawn.

The library is an extra, `pip install "hitonami[variants]"`, and imported when a game is played. It takes milliseconds a
question: enough to play, too slow for search. Positions are FEN. Repetitions and move rules that a variant has end the
game at once. Move ids are `target + 2⁷·origin + 2¹⁴·letter + 2¹⁹·wall`, squares counted along the ranks from a1.
"""

import re
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from typing import Any, Final, Self

import numpy as np

from hitonami.core import Cell, Claims, Diagram, Moves, Setup, Square, index_of, last_touched
from hitonami.errors import BadMove, BadPosition, UnknownPart, quote
from hitonami.fairy import FairyRules
from hitonami.games._boards import NO_MOVES, refuse_move, refuse_setup

_MOVE: Final = re.compile(
    r"(?:([A-Z])@|([a-l])([0-9]{1,2}))([a-l])([0-9]{1,2})([a-z+-]?)(?:,[a-l][0-9]+([a-l])([0-9]{1,2}))?"
)
_TOKEN: Final = re.compile(r"[0-9]+|\+?[A-Za-z]~?|\*")
FILES: Final = 12
_PASS: Final = (1 << 14) - 1
_NONE: Final = 127
_SUFFIXES: Final = " +-abcdefghijklmnopqrstuvwxyz"
_CHESS: Final = dict(zip("KQRBNP", "♚♛♜♝♞♟", strict=True))


@cache
def load_library() -> Any:
    try:
        import pyffish
    except ImportError:
        raise UnknownPart('games by Fairy-Stockfish need its library: pip install "hitonami[variants]"') from None
    return pyffish


def encode(text: str) -> int:
    """The id of a move as Fairy-Stockfish writes it, legal or not. Raises BadMove."""
    if text == "0000":
        return _PASS
    found = _MOVE.fullmatch(text)
    if found is None:
        raise BadMove(f"not a move: {quote(text)}; moves are written as in e2e4, e7e8q, P@e4")
    drop, file, rank, to_file, to_rank, suffix, wall_file, wall_rank = found.groups()
    origin = _NONE if drop else _square(file, rank)
    letter = _SUFFIXES.index((drop or suffix or " ").lower())
    wall = 0 if wall_file is None else _square(wall_file, wall_rank) + 1
    return _square(to_file, to_rank) | origin << 7 | letter << 14 | wall << 19


def decode(move: int) -> str:
    """The inverse of `encode`."""
    if move == _PASS:
        return "0000"
    target, origin, letter, wall = move & 127, move >> 7 & 127, _SUFFIXES[move >> 14 & 31], move >> 19
    start = f"{letter.upper()}@" if origin == _NONE else _name(origin)
    suffix = "" if origin == _NONE else letter.strip()
    return f"{start}{_name(target)}{suffix}" + (f",{_name(target)}{_name(wall - 1)}" if wall else "")


def _square(file: str, rank: str) -> int:
    if not 1 <= int(rank) <= 10:
        raise BadMove(f"not a rank of any board: {rank}")
    return (int(rank) - 1) * FILES + ord(file) - 97


def _name(square: int) -> str:
    return f"{chr(97 + square % FILES)}{square // FILES + 1}"


@lru_cache(maxsize=64)
def _read_fen(variant: str, name: str, text: str) -> str:
    """A start as the library writes it: two questions, which take as long as a whole game. Raises BadPosition."""
    library = load_library()
    usual = library.start_fen(variant)
    fen = usual if text in ("", "startpos") else text
    if (
        not (text.isascii() and text.isprintable())
        or len(text) > 300
        or fen.count("/") != usual.count("/")  # the library would write on our standard error
        or library.validate_fen(fen, variant) != library.FEN_OK
    ):
        raise BadPosition(f"not a FEN of {name}: {quote(text)}; as in {usual}")
    return str(library.get_fen(variant, fen, []))


class FairyPosition:
    """A situation, as the FEN of the start and the moves since: the library wants both to see repetitions."""

    __hash__ = None  # type: ignore[assignment]  # use `key`

    def __init__(
        self,
        game: "FairyGame",
        root: str,
        setup: Setup,
        before: Self | None = None,
        last_move: int | None = None,
    ) -> None:
        self.game: Final = game
        self.root: Final = root
        self.setup: Final = setup
        self.before: Final[Self | None] = before
        self.last_move: Final = last_move
        self.ply: Final[int] = 0 if before is None else before.ply + 1
        self.to_move: Final[int] = int(root.split()[1] != "w") if before is None else 1 - before.to_move

    @cached_property
    def moves(self) -> list[str]:
        here: FairyPosition | None = self
        found = []
        while here is not None and here.last_move is not None:
            found.append(decode(here.last_move))
            here = here.before
        return found[::-1]

    @cached_property
    def fen(self) -> str:
        return str(load_library().get_fen(self.game.variant, self.root, self.moves)) if self.before else self.root

    @cached_property
    def key(self) -> tuple[str, ...]:
        return tuple(self.fen.split()[:-2])

    @cached_property
    def _verdict(self) -> tuple[Moves, str | None, float | None]:
        """Legal moves, why the game is over, the score of player 0."""
        library, asked = load_library(), (self.game.variant, self.root, self.moves)
        over, value = library.is_immediate_game_end(*asked)
        if over:
            return NO_MOVES, "end by the rules", self._score(value)
        if self.ply >= 4 or self.before is None:
            over, value = library.is_optional_game_end(*asked)
            if over:
                return NO_MOVES, "repetition or move rule", self._score(value)
        listed = library.legal_moves(*asked)
        if not listed:
            return self._verdict_without_moves()
        return np.array(sorted(encode(text) for text in listed), np.int32), None, None

    def _verdict_without_moves(self) -> tuple[Moves, str, float]:
        library, asked = load_library(), (self.game.variant, self.root, self.moves)
        ending = "checkmate" if library.gives_check(*asked) else "stalemate"
        return NO_MOVES, ending, self._score(library.game_result(*asked))

    def _score(self, value: int) -> float:
        """A value of the side to move as the score of player 0."""
        own = (1 + (value > 0) - (value < 0)) / 2
        return own if self.to_move == 0 else 1 - own

    @property
    def legal(self) -> Moves:
        return self._verdict[0]

    @property
    def ending(self) -> str | None:
        return self._verdict[1]

    @property
    def score(self) -> float | None:
        return self._verdict[2]

    def play(self, move: int) -> Self:
        move = int(move)
        if not (self.legal == move).any():
            refuse_move(self, move)
        return self.follow(move)

    def follow(self, move: int) -> Self:
        return type(self)(self.game, self.root, self.setup, self, int(move))

    def rows(self) -> list[list[str]]:
        """Signs from the top rank down: "" empty, capitals the first player's, + before a promoted one, * a wall."""
        board = self.fen.split()[0].partition("[")[0]
        rows = []
        for rank in board.split("/"):
            row: list[str] = []
            for token in _TOKEN.findall(rank):
                row += [""] * int(token) if token.isdigit() else [token.removesuffix("~")]
            rows.append(row)
        return rows


class FairyGame:
    """What games by Fairy-Stockfish share."""

    name: str
    variant: str
    sides: tuple[str, str] = ("White", "Black")
    examples: Sequence[Setup]
    situation: type[FairyPosition] = FairyPosition

    def start(self, setup: Setup = Setup()) -> FairyPosition:  # noqa: B008  (frozen)
        refuse_setup(setup, self.name)
        position = self.situation(self, _read_fen(self.variant, self.name, " ".join(setup.start.split())), setup)
        assert position.legal is not None  # what the library cannot play is found now
        return position

    def read(self, text: str) -> FairyPosition:
        plain = text.strip()
        return self.start() if plain in ("", "startpos") else self.start(Setup(start=plain))

    def write(self, position: FairyPosition) -> str:
        return position.fen

    def format(self, position: FairyPosition, move: int) -> str:
        index_of(position, move)
        return decode(move)

    def parse(self, position: FairyPosition, text: str) -> int:
        """As Fairy-Stockfish writes it: e2e4, e7e8q, P@e4, a1b2+."""
        move = encode(text.strip())
        if not (position.legal == move).any():
            raise BadMove(f"not a legal move: {quote(text)}", position.fen)
        return move

    def describe(self, position: FairyPosition, move: int) -> str:
        return self.format(position, move)

    def claims(self, position: FairyPosition) -> Claims:
        return Claims()

    def glyphs(self, signs: set[str]) -> dict[str, str]:
        """What is drawn for each sign: the pieces of chess where there are no others, else letters."""
        return _CHESS if {sign.upper() for sign in signs} <= set(_CHESS) else {}

    def fairy_rules(self, position: FairyPosition) -> FairyRules:
        return FairyRules(self.variant)

    def fairy_fen(self, position: FairyPosition) -> str:
        return position.fen

    def fairy_move(self, position: FairyPosition, move: int) -> str:
        return decode(move)

    def read_fairy_move(self, position: FairyPosition, text: str) -> int:
        return self.parse(position, text)

    def diagram(self, position: FairyPosition) -> Diagram:
        rows = position.rows()
        glyphs = self.glyphs({sign for row in rows for sign in row if sign})
        return Diagram(
            rows=tuple(tuple(_cell(sign, glyphs) for sign in row) for row in rows),
            columns=tuple(chr(97 + at) for at in range(len(rows[0]))),
            ranks=tuple(str(len(rows) - at) for at in range(len(rows))),
            style="checkered" if glyphs else "grid",
            marked=frozenset(last_touched(position)),
            hands=_hands(position.fen),
        )

    def touches(self, position: FairyPosition, move: int) -> tuple[Square, ...]:
        if move == _PASS:
            return ()
        high = len(position.rows())
        squares = [each for each in (move >> 7 & 127, move & 127) if each != _NONE]
        return tuple((high - 1 - each // FILES, each % FILES) for each in squares)


def _cell(sign: str, glyphs: dict[str, str]) -> Cell:
    if not sign:
        return Cell()
    if sign == "*":
        return Cell("▒")
    return Cell(glyphs.get(sign.upper(), sign.upper()), 0 if sign[-1].isupper() else 1)


def _hands(fen: str) -> tuple[str, str]:
    held = fen.split(maxsplit=1)[0].partition("[")[2].rstrip("]").replace("-", "")
    return "".join(each for each in held if each.isupper()), "".join(each for each in held if each.islower()).upper()
