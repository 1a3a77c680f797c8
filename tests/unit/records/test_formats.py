"""What holds for every record format, by listing: golden files, documents, offsets, and mutated input."""

import io
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hitonami.parts import find_parts
from hitonami.records import Document, Record, Rejected, declared_formats, open_format

GOLDEN = Path(__file__).parents[2] / "golden" / "records"
FIXTURES = {
    "csa": "match.csa",
    "eothello": "eothello.jsonl",
    "hcpe": "games.hcpe",
    "iccs": "xiangqi.jsonl",
    "ki2": "games.ki2",
    "kif": "boards.kif",
    "littlegolem": "hex.jsonl",
    "ogs": "games.jsonl",
    "pgn": "games.pgn",
    "plain": "games.plain",
    "sgf": "collection.sgf",
    "usi-lines": "openings.sfen",
    "wthor": "othello.pgn",
}
JAPANESE = ("ki2", "kif")
EXPECTED = GOLDEN / "expected.txt"


def read_all(name: str, data: bytes) -> list[Record | Rejected]:
    form = open_format(name)
    return [found for document in form.documents("file", io.BytesIO(data)) for found in form.read(document)]


def test_every_format_has_a_fixture() -> None:
    assert set(FIXTURES) == set(find_parts("records"))
    for name, file in FIXTURES.items():
        assert file[file.rindex(".") :] in open_format(name).suffixes


@pytest.mark.parametrize("name", FIXTURES)
def test_golden_files_are_read_as_before(name: str) -> None:
    """`expected.txt` holds one line a record, for people to read; it changes only on purpose."""
    expected = [line for line in EXPECTED.read_text(encoding="utf-8").splitlines() if line.startswith(f"{name} ")]
    assert [f"{name} {show(found)}" for found in read_all(name, (GOLDEN / FIXTURES[name]).read_bytes())] == expected


def show(found: Record | Rejected) -> str:
    if isinstance(found, Rejected):
        return f"rejected: {found.reason}"
    sides = " – ".join(f"{each.name} {each.rating} {each.pool or '?'} {each.kind}" for each in found.players)
    setup = ",".join(f"{key}={value}" for key, value in _fields(found) if value not in ("", 0, None))
    facts = f"{found.score} {found.termination or '?'} | {found.time_control or '?'} | {found.date or '?'}"
    times = f"{len(found.clocks)} clocks, {len(found.think_seconds)} times"
    marks = " ".join(sorted(found.marks)) or "no marks"
    return f"{sides} | {setup or 'standard'} | {facts} | {times} | {marks} | {' '.join(map(str, found.moves))}"


def _fields(record: Record) -> list[tuple[str, object]]:
    return [(name, getattr(record.setup, name)) for name in record.setup.__dataclass_fields__]


@pytest.mark.parametrize("name", FIXTURES)
def test_offsets_point_at_the_games(name: str) -> None:
    data = (GOLDEN / FIXTURES[name]).read_bytes()
    found = read_all(name, data)
    moved = list(open_format(name).read(Document("file", 1000, data)))
    assert moved == [replace(each, offset=each.offset + 1000) for each in found]
    assert [each.offset for each in found] == sorted({each.offset for each in found})
    if name not in ("kif", "ki2"):  # of one game a file
        for each, after in zip(found, [*(each.offset for each in found[1:]), len(data)], strict=True):
            alone = list(open_format(name).read(Document("file", each.offset, data[each.offset : after])))
            assert alone == [each]


@pytest.mark.parametrize("name", [name for name in FIXTURES if name != "hcpe"])
def test_what_can_be_written_is_read_back(name: str) -> None:
    form = open_format(name)
    for found in read_all(name, (GOLDEN / FIXTURES[name]).read_bytes()):
        assert isinstance(found, Record)
        (again,) = read_all(name, form.write(found).encode())
        assert isinstance(again, Record)
        assert (again.setup.start, again.moves, again.score) == (found.setup.start, found.moves, found.score)


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "cp932", "euc_jp", "iso2022_jp", "utf-16"])
@pytest.mark.parametrize("name", JAPANESE)
def test_japanese_charsets(name: str, charset: str) -> None:
    data = (GOLDEN / FIXTURES[name]).read_bytes()
    assert read_all(name, data.decode().encode(charset)) == read_all(name, data)


class Mutator:
    """Damage that files really have, and some that they have not: seeded, so a failure can be met again."""

    def __init__(self, data: bytes, seed: int) -> None:
        self._data = data
        self._rng = random.Random(seed)

    def next(self) -> bytes:
        data = bytearray(self._data)
        for _ in range(self._rng.randint(1, 5)):
            self._damage(data)
        return bytes(data)

    def _damage(self, data: bytearray) -> None:
        rng, at = self._rng, self._rng.randrange(len(data) + 1)
        span = rng.choice((1, 2, 4, 16, 64))
        match rng.randrange(7):
            case 0:
                data[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del data[at : at + span]
            case 2:
                data[at:at] = data[at : at + span] * rng.randint(1, 3)
            case 3:
                data[at:at] = rng.randbytes(rng.randint(1, 8))
            case 4:
                other = rng.randrange(len(self._data))
                data[at : at + span] = self._data[other : other + span]
            case 5:
                data[at : at + 1] = bytes([data[at] ^ 1 << rng.randrange(8)]) if at < len(data) else b""
            case 6 if rng.random() < 0.3:
                del data[at:]


def mutate(name: str, count: int, seed: int) -> tuple[int, int]:
    form = open_format(name)
    mutator = Mutator((GOLDEN / FIXTURES[name]).read_bytes(), seed)
    read = rejected = 0
    for _ in range(count):
        for found in form.read(Document("mutated", 0, mutator.next())):
            assert isinstance(found, Record | Rejected)
            read += isinstance(found, Record)
            rejected += isinstance(found, Rejected)
    return read, rejected


@pytest.mark.parametrize("name", FIXTURES)
def test_mutated_input_is_read_or_rejected(name: str) -> None:
    read, rejected = mutate(name, 1000, seed=1)
    assert read > 0
    assert rejected > 0


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", FIXTURES)
def test_much_mutated_input_is_read_or_rejected(name: str) -> None:
    read, rejected = mutate(name, 50_000, seed=2)
    assert read > 0
    assert rejected > 0


def test_formats_are_told_apart_without_loading_them() -> None:
    """Reading a PGN must not cost the libraries of shogi and Go."""
    for name, said in declared_formats().items():
        assert (said.suffixes, said.game) == (tuple(open_format(name).suffixes), open_format(name).game)
    ask = (
        "import sys; from hitonami.dataset.sources import find_sources;"
        "from hitonami.records import open_format; found = find_sources([sys.argv[1]], 'chess');"
        "games = [game for name, text in found.documents() for game in open_format(name).read(text)];"
        "print(len(games), *sorted(name for name in sys.modules if name.startswith('hitonami.records.')"
        " and name.split('.')[2][0] != '_'), 'cshogi' in sys.modules, 'hitonami.games.go' in sys.modules)"
    )
    sample = GOLDEN / FIXTURES["pgn"]
    told = subprocess.run([sys.executable, "-c", ask, str(sample)], capture_output=True, text=True, check=True).stdout
    assert told.split()[1:] == ["hitonami.records.pgn", "False", "False"]
    assert int(told.split()[0]) > 0


def test_a_format_that_works_its_suffixes_out_is_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "mine.py").write_text(
        "class Mine:\n    suffixes = tuple(f'.{each}' for each in ('one', 'two'))\n    game = 'chess'\n"
    )
    monkeypatch.setenv("HITONAMI_PARTS", str(tmp_path))
    assert declared_formats()["mine"].suffixes == (".one", ".two")
