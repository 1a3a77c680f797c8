"""Minds over a base that people bring: a public network, or any other mind that knows how people play.

A base is the name of a model (`hitonami models list`), its file, or the text of a mind (`KIND:…`, a TOML file). What
was fitted over it is its profile (`hitonami.levels.profiles`). Its chances are calibrated by the profile, where that
was fitted to this very network; otherwise they are its own.
"""

from collections.abc import Sequence
from typing import Any

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import BadInput, quote
from hitonami.levels import origins_of
from hitonami.levels.profiles import profile_of
from hitonami.levels.rankers import METHOD as FORESIGHT
from hitonami.search.results import METHOD, NEUTRAL, calibrated, read_fitted
from hitonami.specs import MindSpec, Room, base_spec, mind_spec

STYLES = ("human", "blend", "ahead")
"""Minds that stand on a base."""
_SIMULATIONS = 32
"""Of a look ahead over a base, half of those over the packaged network: public networks are larger."""


def over_base(style: str, base: str) -> MindSpec | str:
    """The spec of a style over a base; "" leaves it as it is. Raises BadInput for what stands on none."""
    if not base:
        return style
    if style not in STYLES:
        raise BadInput(f"{quote(style)} does not stand on a base: --base is for human and blend")
    if style != "ahead":
        return mind_spec({"kind": style, "base": base})
    inner: dict[str, Any] = {"kind": "human", "base": base, "symmetries": 1}
    return mind_spec({"kind": "ahead", "mind": inner, "simulations": _SIMULATIONS})


def open_base(room: Room, base: str, symmetries: int = 0) -> Mind:
    """The base itself. Raises BadSpec, BadModel."""
    spec = base_spec(base)
    fields = spec.as_dict()
    if spec.kind == "neural" and symmetries:
        fields |= {"symmetries": symmetries}
    return room.open(fields)


def origin_of(mind: Mind, name: str) -> str:
    """What a mind is, as provenance names it: its network, its program, else the name, which holds no path."""
    known = getattr(mind, "origin", None)
    return known if isinstance(known, str) else name


def origin_of_base(mind: Mind, base: str) -> str:
    """The same of a base, by the name of its profile."""
    return origin_of(mind, profile_of(base))


class BaseMind:
    """A base with its chances calibrated."""

    def __init__(self, mind: Mind, base: str, *, is_calibrated: bool = True) -> None:
        self._mind = mind
        self._profile = profile_of(base)
        self._is_calibrated = is_calibrated
        self.origin = origin_of_base(mind, base)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        answers = self._mind(queries, effort)
        if not self._is_calibrated or not queries or not self.has(METHOD, queries[0].position.game.name):
            return answers
        return calibrated(answers, *(read_fitted(knob, queries, self._profile) for knob in NEUTRAL))

    def has(self, method: str, game: str) -> bool:
        """Whether the profile holds what was fitted by a method to this very base."""
        return self.origin in origins_of(game, method, self._profile)

    def is_ranked(self, game: str) -> bool:
        return self.has(FORESIGHT, game)
