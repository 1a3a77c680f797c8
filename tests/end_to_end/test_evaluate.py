"""`hitonami evaluate` through the real command line, in a process of its own."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from hitonami.dataset.shards import read_records, shards_in
from hitonami.minds import neural
from hitonami.records import write_record

SAMPLE = Path(neural.__file__).with_name("_sample_network.pb.gz")
Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]
FILTER = ("--filter", "human,plies:4")


class Shape(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)


class Value(Shape):
    value: float
    low: float
    high: float


class GroupShape(Shape):
    group: str
    n: int
    games: int
    accuracy: Value
    cross_entropy: Value
    likelihood: Value


class MindShape(Shape):
    mind: str
    groups: list[GroupShape]


class PairShape(Shape):
    a: str
    b: str
    accuracy_difference: Value
    cross_entropy_difference: Value


class Contract(Shape):
    """What scripts depend on; keys may be added, none may go."""

    game: str
    filter: str
    minds: list[MindShape]
    paired: list[PairShape]


@pytest.fixture(scope="module")
def games(write_games: Callable[..., Path]) -> Path:
    return write_games("chess", 40)


@pytest.fixture
def run(run: Run) -> Run:
    return partial(run, "evaluate")


def figures(run: Run, tmp_path: Path, *arguments: str | Path) -> dict[str, Any]:
    done = run(*arguments, "--json", "out.json")
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    return found


def test_json_keeps_its_contract_and_the_page_stands_alone(run: Run, games: Path, tmp_path: Path) -> None:
    minds = ("--mind", SAMPLE, "--mind", "uniform", "--level-matrix")
    found = figures(run, tmp_path, "chess", games, *minds, *FILTER, "--positions", "20", "--html", "page.html")
    checked = Contract.model_validate(found)
    assert (checked.game, checked.filter) == ("chess", "human,plies:4")
    assert [mind.mind for mind in checked.minds] == [str(SAMPLE), "uniform"]
    for mind in checked.minds:
        *bands, every = mind.groups
        assert every.group == "all"
        assert every.n == sum(band.n for band in bands)
        assert all(band.n <= 20 for band in bands)
        pooled = sum(band.n * band.cross_entropy.value for band in bands) / every.n
        assert every.cross_entropy.value == pytest.approx(pooled)
    (pair,) = checked.paired
    gap = checked.minds[0].groups[-1].accuracy.value - checked.minds[1].groups[-1].accuracy.value
    assert pair.accuracy_difference.value == pytest.approx(gap)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert not re.findall(r"(?:src|href)=\"(?!#)", page)  # nothing is loaded; parts of plots refer to each other
    assert page.count("<svg") >= 5
    assert "uniform says the same whatever level it is told" in page


def test_the_table_and_the_same_answer_twice(run: Run, games: Path) -> None:
    arguments = ("chess", games, "--mind", "uniform", *FILTER, "--by", "none", "--positions", "50", "--seed", "4")
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("chess: 50 decisions of ")
    assert lines[3].split() == ["group", "n", "games", "accuracy", "cross-entropy", "likelihood", "under", "1e-09"]
    assert lines[4].split()[:2] == ["all", "50"]
    assert run(*arguments).stdout == done.stdout


def test_record_files_need_no_ingest_and_bad_games_are_counted(run: Run, games: Path, tmp_path: Path) -> None:
    texts = [write_record(record, "pgn") for path in shards_in(games) for record in read_records(path)]
    bad = '[Event "?"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 Nf6 1-0\n'
    (tmp_path / "half.pgn.gz").write_bytes(gzip.compress("\n\n".join([*texts[:9], bad, *texts[9:]]).encode()))
    done = run("chess", "half.pgn.gz", "--mind", "uniform", *FILTER, "--json", "out.json")
    assert done.returncode == 0
    assert done.stderr.startswith("hitonami: 1 games could not be used: 1 ")
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert found["data"]["games"] == len(texts)
    assert sum(found["data"]["rejected"].values()) == 1


def test_an_unknown_pool_is_a_warning(run: Run, games: Path, tmp_path: Path) -> None:
    text = write_record(next(read_records(shards_in(games)[0])), "pgn")
    nowhere = re.sub(r"\[\w+Pool .*\]\n", "", text).replace('[Site "?"]', '[Site "a place of no renown"]')
    (tmp_path / "one.pgn").write_text(re.sub(r"\[\w+Elo .*\]\n", "", nowhere), encoding="utf-8")
    done = run("chess", "one.pgn", "--mind", "uniform", *FILTER)
    assert done.returncode == 0
    assert "name it with --pool" in done.stderr
    assert "pool" not in run("chess", "one.pgn", "--mind", "uniform", *FILTER, "--pool", "club").stderr


def add_mind(folder: Path, name: str, body: str) -> None:
    """A user's own mind, which does `body` when it is asked."""
    (folder / "minds").mkdir()
    (folder / "minds" / f"{name}.py").write_text(
        "import os, signal\nfrom dataclasses import dataclass\n\n\n@dataclass(frozen=True)\n"
        f"class {name.capitalize()}:\n    def __call__(self, queries, effort):\n        {body}\n",
        encoding="utf-8",
    )


def test_a_mind_that_fails_names_itself_and_the_others_are_measured(
    run: Run, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_mind(tmp_path, "fragile", "raise RuntimeError('it broke')")
    monkeypatch.setenv("HITONAMI_PARTS", str(tmp_path))
    arguments = "chess", games, "--mind", "fragile", "--mind", "uniform", *FILTER
    done = run(*arguments, "--json", "out.json", "--html", "out.html")
    assert done.returncode == 1
    assert done.stderr == "hitonami: mind 'fragile' failed: RuntimeError: it broke\n"
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert [mind["mind"] for mind in found["minds"]] == ["uniform"]
    assert found["failed"] == [{"mind": "fragile", "error": "RuntimeError: it broke"}]
    assert "it broke" in (tmp_path / "out.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("chess", "absent.pgn", "--mind", "uniform"), "absent.pgn"),
        (("checkers", "x", "--mind", "uniform"), "there is no game 'checkers'"),
        (("chess", "GAMES", "--mind", "unifrom"), "did you mean uniform?"),
        (("chess", "GAMES", "--mind", "uniform", "--mind", "uniform"), "given twice: 'uniform'"),
        (("chess", "GAMES", "--mind", "uniform", "--filter", "plyes:3"), "did you mean plies or player?"),
        (("chess", "GAMES", "--mind", "uniform", "--filter", "pool:kgs"), "games left out by rule: pool (40)"),
        (("chess", "GAMES", "--mind", "uniform", "--size", "9"), "one board size"),
        (("chess", "GAMES", "--mind", "uniform", "--by", "colour"), "'colour' is not one of"),
        (("chess", "GAMES", "--mind", "uniform", "--json", "no/such/file"), "there is no folder"),
        (("go", "GAMES", "--mind", "uniform"), "a game of chess (40)"),
    ],
)
def test_bad_input_exits_with_2_and_the_reason(run: Run, games: Path, arguments: tuple[str, ...], reason: str) -> None:
    done = run(*(str(games) if each == "GAMES" else each for each in arguments))
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_an_interrupt_ends_it_cleanly(games: Path, tmp_path: Path) -> None:
    """A mind that interrupts its own process at the first question, as Ctrl-C would."""
    add_mind(tmp_path, "stopper", "os.kill(os.getpid(), signal.SIGINT)")
    command = [sys.executable, "-m", "hitonami", "evaluate", "chess", str(games), "--mind", "stopper", *FILTER]
    environment = os.environ | {"HITONAMI_PARTS": str(tmp_path)}
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    assert done.returncode == 130
    assert done.stderr.strip() == "hitonami: interrupted"


def test_moves_of_a_game_are_limited_as_asked(run: Run, games: Path, tmp_path: Path) -> None:
    counts = []
    for per_game in ("1", "3"):
        asked = ("chess", games, "--mind", "uniform", *FILTER, "--by", "none", "--per-game", per_game)
        every = Contract.model_validate(figures(run, tmp_path, *asked)).minds[0].groups[-1]
        counts.append((every.n, every.games))
    (once, games_once), (thrice, games_thrice) = counts
    assert once == games_once == games_thrice
    assert thrice == 3 * once
