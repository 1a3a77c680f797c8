"""The application: routers, guard, errors as answers, and the built front end.

It holds no state but its hall of games. A page's address is answered with the one HTML file; which page it is, the
front end reads from the address.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import FastAPI, HTTPException, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from hitonami import __version__
from hitonami.errors import BadInput, HitonamiError
from hitonami.web.api import games, info, predict, quiz, reports, review, studies, twins
from hitonami.web.confined import Confined
from hitonami.web.crew import Crew, widen_default
from hitonami.web.database import ID_PATTERN, Database, open_database
from hitonami.web.doors import check_token
from hitonami.web.games_store import GamesStore
from hitonami.web.hall import Hall
from hitonami.web.limits import PRIVATE, SHARED, Limits, Meter
from hitonami.web.opponents import read_roster
from hitonami.web.refusals import OutOfStep, TooMany, body_of, plain
from hitonami.web.reports import REPORT_ID, ReportShelf
from hitonami.web.reviews import AT_ONCE
from hitonami.web.security import LARGEST_BODY_BYTES, Guard
from hitonami.web.studies.desk import Desk
from hitonami.web.studies.pace import CommonPace
from hitonami.web.studies.store import StudiesStore
from hitonami.web.thinking import Thinkers
from hitonami.web.twins.desk import TwinDesk
from hitonami.web.uploads import read_one_of_each

_STATUSES: Final = {OutOfStep: 409, TooMany: 429, BadInput: 400}
_CODES: Final = {403: "needs-key", 404: "not-here", 408: "too-slow", 413: "too-large"}
STATIC: Final = Path(__file__).with_name("static")


@dataclass(frozen=True)
class Settings:
    """How a server is started."""

    database: str = ""
    """A SQLAlchemy URL; the user's own SQLite file where it is empty."""
    token: str | None = None
    """Asked of every visitor; without one only this machine is served."""
    studies: Path | None = None
    """A folder of reports to show."""
    opponents: tuple[str, ...] = ()
    """Opponents to offer beside those of the installation, as GAME:NAME=MIND."""
    limits: Limits | None = None
    """What one visitor may ask; the usual ones where there are none."""
    study_seconds: float = 3.0
    """How long hidden opponents take for a move, in the middle."""


def create_app(settings: Settings | None = None, database: Database | None = None) -> FastAPI:
    """The application. Its database is opened when it starts, where it is given none; minds when they are asked.

    Raises BadInput for opponents or a token that cannot be.
    """
    chosen = settings or Settings()
    check_token(chosen.token)
    limits = chosen.limits or (SHARED if chosen.token else PRIVATE)
    shelf, roster = ReportShelf(chosen.studies), read_roster(chosen.opponents)

    @asynccontextmanager
    async def live(app: FastAPI) -> AsyncIterator[None]:
        kept, thinkers, crew = database or open_database(chosen.database), Thinkers(roster), Crew()
        widen_default()
        app.state.shared = chosen.token is not None
        app.state.limits = limits
        app.state.beginning = Meter(limits.games_a_minute)
        app.state.shelf = shelf
        app.state.reviewing = asyncio.Semaphore(AT_ONCE)
        app.state.reading = reading = Confined(read_one_of_each)
        app.state.hall = hall = Hall(GamesStore(kept), thinkers, crew)
        app.state.desk = desk = Desk(StudiesStore(kept), thinkers, CommonPace(chosen.study_seconds))
        app.state.twins = making = TwinDesk(limits.twins_kept)
        try:
            await desk.open_again()
            making.open_again(app.state.shared)
            yield
        finally:
            reading.close()
            await making.close()
            await hall.close()
            leaving = asyncio.create_task(desk.close())
            await asyncio.sleep(0)  # it is told first, so that a study whose mind stops answering has not failed
            await asyncio.to_thread(thinkers.close)
            await leaving
            crew.close()
            kept.close()

    app = FastAPI(
        title="Hitonami",
        version=__version__,
        lifespan=live,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=4)
    app.add_middleware(Guard, token=chosen.token, limits=limits)
    for family in (info, games, predict, review, twins, studies, quiz, reports):
        app.include_router(family.router)
    app.add_exception_handler(HitonamiError, _answer_error)
    app.add_exception_handler(HTTPException, _answer_http_error)
    app.add_exception_handler(RequestValidationError, _answer_bad_request)
    _serve_pages(app)
    return app


def _serve_pages(app: FastAPI) -> None:
    def page() -> FileResponse:
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    def page_of(page_id: Annotated[str, InPath(pattern=ID_PATTERN)]) -> FileResponse:
        return page()

    def report_page(page_id: Annotated[str, InPath(pattern=REPORT_ID)]) -> FileResponse:
        return page()

    for path in (
        "/",
        "/predict",
        "/review",
        "/twins",
        "/bot-or-not",
        "/bot-or-not/new",
        "/bot-or-not/quiz",
        "/studies",
    ):
        app.add_api_route(path, page, include_in_schema=False)
    for path in ("/game", "/bot-or-not/study", "/bot-or-not/visit", "/bot-or-not/results"):
        app.add_api_route(f"{path}/{{page_id}}", page_of, include_in_schema=False)
    app.add_api_route("/studies/{page_id}", report_page, include_in_schema=False)
    app.mount("/", StaticFiles(directory=STATIC), name="static")


async def _answer_error(request: Request, wrong: Exception) -> JSONResponse:
    status = next((status for kind, status in _STATUSES.items() if isinstance(wrong, kind)), 503)
    return JSONResponse(body_of(wrong), status_code=status)


async def _answer_http_error(request: Request, wrong: Any) -> JSONResponse:
    values = {"megabytes": LARGEST_BODY_BYTES >> 20} if wrong.status_code == 413 else {}
    body = {"error": str(wrong.detail), "code": _CODES.get(wrong.status_code, ""), "values": values}
    return JSONResponse(body, status_code=wrong.status_code, headers=wrong.headers)


async def _answer_bad_request(request: Request, wrong: Any) -> JSONResponse:
    """The first complaint, without the input: echoing it would have to survive every text there is."""
    problem = wrong.errors()[0]
    where = ".".join(str(step) for step in problem["loc"][1:])
    told = plain(f"{where}: {problem['msg']}" if where else problem["msg"])
    code = "too-long" if problem["type"] == "string_too_long" else "bad-request"
    return JSONResponse({"error": told, "code": code, "values": {}}, status_code=422)
