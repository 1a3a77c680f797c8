"""Requests that are refused, for what else is going on or in words that the page can say in the visitor's language.

A code names the page's sentence, values fill it in; the sentence in English goes along for programs. Nothing of it
comes from our files, and no bytes are quoted.
"""

from typing import Any

from starlette.responses import JSONResponse, Response

from hitonami.errors import BadInput, BadMove, HitonamiError


class OutOfStep(HitonamiError):
    """The browser speaks of another position than the server's: it has to look again."""


class Refusal(BadInput):
    """A request that cannot be done, and which sentence of the page says so."""

    def __init__(self, code: str, message: str, values: dict[str, str | int] | None = None) -> None:
        super().__init__(code, message, values)  # all of them: it travels between processes
        self.code, self.message, self.values = code, message, values or {}

    def __str__(self) -> str:
        return self.message


class TooMany(Refusal):
    """There is enough to do already: the same request is welcome later."""


def body_of(wrong: Exception) -> dict[str, Any]:
    """What a browser is told: the sentence in English, its code where it has one, and the values in it."""
    if isinstance(wrong, Refusal):
        return {"error": plain(str(wrong)), "code": wrong.code, "values": wrong.values}
    if isinstance(wrong, BadMove):
        several = wrong.plain.startswith("ambiguous")
        return {"error": plain(wrong.plain), "code": "ambiguous-move" if several else "bad-move", "values": {}}
    return {"error": plain(str(wrong))}


def answer_refusal(
    status: int, code: str, message: str, headers: dict[str, str] | None = None, **values: int
) -> Response:
    """A refusal before anything of the application has looked at the request."""
    return JSONResponse({"error": message, "code": code, "values": values}, status_code=status, headers=headers)


def plain(text: str) -> str:
    """Text that any encoder takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
