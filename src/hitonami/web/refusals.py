"""Requests that are refused for what else is going on, not for what they ask."""

from hitonami.errors import HitonamiError


class OutOfStep(HitonamiError):
    """The browser speaks of another position than the server's: it has to look again."""


class TooMany(HitonamiError):
    """There is enough to do already: the same request is welcome later."""
