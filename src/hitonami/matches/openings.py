"""Where the games of a tournament begin: a built-in set, a file, lines sampled from a mind, or the start.

Every opening is played twice with colours swapped, so a one-sided one costs both players alike. A file holds one
opening a line: a position (FEN, SFEN, SGF), moves from the start, or a position, the word `moves`, and moves; `#`
begins a comment. Files of game records give the first plies of each game. Nothing here judges whether an opening is
even.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hitonami.core import Game, Position, Setup
from hitonami.customs import customs_of
from hitonami.errors import BadData, BadInput, quote
from hitonami.matches.entrants import Entrant, read_entrant
from hitonami.parts import find_parts
from hitonami.records import Rejected, open_format
from hitonami.specs import mind_spec

DEFAULT_PLIES = 8
MOST_OPENINGS = 100_000


@dataclass(frozen=True, slots=True)
class Opening:
    """How a game starts and the moves that are played for both sides."""

    setup: Setup
    moves: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Sampled:
    """Lines that a mind plays against itself; without an entrant, the first player of each pair."""

    plies: int
    entrant: Entrant | None = None


Openings = tuple[Opening, ...] | Sampled


def read_openings(text: str, game: Game[Position], setup: Setup, plies: int = DEFAULT_PLIES) -> Openings:
    """`book`, `none`, `sample:PLIES`, `sample:PLIES:M@R`, or a file. Raises BadInput, naming the line."""
    if text == "none":
        return (Opening(setup),)
    if text == "book":
        return tuple(_read_line(line, game, setup) for line in built_in_lines(game.name, setup)) or (Opening(setup),)
    if text.startswith("sample:"):
        return _read_sampled(text)
    path = Path(text).expanduser()
    if not path.is_file():
        raise BadData(f"there is no file {quote(text)} of openings; other values: book, none, sample:PLIES")
    found = list(_read_records(path, plies) if path.suffix[1:].lower() in find_parts("records") else ())
    return tuple(found) or tuple(_read_lines(path, game, setup))


def built_in_lines(game: str, setup: Setup) -> tuple[str, ...]:
    """The package's own lines; none for a game, a variant or a start that it has none for."""
    if setup.start or setup.variant or setup.handicap:
        return ()
    return customs_of(game).lines_for(setup.size)


def _read_sampled(text: str) -> Sampled:
    count, _, who = text.removeprefix("sample:").partition(":")
    if not count.isdecimal() or not 1 <= int(count) <= 200:
        raise BadInput(f"sampled openings are written as sample:PLIES or sample:PLIES:M@R, got {quote(text)}")
    if not who:
        return Sampled(int(count))
    entrant = read_entrant(who)
    mind_spec(entrant.mind)
    return Sampled(int(count), entrant)


def _read_lines(path: Path, game: Game[Position], setup: Setup) -> Iterator[Opening]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadData(f"{path}: {wrong}") from None
    found = 0
    for number, line in enumerate(lines, start=1):
        if not (text := line.partition("#")[0].strip()):
            continue
        try:
            yield _read_line(text, game, setup)
        except BadInput as wrong:
            raise BadData(f"{path}, line {number}: {wrong}") from None
        found += 1
    if not found:
        raise BadData(f"{path} holds no openings")


def _read_line(text: str, game: Game[Position], setup: Setup) -> Opening:
    start, word, moves = text.partition(" moves ")
    if word:
        position = game.start(setup) if start.strip() == "startpos" else game.read(start)
        return _play(position, moves)
    try:
        return _play(game.read(text), "")
    except BadInput as no_position:
        try:
            return _play(game.start(setup), text)
        except BadInput as no_moves:
            raise BadInput(f"{quote(text)} is no position ({no_position}) and no line of moves ({no_moves})") from None


def _play(position: Position, text: str) -> Opening:
    setup, moves = position.setup, []
    for word in text.split():
        moves.append(position.game.parse(position, word))
        position = position.play(moves[-1])
    if not len(position.legal):
        raise BadInput(f"the game is over after {quote(text) if text else 'nothing'}: {position.ending}")
    return Opening(setup, tuple(moves))


def _read_records(path: Path, plies: int) -> Iterator[Opening]:
    reader = open_format(path.suffix[1:].lower())
    with path.open("rb") as stream:
        for document in reader.documents(path.name, stream):
            for record in reader.read(document):
                if not isinstance(record, Rejected) and len(record.moves) > plies:
                    yield Opening(record.setup, record.moves[:plies])


def deal(openings: tuple[Opening, ...], seed: int) -> tuple[Opening, ...]:
    """In an order that the seed decides, so that few games do not all come from the head of a file."""
    order = np.random.default_rng([seed, 0]).permutation(len(openings))[:MOST_OPENINGS]
    return tuple(openings[at] for at in order.tolist())
