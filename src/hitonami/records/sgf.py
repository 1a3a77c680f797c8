"""Go games as SGF: read main lines, write a record.

Reading replays every move, so that a Record is legal by its own rules; a file that names no rules is
replayed under "record" (see games/go_rules/rulesets.py), where superko is off. Passes after the second are
dropped; play that goes on after two passes is rejected, since a game here ends with them.

Turns that break the rules are rejected, never mended: two moves in a row, a wrong first mover. A record
without a result that does not end in two passes is marked "prefix". What the root says of players,
results and times is read by `_go_facts`.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO, ClassVar, Final

from hitonami.core import Setup
from hitonami.errors import BadInput, BadRecord, quote
from hitonami.games.go_rules.sgf import (
    arrange_game,
    board_size,
    read_game,
    read_number,
    resolve,
    root_node,
    write_move,
)
from hitonami.games.go_rules.sgf_tree import Node, escape, read_main_line, split_games, write_node
from hitonami.ranks import write_rank
from hitonami.records import DOCUMENT_BYTES, Document, Record, Rejected
from hitonami.records._encoding import find_charset
from hitonami.records._go_facts import (
    read_date,
    read_players,
    read_result,
    read_time,
    said,
    write_result,
    write_time,
)
from hitonami.records._go_replay import replay_moves
from hitonami.records._go_run import read_run, split_root

_CHARSET: Final = re.compile(rb"CA\s*\[\s*([^\]\s]{1,40})\s*\]")
_BRACKETS: Final = re.compile(rb"[()]|\[[^\\\]]*+(?:\\.[^\\\]]*+)*+(?:\]|\\?\Z)", re.DOTALL)
_LARGEST_GAME: Final = 64 * DOCUMENT_BYTES
NO_GAME: Final = "no SGF game"
WRONG_FIRST_MOVER: Final = "wrong first mover"


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
        charset = _charset_of(document.data)
        text = document.data.decode(charset, "replace")
        measure = codecs.getincrementalencoder(charset)("replace")  # characters back into bytes, for the offsets
        seen, offset, game = 0, document.offset, ""
        for at, game in split_games(text):
            offset += len(measure.encode(text[seen:at]))
            seen = at
            yield _place(read_text(game), offset)
        if not game and text.strip():
            yield Rejected(NO_GAME, quote(text), document.offset)

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


def _charset_of(data: bytes) -> str:
    named = _CHARSET.search(data, 0, 4000)
    return find_charset(data, named[1].decode("ascii", "replace") if named else "")


def _place(found: Record | Rejected, offset: int) -> Record | Rejected:
    """The game with its place in the file. White first on an empty board, or Black after given stones, is no game."""
    if isinstance(found, Record) and found.moves and (found.setup.start or found.setup.handicap):
        start = resolve(found.setup)
        given = start.handicap >= 2 and not start.white
        if start.to_move == (0 if given else 1) and (given or not (start.black or start.white)):
            return Rejected(WRONG_FIRST_MOVER, "White" if start.to_move else "Black", offset)
    return replace(found, offset=offset)


def read_text(data: str | bytes) -> Record | Rejected:
    """The first game of the text. Bytes are decoded by their CA."""
    try:
        text = data.decode(_charset_of(data), "replace") if isinstance(data, bytes) else data
        return _read_plain(text) or _read_record(read_main_line(text))
    except BadInput as wrong:
        return Rejected.because(wrong)


def _read_plain(text: str) -> Record | None:
    """The usual file, quickly; None for the others."""
    split = split_root(text)
    if split is None:
        return None
    nodes = read_main_line(split[0])
    run = read_run(split[1], board_size(nodes[0]))
    if run is None:
        return None
    return _make_record(nodes, *arrange_game(nodes, *run, default_rules="record"))


def _read_record(nodes: list[Node]) -> Record:
    return _make_record(nodes, *read_game(nodes, default_rules="record"))


def _make_record(nodes: list[Node], setup: Setup, moves: list[int]) -> Record:
    start = replay_moves(setup, moves)
    root = nodes[0]
    result = said(root, "RE")
    score, termination = read_result(result)
    players, marks = read_players(root)
    if not result and moves[-2:] != [start.points] * 2:
        marks |= {"prefix"}  # nothing says that the game did not go on
    return Record(
        game="go",
        setup=setup,
        moves=tuple(moves),
        players=players,
        score=score,
        termination=termination,
        time_control=read_time(root),
        date=read_date(said(root, "DT")),
        event=said(root, "EV"),
        clocks=_read_clocks(nodes, len(moves)),
        marks=marks,
    )


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
    main, overtime = write_time(record.time_control)
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
        "RE": write_result(record.score, record.termination),
    }
    return {name: [escape(text)] for name, text in facts.items() if text}
