"""Minds over a base: the network that is named, what its profile holds, and nothing of the packaged networks'."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hitonami import levels
from hitonami.agent import level_style
from hitonami.bases import over_base
from hitonami.core import Effort, Opinion, Player, Query, open_game
from hitonami.errors import BadInput, BadModel, BadSpec
from hitonami.fits.foresight import write_ranker
from hitonami.levels import draw_exponent, packaged_ranker
from hitonami.levels.profiles import profile_of, profiles_in
from hitonami.levels.rankers import ranker_file
from hitonami.matches.entrants import read_entrant, uses_engine
from hitonami.minds import neural
from hitonami.protocols._trust import check_trusted
from hitonami.specs import mind_spec, open_mind
from hitonami.web.bases import opponents_on
from hitonami.web.opponents import read_roster

SAMPLE = str(Path(neural.__file__).with_name("_sample_network.pb.gz"))
PROFILE = "sample_network"
START = open_game("chess").start()
QUERY = Query(START.play(int(START.legal[0])), Player(1500.0, "lichess"), Player(1500.0, "lichess"))
HANGING = open_game("chess").read("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 20")


def ask(mind: Any, query: Query = QUERY) -> Opinion:
    with open_mind(mind) as opened:
        [opinion] = opened([query], Effort.seeded())
    return opinion


def origin() -> str:
    with open_mind(f"neural:{SAMPLE}") as mind:
        return str(mind.origin)  # type: ignore[attr-defined]


@pytest.fixture
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for the profile of the sample network, among the user's."""
    monkeypatch.setenv("HITONAMI_PROFILES", str(tmp_path))
    (tmp_path / PROFILE).mkdir()
    levels.forget()
    yield tmp_path / PROFILE
    levels.forget()


def write(profile: Path, **methods: Any) -> None:
    (profile / "chess.json").write_text(json.dumps(methods), encoding="utf-8")
    levels.forget()


def fitted(value: float, network: str = "") -> dict[str, Any]:
    made = {"minds": [network or origin()]}
    return {"pool": {"": [[1500, value]]}, "provenance": {"": made}}


def test_names_of_profiles() -> None:
    assert profile_of("") == ""
    assert profile_of("maia3-5m") == profile_of("/nets/maia3-5m.onnx") == profile_of("nets/Maia3-5M.onnx") == "maia3-5m"
    assert profile_of("katago:katago analysis") == "katago"
    assert profile_of("mine.toml") == "mine"
    with pytest.raises(BadInput, match="cannot be a base"):
        profile_of("…")


def test_a_base_without_a_profile_is_the_network_itself(profile: Path) -> None:
    plain, human = ask(f"neural:{SAMPLE}"), ask({"kind": "human", "base": SAMPLE, "openings": False})
    assert np.array_equal(plain.log_probs, human.log_probs)
    assert np.array_equal(plain.wdl, human.wdl)  # type: ignore[arg-type]
    with pytest.raises(BadSpec, match=f"has not been fitted for chess over {PROFILE}: .*--base {PROFILE}"):
        ask(f"blend:{SAMPLE}")
    with pytest.raises(BadModel, match="no model 'nothing'"):
        ask("human:nothing")


def test_what_was_fitted_over_a_base_is_used_where_it_is_that_base(profile: Path) -> None:
    plain = ask(f"neural:{SAMPLE}")
    write(profile, result={"lean": fitted(2.0), "temperature": fitted(1.0), "draws": fitted(0.0)})
    leaning = ask({"kind": "human", "base": SAMPLE})
    assert leaning.wdl is not None
    assert plain.wdl is not None
    assert leaning.wdl[0] / leaning.wdl[2] == pytest.approx(np.exp(2.0) * plain.wdl[0] / plain.wdl[2], rel=1e-3)
    other = fitted(2.0, "network sample, sha256 0")
    write(profile, result={"lean": other, "temperature": other, "draws": other})
    assert np.array_equal(ask({"kind": "human", "base": SAMPLE}).wdl, plain.wdl)  # type: ignore[arg-type]


def test_a_ranker_over_a_base_belongs_to_it(profile: Path, tmp_path: Path) -> None:
    query = replace(QUERY, position=HANGING)
    own = packaged_ranker("chess")
    assert own is not None
    flat = tmp_path / "flat.toml"  # a base may be any mind; the untrained network alone is too sure of itself
    flat.write_text(f'kind = "temper"\nrho = 0.01\nmind = "{SAMPLE}"\n', encoding="utf-8")
    plain = ask(str(flat), query)
    spec = {"kind": "human", "base": str(flat), "openings": False}
    (profile.parent / "flat").mkdir()
    write_ranker(ranker_file(profile.parent / "flat", "chess"), replace(own, provenance={"minds": ["another"]}))
    levels.forget()
    assert np.array_equal(ask(spec, query).log_probs, plain.log_probs)
    write_ranker(ranker_file(profile.parent / "flat", "chess"), replace(own, provenance={"minds": ["flat"]}))
    levels.forget()
    ranked = ask(spec, query)
    assert not np.allclose(ranked.log_probs, plain.log_probs, atol=0.01)
    assert np.array_equal(ask(spec | {"foresight": False}, query).log_probs, plain.log_probs)


def test_a_blend_over_a_base_mixes_it_with_its_own_look_ahead(profile: Path) -> None:
    write(profile, blend={"weight": fitted(0.25)})
    mixed, human, ahead = ask(f"blend:{SAMPLE}"), ask(f"human:{SAMPLE}"), ask(over_base("ahead", SAMPLE))
    wanted = 0.25 * human.log_probs + 0.75 * ahead.log_probs
    wanted -= np.log(np.exp(wanted).sum())
    assert np.allclose(mixed.log_probs, wanted, atol=1e-4)
    assert not np.allclose(ahead.log_probs, human.log_probs, atol=0.01)
    with pytest.raises(BadInput, match="does not stand on a base"):
        over_base("expert", SAMPLE)


def test_the_draw_of_a_level_is_that_of_the_base(profile: Path) -> None:
    write(profile, level={"human": fitted(3.5)})
    style = level_style(f"human:{SAMPLE}")
    assert style == f"human:{PROFILE}"
    assert draw_exponent(style, QUERY) == 3.5
    assert draw_exponent("human", QUERY) != 3.5
    assert draw_exponent(level_style(f"blend:{SAMPLE}"), QUERY) is None


def test_a_fit_elsewhere_comes_before_the_users_own(profile: Path, tmp_path: Path) -> None:
    write(profile, level={"human": fitted(3.5)})
    elsewhere = tmp_path / "elsewhere" / PROFILE
    elsewhere.mkdir(parents=True)
    (elsewhere / "chess.json").write_text(json.dumps({"level": {"human": fitted(1.5)}}), encoding="utf-8")
    levels.forget()
    with profiles_in(elsewhere.parent):
        assert draw_exponent(f"human:{PROFILE}", QUERY) == 1.5
    levels.forget()
    assert draw_exponent(f"human:{PROFILE}", QUERY) == 3.5


def test_programs_behind_a_base_are_known_as_such() -> None:
    assert uses_engine(read_entrant("human:katago:katago analysis@5k", game="go").mind)
    assert not uses_engine(read_entrant(f"human:{SAMPLE}@1500").mind)
    with pytest.raises(BadSpec, match="runs a program, 'katago analysis'"):
        check_trusted(mind_spec("human:katago:katago analysis"))
    with pytest.raises(BadSpec, match=r"no model .* in the stores"):
        check_trusted(mind_spec(f"human:{SAMPLE}"))


def test_the_page_offers_what_stands_on_a_base(profile: Path) -> None:
    assert opponents_on(SAMPLE) == (f"chess:{PROFILE}=human:{SAMPLE}",)
    write(profile, blend={"weight": fitted(0.25)})
    assert opponents_on(SAMPLE)[1] == f"chess:{PROFILE} blend=blend:{SAMPLE}"
    style = read_roster([f"chess:Sample=human:{SAMPLE}"]).style("chess", "Sample")
    assert (style.follows_level, style.shown) == (True, "human")
