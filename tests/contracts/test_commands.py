"""Every command with results writes them as JSON in the same way: `--json [FILE]`."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

from hitonami.cli import cli
from hitonami.cli._options import Reporting
from hitonami.errors import BadInput
from hitonami.fits.draws import Asked
from hitonami.fits.turns import Turns
from hitonami.minds import twin
from hitonami.models.shipped import EMBEDDED

EMBEDDED_TWIN = Path(twin.__file__).with_name("_sample.twin")
DIALOGUES = {("play",), ("serve",), ("engine",)}
"""They talk until they are ended, and have no results."""
SAMPLE = ("chess", "sample:chess", "--filter", "plies:10", "--positions", "4", "--band", "2000")
PUZZLES = "PuzzleId,FEN,Moves,Rating,RatingDeviation\na1,6k1/5pp1/7p/8/8/8/5PPP/RR4K1 b - - 0 30,g7g6 a1a8,900,90\n"
PGN = "".join(
    f'[Event "x"]\n[White "a{number % 5}"]\n[Black "b"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 {answer} 4. O-O Qe7 1-0\n\n'
    for number, answer in enumerate(["a6", "a5", "b6", "d6", "d5", "f6", "f5", "g6", "h6", "h5", "Nf6", "Nh6", "Nd4"])
)
RECIPE = """
name = "tiny"
[network]
encoder = { name = "lc0-rated", fields = { pools = ["lichess", "fide"] } }
channels = 8
blocks = 1
policy = "lc0"
policy_channels = 8
value_channels = 2
value_hidden = 8
condition = { low = 600, high = 2700, hidden = 8 }
[data]
folders = ["$GAMES"]
positions_per_game = 2
games_per_group = 20
[training]
steps = 1
batch_size = 4
[validation]
every = 1
positions = 4
"""
SELFPLAY = """
name = "tiny"
[network]
encoder = { name = "cells", fields = { game = "connect-four" } }
channels = 4
blocks = 1
squeeze = 2
norm = "batch"
policy = "flat"
policy_channels = 2
value_channels = 2
value_hidden = 4
[play]
games = 2
simulations = 4
[learn]
generations = 1
steps = 1
batch_size = 8
"""
CALLS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("predict",): ("chess", "startpos", "--mind", "uniform"),
    ("models", "list"): (),
    ("models", "show"): ("chess-human",),
    ("models", "add"): ("MODEL", "--name", "mine"),
    ("models", "get"): (),
    ("ingest",): ("chess", "GAMES.pgn", "--out", "new"),
    ("data", "describe"): ("DATASET",),
    ("data", "levels"): ("DATASET", "LABELS", "--out", "new", "--moves", "2"),
    ("data", "subset"): ("DATASET", "--out", "new", "--games", "2"),
    ("data", "people"): ("DATASET", "--out", "new", "--games", "1"),
    ("data", "verify"): ("DATASET",),
    ("data", "rules"): (),
    ("label",): ("chess", "DATASET", "--out", "new", "--mind", "uniform", "--positions", "2"),
    ("train",): ("RECIPE.toml", "--data", "GAMES=SHARDS", "--out", "new"),
    ("selfplay",): ("SELFPLAY.toml", "--out", "new"),
    ("evaluate",): (*SAMPLE, "--mind", "uniform", "--html", "page.html"),
    ("experiment",): ("list",),
    ("judge",): (*SAMPLE, "--mind", "uniform", "--judge", "human"),
    ("openings",): (
        "chess",
        "SHARDS",
        "--filter",
        "none",
        "--mind",
        "uniform",
        "--by",
        "none",
        "--games",
        "4",
        "--least",
        "2",
        "--plies",
        "2",
    ),
    ("endings",): (*SAMPLE, "--mind", "uniform", "--judge", "human", "--won", "0.5"),
    ("likeness",): (*SAMPLE, "--mind", "uniform"),
    ("unmask",): (
        *("chess", "SHARDS", "--agent", "uniform", "--agent", "playout:2", "--games", "2"),
        *("--people", "4", "--plies", "16", "--mind", "uniform"),
    ),
    ("blind", "set"): (
        *("chess", "SHARDS", "--level", "1440", "--engine", "uniform", "--ours", "uniform", "--games", "1"),
        *("--plies", "12", "--out", "new", "--key", "key.json"),
    ),
    ("blind", "score"): ("SHEET.csv", "KEY.json"),
    ("winrate",): (*SAMPLE, "--mind", "human"),
    ("fit",): ("chess", "softmax", *SAMPLE[1:], "--mind", "uniform", "--split", "all", "--html", "page.html"),
    ("mates",): ("chess", "SHARDS", "--filter", "none", "--split", "all", "--mind", "uniform"),
    ("resign",): ("chess", "SHARDS", "--turns", "TURNS", "--html", "page.html"),
    ("draws",): ("chess", "SHARDS", "--turns", "TURNS", "--html", "page.html"),
    ("passes",): ("go", "PASSED.sgf", "--mind", "uniform", "--filter", "none", "--split", "all"),
    ("repeats",): ("chess", "REPEATED.pgn", "--mind", "uniform", "--filter", "none", "--out", "manners.json"),
    ("pace",): ("chess", "SHARDS", "--filter", "none", "--games", "50", "--turns", "TURNS", "--out", "manners.json"),
    ("refine",): ("chess", "SHARDS", "--filter", "none", "--by", "none", "--games", "4"),
    ("learn",): ("connect-four", "--games", "2", "--out", "learned.json"),
    ("explain",): ("connect-four", "startpos", "--mind", "intuition:LEARNED.json", "--html", "page.html"),
    ("tournament",): (
        "chess",
        "--player",
        "uniform@1000",
        "--player",
        "uniform@1500",
        "--games",
        "2",
        "--max-plies",
        "9",
    ),
    ("style",): ("chess", "GAMES.pgn", "--html", "page.html"),
    ("similar",): ("chess", "GAMES.pgn", "sample:chess", "--games", "3"),
    ("twin", "make"): ("chess", "GAMES.pgn", "--name", "b", "--mind", "uniform"),
    ("twin", "list"): (),
    ("twin", "forget"): ("KEPT",),
    ("twins",): (),
    ("rate",): ("chess", "GAMES.pgn", "--mind", "uniform"),
    ("review",): ("chess", "GAMES.pgn", "--judge", "none", "--mind", "uniform", "--html", "page.html"),
    ("puzzles",): ("chess", "PUZZLES.csv", "--mind", "uniform@1500"),
    ("games",): (),
    ("minds",): ("temper",),
    ("doctor",): ("--warm-up",),
}


def _made_up_draws() -> Asked:
    """Turns of which every tenth was agreed drawn."""
    rng, count = np.random.default_rng(4), 600
    columns = {name: rng.uniform(0.2, 0.8, count) for name in ("hope", "draw", "balance", "ply", "rating", "opponent")}
    ones, games = np.ones(count), np.arange(count, dtype=np.int64)
    return Asked(columns, (games % 10 == 0).astype(np.float64), ones, ones, games, np.full(count, "lichess"), count, 60)


def _leaves(group: click.Group, names: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from _leaves(found, (*names, name))
        else:
            yield (*names, name), found


COMMANDS = dict(_leaves(cli))


def _call(*words: str) -> str:
    """What the command prints on standard output."""
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def inputs(
    tmp_path_factory: pytest.TempPathFactory, write_games: Callable[..., Path], made_up: Callable[[int, int], Turns]
) -> Path:
    """A folder with what the words in capitals of CALLS name."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "GAMES.pgn").write_text(PGN)
    (folder / "PUZZLES.csv").write_text(PUZZLES)
    (folder / "SHEET.csv").write_text("level,id,verdict,sure 0-100,remarks\n1500,ABCDE,person,,\n")
    (folder / "KEY.json").write_text('{"layout": 1, "games": {"ABCDE": {"level": 1500, "kind": "ours", "who": "x"}}}')
    (folder / "RECIPE.toml").write_text(RECIPE)
    (folder / "SELFPLAY.toml").write_text(SELFPLAY)
    (folder / "MODEL").symlink_to(EMBEDDED / "chess-human")
    (folder / "SHARDS").symlink_to(write_games("chess", 60))
    (folder / "TURNS").mkdir()
    asked = {"pace": made_up(40, 1), "resign-train": made_up(300, 2), "resign-test": made_up(99, 3)}
    for name, turns in {**asked, "resign-validation": made_up(80, 4)}.items():
        nobody = {"person": np.full(len(turns), np.nan)}  # games are split where people are not known
        Turns(turns.columns | nobody).save(folder / "TURNS" / f"{name}.npz")
    _call("learn", "connect-four", "--games", "1", "--out", str(folder / "LEARNED.json"))
    for name in ("draws-train", "draws-test"):
        _made_up_draws().save(folder / "TURNS" / f"{name}.npz")
    (folder / "PASSED.sgf").write_text(
        "".join(
            f"(;SZ[9];B[{a}{a}];W[aa];B[bb];W[cc];B[dd];W[ee];B[ab];W[bc];B[cd];W[de];B[ef];W[fg];B[gh];W[hi];B[];W[])"
            for a in "fghi"
        )
    )
    (folder / "REPEATED.pgn").write_text(
        "".join(
            f'[Result "1/2-1/2"]\n\n1. {first} Nf6 {" ".join(["Nf3 Ng8 Ng1 Nf6"] * 3)} {last} 1/2-1/2\n\n'
            for first in ("a3", "b3", "c3", "d3", "e3", "h3")
            for last in ("Nc3", "Na3", "Nh3")
        )
    )
    dataset, labels = str(folder / "DATASET"), str(folder / "LABELS")
    _call("ingest", "chess", str(folder / "GAMES.pgn"), "--out", dataset)
    _call("label", "chess", dataset, "--out", labels, "--mind", "human", "--policy", "--played", "--per-game", "4")
    return folder


@pytest.fixture
def here(inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own, with the inputs in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HITONAMI_MODELS", str(tmp_path / "store"))
    monkeypatch.setenv("HITONAMI_CACHE", str(tmp_path / "cache"))
    for path in inputs.iterdir():
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.setenv("HITONAMI_TWINS", str(tmp_path / "twins"))
    (tmp_path / "twins").mkdir()
    shutil.copy(EMBEDDED_TWIN, tmp_path / "twins" / "KEPT.twin")
    return tmp_path


def test_every_command_with_results_has_it() -> None:
    assert {names for names, command in COMMANDS.items() if not isinstance(command, Reporting)} == DIALOGUES
    assert set(CALLS) == set(COMMANDS) - DIALOGUES
    for names, command in COMMANDS.items():
        assert sum("--json" in each.opts for each in command.params) == (names not in DIALOGUES)


@pytest.mark.parametrize("names", CALLS, ids=" ".join)
def test_standard_output_is_json_and_nothing_else(names: tuple[str, ...], here: Path) -> None:
    assert json.loads(_call(*names, *CALLS[names], "--json"))


@pytest.mark.parametrize("names", [("predict",), ("data", "describe"), ("minds",)], ids=" ".join)
def test_a_file_has_what_standard_output_would(names: tuple[str, ...], here: Path) -> None:
    words = (*names, *CALLS[names])
    printed = _call(*words, "--json", "-")
    plain = _call(*words)
    told = _call(*words, "--json", "figures.json")
    assert told.replace("wrote figures.json\n", "", 1) == plain != told
    assert (here / "figures.json").read_text(encoding="utf-8") == printed
    _call(*words, "--json", "figures.json")
    (here / "games").write_text(PGN)
    with pytest.raises(BadInput, match="not JSON"):
        _call(*words, "--json", "./games")
    assert (here / "games").read_text() == PGN


def test_the_word_after_it_may_be_an_argument() -> None:
    first = _call("predict", "--json", "chess", "startpos", "--mind", "uniform")
    assert json.loads(first)["game"] == "chess"
    assert first == _call("predict", "chess", "--json", "--mind", "uniform", "--", "startpos")
    assert json.loads(_call("minds", "--json", "temper"))["title"]
    assert set(json.loads(_call("minds", "--json"))) > {"temper", "blend"}
    assert _call("minds").startswith("ahead ")


def test_a_name_that_does_not_look_like_a_file(here: Path) -> None:
    assert _call("data", "rules", "--json=figures").endswith("wrote figures\n")
    assert json.loads((here / "figures").read_text())
    with pytest.raises(BadInput, match="there is no folder"):
        _call("data", "rules", "--json", "nowhere/figures.json")
