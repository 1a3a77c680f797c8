"""The quiz that comes with the package: a game, a guess, the truth. The server keeps nothing of it."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Path

from hitonami.core import open_game
from hitonami.web.api import REFUSALS, here
from hitonami.web.move_log import move_names
from hitonami.web.studies.quiz import QuizGame, quiz_games
from hitonami.web.studies.schemas import Guess, QuizLine, QuizTruth, ShownQuizGame
from hitonami.web.views import show_past

router = APIRouter(prefix="/api/quiz", tags=["bot or not"], responses=REFUSALS)


async def _find(game_id: Annotated[str, Path(pattern="^[0-9a-f]{12}$")]) -> QuizGame:
    return here((await asyncio.to_thread(quiz_games)).get(game_id), "game")


InQuiz = Annotated[QuizGame, Depends(_find)]


@router.get("")
async def games() -> list[QuizLine]:
    """The games that there are; nothing in the list tells who played them."""
    found = (await asyncio.to_thread(quiz_games)).values()
    lines = [QuizLine(id=each.id, game=each.game, size=each.size) for each in found]
    return sorted(lines, key=lambda line: line.id)


@router.get("/{game_id}")
async def show(game: InQuiz) -> ShownQuizGame:
    """The moves of a game."""
    return await asyncio.to_thread(_show, game)


@router.post("/{game_id}")
async def guess(game: InQuiz, guessed: Guess) -> QuizTruth:
    """Who it was."""
    return QuizTruth(
        right=guessed.called_human == game.is_human,
        is_human=game.is_human,
        players=game.players,
        score=game.score,
        source=game.source.name,
        licence=game.source.licence,
    )


def _show(game: QuizGame) -> ShownQuizGame:
    position = game.replay()
    return ShownQuizGame(
        id=game.id,
        game=game.game,
        size=game.size,
        sides=open_game(game.game).sides,
        side=game.judged,
        boards=show_past(position),
        moves=move_names(position),
    )
