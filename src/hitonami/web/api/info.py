"""What can be played here."""

import asyncio

from fastapi import APIRouter

from hitonami import __version__
from hitonami.customs import games_offered
from hitonami.web.api import REFUSALS, InHall, Visitor
from hitonami.web.board_schemas import Board
from hitonami.web.new_game import first_position
from hitonami.web.schemas import Beginning, Info
from hitonami.web.twins.styles import twin_styles
from hitonami.web.views import show_board, show_game

router = APIRouter(prefix="/api", tags=["info"], responses=REFUSALS)


@router.get("/info")
async def describe(hall: InHall, visitor: Visitor) -> Info:
    """The games, their levels and the styles of play that this installation has, the visitor's twins among them."""
    twins = {} if visitor is None else await asyncio.to_thread(twin_styles, visitor)
    return Info(
        version=__version__,
        games=[show_game(name, hall.thinkers.roster, twins.get(name, ())) for name in games_offered()],
    )


@router.post("/start")
async def show_start(wanted: Beginning) -> Board:
    """How a game begins, to look at. The rules open here; a library behind them may take seconds, once."""
    return await asyncio.to_thread(lambda: show_board(first_position(wanted), movable=False))
