"""KataGo's input with who is playing beside it: for networks that began as KataGo networks.

Planes and scalars are those of `katago`. The conditioning never touches them, so such a network can start out exactly
as the one that it came from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from hitonami.core import Query
from hitonami.models.encoders.katago import Katago
from hitonami.models.players import encode_players


@dataclass(frozen=True)
class KatagoRated(Katago):
    """{"planes": uint8 [B, 22, H, H], "scalars": float32 [B, 19], "player": float32 [B, 4 or 6], "pool": int64 [B]}.

    `board` is that of `katago`; `pools` are the rating pools that the network knows; `clock` adds the mover's
    remaining time.
    """

    pools: tuple[str, ...] = ()
    clock: bool = False

    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        return {**super().encode(queries), **encode_players(queries, self.pools, clock=self.clock)}
