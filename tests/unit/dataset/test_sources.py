"""Sources: everything that can be given as DATA gives back its bytes, in one order, within little memory."""

import io
import os
import random
import socket
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.dataset._kinds import Kind, kind_of, sniff
from hitonami.dataset.sources import Progress, Sources, find_sources, fingerprint
from hitonami.errors import BadData
from hitonami.records import Record, open_format

Squeeze = Callable[[str, bytes], bytes]
Pack = Callable[..., bytes]
COMPRESSIONS = ("", ".gz", ".bz2", ".xz", ".zst")
ARCHIVES = (".zip", ".7z", ".tar", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst")
GAME = b"(;GM[1]SZ[9]C[%d];B[aa];W[bb])\n"


def chess_games(count: int, seed: int = 0, end: str = "\n") -> list[bytes]:
    """Games of a few random opening moves, each with a number of its own."""
    rng = random.Random(seed)
    openings = ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1. d4 d5 2. c4 e6", "1. c4 e5 2. Nc3 Nf6", "1. Nf3 d5 2. g3 c6")
    games = []
    for number in range(count):
        noise = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz ", k=rng.randrange(40, 400)))
        lines = [
            f'[Event "e{number}"]',
            '[Result "1-0"]',
            "",
            f"{rng.choice(openings)} {{ {noise} }} 1-0",
            *[""] * rng.choice((1, 1, 2, 3)),
        ]
        games.append("".join(line + end for line in lines).encode())
    return games


def read_all(found: Sources, progress: Progress | None = None) -> dict[str, bytes]:
    """The bytes of each source, checked to be gapless."""
    texts: dict[str, bytes] = {}
    for _, document in found.documents(progress):
        assert document.offset == len(texts.get(document.source, b""))
        texts[document.source] = texts.get(document.source, b"") + document.data
    return texts


def names(found: Sources) -> list[str]:
    return [source.name for source in found.sources]


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_a_file_gives_back_its_bytes(tmp_path: Path, squeeze: Squeeze, suffix: str) -> None:
    text = b"".join(chess_games(6_000))
    path = tmp_path / f"games.PGN{suffix}"
    path.write_bytes(squeeze(suffix, text))
    found, progress = find_sources([str(path)], "chess"), Progress()
    assert read_all(found, progress) == {path.name: text}
    assert progress.bytes_read == found.bytes_total == path.stat().st_size
    assert not progress.broken
    assert progress.documents > 2


@pytest.mark.parametrize("suffix", COMPRESSIONS[1:])
def test_compressed_pieces_one_after_another_are_one_file(tmp_path: Path, squeeze: Squeeze, suffix: str) -> None:
    pieces = [b"".join(chess_games(20, seed)) for seed in range(3)]
    padding = b"\0" * 8 if suffix in (".gz", ".xz") else b""
    (tmp_path / f"a.pgn{suffix}").write_bytes(b"".join(squeeze(suffix, piece) + padding for piece in pieces))
    progress = Progress()
    assert read_all(find_sources([str(tmp_path)], "chess"), progress) == {
        f"{tmp_path.name}/a.pgn{suffix}": b"".join(pieces)
    }
    assert not progress.broken


@pytest.mark.parametrize("inner", ["", ".gz", ".zst"])
@pytest.mark.parametrize("kind", ARCHIVES)
def test_an_archive_gives_back_its_members(tmp_path: Path, pack: Pack, squeeze: Squeeze, kind: str, inner: str) -> None:
    large = b"".join(GAME % number for number in range(40_000))
    texts = {"b/two.sgf": GAME % 2, "one.sgf": GAME % 1, "a/large.sgf": large, "z.SGF": GAME % 3}
    members = {name + inner: squeeze(inner, text) for name, text in texts.items()}
    extra = {"README": b"hello", "notes.txt": b"x", "__MACOSX/._one.sgf": b"\0\5\x16\7"}
    path = tmp_path / f"games{kind}"
    path.write_bytes(pack(kind, members | extra))
    found, progress = find_sources([str(path)], "go"), Progress()
    assert read_all(found, progress) == {f"games{kind}!{name}{inner}": text for name, text in texts.items()}
    assert progress.skipped == {"no suffix": 1, ".txt": 1, ".sgf": 1}
    assert not progress.broken
    assert progress.bytes_read == found.bytes_total


def rename_in_sevenzip(data: bytes, old: str, new: str) -> bytes:
    """py7zr writes no hostile names, so one is put in afterwards, with the check sums that make it valid."""
    assert len(old) == len(new)
    body = bytearray(data.replace(old.encode("utf-16-le"), new.encode("utf-16-le")))
    begin = 32 + int.from_bytes(body[12:20], "little")
    body[28:32] = zlib.crc32(body[begin : begin + int.from_bytes(body[20:28], "little")]).to_bytes(4, "little")
    body[8:12] = zlib.crc32(body[12:32]).to_bytes(4, "little")
    return bytes(body)


@pytest.mark.parametrize("kind", [".zip", ".7z", ".tar"])
def test_names_that_climb_out_are_labels(tmp_path: Path, pack: Pack, kind: str) -> None:
    hostile = ["../../../../up.sgf", "/etc/passwd-xx.sgf", "a\nb\x1b[2J\rcdefgh.sgf"]
    safe = [f"safe-{place}-0123456.sgf" for place in range(3)]
    data = pack(kind, {name: GAME % place for place, name in enumerate(safe if kind == ".7z" else hostile)})
    for old, new in zip(safe, hostile, strict=True):
        data = rename_in_sevenzip(data, old, new) if kind == ".7z" else data
    (tmp_path / f"x{kind}").write_bytes(data)
    read = read_all(find_sources([str(tmp_path / f"x{kind}")], "go"))
    assert list(read.values()) == [GAME % place for place in range(3)]
    assert list(read)[:2] == [f"x{kind}!{name}" for name in hostile[:2]]
    assert all(name.isprintable() for name in read)
    assert [path.name for path in tmp_path.iterdir()] == [f"x{kind}"]


def test_long_names_and_sizes_of_every_tar_dialect(tmp_path: Path) -> None:
    for dialect in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=dialect, pax_headers={"comment": "c"}) as tar:
            folder = tarfile.TarInfo("d")
            folder.type = tarfile.DIRTYPE
            tar.addfile(folder)
            for name in ("d/" + "長い" * 80 + ".sgf", "short.sgf"):
                entry = tarfile.TarInfo(name)
                entry.size = len(GAME % 7)
                tar.addfile(entry, io.BytesIO(GAME % 7))
            link = tarfile.TarInfo("link.sgf")
            link.type, link.linkname = tarfile.SYMTYPE, "short.sgf"
            tar.addfile(link)
        (tmp_path / "x.tar").write_bytes(out.getvalue())
        progress = Progress()
        read = read_all(find_sources([str(tmp_path / "x.tar")], "go"), progress)
        assert read == {"x.tar!d/" + "長い" * 80 + ".sgf": GAME % 7, "x.tar!short.sgf": GAME % 7}
        assert not progress.broken


def test_zip_methods(tmp_path: Path) -> None:
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        with zipfile.ZipFile(tmp_path / "x.zip", "w", method) as archive:
            archive.writestr("a.sgf", GAME % 1 * 100_000)
        assert read_all(find_sources([str(tmp_path / "x.zip")], "go")) == {"x.zip!a.sgf": GAME % 1 * 100_000}


def test_a_folder_in_the_order_of_names(tmp_path: Path) -> None:
    places = ["b.sgf", "a/z.sgf", "a/b/c.sgfs", "A.sgf", "a.sgf"]
    for place in places:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_bytes(GAME % len(place))
    (tmp_path / "x.pgn").touch()
    (tmp_path / "._a.sgf").touch()
    found = find_sources([str(tmp_path)], "go")
    assert names(found) == sorted(f"{tmp_path.name}/{place}" for place in places)
    assert found.skipped == {".pgn": 1, ".sgf": 1}
    twice = find_sources([str(tmp_path / "b.sgf"), str(tmp_path), str(tmp_path / "a")], "go")
    assert len(twice.sources) == len(places)
    backwards = find_sources([str(tmp_path / "b.sgf"), str(tmp_path / "a.sgf")], "go")
    assert names(backwards) == ["a.sgf", "b.sgf"]


def test_equal_names_from_two_arguments_stay_apart(tmp_path: Path) -> None:
    for year in ("2013", "2014"):
        (tmp_path / year / "data").mkdir(parents=True)
        (tmp_path / year / "data" / "a.sgf").write_bytes(GAME % int(year))
    found = find_sources([str(tmp_path / year / "data") for year in ("2014", "2013")], "go")
    assert list(read_all(found).values()) == [GAME % 2013, GAME % 2014]
    assert len(set(names(found))) == 2


def test_links_are_followed_once(tmp_path: Path) -> None:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.sgf").write_bytes(GAME % 1)
    (tmp_path / "in" / "deep" / "loop").symlink_to(tmp_path / "in")
    (tmp_path / "in" / "elsewhere").symlink_to(tmp_path / "out")
    (tmp_path / "in" / "again").symlink_to(tmp_path / "out")
    (tmp_path / "in" / "nowhere.sgf").symlink_to(tmp_path / "gone.sgf")
    found, progress = find_sources([str(tmp_path / "in")], "go"), Progress()
    assert read_all(found, progress) == {"in/again/a.sgf": GAME % 1}
    assert [str(broken) for broken in progress.broken] == ["in/nowhere.sgf: not readable: a link to nowhere"]


def test_special_files_are_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.sgf")
    (tmp_path / "a.sgf").write_bytes(GAME % 1)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s.sgf"))
        progress = Progress()
        assert len(read_all(find_sources([str(tmp_path)], "go"), progress)) == 1
        assert progress.reasons == {"not readable": 2}
        with pytest.raises(BadData, match=r"pipe\.sgf: a named pipe, not a file or folder"):
            find_sources([str(tmp_path / "pipe.sgf")], "go")
        with pytest.raises(BadData, match=r"s\.sgf: a socket, not a file or folder"):
            find_sources([str(tmp_path / "s.sgf")], "go")


@pytest.mark.parametrize(
    ("head", "suffix"),
    [
        (b'\xef\xbb\xbf\r\n[Event "x"]', ".pgn"),
        (b'% escape\n[Event "x"]', ".pgn"),
        (b"'comment\nV2.2\nN+A", ".csa"),
        ("手合割：平手\n".encode("cp932"), ".kif"),
        ("# KIF\n手数----指手".encode(), ".kif"),
        ("先手：あ\n▲７六歩".encode("cp932"), ".ki2"),
        (b" ( ;GM[1]", ".sgf"),
        (b'{"game_id": 1}', ".jsonl"),
        (b"startpos moves 7g7f", ".sfen"),
        (b"PK\x03\x04....", ".zip"),
        (b"hello", ""),
        (b"", ""),
    ],
)
def test_first_bytes_tell(head: bytes, suffix: str) -> None:
    assert sniff(head) == suffix


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a/b.PGN.ZST", Kind(".pgn", ".zst", "")),
        ("x.tgz", Kind("", ".gz", ".tar")),
        ("x.pgn.tar.bz2", Kind("", ".bz2", ".tar")),
        ("d.tar/x", Kind("", "", "")),
        (".pgn", Kind("", "", "")),
        ("c:\\games\\x.7z", Kind("", "", ".7z")),
    ],
)
def test_names_tell(name: str, kind: Kind) -> None:
    assert kind_of(name) == kind


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_a_given_file_without_a_telling_name_is_looked_into(tmp_path: Path, squeeze: Squeeze, suffix: str) -> None:
    text = b"".join(chess_games(3))
    for name in ("games.txt" + suffix, "download"):
        path = tmp_path / name
        path.write_bytes(squeeze(suffix, text))
        assert read_all(find_sources([str(path)], "chess")) == {name: text}
        with pytest.raises(BadData, match=r"not a record of go: it looks like \.pgn; formats: .*\.sgf"):
            find_sources([str(path)], "go")


def test_a_suffix_that_two_games_share_is_chosen_by_the_game(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_bytes(b"".join(chess_games(1)))
    formats = {
        game: [name for name, _ in find_sources([str(tmp_path)], game).documents()] for game in ("chess", "othello")
    }
    assert formats == {"chess": ["pgn"], "othello": ["wthor"]}


def test_urls(tmp_path: Path, need_module: Callable[[str], object]) -> None:
    fsspec = need_module("fsspec")
    memory = fsspec.filesystem("memory")  # type: ignore[attr-defined]
    with zipfile.ZipFile(out := io.BytesIO(), "w") as archive:
        archive.writestr("in.sgf", GAME % 3)
    root = f"/{tmp_path.name}"
    memory.pipe({f"{root}/go/b.sgf": GAME % 1, f"{root}/go/a/x.zip": out.getvalue(), f"{root}/go/c.txt": b"?"})
    found, progress = find_sources([f"memory:/{root}/go"], "go"), Progress()
    assert read_all(found, progress) == {"go/a/x.zip!in.sgf": GAME % 3, "go/b.sgf": GAME % 1}
    assert progress.bytes_read == found.bytes_total == len(out.getvalue()) + len(GAME % 1)
    assert names(find_sources([f"memory:/{root}/go/*.sgf"], "go")) == ["b.sgf"]  # as a shell would give it
    assert names(find_sources([f"memory:/{root}/go/b.sgf"], "go")) == ["b.sgf"]
    (tmp_path / "b.sgf").write_bytes(GAME % 1)
    assert names(find_sources([f"file://{tmp_path}/b.sgf"], "go")) == ["b.sgf"]
    for url, reason in {
        f"memory:/{root}/none": "no such file or folder",
        f"memory:/{root}/go/c.txt": "not a record of go",
        "nonsense://x": "Protocol not known",
    }.items():
        with pytest.raises(BadData, match=reason):
            find_sources([url], "go")


def test_a_fingerprint_changes_with_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(bytes(1 << 18))
    os.utime(path, (1, 1))

    def mark() -> str:
        return fingerprint(find_sources([str(path)], "chess").sources)

    first = mark()
    assert mark() == first
    marks = {first}
    for place in (0, (1 << 18) - 1):
        with path.open("r+b") as file:
            file.seek(place)
            file.write(b"x")
        os.utime(path, (1, 1))
        marks.add(mark())
    os.utime(path, (2, 2))
    marks.add(mark())
    path.write_bytes(path.read_bytes() + b"x")
    marks.add(mark())
    assert len(marks) == 5


@settings(max_examples=5)
@given(seed=st.integers(0, 1 << 30), end=st.sampled_from(["\n", "\r\n"]))
def test_documents_never_split_a_game(tmp_path_factory: pytest.TempPathFactory, seed: int, end: str) -> None:
    games = chess_games(6_000, seed, end)
    path = tmp_path_factory.mktemp("cut") / "a.pgn"
    path.write_bytes(b"".join(games))
    documents = [document for _, document in find_sources([str(path)], "chess").documents()]
    assert len(documents) > 1
    events = []
    for document in documents:
        records = list(open_format("pgn").read(document))
        assert all(isinstance(record, Record) for record in records)
        events += [record.event for record in records if isinstance(record, Record)]
    assert events == [f"e{number}" for number in range(6_000)]


def peak_bytes(path: Path, game: str) -> tuple[int, int]:
    """The most memory at once while reading, and how much was read."""
    list(open_format("pgn").documents("", io.BytesIO(chess_games(1)[0])))  # loads its kernels, which are not meant
    tracemalloc.start()
    try:
        size = sum(len(document.data) for _, document in find_sources([str(path)], game).documents())
        return tracemalloc.get_traced_memory()[1], size
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, squeeze: Squeeze, suffix: str) -> None:
    block = b"".join(chess_games(12_000))
    squeezed = squeeze(suffix, block)
    path = tmp_path / f"x.pgn{suffix}"
    peaks = []
    for count in (2, 12):
        path.write_bytes(squeezed * count)
        peak, size = peak_bytes(path, "chess")
        assert size == count * len(block)
        peaks.append(peak)
    assert peaks[1] < peaks[0] * 1.25
    assert peaks[1] < 32 << 20


@pytest.mark.slow
@pytest.mark.parametrize("kind", [".pgn.gz", ".pgn.bz2", ".pgn.xz", ".pgn.zst", ".zip", ".7z", ".tar", ".tar.zst"])
def test_200_megabytes_in_64(tmp_path: Path, pack: Pack, squeeze: Squeeze, kind: str) -> None:
    block = b"".join(chess_games(40_000))
    count = (200 << 20) // len(block)
    path = tmp_path / f"x{kind}"
    if kind.startswith(".pgn"):
        path.write_bytes(squeeze(kind.removeprefix(".pgn"), block) * count)
    else:
        path.write_bytes(pack(kind, {"x.pgn": block * count}))
    peak, size = peak_bytes(path, "chess")
    assert size == count * len(block)
    assert peak < 64 << 20  # decoders with their dictionaries included
