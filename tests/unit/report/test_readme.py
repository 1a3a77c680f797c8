"""The README's table is what the outcomes in docs/results say, and is put between its marks alone."""

from pathlib import Path

import pytest

from hitonami.errors import BadInput
from hitonami.outcomes import Figure, Outcome, StepFound, read_outcome
from hitonami.report.readme import BEGIN, END, SHOWN, put_table, result_rows

_ROOT = Path(__file__).parents[3]


def outcome_of(name: str) -> Outcome:
    figures = []
    for series, accuracy, nats in (("human", 0.526, 1.5), ("Maia 1900", 0.518, 1.548)):
        figures.append(Figure("1600", "accuracy", series, 20, 0.1, 0.0, 0.2, "share"))
        figures.append(Figure("all", "accuracy", series, 5421, accuracy, 0.5, 0.6, "share"))
        figures.append(Figure("all", "cross-entropy", series, 5421, nats, 1.4, 1.6, "nats"))
    figures.append(Figure("all", "accuracy", "human − Maia 1900", 5421, 0.008, 0.001, 0.016, "points"))
    figures.append(Figure("all", "cross-entropy", "human − Maia 1900", 5421, -0.048, -0.06, -0.03, "nats more"))
    step = StepFound("lichess", "Chess, Lichess", "evaluate", "ab", {}, tuple(figures))
    return Outcome(name, "Prediction", "", "full", "1.0", (step,), (), ())


def test_a_row_for_each_comparison() -> None:
    assert result_rows([outcome_of("prediction"), outcome_of("blend")])[1:] == [
        ["Chess, Lichess", "5,421", "`human`: 52.6% / 1.500", "Maia 1900: 51.8% / 1.548", "+0.8 (+0.1 … +1.6)",
         "-0.048 (-0.060 … -0.030)"]
    ]  # fmt: skip


def test_only_what_stands_between_the_marks_is_written() -> None:
    text = f"# Title\n\n{BEGIN}\nold\n{END}\n\nmore\n"
    written = put_table(text, [outcome_of("prediction")], "README.md")
    assert written.startswith("# Title\n\n" + BEGIN + "\n| games |")
    assert written.endswith(f"|\n{END}\n\nmore\n")
    assert "old" not in written
    assert put_table(written, [outcome_of("prediction")], "README.md") == written
    with pytest.raises(BadInput, match="README"):
        put_table("# Title\n", [], "README.md")


def test_the_readme_says_what_the_outcomes_say() -> None:
    paths = [_ROOT / "docs" / "results" / f"{name}.json" for name in SHOWN]
    outcomes = [read_outcome(path.read_bytes(), path.name) for path in paths if path.is_file()]
    assert outcomes
    text = (_ROOT / "README.md").read_text(encoding="utf-8")
    assert put_table(text, outcomes, "README.md") == text
