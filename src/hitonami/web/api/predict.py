"""What people of each level would play in a position, and how often they win from there."""

import asyncio
from typing import Final

import numpy as np
from fastapi import APIRouter

from hitonami.core import Effort, Position
from hitonami.customs import Scale
from hitonami.models.self_played import expert_sees
from hitonami.predict import Prediction, last_open, predict
from hitonami.scales import scale_of
from hitonami.web.api import REFUSALS, InHall, Visitor
from hitonami.web.likely import Candidate, ExpertView, Foretold
from hitonami.web.move_log import move_names
from hitonami.web.new_game import check_level, chosen_setup
from hitonami.web.pasted import position_at, read_line
from hitonami.web.refusals import Refusal
from hitonami.web.schemas import AskedPrediction
from hitonami.web.styles import Style
from hitonami.web.thinking import Thinkers
from hitonami.web.views import show_board, show_style

router = APIRouter(prefix="/api", tags=["predict"], responses=REFUSALS)
_USUAL_LEVELS: Final = 9
_MOST_CANDIDATES: Final = 24
_EXPERT_CANDIDATES: Final = 3


@router.post("/predict")
async def foretell(asked: AskedPrediction, hall: InHall, visitor: Visitor) -> Foretold:
    """Move probabilities for several levels; the opponent is taken to be of the same level."""
    return await asyncio.to_thread(_foretell, asked, hall.thinkers, visitor)


def _foretell(asked: AskedPrediction, thinkers: Thinkers, visitor: str | None) -> Foretold:
    scale, style = scale_of(asked.game), thinkers.roster.style(asked.game, asked.style, visitor)
    _, pool = check_level(asked.game, None, asked.pool)
    end = read_line(asked.game, chosen_setup(asked), asked.text)
    position = position_at(end, asked.ply)
    if asked.moves:
        end = position = _play_on(position, asked.moves)
    wished, position = position, _last_open(position)
    ratings = sorted(set(asked.ratings)) or _usual_ratings(scale)
    known: list[float | None] = [*ratings] if style.follows_level else [None]
    prediction = predict(thinkers.mind(style.mind), position, known, pool, Effort.seeded())
    repeated = len(ratings) // len(known)  # a mind that does not follow the level says the same at each
    expert = _ask_expert(position, style, known[:1], pool, thinkers)
    shown = prediction.order()[:_MOST_CANDIDATES]
    if expert is not None:
        shown += [at for at in expert.order()[:_EXPERT_CANDIDATES] if at not in shown]
    table = np.array([view.probabilities for view in prediction.views] * repeated)
    return Foretold(
        game=asked.game,
        board=show_board(position),
        ply=position.ply,
        plies=end.ply,
        moves=move_names(end),
        played=_played(end, position),
        ratings=ratings,
        pool=pool,
        style=show_style(style),
        candidates=[_candidate(prediction, table[:, at].tolist(), at) for at in shown],
        others=np.clip(1.0 - table[:, shown].sum(axis=1), 0.0, 1.0).tolist(),
        scores=_scores(prediction, position.to_move) * repeated,
        expert=None if expert is None else _expert_view(expert, shown, position.to_move),
        ended=None if position is wished else wished.ending,
    )


def _last_open(position: Position) -> Position:
    found = last_open(position)
    if found is None:
        raise Refusal("over", f"there is nothing to predict, the game is over: {position.ending}")
    return found


def _play_on(position: Position, moves: str) -> Position:
    """Moves that the visitor made on the board."""
    for text in moves.split():
        position = position.play(position.game.parse(position, text))
    return position


def _ask_expert(
    position: Position, style: Style, ratings: list[float | None], pool: str, thinkers: Thinkers
) -> Prediction | None:
    """The expert head's view beside another style's; None where the package has no such head."""
    if style.name == "expert" or not expert_sees(position):
        return None
    return predict(thinkers.mind("expert:0"), position, ratings, pool, Effort.seeded())


def _expert_view(expert: Prediction, shown: list[int], to_move: int) -> ExpertView:
    shares = expert.views[0].probabilities
    return ExpertView(probabilities=[shares[at] for at in shown], score=_scores(expert, to_move)[0])


def _usual_ratings(scale: Scale) -> list[float]:
    places = np.linspace(scale.low, scale.high, _USUAL_LEVELS)
    return [float(round(place / scale.step) * scale.step) for place in places]


def _candidate(prediction: Prediction, probabilities: list[float], at: int) -> Candidate:
    return Candidate(move=prediction.moves[at], name=prediction.names[at], probabilities=probabilities)


def _scores(prediction: Prediction, to_move: int) -> list[float | None]:
    own = [view.expected_score for view in prediction.views]
    return [None if score is None else score if to_move == 0 else 1.0 - score for score in own]


def _played(end: Position, position: Position) -> str | None:
    here = end
    while here.ply > position.ply + 1 and here.before is not None:
        here = here.before
    if here.ply != position.ply + 1 or here.last_move is None or here.before is None:
        return None
    return position.game.format(here.before, here.last_move)
