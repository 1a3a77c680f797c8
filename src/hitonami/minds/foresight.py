"""Weigh what a board shows: moves that lose material become less likely, mates likelier, as they are for people.

A small network judges a position by its looks and overlooks what moving the pieces in the head shows. Here the moves
that come to mind are looked at (the game's sights: `hitonami.sights`), and a small ranker that was fitted to people's
moves by rating and pool says how much likelier each is than the inner mind thinks (`hitonami fit GAME foresight`):
beginners act on little of what is seen, masters on most. Moves that did not come to mind keep their share. The result
stays.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from hitonami.core import Effort, LogProbs, Mind, Opinion, Query
from hitonami.errors import BadInput, quote
from hitonami.levels import packaged_ranker
from hitonami.levels.rankers import Ranker, cached_ranker
from hitonami.parts import find_parts
from hitonami.sights import columns_of, look, player_columns, share_out, sights_of


@dataclass(frozen=True)
class Foresight:
    """Any inner mind, with what a ranker says of the moves that come to mind.

    `ranker` is a file that `hitonami fit GAME foresight --out` wrote; without one it is the package's. Players without
    a rating are left as they are where it learned from none.
    """

    mind: Mind
    ranker: str = ""

    GAMES: ClassVar[tuple[str, ...]] = tuple(game for game in find_parts("sights") if packaged_ranker(game))
    """Where the package has one. With a file it is for that file's game."""
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({"mind": "uniform"},)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return _rank_all(self.mind(queries, effort), queries, self._ranker)

    def _ranker(self, game: str) -> Ranker:
        found = cached_ranker(Path(self.ranker)) if self.ranker else packaged_ranker(game)
        if found is None:
            missing = f"{quote(self.ranker)} is no file" if self.ranker else f"no ranker was fitted for {game}"
            raise BadInput(f"foresight has nothing to go by: {missing}")
        if found.game != game:
            raise BadInput(f"the ranker is for {found.game}; it cannot look ahead in {game}")
        return found


@dataclass(frozen=True)
class FittedForesight:
    """The same with the rankers of the package, or of a base's profile; games that are not ranked are left alone."""

    mind: Mind
    is_ranked: Callable[[str], bool]
    profile: str = ""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return self.finish(queries, self.sketch(queries, effort))

    def sketch(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        """The inner mind's word: foresight leaves the result alone."""
        return self.mind(queries, effort)

    def finish(self, queries: Sequence[Query], sketches: Sequence[Opinion]) -> list[Opinion]:
        return _rank_all(
            sketches, queries, lambda game: packaged_ranker(game, self.profile) if self.is_ranked(game) else None
        )


def _rank_all(
    opinions: Sequence[Opinion], queries: Sequence[Query], find: Callable[[str], Ranker | None]
) -> list[Opinion]:
    """Game by game, where there is a ranker, for the players whom it learned from."""
    found = list(opinions)
    for game in dict.fromkeys(query.position.game.name for query in queries):
        if (ranker := find(game)) is None:
            continue
        rows = [
            at
            for at, query in enumerate(queries)
            if query.position.game.name == game
            and (ranker.unrated or query.player.rating is not None)
            and len(query.position.legal)
        ]
        asked = [opinions[at].log_probs for at in rows]
        for at, shifted in zip(rows, rank_moves(ranker, [queries[at] for at in rows], asked), strict=True):
            found[at] = replace(found[at], log_probs=shifted)
    return found


def rank_moves(ranker: Ranker, queries: Sequence[Query], log_probs: Sequence[LogProbs]) -> list[LogProbs]:
    """The log-probabilities of each position, once the moves that came to mind are ranked."""
    if not queries:
        return []
    sights = sights_of(ranker.game)
    if sights is None or columns_of(sights, ranker.pools) != ranker.columns:
        raise BadInput(f"the ranker for {ranker.game} reads what this version does not show: fit it again")
    looked = look(sights, queries, log_probs)
    players = [(query.player, query.opponent) for query in queries]
    told = player_columns(sights, players, ranker.pools, ranker.ratings)
    columns = np.concatenate([looked.columns, np.repeat(told, np.diff(looked.begins), axis=0)], axis=1)
    scores = ranker.score(columns, looked.log_probs, looked.begins)
    flat = np.concatenate(log_probs)
    flat[looked.places] = share_out(scores, looked)
    return np.split(flat, np.cumsum([len(each) for each in log_probs])[:-1])
