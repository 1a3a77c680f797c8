"""Compile board kernels with numba, and keep the machine code on disk between runs.

numba keeps machine code for as long as the file of a kernel is unchanged, but a kernel contains the kernels
that it calls from other files. So the code here is kept for as long as every file with kernels in the
folder is unchanged; kernels of another folder must not be called.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from numba import njit
from numba.core.caching import FunctionCache

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile at the first call with arguments of each type. Only plain ints and arrays go in and out."""
    compiled: Any = njit(function)
    compiled._cache = _FolderCache(function)  # what `njit(cache=True)` does, with our key
    return compiled


class _FolderCache(FunctionCache):  # type: ignore[misc]
    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        folder = Path(self._py_func.__code__.co_filename).parent
        return (*super()._index_key(sig, codegen), _fingerprint(folder))


@cache
def _fingerprint(folder: Path) -> str:
    """A hash of every file in the folder that has kernels."""
    total = hashlib.sha256()
    for path in sorted(folder.glob("_*.py")):
        text = path.read_bytes()
        if b"@kernel" in text:
            total.update(text)
    return total.hexdigest()
