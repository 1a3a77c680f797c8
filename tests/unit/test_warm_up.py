"""The warm-up leaves nothing to compile: every kernel that Python calls has been called."""

import importlib
from pathlib import Path
from types import FunctionType
from typing import Any

import hitonami
from hitonami.kernel import _ingredients
from hitonami.warm_up import steps


def kernels() -> dict[FunctionType, Any]:
    """Every kernel of the package, by the function that it was made from."""
    found: dict[FunctionType, Any] = {}
    package = Path(hitonami.__file__).parent
    for path in package.rglob("*.py"):
        if "\n@kernel\n" in path.read_text(encoding="utf-8"):
            module = ".".join(path.relative_to(package.parent).with_suffix("").parts)
            for value in vars(importlib.import_module(module)).values():
                if isinstance(inner := getattr(value, "py_func", None), FunctionType):
                    found[inner] = value
    return found


def test_every_kernel_that_python_calls_is_compiled() -> None:
    for step in steps():
        step.run()
    every = kernels()
    assert len(every) > 80
    inside: set[FunctionType] = set()
    for function, compiled in every.items():
        if compiled.signatures:
            reached: set[FunctionType] = set()
            list(_ingredients(function, reached))
            inside |= reached
    assert sorted(function.__qualname__ for function in every if function not in inside) == []
