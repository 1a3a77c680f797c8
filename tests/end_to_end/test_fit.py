"""`hitonami fit` through the real command line, in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from hitonami import levels
from hitonami.cli.fit import _STEPS
from hitonami.core import Player, Query, open_game
from hitonami.fits.profile import STEPS
from hitonami.levels import read_level, read_levels
from hitonami.minds import neural

SAMPLE = Path(neural.__file__).with_name("_sample_network.pb.gz")
DRAW = ("--filter", "human,plies:4", "--positions", "60", "--split", "train", "--held-out", "validation")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def games(write_games: Callable[..., Path]) -> Path:
    return write_games("chess", 120)


@pytest.fixture
def run(run: Run) -> Run:
    return partial(run, "fit")


def test_a_blend_is_fitted_shown_and_kept_for_the_mind(
    run: Run, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minds = ("--mind", SAMPLE, "--mind", "uniform", "--mean", "geometric", "--mean", "arithmetic")
    done = run("chess", "blend", games, *minds, *DRAW, "--out", "chess.json", "--html", "page.html")
    assert (done.returncode, done.stderr) == (0, "")
    assert "weight of _sample_network.pb.gz against uniform (geometric mean)" in done.stdout
    assert "arithmetic mean" in done.stdout
    assert "held out:" in done.stdout
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 5
    assert "<script" not in page
    text = (tmp_path / "chess.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    (curve,) = {each.points for pool, each in read_levels(tmp_path / "chess.json")["blend"]["weight"].items() if pool}
    monkeypatch.setattr(levels, "FOLDER", tmp_path)
    levels.forget()
    try:  # random moves are no one's: the uniform mind explains them, the network does not
        query = Query(open_game("chess").start(), Player(curve[0][0], "lichess"))
        assert read_level("blend", "weight", [query])[0] == pytest.approx(curve[0][1])
    finally:
        levels.forget()
    assert max(value for _, value in curve) < 0.2


def test_softmax_as_json_and_distance_with_its_table(run: Run, games: Path) -> None:
    done = run("chess", "softmax", games, "--mind", SAMPLE, *DRAW, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert (found["method"], found["knob"], found["groups"][-1]["group"]) == ("softmax", "rho", "all")
    assert found["groups"][-1]["by_likelihood"]["value"] < 0.5  # random play is flatter than any network
    assert found["held_out"][-1]["cross_entropy_difference"]["high"] < 0
    one = json.loads(run("chess", "softmax", games, "--mind", SAMPLE, *DRAW, "--per-game", "1", "--json").stdout)
    assert one["groups"][-1]["n"] == one["groups"][-1]["games"] < found["groups"][-1]["n"]
    tails = json.loads(run("chess", "restrict", games, "--mind", SAMPLE, *DRAW, "--json").stdout)["tails"]
    assert {row["below"] for row in tails} == {0.001, 0.005, 0.02}
    assert all(row["people"]["value"] > row["mind"]["value"] for row in tails if row["group"] == "all")
    done = run("chess", "distance", games, "--mind", SAMPLE, *DRAW, "--aim", "distance")
    assert (done.returncode, done.stderr) == (0, "")
    assert "distance to the last move, by the curve" in done.stdout
    assert "each group by its own best value minus the first mind" in done.stdout
    assert "m whose mean distance to the last move is nearest to people's" in done.stdout
    refused = run("chess", "blend", games, "--mind", SAMPLE, "--mind", "uniform", *DRAW, "--aim", "distance")
    assert (refused.returncode, "the aim distance is for fit distance" in refused.stderr) == (2, True), refused.stderr


def test_three_minds_have_weights(run: Run, games: Path, tmp_path: Path) -> None:
    (tmp_path / "flat.toml").write_text(f'kind = "temper"\nrho = 0.5\nmind = "{SAMPLE}"\n', encoding="utf-8")
    minds = ("--mind", SAMPLE, "--mind", "flat.toml", "--mind", "uniform")
    done = run("chess", "blend", games, *minds, *DRAW, "--by", "none", "--json", "--html", "page.html")
    assert done.returncode == 0
    every = json.loads(done.stdout)["groups"][-1]
    assert sum(every["weights"]) == pytest.approx(1.0)
    assert every["weights"][2] > 0.8
    assert every["cross_entropy"] < every["first_mind"]["cross_entropy"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chess", "blend", "GAMES", "--mind", "uniform"), "two or more minds"),
        (("chess", "blend", "GAMES", "--mind", "uniform", "--mind", "uniform"), "a mind is given twice"),
        (("chess", "blend", "nowhere", "--mind", "uniform", "--mind", SAMPLE), "nowhere"),
        (("chess", "blend", "GAMES", "--mean", "x"), "a mean is geometric"),
        (("chess", "softmax", "GAMES", "--mind", "uniform", "--out", "no/such.json"), "there is no folder no"),
        (("chess", "cooking", "GAMES"), "cooking"),
    ],
)
def test_bad_input_is_explained(run: Run, games: Path, arguments: tuple[str | Path, ...], told: str) -> None:
    done = run(*(games if each == "GAMES" else each for each in arguments))
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_search_is_fitted_goes_on_from_its_folder_and_is_shown(run: Run, games: Path, tmp_path: Path) -> None:
    draw = ("--filter", "human,plies:4", "--positions", "50", "--split", "train", "--held-out", "validation")
    levels_asked = ("--rating", "1500", "--band", "400", "--pool", "lichess", "--simulations", "4", "--steps", "2")
    files = ("--work", "work", "--out", "chess.json", "--html", "page.html")
    call = ("chess", "search", games, "--mind", "uniform", *draw, *levels_asked, *files)
    done = run(*call)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Θ of a search with 4 simulations over uniform" in done.stdout
    assert "held out: the search minus the searched mind" in done.stdout
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 6
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*.npy")}
    again = run(*call, "--json")
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*.npy")} == kept
    found = json.loads(again.stdout)
    [level] = found["levels"]
    assert level["n"] == 50
    assert level["loss"]["value"] <= min(level["descent"]["loss"], level["simplex"]["loss"]) + 1e-6
    assert [point for point, _ in found["curves"]["tau"]] == [round(level["rating"], 1)]
    assert set(read_levels(tmp_path / "chess.json")["search"]) == {"tau", "prior_temperature", "c_puct", "simulations"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("search",), "fit search needs levels: --rating R, once for each"),
        (
            ("search", "--mind", "uniform", "--mind", "human", "--rating", "1500"),
            "more than one --mind",
        ),
        (("softmax", "--rating", "1500"), "fit softmax does not take --rating"),
    ],
)
def test_levels_belong_to_a_search_and_a_search_to_levels(
    run: Run, games: Path, arguments: tuple[str, ...], reason: str
) -> None:
    method, *options = arguments
    done = run("chess", method, games, *options)
    assert done.returncode == 2
    assert reason in done.stderr


def test_all_over_a_base_is_a_profile_that_other_commands_stand_on(
    run: Run, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = [word for step in ("foresight", "openings") for word in ("--only", step)]
    drawn = ("--filter", "human,plies:4", "--positions", "160")
    done = run("chess", "all", games, "--base", SAMPLE, *steps, *drawn, "--out", "profiles", "--json")
    assert done.returncode == 0, done.stderr
    found = {each["step"]: each for each in json.loads(done.stdout)["steps"]}
    assert list(found) == ["foresight", "openings"]
    assert (found["foresight"]["failed"], found["openings"]["failed"]) == (True, False)
    assert "no pool has 800 decisions" in found["foresight"]["told"]
    profile = tmp_path / "profiles" / "sample_network"
    assert [path.name for path in profile.iterdir()] == ["chess.json"]
    assert "weight" in read_levels(profile / "chess.json")["opening"]
    assert str(tmp_path) not in (profile / "chess.json").read_text(encoding="utf-8")
    monkeypatch.setenv("HITONAMI_PROFILES", str(tmp_path / "profiles"))
    said = predict("chess", "startpos", "--mind", "human", "--base", str(SAMPLE), "--rating", "1500", "--json")
    assert json.loads(said)["mind"] == f"human:{SAMPLE}"


def predict(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "hitonami", "predict", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_does_not_fit_together_with_a_base_is_refused(run: Run, games: Path) -> None:
    for words, told in (
        (("all", games), "fit all needs a --base"),
        (("all", games, "--base", SAMPLE, "--mind", "human"), "does not take"),
        (("softmax", games, "--base", SAMPLE), "--base and --only are for"),
        (("softmax", games, "--out", "."), "is a folder"),
        (("all", games, "--base", "nothing"), "no model 'nothing'"),
    ):
        done = run("chess", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert told in done.stderr
    assert tuple(_STEPS) == STEPS
