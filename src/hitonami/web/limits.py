"""How much one visitor may ask of a server: requests, games begun, games kept.

Visitors are told apart by their address, since anything else can be thrown away. On a machine's own server the limits
only stop a program that runs wild.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from time import monotonic
from typing import Final

from starlette.types import Scope

_MOST_ADDRESSES: Final = 10_000


@dataclass(frozen=True)
class Limits:
    """Of one address; games and twins that are kept are counted by the browser that began them."""

    requests_a_minute: int
    requests_at_once: int
    games_a_minute: int
    games_kept: int
    twins_kept: int = 10


PRIVATE: Final = Limits(60_000, 1_000, 6_000, 100_000, 1_000)
SHARED: Final = Limits(1_200, 64, 60, 2_000)


class Meter:
    """An allowance for each address, which fills up again evenly within a minute."""

    def __init__(self, a_minute: int, now: Callable[[], float] = monotonic) -> None:
        self._a_minute = a_minute
        self._now = now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """What was left, and when."""

    def wait_seconds(self, who: str) -> float:
        """How long until there is something to take; 0 where there is."""
        return max(0.0, (1.0 - self._look(who)) * 60 / self._a_minute)

    def take(self, who: str) -> float:
        """Take one, and 0; or what to wait, where there is none."""
        wait = self.wait_seconds(who)
        if wait == 0.0:
            self._left[who] = (self._look(who) - 1.0, self._now())
            self._left.move_to_end(who)
            if len(self._left) > _MOST_ADDRESSES:
                self._left.popitem(last=False)
        return wait

    def _look(self, who: str) -> float:
        left, then = self._left.get(who, (float(self._a_minute), self._now()))
        return min(float(self._a_minute), left + (self._now() - then) * self._a_minute / 60)


def address_of(scope: Scope) -> str:
    """Whose request it is: an address, or the network of one where everybody has billions (IPv6)."""
    client = scope.get("client")
    name = client[0] if client else ""
    try:
        found = ip_address(name)
    except ValueError:
        return str(name)
    return str(IPv6Address(int(found) >> 64 << 64)) if isinstance(found, IPv6Address) else name
