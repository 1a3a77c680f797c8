"""Reports in the folder of studies: a list, data for tables, and pages with style and script of their own."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Request, Response

from hitonami.web.api import REFUSALS, here
from hitonami.web.reports import REPORT_ID, Report, ReportShelf

router = APIRouter(tags=["studies"], responses=REFUSALS)
Id = Annotated[str, Path(pattern=REPORT_ID)]
PAGE_POLICY: Final = (
    "sandbox allow-scripts allow-popups; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""A report is a whole page with its style and script inside. Its script runs in an origin of its own, without cookies,
storage or this page, and may connect to nothing, so that it can draw what it holds and reach nothing of the server."""


async def _shelf(request: Request) -> ReportShelf:
    shelf: ReportShelf = request.app.state.shelf
    return shelf


OnShelf = Annotated[ReportShelf, Depends(_shelf)]


@router.get("/api/reports")
async def reports(shelf: OnShelf) -> list[Report]:
    """What the folder of studies holds, latest first; samples where the server was started without one."""
    return await asyncio.to_thread(shelf.reports)


@router.get("/api/reports/{report_id}")
async def data(report_id: Id, shelf: OnShelf) -> Response:
    """A report in JSON, as it was written."""
    found = here(await asyncio.to_thread(shelf.read_data, report_id), "report")
    return Response(found, media_type="application/json")


@router.get("/reports/{report_id}/page", response_class=Response, include_in_schema=False)
async def page(report_id: Id, shelf: OnShelf) -> Response:
    """A report in HTML, under a policy of its own."""
    found = here(await asyncio.to_thread(shelf.read_page, report_id), "report")
    headers = {"Content-Security-Policy": PAGE_POLICY, "X-Frame-Options": "SAMEORIGIN"}
    return Response(found, media_type="text/html; charset=utf-8", headers=headers)
