"""Reviews of uploaded records, streamed move by move as server-sent events."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from hitonami.errors import BadInput
from hitonami.web.api import REFUSALS, InHall
from hitonami.web.confined import Confined
from hitonami.web.reviews import review, stream
from hitonami.web.schemas import AskedReview
from hitonami.web.security import LARGEST_BODY_BYTES
from hitonami.web.uploads import Wanted, read_upload

router = APIRouter(prefix="/api", tags=["review"], responses=REFUSALS)
_BODY: Final = {
    "requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}},
    "responses": {"200": {"description": "start, step …, summary", "content": {"text/event-stream": {}}}},
}


@router.post("/reviews", response_class=StreamingResponse, openapi_extra=_BODY)
async def review_upload(request: Request, hall: InHall, asked: Annotated[AskedReview, Query()]) -> StreamingResponse:
    """Review one game of the record in the body: PGN, KIF, KI2, CSA or SGF, in any of their encodings."""
    content = await request.body()
    if not content.strip() or len(content) > LARGEST_BODY_BYTES:
        raise BadInput("there is no record in this request")
    wanted = Wanted(asked.game, asked.name, content, asked.number, asked.rating, asked.judge)
    reading: Confined = request.app.state.reading
    chosen = await reading.run(read_upload, wanted)
    turn: asyncio.Semaphore = request.app.state.reviewing
    return StreamingResponse(stream(review(chosen, wanted, hall.thinkers), turn), media_type="text/event-stream")
