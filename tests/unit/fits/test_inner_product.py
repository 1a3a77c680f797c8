"""The inner product against plain values: asked together it is what the mind says, kept, fitted, compared."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.dataset.reading import open_data
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import ask
from hitonami.evaluate.selection import Selection, select
from hitonami.fits.inner_product import AS_GIVEN, Fitting, Sides, ask_values, run_inner_product
from hitonami.minds.inner_product import InnerProduct
from hitonami.minds.uniform import Uniform
from hitonami.terminal.progress import Meter

PLAN = Selection("chess", "none", 12, "finished", seed=3, most_of_a_game=1)
DATA = ["sample:chess"]


@dataclass
class Counting:
    """Results by the number of legal moves, moves by their places: simple, and not the same for any two positions."""

    tilt: float
    asked: list[int] = field(default_factory=list)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        self.asked.append(len(queries))
        return [self._opinion(len(query.position.legal)) for query in queries]

    def _opinion(self, moves: int) -> Opinion:
        logits = self.tilt * np.arange(moves, dtype=np.float64)
        log_probs = (logits - np.logaddexp.reduce(logits)).astype(np.float32)
        win = moves / (moves + 30.0)
        return Opinion(log_probs, np.array([win, 0.1 * (1 - win), 0.9 * (1 - win)], dtype=np.float32))


def test_asked_together_it_is_what_the_mind_says(tmp_path: Path) -> None:
    value, policies = Counting(0.0), {"one": Counting(0.3), "other": Counting(-0.1)}
    drawn = select(open_data(DATA, "chess"), PLAN)
    sides = Sides(policies, {"V": value}, 0.02, tmp_path)
    facts, chances = ask_values(drawn, sides)
    assert list(chances) == ["V", "V by one", "V by other"]
    minds: dict[str, Mind] = {f"V by {name}": InnerProduct(each, value, 0.02) for name, each in policies.items()}
    told = ask(drawn, {"V": value, **minds})
    assert facts.game.tolist() == told.facts.game.tolist()
    for name, own in chances.items():
        assert own == pytest.approx(told.answers[name].wdl, abs=1e-6)


def test_what_was_asked_is_not_asked_again(tmp_path: Path) -> None:
    drawn = select(open_data(DATA, "chess"), PLAN)
    first, again = Counting(0.0), Counting(0.0)
    _, told = ask_values(drawn, Sides({"P": Uniform()}, {"V": first}, folder=tmp_path))
    path = tmp_path / "rows.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]) + lines[-1][:20])  # as a kill leaves it
    _, kept = ask_values(drawn, Sides({"P": Uniform()}, {"V": again}, folder=tmp_path))
    assert again.asked[0] == 1
    assert len(first.asked) == len(again.asked) == 2
    for name, own in told.items():
        assert kept[name] == pytest.approx(own, abs=1e-5)


def test_temperatures_come_from_one_split_and_figures_from_the_other() -> None:
    sides = Sides({"P": Counting(0.2)}, {"V": Counting(0.0), "W": Counting(0.1)})
    plan = Selection("chess", "rating", 40, "finished", split="train", band=400)
    run = run_inner_product(plan, sides, Fitting("validation"), DATA, Meter)
    assert set(run.fits) == set(sides.names)
    names = [each.mind for each in run.held_out.minds]
    assert names == [*sides.names, *(f"{name}: {AS_GIVEN}" for name in sides.names)]
    assert [(pair.a, pair.b) for pair in run.held_out.pairs][:3] == [("V by P", "V"), ("W by P", "W"), ("W", "V")]
    bare = run_inner_product(plan, sides, Fitting("none"), DATA, Meter)
    assert not bare.fits
    assert [each.mind for each in bare.held_out.minds] == sides.names
    with pytest.raises(BadInput, match="fitted to: train"):
        run_inner_product(plan, sides, Fitting("train"), DATA, Meter)


def test_a_value_without_a_view_is_refused() -> None:
    with pytest.raises(BadInput, match="says nothing about results"):
        run_inner_product(PLAN, Sides({"P": Uniform()}, {"V": Uniform()}), Fitting("none"), DATA, Meter)
