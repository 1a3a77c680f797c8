"""A coverage-guided fuzzer of all record readers: `python tests/fuzz/fuzz_records.py CORPUS [-max_total_time=SECONDS]`.

The first byte of an input chooses the format, the rest is the file. A reader that raises, a broken game that cannot be
saved without raising, and a record whose moves are not those of its game are findings: atheris then writes the input to
a file `crash-…` and ends with an error. An empty folder as CORPUS is filled from the golden files. Kernels that are
compiled are not looked into; what Python does around them is.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from inspect import getmembers, isclass, unwrap
from pathlib import Path
from types import FunctionType, ModuleType

import atheris

from hitonami.core import open_game
from hitonami.parts import find_parts
from hitonami.records import Document, Record, Rejected, open_format, salvage

NAMES = ("csa", "hcpe", "ki2", "kif", "ogs", "pgn", "plain", "sgf", "usi-lines", "wthor")
_SHARED = ("csa_board", "encoding", "go_facts", "japanese_moves", "json_lines", "kif_headers", "pgn_tags", "salvage")
_READERS = [
    *(f"hitonami.records.{name.replace('-', '_')}" for name in NAMES),
    *(f"hitonami.records._{name}" for name in (*_SHARED, "shogi_replay", "shogi_text")),
    "hitonami.games.go_rules.sgf_tree",
    "hitonami.ranks",
    "hitonami.games.go_rules.sgf",
]
_GOLDEN = Path(__file__).parents[1] / "golden" / "records"
_SEED_BYTES = 1500


def read(data: bytes) -> None:
    """Read what the bytes ask for, as a file and as a broken game."""
    if not data:
        return
    name, text = NAMES[data[0] % len(NAMES)], data[1:]
    for found in open_format(name).read(Document("fuzzed", 0, text)):
        assert isinstance(found, Record | Rejected)
        if isinstance(found, Record):
            _replay(found)
    saved = salvage(name, text)
    if saved is not None:
        assert saved.moves
        _replay(saved)


def _replay(record: Record) -> None:
    """Every move is one of the game's, but for games that have no rules here."""
    if record.game not in find_parts("games") or len(record.moves) > 60:
        return
    here = open_game(record.game).start(record.setup)
    for move in record.moves:
        here = here.follow(move)


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    """Those that are written there, in classes too; kernels are none, for they are compiled."""
    holders = [module, *(part for _, part in getmembers(module, isclass) if part.__module__ == module.__name__)]
    for holder in holders:
        for part in vars(holder).values():
            plain = unwrap(getattr(part, "__func__", part)) if callable(part) else None
            if isinstance(plain, FunctionType) and plain.__module__ == module.__name__:
                yield plain


def fill(corpus: Path) -> None:
    """The beginnings of the golden files, each under the byte of its format."""
    corpus.mkdir(parents=True, exist_ok=True)
    if any(corpus.iterdir()):
        return
    for at, name in enumerate(NAMES):
        for path in sorted(_GOLDEN.iterdir()):
            if path.suffix in open_format(name).suffixes:
                (corpus / f"{name}-{path.name}").write_bytes(bytes([at]) + path.read_bytes()[:_SEED_BYTES])


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: fuzz_records.py CORPUS [-runs=N] [-max_total_time=SECONDS] …")
    fill(Path(sys.argv[1]))
    for reader in _READERS:
        for function in _functions(import_module(reader)):
            atheris.instrument_func(function)
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()
