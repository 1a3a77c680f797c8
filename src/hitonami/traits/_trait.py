"""One thing that is measured of how somebody plays."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Trait:
    """Its name for programs, and in words. A share is shown in percent."""

    name: str
    words: str
    share: bool = False
