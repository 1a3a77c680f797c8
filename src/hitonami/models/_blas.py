"""numpy's matrix products on one thread for a while.

OpenBLAS, which numpy's wheels bring along, wakes threads of its own for larger products, and they spin for a while
after it. Where boards are shared out to threads already, or a caller wants one thread, that costs more than it gains.
There is no way to say so through numpy; another BLAS, or another place for it, is left as it is.
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

_ALONE = Lock()
_within = 0
_before = 0


@cache
def _openblas() -> tuple[Any, Any] | None:
    """How to ask for the number of threads, and how to set it."""
    package = Path(np.__file__).parent
    for folder in (package.parent / "numpy.libs", package / ".dylibs"):
        for path in sorted(folder.glob("libscipy_openblas64_*")):
            try:
                library = ctypes.CDLL(str(path))
                return library.scipy_openblas_get_num_threads64_, library.scipy_openblas_set_num_threads64_
            except (OSError, AttributeError):
                continue
    return None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Within it products are not shared out. Several may be within at once; the last one out restores what was."""
    global _within, _before  # noqa: PLW0603  (the library's own setting is one for the whole process)
    found = _openblas()
    if found is None:
        yield
        return
    ask, tell = found
    with _ALONE:
        if not _within:
            _before = int(ask())
            tell(1)
        _within += 1
    try:
        yield
    finally:
        with _ALONE:
            _within -= 1
            if not _within:
                tell(_before)
