"""`hitonami ingest` through real processes: counts, resuming after kill -9, workers, a cluster, bad input."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Player, Setup, open_game
from hitonami.dataset.shards import read_records, shards_in
from hitonami.records import Record, write_record

HITONAMI = [sys.executable, "-m", "hitonami"]


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*HITONAMI, *map(str, arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )


def chess_game(seed: int, most: int = 60) -> Record:
    rng = np.random.default_rng(seed)
    position = open_game("chess").start()
    moves: list[int] = []
    while len(position.legal) and len(moves) < most:
        moves.append(int(rng.choice(position.legal)))
        position = position.play(moves[-1])
    players = (Player(1500.0, "lichess", f"player {seed % 7}"), Player(1600.0, "lichess", "somebody"))
    return Record("chess", Setup(), tuple(moves), players, 1.0, date="2026-01-01")


def pgn(count: int, first: int = 0) -> str:
    return "\n\n".join(write_record(chess_game(seed), "pgn").strip() for seed in range(first, first + count)) + "\n"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three files, several blocks: enough that a kill falls into the middle."""
    folder = tmp_path_factory.mktemp("games")
    text = pgn(400)
    for number in range(3):
        (folder / f"{number}.pgn").write_text(text * 12, encoding="utf-8")
    return folder


def hashes(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in shards_in(folder)}


def key_of(folder: Path) -> str:
    path = folder / "test.key"
    path.write_bytes(b"a key for tests only, 32 bytes..")
    return str(path)


@pytest.fixture(scope="module")
def undisturbed(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    done = run("ingest", "chess", games, "--out", out, "--key-file", key_of(out.parent))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "accepted 400, rejected 14000"
    return out


def test_games_come_out_as_they_went_in(undisturbed: Path) -> None:
    records = [record for path in shards_in(undisturbed) for record in read_records(path)]
    wanted = {chess_game(seed).moves for seed in range(400)}
    assert {record.moves for record in records} == wanted
    assert "player " not in repr(records)
    assert "somebody" not in repr(records)
    manifest = json.loads((undisturbed / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["rejected"] == {"duplicate": 14000}
    assert not (undisturbed / "unfinished").exists()


def test_a_second_run_does_nothing(undisturbed: Path, games: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in undisturbed.iterdir()}
    done = run("ingest", "chess", games, "--out", undisturbed, "--key-file", undisturbed.parent / "test.key")
    assert done.stdout.splitlines()[-1] == "accepted 400, rejected 14000"
    assert {path: path.stat().st_mtime_ns for path in undisturbed.iterdir()} == before


def test_other_input_for_the_same_folder_is_refused(undisturbed: Path, tmp_path: Path) -> None:
    (tmp_path / "new.pgn").write_text(pgn(3), encoding="utf-8")
    before = hashes(undisturbed)
    done = run(
        "ingest", "chess", tmp_path / "new.pgn", "--out", undisturbed, "--key-file", undisturbed.parent / "test.key"
    )
    assert done.returncode == 2
    assert "other inputs" in done.stderr
    assert hashes(undisturbed) == before


def test_two_jobs_give_the_same_shards(undisturbed: Path, games: Path, tmp_path: Path) -> None:
    done = run("ingest", "chess", games, "--out", tmp_path / "out", "--jobs", 2, "--key-file", key_of(tmp_path))
    assert done.returncode == 0, done.stderr
    assert hashes(tmp_path / "out") == hashes(undisturbed)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_run_goes_on_to_the_same_shards(undisturbed: Path, games: Path, tmp_path: Path, jobs: int) -> None:
    out = tmp_path / "out"
    command = [*HITONAMI, "ingest", "chess", str(games), "--out", str(out), "--jobs", str(jobs)]
    command += ["--key-file", key_of(tmp_path)]
    kills = 0
    for parts_wanted in (1, 3):
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        ) as child:
            while child.poll() is None and len(list((out / "unfinished").glob("*.parquet"))) < parts_wanted:
                time.sleep(0.005)
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                kills += 1
    assert kills, "the run was over before it could be killed: make the input larger"
    assert not (out / "manifest.json").exists()
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert hashes(out) == hashes(undisturbed)


def test_a_ray_cluster_gives_the_same_shards(undisturbed: Path, games: Path, tmp_path: Path, need_module) -> None:  # type: ignore[no-untyped-def]
    need_module("ray")
    done = run(
        *("ingest", "chess", games, "--out", tmp_path / "out", "--cluster", "local", "--key-file", key_of(tmp_path)),
        RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO="0",
    )
    assert done.returncode == 0, done.stderr
    assert hashes(tmp_path / "out") == hashes(undisturbed)


def test_a_bad_game_costs_only_itself(tmp_path: Path) -> None:
    text = pgn(2) + '\n[Event "x"]\n[Result "*"]\n\n1. e4 e5 2. Ke3 *\n\n' + pgn(2, first=50)
    (tmp_path / "mixed.pgn").write_text(text, encoding="utf-8")
    done = run("ingest", "chess", tmp_path / "mixed.pgn", "--out", tmp_path / "out", "--keep-names")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "accepted 4, rejected 1"
    records = [record for path in shards_in(tmp_path / "out") for record in read_records(path)]
    assert {record.players[1].name for record in records} == {"somebody"}


def test_a_truncated_archive_gives_its_good_half(tmp_path: Path) -> None:
    import lzma

    whole = lzma.compress((pgn(400) * 8).encode())
    (tmp_path / "cut.pgn.xz").write_bytes(whole[: len(whole) * 2 // 3])
    done = run("ingest", "chess", tmp_path / "cut.pgn.xz", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "cut.pgn.xz" in done.stderr
    accepted = int(done.stdout.splitlines()[-1].split()[1].rstrip(","))
    assert 0 < accepted <= 400


def bad_inputs(folder: Path) -> dict[str, tuple[list[str], str]]:
    (folder / "empty").mkdir()
    (folder / "text").mkdir()
    (folder / "text" / "notes.md").write_text("nothing", encoding="utf-8")
    (folder / "board.sgf").write_text("(;SZ[9];B[aa])", encoding="utf-8")
    with zipfile.ZipFile(folder / "empty.zip", "w"):
        pass
    (folder / "broken.pgn.xz").write_bytes(b"\xfd7zXZ\x00 and then rubbish")
    (folder / "rubbish.bin").write_bytes(bytes(range(256)))
    with (
        zipfile.ZipFile(folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.pgn", "w") as entry,
    ):
        for _ in range(300):
            entry.write(bytes(1 << 20))
    return {
        "missing": ([str(folder / "none.pgn")], "none.pgn"),
        "empty folder": ([str(folder / "empty")], "empty"),
        "no records": ([str(folder / "text")], "no chess records"),
        "wrong game": ([str(folder / "board.sgf")], "board.sgf"),
        "empty archive": ([str(folder / "empty.zip")], "empty.zip"),
        "broken xz": ([str(folder / "broken.pgn.xz")], "broken.pgn.xz"),
        "rubbish": ([str(folder / "rubbish.bin")], "rubbish.bin"),
        "bomb": ([str(folder / "bomb.zip")], "bomb.zip"),
    }


def test_bad_input_is_named_and_leaves_nothing_behind(tmp_path: Path) -> None:
    for name, (data, message) in bad_inputs(tmp_path).items():
        done = run("ingest", "chess", *data, "--out", tmp_path / "out")
        assert done.returncode == 2, name
        assert message in done.stderr, name
        assert "Traceback" not in done.stderr, name
        assert len(done.stderr.strip().splitlines()) == 1, (name, done.stderr)
        assert not shards_in(tmp_path / "out"), name
    assert run("ingest", "chess", tmp_path / "board.sgf").returncode == 2, "--out is needed"
    done = run("ingest", "chess", tmp_path / "board.sgf", "--out", tmp_path / "board.sgf")
    assert (done.returncode, "is a file" in done.stderr) == (2, True), "a folder is made, no file is written over"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("precious", encoding="utf-8")
    (tmp_path / "a.pgn").write_text(pgn(1), encoding="utf-8")
    done = run("ingest", "chess", tmp_path / "a.pgn", "--out", tmp_path / "mine")
    assert done.returncode == 2
    assert (tmp_path / "mine" / "thesis.txt").read_text(encoding="utf-8") == "precious"


def test_a_dataset_is_described(undisturbed: Path, tmp_path: Path) -> None:
    done = run("data", "describe", undisturbed, "--html", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("400 games, ")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 4
    assert "<script" not in page
    assert run("data", "describe", tmp_path).returncode == 2
    assert run("data", "describe", tmp_path / "none").returncode == 2
    assert "no-bullet" in run("data", "rules").stdout
