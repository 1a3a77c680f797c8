"""Compile board kernels with numba, and keep the machine code on disk between runs.

numba notices that a kernel's own file has changed, not that a kernel it calls from another file has:
after editing `_go_board.py`, touch `_go_score.py`, which uses it.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile at the first call with arguments of each type. Only plain ints and arrays go in and out."""
    compiled: F = njit(cache=True)(function)
    return compiled
