"""Reviews of uploaded records, streamed move by move as server-sent events."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from hitonami.web.api import REFUSALS, InHall, Visitor
from hitonami.web.confined import Confined
from hitonami.web.pasted import game_of
from hitonami.web.refusals import Refusal
from hitonami.web.reviews import review, stream
from hitonami.web.schemas import AskedRecords, AskedReview, ListedGames
from hitonami.web.security import LARGEST_BODY_BYTES
from hitonami.web.uploads import Wanted, list_upload, read_upload

router = APIRouter(prefix="/api", tags=["review"], responses=REFUSALS)
_CONTENT: Final = {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}}
_BODY: Final = {
    "requestBody": _CONTENT,
    "responses": {"200": {"description": "start, step …, summary", "content": {"text/event-stream": {}}}},
}


@router.post("/reviews", response_class=StreamingResponse, openapi_extra=_BODY)
async def review_upload(
    request: Request, hall: InHall, visitor: Visitor, asked: Annotated[AskedReview, Query()]
) -> StreamingResponse:
    """Review one game of the record in the body: PGN, KIF, KI2, CSA or SGF, in any of their encodings."""
    content = await _content(request)
    game = game_of(asked.name, content, asked.game)
    wanted = Wanted(game, asked.name, content, asked.number, asked.rating, asked.judge, asked.eyes, visitor)
    hall.thinkers.roster.style(game, asked.eyes, visitor)  # a twin that is not there, or of another game, is told now
    reading: Confined = request.app.state.reading
    chosen = await reading.run(read_upload, wanted)
    turn: asyncio.Semaphore = request.app.state.reviewing
    return StreamingResponse(stream(review(chosen, wanted, hall.thinkers), turn), media_type="text/event-stream")


@router.post("/records", openapi_extra={"requestBody": _CONTENT})
async def list_records(request: Request, asked: Annotated[AskedRecords, Query()]) -> ListedGames:
    """The games of the record in the body, so that one can be chosen; which game it is, is found out."""
    content = await _content(request)
    wanted = Wanted(game_of(asked.name, content, asked.game), asked.name, content)
    reading: Confined = request.app.state.reading
    return await reading.run(list_upload, wanted)


async def _content(request: Request) -> bytes:
    content = await request.body()
    if not content.strip() or len(content) > LARGEST_BODY_BYTES:
        raise Refusal("no-record", "there is no record in this request")
    return content
