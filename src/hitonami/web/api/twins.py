"""Twins of people, made from records that the visitor sends: send, say whose games, make, stop, go on, forget."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from hitonami.web.api import REFUSALS, Visitor, remember_visitor
from hitonami.web.confined import Confined
from hitonami.web.database import ID_PATTERN
from hitonami.web.refusals import Refusal
from hitonami.web.twins.desk import TwinDesk
from hitonami.web.twins.drafts import MOST_BYTES, MOST_FILES, Piece, find_people
from hitonami.web.twins.schemas import FoundPeople, HeldPiece, NewTwin, SentPiece, ShownDraft, ShownTwin

router = APIRouter(prefix="/api/twins", tags=["twins"], responses=REFUSALS)
_CONTENT: Final = {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}}


async def _desk(request: Request) -> TwinDesk:
    desk: TwinDesk = request.app.state.twins
    return desk


async def _owner(visitor: Visitor) -> str:
    """Who has twins here. Raises Refusal for somebody who cannot have any yet."""
    if visitor is None:
        raise Refusal("no-twin", "there is no such twin here")
    return visitor


Owner = Annotated[str, Depends(_owner)]
AtDesk = Annotated[TwinDesk, Depends(_desk)]
DraftId = Annotated[str, Path(pattern=ID_PATTERN)]
TwinName = Annotated[str, Path(max_length=40)]


@router.get("")
async def list_own(desk: AtDesk, visitor: Visitor) -> list[ShownTwin]:
    """The visitor's own twins, made and in the making."""
    return [] if visitor is None else await desk.show(visitor)


@router.post("/drafts", status_code=201)
async def begin_draft(desk: AtDesk, visitor: Visitor, request: Request, response: Response) -> ShownDraft:
    """A place for records that will be a twin. What was sent before without one is dropped."""
    if visitor is None:
        visitor = remember_visitor(request, response)
    draft = await asyncio.to_thread(desk.drafts.begin, visitor)
    return ShownDraft(id=draft.id, most_bytes=MOST_BYTES, most_files=MOST_FILES)


@router.post("/drafts/{draft_id}/pieces", openapi_extra={"requestBody": _CONTENT})
async def add_piece(
    draft_id: DraftId, desk: AtDesk, visitor: Visitor, request: Request, sent: Annotated[SentPiece, Query()]
) -> HeldPiece:
    """A piece of a file. Sent twice it counts once; 409 where one before it is missing."""
    draft = desk.drafts.find(draft_id, visitor)
    piece = Piece(sent.file, sent.name, sent.offset, await request.body())
    return HeldPiece(held=await asyncio.to_thread(desk.drafts.add, draft, piece, sent.game))


@router.get("/drafts/{draft_id}/people")
async def list_people(draft_id: DraftId, desk: AtDesk, visitor: Visitor, request: Request) -> FoundPeople:
    """Who played the games that were sent."""
    draft = desk.drafts.find(draft_id, visitor)
    reading: Confined = request.app.state.reading
    if not draft.paths:
        raise Refusal("no-record", "there is no record in this request")
    draft.found = await reading.run(find_people, (draft.game, tuple(map(str, draft.paths.values()))))
    return draft.found


@router.post("", status_code=201)
async def make(wanted: NewTwin, desk: AtDesk, owner: Owner) -> list[ShownTwin]:
    """Make a twin of one person in what was sent."""
    if not wanted.consent:
        raise Refusal("no-consent", "a twin of a person is made of one's own games, or where that person agreed")
    if not wanted.player.strip():
        raise Refusal("no-player", "say whose games these are")
    await desk.begin(desk.drafts.find(wanted.draft, owner), owner, wanted.name, wanted.player)
    return await desk.show(owner)


@router.post("/{name}/stop")
async def stop(name: TwinName, desk: AtDesk, owner: Owner) -> list[ShownTwin]:
    """End the making for now; what was asked is kept."""
    await desk.stop(owner, name)
    return await desk.show(owner)


@router.post("/{name}/resume")
async def resume(name: TwinName, desk: AtDesk, owner: Owner) -> list[ShownTwin]:
    """Go on with a twin that was stopped."""
    desk.resume(owner, name)
    return await desk.show(owner)


@router.delete("/{name}", status_code=204)
async def forget(name: TwinName, desk: AtDesk, owner: Owner) -> None:
    """Remove all that is kept of a twin, finished or not."""
    await desk.forget(owner, name)
