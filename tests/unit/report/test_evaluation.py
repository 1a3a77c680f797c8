"""How figures are told: names, signs, tables and plots."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hitonami.dataset.reading import open_data
from hitonami.errors import HitonamiError, WorkFailed
from hitonami.evaluate.decisions import ask
from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.level_matrix import level_matrices
from hitonami.evaluate.metrics import Bin, measure
from hitonami.evaluate.run import Evaluation
from hitonami.evaluate.selection import Selection, select
from hitonami.report.evaluation import as_json, as_lines, short_names
from hitonami.report.evaluation_page import as_page
from hitonami.report.interval_plots import calibration, differences, heat_map, over_groups
from hitonami.report.text import points_text
from hitonami.specs import open_mind


@pytest.mark.parametrize(
    ("minds", "short"),
    [
        (["uniform", "human"], ["uniform", "human"]),
        (["nets/maia-1500.pb.gz", "uniform"], ["maia-1500.pb.gz", "uniform"]),
        (["runs/a/model", "runs/b/model"], ["a/model", "b/model"]),
        (["runs/a/model"], ["a/model"]),
        (["x/a/net.onnx", "y/a/net.onnx", "neural:z/b/net.onnx"], ["x/a/net.onnx", "y/a/net.onnx", "z/b/net.onnx"]),
        (["uci:/usr/games/stockfish --x", "a/b.toml"], ["uci:/usr/games/stockfish --x", "b.toml"]),
        (["neural:a/m.onnx", "a/m.onnx"], ["neural:a/m.onnx", "a/m.onnx"]),
        ([], []),
    ],
)
def test_short_names_tell_minds_apart(minds: list[str], short: list[str]) -> None:
    assert short_names(minds) == dict(zip(minds, short, strict=True))


@pytest.fixture(scope="module")
def evaluation(write_games: Callable[..., Path]) -> Evaluation:
    plan = Selection("chess", filter_text="plies:4", positions=25)
    drawn = select(open_data([str(write_games("chess", 30))], "chess"), plan)
    drawn.tally.rejected["an illegal move"] = 3
    with open_mind("uniform") as plain, open_mind({"kind": "temper", "rho": 2.0, "mind": "uniform"}) as other:
        table = ask(drawn, {"plain": plain, "<b>other</b>": other}, level_matrix=True)
    failed: dict[str, HitonamiError] = {"gone": WorkFailed("no such engine")}
    return Evaluation(drawn, measure(table), level_matrices(table), failed)


def test_the_terminals_table_has_a_line_for_each_group(evaluation: Evaluation) -> None:
    lines = list(as_lines(evaluation))
    labels = [group.group for group in evaluation.measured.minds[0].groups]
    begin = lines.index("plain") + 2
    assert [line[2:].split("  ")[0] for line in lines[begin : begin + len(labels)]] == labels
    assert lines[begin + len(labels)].startswith("  mean of groups")
    assert any(line.strip() == "plain − <b>other</b>" for line in lines)
    assert any("says the same whatever level" in line for line in lines)


def test_equal_minds_do_not_differ(evaluation: Evaluation) -> None:
    pair = as_json(evaluation)["paired"][0]
    assert pair["accuracy_difference"] == {"value": 0.0, "low": 0.0, "high": 0.0, "p": 1.0}
    assert pair["groups"][0]["cross_entropy_difference"]["p_holm"] == 1.0


def test_the_page_escapes_what_people_wrote_and_tells_what_failed(evaluation: Evaluation) -> None:
    page = as_page(evaluation, "evaluate chess <data>")
    assert "<b>other" not in page
    assert "&lt;data&gt;" in page
    assert "no such engine" in page
    assert "could not be used: an illegal move" in page
    assert as_page(evaluation, "evaluate chess <data>") == page  # equal in, equal out


def test_signs_are_always_shown() -> None:
    assert points_text(Interval(0.012, -0.001, 0.02)) == "+1.2 (-0.1 … +2.0)"


def texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def test_plots_name_what_they_show() -> None:
    some = Interval(0.5, 0.4, 0.6)
    lines = texts(over_groups("Accuracy", ["800", "1000"], [("a", [some, None]), ("b", [some, some])], "share"))
    assert {"Accuracy", "800", "1000", "a", "b"} <= set(lines)
    assert {"all", "800"} <= set(texts(differences("d", [("800", some, True), ("all", some, False)], "points")))
    assert "m" in texts(calibration("c", [("m", [Bin(0.1, 0.2, 5, 0.15, 0.2)])]))
    values = np.array([[1.5, 2.5], [2.0, 2.25]])
    shown = texts(heat_map("h", ["low", "high"], values, ".2f", high_is_good=False))
    assert {"1.50", "2.50", "2.00", "2.25", "low", "high"} <= set(shown)
