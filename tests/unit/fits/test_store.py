"""Fitted curves in a file of levels: merged, read back, refused where it is no such file."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from hitonami import dist, levels
from hitonami.core import Effort, Mind, Opinion, Player, Query, open_game
from hitonami.dataset.reading import Tally
from hitonami.errors import BadInput, BadSpec
from hitonami.evaluate.selection import Selected, Selection
from hitonami.fits.blend import blend_knob
from hitonami.fits.knobs import CurveFit, Fitted
from hitonami.fits.sheet import Sheet
from hitonami.fits.softmax import softmax_knob
from hitonami.fits.store import provenance_of, update_levels
from hitonami.knobs import Curve
from hitonami.levels import read_levels
from hitonami.minds.blend import Blend
from hitonami.specs import Room

FALLING = Curve(((1000.0, 0.9), (2000.0, 0.5)))
LATER = Curve(((1200.0, 0.8), (1900.0, 0.7)))


def fitted(*curves: tuple[str, Curve], softmax: bool = False) -> Fitted:
    found = tuple(CurveFit(pool, curve, 500, -1.0, -1.1, 0.7) for pool, curve in curves)
    return Fitted(softmax_knob() if softmax else blend_knob(), "likelihood", (), found)


def test_what_is_there_stays_and_what_was_fitted_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "chess.json"
    update_levels(path, fitted(("lichess", FALLING)), {"lichess": {"n": 1}}, "")
    assert read_levels(path)["blend"]["weight"] == {"lichess": FALLING, "": FALLING}  # one pool serves all
    update_levels(path, fitted(("fide", LATER)), {"fide": {"n": 2}}, "")
    assert read_levels(path)["blend"]["weight"] == {"lichess": FALLING, "": FALLING, "fide": LATER}
    update_levels(path, fitted(("fide", FALLING), ("ogs", LATER)), {"fide": {"n": 3}, "ogs": {"n": 4}}, "ogs")
    update_levels(path, fitted(("ogs", FALLING), softmax=True), {"ogs": {"n": 5}}, "")
    found = read_levels(path)
    assert found["blend"]["weight"] == {"lichess": FALLING, "": LATER, "fide": FALLING, "ogs": LATER}
    assert found["softmax"]["rho"] == {"ogs": FALLING, "": FALLING}
    made = json.loads(path.read_text(encoding="utf-8"))["blend"]["weight"]["provenance"]
    assert made == {"": {"pool": "ogs", "n": 4}, "fide": {"n": 3}, "lichess": {"n": 1}, "ogs": {"n": 4}}
    assert [each.name for each in tmp_path.iterdir()] == ["chess.json"]


@dataclass(frozen=True)
class Tilted:
    """Likes every next legal move more, or less."""

    slope: float

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [Opinion(dist.normalise(self.slope * np.arange(len(query.position.legal)))) for query in queries]


class Shelf(Room):
    """Holds both heads."""

    def open(self, source: object) -> Mind:
        return Tilted(0.3) if source == "human" else Tilted(-0.2)


def test_the_mind_plays_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    update_levels(tmp_path / "chess.json", fitted(("lichess", FALLING)), {"lichess": {}}, "")
    monkeypatch.setattr(levels, "FOLDER", tmp_path)
    levels.forget()
    try:
        queries = [Query(open_game("chess").start(), Player(rating, "lichess")) for rating in (1000.0, 1500.0, 2500.0)]
        found = Blend().open(Shelf())(queries, Effort.seeded())
    finally:
        levels.forget()
    human, expert = (Tilted(slope)(queries, Effort.seeded())[0].log_probs for slope in (0.3, -0.2))
    for opinion, alpha in zip(found, (0.9, 0.7, 0.5), strict=True):
        np.testing.assert_allclose(opinion.log_probs, dist.mix([human, expert], [alpha, 1 - alpha]), atol=1e-6)


def test_two_pools_at_once_leave_the_rest_unserved_unless_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "go.json"
    update_levels(path, fitted(("kgs", FALLING), ("ogs", LATER)), {"kgs": {}, "ogs": {}}, "")
    assert set(read_levels(path)["blend"]["weight"]) == {"kgs", "ogs"}
    with pytest.raises(BadInput, match="no curve was fitted for the pool 'fox'; there are: kgs, ogs"):
        update_levels(path, fitted(("kgs", FALLING), ("ogs", LATER)), {"kgs": {}, "ogs": {}}, "fox")
    with pytest.raises(BadInput, match="no pool has enough rated decisions"):
        update_levels(path, fitted(), {}, "")


def test_a_file_that_holds_something_else_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    path.write_text('{"blend": 3}', encoding="utf-8")
    with pytest.raises(BadSpec, match="expected a table"):
        update_levels(path, fitted(("a", FALLING)), {"a": {}}, "")
    assert path.read_text(encoding="utf-8") == '{"blend": 3}'
    with pytest.raises(BadInput, match="cannot be written"):
        update_levels(tmp_path / "missing" / "x.json", fitted(("a", FALLING)), {"a": {}}, "")


def test_the_same_decisions_have_the_same_digest(make_sheet: Callable[..., Sheet]) -> None:
    sheet = make_sheet(300, lambda logs, rating: logs[0])
    drawn = Selected(Selection("chess", split="validation"), [], Tally())
    one = provenance_of(fitted(("lichess", FALLING)), drawn, sheet, {"/home/x/a": "a", "b": "b"})["lichess"]
    assert (one["decisions"], one["games"], one["split"], one["minds"]) == (300, 100, "validation", ["a", "b"])
    turned = provenance_of(fitted(("lichess", FALLING)), drawn, sheet.take(np.arange(300)[::-1]), {})["lichess"]
    fewer = provenance_of(fitted(("lichess", FALLING)), drawn, sheet.take(np.arange(299)), {})["lichess"]
    assert turned["decisions_sha256"] == one["decisions_sha256"] != fewer["decisions_sha256"]
