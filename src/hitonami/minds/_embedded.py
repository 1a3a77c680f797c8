"""The networks that ship with the package, one a game, found when a position of that game is asked about.

Their results are calibrated by what was fitted to games of people (docs/winrate.md), unless the raw ones are asked for.
A calibration that was fitted to another network than the one that is here is left alone: the network's own chances are
nearer the truth.
"""

from collections.abc import Sequence
from pathlib import Path

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import BadSpec
from hitonami.levels import origins_of
from hitonami.models.card import Head
from hitonami.models.fitted import origin_of
from hitonami.models.shipped import shipped_models
from hitonami.search.results import METHOD, NEUTRAL, calibrated, read_fitted
from hitonami.specs import Room


class EmbeddedMind:
    """Asks the packaged network of each query's game. Networks are loaded at the first query that needs them."""

    def __init__(self, room: Room, head: Head, *, is_calibrated: bool = True, symmetries: int = 0) -> None:
        self._room = room
        self._head: Head = head
        self._is_calibrated = is_calibrated
        self._symmetries = symmetries
        self._models = shipped_models(head)
        self._fitted: dict[str, bool] = {}

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions: list[Opinion | None] = [None] * len(queries)
        for game in dict.fromkeys(query.position.game.name for query in queries):
            rows = [at for at, query in enumerate(queries) if query.position.game.name == game]
            asked = [queries[at] for at in rows]
            answers = self._mind(game)(asked, effort)
            if self._is_calibrated and self._has_calibration(game):
                answers = calibrated(answers, *(read_fitted(knob, asked) for knob in NEUTRAL))
            for at, opinion in zip(rows, answers, strict=True):
                opinions[at] = opinion
        return [opinion for opinion in opinions if opinion is not None]

    def _has_calibration(self, game: str) -> bool:
        """Whether what was fitted to results was fitted to this network."""
        if game not in self._fitted:
            self._fitted[game] = is_fitted_to(self._models[game], game, METHOD)
        return self._fitted[game]

    def _mind(self, game: str) -> Mind:
        if game not in self._models:
            there = ", ".join(sorted(self._models)) or "none"
            raise BadSpec(
                f"no {self._head} network for {game} comes with this version (there are: {there}); "
                "name another mind, or add a network with `hitonami models add` and use neural:NAME"
            )
        model = str(self._models[game])
        return self._room.open({"kind": "neural", "model": model, "head": self._head, "symmetries": self._symmetries})


def is_fitted_to(model: Path, game: str, method: str) -> bool:
    """Whether what the package holds of a method was fitted to this model."""
    return origin_of(model) in origins_of(game, method)
