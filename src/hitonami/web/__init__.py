"""The page: a FastAPI application that serves the built front end and the JSON interface behind it.

The sources of the front end are in `web/` at the root of the repository; `static/` holds what was built from them, so
that nobody needs node to play. Rules, moves and records come from the games of the package; the boards only draw.
"""
