"""The README's table of results, from outcomes of experiments. Computes nothing.

The table stands between two marks, so that a command writes it and a test can tell whether it is what the outcomes say.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from hitonami.errors import BadInput
from hitonami.outcomes import ALL, Figure, Outcome, StepFound
from hitonami.report.experiment import figure_text, table_lines, value_text

SHOWN: Final = ("prediction", "prediction-go")
"""Experiments whose steps are the rows, in this order."""
BEGIN: Final = "<!-- results: written by `hitonami experiment results`, not by hand -->"
END: Final = "<!-- end of results -->"
_HEAD: Final = ("games", "n", "mind", "reference", "difference, points (95%)", "nats (95%)")


def result_rows(outcomes: Sequence[Outcome]) -> list[list[str]]:
    """A head, then a row for each step that compares two minds on the same moves."""
    known = {outcome.name: outcome for outcome in outcomes}
    steps = [step for name in SHOWN if name in known for step in known[name].steps]
    return [list(_HEAD), *(row for step in steps for row in _rows_of(step))]


def put_table(text: str, outcomes: Sequence[Outcome], where: str) -> str:
    """The text with the table between its marks. Raises BadInput where the marks are missing."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise BadInput(f"{where}: the table's place is not marked: {BEGIN} … {END}")
    table = "\n".join(table_lines(result_rows(outcomes)))
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def _rows_of(step: StepFound) -> Iterator[list[str]]:
    held = {(each.series, each.name): each for each in step.figures if each.group == ALL}
    series = list(dict.fromkeys(name for name, _ in held))
    for mind in series:
        for other in series:
            gain = held.get((f"{mind} − {other}", "accuracy"))
            nats = held.get((f"{mind} − {other}", "cross-entropy"))
            if gain is not None and nats is not None:
                told = [_told(mind, held), _told(other, held), figure_text(gain), figure_text(nats)]
                yield [step.title, f"{gain.n:,}", *told]


def _told(mind: str, held: dict[tuple[str, str], Figure]) -> str:
    accuracy, nats = held[mind, "accuracy"], held[mind, "cross-entropy"]
    name = f"`{mind}`" if mind in ("human", "blend") else mind
    return f"{name}: {value_text(accuracy.value, accuracy.unit)} / {value_text(nats.value, nats.unit)}"
