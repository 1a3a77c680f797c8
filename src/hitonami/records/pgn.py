"""Chess games as PGN, over python-chess: main lines, clocks, ratings, results.

Comments (clock times aside), variations, annotations and words that are none of PGN's are passed over.
Standard chess, Chess960 and games from a position are read; other variants are rejected by name. Every
move is checked; play may go on past an end by force, as people sometimes did.
"""

import io
import re
from collections.abc import Iterator, Mapping
from typing import BinaryIO, ClassVar, Final

import chess
import chess.pgn

from hitonami.core import Player, Setup
from hitonami.errors import BadInput, BadRecord, quote
from hitonami.games._chess_rules import id_of
from hitonami.games.chess import Chess, ChessPosition
from hitonami.records import Document, Record, Rejected, cut_at_lines

_CHESS: Final = Chess()
_VARIANTS: Final = {"": "", "standard": "", "chess": "", "normal": "", "from position": ""} | dict.fromkeys(
    ("chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "freestyle"), "chess960"
)
_SCORES: Final = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
_TERMINATIONS: Final = {
    "time forfeit": "time",
    "abandoned": "abandoned",
    "rules infraction": "rules infraction",
    "unterminated": "interrupted",
    "adjudication": "adjudication",
    "death": "death",
    "emergency": "emergency",
}
_NORMAL: Final = frozenset(
    (
        "checkmate",
        "stalemate",
        "insufficient material",
        "fivefold repetition",
        "threefold repetition",
        "75-move rule",
        "fifty-move rule",
        "resignation",
        "agreement",
    )
)
_UNKNOWN: Final = ("", "?", "-")
_TAG = re.compile(rb'^(?:\xef\xbb\xbf)?[ \t]*\[[A-Za-z0-9_]+[ \t]+"[^\n]*\n?', re.MULTILINE)
_DATE = re.compile(r"([0-9]{4})(?:\.([0-9]{2})(?:\.([0-9]{2}))?)?", re.ASCII)


class Pgn:
    """PGN, any number of games a file."""

    suffixes: ClassVar[tuple[str, ...]] = (".pgn",)
    game: ClassVar[str] = "chess"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        yield from cut_at_lines(source, stream, (b"[Event ",))

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        for offset, data in _split(document.data):
            where = document.offset + offset
            try:
                yield _read_game(_decode(data), where)
            except BadInput as wrong:
                reason, _, detail = str(wrong).partition(": ")
                yield Rejected(reason, detail, where)

    def write(self, record: Record) -> str:
        if record.game != "chess":
            raise BadRecord(f"PGN holds games of chess, not of {quote(record.game)}")
        game = chess.pgn.Game(_write_headers(record, _CHESS.start(record.setup)))
        node: chess.pgn.GameNode = game
        board = game.board()
        for at, move in enumerate(record.moves):
            played = chess.Move(move & 63, move >> 6 & 63, move >> 12 or None)
            if not board.is_legal(played):
                raise BadRecord(f"illegal move: ply {at + 1}, {played.uci()} in {board.fen()}")
            board.push(played)
            node = node.add_variation(played)
            if at < len(record.clocks) and (left := record.clocks[at]) is not None:
                node.set_clock(left)
            if at < len(record.think_seconds) and (spent := record.think_seconds[at]) is not None:
                node.set_emt(spent)
        exporter = chess.pgn.StringExporter(columns=80, headers=True, comments=True, variations=False)
        return game.accept(exporter) + "\n"


def _split(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Each game with its place: a game begins at a tag pair that does not follow another tag pair."""
    starts: list[int] = []
    tags_end = 0
    for tag in _TAG.finditer(data):
        if not starts or data[tags_end : tag.start()].strip():
            starts.append(tag.start())
        tags_end = tag.end()
    if not starts and data.strip():
        starts = [0]
    for start, end in zip(starts, [*starts[1:], len(data)], strict=False):
        yield start, data[start:end]


def _decode(data: bytes) -> str:
    """UTF-8, or the Latin-1 that the PGN standard names."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


class _Collector(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Collects errors in the game instead of logging them."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def _read_game(text: str, offset: int) -> Record:
    game = _parse(text)
    headers = {key: value.strip() for key, value in game.headers.items()}
    position = _CHESS.start(_read_setup(headers))
    if game.errors:
        raise BadRecord(f"illegal move: {game.errors[0]}")
    nodes = list(game.mainline())
    for node in nodes:
        position = position.follow(id_of(node.move))  # python-chess has found each move legal
    if not nodes and headers.get("Result", "*") == "*":
        raise BadRecord("empty game: no moves and no result")
    score, termination = _read_result(headers, position)
    clocks, spent = [node.clock() for node in nodes], [node.emt() for node in nodes]
    return Record(
        game="chess",
        setup=position.setup,
        moves=tuple(id_of(node.move) for node in nodes),
        players=(_read_player(headers, "White"), _read_player(headers, "Black")),
        score=score,
        termination=termination,
        time_control="" if headers.get("TimeControl", "?") in ("", "?") else headers["TimeControl"],
        date=_read_date(headers.get("UTCDate", headers.get("Date", ""))),
        event=_said(headers, "Event"),
        clocks=tuple(clocks) if any(clock is not None for clock in clocks) else (),
        think_seconds=tuple(spent) if any(each is not None for each in spent) else (),
        offset=offset,
    )


def _parse(text: str) -> chess.pgn.Game:
    try:
        game = chess.pgn.read_game(io.StringIO(text), Visitor=_Collector)
    except (ValueError, IndexError, AssertionError, RecursionError) as wrong:
        raise BadRecord(f"not a PGN: {wrong}") from None
    if game is None:
        raise BadRecord(f"not a PGN: {quote(text)}")
    return game


def _read_setup(headers: Mapping[str, str]) -> Setup:
    variant = headers.get("Variant", "").lower()
    if variant not in _VARIANTS:
        raise BadRecord(f"another variant: {quote(headers['Variant'])}")
    return Setup(start=headers.get("FEN", ""), variant=_VARIANTS[variant])


def _said(headers: Mapping[str, str], key: str) -> str:
    value = headers.get(key, "")
    return "" if value in _UNKNOWN else value


def _read_player(headers: Mapping[str, str], side: str) -> Player:
    rating = _said(headers, f"{side}Elo")
    return Player(
        rating=float(rating) if re.fullmatch(r"[0-9]{1,4}", rating, re.ASCII) and int(rating) else None,
        name=_said(headers, side) or None,
        kind="bot" if headers.get(f"{side}Title") == "BOT" else "unknown",
    )


def _read_result(headers: Mapping[str, str], position: ChessPosition) -> tuple[float | None, str]:
    """What the record says, else what the rules say. "Normal" without mate was resigned or agreed."""
    score = _SCORES.get(headers.get("Result", "*"), position.score)
    if position.ending is not None and position.score == score:
        return score, position.ending
    said = _said(headers, "Termination").lower()
    if said == "normal" and score is not None:
        return score, (_CHESS.claims(position).draw or "agreement") if score == 0.5 else "resignation"
    return score, _TERMINATIONS.get(said, said)


def _read_date(text: str) -> str:
    """ISO 8601 as far as the text says it."""
    found = _DATE.match(text)
    return "" if found is None else "-".join(part for part in found.groups() if part)


def _write_headers(record: Record, start: ChessPosition) -> chess.pgn.Headers:
    year, month, day = (*record.date.split("-"), "", "", "")[:3]
    result = next((text for text, score in _SCORES.items() if score == record.score), "*")
    headers = chess.pgn.Headers(
        {
            "Event": " ".join(record.event.split()) or "?",
            "Site": "?",
            "Date": f"{year or '????'}.{month or '??'}.{day or '??'}",
            "Round": "?",
            "White": " ".join((record.players[0].name or "?").split()),
            "Black": " ".join((record.players[1].name or "?").split()),
            "Result": result,
        }
    )
    for side, player in zip(("White", "Black"), record.players, strict=True):
        if player.rating is not None:
            headers[f"{side}Elo"] = f"{player.rating:.0f}"
        if player.kind == "bot":
            headers[f"{side}Title"] = "BOT"
    if record.time_control:
        headers["TimeControl"] = record.time_control
    if record.termination:
        headers["Termination"] = _write_termination(record.termination)
    if record.setup.variant == "chess960":
        headers["Variant"] = "Chess960"
    if record.setup.start or record.setup.variant == "chess960":
        headers["SetUp"], headers["FEN"] = "1", record.setup.start or _CHESS.write(start)
    return headers


def _write_termination(termination: str) -> str:
    """PGN's own word where it has one: "time forfeit" for time, "normal" for all that the board decides."""
    known = {meaning: word for word, meaning in _TERMINATIONS.items()}
    return known.get(termination, "normal" if termination in _NORMAL else termination)
