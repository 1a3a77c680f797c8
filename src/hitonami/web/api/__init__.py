"""The JSON interface, one router a family. Refusals are `{"error": …}` with a sentence for the visitor."""

from typing import Annotated, Any, Final

from fastapi import Depends, Request

from hitonami.web.hall import Hall
from hitonami.web.schemas import Wrong

REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": Wrong} for status in (400, 401, 403, 404, 409, 413, 421, 422, 503)
}


def _hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


InHall = Annotated[Hall, Depends(_hall)]
