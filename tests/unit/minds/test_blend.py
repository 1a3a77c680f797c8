"""Blend: by named minds, and by the heads of the packaged network with fitted weights; what plays by default."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hitonami import dist, levels, minds
from hitonami.core import Effort, Mind, Opinion, Player, Query, open_game
from hitonami.errors import BadSpec
from hitonami.levels import opening_counts as counts
from hitonami.minds import default_mind, neural
from hitonami.minds.blend import Blend
from hitonami.minds.uniform import Uniform
from hitonami.models import shipped
from hitonami.models.card import Heads
from hitonami.models.store import Model, list_models, load_model, write_model
from hitonami.specs import MindSpec, Room, mind_spec, open_mind

SAMPLE = Path(neural.__file__).with_name("_sample_network.pb.gz")
START = open_game("chess").start()


@dataclass(frozen=True)
class Tilted:
    """A mind that is fond of one move."""

    favourite: int

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        scores = np.zeros(len(START.legal))
        scores[self.favourite] = 3.0
        return [Opinion(dist.normalise(scores)) for _ in queries]


@dataclass(frozen=True)
class Sure:
    """A mind with a chance of winning."""

    mind: Mind
    wins: float

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        wdl = np.array([self.wins, 0.0, 1.0 - self.wins], dtype=np.float32)
        return [Opinion(told.log_probs, wdl) for told in self.mind(queries, effort)]


class Shelf(Room):
    """A room in which two names stand for minds of the test's."""

    def __init__(self, held: dict[str, Mind]) -> None:
        super().__init__()
        self._held = held

    def open(self, source: MindSpec | Mapping[str, Any] | str) -> Mind:
        return self._held[str(source)]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that stands for the package's data: no networks, no curves yet."""
    monkeypatch.setattr(shipped, "EMBEDDED", tmp_path / "embedded")
    monkeypatch.setattr(levels, "FOLDER", tmp_path)
    monkeypatch.setattr(counts, "FOLDER", tmp_path)
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    """What was read from the package's data before."""
    levels.forget()
    counts.opening_counts.cache_clear()


def ship(package: Path, heads: Heads, name: str = "chess") -> None:
    """Put the sample network among the packaged ones. Both heads may be one output: their weights are not the point."""
    model = load_model(SAMPLE)
    card = model.card.model_copy(update={"heads": heads, "name": name})
    write_model(Model(card, model.onnx, package), package / "embedded" / name)


def fit(package: Path, pools: dict[str, list[list[float]]]) -> None:
    (package / "chess.json").write_text(json.dumps({"blend": {"weight": {"pool": pools}}}), encoding="utf-8")


def test_the_bare_name_blends_the_packaged_heads_by_the_fitted_weight(package: Path) -> None:
    ship(package, Heads(human="policy", wdl="wdl"))
    ship(package, Heads(expert="policy", wdl="wdl"), "strong")
    fit(package, {"": [[1000, 1.0], [2000, 0.5]], "fide": [[1000, 0.0]]})
    asked = [Player(1000.0), Player(1500.0), Player(2000.0), Player(1500.0, "fide")]
    queries = [Query(START, player) for player in asked]
    with open_mind("blend") as mind, open_mind("human") as human, open_mind("expert") as expert:
        found = mind(queries * 200, Effort.seeded())
        one, other = human(queries, Effort.seeded())[0], expert(queries, Effort.seeded())[0]
    assert len(found) == 800
    for opinion, alpha in zip(found, [1.0, 0.75, 0.5, 0.0] * 200, strict=True):
        expected = dist.mix([one.log_probs, other.log_probs], [alpha, 1 - alpha])
        np.testing.assert_allclose(opinion.log_probs, expected, atol=1e-5)
        assert opinion.wdl is not None


def test_a_weight_of_1_is_all_the_human_and_0_all_the_expert(package: Path) -> None:
    human, expert = Tilted(0), Tilted(3)
    fit(package, {"": [[1000, 1.0], [2000, 0.0]]})
    mind = Blend().open(Shelf({"human": human, "expert": expert}))
    weak, strong = mind([Query(START, Player(1000.0)), Query(START, Player(2000.0))], Effort.seeded())
    assert (dist.best(weak.log_probs), dist.best(strong.log_probs)) == (0, 3)


def test_the_second_mind_is_the_one_that_the_weight_was_fitted_against(package: Path) -> None:
    """Who wins stays the human's word, whatever the other thinks."""
    weight = {"pool": {"": [[1000, 0.0]], "fide": [[1000, 0.0]]}}
    told = {"": {"minds": ["human", "expert"]}, "fide": {"minds": ["human", "ahead"]}}
    (package / "chess.json").write_text(json.dumps({"blend": {"weight": weight | {"provenance": told}}}))
    mind = Blend().open(Shelf({"human": Sure(Tilted(0), 0.9), "expert": Tilted(3), "ahead": Sure(Tilted(5), 0.1)}))
    found = mind([Query(START, Player(1500.0, pool)) for pool in ("fide", "lichess", "fide")], Effort.seeded())
    assert [dist.best(each.log_probs) for each in found] == [5, 3, 5]
    assert [each.wdl.tolist()[0] for each in found if each.wdl is not None] == pytest.approx([0.9] * 3)


def test_what_is_missing_is_said(package: Path) -> None:
    query = Query(START, Player(1500.0))
    with open_mind("blend") as mind, pytest.raises(BadSpec, match=r"no expert network for chess .*there are: none"):
        mind([query], Effort.seeded())
    ship(package, Heads(human="policy"))
    with open_mind("blend") as mind, pytest.raises(BadSpec, match="no expert network for chess"):
        mind([query], Effort.seeded())
    ship(package, Heads(expert="policy"), "strong")
    with open_mind("blend") as mind, pytest.raises(BadSpec, match="weight of blend has not been fitted for chess"):
        mind([query], Effort.seeded())


def test_the_packaged_blend_answers_for_shogi_players_without_a_rank() -> None:
    query = Query(open_game("shogi").start(), Player(pool="shogiwars"))
    with open_mind("blend") as mind, open_mind("human") as human:
        (mixed,), (plain,) = mind([query], Effort.seeded()), human([query], Effort.seeded())
    assert 0.0 < dist.kl(plain.log_probs, mixed.log_probs) < 0.05


def test_fields_must_fit_together() -> None:
    assert repr(mind_spec("blend")) == "blend()"
    with pytest.raises(BadSpec, match="2 minds need as many weights, got 0"):
        Blend(minds=(Uniform(), Uniform()))
    with pytest.raises(BadSpec, match="0 minds need as many weights, got 1"):
        Blend(weights=(1.0,))
    with pytest.raises(BadSpec, match="those of the geometric mean; 'arithmetic' needs its own"):
        Blend(mean="arithmetic")


def test_the_default_is_human_where_such_a_network_is_packaged(package: Path) -> None:
    assert default_mind("chess") == (minds.known_engine("chess") or "playout")
    assert default_mind("hex") == "playout"
    ship(package, Heads(expert="policy"), "strong")
    assert default_mind("chess") != "human"
    ship(package, Heads(human="policy"))
    assert default_mind("chess") == "human"
    assert default_mind("hex") == "playout"


def test_a_damaged_card_is_listed_and_not_chosen(package: Path) -> None:
    ship(package, Heads(human="policy"))
    for name, text in {"a": "{", "b": "[]", "c": '{"game": "chess", "heads": 5}', "d": "{}"}.items():
        (package / "embedded" / name).mkdir()
        (package / "embedded" / name / "card.json").write_text(text, encoding="utf-8")
    assert shipped.shipped_models("human") == {"chess": package / "embedded" / "chess"}
    embedded = {listed.name: bool(listed.problem) for listed in list_models() if listed.origin == "embedded"}
    assert embedded == {"a": True, "b": True, "c": True, "chess": False, "d": True}
