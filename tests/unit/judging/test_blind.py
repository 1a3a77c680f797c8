"""A blind set tells nothing of who played, the key is kept apart, and verdicts are scored as by hand."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hitonami.cli import cli
from hitonami.errors import HitonamiError
from hitonami.judging.blind import score_sheet

KEY = {
    "layout": 1,
    "games": {
        f"{kind[0].upper()}{at:02d}": {"level": 1200 if at < 6 else 1800, "kind": kind, "who": kind}
        for kind in ("people", "engine", "ours")
        for at in range(12)
    },
}


def sheet(called: dict[str, int]) -> str:
    """So many of each kind are called persons."""
    rows = ["level,id,verdict,sure 0-100,remarks"]
    for name, each in KEY["games"].items():  # type: ignore[attr-defined]
        person = int(name[1:]) < called[each["kind"]]
        rows.append(f"{each['level']},{name},{'Person' if person else 'program'},,")
    return "\n".join(rows)


def test_verdicts_as_the_source_has_them() -> None:
    """Half of the people's and of our games are called human, none of the engine's."""
    found = score_sheet(sheet({"people": 6, "engine": 0, "ours": 6}), KEY)
    whole = {each.kind: each for each in found.rows if each.level is None}
    assert [whole[kind].called_person.value for kind in ("people", "engine", "ours")] == [0.5, 0.0, 0.5]
    assert whole["people"].p_value == 1.0
    assert whole["engine"].p_value == pytest.approx(2 * 0.5**12)
    assert whole["engine"].called_person.high == pytest.approx(0.2646, abs=1e-3)  # Clopper and Pearson
    apart = {each.kinds: each for each in found.apart}
    assert apart["people", "ours"].chi_square == 0.0
    assert apart["people", "ours"].exact == pytest.approx(1.0)
    assert apart["people", "engine"].chi_square == pytest.approx(8.0)  # 24 · (6·12)² / (12·12·6·18)
    assert apart["people", "engine"].p_value == pytest.approx(0.004678, abs=1e-5)
    assert apart["people", "engine"].exact == pytest.approx(0.01373, abs=1e-4)
    assert apart["people", "engine", "ours"].chi_square == pytest.approx(9.0)
    assert apart["people", "engine", "ours"].p_value == pytest.approx(0.01111, abs=1e-4)
    assert found.right.value == pytest.approx((6 + 12 + 6) / 36)
    assert {each.level for each in found.rows} == {1200.0, 1800.0, None}


def test_one_verdict_for_all_tells_nothing_apart_and_what_is_wrong_is_named() -> None:
    found = score_sheet(sheet({"people": 12, "engine": 12, "ours": 12}), KEY)
    assert {(each.chi_square, each.p_value) for each in found.apart} == {(0.0, 1.0)}
    filled = sheet({"people": 6, "engine": 0, "ours": 6})
    some = filled.replace("P00,Person", "P00,")
    assert score_sheet(some, KEY).left_out == 1
    for wrong, reason in (
        (filled.replace("P00,Person", "P00,maybe"), "person or program"),
        (filled.replace("P00,", "X00,"), "does not know"),
        (filled.replace("P01,", "P00,"), "twice"),
        ("level,id,verdict\n", "nothing is filled in"),
    ):
        with pytest.raises(HitonamiError, match=reason):
            score_sheet(wrong, KEY)
    with pytest.raises(HitonamiError, match="no key"):
        score_sheet(filled, {"layout": 1})


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(each) for each in words])


def test_a_set_is_blind_and_its_sheet_is_scored(write_games: Callable[..., Path], tmp_path: Path) -> None:
    data, out, key = write_games("chess", 60), tmp_path / "expert", tmp_path / "key.json"
    words = ["blind", "set", "chess", data, "--level", 1440, "--engine", "uniform", "--ours", "playout:2"]
    words += ["--games", 3, "--plies", 14, "--out", out, "--key", key]
    done = run(*words)
    assert done.exit_code == 0, done.output
    held = json.loads(key.read_text())["games"]
    assert sorted(each["kind"] for each in held.values()) == ["engine"] * 3 + ["ours"] * 3 + ["people"] * 3
    files = sorted((out / "1440").iterdir())
    assert {each.stem for each in files} == set(held)
    shown = [each.read_text() for each in files] + [(out / "games.html").read_text(), (out / "sheet.csv").read_text()]
    for text in shown:
        assert not any(
            word in text.replace("colours", "") for word in ("uniform", "playout", "1500", "lichess", "engine", "ours")
        )
    heads = {"\n".join(line for line in text.splitlines() if line.startswith("[")) for text in shown[: len(files)]}
    assert len(heads) == 1  # nothing but the moves differs
    assert all(name in shown[-2] for name in held)
    rows = list(csv.DictReader(io.StringIO(shown[-1])))
    assert {row["id"] for row in rows} == set(held)
    order = [held[row["id"]]["kind"] for row in rows]
    assert order != sorted(order)
    filled = tmp_path / "filled.csv"
    filled.write_text(shown[-1].replace(",,,", ",person,,"))
    told = run("blind", "score", filled, key, "--json")
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["right"]["value"] == pytest.approx(3 / 9)
    assert "coin tossing" in run("blind", "score", filled, key).stdout
    again = run(*words)
    assert "not empty" in str(again.exception)
    inside = run(*words[:-3], tmp_path / "other", "--key", tmp_path / "other" / "key.json")
    assert "keep it apart" in str(inside.exception)
    few = run(
        "blind", "set", "chess", data, "--level", 2000, "--engine", "uniform", "--out", tmp_path / "n", "--key", key
    )
    assert "near 2000: 0" in str(few.exception)
