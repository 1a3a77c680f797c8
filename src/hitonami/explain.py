"""Why a mind that has an intuition would make its moves here."""

from hitonami.core import Position
from hitonami.errors import BadInput, quote
from hitonami.intuition.doubt import doubtful
from hitonami.intuition.explaining import Explained, explain
from hitonami.intuition.knowledge import ANY_SIZE, load
from hitonami.knobs import Curve
from hitonami.specs import mind_spec

_KINDS = ("intuition", "dual")
_EPSILON = 0.3


def explain_position(
    position: Position, mind: str, moves: int, patterns: int
) -> tuple[list[Explained], list[int] | None]:
    """The likeliest moves with their reasons, and the moves in doubt where the mind doubts. Raises BadInput."""
    if not len(position.legal):
        raise BadInput(f"there is nothing to explain, the game is over: {position.ending}")
    spec = mind_spec(mind)
    if spec.kind not in _KINDS:
        raise BadInput(f"{quote(mind)} has no patterns to show; intuition and dual have, also as intuition:FILE")
    fields = dict(spec.fields)
    knowledge = load(str(fields.get("file", "")), position.game.name, int(fields.get("size", 0)) or ANY_SIZE)
    explained = explain(knowledge, position, moves, patterns)
    if spec.kind != "dual":
        return explained, None
    epsilon = fields.get("epsilon", _EPSILON)
    if isinstance(epsilon, Curve):
        raise BadInput(f"{quote(mind)} doubts by rating; give epsilon as one number to explain a position")
    chances, _ = knowledge.judge(position)
    return explained, [int(position.legal[at]) for at in doubtful(chances, float(epsilon))]
