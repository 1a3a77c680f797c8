"""What every mind must do, for every file in minds/ and on every game it is for.

A mind whose fields all have defaults, or are minds, needs nothing here; another one carries EXAMPLES.
"""

import dataclasses
import shlex
import typing
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from hitonami.core import Effort, Mind, Opinion, Player, Query, open_game
from hitonami.customs import customs_of, games_offered
from hitonami.errors import BadSpec
from hitonami.parts import find_parts, load_part
from hitonami.specs import MindSpec, mind_spec, open_mind

GAMES = [*(name for name in games_offered() if customs_of(name).place < 20), "openspiel:tic_tac_toe"]
"""Games that answer quickly, and one of a name after a colon: a mind does not know which it is asked about."""


def examples_of(kind: str) -> Sequence[dict[str, Any]]:
    part = load_part("minds", kind)
    if hasattr(part, "EXAMPLES"):
        given: Sequence[dict[str, Any]] = part.EXAMPLES
        return given
    hints = typing.get_type_hints(part)
    filled = {
        item.name: "uniform" if hints[item.name] is Mind else ["uniform", "uniform"]
        for item in dataclasses.fields(part)
        if item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
    }
    return [filled]


CASES = [
    pytest.param(game, {"kind": kind} | example, id=f"{kind}-{at}-{game}")
    for kind in find_parts("minds")
    for at, example in enumerate(examples_of(kind))
    for game in getattr(load_part("minds", kind), "GAMES", GAMES)
    if game in GAMES
]


@pytest.fixture
def spec(request: pytest.FixtureRequest, need_program: Callable[[str], str]) -> MindSpec:
    data = dict(request.param)
    if "command" in data:
        need_program(shlex.split(data["command"])[0])
    return mind_spec(data)


def queries_of(game: str, count: int = 4) -> list[Query]:
    """Positions from random play, never finished ones, for players of several levels."""
    rng = np.random.default_rng(11)
    queries = []
    for at in range(count):
        position = open_game(game).start()
        for _ in range(6 * at):
            following = position.play(int(rng.choice(position.legal)))
            if not len(following.legal):
                break
            position = following
        queries.append(Query(position, Player(900.0 + 400 * at, "test"), Player(1500.0, "test")))
    return queries


def check_opinion(query: Query, opinion: Opinion) -> None:
    assert opinion.log_probs.shape == query.position.legal.shape
    assert opinion.log_probs.dtype == np.float32
    assert not np.isnan(opinion.log_probs).any()
    assert np.exp(opinion.log_probs.astype(np.float64)).sum() == pytest.approx(1.0, abs=1e-4)
    if opinion.wdl is not None:
        assert opinion.wdl.shape == (3,)
        assert (opinion.wdl >= 0).all()
        assert opinion.wdl.sum() == pytest.approx(1.0, abs=1e-4)
    for line in opinion.lines:
        position = query.position
        assert line.moves
        for move in line.moves:
            position = position.play(move)


@pytest.mark.parametrize(("game", "spec"), CASES, indirect=["spec"])
def test_opinions_are_aligned_and_normalised(game: str, spec: MindSpec) -> None:
    queries = queries_of(game)
    with open_mind(spec) as mind:
        opinions = mind(queries, Effort.seeded(1))
        assert mind([], Effort.seeded(1)) == []
    assert len(opinions) == len(queries)
    for query, opinion in zip(queries, opinions, strict=True):
        check_opinion(query, opinion)


@pytest.mark.parametrize(("game", "spec"), CASES, indirect=["spec"])
def test_a_batch_equals_its_singles_and_repeats(game: str, spec: MindSpec) -> None:
    queries = queries_of(game, 3)
    loose = 0.35 if getattr(load_part("minds", spec.kind), "INEXACT", False) else 1e-5
    with open_mind(spec) as mind:
        batch = mind(queries, Effort.seeded(1))
        singles = [mind([query], Effort.seeded(1))[0] for query in queries]
    for one, other in zip(batch, singles, strict=True):
        distance = np.abs(np.exp(one.log_probs) - np.exp(other.log_probs)).sum() / 2  # total variation
        assert distance <= loose
        assert (one.wdl is None) == (other.wdl is None)
        if one.wdl is not None and other.wdl is not None:
            assert np.abs(one.wdl - other.wdl).max() <= loose


@pytest.mark.parametrize("kind", find_parts("minds"))
def test_a_spec_survives_plain_data_and_refuses_unknown_keys(kind: str) -> None:
    for example in examples_of(kind):
        spec = mind_spec({"kind": kind} | example)
        assert mind_spec(spec.as_dict()) == spec
        assert hash(spec) == hash(mind_spec(spec.as_dict()))
        with pytest.raises(BadSpec, match="no_such_key"):
            mind_spec(spec.as_dict() | {"no_such_key": 1})


@pytest.mark.parametrize("kind", find_parts("minds"))
def test_every_mind_says_what_it_does(kind: str) -> None:
    part = load_part("minds", kind)
    assert part.__doc__
    assert not part.__doc__.startswith(f"{part.__name__}(")
