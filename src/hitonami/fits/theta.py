"""Θ = (τ, t, c_puct), the knobs of a search that are fitted to a level, and the lattice that they are looked for on."""

from dataclasses import dataclass
from typing import Final

from hitonami.fits._descent import Box, Place

KNOBS: Final = ("tau", "prior_temperature", "c_puct")
OCTAVE: Final = 8
"""Places of an octave: all values are powers of 2^(1/8)."""
START: Final[Place] = (0, 0, 4)
BOX: Final[Box] = ((-16, -8, -24), (24, 24, 40))
"""τ from 1/4 to 8, t from 1/2 to 8, c_puct from 1/8 to 32."""


@dataclass(frozen=True)
class Theta:
    """The three knobs."""

    tau: float
    prior_temperature: float
    c_puct: float

    @classmethod
    def at(cls, place: Place) -> "Theta":
        return cls(*(2.0 ** (each / OCTAVE) for each in place))

    @property
    def values(self) -> tuple[float, float, float]:
        return self.tau, self.prior_temperature, self.c_puct
