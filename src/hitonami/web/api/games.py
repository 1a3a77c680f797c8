"""Games against the minds of the package: begin, play, take back, ask for a hint, end, save."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from hitonami.customs import customs_of
from hitonami.errors import BadInput, alternatives, quote
from hitonami.records import write_record
from hitonami.web.actors import Actor, expected_score
from hitonami.web.api import REFUSALS, InHall, Visitor, here, remember_visitor
from hitonami.web.board_schemas import Board
from hitonami.web.database import ID_PATTERN
from hitonami.web.games_store import StoredGame
from hitonami.web.hall import Hall
from hitonami.web.likely import Chances, Hint, LikelyMove
from hitonami.web.limits import Limits, address_of
from hitonami.web.new_game import plan_again, plan_game
from hitonami.web.refusals import TooMany
from hitonami.web.schemas import GameLine, GameState, NewGame, Rating, SentDead, SentMove, SentPace
from hitonami.web.views import (
    count_with,
    show_board,
    show_clock,
    show_count,
    show_owners,
    show_past,
    show_style,
)

router = APIRouter(prefix="/api/games", tags=["games"], responses=REFUSALS)
GameId = Annotated[str, Path(pattern=ID_PATTERN)]
_MEDIA = {"pgn": "application/x-chess-pgn", "sgf": "application/x-go-sgf"}


async def _find_actor(game_id: GameId, hall: InHall) -> Actor:
    return here(await hall.find(game_id), "game")


InGame = Annotated[Actor, Depends(_find_actor)]


@router.post("", status_code=201)
async def begin(wanted: NewGame, hall: InHall, visitor: Visitor, request: Request, response: Response) -> GameState:
    """Begin a game. It is kept until the database is removed."""
    visitor = await _admit(hall, visitor, request, response)
    planned = await hall.crew.do("reading", plan_game, wanted, hall.thinkers.roster, visitor)
    return _state(await hall.begin(planned))


@router.post("/{game_id}/again", status_code=201)
async def begin_again(actor: InGame, hall: InHall, visitor: Visitor, request: Request, response: Response) -> GameState:
    """Begin the same game from its start, on the same board and with the same clock, with the sides changed."""
    visitor = await _admit(hall, visitor, request, response)
    return _state(await hall.begin(plan_again(actor.stored, hall.thinkers.roster, visitor)))


async def _admit(hall: Hall, visitor: str | None, request: Request, response: Response) -> str:
    """Who begins a game. Raises TooMany where that are too many games."""
    limits: Limits = request.app.state.limits
    kept = limits.games_kept
    if request.app.state.beginning.take(address_of(request.scope)):
        raise TooMany("many-games", "too many games were begun from this address; please wait a minute")
    if visitor is not None and await hall.crew.do("store", hall.store.count, visitor) >= kept:
        raise TooMany("games-kept", f"{kept} games are kept here for a visitor, and you have as many", {"count": kept})
    return remember_visitor(request, response) if visitor is None else visitor


@router.get("")
async def recent(hall: InHall, visitor: Visitor, count: Annotated[int, Query(ge=1, le=100)] = 12) -> list[GameLine]:
    """The visitor's own latest games, for going on with them."""
    if visitor is None:
        return []
    return [_line(stored) for stored in await hall.crew.do("store", hall.store.recent, visitor, count)]


@router.get("/{game_id}")
async def show(actor: InGame) -> GameState:
    """The game as it stands. A flag that has fallen ends it."""
    await actor.look()
    return _state(actor)


@router.get("/{game_id}/boards")
async def past(actor: InGame, hall: InHall) -> list[Board]:
    """Every position of the game, first to last, to look back at. Nothing can be moved in them."""
    return await hall.crew.do("reading", show_past, actor.table.position)


@router.post("/{game_id}/moves")
async def play(actor: InGame, sent: SentMove) -> GameState:
    """The visitor's move. 409 where it was meant for another position than the present one."""
    await actor.play(sent.move, sent.ply)
    return _state(actor)


@router.post("/{game_id}/answer")
async def answer(actor: InGame) -> GameState:
    """Wait for the opponent, at a person's pace where the game was begun so. Asking again is harmless."""
    await actor.answer()
    return _state(actor)


@router.post("/{game_id}/undo")
async def undo(actor: InGame) -> GameState:
    """Take back to the visitor's previous turn."""
    await actor.undo()
    return _state(actor)


@router.post("/{game_id}/resign")
async def resign(actor: InGame) -> GameState:
    """Give the game up."""
    await actor.resign()
    return _state(actor)


@router.post("/{game_id}/draw")
async def ask_for_draw(actor: InGame) -> GameState:
    """Claim what the rules give (a win first), else offer a draw; no outcome means that it is declined."""
    await actor.ask_for_draw()
    return _state(actor)


@router.post("/{game_id}/pace")
async def set_pace(actor: InGame, sent: SentPace) -> GameState:
    """Let the opponent answer at once, or at a person's pace."""
    await actor.set_pace(sent.pace)
    return _state(actor)


@router.post("/{game_id}/dead")
async def mark_dead(actor: InGame, sent: SentDead) -> GameState:
    """Go, after two passes: count again with these stones dead."""
    await actor.mark_dead(sent.dead)
    return _state(actor)


@router.get("/{game_id}/hint")
async def hint(actor: InGame, rating: Rating | None = None, count: Annotated[int, Query(ge=1, le=30)] = 5) -> Hint:
    """What players of a level (the opponent's where none is given) would play here."""
    position, moves = await actor.hint(rating, count)
    game = position.game
    return Hint(
        rating=actor.stored.rating if rating is None else rating,
        pool=actor.stored.pool,
        mind=actor.judge.shown,
        moves=[
            LikelyMove(move=game.format(position, move), name=game.describe(position, move), probability=chance)
            for move, chance in moves
        ],
    )


@router.get("/{game_id}/chances")
async def chances(actor: InGame) -> Chances:
    """How often the first player wins from here, between players of the opponent's level."""
    found = await actor.chances()
    win, draw, loss = found or (None, None, None)
    return Chances(score=expected_score(found), win=win, draw=draw, loss=loss)


@router.get("/{game_id}/record", response_class=Response)
async def save(actor: InGame, hall: InHall, kind: Annotated[str, Query(max_length=10)]) -> Response:
    """The game as a file: in what its people use, or as plain text."""
    known = dict.fromkeys((*customs_of(actor.stored.game).records, "plain"))
    if kind not in known:
        raise BadInput(f"{actor.stored.game} cannot be saved as {quote(kind)}; {alternatives(kind, known)}")
    text = await hall.crew.do("reading", write_record, actor.record(), kind)
    name = f"hitonami-{actor.stored.id}.{kind}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode(), media_type=f"{_MEDIA.get(kind, 'text/plain')}; charset=utf-8", headers=headers)


def _state(actor: Actor) -> GameState:
    """The game as it stands. Quick enough for the event loop: what is slow was done when the move was made."""
    stored, table = actor.stored, actor.table
    position, outcome = table.position, table.outcome
    count = count_with(position, stored.dead)
    dead = {"owners": show_owners(count), "dead": list(stored.dead)}
    return GameState(
        id=stored.id,
        game=stored.game,
        sides=position.game.sides,
        you=stored.human_side,
        your_turn=outcome is None and position.to_move == stored.human_side,
        ply=position.ply,
        board=show_board(position).model_copy(update=dead),
        moves=actor.log.names(position),
        outcome=outcome,
        count=show_count(count),
        undoable=table.undoable,
        claim=actor.claim,
        style=show_style(actor.style),
        judge=show_style(actor.judge),
        rating=stored.rating,
        pool=stored.pool,
        pace="human" if stored.pace == "human" else "instant",
        clock=show_clock(actor.watch, outcome is not None),
        offered=actor.offered,
    )


def _line(stored: StoredGame) -> GameLine:
    return GameLine(
        id=stored.id,
        game=stored.game,
        size=stored.setup.size,
        you=stored.human_side,
        style=stored.style,
        rating=stored.rating,
        ply=len(stored.moves),
        outcome=stored.outcome,
        changed_at=stored.changed_at,
    )
