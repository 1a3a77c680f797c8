"""Outcomes as text, Markdown and pages; docs/results.md is what its outcomes say."""

from dataclasses import replace
from pathlib import Path

import pytest

from hitonami.errors import BadData
from hitonami.experiments.recipe import read_recipe
from hitonami.experiments.run import set_beside
from hitonami.outcomes import (
    Agreement,
    Beside,
    Claim,
    Cloud,
    Figure,
    Grid,
    Outcome,
    StepFound,
    Unit,
    read_outcome,
    write_outcome,
)
from hitonami.report.experiment import as_lines, as_markdown, figure_text, results_document, step_tables, value_text
from hitonami.report.experiment_page import as_page

_DOCS = Path(__file__).parents[3] / "docs"
_FIGURES = (
    Figure("1200", "accuracy", "human", 40, 0.5, 0.45, 0.56, "share"),
    Figure("1600", "accuracy", "human", 50, 0.52, 0.47, 0.58, "share"),
    Figure("1600", "accuracy", "a|b", 50, 0.4, None, None, "share"),
    Figure("all", "accuracy", "human", 90, 0.51, 0.47, 0.55, "share"),
)
_STEP = StepFound(
    "lichess", "Moves <of> people", "evaluate", "ab" * 32, {"options": {"seed": 0}, "data": [], "minds": {}}, _FIGURES
)
_THEIRS = Claim("theirs", "Lichess 1600", "accuracy")
_OURS = Claim("human", "Lichess 1600–1799", "accuracy")
_BESIDE = (
    Beside("S0 table 1", _THEIRS, 0.507, None, "share", "lichess", _OURS, "", "", _FIGURES[1]),
    Beside("S0 table 2", _THEIRS, 0.4, 0.45, "share", "lichess", _OURS, "another server", "", _FIGURES[1]),
    Beside("S0 table 3", _THEIRS, 1.0, None, "number", "lichess", _OURS, "", "", None),
    Beside("S0 table 4", _THEIRS, 0.02, None, "points", "", None, "", "takes hours", None),
)
_OUTCOME = Outcome("test", "A test", "About <it>.", "full", "1.0", (_STEP,), _BESIDE, ("fewer games",))


def test_numbers_are_written_by_their_units() -> None:
    assert value_text(0.0345, "points") == "+3.5"
    assert value_text(-0.0071, "nats more") == "-0.007"
    assert value_text(1234.5, "number") == "1,234"
    assert value_text(9.56e-303, "number") == "0"
    assert figure_text(_FIGURES[0]) == "50.0% (45.0% … 56.0%)"
    assert figure_text(_FIGURES[2]) == "40.0%"


def test_an_outcome_reads_back_and_others_are_refused() -> None:
    assert read_outcome(write_outcome(_OUTCOME), "x.json") == _OUTCOME
    with pytest.raises(BadData, match=r"x\.json"):
        read_outcome(b'{"name": "x"}', "x.json")


def test_tables_have_a_cell_for_every_column() -> None:
    lines = list(as_markdown(_OUTCOME))
    tables = [line for line in lines if line.startswith("|")]
    assert tables[-5:] == [
        "|---|---|---|---|",
        "| 1200 | 40 | human | 50.0% (45.0% … 56.0%) |",
        "| 1600 | 50 | human | 52.0% (47.0% … 58.0%) |",
        "| 1600 | 50 | a\\|b | 40.0% |",
        "| all | 90 | human | 51.0% (47.0% … 55.0%) |",
    ]
    theirs, ours = "theirs; Lichess 1600: accuracy", "human; Lichess 1600–1799: accuracy"
    value = "52.0% (47.0% … 58.0%) | 50"
    assert f"| {theirs} (S0 table 1) | 50.7% | {ours} | {value} | same | unclear |" in lines
    other = "other: another server | none claimed"
    assert f"| {theirs} (S0 table 2) | 40.0% … 45.0% | {ours} | {value} | {other} |" in lines
    assert f"| {theirs} (S0 table 3) | 1 | {ours} | not in this run |  | same | none claimed |" in lines
    assert f"| {theirs} (S0 table 4) | +2.0 | not run: takes hours |  |  |  |  |" in lines
    assert any("takes hours" in line for line in as_lines(_OUTCOME))


@pytest.mark.parametrize(
    ("unit", "published", "interval", "agreement"),
    [
        ("share", (0.5, None), (0.46, 0.54), "yes"),
        ("share", (0.5, None), (0.40, 0.54), "unclear"),  # too wide to have said no
        ("share", (0.5, None), (0.51, 0.54), "no"),
        ("share", (0.5, 0.52), (0.51, 0.54), "yes"),
        ("points", (0.01, None), (-0.005, 0.02), "unclear"),
        ("points", (0.01, None), (0.005, 0.02), "yes"),
        ("points", (0.04, None), (0.005, 0.02), "no"),
        ("nats more", (-0.007, -0.013), (-0.02, -0.01), "yes"),
        ("number", (2.0, None), (1.6, 2.4), "yes"),
        ("number", (2.0, None), (1.2, 2.6), "unclear"),
        ("share", (0.5, None), (None, None), "unclear"),
    ],
)
def test_agreement_is_by_our_interval(
    unit: Unit, published: tuple[float, float | None], interval: tuple[float, float], agreement: Agreement
) -> None:
    ours = Figure("all", "x", "", 9, 0.0, *interval, unit)
    same = Beside("S0 table 1", _THEIRS, *published, unit, "lichess", _OURS, "", "", ours)
    assert same.agreement == agreement
    assert replace(same, differs="another server").agreement is None


def test_the_page_is_whole_and_loads_nothing() -> None:
    text = as_page(_OUTCOME)
    assert "<script" not in text
    assert "src=" not in text
    assert "About &lt;it&gt;." in text
    assert text.count("<figure>") == 1  # one figure over two groups; one published share is no plot
    assert "published" in text
    quick = as_page(replace(_OUTCOME, size="quick"))
    assert "sample games" in quick
    assert "S0 table 1" not in quick  # games of agents are not set beside figures about people


def test_results_are_what_the_outcomes_say() -> None:
    paths = sorted((_DOCS / "results").glob("*.json"))
    assert paths
    outcomes = [read_outcome(path.read_bytes(), path.name) for path in paths]
    assert (_DOCS / "results.md").read_text(encoding="utf-8") == results_document(outcomes)
    for path, outcome in zip(paths, outcomes, strict=True):
        assert outcome.size == "full"
        assert outcome.name == path.stem
        recipe = read_recipe(outcome.name, "full")
        told = tuple(set_beside(each, outcome.steps) for each in recipe.head.published)
        assert outcome.beside == told, f"{path.name}: its rows are not those of its recipe"


_PRINTED = (
    *(f"S0 §4.4.2, figure 4.{at}" for at in (1, 2)), "S0 §4.4.3, figure 4.3",
    *(f"S0 §4.5.2, figure 4.{at}" for at in (4, 5)), "S0 §4.5.3, figure 4.6",
    *(f"S0 §4.6.2, figure 4.{at}" for at in (7, 8)), *(f"S0 §4.6.3, figure 4.{at}" for at in range(9, 15)),
    "S0 §5.4, table 5.2", "S0 §6.4.2, figure 6.1", "S0 §6.4.3, figure 6.3", "S0 §6.4.4, figure 6.8", "S0 table C.1",
    *(f"S1 table {at}" for at in range(1, 8)), *(f"S4 table {at}" for at in range(1, 4)),
)  # fmt: skip
"""Every table and figure of S0 §4–6, S1 and S4 whose numbers are printed, in it or in the text about it."""


def test_every_published_table_and_figure_with_numbers_has_a_row() -> None:
    paths = (_DOCS / "results").glob("*.json")
    sources = {each.source for path in paths for each in read_outcome(path.read_bytes(), path.name).beside}
    assert set(_PRINTED) <= sources


def test_what_was_not_run_yet_is_told_by_its_rows() -> None:
    lines = list(as_markdown(replace(_OUTCOME, steps=())))
    assert any(line.startswith("**Not run at its full size yet") for line in lines)
    assert any("S0 table 1" in line for line in lines)
    document = results_document([_OUTCOME])
    assert "| S0 | 4 | 0 | 0 | 1 | 1 | 1 | 1 |" in document


def test_level_matrices_and_scatters_are_shown() -> None:
    grid = Grid("human: cross-entropy", ("1200", "1600"), ((1.5, 1.9), (1.7, 1.6)))
    cloud = Cloud("human", "person", "mind", ((0.0, 0.1), (0.3, 0.2)))
    outcome = replace(_OUTCOME, steps=(replace(_STEP, grids=(grid,), clouds=(cloud,)),))
    assert read_outcome(write_outcome(outcome), "x.json") == outcome
    lines = list(as_markdown(outcome))
    assert "| 1200 | 1.500 * | 1.900 |" in lines
    assert "| 1600 | 1.700 | 1.600 * |" in lines
    assert as_page(outcome).count("<figure>") == 1 + 2


def test_parts_are_tables_of_their_own() -> None:
    other = replace(_FIGURES[3], name="bad", part="Blunders")
    step = replace(_STEP, figures=(*_FIGURES, other))
    assert [(part, len(rows)) for part, rows in step_tables(step)] == [("", 5), ("Blunders", 2)]
    assert "<h3>Blunders</h3>" in as_page(replace(_OUTCOME, steps=(step,)))
