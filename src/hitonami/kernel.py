"""Compile board kernels with numba, and keep the machine code on disk between runs.

numba alone keeps machine code for as long as the file of a kernel is unchanged, but a kernel contains the kernels that
it calls and the constants that it names, from whatever file. Here the code is kept for as long as all of those are
unchanged too: an edit costs the compilation of its file and of what depends on it, and of nothing else. The code is
kept beside the source, or in the user's cache folder where that cannot be written, or in NUMBA_CACHE_DIR. Who has to
wait for a compilation is told so, once.
"""

import hashlib
import multiprocessing
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

import numpy as np
from numba import njit
from numba.core.caching import FunctionCache, NullCache

F = TypeVar("F", bound=Callable[..., Any])
_KEPT = "once, about half a minute"
_NOT_KEPT = "about half a minute, each time: no folder for it can be written, NUMBA_CACHE_DIR may name one"


def kernel(function: F) -> F:
    """Compile at the first call with arguments of each type. Only plain ints and arrays go in and out."""
    compiled: Any = njit(function)
    try:
        compiled._cache = _Kept(function)  # what `njit(cache=True)` does, with our key
    except RuntimeError:  # numba found no folder that it may write
        compiled._cache = _NotKept()
    return compiled


class _Kept(FunctionCache):  # type: ignore[misc]
    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None:
            _announce(_KEPT)
        return found

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return (*super()._index_key(sig, codegen), fingerprint(self._py_func))


class _NotKept(NullCache):  # type: ignore[misc]
    def load_overload(self, sig: Any, target_context: Any) -> None:
        _announce(_NOT_KEPT)


@cache
def _announce(how_long: str) -> None:
    """Once a process; workers are silent, because their parent has the terminal."""
    if multiprocessing.parent_process() is None and sys.stderr is not None:
        print(f"hitonami: compiling board kernels ({how_long}) …", file=sys.stderr, flush=True)


@cache
def fingerprint(function: FunctionType) -> str:
    """A hash of all that the machine code is made from: this function, the kernels it calls, the constants it names.

    Taken from what is loaded, not from files, which may have changed since.
    """
    total = hashlib.sha256()
    for piece in _ingredients(function, set()):
        total.update(piece.encode() + b"\0")
    return total.hexdigest()


def _ingredients(function: FunctionType, met: set[FunctionType]) -> Iterator[str]:
    if function in met:
        return
    met.add(function)
    yield f"{function.__qualname__} {function.__defaults__}"
    for code in _codes(function.__code__):
        yield f"{code.co_code.hex()} {code.co_names} {code.co_varnames}"
        yield from (_literal(value) for value in code.co_consts if not isinstance(value, CodeType))
        for name in code.co_names:
            if name in function.__globals__:
                yield from _named(name, function.__globals__[name], met)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code, and that of the functions inside it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _codes(value)


def _literal(value: object) -> str:
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)  # sets have no order


def _named(name: str, value: Any, met: set[FunctionType]) -> Iterator[str]:
    """What a global name stands for."""
    if isinstance(inner := getattr(value, "py_func", None), FunctionType):
        yield from _ingredients(inner, met)
    elif isinstance(value, np.ndarray):
        yield f"{name} {value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    elif isinstance(value, ModuleType):
        if value.__name__.partition(".")[0] not in ("numpy", "math", "numba"):
            raise TypeError(f"a kernel names the module {value.__name__}: import what it needs from there by name")
        yield f"{name} {value.__name__}"
    elif callable(value):  # a type such as np.uint64: its repr may hold an address
        yield f"{name} {value.__module__}.{getattr(value, '__qualname__', name)}"
    else:
        yield f"{name} {_literal(value)}"
