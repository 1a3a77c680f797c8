"""Go games as SGF: read main lines, write a record.

Reading replays every move, so that a Record is legal by its own rules; a file that names no rules is
replayed under "record" (see games/_go_rules.py), where superko is off. Passes after the second are
dropped; play that goes on after two passes is rejected, since a game here ends with them.

Ranks become ratings on the European scale: 1 dan is 2100, 100 points a rank, 1 kyu 2000; professional
dans start at 2700 with 30 points each. Plain numbers from 100 on are ratings as they are. Pools are not
guessed, nor is who is human.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO, ClassVar, Final

import numpy as np

from hitonami.core import Player
from hitonami.errors import BadInput, BadRecord, quote
from hitonami.games._go_board import REASONS, replay
from hitonami.games._go_rules import lay_stones
from hitonami.games._go_sgf import read_game, read_number, resolve, root_node, write_move
from hitonami.games._sgf import Node, decode, escape, find_charset, flatten, read_main_line, split_games, write_node
from hitonami.games.go import vertex
from hitonami.records import DOCUMENT_BYTES, Document, Record, Rejected

_RANK: Final = re.compile(
    r"\[?\s*([0-9]{1,2})\s*-?\s*(d|dan|段|k|kyu|級|级|p|pro|段プロ)\s*[?*+]?\s*\]?", re.IGNORECASE
)
_RATING: Final = re.compile(r"([0-9]{3,4}(?:\.[0-9]+)?)\s*\??")
_RESULT: Final = re.compile(r"([BW])\+\s*(.*)", re.IGNORECASE | re.DOTALL)
_DATE: Final = re.compile(r"([0-9]{4})(?:[-/.]([0-9]{1,2})(?:[-/.]([0-9]{1,2}))?)?")
_MARGIN: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,2})?) points?")
_ENDINGS: Final = {"r": "resignation", "t": "time", "f": "forfeit"}
_BYOYOMI: Final = re.compile(r"([0-9]{1,3})x([0-9]{1,4}) byo-?yomi", re.IGNORECASE)
_BRACKETS: Final = re.compile(rb"[()]|\[[^\\\]]*+(?:\\.[^\\\]]*+)*+(?:\]|\\?\Z)", re.DOTALL)
_LARGEST_GAME: Final = 64 * DOCUMENT_BYTES
_LETTERS: Final = {"resignation": "R", "time": "T", "forfeit": "F"}


class Sgf:
    """Games of Go as SGF: `.sgf` with one or more games, `.sgfs` with one a line."""

    suffixes: ClassVar = (".sgf", ".sgfs")
    game: ClassVar = "go"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        """Cut between games. Variations may start lines too, so only what closes a game counts."""
        held, offset = b"", 0
        while chunk := stream.read(DOCUMENT_BYTES):
            held += chunk
            cut = _end_of_last_game(held) if len(held) >= DOCUMENT_BYTES else 0
            if cut:
                yield Document(source, offset, held[:cut])
                held, offset = held[cut:], offset + cut
            elif len(held) > _LARGEST_GAME:
                raise BadRecord(f"{source}: no game ends within {_LARGEST_GAME >> 20} MiB")
        if held.strip():
            yield Document(source, offset, held)

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        charset = find_charset(document.data)
        text = document.data.decode(charset, "replace")
        measure = codecs.getincrementalencoder(charset)("replace")  # characters back into bytes, for the offsets
        seen, offset, game = 0, document.offset, ""
        for at, game in split_games(text):
            offset += len(measure.encode(text[seen:at]))
            seen = at
            yield replace(read_text(game), offset=offset)
        if not game and text.strip():
            yield Rejected("no SGF game", quote(text), document.offset)

    def write(self, record: Record) -> str:
        """One game. Raises BadRecord for another game's."""
        if record.game != "go":
            raise BadRecord(f"SGF here holds games of Go, not of {quote(record.game)}")
        start = resolve(record.setup)
        nodes = [root_node(start) | _write_facts(record)]
        for at, move in enumerate(record.moves):
            colour = "BW"[(start.to_move + at) % 2]
            node = {colour: [write_move(start.size, move)]}
            if record.clocks and (left := record.clocks[at]) is not None:
                node[f"{colour}L"] = [f"{left:.10g}"]
            nodes.append(node)
        return "(" + "\n".join(map(write_node, nodes)) + ")\n"


def _end_of_last_game(data: bytes) -> int:
    """Just after the last game that is known to be whole, 0 where there is none."""
    depth, end = 0, 0
    for found in _BRACKETS.finditer(data):
        if found[0] == b"(":
            depth += 1
        elif found[0] == b")":
            depth -= 1
            end = found.end() if depth == 0 else end
    return end


def read_text(data: str | bytes) -> Record | Rejected:
    """The first game of the text. Bytes are decoded by their CA."""
    try:
        return _read_record(read_main_line(decode(data) if isinstance(data, bytes) else data))
    except BadInput as wrong:
        reason, _, detail = str(wrong).partition(": ")
        return Rejected(reason, detail)


def _read_record(nodes: list[Node]) -> Record:
    setup, moves = read_game(nodes, default_rules="record")
    start = resolve(setup)
    _check_passes(moves, start.points)
    played, answer = replay(
        lay_stones(start), start.size, start.to_move + 1, start.rules.flags, np.array(moves, np.int32)
    )
    if answer < 0:
        at = f"move {played + 1} at {vertex(start.size, moves[played])}"
        raise BadRecord(f"illegal move, {REASONS[answer]}: {at}")
    root = nodes[0]
    score, termination = _read_result(_said(root, "RE"))
    return Record(
        game="go",
        setup=setup,
        moves=tuple(moves),
        players=(_read_player(root, "PB", "BR"), _read_player(root, "PW", "WR")),
        score=score,
        termination=termination,
        time_control=_read_time(_said(root, "TM"), _said(root, "OT")),
        date=_read_date(_said(root, "DT")),
        event=_said(root, "EV"),
        clocks=_read_clocks(nodes, len(moves)),
    )


def _said(node: Node, name: str) -> str:
    values = node.get(name)
    return flatten(values[0]) if values else ""


def _check_passes(moves: list[int], points: int) -> None:
    """Drop passes after the second, in place; refuse play after it."""
    ends = next((at + 1 for at in range(1, len(moves)) if moves[at] == points == moves[at - 1]), len(moves))
    if any(move != points for move in moves[ends:]):
        raise BadRecord(f"play after two passes: from move {ends + 1} on")
    del moves[ends:]


def _read_player(root: Node, name: str, rank: str) -> Player:
    return Player(rating=read_rank(_said(root, rank)), name=_said(root, name) or None)


def read_rank(text: str) -> float | None:
    """A rank or rating as a number on the module's scale, None where the text is neither."""
    if found := _RANK.fullmatch(text.strip()):
        number, letter = int(found[1]), found[2].lower()
        if letter in ("p", "pro", "段プロ"):
            return 2700.0 + 30 * (number - 1)
        return 2100.0 - 100 * number if letter in ("k", "kyu", "級", "级") else 2000.0 + 100 * number
    found = _RATING.fullmatch(text.strip())
    return float(found[1]) if found else None


def _read_result(text: str) -> tuple[float | None, str]:
    if text.lower() in ("0", "draw", "jigo"):
        return 0.5, "jigo"
    if text.lower() == "void":
        return None, "void"
    found = _RESULT.fullmatch(text)
    if found is None:
        return None, ""
    how = found[2].strip().lower()
    points = re.match(r"[0-9]{1,3}(?:\.[0-9]{1,2})?", how)
    ending = f"{float(points[0]):g} points" if points else _ENDINGS.get(how[:1], "")
    return float(found[1].upper() == "B"), ending


def _read_date(text: str) -> str:
    """The first day that DT names, as far as it is known."""
    found = _DATE.match(text)
    return "" if found is None else "-".join(part.zfill(2) for part in found.groups() if part)


def _read_time(main: str, overtime: str) -> str:
    """TM and OT as records write them: five periods of 30 s are +30/5, other overtime stays as the file says it."""
    if not overtime:
        return main if main.strip("0.") else "-" if main else ""
    byoyomi = _BYOYOMI.fullmatch(overtime)
    return f"{main or 0}+{byoyomi[2]}/{byoyomi[1]}" if byoyomi else f"{main or 0}+{overtime}"


def _write_time(time_control: str) -> tuple[str, str]:
    main, _, overtime = time_control.partition("+")
    seconds, _, periods = overtime.partition("/")
    if seconds.isdecimal() and periods.isdecimal():
        overtime = f"{periods}x{seconds} byo-yomi"
    return "0" if main == "-" else main, overtime


def _read_clocks(nodes: list[Node], moves: int) -> tuple[float | None, ...]:
    """Seconds left after each move, empty where no move has any. Moves that became given stones have none."""
    if not any("BL" in node or "WL" in node for node in nodes):
        return ()
    clocks: list[float | None] = []
    for node in nodes:
        name = "BL" if "B" in node else "WL" if "W" in node else None
        if name is None:
            continue
        try:
            clocks.append(read_number(node[name][0]) if name in node else None)
        except BadRecord:
            clocks.append(None)
    clocks = clocks[len(clocks) - moves :] if len(clocks) > moves else clocks
    return tuple(clocks) if any(clock is not None for clock in clocks) else ()


def _write_facts(record: Record) -> Node:
    main, overtime = _write_time(record.time_control)
    black, white = record.players
    facts = {
        "PB": black.name or "",
        "BR": "" if black.rating is None else write_rank(black.rating),
        "PW": white.name or "",
        "WR": "" if white.rating is None else write_rank(white.rating),
        "DT": record.date,
        "EV": record.event,
        "TM": main,
        "OT": overtime,
        "RE": _write_result(record),
    }
    return {name: [escape(text)] for name, text in facts.items() if text}


def write_rank(rating: float) -> str:
    """The inverse of `read_rank` for amateur ranks; any other rating is written as a number."""
    rank, rest = divmod(rating - 2000, 100)
    if rest or not -30 <= rank <= 9:
        return f"{rating:.10g}"
    return f"{rank:.0f}d" if rank >= 1 else f"{1 - rank:.0f}k"


def _write_result(record: Record) -> str:
    if record.score is None:
        return "Void" if record.termination == "void" else ""
    if record.score == 0.5:
        return "0"
    margin = _MARGIN.fullmatch(record.termination)
    how = margin[1] if margin else _LETTERS.get(record.termination, "")
    return f"{'B' if record.score > 0.5 else 'W'}+{how}"
