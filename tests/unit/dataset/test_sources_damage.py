"""Broken, hostile and wrong input: one line that names the file and the reason; the good part is kept."""

import io
import random
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from hitonami.dataset import _archives, _limits, _sevenzip
from hitonami.dataset.sources import Progress, find_sources
from hitonami.errors import BadData

Squeeze = Callable[[str, bytes], bytes]
Pack = Callable[..., bytes]
COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")
ARCHIVES = (".zip", ".7z", ".tar", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst")


@cache
def game(number: int) -> bytes:
    """A game that does not compress to nothing."""
    rng = random.Random(number)
    return f"(;GM[1]SZ[9]C[{rng.getrandbits(4000):x}];B[aa];W[bb])\n".encode()


def read(path: Path, progress: Progress, name: str = "go") -> bytes:
    """All bytes that come out, whatever goes wrong. Messages are one line each."""
    out = []
    with suppress(BadData):
        for _, document in find_sources([str(path)], name).documents(progress):
            out.append(document.data)
    assert all(str(broken).isprintable() for broken in progress.broken)
    return b"".join(out)


def complaint(path: Path, name: str = "go") -> str:
    """The message for input of which nothing can be used."""
    with pytest.raises(BadData) as caught:
        list(find_sources([str(path)], name).documents())
    assert str(caught.value).isprintable()
    return str(caught.value)


@pytest.mark.parametrize("suffix", COMPRESSIONS)
@pytest.mark.parametrize("kept", [0.2, 0.7, 0.999])
def test_a_truncated_file_gives_what_stands_before_the_break(
    tmp_path: Path, squeeze: Squeeze, suffix: str, kept: float
) -> None:
    text = b"".join(game(number) for number in range(2_500))
    whole = squeeze(suffix, text)
    path = tmp_path / f"a.sgfs{suffix}"
    path.write_bytes(whole[: int(len(whole) * kept)])
    progress = Progress()
    out = read(path, progress)
    assert text.startswith(out)
    assert len(out) > len(text) * (kept - (0.45 if suffix == ".bz2" else 0.1))  # bzip2 comes in blocks of 900 kB
    assert progress.reasons == {"truncated": 1}
    assert progress.broken[0].source == path.name


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_a_damaged_file_gives_what_stands_before_the_damage(tmp_path: Path, squeeze: Squeeze, suffix: str) -> None:
    text = b"".join(game(number) for number in range(2_500))
    damaged = bytearray(squeeze(suffix, text))
    middle = len(damaged) * 3 // 4
    damaged[middle : middle + 64] = bytes(64)
    path = tmp_path / f"a.sgfs{suffix}"
    path.write_bytes(damaged)
    progress = Progress()
    out = read(path, progress)
    assert len(out) > len(text) * 0.3
    assert progress.reasons["corrupt"] + progress.reasons["truncated"] == 1
    assert b"".join(game(number) for number in range(500)) == out[: sum(len(game(number)) for number in range(500))]


@pytest.mark.parametrize("kind", [".tar", ".tar.gz", ".tar.xz", ".tar.zst"])
@pytest.mark.parametrize("kept", [0.3, 0.8])
def test_a_truncated_tar_gives_its_members_up_to_the_break(tmp_path: Path, pack: Pack, kind: str, kept: float) -> None:
    members = {f"{number}.sgf": game(number) for number in range(400)}
    whole = pack(kind, members)
    path = tmp_path / f"a{kind}"
    path.write_bytes(whole[: int(len(whole) * kept)])
    progress = Progress()
    out = read(path, progress)
    assert b"".join(members.values()).startswith(out)
    assert progress.documents > 400 * (kept - 0.2)
    assert progress.reasons == {"truncated": 1}


@pytest.mark.parametrize("kind", [".zip", ".7z"])
@pytest.mark.parametrize("kept", [0.01, 0.5, 0.99])
def test_an_archive_without_its_list_is_refused(tmp_path: Path, pack: Pack, kind: str, kept: float) -> None:
    whole = pack(kind, {f"{number}.sgf": game(number) for number in range(40)})
    path = tmp_path / f"a{kind}"
    path.write_bytes(whole[: int(len(whole) * kept)])
    assert complaint(path) == f"a{kind}: truncated: the list at the end of the {kind} is missing"


def test_a_damaged_zip_member_does_not_cost_its_neighbours(tmp_path: Path, pack: Pack) -> None:
    whole = bytearray(pack(".zip", {f"{number}.sgf": game(number) for number in range(3)}))
    second = whole.find(b"1.sgf") + 40
    whole[second : second + 9] = b"\xff" * 9
    path = tmp_path / "a.zip"
    path.write_bytes(whole)
    progress = Progress()
    out = read(path, progress)
    assert out.startswith(game(0))
    assert out.endswith(game(2))
    assert [(broken.source, broken.reason) for broken in progress.broken] == [("a.zip!1.sgf", "corrupt")]


def test_a_damaged_tar_header_is_not_taken_for_the_end(tmp_path: Path, pack: Pack) -> None:
    whole = bytearray(pack(".tar", {f"{number}.sgf": game(number) for number in range(3)}))
    whole[whole.find(b"1.sgf") + 2] ^= 1
    path = tmp_path / "a.tar"
    path.write_bytes(whole)
    progress = Progress()
    assert read(path, progress) == game(0)
    assert str(progress.broken[0]) == "a.tar: corrupt: damaged .tar header"


@pytest.mark.parametrize("kind", ARCHIVES)
def test_what_is_no_archive(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"a{kind}"
    path.write_bytes(b"this is not what its name says" * 40)
    assert complaint(path).startswith(f"a{kind}: corrupt: ")
    path.write_bytes(b"")
    assert complaint(path) == f"a{kind}: empty: no bytes at all"


@pytest.mark.parametrize("kind", ARCHIVES)
def test_archives_without_records(tmp_path: Path, pack: Pack, kind: str) -> None:
    path = tmp_path / f"a{kind}"
    path.write_bytes(pack(kind, {"x.sgf": game(1), "y.sgf": game(2), "z.txt": b"z"}))
    assert complaint(path, "chess") == f"no chess records in {path}; found 2 .sgf, 1 .txt"
    path.write_bytes(pack(kind, {}))
    assert complaint(path) == f"a{kind}: empty: an archive without members"


def test_arguments_that_hold_nothing(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert complaint(empty) == f"no go records in {empty}; it is empty"
    for number in range(12):
        (empty / f"{number}.sgf").write_bytes(game(number))
    (empty / "LICENSE").touch()
    assert complaint(empty, "chess") == f"no chess records in {empty}; found 12 .sgf, 1 no suffix"
    assert complaint(empty / "0.sgf", "chess") == f"no chess records in {empty / '0.sgf'}; found 1 .sgf"
    assert complaint(tmp_path / "missing.sgf") == f"{tmp_path / 'missing.sgf'}: no such file or folder"
    assert complaint(empty, "tictactoe").startswith(
        "there is no record format for the game 'tictactoe'; known: breakthrough, chess,"
    )
    (empty / "e.sgf").touch()
    assert complaint(empty / "e.sgf") == "e.sgf: empty: no bytes at all"


def test_a_bad_argument_is_told_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes(game(1))
    with pytest.raises(BadData, match="no such file"):
        find_sources([str(tmp_path / "a.sgf"), str(tmp_path / "b.sgf")], "go")


def test_passwords(tmp_path: Path, pack: Pack) -> None:
    path = tmp_path / "a.7z"
    path.write_bytes(pack(".7z", {"x.sgf": game(1)}, password="secret"))
    assert complaint(path) == "a.7z: password-protected"
    locked = bytearray(pack(".zip", {"x.sgf": game(1), "y.sgf": game(2)}))
    locked[6] |= 1  # the flag of the first member, in its own header and in the list
    locked[locked.find(b"PK\x01\x02") + 8] |= 1
    path = tmp_path / "a.zip"
    path.write_bytes(locked)
    progress = Progress()
    assert read(path, progress) == game(2)
    assert [str(broken) for broken in progress.broken] == ["a.zip!x.sgf: password-protected"]


@pytest.mark.parametrize("outer", [".zip", ".tar.gz", ".7z"])
def test_an_archive_inside_an_archive_is_refused_alone(tmp_path: Path, pack: Pack, outer: str) -> None:
    inner = pack(".zip", {"x.sgf": game(1)})
    path = tmp_path / f"a{outer}"
    path.write_bytes(pack(outer, {"in.zip": inner, "y.sgf": game(2)}))
    progress = Progress()
    assert read(path, progress) == game(2)
    assert [str(broken) for broken in progress.broken] == [
        f"a{outer}!in.zip: an archive inside an archive: unpack it first"
    ]
    path.write_bytes(pack(outer, {"in.tar.gz": inner}))
    assert complaint(path).startswith(f"a{outer}!in.tar.gz: an archive inside an archive")


@pytest.mark.parametrize("kind", [".sgf.gz", ".sgf.bz2", ".sgf.xz", ".sgf.zst", ".zip", ".7z", ".tar.xz"])
def test_bombs(tmp_path: Path, pack: Pack, squeeze: Squeeze, kind: str) -> None:
    size = 32 << 20
    path = tmp_path / f"a{kind}"
    if kind in ARCHIVES:
        path.write_bytes(pack(kind, {"x.sgf": bytes(size)}))
    else:
        path.write_bytes(squeeze(kind.removeprefix(".sgf"), bytes(size)))
    assert path.stat().st_size < size / _limits.MAX_RATIO
    progress, size_out = Progress(), 0
    tracemalloc.start()
    with suppress(BadData):
        for _, document in find_sources([str(path)], "go").documents(progress):
            size_out += len(document.data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size_out <= max(_limits.BOMB_FLOOR_BYTES, _limits.MAX_RATIO * path.stat().st_size)
    assert peak < 4 * _limits.BOMB_FLOOR_BYTES
    assert "expands too much" in progress.reasons


def test_a_bomb_in_two_layers_neither_of_which_is_one(tmp_path: Path, pack: Pack, squeeze: Squeeze) -> None:
    """Each layer expands less than the limit allows, both together far more."""
    core = random.Random(1).randbytes(1_500)
    inner = squeeze(".gz", core * 40_000)
    ratio = 40_000 * len(core) / len(inner)
    assert ratio < _limits.MAX_RATIO
    path = tmp_path / "a.tar.xz"
    path.write_bytes(pack(".tar.xz", {f"{number}.sgf.gz": inner for number in range(8)}))
    assert 40_000 * len(core) * 8 / path.stat().st_size > _limits.MAX_RATIO * 2
    progress = Progress()
    read(path, progress)
    assert "expands too much" in progress.reasons


def test_a_zip_whose_members_are_the_same_bytes(tmp_path: Path) -> None:
    """Overlapping members: many names for one compressed piece, each harmless alone."""
    text = bytes(1 << 20)
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = squeezer.compress(text) + squeezer.flush()
    fields = (20, 0, 8, 0, 33, zlib.crc32(text), len(piece), len(text), 5, 0)
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", *fields) + b"a.sgf" + piece
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, *fields, 0, 0, 0, 0, 0) + b"a.sgf"
    count = 400
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, count * len(entry), len(local), 0)
    path = tmp_path / "a.zip"
    path.write_bytes(local + entry * count + end)
    assert len(zipfile.ZipFile(path).infolist()) == count
    progress = Progress()
    out = read(path, progress)
    assert len(out) <= _limits.BOMB_FLOOR_BYTES
    assert progress.reasons["expands too much"] + progress.reasons["corrupt"] > 0


@pytest.mark.parametrize("kind", [".zip", ".7z"])
def test_too_many_members(tmp_path: Path, pack: Pack, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(_archives, "MAX_LISTED_MEMBERS", 50)
    monkeypatch.setattr(_sevenzip, "MAX_LISTED_MEMBERS", 50)
    path = tmp_path / f"a{kind}"
    path.write_bytes(pack(kind, {f"{number}.sgf": game(number) for number in range(60)}))
    assert complaint(path) == f"a{kind}: too large: more than 50 members: unpack it first"
    path.write_bytes(pack(kind, {f"{number}.sgf": game(number) for number in range(50)}))
    assert read(path, Progress()) == b"".join(game(number) for number in range(50))


def test_a_record_that_no_game_fills(tmp_path: Path) -> None:
    path = tmp_path / "a.kif"
    path.write_bytes(b"x" * (9 << 20))
    assert complaint(path, "shogi").startswith("a.kif: too large: larger than any single game")


def mutate(data: bytes, rng: random.Random) -> bytes:
    """Damage as transfers and malice make it: flips, cuts, repeats, large numbers."""
    bad = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        place = rng.randrange(len(bad)) if rng.random() < 0.5 else rng.randrange(max(0, len(bad) - 200), len(bad))
        match rng.randrange(5):
            case 0:
                bad[place] ^= 1 << rng.randrange(8)
            case 1:
                bad[place : place + 4] = rng.choice((b"\xff\xff\xff\x7f", bytes(4), b"\xff" * 8))
            case 2:
                del bad[place : place + rng.randrange(1, 40)]
            case 3:
                bad[place:place] = bad[max(0, place - 50) : place]
            case _:
                bad = bad[: max(1, place)]
        if not bad:
            return b"\0"
    return bytes(bad)


def fuzz(tmp_path: Path, pack: Pack, squeeze: Squeeze, kind: str, count: int) -> None:
    members = {f"{number}.sgf": game(number)[:400] for number in range(4)}
    inside = {"in.sgf.gz": squeeze(".gz", game(5)), "c.txt": b"c"}
    whole = pack(kind, members | inside) if kind in ARCHIVES else squeeze(kind.removeprefix(".sgf"), game(6) * 3)
    rng = random.Random(kind)
    path = tmp_path / f"a{kind}"
    for _ in range(count):
        path.write_bytes(mutate(whole, rng))
        progress = Progress()
        assert len(read(path, progress)) <= _limits.BOMB_FLOOR_BYTES  # a damaged bzip2 may well expand a little


KINDS = (*ARCHIVES, *(f".sgf{suffix}" for suffix in COMPRESSIONS))


@pytest.mark.parametrize("kind", KINDS)
def test_mutated_files_never_crash(tmp_path: Path, pack: Pack, squeeze: Squeeze, kind: str) -> None:
    fuzz(tmp_path, pack, squeeze, kind, 100)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_many_mutated_files_never_crash(tmp_path: Path, pack: Pack, squeeze: Squeeze, kind: str) -> None:
    fuzz(tmp_path, pack, squeeze, kind, 5_000)


def test_a_reader_that_stops_early_leaves_nothing_open(tmp_path: Path, pack: Pack) -> None:
    """Warnings are errors: a file left open would show."""
    for kind in ARCHIVES:
        path = tmp_path / f"a{kind}"
        path.write_bytes(pack(kind, {f"{number}.sgf": game(number) for number in range(9)}))
        documents = find_sources([str(path)], "go").documents()
        assert isinstance(next(documents)[1].data, bytes)
        documents.close()  # type: ignore[attr-defined]


def test_reading_errors_of_the_file_system_are_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() > 3_000:
                raise OSError(5, "Input/output error")
            return super().read(min(size or 0, 2_000))

    path = tmp_path / "a.sgfs"
    path.write_bytes(game(1) * 20)
    monkeypatch.setattr("hitonami.dataset._reader.open_place", lambda location: Failing(path.read_bytes()))
    progress = Progress()
    assert read(path, progress) == (game(1) * 20)[:4_000]
    assert [str(broken) for broken in progress.broken] == ["a.sgfs: not readable: Input/output error"]
