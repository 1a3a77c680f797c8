"""miniosl's 176 planes with who is playing beside them: for networks that began as a miniosl network.

The planes are those of `miniosl` as whole numbers from 0 to 36: a network has to divide them by 36 (ONE) to see
what a miniosl network sees. Nothing is lost, and a batch takes a quarter of the room. The conditioning
never touches the planes, so such a network can start out exactly as the one that it came from. A network from nothing
may be shown fewer of the last moves, or none: what history is worth is then seen by leaving it out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Query
from hitonami.errors import BadInput
from hitonami.games.shogi import ShogiPosition
from hitonami.models.encoders._batch import positions_of
from hitonami.models.encoders._miniosl_planes import AGES, EACH, NOW
from hitonami.models.encoders.miniosl import Miniosl, paint
from hitonami.models.players import encode_players


@dataclass(frozen=True)
class MinioslRated(Miniosl):
    """{"planes": uint8 [B, 64 + 16 · moves, 9, 9], "player": float32 [B, 4 or 6], "pool": int64 [B]}.

    `pools` are the rating pools that the network knows; `clock` adds the mover's remaining time; `moves` is how many
    of the last seven moves are shown.
    """

    pools: tuple[str, ...] = ()
    clock: bool = False
    moves: int = AGES

    def __post_init__(self) -> None:
        if not 0 <= self.moves <= AGES:
            raise BadInput(f"moves must be 0 to {AGES}, got {self.moves}")

    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        planes = paint(positions_of(ShogiPosition, self.game, [query.position for query in queries]))
        shown = np.ascontiguousarray(planes[:, : NOW + EACH * self.moves])
        return {"planes": shown, **encode_players(queries, self.pools, clock=self.clock)}
