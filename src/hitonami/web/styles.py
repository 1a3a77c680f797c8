"""A way to play that the page offers."""

from dataclasses import dataclass

from hitonami.specs import mind_spec


@dataclass(frozen=True)
class Style:
    """A way to play: `mind` is the spec behind it."""

    name: str
    mind: str
    follows_level: bool
    named: bool = False
    """Added by whoever started the server."""
    strengths: int = 0
    """How many strengths of its own it has: `NAME-1` is the weakest."""
    usual_strength: int = 0

    @property
    def shown(self) -> str:
        """What a browser may hear of the mind."""
        return mind_spec(self.mind).kind if self.named else self.mind
