"""Whom the players of a record are taken for: what a caller names, else what the record says."""

from hitonami.core import Player
from hitonami.customs import customs_of
from hitonami.errors import BadInput
from hitonami.models.shipped import shipped_models
from hitonami.records import Record
from hitonami.review.walk import AskedLevel
from hitonami.strength.estimate import Calibration, ratings_told


def pool_of(record: Record, given: str = "") -> str:
    """The pool that is named, else the record's, else the one that the game's network knows best."""
    usual = customs_of(record.game).scale.pools[0]
    return given or next((player.pool for player in record.players if player.pool), usual)


def without_levels(record: Record, mind: str, named: bool) -> str:
    """Why no move is asked about at several ratings, "" where moves are.

    The game's people have no ratings to tell apart, or the mind stands in for a human network: the caller named none.
    """
    game = record.game
    if not named and game not in shipped_models("human"):
        return f"no human network for {game} comes with this version, and {mind} knows no levels"
    return "" if customs_of(game).told else f"{game} has no levels"


def no_level(because: str, rating: float | None) -> AskedLevel:
    """Players whom nobody can be taken for. Raises BadInput for a rating."""
    if rating is not None:
        raise BadInput(f"there is no level {rating:g} here: {because}")
    return AskedLevel("", None, (), because)


def level_for(record: Record, pool: str, rating: float | None, calibration: Calibration | None) -> AskedLevel:
    """The level of each side: as given, else as the record says, else the other side's, else the middle of the pool."""
    ratings = ratings_told(record.game, pool, calibration)
    if rating is not None:
        return AskedLevel(pool, (rating, rating), ratings, "as given")
    known = [_known(player, pool) for player in record.players]
    if known == [None, None]:
        middle = calibration.prior_mean if calibration is not None else (ratings[0] + ratings[-1]) / 2
        middle = float(round(middle, -2) if middle > 100 else round(middle))
        return AskedLevel(pool, (middle, middle), ratings, "the record has no ratings; the middle of the pool")
    first, second = known
    told = (first if first is not None else second, second if second is not None else first)
    if told[0] is None or told[1] is None:
        raise BadInput("a level needs a rating")
    because = "the record's ratings" if None not in known else "the record's only rating"
    return AskedLevel(pool, (told[0], told[1]), ratings, because)


def _known(player: Player, pool: str) -> float | None:
    """A rating of another pool is on another scale."""
    return player.rating if player.pool in ("", pool) else None
