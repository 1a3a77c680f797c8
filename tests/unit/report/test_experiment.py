"""Outcomes as text, Markdown and pages; docs/results.md is what its outcomes say."""

from dataclasses import replace
from pathlib import Path

import pytest

from hitonami.errors import BadData
from hitonami.outcomes import Beside, Cloud, Figure, Grid, Outcome, StepFound, read_outcome, write_outcome
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
_BESIDE = (
    Beside("theirs at 1600", "S0", 0.507, "share", "lichess", _FIGURES[1]),
    Beside("no such", "S0", 1.0, "number", "lichess", None),
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
    assert "| theirs at 1600 | 50.7% (S0) | 52.0% (47.0% … 58.0%) | 50 | 1600 |" in lines
    assert "| no such | 1 (S0) | not in this run |  |  |" in lines
    assert any("lichess" not in line and "1600" in line for line in as_lines(_OUTCOME))


def test_the_page_is_whole_and_loads_nothing() -> None:
    text = as_page(_OUTCOME)
    assert "<script" not in text
    assert "src=" not in text
    assert "About &lt;it&gt;." in text
    assert text.count("<figure>") == 1  # one figure over two groups; one published share is no plot
    assert "published" in text
    quick = as_page(replace(_OUTCOME, size="quick"))
    assert "sample games" in quick
    assert "theirs at 1600" not in quick  # games of agents are not set beside figures about people


def test_results_are_what_the_outcomes_say() -> None:
    paths = sorted((_DOCS / "results").glob("*.json"))
    assert paths
    outcomes = [read_outcome(path.read_bytes(), path.name) for path in paths]
    assert (_DOCS / "results.md").read_text(encoding="utf-8") == results_document(outcomes)
    for path, outcome in zip(paths, outcomes, strict=True):
        assert outcome.size == "full"
        assert outcome.name == path.stem
        assert not outcome.beside or any(each.ours is not None for each in outcome.beside)


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
