"""`hitonami predict` and `hitonami models` through the real command line, in a process of their own."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hitonami.minds import neural

SAMPLE = Path(neural.__file__).with_name("_sample_network.pb.gz")
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def read_json(done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_table_for_several_ratings(run: Run) -> None:
    done = run("predict", "chess", "startpos", "--mind", SAMPLE, "--rating", "1100", "--rating", "1900", "--top", "3")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "White to move: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert lines[1].split() == ["1100", "1900"]
    names = [line[:14].strip() for line in lines[2:]]
    assert names[3:] == ["17 others", "win", "draw", "loss", "expected score"]
    for column in (-1, -2):
        shares = [float(line.split()[column].rstrip("%")) for line in lines[2:]]
        assert sum(shares[:4]) == pytest.approx(100, abs=0.3)
        assert sum(shares[4:7]) == pytest.approx(100, abs=0.3)
        assert shares[:3] == sorted(shares[:3], reverse=True)


def test_json_holds_every_legal_move(run: Run) -> None:
    found = read_json(
        run("predict", "chess", "startpos", "--moves", "e4 e7e5", "--mind", SAMPLE, "--rating", "1500", "--json")
    )
    assert found["position"] == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert (found["game"], found["to_move"], found["pool"]) == ("chess", "White", "")
    (view,) = found["predictions"]
    assert view["rating"] == 1500
    assert {"move": "g1f3", "name": "Nf3"}.items() <= next(m for m in view["moves"] if m["move"] == "g1f3").items()
    assert len(view["moves"]) == 29
    assert sum(move["probability"] for move in view["moves"]) == pytest.approx(1, abs=1e-5)
    assert view["expected_score"] == pytest.approx(view["result"]["win"] + view["result"]["draw"] / 2, abs=1e-6)


def test_every_game_and_any_mind(run: Run) -> None:
    shogi = read_json(run("predict", "shogi", "startpos", "--moves", "7g7f", "--mind", "uniform", "--json"))
    assert shogi["predictions"][0]["rating"] is None
    assert shogi["predictions"][0]["result"] is None
    go = read_json(run("predict", "go", "(;SZ[5];B[cc])", "--mind", "uniform", "--json"))
    assert len(go["predictions"][0]["moves"]) == 25


def test_models_are_added_listed_shown_and_used(run: Run, tmp_path: Path) -> None:
    assert " yours " not in run("models", "list").stdout
    assert run("models", "add", SAMPLE, "--name", "mine").stdout == "added mine; use it as --mind neural:mine\n"
    listed = [line.split() for line in run("models", "list").stdout.splitlines()]
    assert ["mine", "yours", "chess", "expert,", "wdl"] in listed
    card = read_json(run("models", "show", "mine", "--json"))
    assert (card["name"], card["encoder"]["name"]) == ("mine", "lc0")
    shown = run("models", "show", "mine").stdout.splitlines()
    assert shown[:2] == ["name        mine (yours)", "game        chess"]
    by_name = read_json(run("predict", "chess", "startpos", "--mind", "neural:mine", "--json"))
    by_folder = read_json(run("predict", "chess", "startpos", "--mind", "store/mine", "--json"))
    by_file = read_json(run("predict", "chess", "startpos", "--mind", SAMPLE, "--json"))
    assert by_name["predictions"] == by_folder["predictions"] == by_file["predictions"]
    (tmp_path / "store" / "mine" / "model.onnx").write_bytes(b"")
    done = run("predict", "chess", "startpos", "--mind", "neural:mine")
    assert done.returncode == 2
    assert "model.onnx is not the file that its card describes" in done.stderr


def test_a_network_is_added_by_url_with_its_checksum_shown(run: Run) -> None:
    done = run("models", "add", SAMPLE.as_uri(), "--name", "mine")
    assert (done.returncode, done.stderr) == (0, "")
    digest = hashlib.sha256(SAMPLE.read_bytes()).hexdigest()
    assert done.stdout.splitlines() == [
        f"fetched {SAMPLE.stat().st_size:,} bytes, sha256 {digest}",
        "added mine; use it as --mind neural:mine",
    ]
    refused = run("models", "add", SAMPLE.as_uri(), "--sha256", "0" * 64)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert f"its sha256 is {digest}" in refused.stderr
    assert run("models", "add", SAMPLE, "--sha256", digest).returncode == 2


def test_a_toml_file_blends_networks_by_rating(run: Run, tmp_path: Path) -> None:
    text = f'kind = "by-rating"\nminds = [[1100, {json.dumps(str(SAMPLE))}], [1900, "uniform"]]\n'
    (tmp_path / "ladder.toml").write_text(text, encoding="utf-8")
    ratings = ("--rating", "1100", "--rating", "1500", "--rating", "1900")
    views = read_json(run("predict", "chess", "startpos", "--mind", "ladder.toml", *ratings, "--json"))["predictions"]
    tops = [view["moves"][0]["probability"] for view in views]
    assert tops[0] > tops[1] > tops[2] == pytest.approx(1 / 20)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("chess", "startpos", "--mind", "absent.pb.gz"), "'absent.pb.gz': no such file"),
        (("chess", "nonsense", "--mind", "uniform"), "not a FEN: 'nonsense'"),
        (("chess", "startpos", "--moves", "e2e5", "--mind", "uniform"), "not a legal move: 'e2e5'"),
        (("go", "startpos", "--mind", str(SAMPLE)), "positions of chess, got one of go"),
        (("chess", "startpos", "--mind", "humann"), "there is no mind 'humann'; did you mean human"),
    ],
)
def test_bad_input_exits_with_2_and_the_reason(run: Run, arguments: tuple[str, ...], reason: str) -> None:
    done = run("predict", *arguments)
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_playing_needs_no_torch_and_listing_no_runtime() -> None:
    code = (
        "import sys; from hitonami.specs import open_mind; import hitonami.minds.neural\n"
        "assert 'onnxruntime' not in sys.modules\n"
        f"with open_mind({str(SAMPLE)!r}): pass\n"
        "assert 'onnxruntime' in sys.modules and 'torch' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_finished_game_is_asked_about_before_its_last_move(run: Run) -> None:
    done = run("predict", "chess", "startpos", "--moves", "f3 e5 g4 Qh4", "--mind", "uniform")
    assert done.returncode == 0
    assert "the game is over: checkmate" in done.stderr
    assert done.stdout.startswith("Black to move: rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b")
