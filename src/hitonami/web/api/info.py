"""What can be played here."""

from fastapi import APIRouter

from hitonami import __version__
from hitonami.customs import games_offered
from hitonami.web.api import REFUSALS, InHall
from hitonami.web.schemas import Info
from hitonami.web.views import show_game

router = APIRouter(prefix="/api", tags=["info"], responses=REFUSALS)


@router.get("/info")
async def describe(hall: InHall) -> Info:
    """The games, their levels and the styles of play that this installation has."""
    return Info(
        version=__version__,
        games=[show_game(name, hall.thinkers.roster) for name in games_offered()],
    )
